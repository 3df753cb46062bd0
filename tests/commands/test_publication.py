"""A report becomes everything that is sent about it, and nothing of it is lost on the way through a file."""

from pathlib import Path

import pytest

from evalgate.commands.publication import Occasion, check_start, publication_of, store
from evalgate.edges.files.publications import read_publication
from evalgate.errors import UsageError
from evalgate.model.finding import Place
from evalgate.model.problem import ProblemsError
from evalgate.model.situation import Situation
from evalgate.model.verdict import Verdict
from tests.unit.render.test_check_run import BLOCKED, PASSED, hostile

HEAD = "c" * 40
PULL = Situation(
    kind="pull_request",
    event="pull_request",
    repository="octo/evals",
    repository_id=4242,
    default_branch="main",
    evaluated="e" * 40,
    head=HEAD,
    branch="topic",
    base=None,
    base_branch="main",
    pull=7,
    trusted=True,
    workflow=".github/workflows/evals.yml",
    job="gate",
    run=31,
    attempt=2,
    server_url="https://github.com",
)


def test_a_blocked_report_becomes_a_failed_check_run_on_the_head() -> None:
    made = publication_of(BLOCKED, Occasion(PULL, promotion="rolling"), set())
    check = made.check_run
    assert (check.conclusion, check.head_sha, made.verdict) == ("failure", HEAD, Verdict.FAIL)
    assert (check.name, check.external_id) == ("evalgate: rolling", f"octo/evals:31:2:rolling::{HEAD}")
    assert check.title.startswith("Blocked: skills fell 1.40")
    assert check.summary.startswith("## ❌ Blocked")
    assert "Where this comes from" in check.text
    assert (made.repository_id, made.pull, made.comment) == (4242, 7, None)


@pytest.mark.parametrize(
    ("verdict", "conclusion"),
    [
        (Verdict.PASS, "success"),
        (Verdict.WARN, "success"),
        (Verdict.UNVERIFIED, "failure"),
        (Verdict.FAIL, "failure"),
    ],
)
def test_the_conclusion_is_the_verdicts(verdict: Verdict, conclusion: str) -> None:
    report = PASSED.model_copy(update={"verdict": verdict})
    assert publication_of(report, Occasion(PULL), ()).check_run.conclusion == conclusion


def test_a_comment_is_made_where_the_policy_wants_one_and_there_is_a_pull_request() -> None:
    made = publication_of(BLOCKED, Occasion(PULL, config="a/evalgate.toml", comments=True), ())
    assert made.comment is not None
    assert made.comment.body.startswith("<!-- evalgate::a/evalgate.toml -->\n<!-- verdict:FAIL -->\n\n## ❌ Blocked")
    pushed = PULL.model_copy(update={"pull": None, "kind": "push"})
    assert publication_of(BLOCKED, Occasion(pushed, comments=True), ()).comment is None


def test_findings_with_a_place_in_the_commit_are_annotated_and_the_others_counted() -> None:
    findings = tuple(
        finding.model_copy(update={"place": Place(path=path)})
        for finding, path in zip(BLOCKED.findings, ["a.md", "../x", "b.md"], strict=False)
    )
    report = BLOCKED.model_copy(update={"findings": findings})
    check = publication_of(report, Occasion(PULL), {"a.md"}).check_run
    assert [remark.path for remark in check.annotations] == ["a.md"]
    assert "2 findings could not be marked" in check.summary


@pytest.mark.parametrize("text", ["@org/team <b> `x`", "\x1b[31m##[error]x", "right\u202eleft", "🙂" * 9_000, "a\nb"])
def test_what_is_stored_is_read_back_the_same(tmp_path: Path, text: str) -> None:
    made = publication_of(hostile(text), Occasion(PULL, comments=True), ())
    file = tmp_path / "publication.json"
    file.write_text(store(made), encoding="utf-8")
    assert "##[" not in file.read_text(encoding="utf-8")
    assert read_publication(file) == made
    assert read_publication(tmp_path) == made


def test_what_is_no_publication_is_told_with_its_places(tmp_path: Path) -> None:
    file = tmp_path / "publication.json"
    file.write_text('{"schema": "evalgate.publication/1", "run": "31", "extra": 1}')
    with pytest.raises(ProblemsError) as caught:
        read_publication(file)
    said = str(caught.value)
    assert f"{file}: run: must be a whole number" in said
    assert f"{file}: extra: is no key here." in said
    assert f"{file}: check_run: is missing." in said


@pytest.mark.parametrize("text", ['{"run": 1, "run": 2}', '{"run": NaN}', "[]", "", "{"])
def test_what_is_no_strict_json_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "publication.json"
    file.write_text(text)
    with pytest.raises(ProblemsError, match="publication\\.json"):
        read_publication(file)


def test_a_file_larger_than_any_publication_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "publication.json"
    file.write_bytes(b" " * 8_000_001)
    with pytest.raises(ProblemsError, match="more than 8 MB"):
        read_publication(file)


def test_the_check_run_begins_under_the_identity_it_ends_with() -> None:
    occasion = Occasion(PULL, promotion="rolling", config="a/evalgate.toml", name="quality")
    start, ended = check_start(occasion), publication_of(BLOCKED, occasion, ()).check_run
    assert (start.name, start.head_sha, start.external_id) == (ended.name, ended.head_sha, ended.external_id)
    assert start.name == "quality (a/evalgate.toml)"


def test_the_jobs_own_name_is_refused() -> None:
    with pytest.raises(UsageError, match="check-name: 'gate' is the name of the job"):
        check_start(Occasion(PULL, name="gate"))
    assert check_start(Occasion(PULL, name="gate report")).name == "gate report"


@pytest.mark.parametrize("name", ["", " ", "two\nlines", "right\u202eleft", "é" * 128])
def test_a_name_that_github_would_not_show_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="check-name: a check run's name is one line"):
        check_start(Occasion(PULL, name=name))
