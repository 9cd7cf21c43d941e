"""The moving picture of the README: a whole round, one frame for each move.

`python -m tests.app.pictures --moving` renders it again. It is an animated PNG (PNG specification,
third edition, "Animation information"), which browsers play and others show as a still picture. Qt
writes the frames, and this module joins them: it needs no other program.
"""

from __future__ import annotations

import struct
import sys
import zlib
from collections.abc import Iterator, Sequence
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QImage, QPainter

from lanuno.app.running import Running
from tests.app.pictures import scenes_table
from tests.app.pictures.readme import FOLDER, NAMES, SIZE
from tests.app.pictures.rig import AppRig, app_rig
from tests.app.pictures.scene import Scene, View
from tests.app.pictures.tables import Simulated

WIDTH: Final = 640
LARGEST: Final = 1_000_000
"""The most bytes of the picture."""
MOST_FRAMES: Final = 32
FRAME_MS, LAST_MS = 900, 4000
SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"


def short_round() -> Simulated:
    """Begin the first round, by seed, that ends after few moves with the own seat as the winner."""
    for seed in range(1, 1000):
        table = Simulated(4, seed=seed, names=NAMES)
        moves = 0
        while not table.game.over and moves < MOST_FRAMES - 2:
            table.step()
            moves += 1
        if table.game.over and not table.game.hands[0] and moves > MOST_FRAMES // 2:
            return Simulated(4, seed=seed, names=NAMES)
    raise AssertionError("no round is that short")


def photographed(rig: AppRig) -> Iterator[QImage]:
    """Yield a picture of the table after each move, then one of the end of the round."""
    table = short_round()

    def arrange(running: Running, view: View) -> None:
        del view
        scenes_table.put(running, table, scenes_table.clocked(table))

    def ended(running: Running, view: View) -> None:
        del view
        scenes_table.put_round_end(running, table)

    view = View("en", size=SIZE, players=4)
    while not table.game.over:
        rig.arrange(Scene("round", arrange), view)
        yield rig.photograph()
        table.step()
    rig.arrange(Scene("round-end", ended), view)
    yield rig.photograph()


def animated(images: Sequence[QImage]) -> bytes:
    """Return an animated PNG, played without end. All frames use the colours of one palette."""
    both = QImage(images[0].width(), images[0].height() * 2, QImage.Format.Format_RGB32)
    painter = QPainter(both)
    painter.drawImage(0, 0, images[len(images) // 2])
    painter.drawImage(0, images[0].height(), images[-1])
    painter.end()
    palette = both.convertToFormat(QImage.Format.Format_Indexed8).colorTable()
    frames = [
        _chunks(each.convertToFormat(QImage.Format.Format_Indexed8, palette)) for each in images
    ]
    first = frames[0]
    head = b"".join(_chunk(tag, data) for tag, data in first if tag in (b"IHDR", b"PLTE"))
    body = b""
    number = 0
    for index, (image, frame) in enumerate(zip(images, frames, strict=True)):
        delay = LAST_MS if index == len(images) - 1 else FRAME_MS
        control = struct.pack(
            ">IIIIIHHBB", number, image.width(), image.height(), 0, 0, delay, 1000, 0, 0
        )
        body += _chunk(b"fcTL", control)
        number += 1
        data = b"".join(data for tag, data in frame if tag == b"IDAT")
        if index == 0:
            body += _chunk(b"IDAT", data)
        else:
            body += _chunk(b"fdAT", struct.pack(">I", number) + data)
            number += 1
    control = _chunk(b"acTL", struct.pack(">II", len(images), 0))
    header, colours = head[:25], head[25:]
    return SIGNATURE + header + control + colours + body + _chunk(b"IEND", b"")


def _chunk(tag: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data))


def _chunks(image: QImage) -> list[tuple[bytes, bytes]]:
    """Return the chunks of an image that Qt has written as a PNG."""
    buffer = QBuffer(data := QByteArray())
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG", 0)  # type: ignore[call-overload]
    written = bytes(data.data())
    found, at = [], len(SIGNATURE)
    while at < len(written):
        length, tag = struct.unpack_from(">I4s", written, at)
        found.append((tag, written[at + 8 : at + 8 + length]))
        at += length + 12
    return found


def render_moving() -> int:
    """Render the picture; return 1 if Qt emitted a message, or if the picture is too large."""
    with app_rig() as (rig, messages):
        images = [
            each.scaledToWidth(WIDTH, Qt.TransformationMode.SmoothTransformation)
            for each in photographed(rig)
        ]
        wrong = len(messages.lines)
        sys.stderr.write("".join(f"{line}\n" for line in messages.lines))
    path = FOLDER / "round.png"
    path.write_bytes(animated(images))
    size = path.stat().st_size
    sys.stdout.write(f"{path.name}: {len(images)} frames, {size} bytes\n")
    return 1 if wrong or size > LARGEST else 0
