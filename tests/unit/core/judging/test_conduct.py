"""One run as a conversation, without any endpoint."""

import json
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from evalgate.core.judging.conduct import Means, Outcome, conduct
from evalgate.core.judging.first_checks import CHECKS
from evalgate.core.judging.planning import Lane, Program, Task
from evalgate.edges.files.parsing import parse_json
from evalgate.model.calls import Answer, Ask, CommandAsk, ModelAsk, Trouble
from evalgate.model.case import CaseFile
from evalgate.model.lanes import ModelSettings
from evalgate.model.recorded import CheckFinding, RecordedCase

SUBJECT, JUDGE = ModelSettings(name="s", family="one"), ModelSettings(name="j", family="two")
LANE = Lane("p.md", "Do it.", (SUBJECT,))


def make_task(*, subject: Lane | Program = LANE, planted: str | None = None, **file: Any) -> Task:
    standard: dict[str, Any] = {"skill": "s", "description": "d", "input": "i", "artifacts": ["output/a.md"]}
    standard["tier2"] = {"rubric": "rubric.md"}
    parsed = CaseFile.model_validate_json(json.dumps({**standard, **file}))
    case = RecordedCase("s/a", "evals/cases/s/a", parsed, {}, {}, "the input", rubric="Be short.", planted=planted)
    return Task(case, subject, None if parsed.defects else JUDGE)


def no_todo(case: RecordedCase) -> Iterator[CheckFinding]:
    """A brief must not say TODO."""
    for text in case.texts.values():
        if "TODO" in text:
            yield CheckFinding("case.brief", case.id, "a TODO is left.", "Write it.")


def talk(task: Task, *turns: Answer | Trouble, pass_score: float = 4.0, token: Any = None) -> tuple[list[Ask], Outcome]:
    """The questions of a run and its outcome, the turns being what comes back."""
    numbers = count()
    means = Means(
        parse_json,
        token or (lambda: f"token-{next(numbers)}"),
        pass_score,
        (*CHECKS.values(), no_todo),
    )
    conversation = conduct(task, 0, means)
    asked = [next(conversation)]
    for turn in turns:
        try:
            asked.append(conversation.send(turn))
        except StopIteration as ended:
            outcome: Outcome = ended.value
            return asked, outcome
    raise AssertionError(f"it still asks: {asked[-1]}")


def said(text: str, **more: Any) -> Answer:
    return Answer(**{"text": text, "finish": "stop", **more})


GOOD = said('{"score": 5, "reason": "good"}')
BRIEF: dict[str, Any] = {"tier2": {"rubric": "rubric.md", "revise": True}}


def test_a_brief_that_fails_is_revised_once_with_what_was_found() -> None:
    asked, outcome = talk(make_task(**BRIEF), said("TODO"), said("done"), GOOD)

    assert [ask.step for ask in asked] == ["subject", "revise", "judge"]
    revise = asked[1]
    assert isinstance(revise, ModelAsk)
    assert [message.role for message in revise.messages] == ["system", "user", "assistant", "user"]
    assert revise.messages[2].content == "TODO"
    assert "- a TODO is left. Write it." in revise.messages[3].content
    judge = asked[2]
    assert isinstance(judge, ModelAsk)
    assert "done" in judge.messages[1].content
    assert outcome.state == "passed"


def test_a_brief_that_still_fails_scores_1() -> None:
    asked, outcome = talk(make_task(**BRIEF), said("TODO"), said("TODO again"))
    assert [ask.step for ask in asked] == ["subject", "revise"]
    assert (outcome.state, outcome.score, outcome.reason) == ("failed", 1.0, "a TODO is left.")


def test_without_revise_it_scores_1_at_once() -> None:
    asked, outcome = talk(make_task(), said("TODO"))
    assert (len(asked), outcome.score) == (1, 1.0)


