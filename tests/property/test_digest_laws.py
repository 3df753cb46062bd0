"""Laws of the digests: order means nothing, every covered change shows, nothing else does."""

from hypothesis import given
from hypothesis import strategies as st

from evalgate.core.digests import Coverage, GroupDigests, digest
from evalgate.model.github import TreeEntry
from tests.trees import blob, coverage, named

PARTS = st.text(st.sampled_from("ab.é \n\"\\,['\0"[:-1]), min_size=1, max_size=3).filter(lambda p: p not in (".", ".."))
PATHS = st.lists(PARTS, min_size=1, max_size=3).map("/".join)
MODES = st.sampled_from(["100644", "100755"])
ENTRIES = st.builds(lambda path, mode, text: blob(path, text, mode), PATHS, MODES, st.text("xyz", max_size=2))
TREES = st.lists(ENTRIES, max_size=6, unique_by=lambda entry: entry.path)
COVERED = st.sampled_from(
    [coverage(), coverage(["a*/"]), coverage(["*b*"], ["*a*"]), coverage((), ["*.*"]), coverage(["é/", "!*a"])]
)


def digests(of: Coverage, tree: list[TreeEntry]) -> GroupDigests:
    found = of.digests(tree, {})
    assert isinstance(found, GroupDigests)
    return found


@given(COVERED, TREES.flatmap(lambda tree: st.tuples(st.just(tree), st.permutations(tree))))
def test_the_order_of_a_tree_means_nothing(of: Coverage, trees: tuple[list[TreeEntry], list[TreeEntry]]) -> None:
    assert digests(of, trees[0]) == digests(of, trees[1])


@given(st.lists(ENTRIES, max_size=6), st.lists(ENTRIES, max_size=6))
def test_digests_are_equal_exactly_when_the_files_are(one: list[TreeEntry], other: list[TreeEntry]) -> None:
    def listed(tree: list[TreeEntry]) -> list[tuple[str, str, str]]:
        return sorted((entry.path, entry.mode, entry.sha) for entry in tree)

    assert (digest(one) == digest(other)) == (listed(one) == listed(other))


@given(COVERED, TREES.filter(bool), st.data())
def test_a_change_shows_in_the_sets_it_belongs_to_and_in_no_other(
    of: Coverage, tree: list[TreeEntry], data: st.DataObject
) -> None:
    chosen = data.draw(st.sampled_from(tree))
    taken = {entry.path for entry in tree}
    changed: TreeEntry | None = data.draw(
        st.one_of(
            PATHS.filter(lambda path: path not in taken).map(lambda path: chosen.model_copy(update={"path": path})),
            st.just(chosen.model_copy(update={"mode": "100755" if chosen.mode == "100644" else "100644"})),
            st.just(chosen.model_copy(update={"sha": named("something else")})),
            st.none(),
        )
    )
    after = [entry for entry in tree if entry is not chosen] + ([changed] if changed else [])

    one, other = digests(of, tree), digests(of, after)
    for name, members in (("inputs", of.inputs), ("eval_inputs", of.eval_inputs)):
        touched = any(members([entry]) for entry in (chosen, changed) if entry)
        assert (getattr(one, name) != getattr(other, name)) == touched


@given(COVERED, TREES)
def test_counts_and_empty_sets_agree(of: Coverage, tree: list[TreeEntry]) -> None:
    found = digests(of, tree)
    assert found.inputs_files == len(of.inputs(tree))
    assert found.eval_files == len(of.eval_inputs(tree))
    assert ("inputs" in found.empty) == (found.inputs_files == 0)
    assert {entry.path for entry in of.files(tree)} == {
        entry.path for entry in [*of.inputs(tree), *of.eval_inputs(tree)]
    }
    for entry in tree:
        assert of.covers(entry.path) == bool(of.files([entry]))
