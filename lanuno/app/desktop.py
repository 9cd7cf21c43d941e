"""Registers the program with a desktop that follows freedesktop.org, and unregisters it.

    python -m lanuno.app.desktop install [--program WORD…]
    python -m lanuno.app.desktop remove

This installs the menu entry, the icon, the type of `.lanuno` files and the program that opens them,
and the handler of `lanuno://` links: for this user alone, in the folders of XDG. The files in
resources/desktop are English; their texts in the other languages are added here. No Qt here.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape, unescape

from msgspec import Struct

from lanuno.client.languages import SOURCE, Language, catalogue, languages, own_names
from lanuno.store.errors import StoreError
from lanuno.store.resources import resource

ENTRIES: Final = ("lanuno.desktop", "lanuno-open.desktop", "lanuno-join.desktop")
METAINFO: Final = "org.lanuno.lanuno.metainfo.xml"
MIME: Final = "lanuno.mime.xml"
HANDLED: Final = {
    "application/vnd.lanuno.game": "lanuno-open.desktop",
    "x-scheme-handler/lanuno": "lanuno-join.desktop",
}
"""The desktop entry that opens each MIME type and URL scheme."""

CONTEXT: Final = "desktop"
"""The context of these files' texts in the catalogues."""

_ENTRY_TEXT = re.compile(r"(?m)^(Name|GenericName|Comment|Keywords)=(.*)\n")
_XML_TEXT = re.compile(r"(?m)^( *)<(comment|summary|p|li)>(.*)</\2>\n")
_RESERVED = re.compile(r"[^A-Za-z0-9@%+=:,./_-]")


class Placed(Struct, frozen=True):
    """A file of ours, and its target below the data folder."""

    source: Path
    target: Path


def placed(data: Path) -> list[Placed]:
    """Return all files to install."""
    return [
        *(Placed(resource("desktop", name), data / "applications" / name) for name in ENTRIES),
        Placed(resource("desktop", METAINFO), data / "metainfo" / METAINFO),
        Placed(resource("desktop", MIME), data / "mime" / "packages" / "lanuno.xml"),
        Placed(
            resource("art", "icon.svg"),
            data / "icons" / "hicolor" / "scalable" / "apps" / "lanuno.svg",
        ),
    ]


def translatable(path: Path) -> list[str]:
    """Return the English texts of one of these files, in their order."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".desktop":
        return [match[2] for match in _ENTRY_TEXT.finditer(text)]
    return [unescape(match[3]) for match in _XML_TEXT.finditer(text)]


def translated(path: Path) -> str:
    """Return one of these files with its texts in all languages, and the names of these.

    Raises `StoreError` if the installation is broken.
    """
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".desktop":
        return _ENTRY_TEXT.sub(_entry_in_all_languages, text)
    names = escape(", ".join(own_names()))
    return _XML_TEXT.sub(_xml_in_all_languages, text).replace("{languages}", names)


def _entry_in_all_languages(match: re.Match[str]) -> str:
    key, text = match.groups()
    others = [f"{key}[{code}]={other}\n" for code, other in _translations(text)]
    return match[0] + "".join(others)


def _xml_in_all_languages(match: re.Match[str]) -> str:
    indent, tag, text = match.groups()
    others = [
        f'{indent}<{tag} xml:lang="{code.replace("_", "-")}">{escape(other)}</{tag}>\n'
        for code, other in _translations(unescape(text))
    ]
    return match[0] + "".join(others)


def _translations(text: str) -> list[tuple[Language, str]]:
    """Return the languages that have a translation of this text, and the translations."""
    found = [(code, catalogue(code).pgettext(CONTEXT, text)) for code in languages()]
    return [(code, other) for code, other in found if code != SOURCE and other != text]


def data_folder(environment: Mapping[str, str]) -> Path:
    """Return the data folder of this user's desktop."""
    given = environment.get("XDG_DATA_HOME", "")
    return Path(given) if given.startswith("/") else Path.home() / ".local" / "share"


def quoted(word: str) -> str:
    """Quote one word of an Exec line as the Desktop Entry Specification requires."""
    doubled = word.replace("%", "%%")
    if word and not _RESERVED.search(word):
        return doubled
    escaped = re.sub(r'(["`$\\])', r"\\\1", doubled)
    return '"' + escaped.replace("\\", "\\\\") + '"'


def entry_for(text: str, program: Sequence[str]) -> str:
    """Return a desktop entry that starts this program."""
    words = " ".join(quoted(word) for word in program)
    return re.sub(r"(?m)^Exec=lanuno\b", lambda _: f"Exec={words}", text)


def this_program() -> list[str]:
    """Return the command that starts LanUNO here."""
    found = shutil.which("lanuno")
    beside = Path(sys.executable).with_name("lanuno")
    if found is None and beside.exists():
        found = str(beside)
    return [found] if found is not None else [sys.executable, "-m", "lanuno.cli.main"]


def install(data: Path, program: Sequence[str]) -> list[Path]:
    """Write the files, make the desktop read them, and return their paths.

    Raises `OSError`, and `StoreError` if the installation is broken.
    """
    written = []
    for each in placed(data):
        each.target.parent.mkdir(parents=True, exist_ok=True)
        if each.source.parent.name != "desktop":
            shutil.copyfile(each.source, each.target)
        else:
            each.target.write_text(entry_for(translated(each.source), program), encoding="utf-8")
        written.append(each.target)
    refresh_desktop(data)
    for kind, entry in HANDLED.items():
        _run("xdg-mime", "default", entry, kind)
    return written


def remove(data: Path) -> list[Path]:
    """Remove the installed files, and return those that existed. Raises `OSError`."""
    gone = []
    for each in placed(data):
        if each.target.is_file():
            each.target.unlink()
            gone.append(each.target)
    if gone:
        refresh_desktop(data)
    return gone


def refresh_desktop(data: Path) -> None:
    """Make the desktop read its folders again, where it has the commands for it."""
    if (data / "mime" / "packages").is_dir():
        _run("update-mime-database", str(data / "mime"))
    if (data / "applications").is_dir():
        _run("update-desktop-database", "-q", str(data / "applications"))


def _run(program: str, *arguments: str) -> None:
    """Run a command of the desktop if it exists. Its exit code is ignored."""
    found = shutil.which(program)
    if found is not None:
        subprocess.run(  # noqa: S603 - our own words, no shell
            [found, *arguments], check=False, capture_output=True, timeout=30
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m lanuno.app.desktop", description=__doc__)
    parser.add_argument("what", choices=("install", "remove"))
    parser.add_argument("--program", nargs="+", metavar="WORD", help="what starts LanUNO")
    options = parser.parse_args(arguments)
    data = data_folder(os.environ)
    try:
        if options.what == "install":
            done = install(data, options.program or this_program())
        else:
            done = remove(data)
    except OSError as error:
        sys.stderr.write(f"{error.filename}: {error.strerror}\n")
        return 1
    except StoreError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write("".join(f"{path}\n" for path in done))
    return 0


if __name__ == "__main__":
    sys.exit(main())
