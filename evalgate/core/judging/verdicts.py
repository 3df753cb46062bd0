"""The judge's reply: a score and a reason, or why it is neither."""

from collections.abc import Callable
from typing import Annotated, Final

from pydantic import Field, JsonValue, TypeAdapter, ValidationError

from evalgate.core.judging.replies import unfenced
from evalgate.model.problem import ProblemsError
from evalgate.model.record import Record

Parse = Callable[[bytes, str], JsonValue]
"""The strict parser of JSON: bytes and what to call them in; raises ProblemsError."""

LOWEST, HIGHEST = 1, 5
REASON: Final = 2_000


class Judgement(Record):
    """What the judge says of one output."""

    score: Annotated[int, Field(ge=LOWEST, le=HIGHEST)]
    reason: Annotated[str, Field(min_length=1, max_length=100_000, pattern=r"\S")]


_JUDGEMENT: TypeAdapter[Judgement] = TypeAdapter(Judgement)


def read_judgement(text: str, parse: Parse) -> Judgement | str:
    """Return the judge's score and reason, or in words what is wrong with its reply."""
    try:
        value = parse(unfenced(text).encode("utf-8", "surrogatepass"), "the judge's reply")
        return _JUDGEMENT.validate_python(value)
    except ProblemsError as error:
        return str(error.problems[0])
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        return f"the judge's reply: {place}: {first['msg']}" if place else f"the judge's reply: {first['msg']}"
