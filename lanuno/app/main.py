"""The entry point of the app: loads PySide, then everything else with the plain `__import__`.

    python -m lanuno.app.main [--home DIR] [--lang CODE] [--log LEVEL] [--debug] [--trace FILE]
                              [join LINK | open FILE]

PySide replaces `__import__`: it then reads the source of each imported module to see whether the
module asks for another spelling of Qt's names, and Python keeps that source in memory. No module
here does, and the check would cost a dozen MiB and a tenth of the start time. So the plain
`__import__` is restored. Nothing else belongs here.
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
"""Run the app until its window is closed. Arguments: None stands for those of the command line."""


if __name__ == "__main__":
    sys.exit(main(None))
