"""Decides which of the files that PyInstaller collects go into the portable archive.

PyInstaller collects all of Qt's QML modules and plugins, and every system library that any of them
needs. The archive keeps only the parts of Qt that the game uses, and only the system libraries that
Python itself needs. Libraries of the desktop and its drivers must come from the user's computer.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath
from typing import Final

from catalogues import languages

QT: Final = PurePosixPath("PySide6/Qt")

QML_MODULES: Final = frozenset(
    {
        *("QtQml", "QtQml/Models", "QtQml/WorkerScript", "QtCore"),
        *("QtQuick", "QtQuick/Window", "QtQuick/Shapes", "QtQuick/Templates"),
        # Qt's own file dialog, in the Basic style, for desktops that have none.
        *("QtQuick/Dialogs", "QtQuick/Dialogs/quickimpl", "QtQuick/Layouts", "QtQuick/Effects"),
        *("QtQuick/Controls", "QtQuick/Controls/Basic", "QtQuick/Controls/impl"),
        *("QtQuick/Controls/Basic/impl", "Qt/labs/folderlistmodel"),
    }
)
"""Folders of the QML modules that resources/qml imports, and of those that they import."""

PLUGINS: Final = frozenset(
    {
        *("platforms/libqxcb", "platforms/libqwayland", "platforms/libqoffscreen"),
        *("xcbglintegrations/libqxcb-egl-integration", "xcbglintegrations/libqxcb-glx-integration"),
        *("wayland-shell-integration/libxdg-shell", "wayland-decoration-client/libbradient"),
        *("wayland-decoration-client/libadwaita",),
        *("wayland-graphics-integration-client/libqt-plugin-wayland-egl",),
        *("platforminputcontexts/libcomposeplatforminputcontextplugin",),
        *("platforminputcontexts/libibusplatforminputcontextplugin",),
        *("platformthemes/libqxdgdesktopportal",),
        *("imageformats/libqsvg", "imageformats/libqico", "iconengines/libqsvgicon"),
    }
)
"""Qt's plugins. PNG needs none. The game's connections use Python's TLS, so Qt's is left out. The
GTK theme would draw in GTK 3; the desktop's portal does not need it.
"""

TRANSLATIONS: Final = ("qtbase", "qtdeclarative")
"""The Qt modules whose own texts appear, for example in file dialogs."""

SYSTEM: Final = frozenset(
    {
        *("libpython3", "libcrypto", "libssl", "libsqlite3", "libffi", "libz", "liblzma"),
        *("libbz2", "libexpat", "libuuid", "libmpdec", "libzstd"),
    }
)
"""Python itself, and the system libraries that its standard library is linked to. Their versions
differ between releases of Debian, so they must be bundled.
"""


def wanted(name: str) -> bool:
    """Whether the archive keeps a file of Qt. True for all files that are not part of Qt."""
    path = PurePosixPath(name)
    if not path.is_relative_to(QT):
        return True
    kind, *rest = path.relative_to(QT).parts
    match kind:
        case "qml":
            return str(PurePosixPath(*rest[:-1])) in QML_MODULES and path.suffix != ".qmltypes"
        case "plugins":
            return str(PurePosixPath(*rest)).removesuffix(".so") in PLUGINS
        case "translations":
            # If Qt has no file for a language alone, it uses that of a country: pt_BR for pt.
            module, language, *_ = *path.stem.split("_"), ""
            spoken = {code.partition("_")[0] for code in languages()}
            return module in TRANSLATIONS and language in spoken
        case "lib":
            return True
        case _:
            return False


def ours(source: Path, homes: Iterable[Path]) -> bool:
    """Whether a library comes from Python or from a Python package, or is one of `SYSTEM`."""
    if any(source.is_relative_to(home) for home in homes):
        return True
    return source.name.split(".")[0] in SYSTEM


Entry = tuple[str, str, str]
"""A file as PyInstaller lists it: name in the archive, source, kind.

The source of a SYMLINK is its target.
"""


def trimmed(
    entries: Iterable[Entry], homes: Iterable[Path], needed: Callable[[Path], Iterable[str]]
) -> list[Entry]:
    """Return the entries to keep.

    Of the shared libraries, keeps those that a Python module, a plugin or a QML module needs,
    directly or through another kept library.
    """
    entries, homes = list(entries), list(homes)
    links = [each for each in entries if each[2] == "SYMLINK"]
    allowed = [
        each
        for each in entries
        if each[2] != "SYMLINK" and wanted(each[0]) and ours(Path(each[1]), homes)
    ]
    libraries = {Path(each[0]).name: each for each in allowed if _is_library(each)}
    kept = [each for each in allowed if not _is_library(each)]
    waiting = [Path(source) for _, source, kind in kept if kind in ("BINARY", "EXTENSION")]
    while waiting:
        for name in needed(waiting.pop()):
            if (found := libraries.pop(name, None)) is not None:
                kept.append(found)
                waiting.append(Path(found[1]))
    names = {name for name, _, _ in kept}
    kept += [each for each in links if posixpath.normpath(_target(each)) in names]
    return sorted(kept)


def _target(link: Entry) -> str:
    name, target, _ = link
    return posixpath.join(posixpath.dirname(name), target)


def _is_library(entry: Entry) -> bool:
    """Whether this is a library loaded only because another file needs it; libpython is not."""
    name, _, kind = entry
    folder = PurePosixPath(name).parent
    if folder == PurePosixPath():
        return kind == "BINARY" and not name.startswith("libpython3")
    return folder == QT / "lib"
