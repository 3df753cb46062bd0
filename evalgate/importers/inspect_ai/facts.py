"""What the header of a log says: who was evaluated and judged, of which commit, and how much was planned."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from evalgate.importers.inspect_ai.log import Log
from evalgate.importers.inspect_ai.samples import GRADER, Sample
from evalgate.importers.inspect_ai.scores import Flaw
from evalgate.importers.shape import at, whole_number
from evalgate.importers.text import digest, one_line
from evalgate.model.problem import Fault
from evalgate.model.results import Judge, Planned, Status

VERSIONS: Final = (1, 2)
STATUS: Final[Mapping[str, Status]] = {"success": "complete", "cancelled": "cancelled"}
"""What a log's status comes to; error, started and whatever is new are partial."""

GRADED: Final = ("model_graded_qa", "model_graded_fact")
"""inspect's scorers that ask a model: the one they are told, the grader's role, else the model under test."""

_WHOLE_COMMIT = re.compile(r"[0-9a-f]{40}")


def status_of(log: Log) -> Status:
    """Return whether a log holds a whole run; one with samples that were declared invalid does not."""
    if not log.finished or log.header.get("invalidated") is True or log.header.get("error") is not None:
        return "cancelled" if log.header.get("status") == "cancelled" else "partial"
    return STATUS.get(str(log.header.get("status")), "partial")


def commit_of(header: Mapping[str, Any]) -> str | None:
    """Return the commit a run is of, where the log names all of it and nothing was changed."""
    revision = at(header, "eval", "revision")
    commit = at(revision, "commit")
    whole = isinstance(commit, str) and _WHOLE_COMMIT.fullmatch(commit)
    return commit if whole and at(revision, "dirty") is False else None


def judge_of(header: Mapping[str, Any]) -> Judge | None:
    """Return the model that scored, where the log tells; its prompts are in the digest of the rubric."""
    graders = _graders(header)
    role = at(header, "eval", "model_roles", GRADER)
    names = [at(each, "model") for each in (role if isinstance(role, list) else [role])]
    for options in graders:
        told = at(options, "model")
        names += told if isinstance(told, list) else [told]
    known = sorted({one_line(name) for name in names if isinstance(name, str) and name})
    if not known and graders:
        known = [model_of(header)]
    if not known:
        return None
    return Judge(
        model=one_line(", ".join(known)),
        family=one_line(", ".join(sorted({name.split("/")[0] for name in known}))),
        rubric_digest=digest(_plain(graders)) if graders else None,
        settings_digest=digest(_plain(role)) if role is not None else None,
    )


def _graders(header: Mapping[str, Any]) -> list[Any]:
    """Return the options of the scorers that ask a model; before 2025 only the results named the scorers."""
    scorers, scores = at(header, "eval", "scorers"), at(header, "results", "scores")
    if isinstance(scorers, list):
        return [at(each, "options") for each in scorers if _name(at(each, "name")) in GRADED]
    return [
        at(each, "params")
        for each in (scores if isinstance(scores, list) else [])
        if _name(at(each, "scorer")) in GRADED
    ]


def _name(value: Any) -> str:
    """Return a scorer's name without the package it is from."""
    return value.rpartition("/")[2] if isinstance(value, str) else ""


def model_of(header: Mapping[str, Any]) -> str:
    """Return the model under test."""
    model = at(header, "eval", "model")
    return one_line(model if isinstance(model, str) else "unknown")


def planned_of(header: Mapping[str, Any], samples: Sequence[Sample]) -> Planned:
    """Return how much was to be run: the samples that were chosen, each as often as there are epochs.

    The run's own total counts where it is larger. Where the log tells nothing, what is there was planned.
    """
    epochs = epochs_of(header)
    chosen = _chosen(header)
    total = whole_number(at(header, "results", "total_samples"))
    cases = chosen if chosen is not None else -(-total // epochs) if total else len({s.id for s in samples})
    return Planned(cases=cases, runs=max(cases * epochs, total or 0))


def epochs_of(header: Mapping[str, Any]) -> int:
    """Return how often each sample was to be run."""
    return whole_number(at(header, "eval", "config", "epochs")) or 1


def disagreements(header: Mapping[str, Any], samples: Sequence[Sample]) -> Iterator[Fault]:
    """Yield every total of inspect's own that the samples contradict.

    `completed_samples` counts runs without an error, in older releases those with scores. It may be lower than what is
    there, since runs that were taken over from an earlier log are not counted. `scored_samples` counts samples after
    their epochs were reduced to one.
    """
    results = at(header, "results")
    whole = [sample for sample in samples if sample.error is None or sample.limit or sample.parts]
    for name, held in (("total_samples", len(samples)), ("completed_samples", len(whole))):
        told = whole_number(at(results, name))
        wrong = told is not None and (told < held if name == "total_samples" else told > held)
        if told is not None and wrong:
            yield Fault(f"results.{name}", f"counts {told:,}, but the log holds {held:,}.", _LOST)
    scores = at(results, "scores")
    for index, score in enumerate(scores if isinstance(scores, list) else []):
        name, told = one_line(str(at(score, "name"))), whole_number(at(score, "scored_samples"))
        held = len({s.id for s in samples if _is_scored(s, name)})
        if told is not None and told > held:
            place = f"results.scores[{index}].scored_samples"
            yield Fault(place, f"counts {told:,} samples that {name} scored, but the log holds {held:,}.", _LOST)


_LOST = "Rows were lost or added after inspect counted; run the evaluation again."


def _is_scored(sample: Sample, name: str) -> bool:
    """Say whether a scorer, or a scorer's key that inspect counts under its own name, gave a number."""
    return any(
        not isinstance(part, Flaw)
        and (key == name or key.startswith((f"{name}/", f"{name}[")) or key.endswith(f"/{name}"))
        for key, part in sample.parts.items()
    )


def _chosen(header: Mapping[str, Any]) -> int | None:
    """Return how many samples were chosen to be run: those listed, else the dataset's up to the limit."""
    dataset = at(header, "eval", "dataset")
    ids = at(dataset, "sample_ids")
    if isinstance(ids, list) and ids:
        return len(ids)
    limit, there = at(header, "eval", "config", "limit"), whole_number(at(dataset, "samples"))
    if there is None or at(header, "eval", "config", "sample_id") is not None:
        return None
    if isinstance(limit, list):
        first, last = (whole_number(limit[0]), whole_number(limit[1])) if len(limit) == 2 else (None, None)
        return None if first is None or last is None else max(0, min(there, last) - first)
    return min(there, whole_number(limit) or there)


def _plain(value: Any) -> Any:
    """Return a value of which only what JSON knows is left, for a digest."""
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value if value is None or isinstance(value, (str, int, float)) else repr(value)
