"""The report as the parts of a check run and as a job's summary, each within GitHub's limit of bytes."""

from evalgate.model.figures import plural
from evalgate.model.publication import MOST_ANNOTATIONS, OUTPUT_BYTES, TITLE_BYTES
from evalgate.model.report import Report
from evalgate.model.verdict import Verdict
from evalgate.render import inert
from evalgate.render.blocks import Block, Headline, Notice, Section
from evalgate.render.fitting import Blocks, cost, fitted
from evalgate.render.markdown import drawn
from evalgate.render.screen import STEPS, screen

JOB_SUMMARY_BYTES = 1_048_576
COMMENT_BYTES = 16_384
"""A comment stands in a conversation, so it is shorter than it would have to be."""


def title(report: Report) -> str:
    """Return the first line as plain text."""
    return inert.title(report.headline, TITLE_BYTES)


def summary(report: Report, *, unplaced: int = 0, limit: int = OUTPUT_BYTES) -> str:
    """Return what the reader must see: the verdict, the groups, what failed and where, what to do.

    `unplaced` findings point to a place and got no annotation, which is said.
    """
    blocks = tuple(block for block in screen(report) if not _folded(block))
    sections = tuple(block for block in blocks if isinstance(block, Section))
    return drawn(_arranged((*blocks[: len(blocks) - len(sections)], *_unplaced(unplaced), *sections), limit))


def stopped(why: str) -> str:
    """Return what is left of a gate that could not decide."""
    return drawn((Headline(Verdict.UNVERIFIED, "Blocked: nothing was decided"), Notice(why)))


def text(report: Report, *, limit: int = OUTPUT_BYTES) -> str:
    """Return what the reader may look up, folded: what was compared, advisories, where it comes from."""
    return drawn(fitted(tuple(filter(_folded, screen(report))), limit))


def comment(report: Report, *, limit: int = COMMENT_BYTES) -> str:
    """Return what is said in a pull request's conversation."""
    return summary(report, limit=limit)


def job_summary(report: Report, *, limit: int = JOB_SUMMARY_BYTES) -> str:
    """Return the whole report; GitHub shows at most 1 MiB of it, and nothing at all of more."""
    return drawn(_arranged(screen(report), limit))


def _folded(block: Block) -> bool:
    return isinstance(block, Section) and block.folded


def _unplaced(count: int) -> Blocks:
    if not count:
        return ()
    why = f"beyond the first {MOST_ANNOTATIONS}, or their file is not in this commit"
    return (Notice(f"{plural(count, 'finding')} could not be marked in the files: {why}."),)


def _arranged(blocks: Blocks, limit: int) -> Blocks:
    """Return blocks within a limit, in their order: of too many, those in the middle give way.

    What to do keeps up to a quarter, the verdict with its notices and the groups up to half, and what failed has the
    rest.
    """
    if cost(blocks) <= limit + 1:
        return blocks
    sections = tuple(block for block in blocks if isinstance(block, Section))
    front = blocks[: len(blocks) - len(sections)]
    steps = tuple(section for section in sections if section.title == STEPS)
    middle = tuple(section for section in sections if section.title != STEPS)
    last = fitted(steps, limit // 4)
    first = fitted(front, (limit - cost(last)) // (2 if middle else 1))
    return (*first, *fitted(middle, limit - cost(first) - cost(last)), *last)
