"""Logs of inspect: what becomes a case, what a run, and what is refused.

The shapes are those of inspect_ai 0.3.285 (`log/_log.py`) and of the files in tests/data/inspect, whose counts the
first test holds. `import`'s own part, the policy's threshold, is in tests/commands/test_inspect.py.
"""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from evalgate import importers
from evalgate.edges.files.contents import stamp
from evalgate.edges.files.results import checked, load
from evalgate.importers.thresholds import with_threshold
from evalgate.model.content import NOT_A_NUMBER, Content, Members
from evalgate.model.results import Results, Run, Source
from tests.archives import HEADER, START, SUMMARIES
from tests.reading import DATA, problems

SOURCE = Source(path="log.eval", sha256="0" * 64, bytes=1)
LOST = "Rows were lost or added after inspect counted; run the evaluation again."
NAN = NOT_A_NUMBER


def score(value: Any, **fields: Any) -> dict[str, Any]:
    return {"value": value, **fields}


def sample(name: Any = 1, epoch: Any = 1, value: Any = "C", **changes: Any) -> dict[str, Any]:
    """A summary as 0.3.285 writes it, scored by one scorer; `...` takes a key out."""
    standard = {
        "id": name,
        "epoch": epoch,
        "input": f"question {name}",
        "target": "yes",
        "metadata": {},
        "scores": {"match": score(value)},
        "model_usage": {"m": {"total_tokens": 15, "total_cost": 0.25}},
        "role_usage": {},
        "total_time": 1.5,
        "retries": 0,
        "completed": True,
    }
    return {key: held for key, held in {**standard, **changes}.items() if held is not ...}


def head(*samples: dict[str, Any], epochs: int = 1, eval: Any = None, **changes: Any) -> dict[str, Any]:
    """A header whose totals agree with the samples."""
    ids = list(dict.fromkeys(each.get("id") for each in samples))
    standard = {
        "version": 2,
        "status": "success",
        "eval": {
            "task": "quiz",
            "created": "2026-11-30T17:26:34+00:00",
            "model": "openai/gpt-x",
            "dataset": {"samples": len(ids), "sample_ids": ids},
            "config": {"epochs": epochs},
            "packages": {"inspect_ai": "0.3.285"},
            "scorers": [{"name": "match", "options": {}}],
            **(eval or {}),
        },
        "results": {
            "total_samples": len(samples),
            "completed_samples": sum(each.get("error") is None for each in samples),
            "scores": [],
        },
    }
    return {key: held for key, held in {**standard, **changes}.items() if held is not ...}


def archived(files: dict[str, Any]) -> Content:
    return Content("zip", Members(frozenset(files), files.__getitem__))


def log(*samples: dict[str, Any], **changes: Any) -> Content:
    return archived({HEADER: head(*samples, **changes), SUMMARIES: list(samples)})


def imported(content: Content) -> Results:
    results = importers.read(content, SOURCE)
    again = checked(results, "log.eval")
    assert tuple(again.cases) == results.cases
    assert Results.model_validate_json(results.model_dump_json(by_alias=True)) == results
    return results


def read(*samples: dict[str, Any], **changes: Any) -> Results:
    return imported(log(*samples, **changes))


def only(*samples: dict[str, Any], **changes: Any) -> Run:
    """The one run of the one case."""
    [case] = read(*samples, **changes).cases
    [run] = case.runs
    return run


def refused(*samples: dict[str, Any], **changes: Any) -> list[str]:
    return problems(lambda: importers.read(log(*samples, **changes), SOURCE))


def refusal(content: Content, format: str = "auto") -> str:
    """The first line with which content is refused."""
    return problems(lambda: importers.read(content, SOURCE, format))[0]


def opened(path: Path) -> Content:
    content = load(path)
    assert isinstance(content, Content)
    return content


def states(results: Results) -> dict[str, int]:
    return dict(Counter(run.state for case in results.cases for run in case.runs))


