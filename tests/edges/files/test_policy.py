"""Where the policy is found, what it says, and every way it can be wrong."""

import hashlib
from pathlib import Path

import pytest

from evalgate.edges.files.policy import read_approvals, read_policy
from evalgate.model.settings import Approvals, MetricBar, Policy, Settings
from tests.reading import DATA, problems, written

SAMPLE = (DATA / "eval.toml").read_text(encoding="utf-8")


def place(root: Path, content: str, name: str = "evalgate.toml") -> Path:
    path = root / name
    path.parent.mkdir(exist_ok=True)
    return written(path.parent, content, path.name)


def settings(root: Path, content: str) -> Settings:
    place(root, content)
    return read_policy(root, None).settings


def refused(root: Path, content: str, name: str = "evalgate.toml") -> list[str]:
    place(root, content, name)
    return problems(lambda: read_policy(root, None))


def test_the_sample_of_the_harness_document_is_read_as_it_stands(tmp_path: Path) -> None:
    place(tmp_path, SAMPLE, "evals/eval.toml")
    policy = read_policy(tmp_path, None)

    top = policy.settings
    assert policy.path == "evals/eval.toml"
    assert policy.sha256 == hashlib.sha256(SAMPLE.encode()).hexdigest()
    assert (top.judge, top.k, top.pass_score, top.min_pass_k) == ("gpt-6.1-sol", 5, 4.0, 0.8)
    assert (top.min_mean, top.max_drop) == (3.5, 0.3)
    assert [(g.name, g.prefixes, g.max_usd, g.pass_k, g.gate) for g in top.groups] == [
        ("brief-plain", ("brief/eli5-", "brief/ste-"), 4.0, "advisory", "advisory"),
        ("brief", ("brief/",), 3.0, "advisory", "gating"),
        ("personas", ("retro/", "decide/"), 2.0, "gating", "advisory"),
        ("review", ("inspect/",), 3.0, "advisory", "advisory"),
        ("conversations", ("grill/talk-",), 3.0, "gating", "advisory"),
        ("skills", (), 4.0, "gating", "gating"),
    ]


def test_without_any_file_the_defaults_hold(tmp_path: Path) -> None:
    assert read_policy(tmp_path, None) == Policy(settings=Settings())
    assert read_approvals(tmp_path) == Approvals()


def test_an_empty_file_is_a_policy(tmp_path: Path) -> None:
    place(tmp_path, "")

    assert read_policy(tmp_path, None).path == "evalgate.toml"
    assert read_policy(tmp_path, None).settings == Settings()


def test_the_first_home_wins(tmp_path: Path) -> None:
    place(tmp_path, "[tool.evalgate]\nk = 3", "pyproject.toml")
    assert (read_policy(tmp_path, None).path, read_policy(tmp_path, None).settings.k) == ("pyproject.toml", 3)

    place(tmp_path, "k = 2", "evals/eval.toml")
    assert (read_policy(tmp_path, None).path, read_policy(tmp_path, None).settings.k) == ("evals/eval.toml", 2)

    place(tmp_path, "k = 1", "evalgate.toml")
    assert (read_policy(tmp_path, None).path, read_policy(tmp_path, None).settings.k) == ("evalgate.toml", 1)


@pytest.mark.parametrize(
    "content", ["", "[tool.other]\nlimit = inf", "tool = 1", "[[tool]]\nx = 1", "[project]\nname = 'x'"]
)
def test_a_pyproject_without_our_section_is_no_home(tmp_path: Path, content: str) -> None:
    place(tmp_path, content, "pyproject.toml")

    assert read_policy(tmp_path, None) == Policy(settings=Settings())


def test_a_given_file_wins_over_the_homes(tmp_path: Path) -> None:
    place(tmp_path, "k = 1")
    given = place(tmp_path, "k = 7", "other.toml")

    assert read_policy(tmp_path, given).settings.k == 7
    assert read_policy(tmp_path, given).path == str(given)


def test_a_given_pyproject_is_read_at_its_section(tmp_path: Path) -> None:
    given = place(tmp_path, "[project]\nname = 'x'\n[tool.evalgate]\nk = 7", "pyproject.toml")

    assert read_policy(tmp_path / "elsewhere", given).settings.k == 7


def test_a_given_pyproject_without_the_section_is_refused(tmp_path: Path) -> None:
    given = place(tmp_path, "[project]\nname = 'x'", "pyproject.toml")

    assert problems(lambda: read_policy(tmp_path, given), tmp_path) == [
        "pyproject.toml: has no table [tool.evalgate]. Add it, or give the file that holds the policy."
    ]


