"""A case's folder copied for its calls: plain files, within bounds."""

import os
import shutil
from pathlib import Path
from typing import Final

MOST_FILES: Final = 10_000
MOST_BYTES: Final = 100_000_000


def copied(source: Path, target: Path, root: Path) -> str:
    """Copy a folder; return why that is impossible, or an empty text.

    A link to a file in the repository becomes that file, so that the copy leads nowhere else; other links and special
    files are left out.
    """
    inside = root.resolve()
    files = size = 0
    for folder, _, names in os.walk(source):
        into = target / Path(folder).relative_to(source)
        into.mkdir(mode=0o700, exist_ok=True)
        for name in names:
            path = Path(folder, name)
            real = path.resolve()
            if not real.is_file() or not real.is_relative_to(inside):
                continue
            files, size = files + 1, size + real.stat().st_size
            if files > MOST_FILES or size > MOST_BYTES:
                return f"the case holds more than {MOST_FILES:,} files or {MOST_BYTES // 1_000_000} MB"
            try:
                shutil.copy(real, into / name)
            except OSError as error:
                return f"{path.relative_to(source)} cannot be copied: {error.strerror}"
    return ""
