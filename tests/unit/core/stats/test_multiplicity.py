"""Holm's correction for a family of which some members gave no p."""

from evalgate.core.stats.multiplicity import holm


def test_the_smallest_counts_for_the_whole_family_and_the_next_for_the_rest() -> None:
    assert holm([0.01, 0.04, 0.03], 3) == [0.03, 0.06, 0.06]


def test_one_comparison_alone_stays_as_it_is() -> None:
    assert holm([0.04], 1) == [0.04]


def test_members_without_a_p_count_as_the_largest() -> None:
    assert holm([0.01], 4) == [0.04]
    assert holm([0.01, 0.02], 4) == holm([0.01, 0.02, 1.0, 1.0], 4)[:2]


def test_no_member_gets_a_smaller_p_than_one_before_it() -> None:
    assert holm([0.02, 0.021], 2) == [0.04, 0.04]


def test_it_ends_at_one() -> None:
    assert holm([0.9, 0.4], 10) == [1.0, 1.0]


def test_nothing_compared_is_nothing_corrected() -> None:
    assert holm([], 3) == []
