"""JUnit XML in the dialects of the tools that write it.

The files in tests/data/junit were written by those tools (SOURCES.md names versions). For tools that could not be run
here the XML follows their sources, which the test names: repository, file, and commit where a version matters.
"""

import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from evalgate import importers
from evalgate.edges.files.contents import stamp
from evalgate.edges.files.results import checked, load
from evalgate.importers.junit.totals import ADDED, CHANGED, LOST
from evalgate.model.content import Content
from evalgate.model.results import Results, Source
from tests.reading import DATA, problems

SOURCE = Source(path="junit.xml", sha256="0" * 64, bytes=1)


def imported(xml: str | bytes) -> Results:
    data = xml if isinstance(xml, bytes) else xml.encode()
    results = importers.read(Content("xml", data), SOURCE)
    assert len(list(checked(results, "junit.xml").cases)) == len(results.cases)
    return results


def refused(xml: str | bytes) -> list[str]:
    data = xml if isinstance(xml, bytes) else xml.encode()
    return problems(lambda: importers.read(Content("xml", data), SOURCE))


def suite(*members: str, name: str = "s", **attributes: Any) -> str:
    claims = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f'<testsuite name="{name}"{claims}>{"".join(members)}</testsuite>'


def suites(*members: str, **attributes: Any) -> str:
    claims = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f"<testsuites{claims}>{''.join(members)}</testsuites>"


def entry(name: str = "t", *children: str, **attributes: Any) -> str:
    more = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f'<testcase name="{name}"{more}>{"".join(children)}</testcase>'


def states(results: Results) -> dict[str, list[str]]:
    return {case.id: [run.state for run in case.runs] for case in results.cases}


def sample(name: str) -> Results:
    path = DATA / "junit" / name
    loaded = load(path)
    assert isinstance(loaded, Content)
    results = importers.read(loaded, stamp(path, DATA))
    list(checked(results, name).cases)
    return results


COUNTS = {
    "GENERATED-behave.xml": {"passed": 2, "failed": 2, "errored": 2, "skipped": 1},
    "GENERATED-ctest.xml": {"passed": 1, "failed": 2, "skipped": 3},
    "GENERATED-deno.xml": {"passed": 2, "failed": 3, "skipped": 1},
    "GENERATED-jest-junit.xml": {"passed": 2, "failed": 4, "skipped": 1},
    "GENERATED-jest-junit-suite-errors.xml": {"passed": 2, "failed": 5, "errored": 1, "skipped": 1},
    "GENERATED-node-test.xml": {"passed": 5, "failed": 5, "skipped": 1},
    "GENERATED-playwright.xml": {"passed": 6, "failed": 2, "errored": 2, "skipped": 4},
    "GENERATED-promptfoo-0.121.20.junit.xml": {"passed": 2, "failed": 2, "errored": 4},
    "GENERATED-pytest-8.3.5-failure-and-teardown-error.xml": {"passed": 1, "errored": 1},
    "GENERATED-pytest-8.3.5-teardown-error.xml": {"passed": 1, "errored": 1},
    "GENERATED-pytest-9.2.0-failure-and-teardown-error.xml": {"passed": 1, "errored": 1},
    "GENERATED-pytest-9.2.0-teardown-error.xml": {"passed": 1, "errored": 1},
    "GENERATED-pytest-count2-properties.xml": {"passed": 2, "failed": 2, "errored": 2, "skipped": 2},
    "GENERATED-pytest-rerunfailures-16.7.xml": {"passed": 2, "failed": 1},
    "GENERATED-robot.xml": {"passed": 1, "failed": 1, "skipped": 1},
    "GENERATED-unittest-xml-reporting.xml": {"passed": 1, "failed": 2, "errored": 3, "skipped": 2},
    "GENERATED-vitest.xml": {"passed": 5, "failed": 5, "skipped": 5},
    "jest__jest-junit.xml": {"passed": 2},
    "junit.multiresult.xml": {"passed": 1, "failed": 1, "errored": 1, "skipped": 1},
    "minimal-attributes.xml": {"passed": 1, "failed": 1, "errored": 1, "skipped": 1},
    "no-attributes.xml": {"passed": 1, "failed": 1, "errored": 1, "skipped": 1},
    "pytest__junit.fail.xml": {"passed": 3, "failed": 1, "skipped": 1},
    "pytest__junit.gloo.standalone.xml": {"passed": 80, "skipped": 17},
    "pytest__junit.mpi.standalone.xml": {"passed": 96, "skipped": 1},
    "testsuite-root.xml": {"passed": 5},
    "with-xml-entities.xml": {"failed": 1, "errored": 1, "skipped": 2},
}

