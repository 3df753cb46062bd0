"""What comes with the program besides code: the example, and the parts of the report's page."""

from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).parents[2]
PAGE: Final = ("page.html.j2", "page.css", "page.js")


def examples() -> Path:
    """Return the folder of the bundled example: a policy, and results of main, a good and a bad candidate."""
    return PACKAGE / "example"


def page_parts() -> dict[str, str]:
    """Return template, style and script of the report's page, by the names of their files."""
    return {name: (PACKAGE / "render/page" / name).read_text(encoding="utf-8") for name in PAGE}
