"""promptfoo's exports: what becomes a case, what a run, and what is refused.

The shapes are those of promptfoo's `src/types/index.ts` (@0011eb0: EvaluateSummaryV2 and V3, EvaluateResult) and of
the files in tests/data/promptfoo, which promptfoo 0.121.20 wrote. Where a test names a function, it was read in the
published package of that version.
"""

import copy
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from evalgate import importers
from evalgate.edges.files.contents import stamp
from evalgate.edges.files.results import checked, load
from evalgate.model.content import Content
from evalgate.model.results import Case, Results, Run, Source
from tests.reading import DATA, problems

SOURCE = Source(path="out.json", sha256="0" * 64, bytes=1)


def row(index: int = 0, /, **changes: Any) -> dict[str, Any]:
    """A row as version 3 has it: passed, with the score 1."""
    standard = {
        "id": f"row-{index}",
        "success": True,
        "failureReason": 0,
        "score": 1,
        "namedScores": {},
        "gradingResult": {"pass": True, "score": 1, "reason": "All assertions passed", "componentResults": []},
        "provider": {"id": "openai:gpt-x", "label": ""},
        "prompt": {"raw": "Say hi", "label": "Say {{q}}"},
        "promptId": "p" * 64,
        "promptIdx": 0,
        "testIdx": index,
        "testCase": {"vars": {"q": "hi"}, "assert": [{"type": "contains", "value": "hi"}]},
        "vars": {"q": "hi"},
        "cost": 0.5,
        "latencyMs": 120,
        "response": {"output": "hi", "cached": False},
        "tokenUsage": {"total": 10},
    }
    return {key: value for key, value in {**standard, **changes}.items() if value is not ...}


def asking(question: str, index: int = 0, **changes: Any) -> dict[str, Any]:
    return row(index, testCase={"vars": {"q": question}}, **changes)


def failed(index: int = 0, **changes: Any) -> dict[str, Any]:
    result = {"pass": False, "score": 0, "reason": "no", "componentResults": []}
    standard = {"success": False, "failureReason": 1, "score": 0, "error": "no", "gradingResult": result}
    return row(index, **{**standard, **changes})


def summary(rows: Sequence[Any], version: Any = 3, **changes: Any) -> dict[str, Any]:
    states = Counter("errors" if r.get("failureReason") == 2 else "successes" if r.get("success") else "failures"
                     for r in rows if isinstance(r, dict))  # fmt: skip
    stats = {name: states[name] for name in ("successes", "failures", "errors")}
    return {
        "version": version,
        "timestamp": "2026-11-30T00:00:00.000Z",
        "results": list(rows),
        "stats": stats,
        **changes,
    }


def export(*rows: Any, repeat: int | None = None, **changes: Any) -> Content:
    options = {"runtimeOptions": {"repeat": repeat}} if repeat else {}
    metadata = {"promptfooVersion": "0.121.20", "evaluationCreatedAt": "2026-11-30T17:28:59.971Z"}
    return Content("json", {"evalId": "e", "results": summary(rows, **changes), "metadata": metadata, **options})


def imported(content: Content) -> Results:
    results = importers.read(content, SOURCE)
    assert len(list(checked(results, "out.json").cases)) == len(results.cases)
    return results


def read(*rows: Any, **changes: Any) -> Results:
    return imported(export(*rows, **changes))


def only_run(**changes: Any) -> Run:
    [case] = imported(Content("jsonl", [row(**changes)])).cases
    [run] = case.runs
    return run


def refused(content: Content) -> list[str]:
    return problems(lambda: importers.read(content, SOURCE))


def states(cases: Sequence[Case]) -> dict[str, list[str]]:
    return {case.id: [run.state for run in case.runs] for case in cases}


