"""Whether an artifact may serve: each attack of the threat model refuses, its benign twin is let pass."""

from typing import Any

import pytest

from evalgate.core.evidence.predicate import Wanted, named_artifacts, refusal_of_artifact
from tests.unit.core.evidence.examples import (
    BASELINE,
    CANDIDATE,
    DIGEST,
    FORK,
    HEAD,
    MERGE,
    NAME,
    NOW,
    OLD,
    REPOSITORY,
    artifact,
    artifact_fields,
    run,
)

BOTH = pytest.mark.parametrize("wanted", [BASELINE, CANDIDATE], ids=["baseline", "candidate"])


def of_artifact(wanted: Wanted = BASELINE, **changed: Any) -> str | None:
    reason = refusal_of_artifact(artifact(**changed), run(), wanted, NOW)
    if reason is None:
        return None
    assert reason[1], "a refusal says why"
    return reason[0]


@BOTH
def test_the_artifact_of_a_push_to_the_branch_passes(wanted: Wanted) -> None:
    assert of_artifact(wanted) is None


@pytest.mark.parametrize(
    "changed", [{"conclusion": "failure"}, {"status": "in_progress", "conclusion": None}, {"run_attempt": 2}]
)
def test_how_its_run_goes_and_its_attempt_do_not_matter(changed: dict[str, Any]) -> None:
    assert refusal_of_artifact(artifact(), run(**changed), CANDIDATE, NOW) is None


@BOTH
@pytest.mark.parametrize("name", ["", NAME.upper(), NAME + "x", f"eval-results-{OLD}-skills", "eval-results"])
def test_a09_an_artifact_of_another_name_refuses(wanted: Wanted, name: str) -> None:
    assert of_artifact(wanted, name=name) == "other-group"


@BOTH
@pytest.mark.parametrize(
    ("field", "wrong", "expected"),
    [
        *(("id", wrong, "other-run") for wrong in (None, 0, 7000, -7001)),
        *(("repository_id", wrong, "other-repository") for wrong in (None, FORK, 0, -REPOSITORY)),
        *(("head_repository_id", wrong, "other-repository") for wrong in (None, FORK, 0, -REPOSITORY)),
        *(("head_sha", wrong, "other-run") for wrong in (None, OLD, HEAD, MERGE)),
        *(("head_branch", wrong, "other-run") for wrong in (None, "", "Main", "hostile")),
    ],
)
def test_a01_an_artifact_that_does_not_prove_its_origin_refuses(
    wanted: Wanted, field: str, wrong: Any, expected: str
) -> None:
    made_by = artifact_fields()["workflow_run"]

    assert of_artifact(wanted, workflow_run={**made_by, field: wrong}) == expected
    assert of_artifact(wanted, workflow_run={k: v for k, v in made_by.items() if k != field}) == expected


@BOTH
def test_a07_an_artifact_that_names_no_run_refuses(wanted: Wanted) -> None:
    assert of_artifact(wanted, workflow_run=None) == "other-run"


@BOTH
@pytest.mark.parametrize(
    "digest",
    [
        None,
        "",
        "d" * 64,
        "sha256:",
        "md5:" + "d" * 32,
        "sha512:" + "d" * 128,
        DIGEST[:-1],
        DIGEST + "d",
        DIGEST.upper(),
        "sha256:" + "D" * 64,
        DIGEST + "\n",
        " " + DIGEST,
        "sha256:" + "٤" * 64,
    ],
)
def test_a11_a_digest_that_is_absent_or_of_another_form_refuses(wanted: Wanted, digest: str | None) -> None:
    assert of_artifact(wanted, digest=digest) == "no-digest"


@BOTH
@pytest.mark.parametrize(
    "changed",
    [
        {"expired": True},
        {"expired": True, "expires_at": None},
        {"expires_at": "2026-11-30T12:00:00Z"},
        {"expires_at": "2026-11-29T00:00:00Z"},
    ],
)
def test_an_expired_artifact_refuses_by_either_sign(wanted: Wanted, changed: dict[str, Any]) -> None:
    assert of_artifact(wanted, **changed) == "expired"


def test_an_expired_artifact_is_told_with_its_day_where_github_gives_one() -> None:
    told = refusal_of_artifact(artifact(expires_at="2026-11-29T00:00:00Z"), run(), BASELINE, NOW)
    untold = refusal_of_artifact(artifact(expired=True, expires_at=None), run(), BASELINE, NOW)

    assert told == ("expired", "the artifact expired on 2026-11-29")
    assert untold == ("expired", "the artifact has expired")


@BOTH
@pytest.mark.parametrize(
    "created_at", [None, "2026-09-01T11:59:59Z", "2025-11-29T10:05:00Z", "0001-01-01T00:00:00Z", "2026-02-31T00:00:00Z"]
)
def test_a13_an_artifact_that_is_too_old_or_of_unknown_age_refuses(wanted: Wanted, created_at: str | None) -> None:
    assert of_artifact(wanted, created_at=created_at) == "too-old"


@BOTH
@pytest.mark.parametrize(
    "created_at", ["2026-09-01T12:00:00Z", "2026-11-30T12:00:00.123456789Z", "2026-12-01T12:00:00Z"]
)
def test_an_artifact_of_the_last_day_passes_and_so_does_one_ahead_of_a_slow_clock(
    wanted: Wanted, created_at: str
) -> None:
    assert of_artifact(wanted, created_at=created_at) is None


def test_an_artifact_without_an_end_passes() -> None:
    assert of_artifact(expires_at=None) is None


def test_a09_one_live_artifact_of_the_name_is_the_one() -> None:
    decoys = [artifact(id=1, name=NAME + "-x"), artifact(id=2, expired=True), artifact(id=3, name=NAME.upper())]

    assert named_artifacts([*decoys, artifact(id=4), artifact(id=4)], BASELINE) == [artifact(id=4)]


def test_a09_every_live_artifact_of_the_name_counts_the_earliest_first() -> None:
    found = named_artifacts([artifact(id=9), artifact(id=4), artifact(id=7, expired=True)], BASELINE)

    assert found == [artifact(id=4), artifact(id=9)]


def test_a09_no_artifact_of_the_name_is_told_from_expired_ones() -> None:
    assert named_artifacts([artifact(name="logs")], BASELINE) == ("gone", f"the run has no artifact called {NAME}")
    last = artifact(id=8, expired=True)
    assert named_artifacts([last, artifact(id=7, expired=True)], BASELINE) == [last]
    assert of_artifact(id=8, expired=True) == "expired"
