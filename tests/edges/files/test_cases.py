"""Case suites in: hostile and broken ones, the nearest good one beside each."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from evalgate.edges.files.cases import case_folders, read_case
from evalgate.edges.files.inside import LIMIT
from evalgate.model.problem import ProblemsError
from evalgate.model.profiles import Profile
from evalgate.model.recorded import CaseFolder, RecordedCase

SUITE = "evals/cases"
CASE = CaseFolder("stub/a", f"{SUITE}/stub/a")
TOML = 'skill = "stub"\ndescription = "d"\ninput = "input.txt"\nartifacts = ["output/a.txt", "output/b.json"]\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with one good case, and a secret beside it."""
    root = tmp_path / "repository"
    write(root, "case.toml", TOML)
    write(root, "input.txt", "in")
    write(root, "output/a.txt", "text")
    write(root, "output/b.json", '{"a": 1}')
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/a.txt").write_text("secret")
    return root.resolve()


def write(root: Path, name: str, text: str | bytes) -> Path:
    """Write a file of the case."""
    path = root / CASE.path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def read(root: Path, **profiles: Profile) -> RecordedCase:
    return read_case(root, CASE, profiles)


def refused(root: Path) -> list[str]:
    """What is told of a case that cannot be read, without the path of its folder."""
    with pytest.raises(ProblemsError) as caught:
        read(root)
    return [str(problem).replace(f"{CASE.path}/", "") for problem in caught.value.problems]


def test_a_case_is_read_with_its_files(root: Path) -> None:
    case = read(root)
    assert (case.id, case.folder, case.input) == ("stub/a", CASE.path, "in")
    assert case.texts == {"output/a.txt": "text", "output/b.json": '{"a": 1}'}
    assert case.values == {"output/b.json": {"a": 1}}
    assert case.unreadable == {}


def test_every_file_that_a_case_names_is_read(root: Path) -> None:
    more = """
schemas = [{ file = "output/c", schema = "schemas/c.json" }]
ready = ["output/ready.md"]
brief = { register = "own", file = "output/brief.md", sources = ["sources/one.md"] }
defects = { planted = "planted.json", findings = "output/found", min_recall = 0.5 }
tier2 = { rubric = "rubric.md", reply = "schemas/reply.json" }
"""
    write(root, "case.toml", TOML + more)
    for name in ("output/c", "output/ready.md", "output/brief.md", "sources/one.md", "output/found", "rubric.md"):
        write(root, name, "[]")
    write(root, "planted.json", "[1]")
    for name in ("c", "reply", "own"):
        write(root, f"../../../../schemas/{name}.json", f'"{name}"')
    case = read(root, own=Profile(schema="schemas/own.json"), other=Profile(schema="schemas/nowhere.json"))
    assert case.schemas == {f"schemas/{name}.json": name for name in ("c", "reply", "own")}
    assert set(case.texts) == {
        *("output/a.txt", "output/b.json", "output/c", "output/ready.md", "output/brief.md", "output/found")
    }
    assert case.values == {"output/b.json": {"a": 1}, "output/c": [], "output/found": [], "planted.json": [1]}
    assert (case.sources, case.rubric, case.planted) == ({"sources/one.md": "[]"}, "[]", "[1]")


def test_what_the_recorded_run_lacks_is_for_the_checks_to_tell(root: Path) -> None:
    write(root, "output/a.txt", b"fine\n\xff")
    (root / CASE.path / "output/b.json").unlink()
    case = read(root)
    assert case.texts == {}
    assert {name: (fault.place, fault.message) for name, fault in case.unreadable.items()} == {
        "output/a.txt": ("line 2", "is not UTF-8: byte 5 is 0xff."),
        "output/b.json": ("", "is not there."),
    }


def test_an_artifact_that_is_no_json_is_still_text(root: Path) -> None:
    write(root, "output/b.json", '{"a": 1, "a": 2}')
    case = read(root)
    assert (case.texts["output/b.json"], case.values) == ('{"a": 1, "a": 2}', {})
    assert case.unreadable["output/b.json"].message == "stands twice in one object."