REFUSED = {
    "GENERATED-jest-junit-todo.xml": [
        f"claims tests = 7, but holds 8. {ADDED}",
        f"suite 'outer': claims tests = 5, but holds 6. {ADDED}",
    ],
    "GENERATED-mocha-junit-reporter.xml": [
        f"claims tests = 7, but holds 4. {LOST}",
        f"claims skipped = 2, but holds 0. {CHANGED}",
        f"suite 'outer': claims tests = 4, but holds 2. {LOST}",
        f"suite 'hooked': claims tests = 2, but holds 1. {LOST}",
    ],
    "GENERATED-pytest-subtests-0.15.0.xml": [f"suite 'pytest': claims tests = 13, but holds 4. {LOST}"],
    "no-cases-but-tests.xml": [
        f"suite 'pytest': claims tests = 6, but holds 0. {LOST}",
        f"suite 'pytest': claims failures = 1, but holds 0. {CHANGED}",
        f"suite 'pytest': claims skipped = 2, but holds 0. {CHANGED}",
    ],
    "pytest__corrupt-xml.xml": [
        (
            "line 11, column 22: is not XML: no element found. "
            "It may not have been written to its end; run the tests again."
        )
    ],
}


def test_every_sample_is_expected_to_be_read_or_refused() -> None:
    assert COUNTS.keys() | REFUSED.keys() == {path.name for path in (DATA / "junit").iterdir()}


@pytest.mark.parametrize("name", COUNTS)
def test_a_sample_holds_exactly_these_outcomes(name: str) -> None:
    results = sample(name)
    assert Counter(run.state for case in results.cases for run in case.runs) == COUNTS[name]
    assert results.planned.runs == sum(COUNTS[name].values())


@pytest.mark.parametrize("name", REFUSED)
def test_a_sample_that_proves_nothing_is_refused(name: str) -> None:
    assert problems(lambda: sample(name)) == [f"junit/{name}: {line}" for line in REFUSED[name]]


@pytest.mark.parametrize(
    ("children", "state"),
    [
        ((), "passed"),
        (("<skipped/>",), "skipped"),
        (("<failure/>",), "failed"),
        (("<error/>",), "errored"),
        (("<skipped/>", "<failure/>"), "failed"),
        (("<failure/>", "<error/>"), "errored"),
        (("<skipped/>", "<failure/>", "<error/>"), "errored"),
        (("<error/>", "<failure/>", "<skipped/>"), "errored"),
        # apache/maven-surefire, StatelessXmlReporter.serializeTestClassWithRerun: it passed in the end
        (("<flakyFailure/>",), "passed"),
        (("<flakyError/>", "<flakyFailure/>"), "passed"),
        (("<failure/>", "<rerunFailure/>", "<rerunError/>"), "failed"),
        (("<system-out>error</system-out>", "<properties/>"), "passed"),
    ],
)
def test_the_worst_child_decides(children: tuple[str, ...], state: str) -> None:
    assert states(imported(suite(entry("t", *children)))) == {"s/t": [state]}


