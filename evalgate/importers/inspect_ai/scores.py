"""What inspect's scorers said of a sample, as numbers by name, or why there is none.

The values and their meaning were read in inspect_ai 0.3.285, `scorer/_metric.py`: `value_to_float`, `ScoreReason`,
`Score.unscored`. Unlike there, text that means no number is not 0 but unknown.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from evalgate.importers.shape import at, is_number
from evalgate.importers.text import one_line

LETTERS: Final = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
WORDS: Final = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
Blame = Literal["judge", "model", "nobody"]

BLAME: Final[Mapping[str, Blame]] = {
    "grader_failed": "judge",
    "scoring_failed": "judge",
    "invalid_response_format": "model",
    "refusal": "model",
    "no_response": "model",
}
"""Whose fault it is that there is no score: the instrument's, or the model's under test."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """Why a scorer gave no number: the judge broke, the model's answer could not be scored, or nobody says."""

    blame: Blame
    told: str


Parts = dict[str, float | Flaw]
"""What a sample's scorers said, by the scorer's name, with the key behind it where a scorer says several things."""


def parts_of(scores: Any) -> Parts:
    """Return the numbers and flaws of a sample's scores; none for a sample that nothing has scored."""
    parts: Parts = {}
    for scorer, score in scores.items() if isinstance(scores, dict) else ():
        for name, part in _parts(one_line(scorer), score):
            # Two names that are written alike would leave one to chance, so neither counts.
            parts[name] = part if name not in parts else Flaw("nobody", "two scores have this name")
    return parts


def explanation_of(scores: Any, part: str) -> str | None:
    """Return how the scorer of a part explains itself."""
    for scorer, score in scores.items() if isinstance(scores, dict) else ():
        name, told = one_line(scorer), at(score, "explanation")
        if isinstance(told, str) and told.strip() and (part == name or part.startswith((f"{name}/", f"{name}["))):
            return one_line(told)
    return None


def _parts(scorer: str, score: Any) -> Iterator[tuple[str, float | Flaw]]:
    value = at(score, "value")
    if isinstance(value, dict):
        named = [(f"{scorer}/{one_line(key)}", each) for key, each in value.items()]
    elif isinstance(value, list):
        named = [(f"{scorer}[{index}]", each) for index, each in enumerate(value)]
    else:
        yield scorer, _part(value, score)
        return
    # A label beside numbers says something about them and is no score of its own.
    found = [(name, _part(each, score)) for name, each in named if not _is_label(each)]
    yield from found or [(scorer, Flaw("nobody", "its scores are no numbers"))]


def _part(value: Any, score: Any) -> float | Flaw:
    number = _number(value)
    if number is not None:
        return number
    reason = at(score, "reason")
    if reason is None:
        reason = at(score, "metadata", "unscored_reason")  # where logs before 0.3.245 have it
    if _is_label(value):
        return Flaw("nobody", f"its value {one_line(value)!r} is no score")
    blame: Blame = BLAME.get(reason, "nobody") if isinstance(reason, str) else "nobody"
    return Flaw(blame, one_line(reason) if isinstance(reason, str) and reason else "unscored")


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return float(value)
    if is_number(value):
        return float(value)
    if not isinstance(value, str):
        return None
    known = LETTERS.get(value, WORDS.get(value.lower()))
    return known if known is not None else _written(value)


def _written(text: str) -> float | None:
    """Return the number that a text is, as inspect reads it."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if is_number(number) else None


def _is_label(value: Any) -> bool:
    return isinstance(value, str) and _number(value) is None
