"""Users' patterns: linear in time, and what the engine does not have is named."""

import time

import pytest

from evalgate.core.patterns import compiled
from evalgate.model.problem import Fault

EVIL = [r"(a+)+$", r"(a|a)*$", r"(a|aa)+$", r"(.*a){20}$", r"([a-zA-Z]+)*$", r"(a*)*b"]


@pytest.mark.parametrize("pattern", EVIL)
def test_c14_no_pattern_takes_more_than_linear_time(pattern: str) -> None:
    found = compiled(pattern)
    assert not isinstance(found, Fault)
    began = time.process_time()
    found.search("a" * 20_000 + "!")
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    ("pattern", "named"),
    [
        (r"a(?=b)", "look-around"),
        (r"a(?!b)", "look-around"),
        (r"(?<=a)b", "look-around"),
        (r"(?<!a)b", "look-around"),
        (r"(a)\1", "a backreference"),
        (r"(?P<x>a)(?P=x)", "a backreference"),
        (r"(?>a)b", "an atomic group"),
        (r"(a)?(?(1)b|c)", "a condition"),
        (r"a(?#why)b", "a comment"),
        (r"a++b", "a possessive quantifier"),
        (r"a\Z", r"\Z"),
    ],
)
def test_what_only_perl_s_engine_knows_is_named(pattern: str, named: str) -> None:
    fault = compiled(pattern)
    assert isinstance(fault, Fault)
    assert f"uses {named}, which the linear-time engine RE2 does not have." in fault.message
    assert fault.hint


@pytest.mark.parametrize("pattern", [r"\\1", r"a\(\?=b", "(?i)mime", r"\bx\b", r"(?P<name>a)", "é+", r"\pL"])
def test_the_nearest_that_it_knows_is_taken(pattern: str) -> None:
    assert not isinstance(compiled(pattern), Fault)


@pytest.mark.parametrize("pattern", ["(", "[a", "a{2000}{2000}", "*", "a{1000}" * 50 + "(", "\ud800"])
def test_what_is_no_pattern_is_refused_without_a_word_on_the_log(
    pattern: str, capfd: pytest.CaptureFixture[str]
) -> None:
    fault = compiled(pattern)
    assert isinstance(fault, Fault)
    assert "is no regular expression: " in fault.message
    assert len(fault.message) < 400
    assert capfd.readouterr() == ("", "")