@pytest.mark.parametrize(
    ("attributes", "state"),
    [
        # google/googletest, gtest_xml_output_unittest.py @cc5d780e
        ({"status": "run", "result": "completed"}, "passed"),
        ({"status": "notrun", "result": "suppressed"}, "skipped"),
        ({"status": "run", "result": "skipped"}, "skipped"),
        # Kitware/CMake, ctest --output-junit
        ({"status": "disabled"}, "skipped"),
        ({"status": "fail"}, "failed"),
        # onsi/ginkgo, reporters/junit_report.go @189bc5a: SpecState.String()
        ({"status": "pending"}, "skipped"),
        ({"status": "passed"}, "passed"),
        # pester/Pester
        ({"status": "Passed"}, "passed"),
        ({"status": "Skipped"}, "skipped"),
        ({"status": "Failed"}, "failed"),
        ({"status": "error"}, "errored"),
        ({"status": " NotRun "}, "skipped"),
        ({"status": ""}, "passed"),
        ({"status": "run", "result": "failed"}, "failed"),
        ({"status": "Inconclusive"}, "unscored"),
        ({"status": "passed", "result": "who knows"}, "unscored"),
    ],
)
def test_without_a_child_the_status_decides_and_no_unknown_word_is_a_pass(
    attributes: dict[str, str], state: str
) -> None:
    [case] = imported(suite(entry("t", **attributes))).cases
    assert case.runs[0].state == state
    if state in ("failed", "unscored"):
        assert "status " in (case.runs[0].reason or "")


def test_a_child_decides_over_the_status() -> None:
    assert states(imported(suite(entry("t", "<failure/>", status="run")))) == {"s/t": ["failed"]}
    assert states(imported(suite(entry("t", "<skipped/>", status="who knows")))) == {"s/t": ["skipped"]}


def test_what_a_child_says_is_kept() -> None:
    results = imported(
        suite(
            entry("a", '<failure message="short">long</failure>'),
            entry("b", "<failure>  the text  </failure>"),
            entry("c", "<failure/>"),
            entry("d", '<error message="broke"/>'),
            entry("e", "<error/>"),
            entry("f", '<skipped message="why"/>'),
            entry("g"),
        )
    )
    runs = [case.runs[0] for case in results.cases]
    assert [run.reason for run in runs] == ["short", "the text", None, None, None, "why", None]
    assert [(run.error.kind, run.error.message) for run in runs if run.error] == [
        ("unknown", "broke"),
        ("unknown", "no message"),
    ]


@pytest.mark.parametrize(
    ("xml", "ids"),
    [
        (suite(entry("t")), ["s/t"]),
        (suite(entry("t", classname="c")), ["s/c/t"]),
        (suite(entry("t", classname="s")), ["s/t"]),
        (suite(entry("c", classname="c")), ["s/c"]),
        (suite(entry("", classname="c")), ["s/c"]),
        (suite(entry("t"), name=""), ["t"]),
        (suites(suite(entry("t")), name="root"), ["s/t"]),
        (suite(suite(entry("t"), name="in"), entry("u"), name="out"), ["out/in/t", "out/u"]),
        (suite(entry("two\n lines\u200b")), ["s/two lines\\u200b"]),
        (suite(entry("&lt;&amp;&quot;")), ['s/<&"']),
        (suites(entry("t", classname="c")), ["c/t"]),
        (suite(entry("t"), name="mine-20261130193404"), ["mine/t"]),
    ],
)
def test_a_case_is_called_by_suite_path_class_and_name(xml: str, ids: list[str]) -> None:
    results = imported(xml)
    assert [case.id for case in results.cases] == ids
    assert results.case_ids == "name"


def test_a_very_long_name_stays_an_id_of_its_own() -> None:
    results = imported(suite(entry("n" * 600 + "a"), entry("n" * 600 + "b")))
    assert len({case.id for case in results.cases}) == 2
    assert all(len(case.id) <= 500 for case in results.cases)


def test_tests_without_a_name_are_called_by_position_which_pairs_with_nothing() -> None:
    results = imported(suite(entry("a"), "<testcase/>", entry("b"), '<testcase time="1"/>'))
    assert [case.id for case in results.cases] == ["s/a", "#2", "s/b", "#4"]
    assert results.case_ids == "position"


