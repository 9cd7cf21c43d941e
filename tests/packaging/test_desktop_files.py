"""Tests of the desktop files with the desktop's own validators."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from distribution.portable import DESKTOP

from lanuno.app import desktop
from tests.harness.processes.packaging_programs import ROOT

RESOURCES = ROOT / "resources"


def run(program: str, package: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    found = shutil.which(program)
    assert found is not None, f"{program} is missing: apt-get install {package}"
    return subprocess.run([found, *arguments], capture_output=True, text=True, check=False)


def check(program: str, package: str, *arguments: str | Path) -> None:
    done = run(program, package, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr


def in_all_languages(name: str, folder: Path) -> Path:
    """Write one of the files as it is installed, and return its path."""
    path = folder / name
    path.write_text(desktop.translated(RESOURCES / "desktop" / name), encoding="utf-8")
    return path


def complaints(metainfo: Path) -> list[str]:
    """Return appstreamcli's errors and warnings, except the one about the missing home page.

    The project has no home page. Only newer versions of appstreamcli look for one, and older ones
    have no option to skip that check.
    """
    done = run("appstreamcli", "appstream", "validate", "--no-net", metainfo)
    assert "Validation" in done.stdout, done.stdout + done.stderr
    lines = [line.strip() for line in done.stdout.splitlines()]
    found = [line for line in lines if line.startswith(("E:", "W:"))]
    return [line for line in found if not line.endswith("url-homepage-missing")]


@pytest.mark.parametrize("name", sorted(desktop.ENTRIES))
def test_the_entries_are_valid(name: str, tmp_path: Path) -> None:
    check("desktop-file-validate", "desktop-file-utils", in_all_languages(name, tmp_path))


def test_the_description_for_software_centres_is_valid(tmp_path: Path) -> None:
    assert complaints(in_all_languages(desktop.METAINFO, tmp_path)) == []


def test_a_bad_description_is_seen(tmp_path: Path) -> None:
    metainfo = tmp_path / desktop.METAINFO
    text = (RESOURCES / "desktop" / desktop.METAINFO).read_text(encoding="utf-8")
    metainfo.write_text(text.replace("<id>", "<id>no such "), encoding="utf-8")
    assert complaints(metainfo) != []
    metainfo.write_text("<component>", encoding="utf-8")
    assert complaints(metainfo) != []


def test_the_file_type_is_valid(tmp_path: Path) -> None:
    (tmp_path / "packages").mkdir()
    in_all_languages(desktop.MIME, tmp_path / "packages")
    check("update-mime-database", "shared-mime-info", tmp_path)
    assert "application/vnd.lanuno.game" in (tmp_path / "types").read_text(encoding="utf-8")


def test_a_package_has_what_the_program_installs_for_a_user(tmp_path: Path) -> None:
    packaged = {(RESOURCES / source, target) for source, target in DESKTOP.items()}
    placed = {
        (each.source, str(each.target.relative_to(tmp_path))) for each in desktop.placed(tmp_path)
    }
    assert packaged == placed
