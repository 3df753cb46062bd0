"""`groups`: the policy's groups, for people and for a workflow's matrix."""

import json
from pathlib import Path
from typing import Literal

from evalgate.commands.ports import Ports
from evalgate.model.settings import GroupSettings

Form = Literal["table", "names", "matrix", "json"]


def run(config: Path | None, ports: Ports, *, gating: bool, form: Form) -> int:
    """Print the groups (only the gating ones with `gating`) in one of the forms; return the exit code."""
    policy = ports.read_policy(ports.root, config)
    groups = [group for group in policy.settings.groups if not gating or group.gate == "gating"]
    if not groups:
        ports.tell(f"{policy.path or 'No policy'}: no {'gating ' if gating else ''}groups; every group found gates.")
    match form:
        case "table":
            ports.say("\n".join(_lines(groups))) if groups else None
        case "names":
            ports.say("\n".join(group.name for group in groups)) if groups else None
        case "matrix":
            ports.say(json.dumps({"include": [_entry(group) for group in groups]}))
        case "json":
            ports.say(json.dumps([group.model_dump(exclude_none=True) for group in groups], indent=2))
    return 0


def _entry(group: GroupSettings) -> dict[str, object]:
    """Return what one job of a matrix needs to know."""
    return {"group": group.name, "gate": group.gate, "advisory": group.gate == "advisory", "max_usd": group.max_usd}


def _lines(groups: list[GroupSettings]) -> list[str]:
    width = max(len(group.name) for group in groups)
    return [
        f"{group.name:<{width}}  {group.gate:<8}  pass^k {group.pass_k:<8}  "
        f"{', '.join(map(json.dumps, group.prefixes)) or 'every other case'}"
        for group in groups
    ]