@pytest.mark.parametrize(
    ("seconds", "milliseconds"),
    [
        ("0.5", 500.0),
        ("0", 0.0),
        ("1,234.5", 1_234_500.0),
        ("1,234,567.8", 1_234_567_800.0),
        ("0,5", None),  # another country's half, or nonsense
        ("1,234", None),
        ("", None),
        ("NaN", None),
        ("inf", None),
        ("-1", None),
        ("1e307", None),
        ("soon", None),
        ("4.4e-05", 0.044),
    ],
)
def test_times_are_seconds_and_unknown_where_they_could_mean_two_things(
    seconds: str, milliseconds: float | None
) -> None:
    found = imported(suite(entry("t", time=seconds))).cases[0].runs[0].latency_ms
    assert found == (None if milliseconds is None else pytest.approx(milliseconds))


def test_a_test_without_a_time_has_no_latency() -> None:
    assert imported(suite(entry("t"))).cases[0].runs[0].latency_ms is None


def test_properties_are_kept_and_one_is_the_cost() -> None:
    properties = '<properties><property name="cost_usd" value="0.25"/><property name="k">text</property></properties>'
    [run] = imported(suite(entry("t", properties))).cases[0].runs

    assert run.cost_usd == 0.25
    assert run.extra == {"properties": {"cost_usd": "0.25", "k": "text"}}


@pytest.mark.parametrize("cost", ["", "free", "-1", "nan"])
def test_a_cost_that_is_none_is_unknown(cost: str) -> None:
    properties = f'<properties><property name="cost_usd" value="{cost}"/></properties>'
    assert imported(suite(entry("t", properties))).cases[0].runs[0].cost_usd is None


@pytest.mark.parametrize(
    ("timestamp", "moment"),
    [
        ("2026-11-30T17:35:20.587189+00:00", "2026-11-30T17:35:20Z"),
        ("2026-11-30T17:28:59.971Z", "2026-11-30T17:28:59Z"),
        ("2022-12-29T15:34:28", None),
        ("0001-01-01T00:00:00Z", None),  # Go's zero time
        ("", None),
    ],
)
def test_a_time_stamp_with_a_zone_is_when_it_was_made(timestamp: str, moment: str | None) -> None:
    assert imported(suite(entry("t"), timestamp=timestamp)).created_at == moment
    assert imported(suites(suite(entry("t")), suite(entry("u"), name="v", timestamp=timestamp))).created_at == moment


# Totals


@pytest.mark.parametrize(
    "xml",
    [
        suite(entry("a"), entry("b", "<failure/>"), tests=2, failures=1, errors=0, skipped=0),
        suite(entry("a"), tests="", failures="many"),
        suite(entry("a"), tests=" 1 "),
        suites(suite(entry("a"), tests=1), suite(entry("b"), name="u", tests=1), tests=2),
        # sebastianbergmann/phpunit, JunitXmlLogger.php @05334c30: suites count everything below
        suites(suite(suite(entry("a"), entry("b"), name="in", tests=2, skipped=0), name="out", tests=2, skipped=0)),
        # others count what is directly inside
        suite(entry("a"), suite(entry("b", "<error/>"), name="in", tests=1, errors=1), tests=1, errors=0),
        # one test with all three children: both ways of counting are right
        suite(entry("a", "<skipped/>", "<failure/>", "<error/>"), tests=1, errors=1, failures=1, skipped=1),
        suite(entry("a", "<skipped/>", "<failure/>", "<error/>"), tests=1, errors=1, failures=0, skipped=0),
        # several failures of one test: jest-junit counts the test, pytest the failures
        suite(entry("a", "<failure/>", "<failure/>"), tests=1, failures=1),
        suite(entry("a", "<failure/>", "<failure/>"), tests=1, failures=2),
        # google/googletest: disabled tests are no skipped ones; a test that failed and was skipped is not skipped
        suite(
            entry("a", status="run", result="completed"),
            entry("b", status="notrun", result="suppressed"),
            entry("c", "<skipped/>", status="run", result="skipped"),
            entry("d", "<failure/>", "<skipped/>", status="run", result="completed"),
            tests=4, failures=1, disabled=1, skipped=1, errors=0,
        ),
        # onsi/ginkgo, junit_report.go @189bc5a: pending ones are disabled, aborted failures are errors
        suite(
            entry("a", status="passed"),
            entry("b", '<skipped message="pending"/>', status="pending"),
            entry("c", '<skipped message="skipped"/>', status="skipped"),
            entry("d", '<failure type="aborted"/>', status="aborted"),
            tests=4, disabled=1, skipped=1, failures=0, errors=1,
        ),
        # a suite may count what its status says was not run
        suite(entry("a"), entry("b", status="notrun"), tests=2, skipped=1),
        # gotestyourself/gotestsum, internal/junitxml/report.go @043af1a: TestMain is listed and not counted
        suite(entry("TestMain", "<failure/>"), entry("TestA"), tests=1, failures=0),
        suite(entry("TestMain"), tests=1),
        # catchorg/Catch2, catch_reporter_junit.cpp @013edc2: totals are of assertions, the host is "tbd"
        suites(suite(entry("a", status="run"), errors=0, failures=0, tests=17, hostname="tbd")),
        # rust-lang's nextest and Deno: skipped tests are counted as disabled
        suite(entry("a"), entry("b", "<skipped/>"), tests=2, disabled=1, errors=0, failures=0),
    ],
)  # fmt: skip
def test_totals_that_agree_in_some_tools_way_of_counting_are_fine(xml: str) -> None:
    imported(xml)


