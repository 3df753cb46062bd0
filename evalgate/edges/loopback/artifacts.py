"""Artifacts: their records, and the store on a port of its own where a signed address leads."""

import hashlib
import io
import secrets
import zipfile
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from evalgate.edges.loopback.call import Call
from evalgate.edges.loopback.exchange import AnsweredError, Json, Reply, Request, error, not_found
from evalgate.edges.loopback.runs import find_run
from evalgate.edges.loopback.urls import node_id
from evalgate.edges.loopback.world import Grant, World, number

SIGNED_FOR: Final = timedelta(minutes=1)
KEPT_FOR: Final = timedelta(days=90)
MIDNIGHT: Final = (1980, 1, 1, 0, 0, 0)
STORED: Final = "/artifact/"


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return a zip of the files, the same bytes for the same files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, MIDNIGHT), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def build_artifact(world: World, run: Json, name: str, data: bytes, fields: Mapping[str, Any]) -> Json:
    """Return an artifact of a run as GitHub would have it: alive, kept for 90 days, with its digest."""
    key = fields.get("id") or next(world.ids)
    url = f"{world.place.repo}/actions/artifacts/{key}"
    home = run["head_repository"]
    made = fields.get("created_at", world.moment())
    return {
        "id": key,
        "node_id": node_id("Artifact", key),
        "name": name,
        "size_in_bytes": len(data),
        "url": url,
        "archive_download_url": f"{url}/zip",
        "expired": False,
        "digest": f"sha256:{hashlib.sha256(data).hexdigest()}",
        "created_at": made,
        "updated_at": made,
        "expires_at": (world.now() + KEPT_FOR).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "workflow_run": {
            "id": run["id"],
            "repository_id": world.id,
            "head_repository_id": home["id"] if home else world.id,
            "head_branch": run["head_branch"],
            "head_sha": run["head_sha"],
        },
        **fields,
    }


def get_artifacts(call: Call) -> Reply:
    """List the repository's artifacts, newest first; `name` asks for that name exactly."""
    return _listed(call, list(call.world.artifacts.values())[::-1])


def get_run_artifacts(call: Call) -> Reply:
    """List a run's artifacts, those of its earlier attempts included."""
    run = find_run(call.world, call.arguments["run_id"])["id"]
    own = [row for row in call.world.artifacts.values() if (row["workflow_run"] or {}).get("id", run) == run]
    return _listed(call, own if call.query.get("direction") == "asc" else own[::-1])


def get_artifact(call: Call) -> Reply:
    """Return one artifact's record."""
    return Reply(200, _find(call))


def download(call: Call) -> Reply:
    """Lead to the artifact's bytes by an address that is good for a minute, and once."""
    artifact = _find(call)
    if call.arguments["archive_format"] != "zip":
        raise not_found()
    if artifact["expired"]:
        raise AnsweredError(error(410, "Artifact has expired"))
    key = secrets.token_hex(16)
    expires = call.world.now() + SIGNED_FOR
    call.world.grants[key] = Grant(artifact["id"], expires)
    signed = f"{call.world.blob_url}{STORED}{artifact['id']}?se={expires:%Y-%m-%dT%H:%M:%SZ}&sig={key}"
    return Reply(302, None, {"Location": signed})


def stored(world: World, request: Request) -> Reply:
    """Answer for the store: bytes for a good address, and its own errors, which are XML, for any other."""
    if request.method != "GET" or not request.path.startswith(STORED):
        return _refused(404, "ResourceNotFound", "The specified resource does not exist.")
    if request.authorized:
        return _refused(
            400, "InvalidAuthenticationInfo", "Authentication information is not given in the correct format."
        )
    grant = world.grants.pop(request.query.get("sig", ""), None)
    if grant is None or str(grant.artifact) != request.path.removeprefix(STORED) or world.now() > grant.expires:
        return _refused(403, "AuthenticationFailed", "Server failed to authenticate the request.")
    data = world.contents.get(grant.artifact)
    if data is None:
        return _refused(404, "BlobNotFound", "The specified blob does not exist.")
    kind = "application/zip" if data.startswith(b"PK") else "application/octet-stream"
    name = world.artifacts.get(grant.artifact, {}).get("name", "artifact")
    return Reply(200, data, {"Content-Type": kind, "Content-Disposition": f'attachment; filename="{_ascii(name)}.zip"'})


def _listed(call: Call, rows: list[Json]) -> Reply:
    wanted = call.query.get("name")
    return call.counted("artifacts", [row for row in rows if wanted in (None, row["name"])])


def _find(call: Call) -> Json:
    artifact = call.world.artifacts.get(number(call.arguments["artifact_id"]))
    if artifact is None:
        raise not_found()
    return artifact


def _refused(status: int, code: str, message: str) -> Reply:
    body = f'<?xml version="1.0" encoding="utf-8"?><Error><Code>{code}</Code><Message>{message}</Message></Error>'
    return Reply(status, body.encode(), {"Content-Type": "application/xml"})


def _ascii(name: str) -> str:
    return "".join(character if character.isalnum() or character in "-._" else "_" for character in ascii(name)[1:-1])
