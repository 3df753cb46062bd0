"""Every kind of bad weather over every endpoint that a gate calls: what heals is not noticed, what does not blocks."""

from typing import Any

import pytest

from evalgate.edges.loopback import Edited, Reset, Status, Truncated, html, rate_limited, secondary_limit
from evalgate.edges.loopback.faults import Answer
from tests.github.scene import BAD, OWN_RUN, Scene
from tests.github.weather import BEYOND, blocked, gated, shared, sky

pytestmark = pytest.mark.weather

__all__ = ["shared", "sky"]

READING = {
    "branch": "GET /branches/main",
    "commit": "GET /git/commits/*",
    "tree": "GET /git/trees/*",
    "blob": "GET /git/blobs/*",
    "history": "GET /commits",
    "runs": "GET /actions/workflows/*/runs",
    "artifacts": "GET /actions/runs/*/artifacts",
    "zip": "GET /actions/artifacts/*/zip",
}
STORE = {"store": "GET /artifact/*"}
PUBLISHING = {
    "named": "GET /commits/*/check-runs",
    "begin": "POST /check-runs",
    "change": "PATCH /check-runs/*",
    "shown": "GET /check-runs/*",
}


def twisted(value: Any) -> Any:
    """JSON of the same keys and other types: what was a number is a text, what was a list is none."""
    match value:
        case dict():
            return {name: _other(one) for name, one in value.items()}
        case list():
            return [_other(one) for one in value]
        case _:
            return value


def _other(value: Any) -> Any:
    match value:
        case bool():
            return "yes"
        case int() | float():
            return str(value)
        case str():
            return 7
        case _:
            return "none" if value is None else None


MOVING = rate_limited(403, reset=4_000_000_000)
LASTING: dict[str, Answer] = {
    "500": Status(500),
    "reset": Reset(),
    "truncated": Truncated(20),
    "truncated chunk": Truncated(20, "chunked"),
    "page": html(),
    "page of an outage": html(502),
    "429": rate_limited(429, retry_after=40),
    "429 in a year": rate_limited(429, retry_after=31_536_000),
    "limit until far ahead": MOVING,
    "secondary limit": secondary_limit(),
    "401": Status(401),
    "403": Status(403),
    "404": Status(404),
    "410": Status(410),
    "202": Status(202, {}),
    "empty": Status(200, b""),
    "no object": Status(200, []),
    "wrong types": Edited(twisted),
    "empty object": Status(200, {}),
    "null": Status(200, b"null"),
    "not a number": Status(200, b'{"id": NaN}'),
}
ONLY_OF_THE_API = {"202", "empty", "no object", "wrong types", "empty object", "null", "not a number"}
"""What is said by JSON alone; an artifact's bytes have their digest."""

OF_A_BODY = ("truncated", "truncated chunk", "wrong types")
"""Of an artifact's address there is only the header."""

REMEDIES = ("Rerun the job", "Give the job `permissions", "that takes `permissions", "or a proxy?")

HEALING: dict[str, tuple[Answer, int]] = {
    "500 twice": (Status(500), 2),
    "reset twice": (Reset(), 2),
    "truncated twice": (Truncated(20), 2),
    "429 twice": (rate_limited(429, retry_after=3), 2),
    "secondary limit once": (secondary_limit(), 1),
}


@pytest.fixture(scope="module")
def fair(shared: Scene) -> list[dict[str, Any]]:
    """What a gate in fair weather decides, once it is known."""
    return []


def decided_fairly(fair: list[dict[str, Any]], sky: Scene) -> dict[str, Any]:
    if not fair:
        told = gated(sky)
        assert (told.code, told.gate.err, told.green) == (0, "", True)
        fair.append(told.decided())
        sky.github.clear()
    return fair[0]


@pytest.mark.parametrize(
    ("place", "kind"),
    [(place, kind) for place in READING for kind in LASTING if place != "zip" or kind not in OF_A_BODY],
)
def test_fault_01_14_what_cannot_be_read_blocks_and_says_so(sky: Scene, place: str, kind: str) -> None:
    sky.github.fault(READING[place], None, LASTING[kind])
    told = gated(sky)
    blocked(told)
    [check] = told.checks
    assert (check["status"], check["conclusion"]) == ("completed", "failure")
    if "verdict" in told.gate.outputs:  # said as the reason why results are missing
        assert told.gate.outputs["verdict"] == "UNVERIFIED"
        assert "Blocked" in check["output"]["title"]
        assert {"unavailable", "no-permission", "gone", "expired", "bad-redirect"} & told.gate.refusals
    else:
        what = READING[place].partition(" ")[2].rstrip("*").partition("*")[0]
        assert f"evalgate: GET {what}" in told.gate.err
        assert any(remedy in told.gate.err for remedy in REMEDIES)
        assert check["output"]["title"] == "Blocked: nothing was decided"
        assert not (told.gate.folder / "report").exists()


@pytest.mark.parametrize("kind", [kind for kind in LASTING if kind not in ONLY_OF_THE_API])
def test_fault_11_what_the_store_does_not_give_is_no_evidence(sky: Scene, kind: str) -> None:
    sky.github.fault(STORE["store"], None, LASTING[kind])
    told = gated(sky)
    blocked(told)
    assert told.gate.outputs["verdict"] == "UNVERIFIED"
    assert told.gate.refusals <= {"unavailable", "gone", "digest-mismatch"}
    assert told.gate.refusals
    [check] = told.checks
    assert check["conclusion"] == "failure"