NOTHING = "holds no test case. The tool ran nothing: check its filter, or whether it found the tests."


@pytest.mark.parametrize(
    ("xml", "lines"),
    [
        (suite(entry("a"), tests=2), [f"suite 's': claims tests = 2, but holds 1. {LOST}"]),
        (suite(entry("a"), entry("b"), tests=1), [f"suite 's': claims tests = 1, but holds 2. {ADDED}"]),
        (suite(entry("a"), tests=1_000_000), [f"suite 's': claims tests = 1,000,000, but holds 1. {LOST}"]),
        (suite(entry("a"), tests="9" * 5_000),
         [f"suite 's': claims tests = 999,999,999,999,999,999, but holds 1. {LOST}"]),
        (suite(entry("a"), failures=1), [f"suite 's': claims failures = 1, but holds 0. {CHANGED}"]),
        (suite(entry("a", "<failure/>"), failures=0), [f"suite 's': claims failures = 0, but holds 1. {CHANGED}"]),
        (suite(entry("a", "<failure/>"), failures=0, errors=0),
         [f"suite 's': claims failures = 0, but holds 1. {CHANGED}"]),
        (suite(entry("a"), errors=1), [f"suite 's': claims errors = 1, but holds 0. {CHANGED}"]),
        (suite(entry("a"), skipped=1), [f"suite 's': claims skipped = 1, but holds 0. {CHANGED}"]),
        (suite(entry("a", "<skipped/>"), skipped=0), [f"suite 's': claims skipped = 0, but holds 1. {CHANGED}"]),
        (suites(suite(entry("a"), tests=1), tests=2), [f"claims tests = 2, but holds 1. {LOST}"]),
        # gotestsum: errors at the root that no test carries, a build that failed
        (suites(suite(entry("a"), tests=1, failures=0, skipped=0), tests=1, failures=0, errors=2),
         [f"claims errors = 2, but holds 0. {CHANGED}"]),
        (suites(tests=0), [NOTHING]),
        (suite(), [NOTHING]),
        (suite(tests=3), [f"suite 's': claims tests = 3, but holds 0. {LOST}"]),
    ],
)  # fmt: skip
def test_totals_that_disagree_in_every_way_of_counting_are_refused(xml: str, lines: list[str]) -> None:
    assert refused(xml) == [f"junit.xml: {line}" for line in lines]


def test_all_totals_that_disagree_are_listed_at_once() -> None:
    xml = suites(suite(entry("a"), tests=2, errors=3), suite(entry("b"), name="u", skipped=1), tests=7)
    assert len(refused(xml)) == 4


def test_an_error_of_a_suite_itself_is_not_passed_over() -> None:
    results = imported(suite('<error message="setup broke"/>', entry("a"), tests=1, errors=1))
    assert states(results) == {"s/(the suite itself)": ["errored"], "s/a": ["passed"]}
    assert results.cases[0].runs[0].error is not None
    assert results.cases[0].runs[0].error.message == "setup broke"

    assert states(imported(suite("<failure>x</failure>"))) == {"s/(the suite itself)": ["failed"]}


