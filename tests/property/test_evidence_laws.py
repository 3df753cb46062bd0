"""Laws of evidence: whatever is changed about a run or an artifact that matters refuses, alone and in company."""

from datetime import timedelta
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalgate.core.evidence.predicate import Wanted, refusal_of_artifact, refusal_of_run
from evalgate.core.evidence.search import MOST, Accepted, baseline_steps, candidate_steps, pooled
from evalgate.model.evidence import Origin
from evalgate.model.github import Artifact, WorkflowRun
from tests.unit.core.evidence.examples import (
    BASELINE,
    CANDIDATE,
    DIGEST,
    FORK,
    HEAD,
    NAME,
    NOW,
    OLD,
    REPOSITORY,
    TIP,
    WORKFLOW,
    artifact_fields,
    run_fields,
)

ABSENT = object()

Where = tuple[str, str]

RUN_MUTATIONS: dict[str, list[Any]] = {
    "repository": [{"id": FORK}, {"id": 0}, {"id": -REPOSITORY}, {"id": REPOSITORY + 1}],
    "head_repository": [None, ABSENT, {"id": FORK}, {"id": 0}],
    "path": ["", ".github/workflows/other.yml", WORKFLOW + "x", WORKFLOW + "@x.yml"],
    "head_sha": [OLD, HEAD, "0" * 40, "e" * 40],
}
BASELINE_MUTATIONS: dict[str, list[Any]] = {
    "event": ["pull_request", "pull_request_target", "workflow_run", ""],
    "head_branch": [None, "hostile", "Main", "gh-readonly-queue/main/pr-1-x"],
}
ARTIFACT_MUTATIONS: dict[str, list[Any]] = {
    "name": ["", NAME + "x", NAME.upper(), "eval-results"],
    "expired": [True],
    "expires_at": ["2026-11-30T12:00:00Z", "2026-11-01T00:00:00Z", "2000-01-01T00:00:00Z"],
    "digest": [None, ABSENT, "", "md5:" + "d" * 32, DIGEST.upper(), DIGEST[:-1]],
    "created_at": [None, ABSENT, "2026-08-01T00:00:00Z", "2026-02-30T00:00:00Z"],
    "workflow_run": [None, ABSENT, {}],
}
MADE_BY_MUTATIONS: dict[str, list[Any]] = {
    "id": [None, ABSENT, 0, 7000],
    "repository_id": [None, ABSENT, FORK, 0],
    "head_repository_id": [None, ABSENT, FORK, 0],
    "head_sha": [None, ABSENT, OLD, HEAD],
    "head_branch": [None, ABSENT, "hostile", ""],
}


def mutations(wanted: Wanted) -> list[tuple[Where, Any]]:
    """Every value that must refuse, with the field it is put into."""
    parts = {
        "run": RUN_MUTATIONS | (BASELINE_MUTATIONS if wanted.side == "baseline" else {}),
        "artifact": ARTIFACT_MUTATIONS,
        "made_by": MADE_BY_MUTATIONS,
    }
    return [
        ((part, field), value) for part, fields in parts.items() for field, values in fields.items() for value in values
    ]


def put(fields: dict[str, Any], name: str, value: Any) -> None:
    if value is ABSENT:
        fields.pop(name, None)
    else:
        fields[name] = value


def refused(wanted: Wanted, changes: list[tuple[Where, Any]]) -> bool:
    """Whether a run and its artifact with these changes are refused by either of the two predicates."""
    run, artifact = run_fields(), artifact_fields()
    made_by = artifact["workflow_run"]
    for (part, field), value in sorted(changes, key=lambda change: change[0][0], reverse=True):
        put({"run": run, "artifact": artifact, "made_by": made_by}[part], field, value)
    run_record, artifact_record = WorkflowRun.model_validate(run), Artifact.model_validate(artifact)
    return (
        refusal_of_run(run_record, wanted) is not None
        or refusal_of_artifact(artifact_record, run_record, wanted, NOW) is not None
    )


SIDES = pytest.mark.parametrize("wanted", [BASELINE, CANDIDATE], ids=["baseline", "candidate"])


@SIDES
def test_the_benign_run_passes(wanted: Wanted) -> None:
    assert not refused(wanted, [])


@SIDES
def test_each_mutation_alone_refuses(wanted: Wanted) -> None:
    listed = mutations(wanted)

    assert len(listed) >= 36
    assert [change for change in listed if not refused(wanted, [change])] == []


