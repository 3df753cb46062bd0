"""The algebra of verdicts, checked exhaustively."""

from itertools import product

import pytest

from evalgate.model.verdict import Verdict, at_most, combine

ORDER = [Verdict.NOT_APPLICABLE, Verdict.PASS, Verdict.WARN, Verdict.UNVERIFIED, Verdict.FAIL]


def test_combining_nothing_is_unverified() -> None:
    assert combine([]) is Verdict.UNVERIFIED


@pytest.mark.parametrize("verdict", ORDER)
def test_combining_one_changes_nothing(verdict: Verdict) -> None:
    assert combine([verdict]) is verdict


@pytest.mark.parametrize(("one", "other"), [*product(ORDER, ORDER)])
def test_combining_takes_the_worst_in_any_order(one: Verdict, other: Verdict) -> None:
    worst = max(one, other, key=ORDER.index)
    assert combine([one, other]) is worst
    assert combine([other, one]) is worst


@pytest.mark.parametrize(("a", "b", "c"), [*product(ORDER, ORDER, ORDER)])
def test_combining_is_associative(a: Verdict, b: Verdict, c: Verdict) -> None:
    assert combine([combine([a, b]), c]) is combine([a, combine([b, c])]) is combine([a, b, c])


@pytest.mark.parametrize(("verdict", "ceiling"), [*product(ORDER, ORDER)])
def test_a_ceiling_never_makes_a_verdict_worse(verdict: Verdict, ceiling: Verdict) -> None:
    assert at_most(verdict, ceiling) is min(verdict, ceiling, key=ORDER.index)


def test_unverified_and_fail_block_and_nothing_else_does() -> None:
    assert [verdict for verdict in ORDER if verdict.blocks] == [Verdict.UNVERIFIED, Verdict.FAIL]
