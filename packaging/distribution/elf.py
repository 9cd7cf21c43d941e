"""Reads what programs and shared libraries need of the system that they run on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection

MAGIC = b"\x7fELF"


@dataclass(frozen=True, slots=True)
class Elf:
    """The requirements of one program or shared library."""

    needed: tuple[str, ...]
    """Names of the shared libraries that the loader looks for."""

    versions: frozenset[str]
    """Symbol versions that those libraries must have: GLIBC_2.34, GLIBCXX_3.4.29 …"""

    search: tuple[str, ...] = ()
    """Folders that the loader searches for libraries first."""


def read(path: Path) -> Elf | None:
    """Return a file's requirements; None if it is not a program or a shared library."""
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            return None
        elf = ELFFile(file)
        tags: dict[str, list[str]] = {"needed": [], "runpath": [], "rpath": []}
        versions: set[str] = set()
        for section in elf.iter_sections():
            if isinstance(section, DynamicSection):
                for name, found in tags.items():
                    kind = f"DT_{name.upper()}"
                    found += [str(getattr(tag, name)) for tag in section.iter_tags(kind)]
            if isinstance(section, GNUVerNeedSection):
                for _, wanted in section.iter_versions():
                    versions.update(each.name for each in wanted)
    search = [folder for name in ("runpath", "rpath") for folder in ":".join(tags[name]).split(":")]
    return Elf(tuple(tags["needed"]), frozenset(versions), tuple(filter(None, search)))


def read_folder(folder: Path) -> dict[Path, Elf]:
    """Return all programs and shared libraries below a folder, by path."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and (elf := read(path)) is not None:
            found[path] = elf
    return found


def newest(versions: Iterable[str], library: str) -> tuple[int, ...] | None:
    """Return a library's highest version among symbol versions: (2, 34) for GLIBC_2.34.

    Ignores GLIBC_PRIVATE and other names without a number.
    """
    pattern = re.compile(rf"{re.escape(library)}_(\d+(?:\.\d+)*)")
    found = [pattern.fullmatch(version) for version in versions]
    numbers = [tuple(int(part) for part in each[1].split(".")) for each in found if each]
    return max(numbers, default=None)


def needed_of_system(elfs: Mapping[Path, Elf]) -> set[str]:
    """Return the names of the needed shared libraries that are not among the files themselves."""
    own = {path.name for path in elfs}
    return {name for elf in elfs.values() for name in elf.needed} - own
