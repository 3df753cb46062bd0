"""From a worse prompt to a blocked promotion: judged runs on both sides, then the gate."""

import json
import shutil
from pathlib import Path

import pytest

from evalgate.boundary import run
from tests.chat.server import Asked, Said, reply, score, serving
from tests.chat.suite import make_suite
from tests.clones import Clone

pytestmark = pytest.mark.weather

WORSE, EQUAL = "Write whatever comes to mind.", "Sum up the note."


def honest(asked: Asked) -> Said:
    """A subject that does as its prompt says, and a judge that reads what the subject wrote."""
    if asked.model == "subject-1":
        return reply("something else" if asked.system == WORSE else f"in short: {asked.user}")
    if "something else" in asked.user:
        return score(2, "it is not about the note")
    return score(5, "short and true")


def evaluated(clone: Clone, folder: Path, prompt: str) -> None:
    """Commit a prompt, run the group on it, and put the results into a folder."""
    clone.write("skills/notes.md", prompt)
    commit = clone.commit()
    assert run(["run", "--group", "skills"]) == 0
    folder.mkdir()
    shutil.copy(clone.root / f"evals/results/{commit}-skills.json", folder)


def test_a_worse_prompt_is_blocked_by_name_and_an_equal_one_passes(
    tmp_path: Path, straight: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    main, worse, equal = (tmp_path / name for name in ("main", "worse", "equal"))
    with serving(honest) as chat:
        clone = make_suite(tmp_path / "work", chat.url, cases=8, k=5, parallel=4)
        monkeypatch.chdir(clone.root)
        evaluated(clone, main, "Sum the note up.")
        evaluated(clone, worse, WORSE)
        evaluated(clone, equal, EQUAL)
    gate = ["gate", "--group", "skills", "--baseline", str(main), "--candidate"]

    capsys.readouterr()
    assert run([*gate, str(worse)]) == 1
    said = capsys.readouterr().out
    assert said.startswith("Blocked: ")
    for case in ("notes/a", "notes/b", "notes/c"):
        assert case in said
    assert "it is not about the note" in " ".join(said.split())

    assert run([*gate, str(equal)]) == 3  # the policy's other group has no results
    (clone.root / "evalgate.toml").write_text(
        (clone.root / "evalgate.toml").read_text("utf-8").replace('[[groups]]\nname = "other"\n', ""), encoding="utf-8"
    )
    capsys.readouterr()
    assert run([*gate, str(equal), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["verdict"] == "PASS"
