"""`schema`: the JSON Schema of every file that evalgate reads or writes."""

import json
from typing import Any, Final

from pydantic import TypeAdapter

from evalgate.commands.ports import Ports
from evalgate.model.aa import AAReport
from evalgate.model.check_report import CheckReport
from evalgate.model.power import PowerReport
from evalgate.model.publication import Publication
from evalgate.model.report import Report
from evalgate.model.results import Results
from evalgate.model.self_test import SelfTest
from evalgate.model.settings import Approvals, Settings

SCHEMAS: Final[dict[str, type]] = {
    "aa": AAReport,
    "approvals": Approvals,
    "check": CheckReport,
    "power": PowerReport,
    "publication": Publication,
    "report": Report,
    "results": Results,
    "self-test": SelfTest,
    "settings": Settings,
}


def run(name: str, ports: Ports) -> int:
    """Print one schema."""
    ports.say(text(name))
    return 0


def text(name: str) -> str:
    """Return one schema as stable JSON text."""
    schema: dict[str, Any] = TypeAdapter(SCHEMAS[name]).json_schema(by_alias=True)
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return json.dumps({**dialect, **schema}, indent=2, sort_keys=True, ensure_ascii=False)
