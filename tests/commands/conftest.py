"""Runs of a suite against a scripted server."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalgate.boundary import run
from tests.chat.made import Made
from tests.chat.server import Script, serving
from tests.chat.suite import make_suite

ONE = {"cases": 1, "k": 1}
PROXIES = ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HTTPS_PROXY", "https_proxy")


@pytest.fixture
def straight(monkeypatch: pytest.MonkeyPatch) -> None:
    """No proxy between the tests and their own server."""
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def made(
    tmp_path: Path, straight: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Made]:
    """Make a suite, of one case and one run unless told otherwise, and run a group of it."""

    def make(script: Script, *arguments: str, group: str = "skills", **changes: Any) -> Made:
        with serving(script) as chat:
            clone = make_suite(tmp_path / "work", chat.url, **{**ONE, **changes})
            monkeypatch.chdir(clone.root)
            capsys.readouterr()
            code = run(["run", "--group", group, *arguments])
        return Made(code, capsys.readouterr().err, clone, chat.asked)

    return make
