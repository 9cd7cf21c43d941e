"""Tests of the portable archive: which files it keeps, what it needs, and how it is packed."""

from __future__ import annotations

import hashlib
import importlib.util
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from distribution import elf, portable, project, readme, system, trim
from distribution.project import BuildError

from lanuno.client.languages import SOURCE, languages, own_name
from tests.harness.processes.packaging_programs import ROOT

DATE = datetime(2026, 11, 21, tzinfo=UTC)


def qt() -> Path:
    spec = importlib.util.find_spec("PySide6")
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / "Qt"


# Which files it keeps.


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("lanuno/_resources/qml/Main.qml", True),
        ("PySide6/Qt/qml/QtQuick/Shapes/qmldir", True),
        ("PySide6/Qt/qml/QtQuick/Shapes/plugins.qmltypes", False),
        ("PySide6/Qt/qml/QtQuick/Controls/Material/qmldir", False),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforms/libqeglfs.so", False),
        ("PySide6/Qt/plugins/sqldrivers/libqsqlite.so", False),
        ("PySide6/Qt/translations/qtbase_es.qm", True),
        ("PySide6/Qt/translations/qtbase_de.qm", False),
        ("PySide6/Qt/translations/qtbase_pt_BR.qm", True),
        ("PySide6/Qt/lib/libQt6Core.so.6", True),
        ("PySide6/Qt/libexec/rcc", False),
    ],
)
def test_of_qt_only_what_the_game_uses_is_wanted(
    name: str, kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trim, "languages", lambda: ["en", "es", "pt"])
    assert trim.wanted(name) is kept


def test_every_qml_module_that_is_imported_comes_along() -> None:
    imported = set()
    for path in (ROOT / "resources" / "qml").rglob("*.qml"):
        text = path.read_text(encoding="utf-8")
        imported.update(re.findall(r"(?m)^import (Qt[\w.]*)", text))
    assert {"QtQuick", "QtQuick.Dialogs"} <= imported
    assert {name.replace(".", "/") for name in imported} <= trim.QML_MODULES


def test_every_qml_module_brings_those_that_it_imports() -> None:
    for module in sorted(trim.QML_MODULES):
        lines = (qt() / "qml" / module / "qmldir").read_text(encoding="utf-8").splitlines()
        words = [line.split() for line in lines]
        named = {each[1] for each in words if each and each[0] in ("import", "depends")}
        # QML itself is not a folder.
        assert {name.replace(".", "/") for name in named - {"QML"}} <= trim.QML_MODULES, module


def test_every_plugin_is_one_of_qt() -> None:
    missing = [name for name in trim.PLUGINS if not (qt() / "plugins" / f"{name}.so").is_file()]
    assert missing == []


def test_libraries_come_along_that_something_needs() -> None:
    needs = {
        "/site/PySide6/QtCore.so": ["libQt6Core.so.6", "libc.so.6"],
        "/site/PySide6/Qt/lib/libQt6Core.so.6": ["libz.so.1"],
        "/site/PySide6/Qt/lib/libQt6Sql.so.6": ["libQt6Core.so.6"],
    }
    entries = [
        ("PySide6/QtCore.so", "/site/PySide6/QtCore.so", "EXTENSION"),
        ("PySide6/Qt/lib/libQt6Core.so.6", "/site/PySide6/Qt/lib/libQt6Core.so.6", "BINARY"),
        ("PySide6/Qt/lib/libQt6Sql.so.6", "/site/PySide6/Qt/lib/libQt6Sql.so.6", "BINARY"),
        ("libpython3.11.so.1.0", "/lib/libpython3.11.so.1.0", "BINARY"),
        ("libz.so.1", "/lib/libz.so.1", "BINARY"),
        ("libexpat.so.1", "/lib/libexpat.so.1", "BINARY"),
        ("libX11.so.6", "/lib/libX11.so.6", "BINARY"),
        ("libQt6Core.so.6", "PySide6/Qt/lib/libQt6Core.so.6", "SYMLINK"),
        ("libQt6Sql.so.6", "PySide6/Qt/lib/libQt6Sql.so.6", "SYMLINK"),
        ("a/libQt6Core.so.6", "../PySide6/Qt/lib/libQt6Core.so.6", "SYMLINK"),
    ]
    kept = trim.trimmed(entries, [Path("/site")], lambda path: needs.get(str(path), []))
    assert [name for name, _, _ in kept] == [
        "PySide6/Qt/lib/libQt6Core.so.6",
        "PySide6/QtCore.so",
        "a/libQt6Core.so.6",
        "libQt6Core.so.6",
        "libpython3.11.so.1.0",
        "libz.so.1",
    ]


# What it needs.


