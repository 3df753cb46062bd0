"""Whether whole runs differ from one another: a shock to a run hits all its cases at once, and no case shows it.

Two-way analysis of variance without replication: F = cases × variance of the run means / residual mean square, with
runs - 1 and (cases - 1)(runs - 1) degrees of freedom. Fisher, Statistical Methods for Research Workers (1925).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from evalgate.core.stats.pairs import mean, squares


@dataclass(frozen=True, slots=True)
class RunEffect:
    """F of the difference between whole runs, and how often equal runs differ as much."""

    f: float
    p: float
    cases: int
    runs: int


def run_effect(table: Sequence[Sequence[float]]) -> RunEffect | None:
    """Test the columns of `table`, a row a case and a column a run; None for a single row or column, or no residue."""
    cases, runs = len(table), min(map(len, table), default=0)
    if cases < 2 or runs < 2:
        return None
    between = cases * squares([mean(column) for column in zip(*table, strict=True)])
    residue = math.fsum(map(squares, table)) - between
    freedom = (cases - 1) * (runs - 1)
    if residue <= 1e-12 * max(between, math.fsum(x * x for row in table for x in row)):
        return None
    from scipy.special import fdtrc  # 0.1 s, and only this needs it

    f = between / (runs - 1) / (residue / freedom)
    return RunEffect(f, float(fdtrc(runs - 1, freedom, f)), cases, runs)
