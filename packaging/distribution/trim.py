"""Decides which of the files that PyInstaller collects go into the portable archive.

PyInstaller takes all of Qt's QML modules and plugins, and every system library that any of them
needs. The archive has what the game uses of Qt, and of the system only what Python itself needs:
libraries of the desktop and its drivers must be those of the computer it runs on.
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
        # A file dialog where the desktop has none: Qt's own, in the Basic style.
        *("QtQuick/Dialogs", "QtQuick/Dialogs/quickimpl", "QtQuick/Layouts", "QtQuick/Effects"),
        *("QtQuick/Controls", "QtQuick/Controls/Basic", "QtQuick/Controls/impl"),
        *("QtQuick/Controls/Basic/impl", "Qt/labs/folderlistmodel"),
    }
)
"""Folders of the QML modules that resources/qml imports, and of those that these import."""

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
"""Qt's plugins. PNG needs none; the game's connections are Python's, so that Qt's TLS is left out;
the GTK theme would draw in GTK 3, which the desktop's portal does without.
"""

TRANSLATIONS: Final = ("qtbase", "qtdeclarative")
"""The modules of Qt whose own texts are shown, in file dialogs for example."""

SYSTEM: Final = frozenset(
    {
        *("libpython3", "libcrypto", "libssl", "libsqlite3", "libffi", "libz", "liblzma"),
        *("libbz2", "libexpat", "libuuid", "libmpdec", "libzstd"),
    }
)
"""Python itself and the system libraries that its standard library is linked to. Their versions
differ between releases of Debian, so they must come along.
"""


def wanted(name: str) -> bool:
    """Whether a file of Qt may come along. Others are not judged here."""
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
            # Qt takes that of another country if it has none for the language alone: pt_BR for pt.
            module, language, *_ = *path.stem.split("_"), ""
            spoken = {code.partition("_")[0] for code in languages()}
            return module in TRANSLATIONS and language in spoken
        case "lib":
            return True
        case _:
            return False


def ours(source: Path, homes: Iterable[Path]) -> bool:
    """Whether a library comes from Python or from a package, or is one of `SYSTEM`."""
    if any(source.is_relative_to(home) for home in homes):
        return True
    return source.name.split(".")[0] in SYSTEM


Entry = tuple[str, str, str]
"""As PyInstaller lists files: name in the archive, where it comes from, kind.

Of a SYMLINK the second is what it points to.
"""


def trimmed(
    entries: Iterable[Entry], homes: Iterable[Path], needed: Callable[[Path], Iterable[str]]
) -> list[Entry]:
    """Those of the entries that come along.

    Of the shared libraries these are the ones that a Python module, a plugin or a QML module needs,
    or that one of these libraries needs itself.
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
    """Whether it is loaded only because something else needs it. Python's own is loaded first."""
    name, _, kind = entry
    folder = PurePosixPath(name).parent
    if folder == PurePosixPath():
        return kind == "BINARY" and not name.startswith("libpython3")
    return folder == QT / "lib"
