"""Names the Debian packages that a program needs, from the libraries that it is linked to.

A library that is not in the table fails the build. A developer must then decide whether to bundle
it or which package provides it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from distribution.elf import Elf, needed_of_system, newest
from distribution.project import BuildError

C_LIBRARY: Final = re.compile(r"ld-linux.*|lib(c|m|dl|pthread|resolv|rt|util)\.so\.\d+")

PACKAGES: Final[Mapping[str, str]] = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
    "libbrotlicommon.so.1": "libbrotli1",
    "libbrotlidec.so.1": "libbrotli1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libgcc_s.so.1": "libgcc-s1",
    # Renamed in Debian 13 for 64-bit time.
    "libglib-2.0.so.0": "libglib2.0-0t64 | libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libgthread-2.0.so.0": "libglib2.0-0t64 | libglib2.0-0",
    "libstdc++.so.6": "libstdc++6",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}
"""The package of each library, as in a Depends field: with alternatives where it was renamed."""

GCC_OF_GLIBCXX: Final[Mapping[tuple[int, ...], str]] = {
    (3, 4, 28): "9",
    (3, 4, 29): "11",
    (3, 4, 30): "12",
    (3, 4, 31): "13",
    (3, 4, 32): "13.2",
    (3, 4, 33): "14",
}
"""The first version of libstdc++6 that has a given version of the C++ symbols."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What a computer must have to run a folder of programs."""

    glibc: str
    """The oldest sufficient version of the C library."""

    packages: tuple[str, ...]
    """Debian packages, each as in a Depends field."""

    def names(self) -> list[str]:
        """Return the bare names of the packages, for `apt-get install`.

        Of several alternatives, returns the last and oldest, which newer releases provide too.
        """
        return [each.split(" | ")[-1].split(" ")[0] for each in self.packages]


def needs(elfs: Mapping[Path, Elf]) -> Needs:
    """Return the needs of all these files. Raises `BuildError` for an unknown library."""
    versions = [version for elf in elfs.values() for version in elf.versions]
    glibc = newest(versions, "GLIBC")
    if glibc is None:
        raise BuildError("no file needs the C library: no program was read")
    number = ".".join(str(part) for part in glibc)
    found = {f"libc6 (>= {number})"}
    for name in needed_of_system(elfs):
        if not C_LIBRARY.fullmatch(name):
            found.add(package_of(name, versions))
    return Needs(number, tuple(sorted(found)))


def package_of(library: str, versions: Iterable[str]) -> str:
    """Return the Debian package that provides a library."""
    package = PACKAGES.get(library)
    if package is None:
        raise BuildError(
            f"no Debian package is known for {library} (packaging/distribution/system.py)"
        )
    if package != "libstdc++6":
        return package
    level = newest(versions, "GLIBCXX") or min(GCC_OF_GLIBCXX)
    gcc = next((GCC_OF_GLIBCXX[known] for known in sorted(GCC_OF_GLIBCXX) if known >= level), None)
    if gcc is None:
        raise BuildError(f"no libstdc++6 is known to have GLIBCXX {level}")
    return f"libstdc++6 (>= {gcc})"