def test_a_given_file_that_is_missing_is_refused(tmp_path: Path) -> None:
    place(tmp_path, "k = 1")

    assert problems(lambda: read_policy(tmp_path, tmp_path / "no.toml"), tmp_path) == [
        "no.toml: there is no such file. Check the path."
    ]


@pytest.mark.parametrize("home", ["evalgate.toml", "evals/eval.toml", "pyproject.toml"])
def test_a_home_that_cannot_be_read_never_means_the_defaults(tmp_path: Path, home: str) -> None:
    (tmp_path / "evals").mkdir()
    (tmp_path / home).symlink_to("nowhere")
    assert problems(lambda: read_policy(tmp_path, None)) == [f"{home}: is a link to nowhere. Check the path."]

    (tmp_path / home).unlink()
    (tmp_path / home).mkdir()
    assert problems(lambda: read_policy(tmp_path, None)) == [
        f"{home}: is not a regular file. Give a file, not a folder or a device."
    ]


def test_a_home_that_is_a_link_to_a_file_is_read(tmp_path: Path) -> None:
    place(tmp_path, "k = 9", "real.toml")
    (tmp_path / "evalgate.toml").symlink_to("real.toml")

    assert read_policy(tmp_path, None).settings.k == 9


def test_a_gigantic_policy_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path, "#" * 250_001) == [
        "evalgate.toml: holds more than 0.25 MB. No such file needs more; drop outputs from it, or split it."
    ]
    assert settings(tmp_path, "#" * 250_000) == Settings()


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("max_dorp = 1", "max_dorp: is no key here. Did you mean 'max_drop'?"),
        ("[[groups]]\nname = 'a'\nprefix = ['x']", "groups[0].prefix: is no key here. Did you mean 'prefixes'?"),
        ("[metrics.f1]\nminmean = 1", "metrics.f1.minmean: is no key here. Did you mean 'min_mean'?"),
        (
            "[[groups]]\nname = 'a'\n[groups.metrics.'a b']\nmax_regresion = 1",
            "groups[0].metrics[\"a b\"].max_regresion: is no key here. Did you mean 'max_regression'?",
        ),
        (
            "[promotions.rolling]\nbranch = 'r'\nbase_line = 'm'",
            "promotions.rolling.base_line: is no key here. Did you mean 'baseline'?",
        ),
        (
            "[[suites]]\nname = 'a'\nkind = 'imported'\npath = 'p'\nprefxi = 'x/'",
            "suites[0].prefxi: is no key here. Did you mean 'prefix'?",
        ),
        (
            "[[case_changes]]\nid = 'a'\nchange = 'removed'\nreasons = 'x'\nreason = 'x'",
            "case_changes[0].reasons: is no key here. Did you mean 'reason'?",
        ),
        (
            "[promotions.rolling]\nbranch = 'r'\nxyz = 1",
            "promotions.rolling.xyz: is no key here. Known keys: baseline, branch, groups.",
        ),
        ("compare = 'statistic'", ("compare: must be 'statistical' or 'point', not \"statistic\". "
         "Did you mean 'statistical'?")),
        ("on_inconclusive = 3", "on_inconclusive: must be 'warn', 'block' or 'rerun', not 3."),
        ("k = 0", "k: must be at least 1, not 0."),
        ("k = 2.0", "k: must be a whole number, not 2.0."),
        ("k = true", "k: must be a whole number, not true."),
        ("k = '5'", 'k: must be a whole number, not "5". Remove the quotes.'),
        ("min_pass_k = 1.2", "min_pass_k: must be at most 1, not 1.2."),
        ("max_drop = -0.1", "max_drop: must be at least 0, not -0.1."),
        ("must_detect = 0", "must_detect: must be above 0, not 0."),
        ("alpha = 0.6", "alpha: must be at most 0.5, not 0.6."),
        ("min_mean = '3.5'", 'min_mean: must be a number, not "3.5". Remove the quotes.'),
        ("min_mean = true", "min_mean: must be a number, not true."),
        ("judge = 3", "judge: must be text, not 3."),
        ("search_depth = 101", "search_depth: must be at most 100, not 101."),
        ("search_depth = -1", "search_depth: must be at least 0, not -1."),
        ("baseline_depth = 101", "baseline_depth: must be at most 100, not 101."),
        ("max_age_days = 0", "max_age_days: must be at least 1, not 0."),
        ("max_age_days = 401", "max_age_days: must be at most 400, not 401."),
        ("first_adoption = 'soon'", 'first_adoption: must be a date like 2026-11-30, not "soon".'),
        ("[evidence]\nharnes = ['x']", "evidence.harnes: is no key here. Did you mean 'harness'?"),
        ("[evidence]\nharness = 'x'", 'evidence.harness: must be a list, not "x". Write ["x"].'),
        ("[publish]\ncomment = 'always'", 'publish.comment: must be \'never\' or \'on-change\', not "always".'),
        *(
            (
                f"results_workflow = '{path}'",
                "results_workflow: must be the path of a workflow file, like .github/workflows/evals.yml.",
            )
            for path in ("", "a.yml", ".github/workflows/a", ".github/workflows/x/a.yml", "/.github/workflows/a.yml")
        ),
        ("judge = ''", "judge: must not be empty."),
        ("judge = '" + "j" * 501 + "'", 'judge: must have at most 500 characters, not "' + "j" * 59 + "…."),
        (
            'judge = "a\\u200bb"',
            "judge: only visible characters are allowed here (no line breaks, control or invisible ones).",
        ),
        ("groups = 3", "groups: must be a list, not 3."),
        ("groups = ['a']", 'groups[0]: must be an object of keys and values, not "a".'),
        ("metrics = 3", "metrics: must be an object of keys and values, not 3."),
        ("[[groups]]\ngate = 'gating'", "groups[0].name: is missing."),
        (
            "[[groups]]\nname = 'Big Group'",
            ("groups[0].name: must be a group's name (small letters, digits, and . _ - behind the first), "
            'not "Big Group".'),
        ),
        (
            "[promotions.'X Y']\nbranch = 'b'",
            ('promotions["X Y"]: its key must be a group\'s name (small letters, digits, and . _ - behind the first), '
            'not "X Y".'),
        ),
        (
            "[metrics.f1]",
            "metrics.f1: give min_mean, max_regression or both; a metric without either decides nothing.",
        ),
        (
            "[[case_changes]]\nid = 'a'\nchange = 'renamed'\nreason = 'x'",
            'case_changes[0]: `to` names the new id of a case with change = "renamed", and of no other.',
        ),
        (
            "[[case_changes]]\nid = 'a'\nchange = 'removed'\nreason = 'x'\nto = 'b'",
            'case_changes[0]: `to` names the new id of a case with change = "renamed", and of no other.',
        ),
        ("k = inf", "k: must be a finite number, not inf."),
        ("k = ", "end of document: is not TOML: invalid value."),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_place(tmp_path: Path, content: str, line: str) -> None:
    assert refused(tmp_path, content) == [f"evalgate.toml: {line}"]


