"""Builds the package for Windows: a folder with Windows' own Python, as a zip and an installer.

It is built on Linux, because nothing in it is compiled here. PyInstaller is not used: virus
scanners distrust its bootloader, while python.exe is the file that the makers of Python signed. The
small programs that start it are those of `distlib`, which pip puts beside most Windows programs
that are written in Python.
"""

from __future__ import annotations

import importlib.resources
import io
import shutil
import struct
import sys
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution, distributions
from pathlib import Path, PurePosixPath
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QSize
from PySide6.QtGui import QImage, QImageReader, QImageWriter, QPainter

from distribution import licences, trim, wheel, windows_python
from distribution.project import DIST, ROOT, WORK, BuildError, release_date, run, say, version

NAME: Final = f"lanuno-{version()}-windows-x86_64"
LOCK: Final = ROOT / "packaging" / "locked" / "program.txt"
ICON: Final = ROOT / "resources" / "art" / "icon.svg"
SETUP: Final = Path(__file__).resolve().parent / "installer.nsi"

MODULES: Final = ("QtCore", "QtDBus", "QtGui", "QtNetwork", "QtQml")
"""The modules of PySide6 that LanUNO imports, and those that they import."""

PLUGINS: Final = frozenset(
    {
        *("platforms/qwindows", "platforms/qoffscreen"),
        *("imageformats/qsvg", "imageformats/qico", "iconengines/qsvgicon"),
    }
)
"""Qt's plugins. PNG needs none."""

ABOUT: Final = (
    f"Python is the one that its makers build and sign for Windows (https://www.python.org/), as "
    f"the index carries it in {windows_python.PACKAGE}. The SHA-256 of {windows_python.LIBRARY} is "
    f"{windows_python.LIBRARY_SHA256}. {licences.REPLACED} (packaging/build windows)."
)
"""What the list of licences says, too."""

ICON_SIZES: Final = (16, 24, 32, 48, 64, 256)


def build() -> Path:
    """Build both into dist/, and return the path of the zip."""
    folder = build_folder()
    DIST.mkdir(exist_ok=True)
    say("packing the installer …")
    picture = WORK / "installer.bmp"
    picture.write_bytes(installer_picture(ICON))
    given = {"FOLDER": folder, "PICTURE": picture, "OUT": DIST / f"{NAME}-setup.exe"}
    options = [f"-D{name}={value}" for name, value in {**given, "VERSION": version()}.items()]
    run("makensis", "-V2", *options, SETUP)
    say("packing the zip …")
    target = DIST / f"{NAME}.zip"
    pack(folder, target)
    return target


