"""Which group a case belongs to."""

import pytest

from evalgate.core.gate.groups import Groups
from evalgate.model.results import Declared, Planned, Results
from evalgate.model.settings import GroupSettings, Settings
from tests.factories import make_header, make_passes

POLICY = Settings(
    groups=(
        GroupSettings(name="skills"),
        GroupSettings(name="brief-plain", prefixes=("brief/eli5-", "brief/ste-")),
        GroupSettings(name="brief", prefixes=("brief/",)),
    )
)
NO_REST = Settings(groups=(GroupSettings(name="brief", prefixes=("brief/",)),))


def results(*ids: str) -> Results:
    cases = tuple(make_passes(name) for name in ids)
    header = make_header(cases, declared=Declared(passed=5 * len(cases), failed=0, errored=0))
    fields = {name: getattr(header, name) for name in type(header).model_fields if name != "schema_"}
    return Results(schema=header.schema_, **fields, cases=cases)


@pytest.mark.parametrize(
    ("case", "group"),
    [
        ("brief/eli5-outage", "brief-plain"),
        ("brief/engineer", "brief"),
        ("brief", "skills"),
        ("stub/csv", "skills"),
        ("BRIEF/x", "skills"),
    ],
)
def test_the_first_group_with_a_prefix_takes_a_case_and_the_one_without_takes_the_rest(case: str, group: str) -> None:
    assert Groups(POLICY).of(case) == group


def test_without_a_group_for_the_rest_a_case_may_have_no_place() -> None:
    assert Groups(NO_REST).of("stub/csv") is None


def test_a_results_file_may_only_hold_cases_of_its_group() -> None:
    groups = Groups(POLICY)
    assert groups.misplaced("brief", "brief/engineer") is None
    fault = groups.misplaced("brief-plain", "brief/engineer")
    assert fault is not None
    assert fault.message == "case 'brief/engineer' belongs to group brief, but the file is for group brief-plain."
    homeless = Groups(NO_REST).misplaced("brief", "stub/csv")
    assert homeless is not None
    assert "belongs to no group of the policy" in homeless.message


def test_a_group_the_policy_does_not_know_takes_any_case_since_it_gates() -> None:
    assert Groups(POLICY).misplaced("fresh", "brief/engineer") is None


def test_imported_cases_are_dealt_out_and_their_plan_with_them() -> None:
    dealt = Groups(POLICY).split(results("brief/eli5-a", "brief/b", "brief/c", "stub/d"), "default")
    assert isinstance(dealt, dict)
    assert {name: [case.id for case in part.cases] for name, part in dealt.items()} == {
        "brief-plain": ["brief/eli5-a"],
        "brief": ["brief/b", "brief/c"],
        "skills": ["stub/d"],
    }
    assert dealt["brief"].group == "brief"
    assert dealt["brief"].planned == Planned(cases=2, runs=10)
    assert dealt["brief"].declared is None


def test_results_that_stay_whole_keep_their_totals() -> None:
    [(name, part)] = dict(Groups(Settings()).split(results("a", "b"), "default")).items()  # type: ignore[arg-type]
    assert name == "default"
    assert part.declared == Declared(passed=10, failed=0, errored=0)


def test_every_case_without_a_place_is_a_problem() -> None:
    faults = Groups(NO_REST).split(results("brief/a", "x", "y"), "default")
    assert isinstance(faults, list)
    assert [f.message for f in faults] == ["no group takes 2 of 3 cases: 'x', 'y'."]
    assert all("prefix" in fault.hint for fault in faults)