REAL: dict[str, tuple[dict[str, int], int, str]] = {
    "2024-11-05T13-32-37-05-00_input-task_hxs4q9azL3ySGkjJirypKZ.eval": ({"passed": 1}, 1, "complete"),
    "2025-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr.eval": ({"unscored": 10}, 10, "complete"),
    "2025-05-12T20-27-36-04-00_browser.json": ({"passed": 1}, 1, "complete"),
    "2025-05-12T20-28-13-04-00_popularity.json": ({"passed": 2, "failed": 1}, 3, "cancelled"),
    "GENERATED-0.3.285-all-errored-status-success-zstd.eval": ({"errored": 12}, 4, "complete"),
    "GENERATED-0.3.285-epochs3-one-error-zstd.eval": ({"failed": 10, "errored": 2}, 4, "complete"),
    "GENERATED-0.3.285-epochs3-one-error.json": ({"failed": 10, "errored": 2}, 4, "complete"),
    "log_formats.eval": ({"failed": 1}, 1, "complete"),
    "log_formats.json": ({"failed": 1}, 1, "complete"),
    "log_read_sample.eval": ({"passed": 1}, 1, "complete"),
}
REFUSED = {
    "2025-05-12T20-28-13-04-00_no-samples.json": "holds no samples. Run it with --log-samples, or check its filter; "
    "a header alone proves nothing.",
    "log_tool_call_error.json": f"results.completed_samples: counts 4, but the log holds 1. {LOST}",
}


def real(name: str) -> Results:
    path = DATA / "inspect" / name
    results = importers.read(opened(path), stamp(path, path.parent))
    assert tuple(checked(results, name).cases) == results.cases
    return results


@pytest.mark.parametrize("name", REAL)
def test_real_logs_have_these_counts(name: str) -> None:
    results = real(name)
    counts, cases, status = REAL[name]

    assert (states(results), len(results.cases), results.status) == (counts, cases, status)
    assert results.planned.runs == sum(counts.values())
    assert all(case.digest for case in results.cases)


@pytest.mark.parametrize("name", REFUSED)
def test_real_logs_that_prove_nothing_are_refused(name: str) -> None:
    path = DATA / "inspect" / name
    assert problems(lambda: importers.read(opened(path), stamp(path, path.parent))) == [f"{name}: {REFUSED[name]}"]


def test_every_real_log_is_looked_at() -> None:
    assert {path.name for path in (DATA / "inspect").iterdir()} == REAL.keys() | REFUSED.keys()


def test_an_archive_and_its_json_say_the_same() -> None:
    archive, text = (real(f"GENERATED-0.3.285-epochs3-one-error{end}") for end in ("-zstd.eval", ".json"))
    assert [(c.id, c.digest, [r.state for r in c.runs]) for c in archive.cases] == [
        (c.id, c.digest, [r.state for r in c.runs]) for c in text.cases
    ]
    assert (archive.metrics, archive.settings, archive.subject) == (text.metrics, text.settings, text.subject)


def test_a_whole_log_is_described() -> None:
    results = read(sample(1), sample(2, value="I"))
    assert (results.producer.name, results.producer.version, results.producer.format) == (
        "inspect_ai", "0.3.285", "eval v2",
    )  # fmt: skip
    assert (results.created_at, results.case_ids) == ("2026-11-30T17:26:34Z", "explicit")
    assert results.subject is not None
    assert (results.subject.model, results.judge) == ("openai/gpt-x", None)
    assert (results.settings.scale, results.settings.k, results.settings.pass_score) == ((0.0, 1.0), 1, None)
    assert [case.id for case in results.cases] == ["quiz/1", "quiz/2"]
    run = results.cases[0].runs[0]
    assert (run.cost_usd, run.judge_cost_usd, run.tokens, run.latency_ms) == (0.25, None, 15, 1500.0)


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("C", 1.0), ("I", 0.0), ("P", 0.5), ("N", 0.0), ("yes", 1.0), ("No", 0.0), ("TRUE", 1.0), ("false", 0.0),
        (True, 1.0), (False, 0.0), (1, 1.0), (0.25, 0.25), ("0.75", 0.75),
    ],
)  # fmt: skip
def test_values_are_numbers_as_inspect_reads_them(value: Any, number: float) -> None:
    run = only(sample(value=value))
    assert (run.score, run.metrics, run.state) == (number, {"match": number}, "passed" if number == 1 else "failed")


