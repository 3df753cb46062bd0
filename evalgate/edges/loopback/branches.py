"""The repository itself, its branches, references and rules, and what is left of the rate limit."""

from typing import Final
from urllib.parse import quote

from evalgate.edges.loopback.call import Call
from evalgate.edges.loopback.exchange import AnsweredError, Reply, error, not_found
from evalgate.edges.loopback.history import commit
from evalgate.edges.loopback.urls import full_repository, node_id
from evalgate.edges.loopback.world import World

HOURLY: Final = 1000
"""What a job's token may ask of one repository in an hour."""


def get_repository(call: Call) -> Reply:
    """Return the repository."""
    return Reply(200, full_repository(call.world.place, call.world.id, call.world.default_branch, call.world.moment()))


def get_branch(call: Call) -> Reply:
    """Return a branch with its head."""
    name = call.arguments["branch"]
    sha = call.world.objects.branch(name)
    if sha is None:
        raise AnsweredError(error(404, "Branch not found"))
    url, protected = f"{call.world.place.repo}/branches/{quote(name, safe='')}", name in call.world.protected
    body = {
        "name": name,
        "commit": commit(call.world, sha),
        "_links": {"self": url, "html": f"{call.world.place.html}/tree/{quote(name)}"},
        "protected": protected,
        "protection": {"enabled": protected},
        "protection_url": f"{url}/protection",
    }
    return Reply(200, body)


def get_protection(call: Call) -> Reply:
    """Return a branch's classic protection, which takes an administrator's token to read."""
    if call.arguments["branch"] not in call.world.protected:
        raise AnsweredError(error(404, "Branch not protected"))
    url = f"{call.world.place.repo}/branches/{quote(call.arguments['branch'], safe='')}/protection"
    return Reply(200, {"url": url, "enforce_admins": {"url": f"{url}/enforce_admins", "enabled": True}})


def get_ref(call: Call) -> Reply:
    """Return what a reference points to, tags not followed."""
    name = call.arguments["ref"]
    found = call.world.objects.reference(name)
    if found is None:
        raise not_found()
    kind, sha = found
    body = {
        "ref": f"refs/{name}",
        "node_id": node_id("Ref", name),
        "url": f"{call.world.place.repo}/git/refs/{quote(name)}",
        "object": {"type": kind, "sha": sha, "url": f"{call.world.place.repo}/git/{kind}s/{sha}"},
    }
    return Reply(200, body)


def get_branch_rules(call: Call) -> Reply:
    """List the rules of rulesets that are active on a branch, whether or not it exists."""
    return Reply(200, call.paged(call.world.rules.get(call.arguments["branch"], [])))


def get_rulesets(call: Call) -> Reply:
    """List the rulesets."""
    return Reply(200, call.paged(call.world.rulesets))


def get_rate_limit(call: Call) -> Reply:
    """Return what the token has left; asking costs nothing."""
    used = min(call.world.spent, HOURLY)
    state = {"limit": HOURLY, "used": used, "remaining": HOURLY - used, "reset": reset(call.world)}
    return Reply(200, {"resources": {"core": state, "search": state | {"limit": 30}}, "rate": state})


def reset(world: World) -> int:
    """Return the second at which the hour is over."""
    return int(world.now().timestamp()) // 3600 * 3600 + 3600