def test_mistakes_between_tables_are_told(tmp_path: Path) -> None:
    def said(content: str) -> str:
        [line] = refused(tmp_path, content)
        return line

    assert "groups defined twice: a" in said("[[groups]]\nname='a'\n[[groups]]\nname='a'\nprefixes=['x']")
    assert "groups without prefixes: a, b" in said("[[groups]]\nname='a'\n[[groups]]\nname='b'")
    assert "case_changes that list a case twice: c" in said(
        "[[case_changes]]\nid='c'\nchange='removed'\nreason='x'\n" * 2
    )
    assert "names unknown groups: b" in said("[[groups]]\nname='a'\n[promotions.p]\nbranch='x'\ngroups=['a','b']")


@pytest.mark.parametrize(
    "content",
    [
        "max_drop = 1",
        "k = 1",
        "alpha = 0.5",
        "min_pass_k = 1",
        "max_drop = 0",
        "judge = '" + "j" * 500 + "'",
        "judge = 'Ünïcode – fine'",
        "groups = []",
        "[[groups]]\nname = '0.a_b-c'",
        "[[groups]]\nname = 'a'\n[[groups]]\nname = 'b'\nprefixes = ['b/']",
        "[[case_changes]]\nid = 'a'\nchange = 'renamed'\nreason = 'x'\nto = 'b'",
        "[[groups]]\nname = 'a'\n[promotions.p]\nbranch = 'x'\ngroups = ['a']",
        "results_workflow = '.github/workflows/evals.yaml'",
        "search_depth = 0",
        "search_depth = 100\nbaseline_depth = 100\nmax_age_days = 400",
        "max_age_days = 1",
        "first_adoption = 2026-12-14",
        "first_adoption = '2026-12-14'",
        "[evidence]\nharness = ['evals/**', '!evals/cases/**']",
        "[publish]\ncomment = 'on-change'",
    ],
)
def test_the_nearest_harmless_policy_is_read(tmp_path: Path, content: str) -> None:
    settings(tmp_path, content)


