"""`publish` sends a stored publication as far as the API confirms it, and says why it refuses another."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from evalgate.boundary import run
from evalgate.commands.publication import Occasion, publication_of, store
from evalgate.edges.loopback import Loopback, Status
from evalgate.model.finding import Place
from evalgate.model.report import Report
from tests.commands.test_publication import PULL
from tests.github_api import description
from tests.repositories import Repository
from tests.unit.render.test_check_run import BLOCKED, PASSED

Publish = Callable[..., tuple[int, str]]
OWNER, OURS = "octo/evals", 4242
MAY = {"contents": "read", "actions": "read", "checks": "write", "pull-requests": "write"}


@pytest.fixture
def github(tmp_path: Path) -> Iterator[Loopback]:
    """GitHub with pull request 7 of a fork, whose run 31 has ended; its commit is in the base repository's network."""
    repository = Repository(tmp_path / "repository")
    repository.commit({"prompts/answer.md": "be kind\n"})
    with Loopback(repository.folder, name=OWNER, id=OURS, permissions=MAY, check=description.check) as served:
        fork = served.other_repository("stranger/evals", 99)
        head = served.world.found("main").sha
        source = {"head_repository": fork, "head_branch": "topic", "head_sha": head}
        served.add_run(id=31, run_attempt=2, event="pull_request", conclusion="failure", **source)
        served.pull(7, "topic", head_sha=head, head_repository=fork)
        yield served


