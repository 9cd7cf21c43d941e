"""Collects the licences of everything in the portable archive and in the packages for Windows.

The archive's contents follow from the files that PyInstaller collected. Each file belongs to a
Python distribution, to Python itself or to a Debian package, and each of these has a licence text
somewhere. A file of unknown origin, or a component without a text, fails the build.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Final

from distribution.project import ROOT, BuildError

COMMON: Final = Path("/usr/share/common-licenses")
"""Where Debian keeps the texts of common licences."""

TEXTS: Final = Path(__file__).resolve().parent / "texts"

LICENCE_NAME: Final = re.compile(
    r"(licen[cs]e|copying|notice|authors|copyright)([._-].*)?", re.IGNORECASE
)

LGPL: Final = (COMMON / "LGPL-3", COMMON / "GPL-3", TEXTS / "qt.txt", TEXTS / "icu.txt")
WITHOUT_TEXT: Final[Mapping[str, tuple[Path, ...]]] = {
    "pyside6-essentials": LGPL,
    "shiboken6": LGPL,
}
"""Distributions whose wheels declare a licence but contain no text."""

REPLACED: Final = (
    "The source of a Python distribution is given by the index that it came from, under its name "
    "and version. The libraries under the LGPL (Qt, PySide6 and Shiboken; zeroconf) may be "
    "replaced: see qt.txt in the folder of PySide6; zeroconf is replaced by building this package "
    "again, for which LanUNO's own sources have everything"
)
"""How the licences' conditions on sources are met."""

PORTABLE: Final = (
    "The folder common has the licences that Debian's copyright files refer to. The source of a "
    f"Debian package is given by `apt-get source NAME=VERSION`. {REPLACED} (packaging/build "
    "portable)."
)

ALWAYS: Final = ("pyinstaller",)
"""PyInstaller's bootloader is the program `lanuno`, but none of its source files is listed."""


@dataclass(frozen=True, order=True, slots=True)
class Component:
    """A part of the archive with a licence of its own."""

    name: str
    version: str
    texts: tuple[Path, ...]


def normalised(name: str) -> str:
    """Return a distribution's name as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def of_distribution(one: Distribution) -> Component:
    """Return a Python distribution with the licence texts in its metadata."""
    name = normalised(one.metadata["Name"])
    texts = []
    for file in one.files or ():
        place, *rest = file.parts
        in_metadata = place.endswith((".dist-info", ".egg-info")) and rest
        if in_metadata and (rest[0] == "licenses" or LICENCE_NAME.fullmatch(file.name)):
            texts.append(Path(str(one.locate_file(file))))
    found = tuple(sorted(texts)) or WITHOUT_TEXT.get(name, ())
    if not found:
        raise BuildError(f"the distribution {name} has no licence text")
    return Component(name, one.version, found)


def of_python(stdlib: Path) -> Component:
    """Return Python itself, with its licence texts."""
    version = sysconfig.get_python_version()
    texts = [stdlib / "LICENSE.txt", Path(f"/usr/share/doc/python{version}/copyright")]
    found = tuple(path for path in texts if path.is_file())
    if not found:
        raise BuildError(f"this Python has no licence text in {stdlib}")
    return Component("python", sys.version.split()[0], found)


def of_debian(path: Path) -> Component:
    """Return the Debian package that a system file belongs to, with its licence text."""
    name = debian_package(path)
    text = Path("/usr/share/doc", name.split(":")[0], "copyright")
    if not text.is_file():
        raise BuildError(f"the Debian package {name} has no copyright file")
    return Component(
        f"debian-{name.split(':')[0]}", _ask_dpkg("-W", "-f=${Version}", name), (text,)
    )


def debian_package(path: Path) -> str:
    """Return the name of the Debian package that installed a file."""
    # dpkg may list the file below /lib, which is now a link to /usr/lib.
    for line in _ask_dpkg("-S", f"*/{path.name}").splitlines():
        package, _, known = line.partition(": ")
        if Path(known).resolve() == path.resolve():
            return package.split(",")[0]
    raise BuildError(f"the origin of {path} is unknown, and with it the licence")


def _ask_dpkg(*question: str) -> str:
    program = shutil.which("dpkg-query")
    if program is None:
        raise BuildError("the licences of system libraries can only be found out on Debian")
    done = subprocess.run([program, *question], capture_output=True, text=True, check=False)
    return done.stdout


def owners(installed: Iterable[Distribution]) -> dict[Path, Distribution]:
    """Return the distribution that each installed file belongs to."""
    return {
        Path(str(one.locate_file(file))).resolve(): one
        for one in installed
        for file in one.files or ()
    }


def components(sources: Iterable[Path]) -> list[Component]:
    """Return the components that these files belong to."""
    installed = list(distributions())
    owner = owners(installed)
    stdlib = Path(sysconfig.get_path("stdlib")).resolve()
    found: set[Component] = set()
    named = {normalised(one.metadata["Name"]): one for one in installed}
    distributed = {name: named[name] for name in ALWAYS}
    for given in sources:
        path = given.resolve()
        if (one := owner.get(path)) is not None:
            distributed[normalised(one.metadata["Name"])] = one
        elif path.is_relative_to(ROOT):
            continue  # LanUNO's file, or built from other files in this list
        elif path.is_relative_to(stdlib) or path.name.startswith("libpython3"):
            found.add(of_python(stdlib))
        else:
            found.add(of_debian(path))
    return sorted(found | {of_distribution(one) for one in distributed.values()})


def common_texts(texts: Iterable[Path]) -> set[Path]:
    """Return the common licences that Debian's copyright files only refer to."""
    named: set[str] = set()
    for text in texts:
        words = text.read_text(encoding="utf-8", errors="replace")
        named.update(re.findall(rf"{COMMON}/([A-Za-z]+(?:-\d+(?:\.\d+)?)?)", words))
    return {COMMON / name for name in named if (COMMON / name).is_file()}


def collect(sources: Iterable[Path], target: Path) -> list[Component]:
    """Write the licence texts for these files to a folder, and return the components."""
    found = components(sources)
    write(found, target, PORTABLE)
    return found


def write(found: Iterable[Component], target: Path, about: str) -> None:
    """Write the licence texts of these components to a folder, with a list of them.

    `about`: what else that list says.
    """
    found = sorted(found)
    for one in found:
        folder = target / f"{one.name}-{one.version.replace(':', '_')}"
        folder.mkdir(parents=True, exist_ok=True)
        for text in one.texts:
            if not text.is_file():
                raise BuildError(f"{text} is missing (on Debian it comes with base-files)")
            shutil.copyfile(text, folder / _plain_name(text))
    texts = [text for one in found for text in one.texts if text.name == "copyright"]
    for text in sorted(common_texts(texts)):
        folder = target / "common"
        folder.mkdir(exist_ok=True)
        shutil.copyfile(text, folder / text.name)
    (target / "README.txt").write_text(inventory(found, about), encoding="utf-8")


def _plain_name(text: Path) -> str:
    """Return the text's file name, with an extension so that every desktop opens it."""
    return text.name if text.suffix == ".txt" else f"{text.name}.txt"


def inventory(found: Iterable[Component], about: str) -> str:
    """Return the text that lists the components of a package."""
    lines = [f"    {one.name} {one.version}" for one in found]
    return (
        "LanUNO is under the MIT licence (LICENSE). This package also holds the following, each\n"
        "under the licence in the folder with its name.\n\n"
        + "\n".join(lines)
        + f"\n\n{textwrap.fill(about, 90, break_long_words=False, break_on_hyphens=False)}\n"
    )
