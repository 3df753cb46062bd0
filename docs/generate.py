"""The pages that are made from the code: `python -m docs.generate` writes them, a test holds them fresh."""

import ast
import re
from pathlib import Path

from evalgate.commands.schema import SCHEMAS, text
from evalgate.core.catalogue import CATALOGUE

HERE = Path(__file__).parent
ARCHITECTURE = HERE.parent / "ARCHITECTURE.md"
PACKAGE = HERE.parent / "evalgate"
MEANING = {"FAIL": "blocks", "UNVERIFIED": "blocks", "WARN": "passes with a warning", "PASS": "a note"}


def pages() -> dict[Path, str]:
    """Return every generated page by its path."""
    schemas = {HERE / "schemas" / f"{name}.json": f"{text(name)}\n" for name in SCHEMAS}
    return {HERE / "findings.md": findings(), ARCHITECTURE: architecture(), **schemas}


def architecture() -> str:
    """Return the architecture's page with its list of modules made anew."""
    lines = [f"- `{name}` {sentence}" for name, sentence in modules()]
    marked = "<!-- modules -->\n" + "\n".join(lines) + "\n<!-- /modules -->"
    text = ARCHITECTURE.read_text(encoding="utf-8")
    return re.sub(r"<!-- modules -->.*<!-- /modules -->", lambda _: marked, text, flags=re.DOTALL)


def modules() -> list[tuple[str, str]]:
    """Return every module with the first sentence of its docstring."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
        docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        if name != "__init__":
            found.append((name, docstring.split("\n\n")[0].replace("\n", " ")))
    return found


def findings() -> str:
    """Return the page of all rules."""
    rows = "\n".join(
        f"| `{rule}` | {entry.title} | {entry.verdict} ({MEANING[entry.verdict]}) "
        f"| {entry.remedy} | {'yes' if entry.waivable else 'no'} |"
        for rule, entry in CATALOGUE.items()
    )
    return (
        "# Findings\n\n"
        "What every rule demands, the worst it says, what to do, and whether a signed waiver can excuse it. A rule\n"
        "may say less than its worst: the policy or the evidence can make it a warning. Ids are never reused.\n\n"
        "| rule | demands that | at worst | what to do | waivable |\n|---|---|---|---|---|\n"
        f"{rows}\n"
    )


if __name__ == "__main__":
    for path, page in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(page, encoding="utf-8")
