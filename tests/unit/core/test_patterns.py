"""Patterns of users: what the engine takes, and what it says of what it does not."""

import pytest

from evalgate.core.patterns import compiled
from evalgate.model.problem import Fault


@pytest.mark.parametrize(
    ("pattern", "named"),
    [
        ("(?=a)", "look-around"),
        ("(?<!a)b", "look-around"),
        (r"(a)\1", "a backreference"),
        ("(?P<n>a)(?P=n)", "a backreference"),
        ("(?>a)", "an atomic group"),
        ("(a)?(?(1)b)", "a condition"),
        ("(?#note)a", "a comment"),
        ("a++", "a possessive quantifier"),
        (r"a\Z", r"\Z"),
        ("(a", "no valid regular expression: missing )"),
        ("((a{100}){100}){100}", "no valid regular expression"),
    ],
)
def test_what_the_engine_does_not_know_is_named(pattern: str, named: str) -> None:
    found = compiled(pattern)
    assert isinstance(found, Fault)
    assert named in found.message
    assert found.hint


@pytest.mark.parametrize("pattern", ["a+", "(?i)todo", r"\bé\w", "(?P<name>x)", r"\Aa\z", r"\\1", "[(?=]"])
def test_what_the_engine_knows_is_ready(pattern: str) -> None:
    assert not isinstance(compiled(pattern), Fault)


def test_a_refused_pattern_leaves_standard_error_empty(capfd: pytest.CaptureFixture[str]) -> None:
    compiled("(?=a)\n(")
    assert capfd.readouterr().err == ""
