"""`run` makes judged runs on models behind a real endpoint, scripted request by request."""

import json
import threading
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from evalgate.boundary import run
from tests.chat.made import Making, fair, scripted
from tests.chat.server import CUT_OFF, HANG, Asked, Said, refusal, reply, score, serving
from tests.chat.suite import make_suite, policy, results, runs


def test_a_groups_cases_are_run_judged_and_bound_to_the_commit(made: Making) -> None:
    came = made(fair, cases=2, k=2)
    document = results(came.clone)

    assert came.code == 0
    assert document["commit"] == came.clone.git("rev-parse", "HEAD")
    assert document["inputs_digest"].startswith("sha256:")
    assert (document["status"], document["planned"]) == ("complete", {"cases": 2, "runs": 4})
    assert (document["judge"]["model"], document["judge"]["family"]) == ("judge-1", "two")
    assert (document["subject"]["model"], document["subject"]["family"]) == ("subject-1", "one")
    assert [case["id"] for case in document["cases"]] == ["notes/a", "notes/b"]
    judged = [(each["state"], each["score"], each["reason"]) for each in runs(document)]
    assert judged == [("passed", 5.0, "short and true")] * 4


def test_costs_are_those_of_the_tokens_that_were_used(made: Making) -> None:
    came = made(scripted([reply("x", tokens=(1000, 100))], [score(4, tokens=(2000, 10))]))

    assert came.run["cost_usd"] == pytest.approx(1000 * 1e-6 + 100 * 10e-6)
    assert came.run["judge_cost_usd"] == pytest.approx(2000 * 2e-6 + 10 * 20e-6)
    document = results(came.clone)
    assert document["extra"]["spend"] == {"usd": pytest.approx(0.0062), "max_usd": 5.0}
    assert document["cases"][0]["extra"]["cost_usd"] == pytest.approx(0.0062)


def test_what_it_costs_is_told_before_anything_is_asked(made: Making) -> None:
    came = made(fair, cases=2, k=3, parallel=4)

    first, second, *_ = came.err.splitlines()
    assert first == "skills: 2 cases × 3 runs, up to 4 at once."
    assert second.startswith("Cost: about 0.0")
    assert second.endswith("USD; it stops at 5.0000 USD.")


def test_a_journal_is_gone_when_every_run_has_a_result(made: Making) -> None:
    came = made(fair)
    assert not list((came.clone.root / "evals/results").glob(".*"))


def test_the_subject_is_asked_with_the_prompt_under_test_and_the_cases_input(made: Making) -> None:
    [asked] = made(fair).asked_of("subject-1")

    assert asked.body["messages"] == [
        {"role": "system", "content": "Sum the note up."},
        {"role": "user", "content": "a note (a)"},
    ]
    assert asked.body["max_tokens"] == 200
    assert "stream" not in asked.body


def test_fields_of_the_policy_go_into_the_request(made: Making) -> None:
    came = made(fair, subject='limit_field = "max_completion_tokens"\nrequest = { temperature = 0.5 }')

    [asked] = came.asked_of("subject-1")
    assert (asked.body["max_completion_tokens"], asked.body["temperature"]) == (200, 0.5)
    assert "max_tokens" not in asked.body


@pytest.mark.parametrize("field", ["model", "messages", "stream", "n", "max_tokens", "max_completion_tokens"])
def test_fields_that_decide_what_is_asked_or_paid_are_not_the_policys(made: Making, field: str) -> None:
    came = made(fair, subject=f"request = {{ {field} = 2 }}")

    assert (came.code, came.asked) == (2, [])
    assert f"request: must not set {field}" in came.err


def test_a_score_below_pass_score_fails(made: Making) -> None:
    came = made(scripted(judge=[score(3, "one name is wrong")]))

    assert (came.code, came.run["state"], came.run["score"]) == (0, "failed", 3.0)
    assert came.run["reason"] == "one name is wrong"


