"""Contact sheets: many pictures in one image, each with its name below it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from tests.app.pictures.render import application

WIDTH = 520
LABEL = 26
GAP = 12


def sheet(pictures: Sequence[tuple[str, QImage]], columns: int = 3) -> QImage:
    """Return one image with all pictures, in reading order."""
    application()
    columns = min(columns, max(1, len(pictures)))
    rows = [pictures[i : i + columns] for i in range(0, len(pictures), columns)]
    heights = [max(_height(image) for _, image in row) + LABEL + GAP for row in rows]
    whole = QImage(
        columns * (WIDTH + GAP) + GAP, max(1, sum(heights)) + GAP, QImage.Format.Format_RGB32
    )
    whole.fill(QColor("#808080"))
    painter = QPainter(whole)
    painter.setPen(QColor("white"))
    y = GAP
    for row, height in zip(rows, heights, strict=True):
        for column, (name, image) in enumerate(row):
            x = GAP + column * (WIDTH + GAP)
            small = image.scaledToWidth(WIDTH, Qt.TransformationMode.SmoothTransformation)
            painter.drawImage(x, y, small)
            box = QRect(x, y + small.height(), WIDTH, LABEL)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, name)
        y += height
    painter.end()
    return whole


def _height(image: QImage) -> int:
    return round(image.height() * WIDTH / max(1, image.width()))
