"""F01: whether the workflow and the harness that evaluated a candidate are the policy's."""

from collections.abc import Sequence

import pytest

from evalgate.core.evidence.harness import workflow_changed
from evalgate.model.github import TreeEntry
from tests.trees import blob, folder, link, module, texts

WORKFLOW = ".github/workflows/evals.yml"
FLOW = blob(WORKFLOW, "steps")
TRUSTED = [
    folder(".github"),
    FLOW,
    blob(".github/workflows/release.yml", "release"),
    blob("evals/run.py", "run"),
    blob("evals/judge/rubric.md", "rubric"),
    blob("prompts/answer.md", "old"),
]
HARNESS = ("evals/",)


def changed(
    ran: Sequence[TreeEntry], harness: Sequence[str] = HARNESS, trusted: Sequence[TreeEntry] = TRUSTED
) -> list[str]:
    return workflow_changed(trusted, ran, WORKFLOW, harness)


def edited(*entries: TreeEntry) -> list[TreeEntry]:
    """The trusted tree with some of its files replaced or added."""
    new = {entry.path for entry in entries}
    return [*(entry for entry in TRUSTED if entry.path not in new), *entries]


def without(path: str) -> list[TreeEntry]:
    return [entry for entry in TRUSTED if entry.path != path]


def test_an_equal_tree_in_any_order_has_changed_nothing() -> None:
    assert changed(TRUSTED[::-1]) == []


@pytest.mark.parametrize(
    "entry", [blob("prompts/answer.md", "new"), blob(".github/workflows/release.yml", "new"), blob("README.md", "new")]
)
def test_a_change_of_the_subject_is_none_of_the_harness(entry: TreeEntry) -> None:
    assert changed(edited(entry)) == []


@pytest.mark.parametrize(
    "entry",
    [blob(WORKFLOW, "exit 0"), blob(WORKFLOW, "steps", "100755"), module(WORKFLOW, "steps"), link(WORKFLOW, "steps")],
)
def test_f01_a_workflow_of_other_content_mode_or_kind_has_changed(entry: TreeEntry) -> None:
    assert changed(edited(entry), ()) == [WORKFLOW]


def test_a_workflow_that_either_tree_lacks_has_changed() -> None:
    assert changed(without(WORKFLOW)) == [WORKFLOW]
    assert changed(TRUSTED, trusted=without(WORKFLOW)) == [WORKFLOW]
    assert changed(without(WORKFLOW), trusted=without(WORKFLOW)) == [WORKFLOW]
    assert changed([folder(WORKFLOW)], trusted=[folder(WORKFLOW)]) == [WORKFLOW]


def test_f01_a_harness_file_that_is_edited_added_or_removed_has_changed() -> None:
    assert changed(edited(blob("evals/run.py", "lucky"))) == ["evals/run.py"]
    assert changed(edited(blob("evals/.hidden", "conftest"))) == ["evals/.hidden"]
    assert changed(without("evals/run.py")) == ["evals/run.py"]
    assert changed(edited(blob("evals/run.py", "run", "100755"))) == ["evals/run.py"]


def test_a_harness_is_what_the_policy_says() -> None:
    ran = edited(blob("evals/run.py", "lucky"))

    assert changed(ran, ()) == []
    assert changed(ran, ("evals/**", "!evals/run.py")) == []
    assert changed(ran, ("*.py",)) == ["evals/run.py"]


def test_the_workflow_counts_even_where_the_globs_leave_it_out() -> None:
    assert changed(edited(blob(WORKFLOW, "exit 0")), ("*", f"!{WORKFLOW}")) == [WORKFLOW]


def test_all_changed_paths_are_told_in_order() -> None:
    ran = edited(blob("evals/run.py", "x"), blob("evals/a.py", "x"), blob(WORKFLOW, "x"))

    assert changed(ran) == [WORKFLOW, "evals/a.py", "evals/run.py"]


def test_two_names_that_look_alike_are_two_files() -> None:
    alike = blob("evals/\ufffd.py", "one")

    assert changed([*TRUSTED, alike, blob("evals/\ufffd.py", "two")], trusted=[*TRUSTED, alike]) == ["evals/\ufffd.py"]


def test_f01_a_link_out_of_the_harness_proves_nothing_and_one_that_stays_inside_does() -> None:
    def told(target: str, *, known: bool = True) -> list[str]:
        tree = [*TRUSTED, link("evals/latest", target)]
        return workflow_changed(tree, tree, WORKFLOW, HARNESS, texts(target) if known else {})

    assert told("run.py") == []
    assert told("../prompts/answer.md") == ["evals/latest"]
    assert told("run.py", known=False) == ["evals/latest"]


def test_a_workflow_that_is_a_link_proves_nothing() -> None:
    tree = [link(WORKFLOW, "../../prompts/answer.md"), blob("prompts/answer.md", "x")]

    assert workflow_changed(tree, tree, WORKFLOW, (), texts("../../prompts/answer.md")) == [WORKFLOW]
