"""What pyproject.toml asks for, what the code imports and what the lock files pin are the same."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
RUNTIME, BACKEND, TEST = "requirements.lock", "requirements-build.lock", "requirements-test.lock"
MUTATION = "requirements-mutation.lock"
PIN = re.compile(
    r"^(?P<name>[a-z0-9._-]+)==(?P<version>[^ ;]+)(?: ; [^\\\n]+)?(?: \\\n    --hash=sha256:[0-9a-f]{64})+$",
    re.MULTILINE,
)
# pydantic pins its core to one version, and the core's types have no other name.
PART_OF = {"pydantic_core": "pydantic"}

every_lock = pytest.mark.parametrize("lock", [RUNTIME, BACKEND, TEST, MUTATION])


def project() -> dict[str, Any]:
    """The content of pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def pins(lock: str) -> dict[str, Version]:
    """The version of every package in a lock file."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    return {canonicalize_name(pin["name"]): Version(pin["version"]) for pin in PIN.finditer(text)}


def asked() -> list[tuple[str, str]]:
    """Every requirement of pyproject.toml, with each lock file that must answer it."""
    declared = project()
    runtime = [(RUNTIME, line) for line in declared["project"]["dependencies"]]
    backend = [(BACKEND, line) for line in declared["build-system"]["requires"]]
    extras = [line for extra in declared["project"]["optional-dependencies"].values() for line in extra]
    test = [(TEST, line) for line in [*declared["dependency-groups"]["test"], *extras]]
    mutation = [(MUTATION, line) for line in declared["dependency-groups"]["mutation"]]
    return [*runtime, *backend, *test, *mutation, *((TEST, line) for _, line in [*runtime, *backend])]


@pytest.mark.parametrize(("lock", "line"), asked())
def test_what_is_declared_is_locked_at_a_version_that_fits(lock: str, line: str) -> None:
    requirement = Requirement(line)
    locked = pins(lock)
    name = canonicalize_name(requirement.name)

    assert name in locked, "make lock"
    assert locked[name] in requirement.specifier, "make lock"


@every_lock
def test_a_lock_holds_pins_with_hashes_and_nothing_else(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    rest = [row for row in PIN.sub("", text).splitlines() if row and not row.lstrip().startswith("#")]

    assert pins(lock)
    assert rest == [], "an option, an address or a package without hashes"


@every_lock
def test_all_locks_agree_on_every_version(lock: str) -> None:
    everything = pins(TEST) | ({} if lock != MUTATION else {k: v for k, v in pins(lock).items() if k not in pins(TEST)})

    assert {name: version for name, version in pins(lock).items() if everything.get(name) != version} == {}


def test_what_the_code_imports_is_declared() -> None:
    trees = [ast.parse(path.read_bytes()) for path in (ROOT / "evalgate").rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    froms = {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level}
    foreign = {name.split(".")[0] for name in plain | froms} - sys.stdlib_module_names - {"evalgate"}
    packages = packages_distributions()
    imported = {canonicalize_name(package) for name in foreign for package in packages[PART_OF.get(name, name)]}
    told = project()["project"]
    lines = [*told["dependencies"], *(line for extra in told["optional-dependencies"].values() for line in extra)]
    declared = {canonicalize_name(Requirement(line).name) for line in lines}

    assert imported - declared == set()