@pytest.mark.parametrize(
    "first",
    [
        reply("I would say 5"),
        reply('{"score": 5}'),
        reply('{"score": 6, "reason": "beyond"}'),
        reply('{"score": 4.5, "reason": "between"}'),
        reply('{"score": true, "reason": "yes"}'),
        reply('{"score": "5", "reason": "as text"}'),
        reply('{"score": 5, "reason": "  "}'),
        reply('{"score": 5, "reason": "r", "more": 1}'),
        reply('{"score": 5, "score": 1, "reason": "twice"}'),
        reply('{"score": NaN, "reason": "r"}'),
        reply("[" * 100_000),
        reply(""),
        score(5, finish="length"),
    ],
    ids=lambda said: said.body[170:215].decode(errors="replace"),
)
def test_a_judgement_that_is_none_is_asked_for_once_more(made: Making, first: Said) -> None:
    came = made(scripted(judge=[first, score(2, "second")]))

    assert (came.run["state"], came.run["score"], came.run["reason"]) == ("failed", 2.0, "second")
    assert len(came.asked_of("judge-1")) == 2
    assert came.run["judge_cost_usd"] == pytest.approx(2 * (100 * 2e-6 + 50 * 20e-6))


def test_a_judgement_in_a_code_fence_is_one(made: Making) -> None:
    came = made(scripted(judge=[reply('```json\n{"score": 4, "reason": "good"}\n```')]))
    assert (came.run["state"], len(came.asked_of("judge-1"))) == ("passed", 1)


def test_invariant_4_a_judge_that_never_validates_makes_an_error_and_no_score(made: Making) -> None:
    came = made(scripted(judge=[reply("five"), reply("really five")]))

    assert came.code == 3  # no run has a result
    assert came.run["state"] == "errored"
    assert came.run["error"]["kind"] == "judge"
    assert "score" not in came.run
    assert len(came.asked_of("judge-1")) == 2


def test_invariant_4_a_reply_stopped_at_its_token_cap_is_an_error(made: Making) -> None:
    came = made(scripted([reply("it goes on and", finish="length")]))

    assert (came.run["state"], came.run["error"]["kind"]) == ("errored", "limit")
    assert came.asked_of("judge-1") == []
    assert came.run["cost_usd"] > 0


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (reply("", finish="content_filter"), "subject"),
        (reply(None, finish="tool_calls"), "subject"),
        (reply(None), "subject"),
        (Said(b"not json"), "infra"),
        (Said(b'{"choices": []}'), "infra"),
        (Said(b"[1]"), "infra"),
        (Said(b'{"choices": [{"message": "text"}]}'), "infra"),
        (refusal(400, "bad"), "infra"),
        (refusal(401, "no key"), "infra"),
        (Said(b"", 302, {"Location": "http://127.0.0.1:1/"}), "infra"),
    ],
    ids=str,
)
def test_what_is_no_whole_answer_is_an_error(made: Making, said: Said, kind: str) -> None:
    came = made(scripted([said] * 9))

    assert (came.code, came.run["state"], came.run["error"]["kind"]) == (3, "errored", kind)
    assert len(came.asked_of("subject-1")) == 1


def test_a_full_endpoint_is_asked_again_when_it_says(made: Making) -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=1), usegmt=True)
    busy = [refusal(429, Retry_After="0"), refusal(429, Retry_After="0.1"), refusal(503, Retry_After=soon)]
    came = made(scripted(busy))

    assert came.run["state"] == "passed"
    assert len(came.asked_of("subject-1")) == 4
    assert came.run["cost_usd"] == pytest.approx(600e-6)  # a refusal costs nothing


def test_without_retry_after_it_is_asked_again_a_little_later(made: Making) -> None:
    came = made(scripted([refusal(500), refusal(429)][:1]))
    assert (came.run["state"], len(came.asked_of("subject-1"))) == ("passed", 2)


def test_an_endpoint_that_stays_full_is_given_up(made: Making) -> None:
    came = made(scripted([refusal(429, "slow down", Retry_After="0")] * 9))

    assert (came.code, came.run["error"]["kind"]) == (3, "infra")
    assert came.run["error"]["message"] == "subject-1: HTTP 429: slow down"
    assert len(came.asked_of("subject-1")) == 4


def test_an_endpoint_that_asks_to_wait_for_hours_is_given_up_at_once(made: Making) -> None:
    came = made(scripted([refusal(429, Retry_After="7200")] * 9))
    assert (came.run["error"]["kind"], len(came.asked_of("subject-1"))) == ("infra", 1)


def test_the_fallback_answers_when_the_model_cannot_and_the_run_says_so(made: Making) -> None:
    def script(asked: Asked) -> Said:
        return refusal(400) if asked.model == "subject-1" else fair(asked)

    came = made(script, more='fallback = "spare-1"')
    assert came.run["state"] == "passed"
    assert came.run["extra"]["models"] == ["spare-1"]