@pytest.mark.parametrize("kind", HEALING)
@pytest.mark.parametrize("place", [*READING, *STORE, *PUBLISHING])
def test_fault_01_03_09_what_heals_changes_nothing(
    sky: Scene, fair: list[dict[str, Any]], place: str, kind: str
) -> None:
    expected = decided_fairly(fair, sky)
    answer, times = HEALING[kind]
    sky.github.fault((READING | STORE | PUBLISHING)[place], times, answer)
    told = gated(sky, publish="required")
    assert (told.code, told.gate.err) == (0, ""), told.gate.out
    assert told.decided() == expected
    assert [check["conclusion"] for check in told.checks] == ["success"]
    assert sum(told.time.slept) <= BEYOND


@pytest.mark.parametrize(
    ("place", "kind", "publish"),
    [(place, kind, "required") for place in PUBLISHING for kind in LASTING]
    + [(place, kind, "auto") for place in PUBLISHING for kind in ("500", "403", "wrong types")],
)
def test_fault_30_what_cannot_be_published_is_told_and_changes_no_verdict(
    sky: Scene, fair: list[dict[str, Any]], place: str, kind: str, publish: Any
) -> None:
    expected = decided_fairly(fair, sky)
    sky.github.fault(PUBLISHING[place], None, LASTING[kind])
    told = gated(sky, publish)
    assert told.code == (5 if publish == "required" and told.gate.err else 0), told.gate.out + told.gate.err
    assert told.decided() == expected
    assert told.gate.outputs["exit-code"] == str(told.code)
    assert sum(told.time.slept) <= BEYOND
    if told.gate.err:
        assert "evalgate: not published: " in told.gate.err
    else:  # only what GitHub says is not what it did
        assert told.green
    assert told.green or {check["status"] for check in told.checks} <= {"in_progress"}


@pytest.mark.parametrize("publish", ["auto", "required"])
@pytest.mark.parametrize("place", PUBLISHING)
def test_fault_30_a_failure_stays_one_whatever_becomes_of_its_report(sky: Scene, place: str, publish: Any) -> None:
    worse = sky.record_pull(BAD, id=OWN_RUN + 1)
    try:
        sky.github.fault(PUBLISHING[place], None, Status(500))
        told = gated(sky, publish)
    finally:
        forget(sky, worse)
    blocked(told, 1)
    assert "evalgate: not published: " in told.gate.err


def forget(scene: Scene, artifact: dict[str, Any]) -> None:
    """Take an artifact and its run away again."""
    world = scene.github.world
    del world.runs[artifact["workflow_run"]["id"]], world.artifacts[artifact["id"]], world.contents[artifact["id"]]


def test_fault_02_a_check_run_whose_answer_is_lost_is_found_and_not_made_twice(sky: Scene) -> None:
    for lost in (Reset(performed=True), Status(502, performed=True)):
        sky.github.clear()
        sky.github.fault("POST /check-runs", 1, lost)
        told = gated(sky, publish="required")
        assert (told.code, told.gate.err) == (0, "")
        assert [check["conclusion"] for check in told.checks] == ["success"]
        assert sum(request.method == "POST" for request in told.gate.requests) == 1


def test_fault_02_a_conclusion_whose_answer_is_lost_is_read_back(sky: Scene) -> None:
    sky.github.fault("PATCH /check-runs/*", 1, Reset(performed=True))
    told = gated(sky, publish="required")
    assert (told.code, told.gate.err, told.green) == (0, "", True)


def test_fault_03_a_limit_is_waited_for_as_long_as_it_asks_and_there_is_time(sky: Scene) -> None:
    sky.github.fault("GET /branches/main", 1, rate_limited(429, retry_after=200))
    told = gated(sky)
    assert (told.code, told.time.slept) == (0, [200.0])

    sky.github.clear()
    sky.github.fault("GET /branches/main", 1, rate_limited(429, retry_after=400))
    told = gated(sky)
    blocked(told)
    assert "It asks to be left alone for 400 seconds, and there is less time." in told.gate.err

    sky.github.clear()
    sky.github.fault("GET /branches/main", 1, rate_limited(429, retry_after=400))
    assert gated(sky, wait=5.0).code == 0


@pytest.mark.parametrize(
    ("place", "permission"),
    [("branch", "contents: read"), ("runs", "actions: read"), ("artifacts", "actions: read")],
)
def test_fault_05_the_permission_that_lacks_is_named(sky: Scene, place: str, permission: str) -> None:
    name = permission.partition(":")[0]
    given = sky.github.world.permissions.pop(name)
    try:
        told = gated(sky)
    finally:
        sky.github.world.permissions[name] = given
    blocked(told)
    assert f"Give the job `permissions: {permission}`" in told.gate.err
    assert permission in told.checks[0]["output"]["summary"].replace("&#58;", ":")


def test_fault_05_a_token_that_is_none_reads_nothing(sky: Scene) -> None:
    told = gated(sky, EVALGATE_TOKEN="")
    blocked(told)
    assert "No token was given: set `github-token`" in told.gate.err
    assert told.checks == []


def test_fault_05_a_token_that_cannot_write_checks_leaves_the_verdict(sky: Scene) -> None:
    sky.github.world.permissions["checks"] = "read"
    try:
        told, required = gated(sky), gated(sky, "required")
    finally:
        sky.github.world.permissions["checks"] = "write"
    assert (told.code, required.code, told.checks) == (0, 5, [])
    assert "`permissions: checks: write`" in told.gate.err


def test_fault_15_what_is_never_ready_is_asked_for_five_times(sky: Scene) -> None:
    sky.github.fault("GET /git/trees/*", 4, Status(202, {}))
    assert gated(sky).code == 0
    sky.github.clear()
    sky.github.fault("GET /git/trees/*", None, Status(202, {}))
    told = gated(sky)
    blocked(told)
    assert sum("/git/trees/" in request.path for request in told.gate.requests) == 5
