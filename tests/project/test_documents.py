"""The documents say what the code does."""

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from docs.generate import pages
from evalgate.cli import cli
from evalgate.core.profiles import BUILT_IN
from evalgate.model.lanes import SandboxSettings
from evalgate.model.profiles import Checklist, Profile
from evalgate.model.settings import (
    CaseChange,
    EvidenceSettings,
    GroupSettings,
    MetricBar,
    PromotionSettings,
    PublishSettings,
    Settings,
    SuiteSettings,
    Waiver,
)

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("path", list(pages()), ids=lambda path: path.name)
def test_generated_pages_are_fresh(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == pages()[path], "run `make docs`"


@pytest.mark.parametrize(
    "record",
    [
        Settings,
        GroupSettings,
        SuiteSettings,
        PromotionSettings,
        CaseChange,
        MetricBar,
        EvidenceSettings,
        PublishSettings,
        Waiver,
    ],
)
def test_every_key_of_the_policy_is_explained(record: type[Settings]) -> None:
    named = set(re.findall(r"`(\w+)`", (ROOT / "docs/policy.md").read_text(encoding="utf-8")))
    sections = {"groups", "suites", "promotions", "case_changes", "evidence", "publish"}
    sections |= {"models", "skills", "profiles", "sandbox", "runner"}  # docs/cases.md and docs/run.md
    assert set(record.model_fields) - sections <= named


@pytest.mark.parametrize(
    ("page", "record"), [("profiles.md", Profile), ("profiles.md", Checklist), ("calls.md", SandboxSettings)]
)
def test_every_key_of_a_case_suite_s_policy_is_explained(page: str, record: type[BaseModel]) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert {field.alias or name for name, field in record.model_fields.items()} <= set(re.findall(r"\w+", text))


def test_every_built_in_profile_has_its_column() -> None:
    table = (ROOT / "docs/profiles.md").read_text(encoding="utf-8").split("## Built in")[1]
    assert re.findall(r"`(\w+)`", table.strip().splitlines()[0]) == list(BUILT_IN)


def test_the_readme_shows_every_command_and_no_other() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = text.split("## Commands")[1].split("## More")[0]
    assert set(re.findall(r"\| `evalgate ([a-z-]+)", table)) == set(cli.commands)


def test_links_between_documents_lead_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("tests/*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.name}: {target}"
