"""A copy of the scripts of packaging/ beside a fake system that records its calls."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

from tests.harness.processes.packaging_programs import PACKAGING, ROOT

# The environment's Python. It records how it is called, and answers the scripts' questions.
INSIDE = """#!/bin/bash
case "$*" in
*"(3, 11) <="*) [ ! -e "$SYSTEM/python-does-not-suit" ] ;;
*hashlib*) cat "$SYSTEM/version"; exec "$REAL" "$@" ;;
*has_display*) PYTHONPATH=$SOURCES exec "$REAL" "$@" ;;
*PySide6*) echo /nowhere/PySide6 ;;
*"pip --version") [ -e "${0%/*}/../pip" ] ;;
*compile_languages.py) ;;
*cli.main*) shift 2; echo "lanuno $*" >>"$CALLS" ;;
*"pip list"* | *importlib.metadata*) ;;
*"pip install"*) sleep "${PIP_SECONDS:-0}"; echo "${0##*/} $*" >>"$CALLS" ;;
*) echo "${0##*/} $*${PYTEST_ADDOPTS:+ $PYTEST_ADDOPTS}" >>"$CALLS" ;;
esac
"""
# The system's Python, which makes the environment.
PYTHON = """#!/bin/bash
case "$*" in
*"%d.%d-venv"*) echo python3.11-venv ;;
*ensurepip*) [ ! -e "$SYSTEM/no-venv" ] ;;
"-m venv "*)
    echo "python3 -m venv" >>"$CALLS"
    mkdir -p "$3/bin"
    touch "$3/pip"
    cp "$SYSTEM/inside" "$3/bin/python"
    cp "$SYSTEM/inside" "$3/bin/python3" ;;
*) . "$SYSTEM/inside" ;;
esac
"""
APT = """#!/bin/bash
echo "${ROOT_BY:+$ROOT_BY }apt-get $*" >>"$CALLS"
[ -z "${APT_FAILS:-}" ] || { echo "E: no such package" >&2; exit 100; }
case "$*" in
*update*) exit 100 ;;
*install*) touch "$SYSTEM/apt-installed"; rm -f "$SYSTEM/no-venv" ;;
esac
"""
SUDO = """#!/bin/bash
[ "$1" = -n ] || { echo "sudo asks for a password" >>"$CALLS"; ROOT_BY=sudo exec "$@"; }
shift
[ ! -e "$SYSTEM/sudo-asks" ] || exit 1
ROOT_BY=sudo exec "$@"
"""
# Qt lacks one library until apt has installed something. The output exceeds a pipe's buffer.
LDD = """#!/bin/bash
[ -e "$SYSTEM/apt-installed" ] || echo "	libxcb-icccm.so.4 => not found"
for n in {1..5000}; do echo "	libc.so.6 => /lib/libc.so.6 (0x00007f5c1e400000)"; done
[ -z "${LDD_STILL:-}" ] || echo "	libEGL.so.1 => not found"
exit 1
"""
TOOLS = """bash cat cp cut dirname env flock mkdir mktemp realpath rm sed sleep sort touch
true"""
NOBODY = 65534
# Root may write everywhere, so the tests of permissions then run as another user.
OTHER = NOBODY if os.getuid() == 0 else None


class Checkout:
    """A copy of the scripts beside a fake system, on which the user is root without apt."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "check out"
        self.system = folder / "bin"
        self.calls = folder / "calls"
        self.calls.touch()
        self.python = {"REAL": sys.executable, "SOURCES": str(ROOT)}
        """The real Python and sources, for questions that are not answered by the fake one."""
        self.system.mkdir()
        shutil.copytree(PACKAGING, self.folder / "packaging")
        (self.folder / "pyproject.toml").write_text("[project]\n")
        (self.system / "version").write_text("3.11\n")
        self.program("inside", INSIDE)
        self.program("python3", PYTHON)
        self.program("id", "#!/bin/bash\necho 0\n")
        for tool in TOOLS.split():
            found = shutil.which(tool)
            assert found is not None
            (self.system / tool).symlink_to(found)

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables of everything that runs on the fake system."""
        calls, system = str(self.calls), str(self.system)
        return {"PATH": system, "CALLS": calls, "SYSTEM": system, **self.python}

    def program(self, name: str, text: str) -> None:
        path = self.system / name
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)

    def ordinary_user(self) -> None:
        self.program("id", "#!/bin/bash\necho 1000\n")

    def lacks(self, package: str) -> None:
        """Make this the only Debian package that is not installed."""
        script = f'[ "${{@: -1}}" = {package} ] && exit 1; echo "install ok installed"'
        self.program("dpkg-query", f"#!/bin/bash\n{script}\n")

    def run(
        self,
        script: str,
        *arguments: str,
        code: int = 0,
        user: int | None = None,
        display: bool = False,
        **more: str,
    ) -> tuple[list[str], str]:
        """Run a script; return its own calls, and its output.

        `more`: environment variables. `display`: add one that acts as a display.
        """
        if display:
            more["QT_QPA_PLATFORM"] = "offscreen"
        before = len(self.calls.read_text().splitlines())
        done = subprocess.run(
            [self.folder / "packaging" / script, *arguments],
            env={
                **self.environment,
                **more,
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            user=user,
        )
        assert done.returncode == code, done.stderr
        return self.calls.read_text().splitlines()[before:], done.stderr