@pytest.mark.parametrize(
    ("toml", "told"),
    [
        (TOML.replace("artifacts", "artefacts"), "case.toml: artefacts: is no key here. Did you mean 'artifacts'?"),
        (TOML.replace('"stub"', '"other"'), "case.toml: skill: is 'other', but the folder is 'stub''s."),
        (TOML.replace("output/b.json", "output/a.txt"), "case.toml: artifacts[1]: lists 'output/a.txt' a second time."),
        (TOML.replace("output/b.json", "b.json"), "case.toml: artifacts[1]: 'b.json' does not lie below output/."),
        (TOML.replace("output/b.json", "../b.json"), "case.toml: artifacts[1]: must be a path inside its folder"),
        (TOML.replace("output/b.json", "/etc/passwd"), "case.toml: artifacts[1]: must be a path inside its folder"),
        (TOML.replace("output/b.json", "output\\\\b"), "case.toml: artifacts[1]: must be a path inside its folder"),
        (TOML.replace("input.txt", "nothing.txt"), "nothing.txt: is not there."),
        (TOML.replace("input.txt", "output"), "output: is not a regular file."),
        (TOML.replace("input.txt", "input.txt/x"), "input.txt/x: is not there."),
        (TOML.replace("input.txt", "x" * 400), "cannot be read: File name too long."),
        ("skill = ", "case.toml: end of document: is not TOML"),
        (TOML + 'tier2 = { rubric = "no.md" }', "no.md: is not there."),
        (TOML + 'brief = { register = "x", sources = ["no.md"] }', "no.md: is not there."),
        (TOML + 'schemas = [{ file = "output/a.txt", schema = "no.json" }]', "no.json: is not there."),
    ],
)
def test_a_mistake_is_told(root: Path, toml: str, told: str) -> None:
    write(root, "case.toml", toml)
    assert any(told in line for line in refused(root))


def test_all_mistakes_are_told_at_once(root: Path) -> None:
    more = """
schemas = [{ file = "output/a.txt", schema = "broken.json" }]
defects = { planted = "planted.json", findings = "output/a.txt", min_recall = 0.5 }
tier2 = { rubric = "rubric.md" }
"""
    write(root, "case.toml", TOML.replace('"stub"', '"other"') + more)
    write(root, "../../../../broken.json", "{")
    write(root, "planted.json", "[1,]")
    write(root, "rubric.md", b"\xff")
    told = refused(root)
    assert [line.split(":")[0] for line in told] == ["case.toml", "rubric.md", "broken.json", "planted.json"]


