"""Which files a group's digests cover, and what a digest tells apart."""

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalgate.core.digests import Coverage, GroupDigests, digest, matching
from evalgate.model.github import TreeEntry
from evalgate.model.problem import Problem, ProblemsError
from evalgate.model.settings import GroupSettings, Settings, SuiteSettings
from tests.trees import blob, coverage, folder, link, module, paths

NOTHING = digest([])


def digests(of: Coverage, *entries: TreeEntry) -> GroupDigests:
    """The digests of a tree without problems."""
    found = of.digests(entries, {})
    assert isinstance(found, GroupDigests)
    return found


@pytest.mark.parametrize(
    ("globs", "taken"),
    [
        ([], []),
        (["prompts/"], ["prompts/.hidden/a.md", "prompts/a.md", "prompts/deep/b.txt", "x/prompts/a.md"]),
        (["/prompts/"], ["prompts/.hidden/a.md", "prompts/a.md", "prompts/deep/b.txt"]),
        (["prompts/*.md"], ["prompts/a.md"]),
        (["prompts/**/*.txt"], ["prompts/deep/b.txt"]),
        ([".*"], [".env", "prompts/.hidden/a.md"]),
        (["*.md", "!README.md"], ["prompts/.hidden/a.md", "prompts/a.md", "x/prompts/a.md"]),
        (["prompts/", "!prompts/a.md"], ["prompts/.hidden/a.md", "prompts/deep/b.txt", "x/prompts/a.md"]),
        (["!README.md", "*.md"], ["README.md", "prompts/.hidden/a.md", "prompts/a.md", "x/prompts/a.md"]),
        (["readme.md"], []),
        (["# a comment"], []),
        (["!README.md"], []),
    ],
)
def test_gitignore_patterns_choose_the_files(globs: list[str], taken: list[str]) -> None:
    tree = [
        blob(path)
        for path in (
            ".env",
            "README.md",
            "prompts/.hidden/a.md",
            "prompts/a.md",
            "prompts/deep/b.txt",
            "x/prompts/a.md",
        )
    ]
    assert paths(matching(globs, tree)) == taken


NAMES = st.sampled_from(["a", "b", "A", ".a", "a.md", "a b", "[x]", "x\ny", "a*"])
TOKENS = st.sampled_from(["a", "b", "A", ".a", "a.md", "*.md", "*", "?", "[ab]", "[!a]", "a*", "\\[x\\]", "x*y", "\\*"])
DEEP = st.lists(st.one_of(TOKENS, st.just("**")), max_size=2).flatmap(lambda first: TOKENS.map(lambda t: [*first, t]))
GLOBS = st.tuples(st.sampled_from(["", "/"]), DEEP.map("/".join), st.sampled_from(["", "/"])).map("".join)


@settings(max_examples=40)
@given(
    st.lists(st.lists(GLOBS, min_size=1, max_size=3), min_size=5, max_size=5),
    st.sets(st.lists(NAMES, min_size=1, max_size=4).map("/".join), min_size=1),
)
def test_git_itself_takes_the_same_files(
    tmp_path_factory: pytest.TempPathFactory, several: list[list[str]], names: set[str]
) -> None:
    place = tmp_path_factory.getbasetemp() / "ignoring"
    if not place.exists():
        subprocess.run(["git", "init", "-q", place], check=True)
    for globs in several:
        (place / ".git/info/exclude").write_text("\n".join(globs) + "\n")
        ended = subprocess.run(
            ["git", "check-ignore", "--no-index", "-z", "--stdin"],
            cwd=place,
            input="\0".join(names).encode() + b"\0",
            capture_output=True,
            check=False,
            timeout=30,
        )
        ignored = {name.decode() for name in ended.stdout.split(b"\0") if name}
        assert set(paths(matching(globs, map(blob, names)))) == ignored, globs


@pytest.mark.parametrize("name", ["a.txt\n", "a.txt\nb"])
def test_a_line_break_in_a_name_is_a_character_of_it(name: str) -> None:
    assert matching(["a.txt"], [blob(name)]) == []
    assert paths(matching(["a.*"], [blob(name)])) == [name]
    assert paths(matching(["*.md"], [blob("x\ny/a.md")])) == ["x\ny/a.md"]


