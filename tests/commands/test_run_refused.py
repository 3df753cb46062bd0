"""`run` refuses to start, before anything is asked, where its results could not be believed or paid for."""

from pathlib import Path

import pytest

from evalgate.boundary import run
from tests.chat.made import Making, fair
from tests.chat.server import serving
from tests.chat.suite import case_files, make_suite

FAMILY_TWO = '[[models]]\nname = "cousin"\nfamily = "TWO"\nendpoint = "http://127.0.0.1:1/v1"\n'
FREE = "usd_per_mtok_in = 0\nusd_per_mtok_out = 0\n"


def lane(model: str, more: str = "") -> str:
    """A second lane, and the case that runs on it, by verb."""
    return f'[skills.draft]\nprompt = "skills/notes.md"\nmodel = "{model}"\n{more}\n'


def test_invariant_3_a_judge_of_the_subjects_family_is_refused_naming_both(made: Making) -> None:
    came = made(fair, files=case_files("z", tier2='verb = "draft"'), more=lane("cousin") + FAMILY_TWO + FREE)

    assert (came.code, came.asked) == (2, [])
    assert "judge-1 and the subject cousin are both of family TWO" in came.err


def test_invariant_3_the_fallback_counts_as_a_subject(made: Making) -> None:
    came = made(fair, more='fallback = "cousin"\n' + FAMILY_TWO + FREE)

    assert (came.code, came.asked) == (2, [])
    assert "judge-1 and the subject cousin are both of family TWO" in came.err


@pytest.mark.parametrize("whose", ["subject", "judge"])
def test_invariant_3_a_family_that_nobody_declared_is_refused(
    whose: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(fair) as chat:
        clone = make_suite(tmp_path, chat.url)
        text = (tmp_path / "evalgate.toml").read_text(encoding="utf-8")
        family = 'family = "one"\n' if whose == "subject" else 'family = "two"\n'
        (tmp_path / "evalgate.toml").write_text(text.replace(family, ""), encoding="utf-8")
        monkeypatch.chdir(clone.root)
        assert run(["run", "--group", "skills"]) == 2
    assert f"models[{whose}-1].family: is missing. Say whose model it is" in capsys.readouterr().err
    assert chat.asked == []


def test_every_problem_of_the_cases_is_told_at_once(made: Making) -> None:
    files = {
        **case_files("x", keys='scope = [{ pattern = "(?<=a)b", why = "x" }]'),
        **case_files("y", tier2='reply = "evals/reply.json"'),
        "evals/reply.json": '{"type": 7}',
    }
    came = made(fair, files=files)

    assert (came.code, came.asked) == (2, [])
    for told in ("notes/x/case.toml: scope[0].pattern: ", "look-around", "evals/reply.json: $.type: 7 is not valid"):
        assert told in came.err


def test_every_problem_of_the_plan_is_told_at_once(made: Making) -> None:
    files = {**case_files("w", tier2='verb = "nobody"'), **case_files("z", tier2='command = ["make"]')}
    came = made(fair, files=files, subject='api_key_env = "NOT_SET_ANYWHERE"')

    assert (came.code, came.asked) == (2, [])
    for told in (
        "evalgate.toml: skills.nobody: is missing. Case notes/w runs on it",
        "NOT_SET_ANYWHERE is not set",
        "notes/z/case.toml: tier2.command: 'make' is no command that may be run",
        "notes/z/case.toml: tier2.family: is missing",
    ):
        assert told in came.err


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"subject": 'api_key_env = "NOT_SET_ANYWHERE"'}, "models[subject-1].api_key_env: NOT_SET_ANYWHERE is not set"),
        ({"more": 'fallback = "nobody"'}, "skills.notes.fallback: 'nobody' is not among [[models]]"),
        ({"files": {"skills/notes.md": " \n"}}, "skills.notes.prompt: skills/notes.md says nothing"),
        (
            {"files": {"evals/cases/notes/a/rubric.md": "\n"}},
            "notes/a/case.toml: tier2.rubric: says nothing to judge by",
        ),
        (
            {"more": 'fallback = "bare"\n[[models]]\nname = "bare"\nfamily = "x"\n' + FREE},
            "models[bare].endpoint: is missing",
        ),
        (
            {"more": 'fallback = "b"\n[[models]]\nname = "b"\nfamily = "x"\nendpoint = "http://127.0.0.1:1/"\n'},
            "models[b]: has no price, so max_usd of group skills could not be held",
        ),
        ({"judged_by": ""}, "evalgate.toml: judge: is missing. Name one of [[models]]"),
    ],
    ids=str,
)
def test_what_would_come_out_in_the_middle_is_told_before(made: Making, more: dict[str, str], told: str) -> None:
    came = made(fair, **more)
    assert (came.code, came.asked) == (2, [])
    assert told in came.err


@pytest.mark.parametrize(
    ("group", "told"),
    [
        ("nope", "there is no group 'nope'. Groups: skills, other."),
        ("other", "groups.other: no case of this group is run again."),
    ],
)
def test_a_group_without_anything_to_run_is_refused(made: Making, group: str, told: str) -> None:
    came = made(fair, group=group)
    assert came.code == 2
    assert told in came.err


@pytest.mark.parametrize("shard", ["0/2", "3/2", "1", "a/b", "1/2/3", ""])
def test_a_shard_is_one_of_so_many(shard: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "--group", "g", "--shard", shard]) == 2
    assert "is no shard. Write 2/5" in capsys.readouterr().err


def test_resuming_needs_a_journal(made: Making) -> None:
    came = made(fair, "--resume")
    assert (came.code, came.asked) == (2, [])
    assert "there is no journal to resume" in came.err