@pytest.mark.parametrize("value", [NAN, None, "B", "nan", "", {}, [], {"label": "good"}, 1e31, {"a": NAN}])
def test_what_is_no_number_is_unscored_and_never_0(value: Any) -> None:
    run = only(sample(value=value))
    assert (run.state, run.score, run.metrics, bool(run.reason)) == ("unscored", None, None, True)


@pytest.mark.parametrize(
    ("reason", "state", "score_"),
    [
        ("grader_failed", "errored", None),
        ("scoring_failed", "errored", None),
        ("refusal", "failed", 0.0),
        ("invalid_response_format", "failed", 0.0),
        ("no_response", "failed", 0.0),
        ("something else", "unscored", None),
        (None, "unscored", None),
    ],
)
def test_the_reason_says_whose_fault_a_missing_score_is(reason: Any, state: str, score_: float | None) -> None:
    for fields in ({"reason": reason}, {"metadata": {"unscored_reason": reason}}):
        run = only(sample(scores={"match": score(NAN, **fields)}))
        assert (run.state, run.score) == (state, score_)
        assert (run.error.kind if run.error else None) == ("judge" if state == "errored" else None)
    assert only(sample(scores={"match": score("C", reason=reason)})).state == "passed"


def test_an_answer_without_a_score_has_the_lowest_only_where_that_is_known() -> None:
    refusal = {"match": score(NAN, reason="refusal")}
    assert states(read(sample(1, value=4), sample(2, scores=refusal))) == {"passed": 1, "unscored": 1}
    assert states(read(sample(1, value=1), sample(2, scores=refusal))) == {"passed": 1, "failed": 1}


def test_an_error_wins_over_a_score_and_a_limit_does_not() -> None:
    run = only(sample(error="boom"))
    assert (run.state, run.score, run.error and run.error.kind) == ("errored", None, "unknown")
    assert only(sample(error={"message": "boom", "traceback": "…"})).error == run.error

    for limit in ("token", {"type": "token", "limit": 5}):
        scored, bare = only(sample(limit=limit)), only(sample(limit=limit, scores={}))
        assert (scored.state, scored.score, scored.extra) == ("passed", 1.0, {"limit": "token"})
        assert (bare.state, bare.error and bare.error.kind) == ("errored", "limit")
    assert (only(sample(limit="time", scores=None)).error or SOURCE).__dict__["kind"] == "timeout"


def test_a_sample_without_scores_is_unscored_and_one_in_progress_errored() -> None:
    assert only(sample(scores={})).state == only(sample(scores=None)).state == "unscored"
    assert only(sample(scores={}, completed=False), results=...).state == "errored"


def test_retries_are_told() -> None:
    assert only(sample(retries=2)).extra == only(sample(error_retries=[{}, {}])).extra == {"retries": 2}
    assert only(sample(error_retries=[])).extra is None


def test_the_lowest_of_several_scores_decides() -> None:
    scores = {"match": score("C"), "style": score({"tone": 0.5, "clear": True, "note": "a label", "words": 120})}
    results = read(sample(scores=scores))
    [run] = results.cases[0].runs
    assert (run.score, results.settings.scale) == (0.5, (0.0, 1.0))
    assert run.metrics == {"match": 1.0, "style/tone": 0.5, "style/clear": 1.0, "style/words": 120.0}
    assert {name: metric.range for name, metric in results.metrics.items()} == {
        "match": (0.0, 1.0), "style/clear": (0.0, 1.0), "style/tone": (0.0, 1.0), "style/words": None,
    }  # fmt: skip
    assert {name for name, metric in results.metrics.items() if metric.deterministic} == {"match"}
    assert only(sample(value=[1, 0.25])).score == 0.25


def test_a_score_that_others_have_and_a_run_lacks_is_unknown() -> None:
    both = {"match": score("C"), "style": score(0.5)}
    results = read(sample(1, scores=both), sample(2))
    assert states(results) == {"failed": 1, "unscored": 1}
    assert results.cases[1].runs[0].reason == "style: not scored"

    judged = read(sample(1, scores=both), sample(2, scores={**both, "style": score(NAN, reason="grader_failed")}))
    assert states(judged) == {"failed": 1, "errored": 1}


def test_the_only_score_may_be_on_any_scale() -> None:
    results = read(sample(1, value=4), sample(2, value=0))
    assert (results.settings.scale, [c.runs[0].score for c in results.cases]) == (None, [4.0, 0.0])


