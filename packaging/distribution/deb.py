"""Builds the Debian package: the portable archive's folder in /usr/lib, plus Debian's own files.

Uses dpkg-deb only. Nothing is compiled, so debhelper would have nothing to do.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import textwrap
from collections.abc import Iterable, Mapping
from datetime import datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Final

from distribution.portable import build_folder, settle
from distribution.project import DIST, ROOT, WORK, release_date, run, say, version
from distribution.system import Needs

TEXTS: Final = Path(__file__).resolve().parent / "texts"
REVISION: Final = 1
"""Revision of the packaging. Increase it if only the packaging has changed."""

RECOMMENDED: Final = (
    *("libgl1-mesa-dri", "libpulse0", "xdg-utils", "shared-mime-info", "desktop-file-utils"),
)
"""Drivers, sound, links, and the tools that register the file type and the menu entry."""


def maintainer(environment: Mapping[str, str]) -> str:
    """Return the package's maintainer, from the variables that Debian's tools read too."""
    name = environment.get("DEBFULLNAME") or "LanUNO contributors"
    # The project has no mail address; .invalid is reserved for such placeholders.
    address = environment.get("DEBEMAIL") or "contributors@lanuno.invalid"
    return f"{name} <{address}>"


def build() -> Path:
    """Build the package into dist/ and return its path."""
    folder, wanted = build_folder()
    say("making the Debian package …")
    architecture = run("dpkg", "--print-architecture").strip()
    full = f"{version()}-{REVISION}"
    tree = WORK / "deb"
    shutil.rmtree(tree, ignore_errors=True)
    lay_out(folder, tree)
    who = maintainer(os.environ)
    write_documents(tree, full, who, release_date())
    write_control(tree, control(full, architecture, who, wanted, size_of(tree)))
    _same_time(tree, release_date())
    DIST.mkdir(exist_ok=True)
    target = DIST / f"lanuno_{full}_{architecture}.deb"
    run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", tree, target)
    check(target)
    return target


def lay_out(folder: Path, tree: Path) -> None:
    """Copy the program and its files to where Debian expects them."""
    program = tree / "usr" / "lib" / "lanuno"
    leave = shutil.ignore_patterns("share", "licences", "README.txt", "LICENSE")
    shutil.copytree(folder, program, symlinks=True, ignore=leave)
    settle(program)
    games = tree / "usr" / "games"
    games.mkdir(parents=True)
    (games / "lanuno").symlink_to("../lib/lanuno/lanuno")
    shutil.copytree(folder / "share", tree / "usr" / "share")
    documents = tree / "usr" / "share" / "doc" / "lanuno"
    shutil.copytree(folder / "licences", documents / "licences")


def write_documents(tree: Path, full: str, who: str, date: datetime) -> None:
    """Write the files that Debian requires in /usr/share/doc, and the lintian overrides."""
    documents = tree / "usr" / "share" / "doc" / "lanuno"
    copyright_ = (TEXTS / "copyright").read_text(encoding="utf-8")
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    body = licence.split("\n\n", 2)[2].strip()
    indented = "\n".join(f" {line}" if line else " ." for line in body.splitlines())
    (documents / "copyright").write_text(copyright_.format(mit=indented), encoding="utf-8")
    entry = (
        f"lanuno ({full}) unstable; urgency=medium\n\n"
        f"  * LanUNO {version()}; what is new is in changelog.gz.\n\n"
        f" -- {who}  {format_datetime(date)}\n"
    )
    (documents / "changelog.Debian.gz").write_bytes(gzip.compress(entry.encode(), 9, mtime=0))
    changes = (ROOT / "CHANGELOG.md").read_bytes()
    (documents / "changelog.gz").write_bytes(gzip.compress(changes, 9, mtime=0))
    overrides = tree / "usr" / "share" / "lintian" / "overrides"
    overrides.mkdir(parents=True)
    shutil.copyfile(TEXTS / "lintian-overrides", overrides / "lanuno")
    settle(tree / "usr" / "share")


def control(full: str, architecture: str, who: str, wanted: Needs, size: int) -> str:
    """Return the text of the control file."""
    return (
        "Package: lanuno\n"
        f"Version: {full}\n"
        f"Architecture: {architecture}\n"
        f"Maintainer: {who}\n"
        f"Installed-Size: {size}\n"
        f"Depends: {', '.join(wanted.packages)}\n"
        f"Recommends: {', '.join(RECOMMENDED)}\n"
        "Section: games\n"
        "Priority: optional\n"
        "Description: card game for a local network with a shuffle everybody can check\n"
        " LanUNO is a card game of the UNO family for the people in the same room: one\n"
        " opens a table, the others see it and join. Everybody shuffles, nobody can\n"
        " see or choose a card, and afterwards everybody can check that it was so.\n"
        " .\n"
        " It has eleven sets of rules for two to ten players, bots, a window and a\n"
        " command line. It needs no server and no account.\n"
        " .\n"
        f"{textwrap.indent(languages_line(), ' ')}\n"
        " .\n"
        f" Python and Qt are in the package. The oldest glibc it runs on is {wanted.glibc}.\n"
    )


def languages_line() -> str:
    """Return the languages of the program by their own names, wrapped as Debian wants it."""
    # Imported late: the program's texts are installed only by the build.
    from lanuno.client.languages import own_names

    return textwrap.fill(f"Languages: {', '.join(own_names())}.", 79)


def size_of(tree: Path) -> int:
    """Return the installed size in KiB, as Debian counts it."""
    files = [path for path in tree.rglob("*") if path.is_file() and not path.is_symlink()]
    others = sum(1 for path in tree.rglob("*")) - len(files)
    return others + sum(-(-path.stat().st_size // 1024) for path in files)


def write_control(tree: Path, text: str) -> None:
    """Write the control file and the checksums of all files."""
    paths = sorted(path for path in tree.rglob("*") if path.is_file() and not path.is_symlink())
    folder = tree / "DEBIAN"
    folder.mkdir()
    (folder / "control").write_text(text, encoding="utf-8")
    (folder / "md5sums").write_text(sums(tree, paths), encoding="utf-8")
    settle(folder)


def sums(tree: Path, paths: Iterable[Path]) -> str:
    """Return Debian's checksums. They detect damage, not tampering."""
    lines = []
    for path in paths:
        digest = hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()
        lines.append(f"{digest}  {path.relative_to(tree)}\n")
    return "".join(lines)


def _same_time(tree: Path, date: datetime) -> None:
    moment = date.timestamp()
    for path in (tree, *tree.rglob("*")):
        os.utime(path, (moment, moment), follow_symlinks=False)


def check(package: Path) -> None:
    """Check the package with lintian. Raises `BuildError` for an error that it reports."""
    if shutil.which("lintian") is None:
        say("lintian is not installed: the package was not checked")
        return
    said = run("lintian", "--allow-root", "--fail-on", "error", package)
    say(said.rstrip() or "lintian has nothing to say")
