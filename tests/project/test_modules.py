"""Every module stays one noun that fits on a few screens and says what it is for."""

import ast
import sys
from pathlib import Path

import evalgate

ROOT = Path(evalgate.__file__).parent
MODULES = {str(path.relative_to(ROOT)): path for path in sorted(ROOT.rglob("*.py"))}
TREES = {name: ast.parse(path.read_bytes()) for name, path in MODULES.items()}
LONGEST_MODULE, LONGEST_FUNCTION = 300, 60
SAY_NOTHING = {"base", "common", "helper", "helpers", "manager", "misc", "util", "utils"}


def is_one_sentence(first_line: str, rest: list[str]) -> bool:
    """Whether a docstring begins with a whole sentence on its first line, set off from what follows."""
    return first_line.endswith((".", "?")) and rest[:1] in ([], [""])


def test_the_modules_are_found() -> None:
    assert {"__init__.py", "__main__.py", "cli/__init__.py", "model/verdict.py"} <= MODULES.keys()


def test_no_module_is_long() -> None:
    lines = {name: path.read_bytes().count(b"\n") for name, path in MODULES.items()}

    assert {name: count for name, count in lines.items() if count > LONGEST_MODULE} == {}


def test_no_function_is_long() -> None:
    lengths = {
        f"{name}:{node.lineno} {node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for name, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }

    assert {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION} == {}


def test_every_module_says_its_purpose_in_its_first_line() -> None:
    docstrings = {name: (ast.get_docstring(tree) or "").split("\n") for name, tree in TREES.items()}

    assert [name for name, (first, *rest) in docstrings.items() if not is_one_sentence(first, rest)] == []


def test_every_module_is_named_for_what_it_holds() -> None:
    nouns = {name: path.parent.name if path.stem == "__init__" else path.stem for name, path in MODULES.items()}

    assert [name for name, noun in nouns.items() if noun in SAY_NOTHING] == []
    assert [name for name, noun in nouns.items() if noun in sys.stdlib_module_names] == []
