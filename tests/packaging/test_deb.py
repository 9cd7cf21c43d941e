"""Tests of the Debian package: where its files are, and the contents of its control files."""

from __future__ import annotations

import gzip
import hashlib
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from distribution import deb
from distribution.system import Needs

from lanuno import __version__
from tests.harness.processes.packaging_programs import ROOT

DATE = datetime(2026, 11, 21, tzinfo=UTC)
NEEDS = Needs("2.36", ("libc6 (>= 2.36)", "libglib2.0-0t64 | libglib2.0-0"))
WHO = "Ana <ana@example.org>"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "lanuno-1.0-linux-x86_64"
    for name in ("_internal/x.so", "licences/thing/LICENSE", "share/applications/lanuno.desktop"):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(name)
    for name in ("lanuno", "README.txt", "LICENSE"):
        (folder / name).write_text("#!/bin/sh\n")
    deb.lay_out(folder, tmp_path / "tree")
    return tmp_path / "tree"


def test_everything_lies_where_debian_has_it(tree: Path) -> None:
    files = {str(path.relative_to(tree)) for path in tree.rglob("*") if not path.is_dir()}
    assert files == {
        "usr/games/lanuno",
        "usr/lib/lanuno/lanuno",
        "usr/lib/lanuno/_internal/x.so",
        "usr/share/applications/lanuno.desktop",
        "usr/share/doc/lanuno/licences/thing/LICENSE",
    }
    assert (tree / "usr/games/lanuno").resolve() == tree / "usr/lib/lanuno/lanuno"
    assert (tree / "usr/lib/lanuno/lanuno").stat().st_mode & 0o777 == 0o755


def test_the_documents_are_debians(tree: Path) -> None:
    deb.write_documents(tree, "1.0-1", WHO, DATE)
    documents = tree / "usr/share/doc/lanuno"
    entry = gzip.decompress((documents / "changelog.Debian.gz").read_bytes()).decode()
    assert entry.startswith("lanuno (1.0-1) unstable; urgency=medium\n\n  * ")
    assert entry.endswith(f"\n -- {WHO}  Sat, 21 Nov 2026 00:00:00 +0000\n")
    copyright_ = (documents / "copyright").read_text(encoding="utf-8")
    assert " Permission is hereby granted, free of charge" in copyright_
    assert " .\n The above copyright notice" in copyright_
    assert "{mit}" not in copyright_
    assert gzip.decompress((documents / "changelog.gz").read_bytes()).startswith(b"# Changelog")


def test_what_lintian_overlooks_has_a_reason() -> None:
    lines = (deb.TEXTS / "lintian-overrides").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("#")
    assert [line for line in lines if not line.startswith(("#", "lanuno: "))] == []


def test_the_control_file_says_what_is_needed() -> None:
    text = deb.control("1.0-1", "amd64", WHO, NEEDS, 1234)
    fields = dict(line.split(": ", 1) for line in text.splitlines() if not line.startswith(" "))
    assert fields["Depends"] == "libc6 (>= 2.36), libglib2.0-0t64 | libglib2.0-0"
    assert fields["Architecture"] == "amd64"
    assert fields["Installed-Size"] == "1234"
    assert fields["Section"] == "games"
    assert "oldest glibc it runs on is 2.36" in text


def test_the_maintainer_is_who_builds() -> None:
    assert deb.maintainer({"DEBFULLNAME": "Ana", "DEBEMAIL": "ana@example.org"}) == WHO
    assert deb.maintainer({}) == "LanUNO contributors <contributors@lanuno.invalid>"


def test_sizes_and_sums_are_those_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a").write_bytes(b"x" * 1025)
    (tmp_path / "b").symlink_to("sub/a")
    # Two KiB for the file, and one each for the folder and the link.
    assert deb.size_of(tmp_path) == 4
    digest = hashlib.md5(b"x" * 1025).hexdigest()
    assert deb.sums(tmp_path, [tmp_path / "sub" / "a"]) == f"{digest}  sub/a\n"


def test_dpkg_reads_the_package(tree: Path, tmp_path: Path) -> None:
    program = shutil.which("dpkg-deb")
    if program is None:
        pytest.skip("dpkg-deb is not installed (Debian package dpkg)")
    deb.write_documents(tree, "1.0-1", WHO, DATE)
    deb.write_control(tree, deb.control("1.0-1", "all", WHO, NEEDS, 1))
    package = tmp_path / "lanuno.deb"
    subprocess.run([program, "--root-owner-group", "--build", tree, package], check=True)
    asked = [program, "--field", str(package), "Version"]
    assert subprocess.run(asked, capture_output=True, text=True, check=True).stdout == "1.0-1\n"


def test_the_flatpak_manifest_is_marked_untested() -> None:
    text = (ROOT / "packaging/flatpak/org.lanuno.lanuno.yml").read_text(encoding="utf-8")
    assert text.startswith("# UNTESTED")
    assert "\nid: org.lanuno.lanuno\n" in text
    assert f"dist/lanuno-{__version__}-linux-" in text
