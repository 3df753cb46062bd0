"""The documents say what the code does."""

import re
from pathlib import Path

import pytest

from docs.generate import pages
from evalgate.cli import cli
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


def test_the_readme_shows_every_command_and_no_other() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = text.split("## Commands")[1].split("## More")[0]
    assert set(re.findall(r"\| `evalgate ([a-z-]+)", table)) == set(cli.commands)


def test_links_between_documents_lead_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("tests/*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.name}: {target}"
