"""Which GraphQL documents only read."""

import pytest

from evalgate.edges.loopback.graphql import operation, reads


@pytest.mark.parametrize(
    "document",
    [
        "{ viewer { login } }",
        "query { a }",
        "query A($x: T = {a: [1, 2.5]}) @d(if: true) { b(c: $x) { ...F } } fragment F on T { mutation }",
        "# mutation\nquery A { a }",
        'query A { a(text: "} mutation B { b }") }',
        'query A { a(text: """} mutation { \\""" "quoted" """) }',
        "query A { mutation: a } query mutation { b }",
        'query A { a(x: """\\\\""") } mutation B { b } # """)}',
        "{ a }, { b }",
    ],
)
def test_queries_read(document: str) -> None:
    assert reads(document)


@pytest.mark.parametrize(
    "document",
    [
        "mutation { a }",
        "query A { a } mutation B { b }",
        "{ a } mutation B { b }",
        "subscription { a }",
        "{ a }# comment\rmutation { b }",
        'query A { a(x: "unclosed) } \n mutation { b }',
        "query A { a",
        "query A { a } }",
        "query A { a ) }",
        "type T { a: Int }",
        "",
        "   ",
        None,
        5,
        {"query": "{ a }"},
    ],
)
def test_everything_else_writes(document: object) -> None:
    assert not reads(document)


@pytest.mark.parametrize(
    ("document", "name"), [("query A { a }", "A"), ("mutation Do($x: I) { a }", "Do"), ("{ a }", ""), (None, "")]
)
def test_the_name_of_an_operation(document: object, name: str) -> None:
    assert operation(document) == name
