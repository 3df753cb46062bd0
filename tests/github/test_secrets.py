"""Twenty secrets where a gate comes by, and none of them in anything that it prints, writes or sends."""

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from evalgate.edges.loopback import Edited, Reset, Status, html, redirect
from tests.github.scene import BAD, FEW, GOOD, TOKEN, Scene
from tests.github.weather import CHANGE, FILES, Told, gated

NAMES = [
    *("ACTIONS_RUNTIME_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "GITHUB_TOKEN", "OPENAI_API_KEY"),
    *("ANTHROPIC_API_KEY", "AWS_SECRET_ACCESS_KEY", "NPM_TOKEN"),
]
VARIABLES = {name: f"canary-variable-{number:02}" for number, name in enumerate(NAMES)}
PROXY = "canary-proxy-08"
NETRC = "canary-netrc-09"
HEADERS = {"X-Secret": "canary-header-10", "Set-Cookie": "session=canary-cookie-11; Path=/", "Server": "canary-12"}
SIGNATURE, PASSWORD = "canary-signature-13", "canary-password-14"
EVENT = [f"canary-event-{number}" for number in range(15, 19)]
BUG = "canary-bug-19"
CANARIES = [TOKEN, *VARIABLES.values(), PROXY, NETRC, *("canary-header-10", "canary-cookie-11", "canary-12")]
CANARIES += [SIGNATURE, PASSWORD, *EVENT, BUG]


@dataclass(frozen=True)
class Scenario:
    """What happens to a gate, and how it ends."""

    code: int
    happens: Callable[[Scene], None] = lambda scene: None
    candidate: Any = GOOD
    more: Mapping[str, Any] = field(default_factory=dict)


def _signed(code: int, *, password: bool = False) -> Callable[[Scene], None]:
    def happens(scene: Scene) -> None:
        host = scene.github.world.blob_url.removeprefix("http://")
        user = f"somebody:{PASSWORD}@" if password else ""
        scene.github.fault(
            "GET /actions/artifacts/*/zip", None, redirect(f"http://{user}{host}/artifact/1?sig={SIGNATURE}")
        )
        scene.github.fault("GET /artifact/*", None, Status(code, b"<Error/>"))

    return happens


def _fail(*_: object) -> None:
    raise ValueError(BUG)


SCENARIOS = {
    "passes": Scenario(0),
    "fails": Scenario(1, candidate=BAD),
    "lacks a case": Scenario(3, candidate=FEW),
    "no permission": Scenario(3, lambda scene: scene.github.fault("GET /actions/*", None, Status(403))),
    "token refused": Scenario(3, lambda scene: scene.github.fault("*", None, Status(401))),
    "outage": Scenario(3, lambda scene: scene.github.fault("GET /git/*", None, Status(502))),
    "no API": Scenario(3, lambda scene: scene.github.fault("*", None, html())),
    "store resets": Scenario(3, lambda scene: scene.github.fault("GET /artifact/*", None, Reset())),
    "store refuses": Scenario(3, _signed(403)),
    "store is gone": Scenario(3, _signed(404)),
    "store sends on": Scenario(3, _signed(302)),
    "password in an address": Scenario(3, _signed(403, password=True)),
    "not published": Scenario(
        5, lambda scene: scene.github.fault("* /check-runs*", None, Status(500)), more={"publish": "required"}
    ),
    "wrong API": Scenario(2, more={"GITHUB_API_URL": f"https://somebody:{PASSWORD}@github.example"}),
    "wrong token": Scenario(2, more={"EVALGATE_TOKEN": f"{TOKEN} {TOKEN}"}),
    "bug": Scenario(70, more={"write": _fail}),
    "fork": Scenario(0, more={"fork": True}),
}


def event(scene: Scene, *, fork: bool) -> dict[str, Any]:
    """The event with secrets in fields that nobody reads."""
    payload = scene.payload("pull_request")
    payload["pull_request"] |= {"body": EVENT[0], "title": EVENT[1]}
    payload["pull_request"]["head"]["repo"] |= {"clone_url": f"https://x:{EVENT[2]}@github.example"}
    payload["installation"] = {"access_token": EVENT[3]}
    if fork:
        payload["pull_request"]["head"]["repo"]["id"] = 6666
    return payload


def forms(canary: str) -> set[str]:
    """A secret as it is, and as it would be written in an address, in Base64 and in HTML."""
    whole = [base64.b64encode(b" " * lead + canary.encode()).decode()[4:-4] for lead in range(3)]
    return {canary, quote(canary, safe=""), canary.replace("-", "&#45;"), *whole}


def left(told: Told, scene: Scene) -> dict[str, str]:
    """Everything that a gate printed, wrote or sent, by what it is."""
    gate = told.gate
    found = {"stdout": gate.out, "stderr": gate.err, "summary": gate.summary, "outputs": json.dumps(gate.outputs)}
    found |= {path.name: path.read_text() for path in (gate.folder / "report").glob("*")}
    found |= {"checks": json.dumps(told.checks), "comments": json.dumps(scene.github.comments)}
    for number, one in enumerate(gate.requests):
        headers = {name: value for name, value in one.headers.items() if (one.server, name) != ("api", "authorization")}
        sent = [one.method, one.path, dict(one.query), one.body, headers]
        # GitHub's own signature goes where GitHub says, and nowhere else
        if one.server == "blob":
            sent[2] = {name: value for name, value in one.query.items() if name != "sig"}
        found[f"request {number} to {one.server}"] = json.dumps(sent)
    return found


@pytest.mark.parametrize("name", SCENARIOS)
def test_e07_no_secret_gets_out(scene: Scene, name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    scenario = SCENARIOS[name]
    scene.git.commit({**FILES, "evalgate.toml": FILES["evalgate.toml"] + '[publish]\ncomment = "on-change"\n'})
    scene.github.world.permissions["pull-requests"] = "write"
    scene.change(CHANGE)
    scene.record_main()
    scene.record_pull(scenario.candidate)
    scenario.happens(scene)
    scene.github.fault("GET *", None, Edited(lambda body: body, HEADERS))
    home = tmp_path / "home"
    home.mkdir()
    (home / ".netrc").write_text(f"default login somebody password {NETRC}\n")
    (home / ".netrc").chmod(0o600)
    more = dict(scenario.more)
    payload = event(scene, fork=bool(more.pop("fork", False)))
    monkeypatch.delenv("EVALGATE_DEBUG", raising=False)
    surroundings = {"HOME": str(home), "HTTPS_PROXY": f"http://x:{PROXY}@127.0.0.1:1", **VARIABLES}
    told = gated(scene, payload=payload, **{**surroundings, **more})

    assert told.code == scenario.code, told.gate.out + told.gate.err
    texts = left(told, scene)
    for canary in CANARIES:
        hidden = forms(canary)
        assert [what for what, text in texts.items() if any(form in text for form in hidden)] == []
    for request in told.gate.requests:
        if request.server == "blob":
            assert "authorization" not in request.headers
            assert "cookie" not in request.headers
            if (own := request.query["sig"]) != SIGNATURE:
                assert [what for what, text in texts.items() if own in text] == []
        else:
            assert request.headers["authorization"] == f"Bearer {TOKEN}"


def test_the_secrets_are_twenty_and_would_be_seen() -> None:
    assert len(set(CANARIES)) == 20
    for canary in CANARIES:
        encoded = base64.b64encode(f"the {canary} is".encode()).decode()
        assert any(form in encoded for form in forms(canary))