@pytest.mark.parametrize("name", ["json", "jsonl"])
def test_the_generated_sample_has_its_eight_rows_in_four_cases(name: str) -> None:
    path = DATA / f"promptfoo/GENERATED-0.121.20-repeat2-with-errors.{name}"
    loaded = load(path)
    assert isinstance(loaded, Content)
    results = importers.read(loaded, stamp(path, DATA))
    list(checked(results, "f").cases)

    assert states(results.cases) == {
        "t-pass [bad]": ["errored", "errored"],
        "t-pass [echo]": ["passed", "passed"],
        "t-fail [bad]": ["errored", "errored"],
        "t-fail [echo]": ["failed", "failed"],
    }
    assert [run.score for case in results.cases for run in case.runs] == [None, None, 1, 1, None, None, 0, 0]
    assert (results.planned.cases, results.planned.runs, results.settings.k) == (4, 8, 2)
    assert results.settings.scale == (0.0, 1.0)
    assert results.metrics["has_hello"].deterministic
    assert results.cases[1].runs[0].metrics == {"has_hello": 1.0}
    assert results.cases[0].runs[0].error is not None
    assert results.cases[0].runs[0].error.message == "boom bad input"
    assert results.cases[3].runs[0].reason == (
        'equals: Expected output "say bye" to equal "nope"; is-json: Expected output to be valid JSON'
    )
    assert {run.cost_usd for case in results.cases for run in case.runs} == {None}
    if name == "json":
        assert results.declared is not None
        assert (results.declared.passed, results.declared.failed, results.declared.errored) == (2, 2, 4)
        assert (results.producer.version, results.producer.format) == ("0.121.20", "json v3")
        assert results.created_at == "2026-11-30T17:28:59Z"
    else:
        assert (results.declared, results.producer.version, results.producer.format) == (None, None, "jsonl")


def test_json_and_jsonl_of_one_evaluation_hold_the_same_cases() -> None:
    paths = [DATA / f"promptfoo/GENERATED-0.121.20-repeat2-with-errors.{name}" for name in ("json", "jsonl")]
    one, two = (importers.read(load(path), SOURCE) for path in paths)  # type: ignore[arg-type]  # both are foreign

    assert one.cases == two.cases
    assert one.subject == two.subject


def sample(name: str) -> Results:
    loaded = load(DATA / "promptfoo" / name)
    assert isinstance(loaded, Content)
    return imported(loaded)


def test_a_grader_that_broke_is_an_error_of_the_judge_and_no_failure() -> None:
    results = sample("GENERATED-0.121.20-grader-error.json")

    by_id = {case.id: case.runs[0] for case in results.cases}
    broken = by_id["the grader breaks"]
    assert (broken.state, broken.score, broken.metrics) == ("errored", None, None)
    assert broken.error is not None
    assert (broken.error.kind, broken.error.message) == ("judge", "grader down")
    assert results.declared is None, "promptfoo counts it as failed"
    assert by_id["a set with a threshold"].metrics == {"set": 0.5, "has-s": 1.0, "has-z": 0.0}
    assert results.metrics["set"].deterministic
    assert by_id["no assertion at all"].reason == "No assertions"


def test_columns_that_nothing_but_their_number_tells_apart_are_cases_of_their_own() -> None:
    results = sample("GENERATED-0.121.20-columns-alike.jsonl")

    assert len(results.cases) == 12, "2 tests × 3 prompts × the same provider twice"
    assert all(len(case.runs) == 1 for case in results.cases)
    assert results.case_ids == "position"


def test_a_file_of_one_row_is_read_and_a_test_that_asserts_nothing_proves_nothing() -> None:
    assert states(sample("GENERATED-0.121.20-single-row.jsonl").cases) == {"name=one #af6bf43b": ["unscored"]}


def test_a_summary_without_the_document_around_it_is_read() -> None:
    results = sample("GENERATED-0.121.20-summary.json")

    assert sorted(run.state for case in results.cases for run in case.runs) == ["failed", "unscored"]
    assert results.producer.format == "json v3"
    assert results.declared is None, "promptfoo counts a test without assertions as passed"


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({}, "passed"),
        ({"failureReason": ...}, "passed"),
        ({"error": "left over"}, "passed"),
        # A rating by hand turns `success` and leaves `failureReason` (evalRouter.post("/:evalId/results/:id/rating")).
        ({"failureReason": 1}, "passed"),
        ({"success": False, "failureReason": 1, "error": "the reason"}, "failed"),
        ({"success": False, "failureReason": 0}, "failed"),
        ({"success": False, "failureReason": 2, "error": "boom"}, "errored"),
        ({"success": False, "failureReason": 2, "error": None, "score": None}, "errored"),
        ({"success": False, "failureReason": ..., "error": "boom", "gradingResult": None}, "errored"),
        ({"success": False, "failureReason": ..., "error": "the reason"}, "failed"),
        ({"success": False, "failureReason": ..., "gradingResult": None}, "failed"),
    ],
)
def test_the_state_comes_from_the_failure_reason_and_not_from_the_error(changes: dict[str, Any], state: str) -> None:
    assert only_run(**changes).state == state


