"""What is said of a drop within noise, of a critical case, and of a comparison without power."""

import pytest

from evalgate.core.gate.rules.drops import over_limit, powerless
from evalgate.model.finding import Finding
from evalgate.model.report import Comparison
from evalgate.model.settings import Settings
from evalgate.model.verdict import Verdict
from tests.factories import decide_on, make_case, make_passes, only_group


def compared() -> Comparison:
    """A comparison that fell by 0.4 and could have seen 0.6, of 0.5 that it must."""
    now = [make_case(f"c/{i}", (5, 4, 4 + i % 2)) for i in range(6)]
    [found] = only_group(decide_on(now, now)).matchup.comparisons
    changes = {"drop": 0.4, "limit": 0.3, "detectable_drop": 0.6, "must_detect": 0.5, "p": 0.2}
    return found.model_copy(update={**changes, "outcome": "inconclusive", "runs_to_settle": 9})


def said(comparison: Comparison, policy: Settings) -> Finding:
    matchup = only_group(decide_on([make_case()], [make_case()], policy)).matchup
    [found] = over_limit("drop.mean", matchup, comparison, "skills")
    return found


def test_a_drop_within_noise_says_how_many_runs_would_settle_it() -> None:
    found = said(compared(), Settings(on_inconclusive="block"))
    assert found.verdict is Verdict.UNVERIFIED
    assert found.remedy == (
        "If the drop stays this large, about 9 runs a case on both sides would settle it; add runs with `--pool` and "
        "`--pool-baseline`."
    )
    assert found.message.endswith(", within noise")


def test_a_drop_that_only_its_family_excuses_says_so() -> None:
    told = ", within noise for one of 3 comparisons that share the chance of a false block"
    alone = compared().model_copy(update={"family": 3})
    for p, shared in ((0.05, True), (0.051, False), (None, False)):
        found = said(alone.model_copy(update={"p": p}), Settings(on_inconclusive="block"))
        assert found.message.endswith(told) is shared


def test_a_proven_drop_has_the_rule_s_own_remedy() -> None:
    found = said(compared().model_copy(update={"outcome": "fail"}), Settings())
    assert found.verdict is Verdict.FAIL
    assert "settle" not in found.remedy


@pytest.mark.parametrize(
    ("seen", "wanted", "without"),
    [
        (0.6, 0.5, True),
        (None, 0.5, True),
        (0.5, 0.5, False),
        (0.5 + 1e-12, 0.5, False),
        (0.4, 0.5, False),
        (None, None, False),
    ],
)
def test_a_comparison_is_powerless_that_cannot_see_what_it_must(
    seen: float | None, wanted: float | None, *, without: bool
) -> None:
    assert powerless(compared().model_copy(update={"detectable_drop": seen, "must_detect": wanted})) is without


def test_a_critical_case_that_fails_within_noise_asks_for_more_runs() -> None:
    now, then = [make_passes("a", "11110", critical=True)], [make_passes("a", "11111", critical=True)]
    [found] = [f for f in only_group(decide_on(now, then)).findings if f.id == "drop.case"]
    assert found.verdict is Verdict.UNVERIFIED
    assert found.remedy == "Rerun this case on both sides and pool the runs (`--pool`)."
    assert (
        found.brief
        == "critical case a always passed and now fails within noise (passed 5 of 5 runs before, 4 of 5 now)"
    )


def test_a_critical_case_that_fails_beyond_noise_has_the_rule_s_own_remedy() -> None:
    now, then = [make_passes("a", "00001", critical=True)], [make_passes("a", "11111", critical=True)]
    [found] = [f for f in only_group(decide_on(now, then)).findings if f.id == "drop.case"]
    assert found.verdict is Verdict.FAIL
    assert found.brief == "critical case a always passed and now fails (passed 5 of 5 runs before, 1 of 5 now)"
    assert "Rerun this case" not in found.remedy
