"""A self-test, laid out for the screen."""

from collections.abc import Iterator

from evalgate.model.self_test import PlantedGate, SelfTest, Trial
from evalgate.render.blocks import Block, Headline, Notice, Section, Table

HAD_TO = {"worse": "must be blocked", "unchanged": "must pass"}


def self_test_screen(report: SelfTest) -> tuple[Block, ...]:
    """Lay a self-test out: the answer, then under each policy what was planted and what the gate said."""
    return tuple(_blocks(report))


def _blocks(report: SelfTest) -> Iterator[Block]:
    yield Headline(report.verdict, report.headline)
    for trial in report.trials:
        yield Section(_title(trial), (_table(trial), *_wrong(trial)))


def _title(trial: Trial) -> str:
    return f"Under {trial.policy.path or 'the built-in defaults'}: {trial.about}"


def _table(trial: Trial) -> Table:
    worse, unchanged = ({group.name: group for group in gate.groups} for gate in trial.gates)
    rows = tuple(
        (name, group.policy, group.verdict.value, group.text, unchanged[name].verdict.value)
        for name, group in worse.items()
    )
    return Table(("group", "policy", "worse", "which the gate", "unchanged"), rows, frozenset())


def _wrong(trial: Trial) -> Iterator[Block]:
    yield from (Notice(_told(gate)) for gate in trial.gates if not gate.well)


def _told(gate: PlantedGate) -> str:
    return f"{gate.planted}, {HAD_TO[gate.planted]}, and the gate said: {gate.headline}"
