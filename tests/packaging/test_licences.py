"""Tests that the portable archive has every licence, and that a missing one fails the build."""

from __future__ import annotations

import re
import sysconfig
from importlib.metadata import PathDistribution, distribution, requires
from pathlib import Path

import pytest
from distribution import licences
from distribution.project import BuildError

from tests.harness.processes.packaging_programs import ROOT


def installed(folder: Path, name: str, *files: str) -> PathDistribution:
    place = folder / f"{name}-1.0.dist-info"
    place.mkdir(parents=True)
    (place / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    listed = [f"{name}/__init__.py", *(f"{place.name}/{file}" for file in files)]
    (place / "RECORD").write_text("".join(f"{each},,\n" for each in listed))
    for each in listed:
        (folder / each).parent.mkdir(parents=True, exist_ok=True)
        (folder / each).write_text(each)
    return PathDistribution(place)


def test_texts_are_found_in_the_metadata(tmp_path: Path) -> None:
    one = installed(tmp_path, "Some_Thing", "licenses/sub/MIT.txt", "COPYING.LESSER", "WHEEL")
    found = licences.of_distribution(one)
    assert (found.name, found.version) == ("some-thing", "1.0")
    assert [path.name for path in found.texts] == ["COPYING.LESSER", "MIT.txt"]


def test_a_distribution_without_a_text_ends_the_build(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="bare-thing"):
        licences.of_distribution(installed(tmp_path, "bare-thing", "WHEEL"))


def test_all_that_the_program_needs_has_a_text() -> None:
    needed = [
        re.split(r"[^\w-]", each)[0] for each in requires("lanuno") or () if "extra" not in each
    ]
    assert "coincurve" in needed
    for name in needed:
        assert licences.of_distribution(distribution(name)).texts


def test_files_lead_to_what_they_belong_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    thing = installed(tmp_path, "thing", "LICENSE")
    freezer = installed(tmp_path, "pyinstaller", "COPYING.txt")
    monkeypatch.setattr(licences, "distributions", lambda: [thing, freezer])
    monkeypatch.setattr(
        licences, "of_debian", lambda path: licences.Component(f"debian-{path.name}", "1", ())
    )
    system = tmp_path / "libz.so.1"
    sources = [
        tmp_path / "thing" / "__init__.py",
        system,
        Path(sysconfig.get_path("stdlib")) / "os.py",
        ROOT / "packaging" / "distribution" / "frozen.py",
    ]
    names = [one.name for one in licences.components(sources)]
    # PyInstaller's bootloader is in every archive.
    assert names == ["debian-libz.so.1", "pyinstaller", "python", "thing"]


def test_the_debian_package_of_a_library_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = tmp_path / "usr" / "lib"
    real.mkdir(parents=True)
    (real / "libz.so.1").write_text("")
    (tmp_path / "lib").symlink_to(real)
    said = f"other:amd64: {tmp_path}/elsewhere/libz.so.1\nzlib1g:amd64: {tmp_path}/lib/libz.so.1\n"
    monkeypatch.setattr(licences, "_ask_dpkg", lambda *question: said)
    assert licences.debian_package(real / "libz.so.1") == "zlib1g:amd64"
    with pytest.raises(BuildError, match="the origin of"):
        licences.debian_package(tmp_path / "libnew.so.1")
    monkeypatch.setattr(licences, "debian_package", lambda path: "no-such-package")
    with pytest.raises(BuildError, match="no-such-package"):
        licences.of_debian(real / "libz.so.1")


def test_licences_that_are_only_referred_to_come_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    common = tmp_path / "common"
    common.mkdir()
    for name in ("GPL-2", "LGPL-2.1"):
        (common / name).write_text(name)
    monkeypatch.setattr(licences, "COMMON", common)
    text = tmp_path / "copyright"
    text.write_text(f"see {common}/GPL-2.\nand '{common}/LGPL-2.1', {common}/NONE")
    assert licences.common_texts([text]) == {common / "GPL-2", common / "LGPL-2.1"}


def test_all_texts_and_a_list_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = tmp_path / "LICENSE"
    text.write_text("do what you want")
    one = licences.Component("thing", "1:2.0", (text,))
    monkeypatch.setattr(licences, "components", lambda sources: [one])
    licences.collect([], tmp_path / "out")
    assert (tmp_path / "out" / "thing-1_2.0" / "LICENSE.txt").read_text() == "do what you want"
    assert "    thing 1:2.0\n" in (tmp_path / "out" / "README.txt").read_text()
    text.unlink()
    with pytest.raises(BuildError, match="missing"):
        licences.collect([], tmp_path / "again")


def test_qt_is_said_to_be_replaceable() -> None:
    names = {path.name for path in licences.WITHOUT_TEXT["pyside6-essentials"]}
    assert {"LGPL-3", "GPL-3", "qt.txt"} <= names
    text = (licences.TEXTS / "qt.txt").read_text(encoding="utf-8")
    assert "_internal/PySide6/Qt/lib" in text
    assert "https://download.qt.io/" in text