def test_several_scores_of_which_none_is_a_rate_are_refused() -> None:
    hint = "Let the scorer that decides give values from 0 to 1; evalgate takes the lowest of those."
    message = f"has several scores (match/a, match/b), none of which stays within 0 to 1. {hint}"
    assert refused(sample(value={"a": 3, "b": 7})) == [f"log.eval: {message}"]


def test_two_scores_of_one_name_are_unknown() -> None:
    scores = {"a b": score("C"), "a  b": score("C")}
    assert only(sample(scores=scores)).state == "unscored"


def test_the_reason_is_the_explanation_of_the_lowest_score() -> None:
    scores = {"match": score("C", explanation="fine"), "style": score({"tone": 0.5}, explanation="rude\nwords")}
    assert only(sample(scores=scores)).reason == "rude words"
    assert only(sample(scores={"match": score("I", explanation=" ")})).reason is None


def test_epochs_are_runs_in_their_order() -> None:
    results = read(sample(1, 2, "I"), sample(1, 1), sample(2, 1), sample(2, 2, error="boom"), epochs=2)
    assert [[(run.index, run.state) for run in case.runs] for case in results.cases] == [
        [(0, "passed"), (1, "failed")],
        [(0, "passed"), (1, "errored")],
    ]
    assert (results.settings.k, results.planned.cases, results.planned.runs) == (2, 2, 4)


def test_the_same_run_twice_is_refused() -> None:
    message = "is the same run as summaries.json[0]: sample 1, epoch 1. Each counts once; run the evaluation again."
    assert refused(sample(1), sample(1)) == [f"log.eval: summaries.json[1]: {message}"]
    assert len(read(sample(1), sample(1, 2), epochs=2).cases) == 1


def test_ids_that_are_written_alike_are_refused() -> None:
    message = "has the id '1', beside 1 of another sample. Written out the two are the same; rename one of them."
    assert refused(sample(1), sample("1")) == [f"log.eval: summaries.json[1]: {message}"]
    assert [case.id for case in read(sample(1), sample("01")).cases] == ["quiz/1", "quiz/01"]


def test_one_id_for_two_inputs_is_refused() -> None:
    told = refused(sample(1), sample(1, 2, input="another"), epochs=2)
    assert told[0].startswith("log.eval: summaries.json[1]: has another input or target than an earlier epoch")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"id": None}, "has no `id`"),
        ({"id": True}, "has no `id`"),
        ({"id": ""}, "has no `id`"),
        ({"id": 1.5}, "has no `id`"),
        ({"epoch": 0}, "has no `epoch`"),
        ({"epoch": ...}, "has no `epoch`"),
        ({"epoch": "1"}, "has no `epoch`"),
    ],
)
def test_a_sample_that_nothing_identifies_is_refused(changes: dict[str, Any], told: str) -> None:
    assert told in refused(sample(**changes))[0]


def test_no_samples_are_refused_whatever_the_status() -> None:
    for content in (log(), archived({HEADER: head()}), Content("json", head()), Content("json", head(samples=[]))):
        assert "holds no samples" in refusal(content)


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({}, "complete"),
        ({"status": "cancelled"}, "cancelled"),
        ({"status": "error"}, "partial"),
        ({"status": "started"}, "partial"),
        ({"status": "novel"}, "partial"),
        ({"status": ...}, "partial"),
        ({"invalidated": True}, "partial"),
        ({"invalidated": False}, "complete"),
        ({"error": {"message": "boom"}}, "partial"),
        ({"status": "cancelled", "error": {"message": "boom"}}, "cancelled"),
    ],
)
def test_only_a_success_is_complete(changes: dict[str, Any], status: str) -> None:
    assert read(sample(), **changes).status == status


def test_a_run_that_broke_off_is_read_from_its_journal() -> None:
    start = {key: value for key, value in head(sample(1), sample(2), sample(3)).items() if key in ("version", "eval")}
    journal = {
        START: start,
        "_journal/summaries/2.json": [sample(2, value="I")],
        "_journal/summaries/10.json": [sample(1, value="I")],
        "_journal/summaries/1.json": [sample(1)],
    }
    results = imported(archived(journal))
    assert (results.status, results.planned.cases, states(results)) == ("partial", 3, {"failed": 2})

    twice = {**journal, "_journal/summaries/1.json": [sample(1), sample(1)]}
    assert (
        "_journal/summaries/1.json: holds a sample twice."
        in problems(lambda: importers.read(archived(twice), SOURCE))[0]
    )