def test_an_errored_run_has_no_score_and_says_why() -> None:
    run = only_run(
        success=False, failureReason=2, error="HTTP 500", namedScores={"m": 1}, response={"error": "HTTP 500"}
    )

    assert (run.score, run.metrics, run.reason) == (None, None, None)
    assert run.error is not None
    assert (run.error.kind, run.error.message) == ("subject", "HTTP 500")


@pytest.mark.parametrize(
    ("response", "kind"),
    [
        ({"output": "hi"}, "harness"),  # applyGradingError: the answer was there, grading it broke
        ({"output": ""}, "harness"),
        ({"output": "hi", "error": "x"}, "subject"),
        ({"error": "x"}, "subject"),
        (..., "subject"),
        (None, "subject"),
    ],
)
def test_who_made_the_error_is_told_apart(response: Any, kind: str) -> None:
    run = only_run(success=False, failureReason=2, error="x", response=response)
    assert run.error is not None
    assert run.error.kind == kind


def test_an_error_without_words_says_so() -> None:
    run = only_run(success=False, failureReason=2, gradingResult=None)
    assert run.error is not None
    assert run.error.message == "no message"


def test_a_grader_error_deep_in_an_assert_set_is_found() -> None:
    inner = {"pass": False, "reason": "grader down", "metadata": {"graderError": True}}
    result = {"pass": False, "reason": "set failed", "componentResults": [{"pass": False, "componentResults": [inner]}]}
    run = only_run(success=False, failureReason=1, error="set failed", gradingResult=result)
    assert (run.state, run.error and run.error.kind) == ("errored", "judge")

    # where the verdict stands although the grader's part of it counted as nothing, it stands
    assert only_run(gradingResult={**result, "pass": True}).state == "passed"


def test_the_reasons_of_the_failed_assertions_are_kept() -> None:
    result = {
        "pass": False,
        "reason": "Aggregate score 0.2 < 0.5",
        "componentResults": [
            {"pass": False, "reason": "too long", "assertion": {"type": "javascript", "metric": "length"}},
            {"pass": True, "reason": "fine", "assertion": {"type": "contains"}},
            {"pass": False, "reason": "rude", "assertion": {"type": "llm-rubric"}},
            {"pass": False, "reason": "odd", "assertion": None},
            {"pass": False},
            None,
        ],
    }
    assert only_run(success=False, failureReason=1, gradingResult=result).reason == (
        "length: too long; llm-rubric: rude; assertion: odd"
    )
    assert only_run(gradingResult={"reason": "All assertions passed"}).reason == "All assertions passed"
    assert only_run(gradingResult=None).reason is None


@pytest.mark.parametrize(
    ("changes", "cost"),
    [
        ({"cost": 0.5}, 0.5),
        ({"cost": 1}, 1.0),
        ({"cost": 0}, None),
        ({"cost": ..., "response": {"cost": 0.25}}, 0.25),
        ({"cost": 0, "response": {"cost": 0.25}}, 0.25),
        ({"cost": None}, None),
        ({"cost": -1}, None),
        ({"cost": True}, None),
        ({"cost": "0.5"}, None),
        ({"cost": 10**400}, None),
    ],
)
def test_a_cost_of_zero_is_unknown(changes: dict[str, Any], cost: float | None) -> None:
    assert only_run(**changes).cost_usd == cost


@pytest.mark.parametrize(
    ("changes", "latency"),
    [
        ({"latencyMs": 120}, 120.0),
        ({"latencyMs": 0}, 0.0),
        ({"latencyMs": 120, "response": {"output": "hi", "cached": True}}, None),
        ({"latencyMs": 120, "response": {"output": "hi"}}, 120.0),
        ({"latencyMs": -1}, None),
        ({"latencyMs": True}, None),
        ({"latencyMs": ...}, None),
    ],
)
def test_the_latency_of_a_cached_answer_is_unknown(changes: dict[str, Any], latency: float | None) -> None:
    assert only_run(**changes).latency_ms == latency


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"total": 10}, 10),
        ({"total": 0}, None),
        ({"total": True}, None),
        ({"total": 1.5}, None),
        ({}, None),
        (None, None),
    ],
)
def test_no_tokens_are_unknown(usage: Any, tokens: int | None) -> None:
    assert only_run(tokenUsage=usage).tokens == tokens


