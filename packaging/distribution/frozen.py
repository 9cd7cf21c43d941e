"""Starts LanUNO in the portable archive, which has no Python interpreter to start it.

Also does what the program expects of its interpreter: `-m MODULE` for LanUNO's modules, and the
processes of `multiprocessing`.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import sys
from collections.abc import MutableMapping

MODULES = ("lanuno.cli.child_main", "lanuno.app.desktop", "lanuno.app.sound_player")
"""The modules that `-m` may run: a child program of the demo, the installer of the desktop's menu
entry, and the sound player.
"""

LIBRARY_PATH = "LD_LIBRARY_PATH"


def module_of(arguments: list[str]) -> str | None:
    """Return the module to run instead of the command line, if it is one of `MODULES`."""
    if arguments[:1] == ["-m"] and len(arguments) > 1 and arguments[1] in MODULES:
        return arguments[1]
    return None


def prepare_children(environment: MutableMapping[str, str]) -> None:
    """Restore the library path for every program that LanUNO starts.

    PyInstaller's bootloader puts the archive's libraries first. A browser or a desktop command must
    not load those, so it gets the original variable. The loader of this process has read the
    variable already. If LanUNO itself is started again, it must not assume that its parent has set
    the variable, so PYINSTALLER_RESET_ENVIRONMENT makes the bootloader start afresh.
    """
    original = environment.pop(f"{LIBRARY_PATH}_ORIG", None)
    if original:
        environment[LIBRARY_PATH] = original
    else:
        environment.pop(LIBRARY_PATH, None)
    environment["PYINSTALLER_RESET_ENVIRONMENT"] = "1"


def main() -> int:
    """Run the requested module or command line, and return the exit code."""
    # In a process of multiprocessing, this call does the work and never returns.
    multiprocessing.freeze_support()
    prepare_children(os.environ)
    # The archive contains only this one of Qt's styles.
    os.environ.setdefault("QT_QUICK_CONTROLS_STYLE", "Basic")
    module = module_of(sys.argv[1:])
    if module is not None:
        del sys.argv[1:3]
        runpy.run_module(module, run_name="__main__")
        return 0
    from lanuno.cli.main import main as command_line

    return command_line()


if __name__ == "__main__":
    sys.exit(main())
