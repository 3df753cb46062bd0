"""The cap of a group holds, and what it leaves undone is counted."""

import pytest

from tests.chat.made import Making, fair, scripted
from tests.chat.server import CUT_OFF, refusal, reply
from tests.chat.suite import case_files, results, runs

pytestmark = pytest.mark.weather


def spent(document: dict[str, object]) -> float:
    return float(sum(each.get("cost_usd", 0) + each.get("judge_cost_usd", 0) for each in runs(document)))


def test_the_cap_makes_the_remaining_runs_errors(made: Making) -> None:
    came = made(fair, cases=4, k=4, max_usd=0.02, parallel=4)

    document = results(came.clone)
    states = [each["state"] for each in runs(document)]
    assert len(states) == 16
    assert {"passed", "errored"} == set(states)
    assert {each["error"]["kind"] for each in runs(document) if each["state"] == "errored"} == {"cap"}
    assert spent(document) <= 0.02
    assert "errored (cap): " in came.err
    assert "spend cap: the worst case of the next question" in came.err


def test_a_run_that_was_never_begun_cost_nothing(made: Making) -> None:
    came = made(fair, max_usd=0.0)

    assert (came.code, came.asked) == (3, [])
    assert (came.run["cost_usd"], came.run["judge_cost_usd"]) == (0.0, 0.0)


@pytest.mark.parametrize("parallel", [1, 16])
def test_the_cap_is_never_exceeded_even_where_every_answer_is_as_dear_as_can_be(made: Making, parallel: int) -> None:
    came = made(scripted([reply("x", tokens=(100, 200))] * 99), cases=4, k=8, max_usd=0.03, parallel=parallel)
    assert spent(results(came.clone)) <= 0.03
    assert any(each["state"] == "errored" for each in runs(results(came.clone)))


def test_each_attempt_whose_answer_is_lost_counts_under_the_cap(made: Making) -> None:
    came = made(scripted([CUT_OFF] * 9), max_usd=0.006)

    assert came.run["error"]["kind"] == "cap"
    assert len(came.asked) == 2
    assert came.run["cost_usd"] <= 0.006


def test_refused_questions_cost_nothing(made: Making) -> None:
    came = made(scripted([refusal(400)]))
    assert came.run["cost_usd"] == 0.0


def test_without_a_cap_prices_are_not_needed_and_costs_are_unknown(made: Making) -> None:
    files = {path.replace("/notes/", "/other/"): text for path, text in case_files("a").items()}
    files["evals/cases/other/a/case.toml"] = files["evals/cases/other/a/case.toml"].replace('"notes"', '"other"')
    bare = '[[models]]\nname = "bare"\nfamily = "x"\nendpoint = "URL"\n'
    lane = '[skills.other]\nprompt = "skills/notes.md"\nmodel = "bare"\n'
    came = made(fair, group="other", files=files, more=bare + lane)

    [run] = runs(results(came.clone, "other"))
    assert (came.code, run["state"]) == (0, "passed")
    assert "cost_usd" not in run
    assert run["judge_cost_usd"] > 0
    assert "Cost: unknown, since a model has no prices; there is no max_usd." in came.err