def test_repeats_of_a_test_are_runs_in_the_order_of_their_index() -> None:
    results = read(row(3, score=0.3), row(1, score=0.1), row(2, score=0.2), asking("other", 0, score=0.9))
    case = next(case for case in results.cases if len(case.runs) == 3)

    assert [(run.index, run.score) for run in case.runs] == [(0, 0.1), (1, 0.2), (2, 0.3)]
    assert results.settings.k == 3
    assert (results.planned.cases, results.planned.runs) == (2, 4)


def test_rows_without_an_index_keep_the_order_of_the_file() -> None:
    results = read(row(5, testIdx=..., score=0.5), row(6, testIdx=..., score=0.6))
    assert [run.score for run in results.cases[0].runs] == [0.5, 0.6]


def test_runs_that_were_meant_to_be_made_are_planned() -> None:
    results = read(row(0), row(1), asking("other", 2), repeat=3)

    assert (results.settings.k, results.planned.cases, results.planned.runs) == (3, 2, 6)


def test_a_test_that_names_its_own_repeats_is_planned_for_those() -> None:
    # normalizeRepeatCount(testCase.options?.repeat, globalRepeat)
    test = {"vars": {"q": "own"}, "options": {"repeat": 1}}
    results = read(row(0), row(1), row(2, testCase=test), repeat=2)

    assert (results.planned.cases, results.planned.runs) == (2, 3)


@pytest.mark.parametrize("repeat", [True, 0, -2, "3", 2.5, [], None])
def test_repeats_that_are_no_count_mean_one(repeat: Any) -> None:
    content = export(row())
    content.value["runtimeOptions"] = {"repeat": repeat}
    assert imported(content).planned.runs == 1


@pytest.mark.parametrize(
    ("test", "id", "named_by"),
    [
        ({"metadata": {"testCaseId": "my-id"}, "description": "d"}, "my-id", "explicit"),
        ({"metadata": {"testCaseId": 7}}, "7", "explicit"),
        ({"metadata": {"testCaseId": ""}, "description": "d"}, "d", "name"),
        ({"metadata": {"testCaseId": True}, "description": "d"}, "d", "name"),
        ({"metadata": None, "description": " two\n lines "}, "two lines", "name"),
        ({"description": "x\u200by"}, "x\\u200by", "name"),
        ({"vars": {"q": "hi", "a": 1}}, "a=1 #", "fingerprint"),
        ({"vars": {"q": "long " * 50}}, "q=" + ("long " * 50)[:38] + " #", "fingerprint"),
        ({"vars": {}}, "no variables #", "fingerprint"),
        ({"vars": None}, "no variables #", "fingerprint"),
        ({"vars": [1]}, "no variables #", "fingerprint"),
        ({"description": "  "}, "no variables #", "fingerprint"),
    ],
)
def test_what_a_test_is_called(test: dict[str, Any], id: str, named_by: str) -> None:
    results = read(row(testCase=test, vars={}))

    assert results.case_ids == named_by
    assert results.cases[0].id == id if named_by != "fingerprint" else results.cases[0].id.startswith(id)


def test_the_weakest_name_says_what_the_ids_are_made_of() -> None:
    named = row(0, testCase={"description": "d"})
    assert read(named, row(1)).case_ids == "fingerprint"
    assert read(named, row(1, testCase={"metadata": {"testCaseId": "x"}})).case_ids == "name"


def test_the_order_of_keys_means_nothing() -> None:
    one, two = ({"vars": vars, "assert": []} for vars in ({"a": 1, "b": 2}, {"b": 2, "a": 1}))
    results = read(row(0, testCase=one), row(1, testCase=two))

    assert [len(case.runs) for case in results.cases] == [2]


