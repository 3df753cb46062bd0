"""Every endpoint answers as GitHub describes it, from what is in git."""

import base64
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalgate.edges.loopback import Loopback
from evalgate.edges.loopback.routes import REPOSITORY, ROUTES
from evalgate.errors import UsageError
from tests.edges.loopback.asking import ask, get
from tests.github_api import description
from tests.repositories import Repository

EXAMPLES: dict[str, str] = {
    "": "",
    "/branches/{branch}": "/branches/topic%2Fkind",
    "/branches/{branch}/protection": "/branches/main/protection",
    "/commits": "/commits?sha=topic/kind&path=prompts&per_page=2",
    "/commits/{ref}": "/commits/topic/kind",
    "/commits/{commit_sha}/pulls": "/commits/{head}/pulls",
    "/commits/{ref}/check-runs": "/commits/{main}/check-runs?filter=all",
    "/compare/{basehead}": "/compare/main...topic/kind",
    "/contents/{path}": "/contents/notes.txt?ref=main",
    "/git/commits/{commit_sha}": "/git/commits/{head}",
    "/git/ref/{ref}": "/git/ref/heads/topic/kind",
    "/git/trees/{tree_sha}": "/git/trees/{main}?recursive=1",
    "/git/blobs/{file_sha}": "/git/blobs/{blob}",
    "/rules/branches/{branch}": "/rules/branches/topic/kind",
    "/rulesets": "/rulesets",
    "/pulls": "/pulls?state=all&base=main",
    "/pulls/{pull_number}": "/pulls/7",
    "/pulls/{pull_number}/files": "/pulls/7/files",
    "/actions/runs": "/actions/runs?branch=main&event=push&status=success",
    "/actions/runs/{run_id}": "/actions/runs/1",
    "/actions/runs/{run_id}/jobs": "/actions/runs/1/jobs",
    "/actions/runs/{run_id}/artifacts": "/actions/runs/1/artifacts",
    "/actions/workflows": "/actions/workflows",
    "/actions/workflows/{workflow_id}/runs": "/actions/workflows/evals.yml/runs",
    "/actions/artifacts": "/actions/artifacts?name=results",
    "/actions/artifacts/{artifact_id}": "/actions/artifacts/2",
    "/actions/artifacts/{artifact_id}/{archive_format}": "/actions/artifacts/2/zip",
    "/check-runs/{check_run_id}": "/check-runs/3",
    "/check-runs/{check_run_id}/annotations": "/check-runs/3/annotations",
    "/issues/{issue_number}/comments": "/issues/7/comments",
}
RULE = {"type": "required_status_checks", "ruleset_source_type": "Repository", "ruleset_source": "o/r", "ruleset_id": 1}
CHECKS = {"strict_required_status_checks_policy": False, "required_status_checks": [{"context": "gate"}]}
ALL = {"administration": "read", "contents": "read", "actions": "read", "checks": "write", "pull-requests": "write"}


@pytest.fixture
def full(repository: Repository) -> Iterator[Loopback]:
    """GitHub with one of everything, and a token that may do everything."""
    with Loopback(repository.folder, check=description.check, permissions=ALL) as served:
        served.add_run(id=1)
        served.add_job(1, id=4, name="evals")
        served.add_artifact(1, "results", {"results.json": b"{}"}, id=2)
        served.pull(7, "topic/kind")
        served.add_comment(7, "well done")
        served.add_check_run(id=3, head_sha=repository.head("main"), status="completed", conclusion="neutral")
        served.world.protected.add("main")
        served.world.rules["topic/kind"] = [RULE | {"parameters": CHECKS}]
        served.world.rulesets.append({"id": 1, "name": "main", "source": "o/r", "enforcement": "active"})
        yield served


def test_every_reading_endpoint_has_an_example() -> None:
    reading = {route.template for route in ROUTES if route.method == "GET"}

    assert reading == {"/rate_limit"} | {REPOSITORY + template for template in EXAMPLES}


def test_every_endpoint_is_one_that_github_describes() -> None:
    described = description.described()["paths"]

    assert [r.template for r in ROUTES if r.method.lower() not in described.get(r.template, {})] == []


