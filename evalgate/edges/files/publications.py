"""Stored publications in: strictly, since whoever changed the code could also change them."""

from pathlib import Path
from typing import Final

from pydantic import TypeAdapter

from evalgate.edges.files.contents import MEGABYTE, read_bytes
from evalgate.edges.files.parsing import parse_json
from evalgate.edges.files.validation import validate
from evalgate.model.publication import Publication

FILE: Final = "publication.json"
LIMIT: Final = 8 * MEGABYTE

_PUBLICATION: TypeAdapter[Publication] = TypeAdapter(Publication)


def read_publication(path: Path) -> Publication:
    """Return the publication in a file, or in the file `publication.json` of a folder.

    Raises ProblemsError with every mistake; what is larger than GitHub takes is one.
    """
    file = path / FILE if path.is_dir() else path
    return validate(_PUBLICATION, parse_json(read_bytes(file, LIMIT), str(file)), str(file))