def test_tests_of_the_same_name_are_told_apart_by_what_they_ask() -> None:
    tests = [{"description": "same", "vars": {"q": q}} for q in ("a", "b")]
    results = read(row(0, testCase=tests[0]), row(1, testCase=tests[1]), row(2, testCase=tests[0]))

    assert [len(case.runs) for case in results.cases] == [2, 1]
    assert all(case.id.startswith("same #") for case in results.cases)
    assert len({case.digest for case in results.cases}) == 2


@pytest.mark.parametrize("change", [{"vars": {"q": "b"}}, {"assert": [{"type": "equals"}]}, {"threshold": 0.5}])
def test_an_edited_test_keeps_its_name_and_changes_its_digest(change: dict[str, Any]) -> None:
    before, after = (read(row(testCase={"description": "d", **fields})).cases[0] for fields in ({}, change))

    assert before.id == after.id == "d"
    assert before.digest != after.digest


def test_with_one_provider_and_prompt_the_id_depends_on_neither() -> None:
    ids = {
        read(row(provider={"id": provider}, prompt={"raw": prompt, "label": prompt}, promptId=prompt * 64)).cases[0].id
        for provider, prompt in (("a", "x"), ("b", "x"), ("a", "y"))
    }
    assert len(ids) == 1


def test_several_providers_enter_the_ids() -> None:
    test = {"description": "d"}
    results = read(
        row(0, testCase=test, provider={"id": "openai:x", "label": ""}),
        row(1, testCase=test, provider={"id": "openai:y", "label": "mine"}, promptIdx=1),
        row(2, testCase=test, provider={"id": "openai:x", "label": ""}),
    )
    assert {case.id: len(case.runs) for case in results.cases} == {"d [openai:x]": 2, "d [mine]": 1}
    assert results.subject is not None
    assert results.subject.model == "mine, openai:x"


@pytest.mark.parametrize(("provider", "name"), [("openai:z", "openai:z"), (None, "unnamed"), ({"id": 7}, "unnamed")])
def test_a_provider_of_old_releases_is_text(provider: Any, name: str) -> None:
    results = read(row(provider=provider))
    assert results.subject is not None
    assert results.subject.model == name


@pytest.mark.parametrize(
    ("label", "raw", "id"),
    [
        ("prompts/support.txt: Answer {{q}}", "Answer hi", "d [prompts/support.txt]"),
        ("mine: prompts/support.txt: Answer {{q}}", "Answer hi", "d [mine: prompts/support.txt]"),
        ("support prompt", "Answer hi", "d [support prompt]"),
        ("Answer {{q}}", "Answer hi", "d [Answer {{q}} #391552c0]"),
        ("Answer", "Answer", "d [Answer #391552c0]"),
        ("long " * 50, "x", "d [" + ("long " * 8) + "#391552c0]"),
        ("two\nlines", "x", "d [two lines #391552c0]"),
        (None, "Answer hi", "d [Answer hi #391552c0]"),
    ],
)
def test_several_prompts_enter_the_ids_by_what_survives_an_edit(label: str | None, raw: str, id: str) -> None:
    test = {"description": "d"}
    results = read(
        row(0, testCase=test, prompt={"raw": raw, "label": label}, promptId="1"),
        row(1, testCase=test, prompt={"raw": "o", "label": "other"}, promptId="2", promptIdx=1),
    )
    first, second = (case.id for case in results.cases)
    assert first == id
    assert second == "d [other]"
    assert results.case_ids == "name"


def test_prompts_of_one_file_are_told_apart() -> None:
    test = {"description": "d"}
    results = read(
        row(0, testCase=test, prompt={"raw": "A", "label": "p.txt: A"}, promptId="1"),
        row(1, testCase=test, prompt={"raw": "B", "label": "p.txt: B"}, promptId="2", promptIdx=1),
    )
    assert [len(case.runs) for case in results.cases] == [1, 1]
    assert all(case.id.startswith("d [p.txt #") for case in results.cases)
    assert results.case_ids == "name"


def test_columns_alike_are_numbered_and_such_ids_are_positions() -> None:
    # buildCompletedPrompts: "two providers can share a label … and two prompts can share a label"
    test = {"description": "d"}
    results = read(*(row(index, testCase=test, promptIdx=column) for index, column in enumerate((1, 0, 1))))

    assert {case.id: [run.index for run in case.runs] for case in results.cases} == {"d [#2]": [0, 1], "d [#1]": [0]}
    assert results.case_ids == "position"