def test_an_answer_that_never_comes_is_waited_for_so_long_and_paid_in_full(made: Making) -> None:
    came = made(scripted([HANG] * 9), timeout=0.3, deadline=3.0)

    assert (came.run["state"], came.run["error"]["kind"]) == ("errored", "timeout")
    assert came.run["extra"]["cost"] == "upper bound"
    assert came.run["cost_usd"] > 200 * 10e-6


def test_a_connection_that_breaks_off_is_tried_again_and_may_have_cost(made: Making) -> None:
    came = made(scripted([CUT_OFF]))

    assert (came.run["state"], len(came.asked_of("subject-1"))) == ("passed", 2)
    assert came.run["extra"]["cost"] == "upper bound"


@pytest.mark.parametrize("usage", [None, (5, 0), (-1, 3)], ids=str)
def test_unknown_usage_is_taken_at_its_worst_and_never_as_nothing(made: Making, usage: tuple[int, int] | None) -> None:
    came = made(scripted([reply("a note", tokens=usage)]))

    assert came.run["state"] == "passed"
    assert came.run["extra"]["cost"] == "upper bound"
    assert came.run["cost_usd"] > 200 * 10e-6
    assert "tokens" not in came.run


def test_the_deadline_leaves_errors_and_no_gaps(made: Making) -> None:
    came = made(scripted([HANG] * 99), cases=3, k=2, timeout=30.0, deadline=0.5, parallel=2)

    assert came.code == 3
    assert [(each["state"], each["error"]["kind"]) for each in runs(results(came.clone))] == [
        ("errored", "timeout")
    ] * 6
    asked = [each["cost_usd"] for each in runs(results(came.clone)) if "extra" in each]
    assert len(asked) == 2  # what is under way may be charged, and counts in full
    assert min(asked) > 200 * 10e-6


def test_so_many_runs_are_under_way_at_once_and_no_more(
    tmp_path: Path, straight: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = threading.Barrier(3, timeout=10)

    def script(asked: Asked) -> Said:
        if asked.model == "subject-1":
            together.wait()
        return fair(asked)

    with serving(script) as chat:
        monkeypatch.chdir(make_suite(tmp_path, chat.url, cases=3, k=2, parallel=3).root)
        assert run(["run", "--group", "skills"]) == 0
    assert chat.most_at_once == 3


def test_logs_show_nothing_raw_of_what_models_say(made: Making) -> None:
    nasty = "\x1b[2J\r\n::error::forged\n##[group]x"
    came = made(scripted([refusal(400, nasty)]))

    assert not {"\x1b", "\r"} & set(came.err)
    assert not any(row.lstrip().startswith("::") or "##[" in row for row in came.err.splitlines())
    assert came.run["error"]["message"].endswith(nasty)


def test_the_key_goes_to_its_endpoint_alone_and_never_into_messages(
    made: Making, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_KEY", "sk-secret-1")
    came = made(scripted([refusal(401, "wrong key sk-secret-1")]), subject='api_key_env = "A_KEY"')

    [asked] = came.asked_of("subject-1")
    assert asked.headers["authorization"] == "Bearer sk-secret-1"
    assert came.run["error"]["message"] == "subject-1: HTTP 401: wrong key ***"


def test_nothing_else_of_the_environment_goes_to_an_endpoint(made: Making, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", "sk-secret-1")
    for name in ("API_KEY", "ADMIN_KEY", "ORG_ID", "PROJECT_ID", "CUSTOM_HEADERS", "WEBHOOK_SECRET"):
        monkeypatch.setenv(f"OPENAI_{name}", "canary: canary")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/")
    came = made(fair, subject='api_key_env = "A_KEY"')
    assert not [asked for asked in came.asked if "canary" in str(asked.headers)]
    assert came.asked_of("subject-1")[0].headers["authorization"] == "Bearer sk-secret-1"
    assert "authorization" not in came.asked_of("judge-1")[0].headers


def test_only_what_the_policy_names_is_bound_to_the_commit(made: Making) -> None:
    def change(asked: Asked) -> Said:
        return fair(asked)

    came = made(change)
    (came.clone.root / "skills/notes.md").write_text("Other words.", encoding="utf-8")
    with serving(fair) as chat:
        (came.clone.root / "evalgate.toml").write_text(policy(chat.url, k=1), encoding="utf-8")
        assert run(["run", "--group", "skills"]) == 0
    document = json.loads((came.clone.root / "evals/results/uncommitted-skills.json").read_text(encoding="utf-8"))
    assert (document.get("commit"), document.get("inputs_digest")) == (None, None)