def test_a_library_says_what_it_needs() -> None:
    found = elf.read(qt() / "lib" / "libQt6Core.so.6")
    assert found is not None
    assert "libc.so.6" in found.needed
    assert "$ORIGIN" in found.search
    glibc = elf.newest(found.versions, "GLIBC")
    assert glibc is not None
    assert (2, 17) <= glibc < (3,)
    assert elf.read(Path(__file__)) is None


def test_versions_are_compared_as_numbers() -> None:
    names = ["GLIBC_2.4", "GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_PRIVATE", "GLIBCXX_3.4.29"]
    assert elf.newest(names, "GLIBC") == (2, 34)
    assert elf.newest(names, "GLIBCXX") == (3, 4, 29)
    assert elf.newest(names, "CXXABI") is None


def program(*needed: str, versions: tuple[str, ...] = ("GLIBC_2.34",)) -> elf.Elf:
    return elf.Elf(needed, frozenset(versions))


def test_the_packages_of_the_system_are_named() -> None:
    elfs = {
        Path("lanuno"): program("libc.so.6", "libown.so.1", "libglib-2.0.so.0"),
        Path("lib/libown.so.1"): program(
            "libm.so.6", "libstdc++.so.6", versions=("GLIBC_2.36", "GLIBCXX_3.4.29")
        ),
    }
    needs = system.needs(elfs)
    assert needs.glibc == "2.36"
    assert needs.packages == (
        "libc6 (>= 2.36)",
        "libglib2.0-0t64 | libglib2.0-0",
        "libstdc++6 (>= 11)",
    )
    assert needs.names() == ["libc6", "libglib2.0-0", "libstdc++6"]


def test_an_unknown_library_ends_the_build() -> None:
    with pytest.raises(BuildError, match="libnew"):
        system.needs({Path("lanuno"): program("libnew.so.1")})
    with pytest.raises(BuildError, match="GLIBCXX"):
        system.package_of("libstdc++.so.6", ["GLIBCXX_3.4.99"])
    with pytest.raises(BuildError):
        system.needs({})


def test_what_the_archive_says_names_both() -> None:
    needs = system.Needs("2.36", ("libegl1", "libglib2.0-0t64 | libglib2.0-0"))
    text = readme.text(needs)
    assert "{" not in text
    sections = text.split("\n\n\n")
    assert len(sections) == len(languages())
    for section, language in zip(sections, (SOURCE, *languages()[:-1]), strict=True):
        assert section.startswith(f"LanUNO {project.version()} - {own_name(language)}\n===")
        assert "glibc 2.36" in section
        assert "apt-get install libegl1 libglib2.0-0\n" in section
        assert max(map(len, section.splitlines())) <= readme.WIDTH


# How it is packed.


def test_the_same_files_make_the_same_archive(tmp_path: Path) -> None:
    sums = set()
    for number in (1, 2):
        folder = tmp_path / str(number) / "lanuno"
        (folder / "lib").mkdir(parents=True)
        for name in "ab" if number == 1 else "ba":
            (folder / "lib" / name).write_text(name)
        (folder / "lanuno").write_text("")
        portable.settle(folder)
        target = tmp_path / f"{number}.tar.xz"
        portable.pack(folder, target, DATE)
        sums.add(hashlib.sha256(target.read_bytes()).hexdigest())
    assert len(sums) == 1


def test_only_the_program_can_be_run_and_only_its_owner_can_change_it(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("lanuno", "sub/lanuno"):
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(0o777)
    portable.settle(tmp_path)
    modes = {
        name: (tmp_path / name).stat().st_mode & 0o777 for name in ("lanuno", "sub/lanuno", "sub")
    }
    assert modes == {"lanuno": 0o755, "sub/lanuno": 0o644, "sub": 0o755}


def test_the_loader_is_not_led_to_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[tuple[object, ...]] = []
    monkeypatch.setattr(portable, "run", lambda *command: calls.append(command))
    none: tuple[str, ...] = ()
    elfs = {
        tmp_path / "a": elf.Elf(none, frozenset(), ("$ORIGIN", "$ORIGIN/lib")),
        tmp_path / "b": elf.Elf(none, frozenset(), ("$ORIGIN", "/opt/python/lib")),
        tmp_path / "c": elf.Elf(none, frozenset()),
    }
    portable.forget_this_machine(elfs)
    assert [call[1:] for call in calls] == [("--remove-rpath", tmp_path / "b")]


def test_the_date_is_given_or_that_of_the_release() -> None:
    assert project.release_date({"SOURCE_DATE_EPOCH": "86400"}) == datetime(1970, 1, 2, tzinfo=UTC)
    assert project.release_date({}).year >= 2026


def test_a_failing_program_ends_the_build_with_what_it_said() -> None:
    with pytest.raises(BuildError, match=r"(?s)no way.*\(3\)"):
        project.run(sys.executable, "-c", "import sys; print('no way'); sys.exit(3)")
    assert project.run(sys.executable, "-c", "print('yes')") == "yes\n"
