"""An artifact's bytes: asked for at the API, fetched without the token, and proven by their digest."""

import hashlib
import re
from typing import Final
from urllib.parse import urlsplit

from evalgate.edges.github.client import Api, on_loopback
from evalgate.edges.github.transport import OversizeError, Response, Transport, TroubleError
from evalgate.errors import GitHubError
from evalgate.model.evidence import RefusalCode, RefusedError
from evalgate.model.github import Artifact

TRIES: Final = 3
PAUSE_SECONDS: Final = 1.0
ADDRESS: Final = 16_384

_NUMBERED = re.compile(r".*:.*|(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)\.?", re.IGNORECASE)
"""Hosts that name servers read as an IP address; the storage of GitHub has names."""

_CODES: Final[dict[str, RefusalCode]] = {
    "permission": "no-permission",
    "absent": "gone",
    "gone": "expired",
    "unavailable": "unavailable",
    "unexpected": "bad-redirect",
}


def download(api: Api, artifact: Artifact, limit: int) -> bytes:
    """Return the bytes of an artifact, at most `limit`, whose sha256 is the one that GitHub keeps of them.

    The address of the bytes lives for about a minute, so each of three tries asks for a new one. Raises RefusedError
    with the reason, in which no address's query stands: that would open the bytes to every reader.
    """
    digest = _known(artifact, limit)
    why = "it was not tried"
    for number in range(TRIES):
        if number and not api.pause(PAUSE_SECONDS * number):
            break
        found = _fetched(api, artifact, _address(api, artifact), limit)
        if isinstance(found, str):
            why = found
        elif hashlib.sha256(found).hexdigest() == digest:
            return found
        elif len(found) >= artifact.size_in_bytes:
            computed = hashlib.sha256(found).hexdigest()
            raise _refused(artifact, "digest-mismatch", f"its sha256 is {computed}, and GitHub says {digest}")
        else:
            why = f"{len(found):,} of {artifact.size_in_bytes:,} bytes came"
    raise _refused(artifact, "unavailable", f"it could not be fetched: {why}. Rerun the job later")


def _known(artifact: Artifact, limit: int) -> str:
    """Return the sha256 to expect of an artifact that there is reason to ask for."""
    digest = re.fullmatch(r"sha256:([0-9a-f]{64})", artifact.digest or "")
    if artifact.expired:
        raise _refused(artifact, "expired", f"it expired ({artifact.expires_at or 'GitHub does not say when'})")
    if not digest:
        raise _refused(artifact, "no-digest", "GitHub gives no sha256 of it, so nothing proves its bytes")
    if artifact.size_in_bytes > limit:
        raise _refused(artifact, "too-large", f"it has {artifact.size_in_bytes:,} bytes; {limit:,} are allowed")
    return digest[1]


def _address(api: Api, artifact: Artifact) -> str:
    """Return where the bytes are to be had, checked before anything is sent there."""
    try:
        address = api.location(f"/actions/artifacts/{artifact.id:d}/zip")
    except GitHubError as error:
        raise _refused(artifact, _CODES[error.kind], str(error).removesuffix(".")) from None
    if wrong := _astray(api, address):
        raise _refused(artifact, "bad-redirect", f"GitHub sends evalgate to {wrong}")
    return address


def _astray(api: Api, address: str) -> str:
    """Say what is wrong with a redirect, nothing when it leads to a host by https."""
    if len(address) > ADDRESS or not re.fullmatch(r"[!-~]+", address) or "\\" in address:
        return "something that is no address"
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "something that is no address"
    if parts.scheme != "https" and not (parts.scheme == "http" and on_loopback(api.url.hostname)):
        return "an address that does not begin with https://"
    if not host or port == 0 or parts.username is not None or parts.password is not None:
        return "an address without a host, or with a password"
    if host != api.url.hostname and (on_loopback(host) or _NUMBERED.fullmatch(host)):
        return "a numbered address, not a host by its name"
    return ""


def _fetched(api: Api, artifact: Artifact, address: str, limit: int) -> bytes | str:
    """Return the bytes at an address, or the trouble that another try may end; a fresh connection knows no token."""
    transport = Transport({}, seconds_left=api.seconds_left)
    try:
        answer = transport.send("GET", address, limit=limit)
    except TroubleError as trouble:
        return f"{_host(address)}: {trouble}"
    except OversizeError as error:
        why = str(error)
    else:
        return _accepted(artifact, answer, _host(address))
    finally:
        transport.close()
    raise _refused(artifact, "too-large", why)


def _accepted(artifact: Artifact, answer: Response, host: str) -> bytes | str:
    """Return the bytes of a good answer, or the trouble of one that another try may better."""
    if answer.status == 200:
        if answer.encoding:
            why = f"{host} sent it encoded ({answer.encoding[:20]!r}), although its own bytes were asked for"
            raise _refused(artifact, "bad-archive", why)
        return answer.body
    if answer.status in (403, 429) or answer.status >= 500:
        return f"{host} answered {answer.status}"
    if 300 <= answer.status < 400:
        raise _refused(artifact, "bad-redirect", f"{host} sends evalgate on, and one redirect is all that is followed")
    code: RefusalCode = "gone" if answer.status in (404, 410) else "unavailable"
    raise _refused(artifact, code, f"{host} answered {answer.status}")


def _host(address: str) -> str:
    return urlsplit(address).hostname or ""


def _refused(artifact: Artifact, code: RefusalCode, why: str) -> RefusedError:
    name = "".join(letter if letter.isprintable() else "?" for letter in artifact.name[:100])
    return RefusedError(code, f"artifact {artifact.id} ({name}): {why}.")