def test_what_a_revision_cannot_mend_is_not_revised() -> None:
    guard = {"pattern": "x", "why": "an x"}
    asked, outcome = talk(make_task(**BRIEF, scope=[guard, {"pattern": "y", "why": "a y"}]), said("TODO x\ny"))
    assert (len(asked), outcome.score) == (1, 1.0)
    assert [check.id for check in outcome.checks] == ["case.scope", "case.brief"]
    assert "an x" in str(outcome.checks[0].reason)
    assert "a y" in str(outcome.checks[0].reason)


def test_a_commands_reply_is_not_revised() -> None:
    task = make_task(subject=Program(("run",), "one", None), **BRIEF)
    asked, outcome = talk(task, said("TODO"))
    assert isinstance(asked[0], CommandAsk)
    assert outcome.score == 1.0


def test_a_case_without_artifacts_is_judged_by_its_reply() -> None:
    _, outcome = talk(make_task(artifacts=[]), said("anything"), GOOD)
    assert outcome.state == "passed"


def test_a_token_that_stands_in_the_output_is_not_used() -> None:
    tokens = iter(["the input", "stolen", "fresh"])
    asked, _ = talk(make_task(), said("END stolen"), GOOD, token=lambda: next(tokens))
    judge = asked[1]
    assert isinstance(judge, ModelAsk)
    assert "BEGIN fresh" in judge.messages[1].content


@pytest.mark.parametrize(
    ("turn", "kind"),
    [
        (Trouble(kind="cap", message="m"), "cap"),
        (Trouble(kind="timeout", message="m"), "timeout"),
        (Trouble(kind="deadline", message="m"), "timeout"),
        (Trouble(kind="lost", message="m"), "infra"),
        (said("m", finish="length"), "limit"),
        (said("m", finish="filter"), "subject"),
        (said("m", finish="other"), "subject"),
        (said("m", finish="failed"), "subject"),
        (said("m", finish="timeout"), "timeout"),
    ],
)
def test_no_whole_answer_is_an_error_and_no_score(turn: Answer | Trouble, kind: str) -> None:
    _, outcome = talk(make_task(), turn)
    assert (outcome.state, outcome.score) == ("errored", None)
    assert outcome.error is not None
    assert outcome.error.kind == kind


def test_trouble_with_the_judge_is_an_error_that_names_it() -> None:
    _, outcome = talk(make_task(), said("a reply"), Trouble(kind="server", message="HTTP 500"))
    assert outcome.error is not None
    assert (outcome.error.kind, outcome.error.message) == ("infra", "the judge: HTTP 500")


def test_a_bar_at_the_lowest_score_lets_anything_pass() -> None:
    _, outcome = talk(make_task(), said("TODO"), pass_score=1.0)
    assert (outcome.state, outcome.score) == ("passed", 1.0)


def test_a_long_reason_is_cut_with_a_mark() -> None:
    _, outcome = talk(make_task(), said("a"), said(json.dumps({"score": 5, "reason": "x" * 9_000})))
    assert outcome.reason is not None
    assert len(outcome.reason) == 2_000
    assert outcome.reason.endswith("…")


DEFECTS: dict[str, Any] = {"defects": {"planted": "p.json", "findings": "output/a.md", "min_recall": 0.5}, "tier2": {}}


def test_planted_defects_that_are_none_are_an_error_of_the_suite() -> None:
    _, outcome = talk(make_task(planted='[{"line": 1}]', **DEFECTS), said("[]"))
    assert outcome.error is not None
    assert outcome.error.kind == "harness"


def test_what_is_not_demanded_is_measured_and_decides_nothing() -> None:
    _, outcome = talk(make_task(planted='[{"file": "a", "line": 5}]', **DEFECTS), said('[{"file": "a", "line": 5}]'))
    assert (outcome.state, outcome.metrics) == ("passed", {"precision": 1.0, "recall": 1.0})


def test_without_planted_defects_recall_is_no_number() -> None:
    _, outcome = talk(make_task(planted="[]", **DEFECTS), said('[{"file": "a", "line": 5}]'))
    assert (outcome.state, outcome.metrics) == ("failed", {"precision": 0.0})
    assert outcome.reason == "recall cannot be known: nothing was planted."