@pytest.fixture
def publish(
    github: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Publish:
    """Run `evalgate publish` in a job that run 31 started; returns its exit code and what it said."""
    event = tmp_path / "event.json"
    repository = {"id": OURS, "default_branch": "main"}
    ended = {
        "id": 31,
        "head_sha": github.world.found("main").sha,
        "head_branch": "topic",
        "head_repository": {"id": 99},
    }
    event.write_text(json.dumps({"repository": repository, "workflow_run": ended}))
    variables = {
        "GITHUB_ACTIONS": "true",
        "GITHUB_ACTOR": "octocat",
        "GITHUB_API_URL": github.url,
        "GITHUB_EVENT_NAME": "workflow_run",
        "GITHUB_EVENT_PATH": str(event),
        "GITHUB_JOB": "publish",
        "GITHUB_REF": "refs/heads/main",
        "GITHUB_REPOSITORY": OWNER,
        "GITHUB_REPOSITORY_ID": str(OURS),
        "GITHUB_RUN_ATTEMPT": "1",
        "GITHUB_RUN_ID": "77",
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_SHA": github.world.found("main").sha,
        "GITHUB_WORKFLOW_REF": f"{OWNER}/.github/workflows/publish.yml@refs/heads/main",
        "EVALGATE_TOKEN": "ghs_secret",
        "NO_PROXY": "127.0.0.1",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    def published(text: str, *options: str) -> tuple[int, str]:
        (tmp_path / "publication.json").write_text(text, encoding="utf-8")
        code = run(["publish", str(tmp_path), *options])
        return code, capsys.readouterr().err

    return published


def stored(github: Loopback, report: Report = BLOCKED, **fields: Any) -> str:
    """The file that a gate of the pull request stores."""
    situation = PULL.model_copy(update={"head": github.world.found("main").sha})
    return store(
        publication_of(report, Occasion(situation, **{"comments": True, **fields}), {"prompts/answer.md", "x"})
    )


def changed(text: str, **fields: Any) -> str:
    """The file after somebody changed it; dots in names lead inwards."""
    value = json.loads(text)
    for name, new in fields.items():
        *way, last = name.split("__")
        inner = value
        for part in way:
            inner = inner[part]
        inner[last] = new(inner[last]) if callable(new) else new
    return json.dumps(value)


def sent(github: Loopback) -> list[str]:
    return [line.method for line in github.requests if line.method != "GET"]


def test_a_forks_report_is_sent_to_its_commit_and_pull_request(github: Loopback, publish: Publish) -> None:
    code, said = publish(stored(github))
    assert (code, sent(github)) == (0, ["POST", "PATCH", "POST"])
    [check] = github.check_runs
    assert (check["name"], check["conclusion"], check["head_sha"]) == (
        "evalgate",
        "failure",
        github.world.found("main").sha,
    )
    assert check["output"]["summary"].startswith("## ❌ Blocked")
    assert github.comments[0]["body"].startswith("<!-- evalgate:: -->\n<!-- verdict:FAIL -->\n\n## ❌ Blocked")
    assert said.endswith(f"published FAIL for {check['head_sha'][:12]}: {check['html_url']}\n")


def test_a_success_is_sent_when_the_run_succeeded(github: Loopback, publish: Publish) -> None:
    github.world.runs[31]["conclusion"] = "success"
    assert publish(stored(github, PASSED))[0] == 0
    assert [check["conclusion"] for check in github.check_runs] == ["success"]
    assert github.comments == [], "a first PASS is no news"


def test_published_again_it_is_a_check_run_of_its_own(github: Loopback, publish: Publish) -> None:
    for _ in range(2):
        assert publish(stored(github))[0] == 0
    assert [check["conclusion"] for check in github.check_runs] == ["failure", "failure"]
    assert len(github.comments) == 1


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"repository_id": 99}, "repository_id is 99, and must be 4242"),
        ({"pull": 8}, "pull is 8, which is no open pull request with"),
        ({"check_run__name": "build"}, "check_run.name is 'build', and must be 'evalgate'"),
        ({"check_run__summary": lambda text: text + "\n[x](http://example.com)\n"}, "check_run.summary: line"),
        ({"check_run__summary": lambda text: text + "\n> @org\n"}, "is not as evalgate writes it"),
        ({"check_run__text": "<img src=x>"}, "check_run.text: line 1 is not as evalgate writes it"),
        ({"check_run__summary": "## ✅ Passed\n"}, "check_run.summary does not begin with the verdict, FAIL"),
        ({"comment__text": "## ✅ Passed\n"}, "comment does not begin with the verdict, FAIL"),
        ({"comment__text": "## ❌ ![](http://example.com)\n"}, "comment: line 1 is not as evalgate writes it"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_changed_publication_is_refused(
    github: Loopback, publish: Publish, fields: dict[str, Any], told: str
) -> None:
    code, said = publish(changed(stored(github), **fields))
    assert code == 3
    assert "is not published:" in said
    assert told in said
    assert sent(github) == []


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"check_run__conclusion": "success"}, "check_run.conclusion must be 'failure' for FAIL"),
        ({"check_run__conclusion": "neutral"}, "check_run.conclusion: must be"),
        ({"check_run__head_sha": "d" * 40}, "check_run.external_id must name"),
        ({"run": 32}, "check_run.external_id must name"),
        ({"repository": "octo/other"}, "check_run.external_id must name"),
        ({"check_run__summary": "x" * 65_536}, "check_run.summary: Value error, must have at most 65,535 bytes"),
        ({"check_run__annotations": [{}]}, "check_run.annotations[0].path: is missing"),
        ({"comment__marker": "<!-- evalgate:stable: -->"}, "comment.marker and comment.verdict must be those"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_publication_that_contradicts_itself_is_no_publication(
    github: Loopback, publish: Publish, fields: dict[str, Any], place: str
) -> None:
    code, said = publish(changed(stored(github), **fields))
    assert code == 2
    assert place.removeprefix("check_run.summary: Value error, ") in said
    assert github.requests == []


def test_a_forged_success_of_a_failed_run_is_refused(github: Loopback, publish: Publish) -> None:
    code, said = publish(stored(github, PASSED))
    assert code == 3
    assert "check_run.conclusion is 'success', and the run that stored it ended as 'failure'" in said
    assert sent(github) == []


def test_a_publication_of_another_commit_is_refused(github: Loopback, publish: Publish) -> None:
    situation = PULL.model_copy(update={"head": "d" * 40})
    code, said = publish(store(publication_of(BLOCKED, Occasion(situation), ())))
    assert code == 3
    assert f"check_run.head_sha is '{'d' * 40}', and must be '{github.world.found('main').sha}'" in said


@pytest.mark.parametrize(("field", "value"), [("run", 30), ("attempt", 1)])
def test_a_publication_of_another_run_is_refused(github: Loopback, publish: Publish, field: str, value: int) -> None:
    situation = PULL.model_copy(update={"head": github.world.found("main").sha, field: value})
    code, said = publish(store(publication_of(BLOCKED, Occasion(situation), ())))
    assert code == 3
    assert f"{field} is {value}, and must be" in said


def test_a_pull_request_that_moved_on_is_refused(github: Loopback, publish: Publish) -> None:
    github.world.pulls[7].head_sha = "0" * 40
    github.fault("GET /commits/*/pulls", None, Status(200, []))
    github.fault("GET /pulls", None, Status(200, []))
    code, said = publish(stored(github))
    assert code == 3
    assert "pull is 7, which is no open pull request with" in said


def test_both_workflows_must_give_the_same_name(github: Loopback, publish: Publish) -> None:
    text = stored(github, name="quality")
    assert publish(text)[0] == 3
    assert publish(text, "--check-name", "quality")[0] == 0
    assert [check["name"] for check in github.check_runs] == ["quality"]


def test_annotations_of_files_that_the_commit_does_not_have_are_left_out(github: Loopback, publish: Publish) -> None:
    places = [Place(path="prompts/answer.md", line=1), Place(path="x", line=1)]
    pairs = zip(BLOCKED.findings, places, strict=False)
    findings = tuple(finding.model_copy(update={"place": place}) for finding, place in pairs)
    assert publish(stored(github, BLOCKED.model_copy(update={"findings": findings})))[0] == 0
    [check] = github.check_runs
    assert [one["path"] for one in github.annotations(check["id"])] == ["prompts/answer.md"]


@pytest.mark.parametrize(
    ("match", "told"),
    [
        ("POST /check-runs", "POST /check-runs"),
        ("PATCH /check-runs/*", "PATCH"),
        ("POST /issues/*", "pull-requests: write"),
    ],
)
def test_what_does_not_arrive_is_told_with_exit_5(github: Loopback, publish: Publish, match: str, told: str) -> None:
    github.fault(match, None, Status(403))
    code, said = publish(stored(github))
    assert code == 5
    assert "not everything was published:" in said
    assert told in said


def test_a_check_run_that_cannot_be_sent_does_not_keep_the_comment_back(github: Loopback, publish: Publish) -> None:
    github.world.permissions["checks"] = "read"
    code, said = publish(stored(github))
    assert code == 5
    assert "checks: write" in said
    assert len(github.comments) == 1


def test_without_the_api_nothing_is_sent(github: Loopback, publish: Publish) -> None:
    github.world.permissions["actions"] = "none"
    code, said = publish(stored(github))
    assert code == 3
    assert "actions: read" in said
    assert sent(github) == []


def test_outside_its_event_it_says_where_it_belongs(
    github: Loopback, publish: Publish, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_EVENT_NAME", "pull_request_target")
    code, said = publish(stored(github))
    assert code == 2
    assert "a workflow that `workflow_run` starts; examples/workflows/publish.yml" in said
    assert github.requests == []


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("GITHUB_RUN_ID", "", "the job: GITHUB_RUN_ID: is missing"),
        ("GITHUB_SHA", "main", "the job: GITHUB_SHA: must be a commit's full name"),
    ],
)
def test_a_job_that_the_runner_did_not_describe_is_told(
    github: Loopback, publish: Publish, monkeypatch: pytest.MonkeyPatch, name: str, value: str, told: str
) -> None:
    monkeypatch.setenv(name, value)
    code, said = publish(stored(github))
    assert code == 2
    assert told in said
    assert github.requests == []


def test_an_event_without_the_runs_number_is_told(github: Loopback, publish: Publish, tmp_path: Path) -> None:
    event = json.loads((tmp_path / "event.json").read_text())
    del event["workflow_run"]["id"]
    (tmp_path / "event.json").write_text(json.dumps(event))
    code, said = publish(stored(github))
    assert code == 2
    assert "github.event.workflow_run.id: must be the number of a run" in said


def test_nothing_that_a_publication_says_is_a_command_of_the_runner(github: Loopback, publish: Publish) -> None:
    code, said = publish(changed(stored(github), check_run__name="##[add-mask]x"))
    assert code == 3
    assert "##[" not in said
