"""What runs on which model: the registry of models with families and prices, and the skills that use them."""

from typing import Annotated, Final, Literal

from pydantic import Field, JsonValue, field_validator

from evalgate.model.case import InsidePath
from evalgate.model.record import LARGEST, LARGEST_COUNT, Amount, Printable, Record

Tokens = Annotated[int, Field(ge=1, le=LARGEST_COUNT)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]

OWN_FIELDS: Final = frozenset({"model", "messages", "stream", "n", "max_tokens", "max_completion_tokens"})
"""Fields of a request's body that decide what is asked, how the answer comes, or what it may cost."""


class ModelSettings(Record):
    """A model behind an endpoint that speaks the OpenAI chat-completions protocol.

    `family` is its vendor's line; a judge must be of another one. Prices are in USD a million tokens. The key is in the
    environment variable `api_key_env`. `max_output_tokens` is sent as `limit_field`, since newer models know the limit
    by another name; `request` holds further fields of the request's body, and none of those that evalgate sets.
    """

    name: Printable
    family: Printable | None = None
    endpoint: Printable | None = None
    api_key_env: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=200)] | None = None
    usd_per_mtok_in: Amount | None = None
    usd_per_mtok_out: Amount | None = None
    max_output_tokens: Tokens = 4_096
    timeout_s: Seconds = 120.0
    limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    request: dict[str, JsonValue] = Field(default_factory=dict)

    @field_validator("request")
    @classmethod
    def _leaves_ours_alone(cls, request: dict[str, JsonValue]) -> dict[str, JsonValue]:
        if ours := sorted(OWN_FIELDS & request.keys()):
            raise ValueError(f"must not set {', '.join(ours)}, which evalgate sets itself or could not pay for")
        return request


class SkillSettings(Record):
    """A skill's lane: its prompt (a file from the repository's root), its model, and the model used when that fails."""

    prompt: InsidePath
    model: Printable
    fallback: Printable | None = None


class SandboxSettings(Record):
    """What recorded calls may run, for how long (seconds a call) and how much they may write (bytes)."""

    commands: tuple[Printable, ...] = ()
    environment: tuple[Printable, ...] = ()
    timeout_s: Annotated[float, Field(gt=0, le=600)] = 10.0
    output_bytes: Annotated[int, Field(ge=1, le=100_000_000)] = 1_000_000


class RunnerSettings(Record):
    """How judged runs are made: how many at once, how long all of them may take (seconds)."""

    max_parallel: Annotated[int, Field(ge=1, le=64)] = 4
    deadline_s: Annotated[float, Field(gt=0, le=LARGEST)] = 3_600.0
