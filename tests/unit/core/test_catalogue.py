"""The catalogue of rules."""

from evalgate.core.catalogue import CATALOGUE, finding
from evalgate.core.gate.rules import RULES, WORST_CASE
from evalgate.model.verdict import Verdict


def test_every_rule_of_a_group_is_in_the_catalogue() -> None:
    assert set(RULES) <= set(CATALOGUE)


def test_every_rule_that_can_fail_but_the_error_limit_looks_at_the_worst_case() -> None:
    failing = {rule for rule in RULES if CATALOGUE[rule].verdict is Verdict.FAIL}
    assert failing - set(WORST_CASE) == {"bar.errors"}
    assert set(WORST_CASE) - failing == {"evidence.power"}


def test_what_does_not_exist_cannot_be_waived() -> None:
    assert [rule for rule, entry in CATALOGUE.items() if not entry.waivable] == [
        "evidence.missing",
        "evidence.baseline",
        "evidence.inputs-empty",
        "evidence.results-changed",
    ]


def test_titles_and_remedies_are_sentences_for_readers() -> None:
    for rule, entry in CATALOGUE.items():
        assert entry.title[0].islower() or entry.title[0] == "n", rule
        assert not entry.title.endswith("."), rule
        assert entry.remedy.endswith("."), rule


def test_a_finding_takes_verdict_severity_and_remedy_from_its_rule() -> None:
    found = finding("bar.mean", "skills", "has a mean of 3.20")
    assert (found.verdict, found.severity, found.subject, found.brief) == (
        Verdict.FAIL,
        "blocking",
        "skills",
        "has a mean of 3.20",
    )
    assert found.remedy == CATALOGUE["bar.mean"].remedy


def test_a_rule_may_say_less_than_its_worst() -> None:
    assert finding("bar.pass-k", "skills", "a case", verdict=Verdict.WARN).severity == "advisory"
    assert finding("bar.pass-k", "skills", "a case", verdict=Verdict.PASS).severity == "note"