# Test cases that stand several times


def test_a_test_listed_again_is_a_further_run_where_the_suite_counts_it() -> None:
    # jstemmer/go-junit-report, junit/junit.go @03010d4 with `go test -count=3`; Gradle's retries; two of one name
    results = imported(suite(entry("a"), entry("b"), entry("a", "<failure/>"), entry("a"), tests=4))

    assert states(results) == {"s/a": ["passed", "failed", "passed"], "s/b": ["passed"]}
    assert [run.index for run in results.cases[0].runs] == [0, 1, 2]
    assert (results.settings.k, results.planned.cases, results.planned.runs) == (3, 2, 4)


def test_failed_attempts_that_pytest_lists_like_passed_tests_are_none() -> None:
    results = sample("GENERATED-pytest-rerunfailures-16.7.xml")

    assert {case.id.rpartition("/")[2]: [run.state for run in case.runs] for case in results.cases} == {
        "test_pass": ["passed"],
        "test_rerun": ["failed"],
        "test_rerun_ok": ["passed"],
    }
    assert results.settings.k == 1


def test_attempts_are_only_believed_of_a_suite_that_names_its_host() -> None:
    twice = (entry("a"), entry("a", "<failure/>"))
    assert states(imported(suite(*twice, tests=1, hostname="h"))) == {"s/a": ["failed"]}
    assert refused(suite(*twice, tests=1)) == [f"junit.xml: suite 's': claims tests = 1, but holds 2. {ADDED}"]


@pytest.mark.parametrize(
    "xml",
    [
        suite(entry("a"), entry("a")),
        suites(suite(entry("a"), tests=1, hostname="h"), suite(entry("a"), tests=1, hostname="h")),
        # both readings fit: three listed; or two, and one of them counted twice for its teardown
        suite(entry("a"), entry("a"), entry("b", '<error message="failed on teardown"/>'), tests=3, hostname="h"),
    ],
)
def test_a_test_listed_again_is_refused_where_nothing_says_what_it_is(xml: str) -> None:
    assert refused(xml) == [
        (
            "junit.xml: case 's/a' stands here 2 times, and no suite's `tests` says whether each is a run of its own. "
            "Give every test a name of its own."
        )
    ]


def test_a_failure_and_the_error_of_its_teardown_are_one_run() -> None:
    for version in ("8.3.5", "9.2.0"):
        results = sample(f"GENERATED-pytest-{version}-failure-and-teardown-error.xml")
        broken = results.cases[1].runs
        assert [run.state for run in broken] == ["errored"]
        assert broken[0].error is not None
        assert broken[0].error.message == (
            'failed on teardown with "RuntimeError: teardown boom"; before that: assert 0'
        )


def test_a_failure_and_another_tests_teardown_stay_two() -> None:
    xml = suite(entry("a", "<failure/>"), entry("b", '<error message="failed on teardown"/>'), tests=2)
    assert states(imported(xml)) == {"s/a": ["failed"], "s/b": ["errored"]}


def test_the_same_suite_twice_is_refused() -> None:
    one = suite(entry("a", time="0.1"), tests=1, timestamp="2026-11-30T00:00:00.123Z")
    assert refused(suites(one, one)) == [
        (
            "junit.xml: suite 's': stands here twice, with the same times. "
            "The same run was put into the file again; give it once."
        )
    ]
    other = suite(entry("a", time="0.2"), tests=1, timestamp="2026-11-30T00:00:00.123Z")
    assert states(imported(suites(one, other, tests=2))) == {"s/a": ["passed", "passed"]}
    empty = suite(tests=0, timestamp="2026-11-30T00:00:00.123Z")
    imported(suites(empty, empty, suite(entry("a"))))