def test_old_summaries_are_completed_from_the_samples() -> None:
    short = sample(1, model_usage=..., total_time=...)
    files = {HEADER: head(short), SUMMARIES: [short], "samples/1_epoch_1.json": sample(1), "samples/x/y.json": {}}
    assert imported(archived(files)).cases[0].runs[0].tokens == 15

    del files["samples/1_epoch_1.json"]
    assert imported(archived(files)).cases[0].runs[0].tokens is None

    files["samples/2_epoch_1.json"] = sample(2)
    assert (
        "holds 1 summaries that are not those of its 1 samples"
        in problems(lambda: importers.read(archived(files), SOURCE))[0]
    )
    files["samples/2_epoch_1.json"] = []
    assert "samples/2_epoch_1.json: is no sample" in problems(lambda: importers.read(archived(files), SOURCE))[0]


def test_samples_are_read_where_there_are_no_summaries_and_old_ones_have_one_score() -> None:
    old = sample(scores=..., score=score("I"))
    results = imported(archived({HEADER: head(old), "samples/1_epoch_1.json": old}))
    assert results.cases[0].runs[0].metrics == {"match": 0.0}

    unnamed = imported(archived({HEADER: head(old, eval={"scorers": ...}), "samples/1_epoch_1.json": old}))
    assert unnamed.cases[0].runs[0].metrics == {"score": 0.0}


@pytest.mark.parametrize(
    ("samples", "planned"),
    [
        ({"eval": {"dataset": {"samples": 9, "sample_ids": [1, 2, 3]}}}, (3, 3)),
        ({"eval": {"dataset": {"samples": 9}}, "results": ...}, (9, 9)),
        ({"eval": {"dataset": {"samples": 9}, "config": {"limit": 4}}, "results": ...}, (4, 4)),
        ({"eval": {"dataset": {"samples": 9}, "config": {"limit": [2, 5]}}, "results": ...}, (3, 3)),
        ({"eval": {"dataset": {"samples": 9}, "config": {"limit": [2]}}, "results": ...}, (1, 1)),
        ({"eval": {"dataset": {"samples": 9}, "config": {"sample_id": [1]}}, "results": ...}, (1, 1)),
        ({"eval": {"dataset": {}, "config": {"epochs": 2}}, "results": {"total_samples": 5}}, (3, 6)),
        ({"eval": {"dataset": {"sample_ids": [1]}}, "results": {"total_samples": 4}}, (1, 4)),
        ({"eval": {"dataset": {}}, "results": ...}, (1, 1)),
    ],
)
def test_what_was_planned_is_what_was_chosen_times_the_epochs(
    samples: dict[str, Any], planned: tuple[int, int]
) -> None:
    results = read(sample(), **samples)
    assert (results.planned.cases, results.planned.runs) == planned


@pytest.mark.parametrize(
    ("results", "told"),
    [
        ({"total_samples": 1}, "results.total_samples: counts 1, but the log holds 2."),
        ({"completed_samples": 3}, "results.completed_samples: counts 3, but the log holds 2."),
        (
            {"scores": [{"name": "match", "scored_samples": 3}]},
            "results.scores[0].scored_samples: counts 3 samples that match scored, but the log holds 2.",
        ),
    ],
)
def test_totals_that_disagree_are_refused(results: dict[str, Any], told: str) -> None:
    assert refused(sample(1), sample(2), results=results) == [f"log.eval: {told} {LOST}"]


@pytest.mark.parametrize(
    "results",
    [
        {},
        {"total_samples": 4, "completed_samples": 1},
        {"total_samples": 3, "completed_samples": 2, "scores": [{"name": "match", "scored_samples": 1}]},
        {"total_samples": 3, "completed_samples": 3, "scores": "?"},
    ],
)
def test_totals_as_inspect_counts_them_are_right(results: dict[str, Any]) -> None:
    """Epochs are reduced to one sample; an error after scoring counted as completed; reused runs do not count."""
    runs = [sample(1), sample(1, 2), sample(1, 3, error="boom")]
    assert len(read(*runs, results=results, epochs=3).cases[0].runs) == 3