def test_a_metric_is_deterministic_unless_a_model_feeds_it() -> None:
    asserts = [
        {"type": "contains", "metric": "plain"},
        {"type": "llm-rubric", "metric": "graded"},
        {"type": "not-llm-rubric", "metric": "inverse"},
        {"type": "contains", "metric": "both"},
        {"type": "similar", "metric": "both"},
        {"type": "assert-set", "metric": "set", "assert": [{"type": "g-eval", "metric": "inner"}]},
        {"type": "equals"},
        "odd",
    ]
    names = ("plain", "graded", "inverse", "both", "inner", "derived")
    results = read(row(testCase={"assert": asserts}, namedScores=dict.fromkeys(names, 0.5)))

    assert {name for name, metric in results.metrics.items() if metric.deterministic} == {"plain"}
    assert set(results.metrics) == set(names)
    assert all(metric.direction == "higher" for metric in results.metrics.values())


def test_named_scores_that_are_no_numbers_are_left_out() -> None:
    run = only_run(namedScores={"a": 1, "b": None, "c": "1", "d": True, "e": 10**400, "": 0.5})
    assert run.metrics == {"a": 1.0, "unnamed": 0.5}
    assert only_run(namedScores=None).metrics is None


@pytest.mark.parametrize(
    ("scores", "scale"), [((0, 1), (0.0, 1.0)), ((0.5,), (0.0, 1.0)), ((0, 3), None), ((-1,), None)]
)
def test_the_scale_is_zero_to_one_where_the_scores_keep_to_it(
    scores: tuple[float, ...], scale: tuple[float, float] | None
) -> None:
    assert read(*(row(index, score=score) for index, score in enumerate(scores))).settings.scale == scale


def test_only_errors_leave_the_scale_of_promptfoo() -> None:
    assert read(row(success=False, failureReason=2)).settings.scale == (0.0, 1.0)


# Version 2 and older: no testCase, testIdx, promptIdx, promptId or failureReason in a row, and `table` beside the rows.


def old_row(question: str, **changes: Any) -> dict[str, Any]:
    return {
        "provider": {"id": "openai:gpt-4"},
        "prompt": {"raw": f"Say {question}", "label": "Say {{q}}"},
        "vars": {"q": question},
        "response": {"output": "hi", "tokenUsage": {"total": 5}},
        "success": True,
        "score": 1,
        "namedScores": {},
        "latencyMs": 10,
        "gradingResult": {"pass": True, "score": 1, "reason": "All assertions passed"},
        **changes,
    }


def old_export(*rows: Any, stats: Any = ..., version: int = 2) -> Content:
    counts = {"successes": sum(r["success"] for r in rows), "failures": sum(not r["success"] for r in rows)}
    held = counts if stats is ... else stats
    table = {"head": {"prompts": [], "vars": ["q"]}, "body": [{"outputs": [], "vars": [], "test": {}} for _ in rows]}
    results = {"version": version, "timestamp": "2024-05-01T10:00:00.000Z", "results": list(rows), "table": table}
    return Content("json", {"results": {**results, "stats": held}, "config": {}, "shareableUrl": None})


def test_version_2_is_read() -> None:
    broken = {"success": False, "score": 0, "error": "timeout", "gradingResult": None}
    wrong = {"success": False, "score": 0, "error": "no", "gradingResult": {"pass": False, "reason": "no"}}
    results = imported(
        old_export(old_row("a"), old_row("a", **wrong), old_row("b", **broken), old_row("c", description="d"))
    )

    assert states(results.cases) == {
        results.cases[0].id: ["passed", "failed"],
        results.cases[1].id: ["errored"],
        "d": ["passed"],
    }
    assert results.cases[0].id.startswith("q=a #")
    assert (results.producer.format, results.created_at) == ("json v2", "2024-05-01T10:00:00Z")
    assert results.declared is None, "these releases counted errors as failures"


def test_what_promptfoo_puts_into_the_variables_is_no_part_of_the_test() -> None:
    # attachConversationVar, getEvalRuntimeVars, getSessionId(response, { vars })
    added = [{"q": "a", "_conversation": [{"output": str(n)}], "__repeatIndex": n} for n in range(2)]
    rows = [old_row("a", vars={**variables, "sessionId": n}) for n, variables in enumerate(added)]
    assert [len(case.runs) for case in imported(old_export(*rows)).cases] == [2]

    tests = [row(n, testCase={"vars": variables}) for n, variables in enumerate(added)]
    assert [len(case.runs) for case in read(*tests).cases] == [2]