@pytest.mark.parametrize("template", EXAMPLES)
def test_an_answer_is_as_github_describes_it(full: Loopback, repository: Repository, template: str) -> None:
    names = {"main": repository.head("main"), "head": repository.head("topic/kind"), "blob": blob(repository)}

    answer = get(full, EXAMPLES[template].format(**names))

    assert answer.status == (302 if template.endswith("{archive_format}") else 200)
    assert full.violations == []
    assert template in ("", *PLAIN) or answer.content not in (b"[]", b"{}")


PLAIN = ("/actions/artifacts/{artifact_id}/{archive_format}", "/check-runs/{check_run_id}/annotations")


def test_the_rate_limit_counts_what_was_asked(full: Loopback) -> None:
    get(full, "")
    get(full, "")

    answer = ask(f"{full.url}/rate_limit")

    assert answer.json["resources"]["core"]["used"] == 2
    assert int(answer.headers["x-ratelimit-remaining"]) == answer.json["rate"]["remaining"] == 998


def test_commits_come_newest_first_with_their_parents_in_order(github: Loopback, repository: Repository) -> None:
    merge = repository.head("refs/pull/7/merge")

    listed = get(github, f"/commits?sha={merge}&per_page=100").json

    assert [row["sha"] for row in listed] == repository.git("rev-list", merge).split()
    assert [row["sha"] for row in listed[0]["parents"]] == [repository.head("main"), repository.head("topic/kind")]


def test_a_commit_has_its_tree_its_files_and_its_message(github: Loopback, repository: Repository) -> None:
    answer = get(github, "/commits/main").json

    assert answer["commit"]["tree"]["sha"] == repository.git("rev-parse", "main^{tree}")
    assert answer["commit"]["message"] == "third"
    assert [(row["filename"], row["status"], row["additions"]) for row in answer["files"]] == [
        ("notes.txt", "modified", 1)
    ]


@pytest.mark.parametrize("name", ["main", "refs/heads/main", "heads/main", "v1"])
def test_branches_tags_and_references_name_commits(github: Loopback, repository: Repository, name: str) -> None:
    repository.git("tag", "--annotate", "--message", "one", "v1", "main")

    answer = get(github, f"/commits/{name}", headers={"Accept": "application/vnd.github.sha"})

    assert answer.content.decode() == repository.head("main")


@pytest.mark.parametrize("name", ["main~1", "main^", "@", "HEAD", "-x", "main@{0}", "nope", "0" * 40, ":notes.txt"])
def test_expressions_of_git_name_nothing(github: Loopback, name: str) -> None:
    answer = get(github, f"/commits/{name}")

    assert (answer.status, answer.json["message"]) == (422, f"No commit found for SHA: {name}")


def test_a_tree_is_what_git_has(github: Loopback, repository: Repository) -> None:
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},module")
    (repository.folder / "link").symlink_to("notes.txt")
    repository.git("add", "link")
    repository.git("commit", "--quiet", "--message", "kinds")
    listed = get(github, "/git/trees/main?recursive=1").json

    rows = [f"{row['mode']} {row['type']} {row['sha']}\t{row['path']}" for row in listed["tree"]]
    assert rows == repository.git("ls-tree", "-r", "-t", "main").split("\n")
    assert {row["mode"] for row in listed["tree"]} == {"040000", "100644", "120000", "160000"}
    assert not listed["truncated"]
    assert [get(github, f"/contents/{path}").json["type"] for path in ("link", "module")] == ["symlink", "submodule"]


def test_a_tree_beyond_the_limit_is_cut_and_says_so(github: Loopback) -> None:
    github.world.tree_limit = 2

    cut, whole = get(github, "/git/trees/main?recursive=1").json, get(github, "/git/trees/main:prompts")

    assert (len(cut["tree"]), cut["truncated"], whole.status) == (2, True, 404)


def test_contents_are_the_files_bytes(github: Loopback, repository: Repository) -> None:
    big = os.urandom(1024 * 1024 + 1)
    repository.commit({"big.bin": big, "odd näme [1].txt": "odd"})

    inline, large = get(github, "/contents/notes.txt").json, get(github, "/contents/big.bin").json
    raw = get(github, "/contents/big.bin", headers={"Accept": "application/vnd.github.raw+json"})
    odd = get(github, "/contents/odd%20n%C3%A4me%20%5B1%5D.txt").json

    assert base64.b64decode(inline["content"]) == b"one\ntwo\nthree\n"
    assert (large["content"], large["encoding"], large["size"]) == ("", "none", len(big))
    assert raw.content == big
    assert base64.b64decode(odd["content"]) == b"odd"


