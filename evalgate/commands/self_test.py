"""`gate --self-test`: planted candidates through the installed gate, exactly as real ones go."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from platform import python_version

import evalgate
from evalgate.commands.converting import text_of
from evalgate.commands.deciding import Request, report_for
from evalgate.commands.measuring import publish
from evalgate.commands.ports import Ports
from evalgate.commands.publishing import Outlets
from evalgate.core.calibration.planted import USUAL, Kinds, pairs_for, usual_pair
from evalgate.core.calibration.self_test_report import judged, self_test_report, trial
from evalgate.model.report import PolicySource, Versions
from evalgate.model.self_test import Planted, PlantedGate, Trial
from evalgate.model.settings import Settings
from evalgate.render.self_test import self_test_screen

KINDS: tuple[Planted, ...] = ("worse", "unchanged")
DEFAULTS = "a pass rate of 95 % that falls to a half, and the same rate again"
COLLAPSE = "in every group a candidate than which nothing is worse, and the baseline again"


def run(config: Path | None, outlets: Outlets, ports: Ports) -> int:
    """Plant, decide, publish; the exit code is 0 where the gate did all that it had to, else 1."""
    policy = ports.read_policy(ports.root, config)
    source = PolicySource(path=policy.path, sha256=policy.sha256)
    with ports.folder() as folder:
        trials = list(_trials(policy.settings, source, config, folder, ports))
    report = self_test_report(trials, Versions(evalgate=evalgate.__version__, python=python_version()))
    return publish(report, report.verdict, self_test_screen(report), outlets, ports)


def _trials(
    settings: Settings, source: PolicySource, config: Path | None, folder: Path, ports: Ports
) -> Iterator[Trial]:
    """Yield the trial of the built-in defaults, and where there is a policy that of its own bars."""
    bare, own = folder / "defaults", folder / "policy"
    gates = _gates({USUAL: usual_pair()}, Settings(), None, bare, replace(ports, root=bare))
    yield trial(PolicySource(path=None, sha256=None), DEFAULTS, list(gates))
    if source.path is not None:
        names = [group.name for group in settings.groups] or [USUAL]
        planted = {name: pairs for name in names if (pairs := pairs_for(settings, name))}
        yield trial(source, COLLAPSE, list(_gates(planted, settings, config, own, ports)))


def _gates(
    planted: dict[str, Kinds], settings: Settings, config: Path | None, folder: Path, ports: Ports
) -> Iterator[PlantedGate]:
    """Write the planted results as files and decide on them."""
    for name, kinds in planted.items():
        for kind, results in kinds.items():
            ports.write_text(folder / kind / f"{name}.json", text_of(results))
    baseline = folder / "baseline"
    for kind in KINDS:
        request = Request(
            candidate=folder / kind,
            baseline=baseline,
            reference=baseline if settings.reference else None,
            config=config,
            whole=True,
        )
        yield judged(kind, report_for(request, ports))