def test_names_that_only_look_alike_when_joined_are_not_put_together() -> None:
    xml = suite(entry("b/c", classname="a"), entry("c", classname="a/b"))
    results = importers.read(Content("xml", xml.encode()), SOURCE)
    assert problems(lambda: list(checked(results, "junit.xml").cases)) == [
        "junit.xml: cases[1].id: case 's/a/b/c' stands in this file twice. Give each case once, with all its runs."
    ]


def test_projects_of_playwright_are_cases_of_their_own() -> None:
    results = sample("GENERATED-playwright.xml")
    assert {case.id for case in results.cases} == {
        f"a.spec.js/outer › {name} [{project}]"
        for name in ("passes", "fails", "throws", "sk", "fx", "flaky", "expected fail")
        for project in ("chromium", "webkit")
    }


def test_the_one_project_of_playwright_and_machines_stay_out_of_the_ids() -> None:
    one = suites(suite(entry("t"), hostname="chromium"), id="", name="", skipped=0)
    assert states(imported(one)) == {"s/t": ["passed"]}

    machines = suites(suite(entry("t"), hostname="vm1"), suite(entry("u"), hostname="vm2"))
    assert states(imported(machines)) == {"s/t": ["passed"], "s/u": ["passed"]}


def test_suites_within_suites_of_node_are_counted_as_node_counts_them() -> None:
    results = sample("GENERATED-node-test.xml")
    assert states(results)["outer/inner/test/d"] == ["failed"]
    assert states(results)["test/top fails"] == ["failed"]


def test_namespaces_mean_nothing() -> None:
    xml = suites(suite(entry("t", "<failure/>"), tests=1, failures=1), xmlns="urn:x")
    assert states(imported(xml)) == {"s/t": ["failed"]}


# What is no JUnit XML


@pytest.mark.parametrize(
    ("xml", "line"),
    [
        ("<testrun/>",
         "starts with <testrun>, so it is no JUnit XML. JUnit XML starts with <testsuites> or <testsuite>."),
        ("<testcase/>",
         "starts with <testcase>, so it is no JUnit XML. JUnit XML starts with <testsuites> or <testsuite>."),
        ("<html><testsuites/></html>",
         "starts with <html>, so it is no JUnit XML. JUnit XML starts with <testsuites> or <testsuite>."),
        ("<testsuites>", ("line 1, column 13: is not XML: no element found. "
         "It may not have been written to its end; run the tests again.")),
        ("<testsuites></testsuite>", ("line 1, column 15: is not XML: mismatched tag. "
         "It may not have been written to its end; run the tests again.")),
        ("<testsuites>\n<a b='\x01'/></testsuites>", ("line 2, column 7: is not XML: not well-formed (invalid token). "
         "It may not have been written to its end; run the tests again.")),
        ("<testsuites/><testsuites/>", ("line 1, column 14: is not XML: junk after document element. "
         "It may not have been written to its end; run the tests again.")),
        ("", ("line 1, column 1: is not XML: no element found. "
         "It may not have been written to its end; run the tests again.")),
        ('<?xml version="1.0" encoding="klingon"?><testsuites/>',
         ("is in an encoding that is not read: unknown encoding: klingon. "
          "Save it as UTF-8, and say so in its first line.")),
        # .NET's StringWriter says utf-16 of what is then saved as UTF-8
        ('<?xml version="1.0" encoding="utf-16"?><testsuites/>',
         ("line 1, column 31: is not XML: encoding specified in XML declaration is incorrect. "
         "Save it as UTF-8, and say so in its first line.")),
        ("<testsuites>&nope;</testsuites>", ("line 1, column 13: is not XML: undefined entity. "
         "It may not have been written to its end; run the tests again.")),
    ],
)  # fmt: skip
def test_what_is_no_junit_xml_is_refused_with_its_place(xml: str, line: str) -> None:
    assert refused(xml) == [f"junit.xml: {line}"]


