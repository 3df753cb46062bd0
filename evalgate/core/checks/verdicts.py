"""From findings to the verdict of a case, and of all of them."""

from collections.abc import Iterable, Sequence

from evalgate.core.checks import asked, findings
from evalgate.core.checks.defects import Detection, measure
from evalgate.core.checks.definition import demands_something
from evalgate.model.check_report import SCHEMA, CheckedCase, CheckReport, Detected, Remark, SuiteLooked
from evalgate.model.figures import listing, plural
from evalgate.model.recorded import RecordedCase
from evalgate.model.verdict import Verdict, combine


def checked(case: RecordedCase) -> CheckedCase:
    """Return what the checks say of a case whose definition has no mistakes."""
    found = list(findings(case))
    verdict = Verdict.FAIL if found else Verdict.PASS if demands_something(case.file) else Verdict.NOT_APPLICABLE
    return CheckedCase(
        id=case.id,
        folder=case.folder,
        verdict=verdict,
        rules=asked(case.file),
        findings=tuple(found),
        defects=_detected(case),
    )


def _detected(case: RecordedCase) -> Detected | None:
    met = measure(case)
    if not isinstance(met, Detection):
        return None
    return Detected(planted=met.planted, findings=met.findings, met=met.met, precision=met.precision, recall=met.recall)


def report_of(
    suites: Sequence[SuiteLooked],
    cases: Sequence[CheckedCase],
    remarks: Iterable[Remark] = (),
    *,
    results_files: int = 0,
    seconds: float = 0.0,
) -> CheckReport:
    """Return the report of all cases; a suite without any, and cases without a recorded run, prove nothing."""
    told = tuple(remarks)
    verdict, headline = _decided(suites, cases)
    return CheckReport(
        schema=SCHEMA,
        verdict=combine([verdict, Verdict.WARN]) if told else verdict,
        headline=headline,
        suites=tuple(suites),
        cases=tuple(cases),
        remarks=told,
        results_files=results_files,
        seconds=seconds,
    )


def _decided(suites: Sequence[SuiteLooked], cases: Sequence[CheckedCase]) -> tuple[Verdict, str]:
    failed = [case for case in cases if case.verdict is Verdict.FAIL]
    if failed:
        count = sum(len(case.findings) for case in failed)
        names = listing([case.id for case in failed])
        return (
            Verdict.FAIL,
            f"{len(failed):,} of {plural(len(cases), 'case')} failed with {plural(count, 'finding')}: {names}",
        )
    if not suites:
        return Verdict.UNVERIFIED, "There are no cases: no suite in the policy, and no folder evals/cases"
    if empty := [suite.path for suite in suites if not suite.cases]:
        return Verdict.UNVERIFIED, f"There are no cases in {listing(empty)}, so nothing was checked there"
    held = [case for case in cases if case.verdict is Verdict.PASS]
    if not held:
        return Verdict.UNVERIFIED, f"None of {plural(len(cases), 'case')} has a recorded run, so nothing was checked"
    rest = len(cases) - len(held)
    more = f"; {plural(rest, 'case')} without a recorded run" if rest else ""
    return Verdict.PASS, f"{plural(len(held), 'recorded run')} passed every check{more}"