@pytest.mark.parametrize("glob", ["prompts/", "prompts/**", "prompts/*.md", "/prompts/a.md", "prompts/deep/*.md"])
def test_what_stands_where_a_folder_was_is_covered_like_the_folder(glob: str) -> None:
    for entry in (link("prompts", "other"), module("prompts")):
        assert paths(matching([glob], [entry, blob("other/a.md")])) == ["prompts"]
    assert matching([glob], [blob("prompts"), link("x/prompt", "a"), folder("prompts")]) == []


def test_a_submodule_is_a_folder_to_a_pattern_and_a_link_is_both() -> None:
    tree = [module("vendor"), link("data", "x"), link("note.md", "x")]
    assert paths(matching(["/*", "!/vendor/"], tree)) == ["data", "note.md"]
    assert paths(matching(["/*", "!/data/"], tree)) == ["vendor", "data", "note.md"]
    assert paths(matching(["/*", "!/data"], tree)) == ["vendor", "note.md"]
    assert paths(matching(["*.md"], tree)) == ["note.md"]
    assert matching(["!vendor/a.md", "#data/x"], tree) == []


def test_without_a_policy_everything_is_input() -> None:
    covered = Coverage(Settings(), "answers")
    tree = [folder("src"), blob(".github/workflows/ci.yml"), blob("src/a.py"), module("vendor")]

    assert paths(covered.inputs(tree)) == [".github/workflows/ci.yml", "src/a.py", "vendor"]
    assert covered.eval_inputs(tree) == []
    assert digests(covered, *tree).empty == ()


def suite(path: str, kind: str = "cases", group: str | None = None) -> SuiteSettings:
    return SuiteSettings.model_validate({"name": "s", "kind": kind, "path": path, "group": group})


@pytest.mark.parametrize(
    ("given", "evaluation"),
    [
        (suite("evals/skills"), ["evals/skills/a/case.toml", "evals/skills/b.md"]),
        (suite("./evals//skills/"), ["evals/skills/a/case.toml", "evals/skills/b.md"]),
        (suite("evals/skills/b.md", group="answers"), ["evals/skills/b.md"]),
        (suite("evals/skills", group="others"), []),
        (suite("evals/skills", kind="imported"), []),
        (suite("evals/skill"), []),
        (suite("evals/skill*"), []),
        (suite("../evals/skills"), []),
        (suite("Evals/skills"), []),
    ],
)
def test_a_suite_s_own_files_are_eval_inputs_and_no_inputs(given: SuiteSettings, evaluation: list[str]) -> None:
    tree = [blob(path) for path in ("evals/skills/a/case.toml", "evals/skills/b.md", "evals/skills.md", "src/a.py")]
    covered = coverage(suites=[given])

    assert paths(covered.eval_inputs(tree)) == evaluation
    assert paths(covered.inputs(tree)) == [path for path in paths(tree) if path not in evaluation]


def test_a_suite_at_the_root_leaves_no_input() -> None:
    covered = coverage(suites=[suite(".")])
    assert digests(covered, blob("a")).empty == ("inputs",)


@pytest.mark.parametrize("entry", [module("evals"), link("evals", "src")])
def test_a_suite_s_folder_may_lie_in_a_submodule_or_behind_a_link(entry: TreeEntry) -> None:
    covered = coverage(suites=[suite("evals/skills")])
    assert paths(covered.eval_inputs([entry, blob("src/a")])) == ["evals"]
    assert paths(covered.inputs([entry, blob("src/a")])) == ["src/a"]


def test_what_the_policy_says_goes_before_the_defaults() -> None:
    tree = [blob("prompts/a.md"), blob("rubric.md"), blob("evals/skills/a"), blob("README.md")]
    both = coverage(["prompts/"], ["rubric.md"], [suite("evals/skills")])
    assert (paths(both.inputs(tree)), paths(both.eval_inputs(tree))) == (["prompts/a.md"], ["rubric.md"])

    only_evaluation = coverage((), ["rubric.md", "evals/"])
    assert paths(only_evaluation.inputs(tree)) == ["prompts/a.md", "README.md"]

    only_inputs = coverage(["*.md"], (), [suite("evals/skills")])
    assert paths(only_inputs.eval_inputs(tree)) == ["evals/skills/a"]
    assert paths(only_inputs.files(tree)) == paths(tree)


def test_another_group_s_globs_are_not_this_one_s() -> None:
    settings = Settings(
        groups=(GroupSettings(name="answers", prefixes=("x",), inputs=("a",)), GroupSettings(name="others"))
    )
    tree = [blob("a"), blob("b")]
    assert paths(Coverage(settings, "answers").inputs(tree)) == ["a"]
    assert paths(Coverage(settings, "others").inputs(tree)) == ["a", "b"]
    assert paths(Coverage(settings, "unknown").inputs(tree)) == ["a", "b"]


