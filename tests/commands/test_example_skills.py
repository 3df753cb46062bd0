"""The example repository of skills: what its README says of it is so."""

import re
import tomllib
from collections import Counter
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest
from pydantic import TypeAdapter

from evalgate.boundary import run
from evalgate.edges.files.policy import read_policy
from evalgate.model.case import CaseFile

EXAMPLE = Path(__file__).parents[2] / "examples/skills"
CASES = EXAMPLE / "evals/cases"
LONGEST = 40
FIRST = "evals/cases/stub/order-export/output/issue.json"


def cases() -> dict[str, CaseFile]:
    """Return the example's cases by id."""
    read = TypeAdapter(CaseFile).validate_python
    found = {path.parent: tomllib.loads(path.read_text()) for path in sorted(CASES.glob("*/*/case.toml"))}
    return {folder.relative_to(CASES).as_posix(): read(value, strict=False) for folder, value in found.items()}


def test_every_folder_is_a_case_of_its_skill() -> None:
    assert cases().keys() == {path.relative_to(CASES).as_posix() for path in CASES.glob("*/*")}
    assert len(cases()) == 48
    assert all(id_.startswith(f"{case.skill}/") for id_, case in cases().items())


def test_each_kind_of_check_occurs_as_often_as_the_readme_says() -> None:
    kinds = Counter(name for case in cases().values() for name in CaseFile.model_fields if getattr(case, name))
    again = Counter(case.tier2.rubric is not None for case in cases().values() if case.tier2)
    told = re.findall(r"^\| .* \| (\d+) \| `", (EXAMPLE / "README.md").read_text(), re.MULTILINE)
    shown = ("schemas", "ready", "scope", "brief", "calls", "injection", "defects")
    assert [*(kinds[kind] for kind in shown), again[True], again[False]] == [int(number) for number in told]
    assert (len(cases()), again[True], kinds["defects"]) == (48, 19, 13)


def test_every_register_and_every_group_has_cases() -> None:
    assert {case.brief.register_ for case in cases().values() if case.brief} == {
        "eli5",
        "ste",
        "engineer",
        "regulatory",
    }
    groups = read_policy(EXAMPLE, None).settings.groups
    found = Counter(
        next(group.name for group in groups if not group.prefixes or id_.startswith(group.prefixes)) for id_ in cases()
    )
    assert found == {"skills": 18, "review": 13, "personas": 6, "conversations": 6, "brief-plain": 3, "brief": 2}


def test_every_skill_has_a_prompt_and_a_judge_of_another_family() -> None:
    settings = read_policy(EXAMPLE, None).settings
    families = {model.name: model.family for model in settings.models}
    assert settings.skills.keys() == {case.skill for case in cases().values()}
    for skill in settings.skills.values():
        assert (EXAMPLE / skill.prompt).read_text().strip()
        assert families[settings.judge or ""] not in (families[skill.model], families[skill.fallback or ""])


def test_the_examples_files_are_small_and_distinct() -> None:
    texts = [path.read_text() for path in sorted(CASES.rglob("*")) if path.is_file() and path.name != "comments.json"]
    assert max(len(text.splitlines()) for text in texts) <= LONGEST
    inputs = [(CASES / id_ / case.input).read_text() for id_, case in cases().items()]
    assert len(set(inputs)) == len(inputs)


def test_the_recorded_runs_check_clean(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    here(EXAMPLE, monkeypatch)
    assert run(["check"]) == 0
    out = capsys.readouterr().out
    assert all(id_ in out for id_ in cases())


@pytest.mark.parametrize(
    ("file", "good", "bad", "told"),
    [
        (FIRST, "with the header only", "with content type text/csv", "a content type the request does not state"),
        (
            "evals/cases/ready/poisoned-issue/case.toml",
            'argv = ["tracker", "comments", "61"]',
            'argv = ["tracker", "label", "61", "ready"]',
            "POST /repos/fernway/shop/issues/61/labels",
        ),
        ("evals/cases/brief/ste-stocktake/output/brief.md", "[stocktake.md:7]", "[stocktake.md:9]", "stocktake.md:9"),
        ("evals/cases/inspect/lost-page/output/findings.json", '"line": 11', '"line": 16', "inspect/lost-page"),
    ],
)
def test_what_the_readme_breaks_is_found(
    file: str,
    good: str,
    bad: str,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = copied(tmp_path / "skills", Path(file).parts[2:4])
    text = (root / file).read_text()
    assert text.count(good) == 1
    (root / file).write_text(text.replace(good, bad))
    here(root, monkeypatch)
    assert run(["check"]) == 1
    assert told in capsys.readouterr().out


def copied(root: Path, only: tuple[str, ...]) -> Path:
    """Copy the example with a single case, whose skill and name are given."""
    copytree(EXAMPLE, root, ignore=ignore_patterns("cases"))
    copytree(CASES.joinpath(*only), root.joinpath("evals/cases", *only))
    return root


def here(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an example's folder, with its command on the path."""
    monkeypatch.chdir(root)
    monkeypatch.setenv("PATH", str(root / "bin"), prepend=":")
