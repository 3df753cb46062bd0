"""Whether a GraphQL document only reads; what is not surely a query counts as a write."""

import re
from typing import Final

_TOKEN: Final = re.compile(
    r'"""(?:\\"""|\\(?!""")|[^"\\]|"(?!""))*"""|"(?:[^"\\\n]|\\.)*"|#[^\n\r]*|[{}()\[\]]|[A-Za-z_]\w*|"'
    r'|[^\w{}()\[\]"#]+|\d\w*',
    re.DOTALL,
)
_NAMED: Final = re.compile(r"\b(?:query|mutation|subscription)\s+([A-Za-z_]\w*)")
_OPENING: Final = dict(zip("{([", "})]", strict=True))


def reads(document: object) -> bool:
    """Say whether a document holds queries and fragments, and nothing that writes or cannot be understood."""
    definitions = _definitions(document) if isinstance(document, str) else None
    return bool(definitions) and set(definitions or ()) <= {"query", "fragment"}


def operation(document: object) -> str:
    """Return the name of a document's first operation, empty when it has none."""
    named = (
        re.search(r"\b(?:query|mutation|subscription)\s+([A-Za-z_]\w*)", document)
        if isinstance(document, str)
        else None
    )
    return named[1] if named else ""


def _definitions(document: str) -> list[str] | None:
    """Return the word that begins each definition, or None when strings or brackets are left open."""
    found: list[str] = []
    closing: list[str] = []
    begun = False
    for match in _TOKEN.finditer(document):
        token = match[0]
        if token == '"':
            return None
        if token in _OPENING:
            if token == "{" and not closing and not begun:
                found.append("query")
            begun = True
            closing.append(_OPENING[token])
        elif token in ("}", ")", "]"):
            if not closing or closing.pop() != token:
                return None
            begun = begun and not (token == "}" and not closing)
        elif not closing and not begun and token[0] not in '#"' and (token[0].isalpha() or token[0] == "_"):
            found.append(token)
            begun = True
    return None if closing else found
