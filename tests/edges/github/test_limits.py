"""GitHub's rate limits (faults 3 and 4): waited for as long as they say, never longer than there is time."""

import pytest

from tests.edges.github.servers import Budget, Reply, Server, client, ok, refusal

PATH = "/actions/runs/7"

LIMITS: list[tuple[int, dict[str, str], bytes, float]] = [
    (429, {"Retry-After": "7"}, b"", 7),
    (403, {"Retry-After": "7"}, b"", 7),
    (429, {}, b"", 60),
    (429, {"Retry-After": "soon"}, b"", 60),
    (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1767225630"}, b"", 30),
    (429, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1767225630"}, b"", 30),
    (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1767225000"}, b"", 1),
    (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "never"}, b"", 60),
    (403, {"x-ratelimit-remaining": "0"}, b"", 60),
    (403, {}, b'{"message": "You have exceeded a secondary rate limit."}', 60),
    (403, {"x-ratelimit-remaining": "9"}, b'{"message": "You have triggered an abuse detection mechanism."}', 60),
    (503, {"Retry-After": "3"}, b"", 3),
]


@pytest.mark.parametrize(("status", "headers", "body", "wait"), LIMITS)
def test_fault_03_and_04_a_rate_limit_is_waited_for_as_long_as_it_says(
    status: int, headers: dict[str, str], body: bytes, wait: float
) -> None:
    limit, budget = Reply(status, body, {"Date": "Thu, 01 Jan 2026 00:00:00 GMT", **headers}), Budget(1000)
    with Server(limit, ok({"id": 7})) as server:
        assert client(server.url, budget).get(PATH) == {"id": 7}
    assert budget.slept == [wait]

    with Server(limit) as server:
        why = refusal(lambda: client(server.url, Budget(min(wait, 5))).get(PATH), "unavailable")
    assert len(server.requests) == 1
    assert f"left alone for {wait:.0f} seconds, and there is less time" in why


def test_fault_03_limits_without_an_end_are_waited_for_twice_as_long_each_time_and_at_most_four_times() -> None:
    budget = Budget(10_000)
    with Server(Reply(429)) as server:
        why = refusal(lambda: client(server.url, budget).get(PATH), "unavailable")
    assert budget.slept == [60, 120, 240, 480]
    assert "GitHub's rate limit is reached" in why


def test_fault_03_a_limit_that_ends_in_a_year_costs_no_time() -> None:
    for headers in (
        {"Retry-After": "99999999999"},
        {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "999999999999"},
    ):
        with Server(Reply(403, headers=headers)) as server:
            refusal(lambda: client(server.url, Budget(1000)).get(PATH), "unavailable")
        assert len(server.requests) == 1
