"""The entry of the app: loads PySide, then everything else without PySide looking at it.

    python -m lanuno.app.main [--home DIR] [--lang CODE] [--log LEVEL] [join LINK | open FILE]

From its own loading on, PySide looks through the source of each module that is loaded for a wish
to spell Qt's names otherwise, and Python keeps what was looked at. Nobody wishes that here; looking
would cost a dozen MiB and a tenth of the start. Nothing else belongs here.
"""

from __future__ import annotations

import builtins
import importlib
import sys
from collections.abc import Callable, Sequence
from typing import Final


def _load() -> Callable[[Sequence[str] | None], int]:
    plain = builtins.__import__
    importlib.import_module("PySide6.QtCore")
    vars(builtins)["__import__"] = plain
    from lanuno.app import program

    return program.run


main: Final = _load()
"""Run the app with these arguments, or the program's, until its window is closed."""


if __name__ == "__main__":
    sys.exit(main(None))