ENTITIES = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    "xml",
    [
        "<!DOCTYPE testsuites><testsuites/>",
        '<!DOCTYPE t SYSTEM "file:///etc/passwd"><testsuites/>',
        '<!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/passwd">]><testsuite><testcase name="&x;"/></testsuite>',
        f'<!DOCTYPE t [<!ENTITY l0 "lol">{ENTITIES}]><testsuite><testcase name="&l9;"/></testsuite>',
        '<!DOCTYPE t [<!ENTITY % p SYSTEM "http://127.0.0.1/x"> %p;]><testsuites/>',
    ],
    ids=["plain", "external", "file entity", "billion laughs", "parameter entity"],
)
def test_a_dtd_is_refused(xml: str) -> None:
    assert refused(xml) == [
        (
            "junit.xml: declares a DTD or entities, which results never need. "
            "Remove the DOCTYPE; it could make a reader load files or fill its memory."
        )
    ]


def test_deep_xml_is_refused_quickly() -> None:
    began = time.process_time()
    for depth in (65, 1_000, 100_000):
        deep = "<testsuite>" * depth + entry("t") + "</testsuite>" * depth
        assert refused(deep) == ["junit.xml: nests deeper than 64 levels. JUnit XML is flat."]
    assert time.process_time() - began < 5

    assert len(imported("<testsuite>" * 63 + entry("t") + "</testsuite>" * 63).cases) == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
def test_xml_is_read_in_the_encoding_that_it_names(tmp_path: Path, encoding: str) -> None:
    name = encoding.removesuffix("-sig")
    path = tmp_path / "junit.xml"
    path.write_bytes(f'<?xml version="1.0" encoding="{name}"?>{suite(entry("tést"))}'.encode(encoding))
    loaded = load(path)
    assert isinstance(loaded, Content)

    assert states(importers.read(loaded, SOURCE)) == {"s/tést": ["passed"]}


def test_an_encoding_of_several_bytes_that_is_not_read_is_refused() -> None:
    xml = f'<?xml version="1.0" encoding="shift_jis"?>{suite(entry("t"))}'
    assert refused(xml) == [
        (
            "junit.xml: is in an encoding that is not read: multi-byte encodings are not supported. "
            "Save it as UTF-8, and say so in its first line."
        )
    ]


def test_many_tests_are_read_in_bounded_time() -> None:
    many = suites(
        *(suite(*(entry(f"t{n}") for n in range(50)), name=f"s{s}", tests=50) for s in range(400)), tests=20_000
    )
    began = time.process_time()
    assert len(imported(many).cases) == 20_000
    assert time.process_time() - began < 30


def test_the_same_bytes_give_the_same_bytes() -> None:
    data = (DATA / "junit/GENERATED-pytest-count2-properties.xml").read_bytes()
    texts = {importers.read(Content("xml", data), SOURCE).model_dump_json(by_alias=True) for _ in range(3)}
    assert len(texts) == 1


def test_imported_results_are_a_file_of_our_own() -> None:
    results = sample("GENERATED-pytest-count2-properties.xml")
    assert Results.model_validate_json(results.model_dump_json(by_alias=True, exclude_defaults=True)) == results


def test_pytest_repeat_s_numbers_are_runs_of_one_case() -> None:
    cases = {
        case.id: [run.state for run in case.runs] for case in sample("GENERATED-pytest-count2-properties.xml").cases
    }
    assert cases == {
        "pytest/test_y/test_case[refunds]": ["passed", "passed"],
        "pytest/test_y/test_case[billing]": ["failed", "failed"],
        "pytest/test_y/test_skip": ["skipped", "skipped"],
        "pytest/test_y/test_err": ["errored", "errored"],
    }


@pytest.mark.parametrize(
    "names",
    [
        ["t[1-2]", "t[2-2]", "plain"],
        ["t[1-2]", "t[1-3]", "t[2-3]", "t[3-3]"],
        ["t[1-2]", "u[1-2]", "u[2-2]"],
        ["t[a-1-1]", "t[b-1-1]"],
        ["t[0-2]", "t[1-2]"],
        ["t[1-2]", "t[1-2]"],
    ],
)
def test_parameters_that_look_like_repeats_stay_cases(names: list[str]) -> None:
    tests = [entry(name) for name in names]
    found = imported(suite(*tests, tests=len(names)))
    assert [case.id.split("/")[-1] for case in found.cases] == list(dict.fromkeys(names))
