"""The report as one page that needs nothing else: no network, readable without its script, on paper and on a phone."""

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Final

from evalgate.model.report import Report
from evalgate.render.inert import html, html_told, script_json, verbatim
from evalgate.render.page.layout import counted, heading, page_of

TEMPLATE: Final = "page.html.j2"
STYLE: Final = "page.css"
SCRIPT: Final = "page.js"


def render(report: Report, parts: Mapping[str, str]) -> str:
    """Return the page; `parts` are its template, style and script by the names of their files.

    Everything that the template prints goes through one encoder, whatever it is; what is markup of our own says so.
    """
    from jinja2 import DictLoader, Environment, StrictUndefined
    from markupsafe import Markup

    def inert(value: object) -> Markup:
        return value if isinstance(value, Markup) else Markup(html(str(value)))

    environment = Environment(
        loader=DictLoader({TEMPLATE: parts[TEMPLATE]}),
        autoescape=True,
        finalize=inert,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["told"] = lambda text: Markup(html_told(text))
    environment.filters["copied"] = lambda text: "\n".join(map(verbatim, text.split("\n")))
    environment.filters["kind"] = lambda block: type(block).__name__
    environment.filters["drawing"] = Markup
    written = report.model_dump_json(by_alias=True)
    shown = environment.get_template(TEMPLATE).render(
        report=report,
        page=page_of(report),
        title=heading(report),
        counted=counted(report),
        style=Markup(parts[STYLE]),
        script=Markup(parts[SCRIPT]),
        style_digest=_digest(parts[STYLE]),
        script_digest=_digest(parts[SCRIPT]),
        json=Markup(script_json(written)),
    )
    return f"{shown.strip()}\n"


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
