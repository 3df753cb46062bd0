"""The one way past a rule."""

from datetime import timedelta
from typing import Any

import pytest

from evalgate.core.gate.promotion import Decision
from evalgate.model.finding import Finding
from evalgate.model.settings import GroupSettings, Settings, Waiver
from evalgate.model.verdict import Verdict
from tests.factories import DIGEST, TODAY, decide_on, make_case, make_side, only_group

BEFORE = [make_case(f"case/{letter}", (5, 5, 4, 5, 5)) for letter in "abcdef"]
FALLEN = [make_case(f"case/{letter}", (4, 4, 4, 4, 4)) for letter in "abcdef"]


def waiver(**fields: Any) -> Waiver:
    standard = {
        "rule": "drop.mean",
        "group": "skills",
        "candidate": DIGEST,
        "reason": "accepted for the launch",
        "by": "octocat",
        "until": "2026-12-10",
    }
    return Waiver(**{**standard, **fields})


def decided(*waivers: Waiver, **fields: Any) -> Decision:
    return decide_on(FALLEN, BEFORE, waivers=waivers, **fields)


def dropped(decision: Decision) -> Finding:
    [finding] = [f for f in only_group(decision).findings if f.id == "drop.mean"]
    return finding


def test_a_waived_finding_stays_and_counts_as_a_warning() -> None:
    decision = decided(waiver())
    assert decision.verdict is Verdict.WARN
    finding = dropped(decision)
    assert (finding.verdict, finding.severity) == (Verdict.FAIL, "advisory")
    assert finding.waived is not None
    assert (finding.waived.by, finding.waived.reason, finding.waived.until) == (
        "octocat",
        "accepted for the launch",
        "2026-12-10",
    )


def test_a_waiver_excuses_its_own_rule_only() -> None:
    lower = [make_case(f"case/{letter}", (3, 3, 3, 3, 3)) for letter in "abcdef"]
    decision = decide_on(lower, BEFORE, waivers=(waiver(),))
    assert decision.verdict is Verdict.FAIL
    assert dropped(decision).waived is not None


@pytest.mark.parametrize(
    "fields",
    [
        {"candidate": "sha256:" + "b" * 64},
        {"up_to": 0.5},
        {"case": "case/a"},
        {"rule": "bar.mean"},
    ],
)
def test_a_waiver_for_something_else_excuses_nothing_and_is_called_unused(fields: Any) -> None:
    decision = decided(waiver(**fields))
    assert decision.verdict is Verdict.FAIL
    assert [f.id for f in decision.findings] == ["waiver.unused"]


def test_a_drop_at_the_waiver_s_limit_is_covered() -> None:
    assert decided(waiver(up_to=0.8)).verdict is Verdict.WARN


def test_up_to_covers_no_finding_without_a_drop() -> None:
    weak = [make_case(f"case/{letter}", (3, 3, 3, 3, 3)) for letter in "abcdef"]
    decision = decide_on(weak, weak, waivers=(waiver(rule="bar.mean", up_to=5.0),))
    assert [f.id for f in decision.findings] == ["waiver.unused"]


def test_a_waiver_for_one_case_covers_that_case() -> None:
    one = [make_case("case/a", (3, 3, 3, 3, 3)), *BEFORE[1:]]
    covering = waiver(rule="bar.case-mean", case="case/a")
    found = only_group(decide_on(one, one, waivers=(covering,))).findings
    assert [f.waived is not None for f in found if f.id == "bar.case-mean"] == [True]


@pytest.mark.parametrize(
    ("days", "verdict"), [(-1, Verdict.FAIL), (0, Verdict.WARN), (30, Verdict.WARN), (31, Verdict.FAIL)]
)
def test_a_waiver_holds_through_its_last_day_and_at_most_30_days(days: int, verdict: Verdict) -> None:
    assert decided(waiver(until=(TODAY + timedelta(days=days)).isoformat())).verdict is verdict


def test_content_of_unknown_digest_cannot_be_waived() -> None:
    unknown = {"skills": make_side(FALLEN, inputs_digest=None)}
    assert decide_on(unknown, BEFORE, waivers=(waiver(),)).verdict is Verdict.FAIL


def test_a_day_that_does_not_exist_is_said() -> None:
    [finding] = decided(waiver(until="2026-02-31")).findings
    assert finding.id == "waiver.unknown"
    assert finding.message == "the waiver of drop.mean for skills ends on 2026-02-31, which is no day"


def test_a_group_that_does_not_exist_is_said_and_one_that_is_elsewhere_in_the_policy_is_not() -> None:
    assert [f.id for f in decided(waiver(group="nowhere")).findings] == ["waiver.unknown"]
    policy = Settings(groups=(GroupSettings(name="skills"), GroupSettings(name="brief", prefixes=("brief/",))))
    assert decide_on(FALLEN, BEFORE, policy, waivers=(waiver(group="brief"),)).findings == ()


def test_what_holds_needs_no_waiver() -> None:
    decision = decide_on(BEFORE, BEFORE, waivers=(waiver(),))
    assert [f.id for f in decision.findings] == ["waiver.unused"]
    assert decision.verdict is Verdict.WARN


def test_a_warning_uses_no_waiver_up() -> None:
    advisory = Settings(groups=(GroupSettings(name="skills", pass_k="advisory"),))
    weak = [make_case(f"case/{letter}", (3, 5, 5, 5, 5)) for letter in "abcdef"]
    decision = decide_on(weak, weak, advisory, waivers=(waiver(rule="bar.pass-k"),))
    assert [f.id for f in decision.findings] == ["waiver.unused"]