@SIDES
def test_each_pair_of_mutations_refuses(wanted: Wanted) -> None:
    pairs = [pair for pair in combinations(mutations(wanted), 2) if pair[0][0] != pair[1][0]]

    assert len(pairs) >= 100
    assert [pair for pair in pairs if not refused(wanted, list(pair))] == []


@st.composite
def harmless(draw: st.DrawFn) -> dict[str, Any]:
    """What may differ between runs that all serve."""
    return {
        "id": draw(st.integers(1, 10**12)),
        "run_attempt": draw(st.integers(1, 50)),
        "status": draw(st.sampled_from([None, "queued", "in_progress", "completed"])),
        "conclusion": draw(st.sampled_from([None, "success", "failure", "cancelled", "neutral", "skipped"])),
        "event": draw(st.sampled_from(["push", "schedule", "workflow_dispatch"])),
        "path": draw(st.sampled_from([WORKFLOW, WORKFLOW + "@main", WORKFLOW + "@refs/heads/main"])),
        "html_url": draw(st.text(max_size=20)),
    }


@SIDES
@given(data=st.data())
def test_any_mixture_of_mutations_refuses_and_any_without_passes(wanted: Wanted, data: st.DataObject) -> None:
    fields = data.draw(harmless())
    benign: list[tuple[Where, Any]] = [(("run", name), value) for name, value in fields.items()]
    benign.append((("made_by", "id"), fields["id"]))
    drawn = data.draw(st.lists(st.sampled_from(mutations(wanted)), max_size=4, unique_by=lambda change: change[0]))

    assert refused(wanted, [*benign, *drawn]) == bool(drawn)


@given(st.text(max_size=40))
def test_a_path_passes_only_as_the_workflow_s_own_or_with_a_ref_behind_it(rest: str) -> None:
    run = WorkflowRun.model_validate(run_fields(path=WORKFLOW + rest))

    if refusal_of_run(run, BASELINE) is None:
        name = rest.partition("/")[0]
        assert not rest or rest[0] == "@"
        assert not any(part.endswith((".yml", ".yaml")) for part in name.split("@"))


def accepted(number: int, minute: int, content: str = "a", digest: str | None = None) -> Accepted:
    return Accepted(
        Origin(
            kind="artifact",
            name=NAME,
            commit=TIP,
            distance=0,
            run=number,
            attempt=1,
            artifact=number,
            digest=digest or f"sha256:{number:064x}",
            created_at=f"2026-11-29T{minute // 60:02}:{minute % 60:02}:00Z",
        ),
        (content, "b"),
    )


found = st.lists(
    st.builds(accepted, st.integers(1, 30), st.integers(0, 600), st.sampled_from(["a", "a", "a", "z"])), max_size=30
)


@given(found, st.randoms(use_true_random=False))
def test_what_is_pooled_does_not_depend_on_the_order_it_was_found_in(each: list[Accepted], random: Any) -> None:
    shuffled = random.sample(each, len(each))

    assert pooled(shuffled, ("a", "b"), NOW, 90) == pooled(each, ("a", "b"), NOW, 90)


@given(found)
def test_everything_found_is_taken_or_listed_with_its_reason_and_later_results_push_none_out(
    each: list[Accepted],
) -> None:
    pool = pooled(each, ("a", "b"), NOW, 90)
    later = [accepted(100 + n, 601 + n) for n in range(12)]

    assert {*pool.taken, *(one for one, _ in pool.left)} == set(each)
    assert len(pool.taken) <= MOST
    assert pooled([*later, *each], ("a", "b"), NOW, 90).taken[: len(pool.taken)] == pool.taken
    assert pooled(each, ("a", "b"), NOW + timedelta(days=91), 90).taken == ()


shas = st.lists(st.sampled_from([f"{n:040x}" for n in range(12)]), max_size=12)


@given(shas, st.integers(0, 100))
def test_only_the_sought_commit_serves_without_equal_content_unless_the_policy_allows_more(
    ancestors: list[str], depth: int
) -> None:
    first, *rest = candidate_steps(TIP, HEAD, ancestors, depth)
    assert (first.commit, first.distance, first.same_content) == (TIP, 0, False)
    assert all(step.same_content for step in rest)
    assert len(rest) <= depth + 1

    first, *rest = baseline_steps(TIP, ancestors, depth)
    assert (first.commit, first.distance, first.same_content) == (TIP, 0, False)
    easier = [step for step in rest if not step.same_content]
    assert all(step.distance <= depth for step in easier)
    assert rest[len(rest) - len(easier) :] == easier
