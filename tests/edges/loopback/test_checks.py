"""Check runs keep GitHub's rules and limits."""

from typing import Any

import pytest

from evalgate.edges.loopback import Loopback
from tests.edges.loopback.asking import Answered, get, send
from tests.repositories import Repository

OUTPUT = {"title": "Blocked", "summary": "skills fell"}


def create(github: Loopback, **fields: Any) -> Answered:
    """A check run on main's head."""
    sha = github.world.found("main").sha
    return send(github, "POST", "/check-runs", {"name": "gate", "head_sha": sha, **fields})


def change(github: Loopback, check: Any, **fields: Any) -> Answered:
    return send(github, "PATCH", f"/check-runs/{check['id']}", fields)


def annotations(count: int, **fields: Any) -> list[dict[str, Any]]:
    one = {"path": "a.md", "start_line": 1, "end_line": 1, "annotation_level": "failure", "message": "low"}
    return [{**one, "message": f"low {number}", **fields} for number in range(count)]


def test_a_check_run_begins_is_completed_and_is_read_back(github: Loopback, repository: Repository) -> None:
    made = create(github, status="in_progress", external_id="1.1", details_url="https://elsewhere.example")
    done = change(github, made.json, status="completed", conclusion="failure", output=OUTPUT)

    read = get(github, f"/check-runs/{made.json['id']}").json

    assert (made.status, made.json["status"], made.json["conclusion"]) == (201, "in_progress", None)
    assert (done.status, read["status"], read["conclusion"]) == (200, "completed", "failure")
    assert (read["output"]["title"], read["external_id"], read["app"]["id"]) == ("Blocked", "1.1", 15368)
    assert read["head_sha"] == repository.head("main")
    assert read["details_url"] == read["html_url"]
    assert github.check_runs == [read]


def test_a_conclusion_completes(github: Loopback) -> None:
    made = create(github, conclusion="success").json

    assert (made["status"], made["completed_at"] is None) == ("completed", False)


def test_a_completed_check_run_keeps_its_conclusion_and_takes_a_new_output(github: Loopback) -> None:
    made = create(github, status="completed", conclusion="failure", output=OUTPUT).json

    answers = [
        change(github, made, conclusion="success", status="completed"),
        change(github, made, status="in_progress"),
        change(github, made, output={"title": "new", "summary": "new"}),
    ]

    assert {(answer.json["status"], answer.json["conclusion"]) for answer in answers} == {("completed", "failure")}
    assert answers[-1].json["output"]["title"] == "new"


def test_an_output_replaces_the_whole_one_but_for_its_annotations(github: Loopback) -> None:
    made = create(github, output={**OUTPUT, "text": "long", "annotations": annotations(50)}).json
    first = change(github, made, output={"summary": "s", "annotations": annotations(2)}).json["output"]
    second = change(github, made, status="in_progress").json["output"]

    assert (first["title"], first["text"], first["annotations_count"]) == (None, None, 52)
    assert second == first
    listed = get(github, f"/check-runs/{made['id']}/annotations?per_page=100")
    assert [row["message"] for row in listed.json] == [f"low {number}" for number in [*range(50), 0, 1]]
    assert github.annotations(made["id"]) == listed.json


def test_fifty_annotations_a_request_and_not_one_more(github: Loopback) -> None:
    assert create(github, output={**OUTPUT, "annotations": annotations(50)}).status == 201
    assert create(github, output={**OUTPUT, "annotations": annotations(51)}).status == 422
    assert len(github.check_runs) == 1
    github.violations.clear()  # that GitHub's description says so as well, is what is tested


@pytest.mark.parametrize(
    ("field", "text", "status"),
    [
        ("summary", "x" * 65_535, 201),
        ("summary", "x" * 65_536, 422),
        ("summary", "é" * 32_767 + "x", 201),
        ("summary", "é" * 32_768, 422),
        ("text", "é" * 65_535, 201),
        ("text", "x" * 65_536, 422),
        ("text", "😀" * 32_768, 422),
        ("title", "x" * 255, 201),
        ("title", "x" * 256, 422),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 9 else "",
)
def test_texts_have_githubs_limits(github: Loopback, field: str, text: str, status: int) -> None:
    assert create(github, output=OUTPUT | {field: text}).status == status
    github.violations.clear()


def test_a_text_beyond_the_limit_of_bytes_is_cut_without_a_word(github: Loopback) -> None:
    made = create(github, output=OUTPUT | {"text": "é" * 65_535}).json

    assert made["output"]["text"] == "é" * 32_767


@pytest.mark.parametrize(
    "fields",
    [
        {"name": ""},
        {"head_sha": None},
        {"head_sha": "1" * 40},
        {"status": "done"},
        {"conclusion": "passed"},
        {"status": "completed"},
        {"output": {"title": "no summary"}},
        {"output": {"summary": "no title"}},
        {"output": {**OUTPUT, "annotations": annotations(1, start_line=0)}},
        {"output": {**OUTPUT, "annotations": annotations(1, start_line=2)}},
        {"output": {**OUTPUT, "annotations": annotations(1, annotation_level="error")}},
        {"output": {**OUTPUT, "annotations": [{"path": "a"}]}},
    ],
    ids=str,
)
def test_what_is_no_check_run_is_refused(github: Loopback, fields: dict[str, Any]) -> None:
    assert create(github, **fields).status == 422
    assert github.check_runs == []
    github.violations.clear()


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"name": NaN}'])
def test_what_is_no_json_object_is_refused(github: Loopback, body: bytes) -> None:
    answer = send(github, "POST", "/check-runs", body)

    assert (answer.status, "JSON" in answer.json["message"]) == (400, True)
    github.violations.clear()


def test_creating_twice_makes_two_of_which_the_newest_is_shown(github: Loopback) -> None:
    ids = [create(github, external_id=str(number)).json["id"] for number in range(2)]
    other = create(github, name="other").json["id"]

    def listed(query: str) -> list[int]:
        return [run["id"] for run in get(github, f"/commits/main/check-runs?{query}").json["check_runs"]]

    assert listed("") == [other, ids[1]]
    assert listed("filter=all") == [other, *ids[::-1]]
    assert listed("check_name=gate&filter=all&status=queued&app_id=15368") == ids[::-1]
    assert listed("app_id=1") == []


def test_a_jobs_check_run_takes_an_output_but_no_conclusion(github: Loopback) -> None:
    job = github.add_job(github.add_run()["id"], name="evals")

    refused = change(github, job, status="completed", conclusion="failure")
    taken = change(github, job, output=OUTPUT)

    assert (refused.status, taken.status) == (403, 200)
    assert (taken.json["conclusion"], taken.json["output"]["title"]) == ("success", "Blocked")


def test_another_apps_check_run_is_its_own(github: Loopback, repository: Repository) -> None:
    made = github.add_check_run(head_sha=repository.head("main"), name="gate")
    made["app"] = made["app"] | {"id": 7, "name": "Other"}

    assert change(github, made, output=OUTPUT).status == 403
    assert {run["app"]["id"] for run in get(github, "/commits/main/check-runs").json["check_runs"]} == {7}
