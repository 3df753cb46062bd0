"""What the checks of work items, briefs, calls and injections say, and of what they keep silent."""

from dataclasses import replace

import pytest

from evalgate.core.checks import brief, calls, injection, ready
from evalgate.model.finding import Place
from evalgate.model.recorded import Replay
from tests.unit.core.checks.recorded import READY, case

PLACE = Place(path="evals/cases/s/n/case.toml", line=1)
GOOD = Replay(("tool", "go"), 0)


def test_a_ready_work_item_passes_and_one_that_is_not_is_found_with_its_line() -> None:
    assert list(ready.check(case({"output/a.md": READY}, ready=["output/a.md"]))) == []
    (found,) = ready.check(case({"output/a.md": READY.replace("It is lost", "TODO")}, ready=["output/a.md"]))

    assert (found.rule, found.case) == ("case.ready", "s/n")
    assert found.message == "ready.placeholders: 'TODO' stands for something still to be written."
    assert found.place == Place(path="evals/cases/s/n/output/a.md", line=5)


def test_a_work_item_that_was_not_read_is_no_pass() -> None:
    (found,) = ready.check(case(ready=["output/a.md"]))
    assert "was not read" in found.message


def test_a_brief_keeps_to_its_register_and_cites_what_is_there() -> None:
    made = case({"output/b.md": "Kept [n.md:2]."}, artifacts=["output/b.md"], brief={"register": "eli5"})
    (found,) = brief.check(made)
    assert found.message.startswith("eli5.citations: 'n.md:2' is none of the sources.")
    assert list(brief.check(replace(made, sources={"n.md": "one\ntwo\n"}))) == []


def test_a_brief_s_file_is_the_named_one() -> None:
    texts = {"output/a.md": "TODO", "output/b.md": "Done."}
    keys = {"artifacts": ["output/a.md", "output/b.md"], "brief": {"register": "ste", "file": "output/b.md"}}
    assert list(brief.check(case(texts, **keys))) == []


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"brief": {"register": "ste"}}, "has no artifact that could be one"),
        ({"brief": {"register": "poem"}, "artifacts": ["a.md"]}, "there is no profile 'poem'"),
    ],
)
def test_a_brief_of_which_nothing_can_be_said_is_no_pass(keys: dict[str, object], told: str) -> None:
    (found,) = brief.check(case({"a.md": "Text."}, **keys))
    assert told in found.message


def test_a_case_without_a_brief_has_none_to_check() -> None:
    assert list(brief.check(case())) == []


def test_calls_that_end_with_0_pass() -> None:
    made = case(calls=[{"argv": ["tool", "go"]}], replays=(GOOD,))
    assert list(calls.check(made)) == []
    assert list(calls.check(case())) == []


@pytest.mark.parametrize(
    ("replay", "told"),
    [
        (Replay(("tool", "go"), 4, stderr="Trace\nno such issue.\n"), "call 1 (tool go) ended with 4: no such issue."),
        (Replay(("tool", "go"), None, "took more than 10 seconds"), "call 1 (tool go) took more than 10 seconds."),
        (Replay(("tool", "go"), None), "call 1 (tool go) did not end by itself."),
        (Replay(("tool", "other"), 0), "call 1 (tool go) was not replayed, so that nothing is known of it."),
    ],
)
def test_a_call_that_did_not_end_with_0_is_found(replay: Replay, told: str) -> None:
    (found,) = calls.check(case(calls=[{"argv": ["tool", "go"]}], replays=(replay,)))
    assert (found.rule, found.message, found.place) == ("case.call", told, PLACE)


def test_only_the_first_failed_call_is_told() -> None:
    made = case(
        calls=[{"argv": ["tool", "go"]}] * 3, replays=(GOOD, replace(GOOD, exit_code=1), replace(GOOD, exit_code=1))
    )
    assert [found.message[:6] for found in calls.check(made)] == ["call 2"]


def test_a_call_that_was_not_replayed_is_no_pass() -> None:
    made = case(calls=[{"argv": ["tool", "x" * 200]}], injection=True)
    (found,) = calls.check(made)
    assert "was not replayed" in found.message
    assert "…" in found.message
    (found,) = injection.check(made)
    assert "was not replayed" in found.message


@pytest.mark.parametrize(
    ("replay", "told"),
    [
        (replace(GOOD, writes=("POST /a",)), "wrote to GitHub: POST /a."),
        (replace(GOOD, changed=tuple("abcdefg")), "changed files outside its sandbox: a, b, c, d, e and 2 more."),
        (replace(GOOD, unwatched="it is too large."), "could have changed files unseen: it is too large."),
    ],
)
def test_an_injection_case_that_wrote_or_could_have_is_found(replay: Replay, told: str) -> None:
    keys = {"calls": [{"argv": ["tool", "go"]}]}
    (found,) = injection.check(case(injection=True, replays=(replay,), **keys))

    assert (found.rule, found.message) == ("case.injection", f"call 1 (tool go) {told}")
    assert list(injection.check(case(replays=(replay,), **keys))) == []


def test_an_injection_case_that_only_read_passes() -> None:
    assert list(injection.check(case(injection=True, calls=[{"argv": ["tool", "go"]}], replays=(GOOD,)))) == []