OURS = ["evals/results/" + "0" * 40 + "-answers.json", "evals/approvals.toml", "evals/approval.lock.json"]
TWINS = ["evals/results", "evals/Results/a.json", "evals/approvals.toml/x", "x/evals/approvals.toml", "evals/uv.lock"]


def test_what_evalgate_commits_itself_is_in_no_digest_and_its_neighbours_are() -> None:
    tree = [blob(path) for path in OURS + TWINS]
    for covered in (coverage(), coverage(["evals/", "**"]), coverage(["a"], ["**"])):
        assert paths(covered.files(tree)) == TWINS
        assert not any(map(covered.covers, OURS))
        assert all(map(covered.covers, TWINS))


def test_a_path_is_asked_for_by_itself_a_folder_by_its_slash() -> None:
    covered = coverage(["prompts/"])
    assert covered.covers("prompts/new.md")
    assert covered.covers("prompts/")
    assert not covered.covers("prompts")
    assert not covered.covers("README.md")


def test_empty_sets_are_named_and_counted() -> None:
    tree = [blob("prompts/a.md"), blob("rubric.md")]
    full = digests(coverage(["prompts/"], ["rubric.md"]), *tree)
    assert (full.inputs_files, full.eval_files, full.empty) == (1, 1, ())

    none = digests(coverage(["agents/"], ["cases/"]), *tree)
    assert (none.inputs_files, none.eval_files, none.empty) == (0, 0, ("inputs", "eval_inputs"))
    assert (none.inputs, none.eval_inputs) == (NOTHING, NOTHING)

    assert digests(coverage(suites=[suite("evals")]), *tree).empty == ("eval_inputs",)
    assert digests(coverage(), *tree).empty == ()
    assert digests(coverage()).empty == ("inputs",)


@pytest.mark.parametrize("glob", ["!", "a\\", "\\"])
def test_what_is_no_pattern_is_a_problem_with_its_place(glob: str) -> None:
    with pytest.raises(ProblemsError) as raised:
        coverage(["*.md", glob], [glob])
    assert raised.value.problems == tuple(
        Problem(
            "evalgate.toml",
            f"groups.answers.{name}",
            f"{glob!r} is no gitignore pattern.",
            "Write it like in .gitignore.",
        )
        for name in ("inputs", "eval_inputs")
    )


def test_a_name_that_is_no_utf_8_is_a_problem_only_where_it_counts() -> None:
    tree = [blob("prompts/a\ufffd.md"), blob("b")]
    found = coverage(["prompts/"]).digests(tree, {})
    assert isinstance(found, list)
    assert [str(problem) for problem in found] == [
        (
            "prompts/a\ufffd.md: has a name that is not UTF-8, so it cannot be told apart. "
            "Rename it, or leave the file out of the inputs of group answers."
        )
    ]
    assert digests(coverage(["b"]), *tree).inputs_files == 1


def test_no_two_sets_share_a_digest_by_how_they_are_written_down() -> None:
    pairs: list[tuple[list[TreeEntry], list[TreeEntry]]] = [
        ([blob("a", "bc")], [blob("ab", "c")]),
        ([blob("a"), blob("b")], [blob("a\nb")]),
        ([blob("a"), blob("b")], [blob('a","100644","')]),
        ([blob("a/b")], [blob("a"), blob("b")]),
        ([blob("a", "1"), blob("b", "2")], [blob("a", "2"), blob("b", "1")]),
        ([blob("run.sh")], [blob("run.sh", mode="100755")]),
        ([blob("a", "x")], [link("a", "x")]),
        ([blob("a")], [blob("A")]),
        ([blob("a")], [blob("a "), blob(" a")]),
        ([blob("é")], [blob("e\u0301")]),
        ([module("m", "one")], [module("m", "two")]),
        ([], [blob("a")]),
    ]
    for one, other in pairs:
        assert digest(one) != digest(other)


def test_the_digest_of_a_tree_stays_what_it_was() -> None:
    assert NOTHING == "sha256:76c9f97bc418b18a27d85037ceb1b530ffde7556730384796acf6b3edaee1e12"
    assert (
        digest([blob("é/a.md", "x"), blob("b")])
        == "sha256:5bb08dc4fd5ec400e0f1d21ffd3a95740d6a84e1b2c0261241c20b64de2fa13a"
    )
