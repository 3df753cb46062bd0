"""Laws of what is sent to GitHub: whatever a report holds and however small the limit, it fits and stays whole."""

from hypothesis import given
from hypothesis import strategies as st

from evalgate.model.verdict import Verdict
from evalgate.render import check_run
from evalgate.render.blocks import Block, Bullets, Code, Headline, Notice, Section, Table
from evalgate.render.dialect import foreign_line
from evalgate.render.fitting import fitted
from evalgate.render.inert import cut, log, markdown, title
from evalgate.render.markdown import drawn, opening
from tests.gfm import assert_inert
from tests.hostile import COMMANDS, MARKDOWN
from tests.unit.render.test_check_run import hostile
from tests.unit.render.test_runner_log import commands

PIECES = st.sampled_from([*MARKDOWN, *COMMANDS, "`skills`", "word", " ", "\n", "`", "@", "#1", "🙂"])
TEXT = st.one_of(st.lists(PIECES, max_size=8).map("".join), st.text(max_size=60))
LIMIT = st.one_of(st.integers(0, 400), st.integers(0, 5_000), st.just(65_535))


@st.composite
def tables(draw: st.DrawFn) -> Table:
    columns = draw(st.lists(TEXT, min_size=1, max_size=4))
    rows = draw(st.lists(st.tuples(*[TEXT] * len(columns)), max_size=12))
    return Table(tuple(columns), tuple(rows), frozenset({0}))


LEAVES = st.one_of(
    st.builds(Headline, st.sampled_from(Verdict), TEXT),
    st.builds(Notice, TEXT),
    tables(),
    st.builds(Bullets, st.lists(TEXT, min_size=1, max_size=9).map(tuple), st.frozensets(st.integers(0, 8), max_size=3)),
    st.builds(Code, TEXT),
)
BLOCKS: st.SearchStrategy[Block] = st.recursive(
    LEAVES,
    lambda inner: st.builds(Section, TEXT, st.lists(inner, max_size=4).map(tuple), st.booleans()),
    max_leaves=8,
)


@given(st.lists(BLOCKS, max_size=5).map(tuple), LIMIT)
def test_any_blocks_fit_any_limit_and_nothing_is_left_open(blocks: tuple[Block, ...], limit: int) -> None:
    text = drawn(fitted(blocks, limit))
    assert len(text.encode()) <= limit
    assert foreign_line(text) is None
    assert_inert(text)


@given(st.lists(BLOCKS, min_size=1, max_size=4).map(tuple))
def test_a_limit_that_all_fit_in_changes_nothing_and_one_byte_less_is_kept_too(blocks: tuple[Block, ...]) -> None:
    size = len(drawn(blocks).encode())
    assert fitted(blocks, size) == blocks
    assert len(drawn(fitted(blocks, size - 1)).encode()) < size


@given(TEXT, LIMIT)
def test_any_report_fits_any_limit_with_its_verdict_first(text: str, limit: int) -> None:
    report = hostile(text)
    for part in (check_run.summary, check_run.text, check_run.job_summary, check_run.comment):
        shown = part(report, limit=limit)
        assert len(shown.encode()) <= limit
        assert foreign_line(shown) is None
        assert_inert(shown)
    if text.strip() and limit >= 400:
        assert check_run.summary(report, limit=limit).startswith(opening(Verdict.FAIL))


@given(TEXT)
def test_encoded_text_is_never_foreign(text: str) -> None:
    assert foreign_line(f"> {markdown(text)}") is None


@given(TEXT, st.integers(3, 300))
def test_a_cut_text_fits(text: str, limit: int) -> None:
    assert len(cut(text, limit).encode()) <= limit
    shown = title(text, limit)
    assert len(shown.encode()) <= limit
    assert not set(shown) & set("@#\n\r\x1b")


@given(TEXT)
def test_no_printed_text_is_a_command(text: str) -> None:
    assert commands(log(text)) == []
