"""Starts LanUNO in the portable archive, where there is no Python to start it with.

Also does what the program expects of the interpreter that runs it: `-m MODULE` for modules of
ours, and the processes of `multiprocessing`.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import sys
from collections.abc import MutableMapping

MODULES = ("lanuno.cli.tethered", "lanuno.app.desktop")
"""What `-m` may run: the programs of a demo, and entering the game into the desktop's menu."""

LIBRARY_PATH = "LD_LIBRARY_PATH"


def module_of(arguments: list[str]) -> str | None:
    """The module to run instead of the command line, if one of `MODULES` is asked for."""
    if arguments[:1] == ["-m"] and len(arguments) > 1 and arguments[1] in MODULES:
        return arguments[1]
    return None


def restore_library_path(environment: MutableMapping[str, str]) -> None:
    """Give programs that LanUNO starts the system's libraries again.

    PyInstaller's bootloader puts the archive's libraries first, which a browser or a command of
    the desktop must not load. The loader of this process has read the variable already.
    """
    original = environment.pop(f"{LIBRARY_PATH}_ORIG", None)
    if original:
        environment[LIBRARY_PATH] = original
    else:
        environment.pop(LIBRARY_PATH, None)


def main() -> int:
    """Run what is asked for and return the exit code."""
    # A process of multiprocessing does its work here, and never returns.
    multiprocessing.freeze_support()
    restore_library_path(os.environ)
    # Of Qt's styles only this one is in the archive.
    os.environ.setdefault("QT_QUICK_CONTROLS_STYLE", "Basic")
    module = module_of(sys.argv[1:])
    if module is not None:
        del sys.argv[1:3]
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        return 0
    from lanuno.cli.main import main as command_line

    return command_line()


if __name__ == "__main__":
    sys.exit(main())
