"""Links inside a set of files, and links that leave it."""

import pytest

from evalgate.core.digests import GroupDigests
from tests.trees import blob, coverage, link, module, texts

FILES = [
    blob("prompts/a.md"),
    blob("prompts/deep/b.md"),
    blob("evals/results/r.json"),
    blob("shared/c.md"),
    blob("mixed/d.md"),
    blob("mixed/e.txt"),
    module("vendor/kit"),
]
GLOBS = ["prompts/", "shared/", "mixed/*.md", "vendor/", "here"]


def told(path: str, target: str, *others: tuple[str, str]) -> str:
    """What is said of a link at `path`, in a tree with other links; nothing when it stays inside."""
    links = [link(path, target), *(link(*other) for other in others)]
    found = coverage(GLOBS).digests([*FILES, *links], texts(target, *(text for _, text in others)))
    if isinstance(found, GroupDigests):
        return ""
    [problem] = [problem for problem in found if problem.file == path]
    assert problem.hint == "Replace the link by a file, or leave the file out of the inputs of group answers."
    start = "is a link that leaves the inputs of group answers: "
    assert problem.message.startswith(start)
    return problem.message.removeprefix(start)


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("prompts/l", "a.md"),
        ("prompts/l", "./deep/../a.md"),
        ("prompts/l", "deep"),
        ("prompts/l", "deep/"),
        ("prompts/l", ".."[:1]),
        ("prompts/deep/l", "../../shared/c.md"),
        ("prompts/deep/l", "../../shared"),
        ("prompts/l", "../mixed/d.md"),
        ("prompts/l", "../vendor/kit"),
        ("prompts/l", "../vendor/kit/some/file.md"),
        ("here", "prompts"),
    ],
)
def test_a_link_to_what_is_covered_stays_inside(path: str, target: str) -> None:
    assert told(path, target) == ""


@pytest.mark.parametrize(
    ("path", "target", "why"),
    [
        ("prompts/l", "/etc/passwd", "it leads out of the repository."),
        ("prompts/l", "../../secret", "it leads out of the repository."),
        ("prompts/l", "../evals/results/r.json", "evals/results/r.json does not belong to them."),
        ("prompts/l", "../mixed/e.txt", "mixed/e.txt does not belong to them."),
        ("prompts/l", "../mixed", "mixed holds files that do not belong to them."),
        ("prompts/l", "..", "the root of the repository holds files that do not belong to them."),
        ("prompts/l", "nowhere.md", "prompts/nowhere.md is not in the repository."),
        ("prompts/l", "built/../a.md", "prompts/built is not in the repository."),
        ("prompts/l", "A.md", "prompts/A.md is not in the repository."),
        ("prompts/l", "a.md/x", "prompts/a.md is no folder."),
        ("prompts/l", "l", "it goes in circles."),
        ("prompts/l", "./" * 300 + "a.md", "it goes in circles."),
        ("prompts/l", "../vendor/kit/../../mixed/e.txt", "it leads through vendor/kit and out of it again."),
    ],
)
def test_a_link_that_leaves_is_a_problem(path: str, target: str, why: str) -> None:
    assert told(path, target) == why


def test_links_are_followed_through_links() -> None:
    assert told("prompts/l", "m", ("prompts/m", "deep/b.md")) == ""
    assert told("prompts/l", "m/b.md", ("prompts/m", "deep")) == ""
    assert told("prompts/l", "m/../a.md", ("prompts/m", "deep")) == ""
    assert told("prompts/l", "m/../a.md", ("prompts/m", "../shared")) == "a.md is not in the repository."
    assert told("prompts/l", "m", ("prompts/m", "l")) == "it goes in circles."
    assert told("prompts/l", "../out/a.md", ("out", "prompts")) == (
        "it leads through out, which does not belong to them."
    )


def test_a_link_without_a_text_is_a_problem() -> None:
    found = coverage(GLOBS).digests([*FILES, link("prompts/l", "a.md")], {})
    assert isinstance(found, list)
    assert ["its target cannot be read" in problem.message for problem in found] == [True]


def test_a_link_outside_the_set_is_nobody_s_business() -> None:
    assert isinstance(coverage(GLOBS).digests([*FILES, link("other", "/etc")], {}), GroupDigests)
    assert isinstance(coverage(GLOBS).digests([*FILES, link("evals/results/l", "/etc")], {}), GroupDigests)


def test_inputs_do_not_reach_into_the_evaluation_by_a_link() -> None:
    tree = [blob("cases/a.toml"), link("prompts/l", "../cases/a.toml")]
    found = coverage(["prompts/"], ["cases/"]).digests(tree, texts("../cases/a.toml"))
    assert isinstance(found, list)
    assert [problem.file for problem in found] == ["prompts/l"]

    both = coverage(["prompts/", "cases/"], ["cases/"]).digests(tree, texts("../cases/a.toml"))
    assert isinstance(both, GroupDigests)
