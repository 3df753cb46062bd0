"""Document profiles: what a document must satisfy, and where it does not."""

from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from evalgate.core.patterns import compiled
from evalgate.core.profiles import citations, fields, language, structure
from evalgate.core.profiles.built_in import BUILT_IN
from evalgate.core.profiles.document import Document, ProfileFinding, read
from evalgate.model.problem import Fault
from evalgate.model.profiles import Profile

__all__ = ["BUILT_IN", "Document", "ProfileFinding", "examine", "mistakes", "overlaid", "read"]


def overlaid(profiles: Mapping[str, Profile]) -> Mapping[str, Profile]:
    """Return the built-in profiles with the policy's laid over them, key by key, and the policy's own beside them."""
    return {**BUILT_IN, **{name: _over(BUILT_IN.get(name, Profile()), profile) for name, profile in profiles.items()}}


def mistakes(profile: Profile) -> Iterator[Fault]:
    """Yield what is wrong with a profile itself: patterns that the engine refuses, pointers that are none."""
    for place, pattern in enumerate(profile.placeholders or ()):
        if isinstance(found := compiled(pattern), Fault):
            yield found.inside(f"placeholders[{place}]")
    if profile.citations and isinstance(found := compiled(profile.citations.pattern), Fault):
        yield found.inside("citations.pattern")
    for place, pointer in enumerate(profile.fields or ()):
        if not pointer.startswith("/"):
            yield Fault(f"fields[{place}]", f"{pointer!r} is no JSON pointer.", f"Write /{pointer}.")


def examine(
    profile: Profile, name: str, text: str, path: str, sources: Mapping[str, str], schemas: Mapping[str, JsonValue]
) -> Iterator[ProfileFinding]:
    """Yield everything in which the text of the file `path` does not satisfy the profile called `name`.

    A profile that demands nothing proves nothing, which is a finding too; so is a text that cannot be read.
    """
    if profile == Profile():
        remedy = f"Give [profiles.{name}] at least one demand, or name another profile."
        yield ProfileFinding("profile", f"the profile {name!r} demands nothing.", remedy)
        return
    document = read(text, path)
    if isinstance(document, Fault):
        yield ProfileFinding("document", document.message, document.hint)
        return
    if not text.strip():
        yield ProfileFinding("document", f"{path} is empty.", "Record a run that writes it.")
        return
    yield from fields.schema(profile, document, schemas)
    yield from fields.fields(profile, document)
    for demand in (
        structure.sections,
        structure.forbidden,
        structure.checklist,
        language.placeholders,
        language.questions,
        language.lengths,
        language.banned,
        language.required,
    ):
        yield from demand(profile, document)
    yield from citations.citations(profile, document, sources)


def _over(below: Profile, above: Profile) -> Profile:
    said = {name: getattr(above, name) for name in above.model_fields_set}
    return below.model_copy(update=said)
