"""Where results are looked for, and which of those found are taken together."""

from datetime import timedelta
from typing import Any

from evalgate.core.evidence.search import MOST, Accepted, Step, baseline_steps, candidate_steps, pooled
from evalgate.model.evidence import Origin
from tests.unit.core.evidence.examples import BASE, HEAD, MERGE, NAME, NOW, OLD, TIP

SAME = ("inputs", "evaluation")


def steps(*told: tuple[str, int, bool]) -> tuple[Step, ...]:
    return tuple(Step(*each) for each in told)


def accepted(number: int, digests: tuple[str, str] = SAME, **changed: Any) -> Accepted:
    standard: dict[str, Any] = {
        "kind": "artifact",
        "name": NAME,
        "commit": TIP,
        "distance": 0,
        "run": number,
        "attempt": 1,
        "artifact": number,
        "digest": f"sha256:{number:064x}",
        "created_at": f"2026-11-{number:02}T00:00:00Z",
    }
    return Accepted(Origin(**{**standard, **changed}), digests)


def committed(commit: str) -> Accepted:
    name = f"evals/results/{commit}-skills.json"
    return Accepted(Origin(kind="file", name=name, commit=commit, distance=0), SAME)


def taken(*found: Accepted, days: int = 90) -> list[int | None]:
    return [one.origin.artifact for one in pooled(found, SAME, NOW, days).taken]


def left(*found: Accepted, days: int = 90) -> list[tuple[int | None, str]]:
    return [(one.origin.artifact, reason[0]) for one, reason in pooled(found, SAME, NOW, days).left]


def test_a_pull_request_s_merge_comes_first_then_its_head_then_what_the_head_grew_from() -> None:
    assert candidate_steps(MERGE, HEAD, [OLD, BASE], 20) == steps(
        (MERGE, 0, False), (HEAD, 0, True), (OLD, 1, True), (BASE, 2, True)
    )


def test_a_commit_that_is_head_and_evaluated_is_looked_at_once() -> None:
    assert candidate_steps(TIP, TIP, [OLD, TIP], 20) == steps((TIP, 0, False), (OLD, 1, True))


def test_the_search_for_a_candidate_ends_at_its_depth() -> None:
    assert candidate_steps(MERGE, HEAD, [OLD, BASE], 1)[-1] == Step(OLD, 1, same_content=True)
    assert candidate_steps(MERGE, HEAD, [OLD, BASE], 0) == steps((MERGE, 0, False), (HEAD, 0, True))
    assert candidate_steps(MERGE, HEAD, [], 20) == steps((MERGE, 0, False), (HEAD, 0, True))


def test_a_baseline_is_looked_for_along_its_branch_where_the_content_is_the_same() -> None:
    assert baseline_steps(TIP, [OLD, BASE], 0) == steps((TIP, 0, False), (OLD, 1, True), (BASE, 2, True))
    assert baseline_steps(TIP, [], 100) == steps((TIP, 0, False))


def test_a_baseline_of_other_content_comes_last_and_only_as_deep_as_the_policy_allows() -> None:
    assert baseline_steps(TIP, [OLD, BASE], 1) == steps(
        (TIP, 0, False), (OLD, 1, True), (BASE, 2, True), (OLD, 1, False)
    )


def test_a13_results_are_taken_in_the_order_they_were_made_and_the_earliest_ten_count() -> None:
    found = [accepted(number) for number in range(20, 5, -1)]

    assert taken(*found) == list(range(6, 16))
    assert left(*found) == [(number, "beyond-ten") for number in range(16, 21)]


def test_ten_results_are_all_taken() -> None:
    assert taken(*(accepted(number) for number in range(1, MOST + 1))) == list(range(1, MOST + 1))


def test_results_of_one_moment_are_ordered_by_run_attempt_and_artifact() -> None:
    at = "2026-11-20T00:00:00Z"
    found = [
        accepted(4, created_at=at, run=2, attempt=2),
        accepted(3, created_at=at, run=2, attempt=2),
        accepted(9, created_at=at, run=2, attempt=1),
        accepted(1, created_at=at, run=3),
        accepted(8, created_at="2026-11-19T23:59:59.5Z", run=7),
    ]

    assert taken(*found) == [8, 9, 3, 4, 1]


def test_results_of_other_content_are_left_whichever_part_differs() -> None:
    found = [accepted(1), accepted(2, ("other", "evaluation")), accepted(3, ("inputs", "other"))]

    assert taken(*found) == [1]
    assert left(*found) == [(2, "inputs-differ"), (3, "inputs-differ")]


def test_results_that_are_too_old_or_of_unknown_age_leave_their_place_to_others() -> None:
    found = [accepted(1, created_at="2026-08-31T00:00:00Z"), accepted(2, created_at=None), accepted(3)]

    assert taken(*found) == [3]
    assert left(*found) == [(2, "too-old"), (1, "too-old")]
    assert taken(accepted(29), days=1) == []
    assert taken(accepted(30), days=1) == [30]


def test_the_same_results_found_twice_count_once() -> None:
    assert taken(accepted(1), accepted(1)) == [1]
    assert left(accepted(1), accepted(1)) == []


def test_the_same_bytes_uploaded_again_count_once_and_are_told() -> None:
    copy = accepted(2, digest=f"sha256:{1:064x}")

    assert taken(accepted(1), copy, accepted(3)) == [1, 3]
    assert left(accepted(1), copy, accepted(3)) == [(2, "repeated")]


def test_committed_files_have_no_age_and_come_first() -> None:
    pool = pooled([accepted(1), committed(TIP), committed(OLD)], SAME, NOW + timedelta(days=0), 90)

    assert [one.origin.kind for one in pool.taken] == ["file", "file", "artifact"]
    assert pool.left == ()
    assert pooled([committed(TIP)], SAME, NOW + timedelta(days=4000), 90).taken == (committed(TIP),)


def test_nothing_found_is_nothing_taken() -> None:
    assert pooled([], SAME, NOW, 90).taken == ()