@pytest.mark.parametrize("name", ["_x", "sessionId", "q"])
def test_any_other_variable_makes_another_test(name: str) -> None:
    assert len(read(*(row(n, testCase={"vars": {name: n}}) for n in range(2))).cases) == 2


def test_totals_without_errors_count_them_as_failures() -> None:
    broken = {"success": False, "score": 0, "error": "timeout", "gradingResult": None}
    rows = [old_row("a"), old_row("b", **broken)]
    imported(old_export(*rows, stats={"successes": 1, "failures": 1}))

    assert refused(old_export(*rows, stats={"successes": 1, "failures": 0})) == [
        (
            "out.json: results.stats: counts 0 failures, but the file holds 1. "
            "Rows were lost or added after promptfoo counted; export the evaluation again."
        )
    ]


@pytest.mark.parametrize("stats", [None, {}, [], {"successes": None}, {"successes": True, "failures": "1"}])
def test_totals_that_are_not_there_are_not_held_against_the_rows(stats: Any) -> None:
    results = imported(old_export(old_row("a"), stats=stats))
    assert results.declared is None


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("successes", "counts 3 successes, but the file holds 2."),
        ("failures", "counts 2 failures, but the file holds 1."),
        ("errors", "counts 1 errors, but the file holds 0."),
    ],
)
def test_totals_that_disagree_are_refused(name: str, line: str) -> None:
    rows = [row(0), asking("b", 1), failed(2)]
    right = export(*rows)
    imported(right)

    wrong = copy.deepcopy(right)
    wrong.value["results"]["stats"][name] += 1
    assert refused(wrong) == [
        f"out.json: results.stats: {line} Rows were lost or added after promptfoo counted; export the evaluation again."
    ]


def test_zero_rows_are_refused() -> None:
    line = "out.json: holds no rows. Perhaps a filter matched no test."
    assert refused(export()) == [line]
    assert refused(Content("json", summary([]))) == [line]


@pytest.mark.parametrize(
    "second",
    [
        {"id": "row-0"},
        {"testIdx": 0, "promptIdx": 0},
        {"testIdx": 0, "promptIdx": 0, "id": ...},
    ],
)
def test_a_row_that_stands_twice_is_refused(second: dict[str, Any]) -> None:
    content = export(row(0), row(1, **second))
    assert refused(content) == [
        (
            "out.json: results.results[1]: is the same row as results.results[0]. "
            "Export the evaluation again; its rows are counted once."
        )
    ]
    assert refused(Content("jsonl", content.value["results"]["results"])) == [
        "out.json: row 2: is the same row as row 1. Export the evaluation again; its rows are counted once."
    ]


@pytest.mark.parametrize(
    "second",
    [
        {"testIdx": 0, "promptIdx": 1, "id": "x"},
        {"testIdx": 0, "promptIdx": 0, "id": "x", "repeatIndex": 1},
        {"testIdx": 0, "promptIdx": 0, "id": "x", "provider": {"id": "other"}},
        {"testIdx": ..., "id": ...},
    ],
)
def test_the_nearest_rows_that_differ_are_read(second: dict[str, Any]) -> None:
    assert sum(len(case.runs) for case in read(row(0), row(1, **second)).cases) == 2


@pytest.mark.parametrize(
    ("broken", "line"),
    [
        ("text", "is no object. Give the file as promptfoo wrote it."),
        (None, "is no object. Give the file as promptfoo wrote it."),
        (row(1, success=...), ("has no `success` of true or false, so nothing says whether it passed. "
         "Give the file as promptfoo wrote it.")),
        (row(1, success="true"), ("has no `success` of true or false, so nothing says whether it passed. "
         "Give the file as promptfoo wrote it.")),
        (row(1, score=...), "has no finite `score`. Give the file as promptfoo wrote it."),
        (row(1, score="1"), "has no finite `score`. Give the file as promptfoo wrote it."),
        (row(1, score=True), "has no finite `score`. Give the file as promptfoo wrote it."),
        (failed(1, score=None), "has no finite `score`. Give the file as promptfoo wrote it."),
        (row(1, score=10**400), "has no finite `score`. Give the file as promptfoo wrote it."),
    ],
)  # fmt: skip
def test_a_row_without_what_decides_is_refused(broken: Any, line: str) -> None:
    assert refused(export(row(0), broken)) == [f"out.json: results.results[1]: {line}"]