HOSTILE: dict[str, tuple[Callable[[Path], object], str]] = {
    "a link to a file outside": (
        lambda path: path.symlink_to("../../../../../../secret"),
        "that leaves the repository",
    ),
    "a link to an absolute path": (lambda path: path.symlink_to("/etc/hostname"), "that leaves the repository"),
    "a link to a device": (lambda path: path.symlink_to("/dev/zero"), "that leaves the repository"),
    "a link in circles": (lambda path: path.symlink_to(path.name), "a link in circles"),
    "a link to nowhere": (lambda path: path.symlink_to("nowhere"), "a link to nowhere"),
    "a pipe": (os.mkfifo, "is not a regular file."),
    "a folder": (Path.mkdir, "is not a regular file."),
    "a sparse terabyte": (lambda path: os.truncate(os.open(path, os.O_CREAT | os.O_RDWR), 1 << 40), "larger than 5 MB"),
    "too much text": (lambda path: path.write_text("x" * (LIMIT + 1)), "is larger than 5 MB."),
    "a link into git's folder": (lambda path: path.symlink_to("../../../../../.git/config"), "in git's own folder."),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("file", ["output/a.txt", "input.txt", "case.toml"])
def test_d10_d11_what_is_no_file_of_the_repository_is_refused(root: Path, name: str, file: str) -> None:
    make, told = HOSTILE[name]
    (root / ".git").mkdir()
    (root / ".git/config").write_text("token")
    path = root / CASE.path / file
    path.unlink()
    if file == "output/a.txt":
        make(path)
    else:
        path.parent.joinpath("output/x").parent.mkdir(exist_ok=True)
        deep = path.parent / "output" / "held"
        make(deep)
        path.symlink_to("output/held")
    [line] = refused(root)
    expected = told.replace("5 MB", "0.25 MB") if file == "case.toml" else told
    assert expected in line
    assert "secret" not in line
    assert "token" not in line


def test_a_folder_on_the_way_may_not_leave_either(root: Path, tmp_path: Path) -> None:
    (root / CASE.path / "output/a.txt").unlink()
    (root / CASE.path / "output/b.json").unlink()
    (root / CASE.path / "output").rmdir()
    (root / CASE.path / "output").symlink_to(tmp_path / "outside")
    assert all("that leaves the repository" in line for line in refused(root))


def test_a_link_inside_the_repository_is_followed(root: Path) -> None:
    write(root, "../shared/text", "shared")
    (root / CASE.path / "output/a.txt").unlink()
    (root / CASE.path / "output/a.txt").symlink_to("../../shared/text")
    assert read(root).texts["output/a.txt"] == "shared"


def test_a_name_like_git_s_is_none_of_git_s(root: Path) -> None:
    write(root, "case.toml", TOML.replace("input.txt", "output/.gitignore"))
    write(root, "output/.gitignore", "in")
    assert read(root).input == "in"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_told(root: Path) -> None:
    (root / CASE.path / "input.txt").chmod(0)
    assert "cannot be read: Permission denied." in refused(root)[0]


def test_the_cases_of_a_suite_are_found_in_order(root: Path) -> None:
    for name in ("../b/case.toml", "../../ask/z/case.toml", "../../.hidden/x/y", "../../README.md", "../notes.md"):
        write(root, name, "")
    folders, problems = case_folders(root, SUITE)
    assert [folder.id for folder in folders] == ["ask/z", "stub/a", "stub/b"]
    assert folders[0].path == f"{SUITE}/ask/z"
    assert problems == []


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda suite: (suite / "stub/empty").mkdir(), f"{SUITE}/stub/empty: has no case.toml. A case is a folder"),
        (lambda suite: (suite / "alone").mkdir(), f"{SUITE}/alone: holds no case. A case is a folder"),
        (lambda suite: (suite / "case.toml").touch(), f"{SUITE}/case.toml: stands where no case is."),
        (lambda suite: (suite / "stub/case.toml").touch(), f"{SUITE}/stub/case.toml: stands where no case is."),
        (
            lambda suite: (suite / "out").symlink_to("../../../outside"),
            f"{SUITE}/out: is, or goes through, a link that",
        ),
        (lambda suite: (suite / "stub/gone").symlink_to("x"), f"{SUITE}/stub/gone: is, or goes through, a link to no"),
        (lambda suite: (suite / "a\nb").mkdir(), f"{SUITE}/a\nb: cannot be part of a case's id: only visible"),
        (lambda suite: Path(suite, os.fsdecode(b"\xe9")).mkdir(), f"{SUITE}/\\xe9: cannot be part of a case's id"),
    ],
)
def test_what_is_no_case_is_told_and_hides_none(root: Path, make: Callable[[Path], object], told: str) -> None:
    make(root / SUITE)
    folders, [problem] = case_folders(root, SUITE)
    assert str(problem).startswith(told)
    assert [folder.id for folder in folders] == ["stub/a"]


def test_a_suite_that_is_no_folder_is_told(root: Path) -> None:
    write(root, "../../../other", "")
    assert [str(problem) for problem in case_folders(root, "evals/nothing")[1]] == [
        "evals/nothing: is not there. Add it, or correct the path."
    ]
    assert "evals/other: is no folder." in str(case_folders(root, "evals/other")[1][0])


def test_too_many_cases_are_told(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evalgate.edges.files.cases.MOST", 0)
    assert "holds more than 0 cases." in str(case_folders(root, SUITE)[1][0])