def test_a_log_without_results_is_read() -> None:
    assert states(read(sample(error="boom"), results=...)) == {"errored": 1}


@pytest.mark.parametrize(
    ("revision", "commit", "extra"),
    [
        ({"commit": "a" * 40, "dirty": False}, "a" * 40, {"revision": "a" * 40, "dirty": False}),
        ({"commit": "a" * 40, "dirty": True}, None, {"revision": "a" * 40, "dirty": True}),
        ({"commit": "a" * 40}, None, {"revision": "a" * 40}),
        ({"commit": "a1b2c3d", "dirty": False}, None, {"revision": "a1b2c3d", "dirty": False}),
        (None, None, {}),
    ],
)
def test_a_commit_is_known_only_when_it_is_whole_and_clean(revision: Any, commit: Any, extra: dict[str, Any]) -> None:
    results = read(sample(), eval={"revision": revision})
    assert (results.commit, results.extra) == (commit, {"task": "quiz", **extra})


def test_the_judge_is_the_grader_or_what_grades_in_its_place() -> None:
    def judge(**told: Any) -> Any:
        found = read(sample(), eval=told).judge
        return found and (found.model, found.family)

    graded = {"name": "inspect_ai/model_graded_qa", "options": {"template": "x"}}
    assert judge() is None
    assert judge(model_roles={"grader": {"model": "openai/judge"}}) == ("openai/judge", "openai")
    assert judge(model_roles={"grader": [{"model": "b/2"}, {"model": "a/1"}]}) == ("a/1, b/2", "a, b")
    assert judge(scorers=[graded]) == ("openai/gpt-x", "openai")
    assert judge(scorers=[{**graded, "options": {"model": ["x/1", "y/2"]}}]) == ("x/1, y/2", "x, y")
    assert judge(scorers=[graded], model_roles={"grader": {"model": "o/j"}}) == ("o/j", "o")

    old = {"scores": [{"name": "a", "scorer": "model_graded_fact", "params": {"model": "o/j"}}]}
    found = read(sample(), eval={"scorers": None}, results=old).judge
    assert found is not None
    assert found.model == "o/j"


def test_another_rubric_or_setting_of_the_judge_is_another_judge() -> None:
    def judge(template: str, temperature: Any) -> Any:
        scorers = [{"name": "model_graded_qa", "options": {"template": template}}]
        roles = {"grader": {"model": "o/j", "config": {"temperature": temperature}}}
        return read(sample(), eval={"scorers": scorers, "model_roles": roles}).judge

    assert judge("a", 0) == judge("a", 0)
    assert len({str(judge(*each)) for each in (("a", 0), ("b", 0), ("a", 1), ("a", NAN))}) == 4


def test_the_graders_share_is_taken_out_of_cost_and_tokens() -> None:
    grader = {"grader": {"total_tokens": 5, "total_cost": 0.1}}
    run = only(sample(role_usage=grader))
    assert (run.cost_usd, run.judge_cost_usd, run.tokens) == (0.15, 0.1, 10)

    run = only(sample(role_usage={"grader": {"total_tokens": 5}}))
    assert (run.cost_usd, run.judge_cost_usd, run.tokens) == (None, None, 10)


@pytest.mark.parametrize(
    "usage", [{}, None, {"m": {}}, {"m": {"total_cost": 1.0}, "n": {}}, {"m": {"total_cost": NAN}}]
)
def test_a_cost_that_is_not_wholly_known_is_unknown(usage: Any) -> None:
    assert only(sample(model_usage=usage)).cost_usd is None


def digest_of(**changes: Any) -> str | None:
    return read(sample(**changes)).cases[0].digest


def test_the_digest_is_of_input_and_target() -> None:
    assert digest_of() == digest_of(metadata={"a": 1}, choices=["x"])
    assert len({digest_of(), digest_of(input="other"), digest_of(target="no"), digest_of(target=["yes", "no"])}) == 4
    messages = [{"id": "a", "role": "user", "content": "hi"}]
    assert digest_of(input=messages) == digest_of(input=[{**messages[0], "id": "b"}])
    parted = [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]
    assert digest_of(input=messages) == digest_of(input=parted)
    assert digest_of(input=messages) != digest_of(input=[{**messages[0], "role": "system"}])