def test_all_broken_rows_are_listed_at_once() -> None:
    assert len(refused(export(row(0, score=...), "x", row(0)))) == 3


@pytest.mark.parametrize(
    "content",
    [
        Content("json", {"results": {"results": {}}}),
        Content("json", {"results": []}),
        Content("json", {"results": [{"success": True}]}),
        Content("json", {"results": 3}),
        Content("json", []),
        Content("json", None),
        Content("json", {"success": True}),
        Content("jsonl", [row(0), {"success": True}]),
        Content("jsonl", [1, 2]),
    ],
    ids=repr,
)
def test_what_has_another_shape_is_in_no_known_format(content: Content) -> None:
    hint = "Known formats: evalgate.results/1, promptfoo, junit, inspect."
    assert refused(content) == [f"out.json: is in no format that evalgate knows. {hint}"]
    assert problems(lambda: importers.read(content, SOURCE, "promptfoo")) == [f"out.json: is no promptfoo file. {hint}"]


def test_the_format_can_be_given() -> None:
    assert importers.read(export(row()), SOURCE, "promptfoo") == importers.read(export(row()), SOURCE)
    assert problems(lambda: importers.read(export(row()), SOURCE, "junit")) == [
        "out.json: is no junit file. Known formats: evalgate.results/1, promptfoo, junit, inspect."
    ]


def test_rows_alone_are_recognised() -> None:
    rows = [row(0), asking("b", 1)]
    assert imported(Content("jsonl", rows)).cases == imported(export(*rows)).cases
    assert imported(Content("json", rows[0])).cases == imported(export(rows[0])).cases
    assert imported(Content("json", summary(rows))).cases == imported(export(*rows)).cases


def test_the_same_rows_give_the_same_bytes() -> None:
    content = export(row(0), asking("b", 1), failed(2))
    texts = {importers.read(copy.deepcopy(content), SOURCE).model_dump_json(by_alias=True) for _ in range(3)}
    assert len(texts) == 1


def test_imported_results_are_a_file_of_our_own() -> None:
    results = read(row(0), failed(1), asking("b", 2, success=False, failureReason=2))
    text = results.model_dump_json(by_alias=True, exclude_defaults=True)

    assert Results.model_validate_json(text) == results
    assert json.loads(text)["source"] == {"path": "out.json", "sha256": "0" * 64, "bytes": 1}


@pytest.mark.parametrize(
    ("created", "moment"),
    [
        ("2026-11-30T17:28:59.971Z", "2026-11-30T17:28:59Z"),
        ("2026-11-30T17:28:59+02:00", "2026-11-30T15:28:59Z"),
        ("2026-11-30T17:28:59", None),
        ("yesterday", None),
        ("0001-01-01T00:00:00Z", None),
        ("9999-12-31T23:59:59-14:00", None),
        (17, None),
    ],
)
def test_a_time_without_a_zone_or_sense_is_unknown(created: Any, moment: str | None) -> None:
    content = export(row())
    content.value["metadata"]["evaluationCreatedAt"] = created
    assert imported(content).created_at == moment


def test_named_scores_that_would_be_one_name_are_refused() -> None:
    [told] = refused(export(row(namedScores={"q": 0.0, "q ": 1.0})))
    assert "has two named scores whose names are the same but for white space. Rename one." in told
    assert only_run(namedScores={"q": 0.0, "q x": 1.0}).metrics == {"q": 0.0, "q x": 1.0}


@pytest.mark.parametrize("version", [1, 4, "3"])
def test_a_version_that_nobody_has_seen_is_refused(version: Any) -> None:
    assert any(
        "but this evalgate reads 2 and 3." in told
        for told in refused(Content("json", {"results": summary([row()], version=version)}))
    )


def test_a_file_without_a_version_is_read_by_its_shape() -> None:
    assert len(imported(Content("json", {"results": summary([row()], version=None)})).cases) == 1