def build_folder() -> Path:
    """Build the folder of which both are made."""
    package = wheel.install()
    folder = WORK / NAME
    shutil.rmtree(folder, ignore_errors=True)
    say("unpacking Python and the libraries …")
    windows_python.unpack(folder / "python")
    site = folder / "site"
    pip = (sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check")
    windows = ("--only-binary=:all:", "--platform", "win_amd64", "--python-version", "3.13")
    into = (*pip, *windows, "--no-deps", "--no-compile", "--target", site)
    run(*into, "--require-hashes", "-r", LOCK)
    run(*into, package)
    # Python looks for modules nowhere else, whatever variables and folders the user has.
    (folder / "python" / "python313._pth").write_text("Lib\nDLLs\n..\\site\n", encoding="utf-8")
    trim_site(site)
    launchers = importlib.resources.files("distlib")
    window = launcher((launchers / "w64.exe").read_bytes(), r"python\pythonw.exe")
    (folder / "LanUNO.exe").write_bytes(window)
    (folder / "bin").mkdir()
    terminal = launcher((launchers / "t64.exe").read_bytes(), r"..\python\python.exe")
    (folder / "bin" / "lanuno.exe").write_bytes(terminal)
    (folder / "lanuno.ico").write_bytes(icon(ICON))
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE.txt")
    licences.write(parts(folder, site), folder / "licences", ABOUT)
    # Imported late: it reads the program's texts, which are installed only now.
    from distribution import readme

    (folder / "README.txt").write_text(readme.for_windows(), encoding="utf-8")
    return folder


def parts(folder: Path, site: Path) -> Iterator[licences.Component]:
    """Yield what the folder holds, with the licences."""
    for one in distributions(path=[str(site)]):
        if one.metadata["Name"] != "lanuno":
            yield licences.of_distribution(one)
    yield licences.of_distribution(distribution("distlib"))
    text = folder / "python" / "LICENSE.txt"
    yield licences.Component("python", windows_python.VERSION, (text,))


# ---- what is left out ---------------------------------------------------------------------------


def trim_site(site: Path) -> None:
    """Delete what LanUNO does not use of the libraries, most of it Qt."""
    for path in sorted(site.rglob("*"), reverse=True):
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif not wanted(PurePosixPath(path.relative_to(site))):
            path.unlink()
    for path in unused_libraries(site / "PySide6", site / "shiboken6"):
        path.unlink()


def wanted(name: PurePosixPath) -> bool:
    """Whether a file may be used; Qt's libraries are looked at later."""
    match name.parts:
        case ("PySide6", file):
            module = name.suffix == ".pyd" and name.stem in MODULES
            return module or file.endswith((".dll", ".py"))
        case ("PySide6", "plugins", *_):
            return str(name.relative_to("PySide6/plugins").with_suffix("")) in PLUGINS
        case ("PySide6", "qml" | "translations" as kind, *rest):
            return name.suffix != ".lib" and trim.wanted(str(trim.QT.joinpath(kind, *rest)))
        # pip writes scripts for this computer, and in direct_url.json where the wheel was on it.
        case ("PySide6" | "bin", *_) | (_, "direct_url.json"):
            return False
        # Those of the manual.
        case ("lanuno", "_resources", "pictures", *_):
            return False
    return name.suffix not in (".pyi", ".c", ".h", ".lib")


def unused_libraries(*folders: Path) -> list[Path]:
    """Return the libraries that no module and no plugin needs, directly or through another.

    Two folders may have the same library: each is loaded with its own.
    """
    libraries: dict[str, list[Path]] = {}
    waiting: list[Path] = []
    for path in (path for folder in folders for path in folder.rglob("*") if path.is_file()):
        if path.suffix == ".dll" and path.parent in folders:
            libraries.setdefault(path.name.lower(), []).append(path)
        elif path.suffix in (".dll", ".pyd"):
            waiting.append(path)
    while waiting:
        for name in imports(waiting.pop()):
            waiting += libraries.pop(name, ())
    return [path for unused in libraries.values() for path in unused]


def imports(path: Path) -> list[str]:
    """Return the names of the libraries that a program of Windows is linked to, in lower case."""
    # Imported late: only the build has it.
    import pefile

    with pefile.PE(str(path), fast_load=True) as program:
        program.parse_data_directories(
            [
                pefile.DIRECTORY_ENTRY[f"IMAGE_DIRECTORY_ENTRY_{kind}"]
                for kind in ("IMPORT", "DELAY_IMPORT")
            ]
        )
        found = [
            *getattr(program, "DIRECTORY_ENTRY_IMPORT", ()),
            *getattr(program, "DIRECTORY_ENTRY_DELAY_IMPORT", ()),
        ]
        return [each.dll.decode("ascii").lower() for each in found]


# ---- what is added ------------------------------------------------------------------------------


def launcher(program: bytes, python: str) -> bytes:
    """Return a program that starts LanUNO with the Python at this path, seen from its own folder.

    It is one of `distlib`, the line that names Python, and a zip with the code.
    """
    code = io.BytesIO()
    with zipfile.ZipFile(code, "w") as archive:
        main = "import sys\nfrom lanuno.cli.main import main\nsys.exit(main())\n"
        archive.writestr(_entry("__main__.py"), main)
    line = f"#!<launcher_dir>\\{python}\r\n".encode("ascii")
    return program + line + code.getvalue()


def drawn(source: Path, size: int) -> QImage:
    """Draw a picture in this size."""
    reader = QImageReader(str(source))
    reader.setScaledSize(QSize(size, size))
    image = reader.read()
    if image.isNull():
        raise BuildError(f"{source} could not be drawn: {reader.errorString()}")
    return image


def written(image: QImage, kind: bytes) -> bytes:
    """Return the file of an image: PNG or BMP."""
    buffer = QBuffer()
    QImageWriter(buffer, QByteArray(kind)).write(image)
    return bytes(buffer.data().data())


def installer_picture(source: Path) -> bytes:
    """Draw what stands beside the installer's first and last page: a picture on its own colour."""
    image = QImage(164, 314, QImage.Format.Format_RGB32)
    picture = drawn(source, 116)
    image.fill(picture.pixelColor(58, 8))
    painter = QPainter(image)
    painter.drawImage(24, 99, picture)
    painter.end()
    return written(image, b"BMP")


def icon(source: Path) -> bytes:
    """Draw a picture in all sizes of an icon of Windows, each as PNG."""
    images = [written(drawn(source, size), b"PNG") for size in ICON_SIZES]
    # ICONDIR and ICONDIRENTRY of Windows: 0 means 256.
    start = 6 + 16 * len(images)
    head = struct.pack("<HHH", 0, 1, len(images))
    for size, image in zip(ICON_SIZES, images, strict=True):
        edge = size % 256
        head += struct.pack("<BBBBHHII", edge, edge, 0, 0, 1, 32, len(image), start)
        start += len(image)
    return head + b"".join(images)


def pack(folder: Path, target: Path) -> None:
    """Pack a folder reproducibly: the same files make the same archive."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                entry = _entry(path.relative_to(folder.parent).as_posix())
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)


def _entry(name: str) -> zipfile.ZipInfo:
    return zipfile.ZipInfo(name, release_date().timetuple()[:6])
