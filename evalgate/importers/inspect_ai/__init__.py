"""Logs of inspect (inspect_ai), `.eval` archives and `.json`: a sample is a case, an epoch a run.

Fields were read in inspect_ai 0.3.285 (`log/_log.py`, `scorer/_metric.py`, `log/_recorders/eval.py`) and seen in logs
since 2024. A log has no pass state and no threshold: which score passes is the policy's to say. Nor does its status
say much: a run of which every sample errored is called a success.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from evalgate.importers.inspect_ai.cases import Scale, cases_of, confusions, scale_of
from evalgate.importers.inspect_ai.facts import (
    VERSIONS,
    commit_of,
    disagreements,
    epochs_of,
    judge_of,
    model_of,
    planned_of,
    status_of,
)
from evalgate.importers.inspect_ai.log import Log, is_log, log_of
from evalgate.importers.inspect_ai.samples import Sample, UnreadableError, sample_of
from evalgate.importers.shape import at
from evalgate.importers.text import instant, one_line
from evalgate.model.content import Content
from evalgate.model.problem import Fault, ProblemsError
from evalgate.model.results import SCHEMA, Producer, Results, RunSettings, Source, Subject

NAME: Final = "inspect_ai"


def recognises(content: Content) -> bool:
    """Say whether the content has the shape of a log."""
    return is_log(content)


def read(content: Content, source: Source) -> Results:
    """Return the results of a log; completed runs that do not score the highest count as failed until a policy speaks.

    Raises ProblemsError for samples that nothing identifies or that would be merged, none at all, scores of which
    nothing says which decides, and totals that the samples contradict.
    """
    log = log_of(content, source.path)
    samples, faults = _samples(log)
    faults = [*_version(log.header), *faults]
    if not log.rows:
        hint = "Run it with --log-samples, or check its filter; a header alone proves nothing."
        faults.append(Fault("", "holds no samples.", hint))
    if not faults:
        faults = [*confusions(samples, [row.place for row in log.rows]), *disagreements(log.header, samples)]
    scale = scale_of(samples)
    if isinstance(scale, Fault):
        faults.append(scale)
    if faults or isinstance(scale, Fault):
        raise ProblemsError([fault.of(source.path) for fault in faults])
    return _results(log, samples, scale, source)


def task_of(results: Results) -> str | None:
    """Return the name of the task that a log's results are of, or None for other results."""
    task = (results.extra or {}).get("task") if results.producer.name == NAME else None
    return task if isinstance(task, str) else None


def _version(header: Mapping[str, Any]) -> list[Fault]:
    version = header.get("version")
    if version in VERSIONS and not isinstance(version, bool):
        return []
    known = " and ".join(map(str, VERSIONS))
    message = f"is {one_line(str(version))}, but this evalgate reads {known}."
    return [Fault("version", message, "Update evalgate, or write the log with an inspect that writes one of these.")]


def _samples(log: Log) -> tuple[list[Sample], list[Fault]]:
    scorer = at(log.header, "eval", "scorers")
    first = at(scorer[0], "name") if isinstance(scorer, list) and scorer else None
    samples, faults = [], []
    for row in log.rows:
        try:
            samples.append(sample_of(row.value, first if isinstance(first, str) else "score"))
        except UnreadableError as error:
            faults.append(Fault(row.place, str(error), "Give the log as inspect wrote it."))
    return samples, faults


def _results(log: Log, samples: Sequence[Sample], scale: Scale, source: Source) -> Results:
    header = log.header
    task, version = at(header, "eval", "task"), at(header, "eval", "packages", "inspect_ai")
    name = one_line(task if isinstance(task, str) else "task")
    cases = cases_of(samples, name, scale)
    return Results(
        schema=SCHEMA,
        group="default",
        suite="imported",
        commit=commit_of(header),
        inputs_digest=None,
        created_at=instant(str(at(header, "eval", "created"))),
        producer=Producer(
            name=NAME,
            version=one_line(version) if isinstance(version, str) else None,
            format=f"{log.form} v{header['version']}",
        ),
        subject=Subject(model=model_of(header)),
        judge=judge_of(header),
        settings=RunSettings(k=max(epochs_of(header), *(len(case.runs) for case in cases)), scale=scale.range),
        metrics=scale.metrics(),
        status=status_of(log),
        planned=planned_of(header, samples),
        source=source,
        case_ids="explicit",
        extra={"task": name, **_origin(header)},
        cases=cases,
    )


def _origin(header: Mapping[str, Any]) -> dict[str, Any]:
    """Return where a log comes from, as far as it says: its run, and its revision, which is mostly no whole commit."""
    found = {name: at(header, "eval", name) for name in ("run_id", "eval_id")}
    found["revision"] = at(header, "eval", "revision", "commit")
    told: dict[str, Any] = {name: one_line(value) for name, value in found.items() if isinstance(value, str)}
    dirty = at(header, "eval", "revision", "dirty")
    return told | ({"dirty": dirty} if isinstance(dirty, bool) else {})
