"""The fonts of the window: what they contain decides how high a line is."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QRawFont

FONTS = sorted((Path(__file__).parents[2] / "resources/art/fonts").glob("*.ttf"))
DIRECTIONS = [*map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))]
"""The invisible characters that set the direction of text; two of them isolate a name."""


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("path", FONTS, ids=lambda path: path.stem)
def test_a_font_contains_the_characters_that_isolate_a_name(path: Path) -> None:
    # Otherwise they come from any font of the system that has them, and a line with a name becomes
    # as high as that font wants: a question then covers the player whom it is about.
    font = QRawFont(str(path), 24)
    assert [hex(ord(each)) for each in DIRECTIONS if not font.supportsCharacter(ord(each))] == []
    glyphs = font.glyphIndexesForString("".join(DIRECTIONS))
    assert {font.boundingRect(glyph).width() for glyph in glyphs} == {0}
