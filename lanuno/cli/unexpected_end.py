"""Gives an error that nothing catches an exit code of its own. Import this before anything else.

Python would end with 1, which means proven cheating. Such an error happens while modules are
imported: a file of the installation is missing or unreadable, or there is no memory.
"""

import os
import sys
from types import TracebackType

_INTERNAL = 70
_INTERRUPTED = 130
"""As in `ExitCode`, which might be what cannot be imported."""


def _end(kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
    code = _INTERRUPTED if issubclass(kind, KeyboardInterrupt) else _INTERNAL
    try:
        if code == _INTERNAL and sys.stderr is not None:
            why = " ".join(f"{kind.__name__}: {error}".split())
            sys.stderr.write(f"lanuno: LanUNO cannot start or go on ({why})\n")
            sys.stderr.flush()
    finally:
        os._exit(code)


def install() -> None:
    """Handle uncaught errors of this program from now on."""
    sys.excepthook = _end


install()
