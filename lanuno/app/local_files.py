"""Files that a desktop names by a URL, and how to show their names.

A file name on Linux is bytes. Python keeps those that are no text as unpaired surrogates; Qt's
texts lose them.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Final
from urllib.parse import unquote_to_bytes

from PySide6.QtCore import QUrl

_NO_TEXT: Final = re.compile("[\ud800-\udfff]")


def local_path(url: QUrl) -> Path:
    """Return the path of a local file. `QUrl.toLocalFile` replaces bytes that are not UTF-8."""
    if sys.platform == "win32":  # there, names are text, and a URL may name a drive or a computer
        name = url.toLocalFile()
    else:
        encoded = url.path(QUrl.ComponentFormattingOption.FullyEncoded)
        name = os.fsdecode(unquote_to_bytes(encoded))
    return Path(name)


def shown_name(path: Path) -> str:
    """Return a file name as text, with U+FFFD for each byte that is none."""
    return _NO_TEXT.sub("\ufffd", path.name)
