"""No name paints over what is above or below it, however many marks its letters may have."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage

from lanuno.log.format.names import clean_name
from tests.app.pictures.gallery import SCENES
from tests.app.pictures.render import Picture, QmlStage

SIZE = (400, 500)
STACKED = "A\u0301\u0302\u0303\u0304" * 3 + "g\u0323\u0330\u0331\u0332"
"""Four marks above each letter, and four below."""


def painted_outside(image: QImage, *texts: QRectF) -> list[tuple[int, int]]:
    """Return the pixels that are not of the ground, outside these texts."""
    ground = image.pixel(0, 0)
    scale = image.devicePixelRatio()
    return [
        (x, y)
        for x in range(image.width())
        for y in range(image.height())
        if image.pixel(x, y) != ground
        and not any(text.contains(x / scale, y / scale) for text in texts)
    ]


@pytest.mark.parametrize("words", [STACKED, "Ana jg"])
def test_marks_stay_in_their_line(words: str) -> None:
    assert clean_name(words) is not None
    source = SCENES / "Marks.qml"
    with QmlStage(Picture("marks", source, SIZE, properties={"words": words})) as stage:
        image = stage.grab()
        texts = [stage.root.property(name) for name in ("line", "paragraph")]
    assert all(text.height() > 0 for text in texts)
    assert painted_outside(image, *texts) == []
    assert painted_outside(image) != []
