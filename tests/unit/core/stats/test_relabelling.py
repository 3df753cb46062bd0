"""Stored runs dealt to two sides: every way where they are few, random ones else."""

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest

from evalgate.core.stats.relabelling import drawn_hands, draws_for, drops, every_hand, ways


def test_ways_are_counted_and_very_many_are_not() -> None:
    assert ways([(3, 4)]) == 6**3
    assert ways([(2, 5), (1, 2)]) == 10**2 * 2
    assert ways([(5, 4)]) == 7776
    assert ways([(6, 4)]) is None
    assert ways([(10_000, 10)]) is None


def test_every_way_comes_once() -> None:
    [hands] = every_hand([(2, 4), (1, 3)], 6 * 6 * 3)
    seen = Counter(
        (*(tuple(hand) for hand in four), tuple(three[0]))
        for four, three in zip(hands[0].tolist(), hands[1].tolist(), strict=True)
    )
    fours, threes = list(combinations(range(4), 2)), list(combinations(range(3), 1))
    assert seen == Counter(product(fours, fours, threes))


def test_random_hands_are_dealt_evenly_and_the_same_each_time() -> None:
    first, again = (np.concatenate([block[0] for block in drawn_hands([(1, 4)], 6_000)]) for _ in range(2))
    assert (first == again).all()
    counts = Counter(tuple(sorted(hand)) for [hand] in first.tolist())
    assert set(counts) == set(combinations(range(4), 2))
    assert all(count == pytest.approx(1_000, abs=120) for count in counts.values())


def test_drops_are_baseline_minus_candidate_summed_over_cases() -> None:
    values = np.array([[1.0, 2.0, 3.0], [5.0, 5.0, 2.0]])
    hands = np.array([[[2], [0]], [[0], [2]]])
    assert drops(values, hands).tolist() == [1.5 - 3 + 3.5 - 5, 2.5 - 1 + 5 - 2]


@pytest.mark.parametrize(("shapes", "draws"), [([(10, 2)], 10_000), ([(100, 10)], 2_000), ([(5_000, 5)], 1_000)])
def test_draws_depend_on_the_shapes_alone(shapes: list[tuple[int, int]], draws: int) -> None:
    assert draws_for(shapes) == draws


def test_large_groups_are_dealt_in_blocks() -> None:
    blocks = [block[0] for block in drawn_hands([(5_000, 5)], 45)]
    assert [len(block) for block in blocks] == [20, 20, 5]
