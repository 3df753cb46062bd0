"""Which cases both sides share unchanged."""

from typing import Any

from evalgate.core.gate.pairing import Pairing, pair
from evalgate.model.results import Case
from evalgate.model.settings import CaseChange
from tests.factories import make_case, make_side

A, B = "sha256:" + "a" * 64, "sha256:" + "b" * 64


def case(id: str, digest: str | None = A) -> Case:
    return make_case(id, digest=digest)


def change(id: str, change: Any, to: str | None = None) -> CaseChange:
    return CaseChange(id=id, change=change, to=to, reason="because")


def paired(baseline: list[Case], candidate: list[Case], *changes: CaseChange) -> Pairing:
    return pair(make_side(baseline), make_side(candidate), changes)


def shared(pairing: Pairing) -> list[tuple[str, str]]:
    return [(before.id, now.id) for before, now in pairing.shared]


def test_equal_cases_are_shared_and_others_named() -> None:
    found = paired([case("a"), case("b"), case("c")], [case("a"), case("b", B), case("d")])
    assert shared(found) == [("a", "a")]
    assert (found.removed, found.edited, found.added, found.excused) == (("c",), ("b",), ("d",), ())


def test_cases_without_digests_count_as_unchanged() -> None:
    assert shared(paired([case("a", None)], [case("a", None)])) == [("a", "a")]


def test_a_digest_on_one_side_alone_proves_nothing() -> None:
    assert paired([case("a", None)], [case("a")]).edited == ("a",)
    assert paired([case("a")], [case("a", None)]).edited == ("a",)


def test_listed_changes_are_excused_and_left_out_of_the_comparison() -> None:
    removed, edited = change("a", "removed"), change("b", "edited")
    found = paired([case("a"), case("b"), case("c")], [case("b", B), case("c")], removed, edited)
    assert shared(found) == [("c", "c")]
    assert (found.removed, found.edited, found.excused) == ((), (), (removed, edited))


def test_a_listing_excuses_only_the_change_it_names() -> None:
    assert paired([case("a")], [case("a", B)], change("a", "removed")).edited == ("a",)
    assert paired([case("a")], [], change("a", "edited")).removed == ("a",)


def test_a_listing_of_what_did_not_happen_excuses_nothing() -> None:
    found = paired([case("a")], [case("a")], change("a", "removed"))
    assert shared(found) == [("a", "a")]
    assert found.excused == ()


def test_a_renamed_case_is_compared_under_its_old_name() -> None:
    renaming = change("a", "renamed", "z")
    found = paired([case("a"), case("b")], [case("z"), case("b")], renaming)
    assert shared(found) == [("a", "z"), ("b", "b")]
    assert (found.added, found.excused) == ((), (renaming,))


def test_a_renamed_case_that_was_edited_too_is_not_excused() -> None:
    found = paired([case("a")], [case("z", B)], change("a", "renamed", "z"))
    assert (shared(found), found.edited, found.renamed_and_edited, found.added) == ([], (), ("a",), ())


def test_a_renaming_cannot_hide_a_case_that_is_still_there() -> None:
    found = paired([case("a")], [case("a", B), case("z")], change("a", "renamed", "z"))
    assert (shared(found), found.edited, found.added) == ([], ("a",), ("z",))


def test_a_renaming_cannot_take_another_case_s_name() -> None:
    found = paired([case("a"), case("b")], [case("b")], change("a", "renamed", "b"))
    assert (shared(found), found.removed) == ([("b", "b")], ("a",))


def test_a_renaming_to_nothing_is_a_removal() -> None:
    assert paired([case("a")], [], change("a", "renamed", "z")).removed == ("a",)