def test_a_folder_is_a_list(github: Loopback) -> None:
    listed = get(github, "/contents/prompts?ref=topic/kind").json

    assert [(row["path"], row["type"]) for row in listed] == [("prompts/a.md", "file"), ("prompts/b.md", "file")]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/contents/nope", "Not Found"),
        ("/contents/notes.txt?ref=nope", "No commit found for the ref nope"),
        ("/branches/nope", "Branch not found"),
        ("/git/ref/heads/nope", "Not Found"),
        ("/git/blobs/" + "1" * 40, "Not Found"),
        ("/actions/runs/5", "Not Found"),
        ("/actions/runs/five", "Not Found"),
        ("/actions/workflows/nope.yml/runs", "Not Found"),
        ("/actions/artifacts/5/zip", "Not Found"),
        ("/pulls/5", "Not Found"),
        ("/check-runs/5", "Not Found"),
        ("/issues/5/comments", "Not Found"),
        ("/commits?sha=nope", "Not Found"),
        ("/compare/main...nope", "Not Found"),
    ],
)
def test_what_is_not_there_is_404_in_githubs_words(github: Loopback, path: str, message: str) -> None:
    answer = get(github, path)

    assert (answer.status, answer.json["message"], answer.json["status"]) == (404, message, "404")
    github.violations.clear()  # `/actions/runs/five` is no request that GitHub describes


def test_two_commits_are_compared_from_their_merge_base(github: Loopback, repository: Repository) -> None:
    answer = get(github, "/compare/main...topic/kind").json

    assert (answer["status"], answer["ahead_by"], answer["behind_by"]) == ("diverged", 2, 1)
    assert answer["merge_base_commit"]["sha"] == repository.head("main~1")
    assert [row["commit"]["message"] for row in answer["commits"]] == ["fourth", "fifth"]
    assert [row["filename"] for row in answer["files"]] == ["prompts/a.md", "prompts/b.md"]
    assert get(github, "/compare/main~1...main").status == 404
    assert get(github, "/compare/main...main").json["status"] == "identical"
    assert get(github, f"/compare/main...{repository.head('main~1')}").json["status"] == "behind"


def test_renames_deletions_and_binaries_are_files_that_changed(github: Loopback, repository: Repository) -> None:
    repository.commit({"blob.bin": b"\0\1" * 50, "long.txt": "line\n" * 30})
    repository.git("mv", "long.txt", "moved.txt")
    repository.commit({"notes.txt": None, "blob.bin": b"\0\2" * 50})

    files = get(github, "/commits/main").json["files"]

    assert [(row["filename"], row["status"], row.get("previous_filename"), row["changes"]) for row in files] == [
        ("blob.bin", "modified", None, 0),
        ("moved.txt", "renamed", "long.txt", 0),
        ("notes.txt", "removed", None, 3),
    ]


def test_a_bare_repository_is_served_as_well(repository: Repository, tmp_path: Path) -> None:
    repository.git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare.git"))

    with Loopback(tmp_path / "bare.git") as github:
        assert get(github, "/branches/main").json["commit"]["sha"] == repository.head("main")


def test_the_repositorys_own_configuration_runs_nothing(repository: Repository, tmp_path: Path) -> None:
    planted = f"touch {tmp_path / 'ran'}; cat"
    for key in ("core.fsmonitor", "diff.external", "diff.x.textconv", "core.pager", "core.sshCommand"):
        repository.git("config", key, planted)
    (repository.folder / ".git/info").mkdir()
    (repository.folder / ".git/info/attributes").write_text("* diff=x\n")

    with Loopback(repository.folder) as github:
        assert [get(github, f"/{path}").status for path in ("commits/main", "compare/main...topic/kind")] == [200, 200]

    assert not (tmp_path / "ran").exists()


def test_what_is_no_repository_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no git repository is there"):
        Loopback(tmp_path)


def blob(repository: Repository) -> str:
    return repository.git("rev-parse", "main:notes.txt")
