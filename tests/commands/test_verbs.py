"""The other verbs, through the boundary."""

import json
from pathlib import Path

import pytest

from evalgate.boundary import run

POLICY = """
[[groups]]
name = "brief"
prefixes = ["brief/", "retro/"]
max_usd = 3.0
gate = "advisory"
pass_k = "advisory"

[[groups]]
name = "skills"
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


class TestGroups:
    """`groups`."""

    def test_people_get_a_table(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (here / "evalgate.toml").write_text(POLICY)
        assert run(["groups"]) == 0
        assert capsys.readouterr().out == (
            'brief   advisory  pass^k advisory  "brief/", "retro/"\n'
            "skills  gating    pass^k gating    every other case\n"
        )

    def test_gating_groups_are_a_name_a_line(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (here / "evalgate.toml").write_text(POLICY)
        assert run(["groups", "--gating"]) == 0
        assert capsys.readouterr().out == "skills\n"

    def test_a_matrix_has_what_a_job_needs(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (here / "evalgate.toml").write_text(POLICY)
        assert run(["groups", "--matrix"]) == 0
        assert json.loads(capsys.readouterr().out) == {
            "include": [
                {"group": "brief", "gate": "advisory", "advisory": True, "max_usd": 3.0},
                {"group": "skills", "gate": "gating", "advisory": False, "max_usd": None},
            ]
        }
        assert run(["groups", "--matrix", "--gating"]) == 0
        assert [entry["group"] for entry in json.loads(capsys.readouterr().out)["include"]] == ["skills"]

    def test_machines_get_every_key(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (here / "evalgate.toml").write_text(POLICY)
        assert run(["groups", "--json"]) == 0
        assert [group["name"] for group in json.loads(capsys.readouterr().out)] == ["brief", "skills"]

    @pytest.mark.parametrize("option", [[], ["--gating"]])
    def test_no_groups_are_said_and_not_shown(
        self, here: Path, capsys: pytest.CaptureFixture[str], option: list[str]
    ) -> None:
        assert run(["groups", *option]) == 0
        captured = capsys.readouterr()
        assert captured.out == ""
        assert "every group found gates" in captured.err

    def test_a_matrix_of_nothing_is_still_one(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["groups", "--matrix"]) == 0
        assert json.loads(capsys.readouterr().out) == {"include": []}


class TestInit:
    """`init`."""

    def test_the_first_policy_is_valid_and_changes_nothing(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(["init"]) == 0
        assert "Wrote evalgate.toml." in capsys.readouterr().out
        assert run(["groups", "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == []

    def test_every_key_of_the_template_is_one(self, here: Path) -> None:
        assert run(["init"]) == 0
        template = here / "evalgate.toml"
        keys = [line[2:] for line in template.read_text().splitlines() if line.startswith(("# [[", "# "))]
        settings = [key for key in keys if key.startswith("[[") or " = " in key]
        template.write_text("\n".join(settings))
        assert run(["groups", "--gating"]) == 0

    @pytest.mark.parametrize("home", ["evalgate.toml", "evals/eval.toml", "pyproject.toml"])
    def test_nothing_is_overwritten(self, here: Path, capsys: pytest.CaptureFixture[str], home: str) -> None:
        path = here / home
        path.parent.mkdir(exist_ok=True)
        text = "[tool.evalgate]\nk = 3\n" if home == "pyproject.toml" else "k = 3\n"
        path.write_text(text)
        assert run(["init"]) == 0
        assert path.read_text() == text
        assert sorted(p.name for p in here.rglob("*.toml")) == [path.name]
        assert f"{home} is your policy already" in capsys.readouterr().out

    def test_a_broken_policy_is_told_and_kept(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (here / "evalgate.toml").write_text("k = ")
        assert run(["init"]) == 2
        assert (here / "evalgate.toml").read_text() == "k = "
        assert "is not TOML" in capsys.readouterr().err


class TestSchema:
    """`schema`."""

    @pytest.mark.parametrize(
        "name",
        ["aa", "approvals", "check", "power", "publication", "report", "results", "self-test", "settings"],
    )
    def test_a_schema_is_json(self, capsys: pytest.CaptureFixture[str], name: str) -> None:
        assert run(["schema", name]) == 0
        schema = json.loads(capsys.readouterr().out)
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        assert schema["type"] == "object"
        assert schema["additionalProperties"] is False

    @pytest.mark.parametrize(
        "name",
        ["aa", "approvals", "check", "power", "publication", "report", "results", "self-test", "settings"],
    )
    def test_the_copy_in_the_docs_is_fresh(self, capsys: pytest.CaptureFixture[str], name: str) -> None:
        assert run(["schema", name]) == 0
        copy = Path(__file__).parents[2] / "docs" / "schemas" / f"{name}.json"
        assert copy.read_text() == capsys.readouterr().out, "run `make docs`"

    def test_an_unknown_name_is_a_mistake_that_lists_the_known_ones(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["schema", "result"]) == 2
        assert "results" in capsys.readouterr().err


class TestDemo:
    """`demo`."""

    def test_one_candidate_passes_and_one_is_blocked(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["demo"]) == 0
        out = " ".join(capsys.readouterr().out.split())
        assert "Passed: 2 gating groups held: brief, skills" in out
        assert "Blocked: `skills` fell 0.57 (4.67 → 4.10 on 6 shared cases × 5 runs;" in out
        assert "The draft requires a text/csv content type" in out

    def test_the_example_has_19_cases_in_the_groups_of_its_policy(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["demo", "--json"]) == 0
        out = capsys.readouterr().out
        good, bad = (json.loads(part) for part in out.replace("}\n{", "}\x00{").split("\x00"))
        assert (good["verdict"], bad["verdict"]) == ("PASS", "FAIL")
        assert sum(group["candidate"]["cases"] for group in good["groups"]) == 19
        assert {group["name"] for group in good["groups"]} == {
            "brief",
            "brief-plain",
            "conversations",
            "personas",
            "review",
            "skills",
        }

    def test_the_demo_leaves_no_trace(self, here: Path) -> None:
        assert run(["demo"]) == 0
        assert list(here.iterdir()) == []
