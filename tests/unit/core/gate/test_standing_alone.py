"""Groups that stand without a comparison, and what gathering their results noticed."""

import pytest

from evalgate.core.catalogue import finding
from evalgate.core.gate.circumstances import Circumstances, Lacking
from evalgate.core.gate.promotion import Decision, decide
from evalgate.model.report import Alone
from evalgate.model.results import Case
from evalgate.model.settings import GroupSettings, Settings
from evalgate.model.verdict import Verdict
from tests.factories import make_case, make_passes, make_question, make_side

GOOD = [make_case(f"case/{i}", (5, 5, 4, 5, 5)) for i in range(6)]
PASSES = [make_passes(f"case/{i}", "11111") for i in range(6)]


def alone(known: Circumstances, cases: list[Case] | None = None, policy: Settings | None = None) -> Decision:
    """Decide on one group of the candidate's alone, in these circumstances."""
    settings = policy or Settings()
    sides = {"skills": make_side(GOOD if cases is None else cases, settings)}
    return decide(make_question(sides, {}, settings, circumstances={"skills": known}))


@pytest.mark.parametrize("why", ["unchanged", "recorded"])
def test_content_that_is_the_baseline_s_needs_neither_bar_nor_comparison(why: Alone) -> None:
    decision = alone(Circumstances(alone=why), PASSES)
    assert decision.verdict is Verdict.PASS
    assert decision.groups[0].findings == ()


@pytest.mark.parametrize("why", ["evaluation", "adoption"])
def test_where_the_bar_alone_decides_there_must_be_one(why: Alone) -> None:
    assert alone(Circumstances(alone=why)).verdict is Verdict.PASS
    assert {f.id for f in alone(Circumstances(alone=why), PASSES).groups[0].findings} == {"evidence.nothing-decides"}


def test_a_group_that_stands_alone_is_held_to_its_bar() -> None:
    low = [make_case(f"case/{i}", (3, 3, 3, 3, 3)) for i in range(6)]
    assert alone(Circumstances(alone="unchanged"), low).verdict is Verdict.FAIL


def test_why_there_is_no_baseline_is_said_with_what_to_do() -> None:
    known = Circumstances(baseline=Lacking("it expired on 2026-11-01 (expired)", "Dispatch it."))
    [found] = [f for f in alone(known).groups[0].findings if f.id == "evidence.baseline"]
    assert found.message == "has no baseline to compare with: it expired on 2026-11-01 (expired)"
    assert found.remedy == "Dispatch it."


def test_why_there_are_no_results_is_said_with_what_to_do() -> None:
    known = Circumstances(candidate=Lacking("the run is of a fork (other-repository)", "Push it to evalgate/pr-7."))
    question = make_question({}, {}, Settings(), required=("skills",), circumstances={"skills": known})
    [missing, *_] = [f for f in decide(question).findings if f.id == "evidence.missing"]
    assert missing.message == "has no results of the candidate: the run is of a fork (other-repository)"
    assert missing.remedy == "Push it to evalgate/pr-7."


@pytest.mark.parametrize("with_results", [True, False])
def test_what_was_noticed_of_a_group_counts_with_its_rules(*, with_results: bool) -> None:
    noticed = finding("evidence.inputs-empty", "skills", "`inputs` matches no file")
    known = {"skills": Circumstances(alone="unchanged", findings=(noticed,))}
    sides = {"skills": make_side(GOOD)} if with_results else {}
    decision = decide(make_question(sides, {}, Settings(), required=("skills",), circumstances=known))
    assert decision.verdict is Verdict.UNVERIFIED
    of_group = decision.groups[0].findings if with_results else decision.findings
    assert noticed.id in {f.id for f in of_group}


def test_what_was_noticed_of_no_group_counts_for_the_promotion() -> None:
    noticed = finding("evidence.results-changed", "", "evals/results/x.json is deleted")
    question = make_question({"skills": make_side(GOOD)}, {"skills": make_side(GOOD)}, Settings())
    assert decide(question).verdict is Verdict.PASS
    assert decide(question, [noticed]).verdict is Verdict.UNVERIFIED


def test_what_was_noticed_of_an_advisory_group_without_results_warns_at_most() -> None:
    policy = Settings(
        groups=(GroupSettings(name="skills"), GroupSettings(name="extra", prefixes=("x/",), gate="advisory"))
    )
    noticed = finding("evidence.inputs-empty", "extra", "`inputs` matches no file")
    sides = [{"skills": make_side(GOOD, policy)} for _ in range(2)]
    known = {"extra": Circumstances(findings=(noticed,))}
    decision = decide(make_question(sides[0], sides[1], policy, required=("skills",), circumstances=known))
    assert decision.verdict is Verdict.WARN
    assert [(f.id, f.severity) for f in decision.findings if f.group == "extra"] == [(noticed.id, "advisory")]