@pytest.mark.parametrize(
    "input",
    [
        None,
        3,
        "x" * 5120 + "...\n(content truncated)",
        "x" * 1021 + "...",
        [{"role": "user", "content": "x" * 5120 + "...\n(content truncated)"}],
        [{"role": "user", "content": [{"type": "text", "text": "(Image)"}]}],
        [{"role": "user", "content": [{"type": "image", "image": "data:…"}]}],
    ],
)
def test_what_is_cut_or_left_out_has_no_digest(input: Any) -> None:
    assert digest_of(input=input) is None
    assert digest_of(input="x" * 5120) is not None
    assert digest_of(input="and so on ...") is not None


@pytest.mark.parametrize("version", [None, 3, "2", True])
def test_another_version_is_refused(version: Any) -> None:
    assert "but this evalgate reads 1 and 2." in refused(sample(), version=version)[0]


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({HEADER: []}, "header.json: is no object."),
        ({START: 3}, "_journal/start.json: is no object."),
        ({HEADER: head(), SUMMARIES: {}}, "summaries.json: is no list of samples."),
        ({HEADER: head(), SUMMARIES: [1]}, "summaries.json: is no list of samples."),
    ],
)
def test_what_has_another_shape_is_refused(files: dict[str, Any], told: str) -> None:
    assert told in problems(lambda: importers.read(archived(files), SOURCE))[0]


def test_only_logs_are_recognised() -> None:
    for content in (
        archived({}), archived({"a.json": {}}), Content("json", {"eval": {"task": "t"}}), Content("json", []),
        Content("json", {"version": 2, "eval": {"task": 1}}), Content("jsonl", [head()]), Content("xml", b"<a/>"),
    ):  # fmt: skip
        assert "is no inspect file" in refusal(content, "inspect")


def test_nan_is_known_to_logs_of_inspect_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"version": 3, "results": [], "stats": {}, "x": NaN}')
    assert problems(lambda: importers.read(opened(path), SOURCE), tmp_path) == [
        "a.json: x: NaN is no number that JSON has. Unknown is null, or leave the key out."
    ]
    path.write_text('{"y": Infinity}')
    assert "Infinity is no number" in problems(lambda: importers.read(opened(path), SOURCE))[0]
    path.write_text('{"schema": "evalgate.results/1", "x": NaN}')
    assert "NaN is no number" in problems(lambda: load(path))[0]
    path.write_text('{"x": NaN, "x": NaN}')
    assert len(problems(lambda: load(path))) == 2


def test_a_threshold_says_what_passes() -> None:
    results = read(sample(1, value="P"), sample(2), sample(3, value=NAN), sample(4, error="boom"))
    held = with_threshold(results, 0.5, [])
    assert (states(held), held.settings.pass_score) == ({"passed": 2, "unscored": 1, "errored": 1}, 0.5)
    assert list(checked(held, "f").cases) == list(held.cases)
    assert states(with_threshold(results, 0.5 + 1e-12, []))["passed"] == 2
    assert states(with_threshold(results, 0.6, [])) == {"failed": 1, "passed": 1, "unscored": 1, "errored": 1}


def test_without_a_threshold_a_bar_of_a_metric_is_enough_and_nothing_is_not() -> None:
    results = read(sample(1, value="P"), sample(2))
    held = with_threshold(results, None, ["match"])
    assert (states(held), held.settings.pass_score) == ({"failed": 1, "passed": 1}, 1.0)
    [line] = problems(lambda: with_threshold(results, None, []))
    assert line.startswith('log.eval: holds scores, and nothing says which of them pass. Add "pass_score = 1.0" to')


@pytest.mark.parametrize("pass_score", [0, 0.0, -1])
def test_a_threshold_that_everything_passes_is_refused(pass_score: float) -> None:
    [line] = problems(lambda: with_threshold(read(sample()), pass_score, []))
    assert "every one passes" in line
    assert with_threshold(read(sample(value=4)), pass_score, []).settings.pass_score == pass_score
