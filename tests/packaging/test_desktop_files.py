"""Tests of the desktop's files with the desktop's own validators."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from distribution.portable import DESKTOP

from lanuno.app import desktop
from tests.packaging.loading import ROOT

RESOURCES = ROOT / "resources"


def check(program: str, package: str, *arguments: str | Path) -> None:
    found = shutil.which(program)
    assert found is not None, f"{program} is missing: apt-get install {package}"
    done = subprocess.run([found, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", sorted(desktop.ENTRIES))
def test_the_entries_are_valid(name: str) -> None:
    check("desktop-file-validate", "desktop-file-utils", RESOURCES / "desktop" / name)


def test_the_description_for_software_centres_is_valid() -> None:
    metainfo = RESOURCES / "desktop" / desktop.METAINFO
    check("appstreamcli", "appstream", "validate", "--no-net", metainfo)


def test_the_file_type_is_valid(tmp_path: Path) -> None:
    (tmp_path / "packages").mkdir()
    shutil.copy(RESOURCES / "desktop" / desktop.MIME, tmp_path / "packages" / "lanuno.xml")
    check("update-mime-database", "shared-mime-info", tmp_path)
    assert "application/vnd.lanuno.game" in (tmp_path / "types").read_text(encoding="utf-8")


def test_a_package_has_what_the_program_installs_for_a_user(tmp_path: Path) -> None:
    packaged = {(RESOURCES / source, target) for source, target in DESKTOP.items()}
    placed = {
        (each.source, str(each.target.relative_to(tmp_path))) for each in desktop.placed(tmp_path)
    }
    assert packaged == placed
