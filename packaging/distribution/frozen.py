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

MODULES = ("lanuno.cli.child_main", "lanuno.app.desktop", "lanuno.app.sound_player")
"""What `-m` may run: the programs of a demo, entering the game into the desktop's menu, and what
plays sounds.
"""

LIBRARY_PATH = "LD_LIBRARY_PATH"


def module_of(arguments: list[str]) -> str | None:
    """The module to run instead of the command line, if one of `MODULES` is asked for."""
    if arguments[:1] == ["-m"] and len(arguments) > 1 and arguments[1] in MODULES:
        return arguments[1]
    return None


def prepare_children(environment: MutableMapping[str, str]) -> None:
    """Let every program that LanUNO starts find its own libraries.

    PyInstaller's bootloader puts the archive's libraries first, which a browser or a command of
    the desktop must not load: those get the variable as it was. The loader of this process has
    read it already. LanUNO itself, when it is started again, must not believe that its parent has
    set the variable: the bootloader is told to begin anew.
    """
    original = environment.pop(f"{LIBRARY_PATH}_ORIG", None)
    if original:
        environment[LIBRARY_PATH] = original
    else:
        environment.pop(LIBRARY_PATH, None)
    environment["PYINSTALLER_RESET_ENVIRONMENT"] = "1"


def main() -> int:
    """Run what is asked for and return the exit code."""
    # A process of multiprocessing does its work here, and never returns.
    multiprocessing.freeze_support()
    prepare_children(os.environ)
    # Of Qt's styles only this one is in the archive.
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