def test_numbers_of_the_policy_are_what_was_written(tmp_path: Path) -> None:
    read = settings(tmp_path, "min_mean = 4\n[metrics.f1]\nmax_regression = 0.05")

    assert read.min_mean == 4.0
    assert read.metrics == {"f1": MetricBar(max_regression=0.05)}


def test_what_the_action_reads_has_its_defaults(tmp_path: Path) -> None:
    read = settings(tmp_path, "")

    assert (read.results_workflow, read.search_depth, read.baseline_depth, read.max_age_days) == (None, 20, 0, 90)
    assert (read.first_adoption, read.evidence.harness, read.publish.comment) == (None, (), "never")
    assert settings(tmp_path, "first_adoption = 2026-12-14").first_adoption == "2026-12-14"


def test_every_mistake_is_listed_in_one_run(tmp_path: Path) -> None:
    content = "kk = 1\nk = 0\nmax_drop = -1\n[[groups]]\nname = 'A'\nfoo = 1\n[[suites]]\nkind = 'x'\n"

    assert sorted(refused(tmp_path, content)) == [
        (
            "evalgate.toml: groups[0].foo: is no key here. "
            "Known keys: alpha, compare, eval_inputs, gate, inputs, issue, k, max_drop, max_errors, max_usd, metrics, "
            "min_mean, min_pass_k, must_detect, name, on_inconclusive, pass_k, pass_score, prefixes, reason, since."
        ),
        (
            "evalgate.toml: groups[0].name: must be a group's name "
            '(small letters, digits, and . _ - behind the first), not "A".'
        ),
        "evalgate.toml: k: must be at least 1, not 0.",
        "evalgate.toml: kk: is no key here. Did you mean 'k'?",
        "evalgate.toml: max_drop: must be at least 0, not -1.",
        "evalgate.toml: suites[0].kind: must be 'cases', 'dataset', 'contract', 'heldout' or 'imported', not \"x\".",
        "evalgate.toml: suites[0].name: is missing.",
        "evalgate.toml: suites[0].path: is missing.",
    ]


def test_mistakes_in_a_pyproject_are_placed_in_its_section(tmp_path: Path) -> None:
    assert refused(tmp_path, "[tool.evalgate]\nk = 0\n[tool.evalgate.group]", "pyproject.toml") == [
        "pyproject.toml: tool.evalgate.k: must be at least 1, not 0.",
        "pyproject.toml: tool.evalgate.group: is no key here. Did you mean 'groups'?",
    ]
    assert refused(tmp_path, "[tool]\nevalgate = 3", "pyproject.toml") == [
        "pyproject.toml: tool.evalgate: must be an object of keys and values, not 3."
    ]


WAIVER = f"""
[[waivers]]
rule = "drop.mean"
group = "skills"
candidate = "sha256:{"0" * 64}"
reason = "known"
by = "me"
until = 2026-12-24
"""


def test_approvals_are_read_with_dates_of_either_kind(tmp_path: Path) -> None:
    place(tmp_path, WAIVER + WAIVER.replace("2026-12-24", '"2026-12-25"'), "evals/approvals.toml")

    assert [waiver.until for waiver in read_approvals(tmp_path).waivers] == ["2026-12-24", "2026-12-25"]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (("2026-12-24", "2026-12-24T00:00:00Z"), ('waivers[0].until: must be a date like 2026-11-30, '
         'not "2026-12-24T00:00:00+00:00".')),
        (("by =", "from ="), "waivers[0].by: is missing."),
        (('"known"', '""'), "waivers[0].reason: must not be empty."),
        (("sha256:0", "sha256:G"), ("waivers[0].candidate: must be a digest (sha256: and 64 hexadecimal digits), "
         'not "sha256:G000000000000000000000000000000000000000000000000000….')),
        (("reason", "up_to = 0\nreason"), "waivers[0].up_to: must be above 0, not 0."),
        (("[[waivers]]", "[[waiver]]"), "waiver: is no key here. Did you mean 'waivers'?"),
    ],
)  # fmt: skip
def test_wrong_approvals_are_refused(tmp_path: Path, change: tuple[str, str], line: str) -> None:
    place(tmp_path, WAIVER.replace(*change), "evals/approvals.toml")

    assert f"evals/approvals.toml: {line}" in problems(lambda: read_approvals(tmp_path))


def test_approvals_that_cannot_be_read_are_not_none(tmp_path: Path) -> None:
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals/approvals.toml").symlink_to("nowhere")

    assert problems(lambda: read_approvals(tmp_path)) == ["evals/approvals.toml: is a link to nowhere. Check the path."]
