"""The table of characters that look alike fits the other tables of names."""

from __future__ import annotations

import unicodedata

from lanuno.log.format.confusables import STROKES, prototypes
from lanuno.log.format.name_characters import VISIBLE
from lanuno.log.format.names import readings


def test_prototypes_need_no_other_table() -> None:
    """Every version of Python normalises them equally, and one look into the table is enough."""
    for code, prototype in prototypes().items():
        assert chr(code) in VISIBLE
        assert all(each in VISIBLE for each in prototype), f"{code:x}"
        assert unicodedata.normalize("NFD", prototype) == prototype
        assert prototype.translate(prototypes()) == prototype, f"{code:x}"


def test_strokes_look_like_a_small_l() -> None:
    assert "I" in STROKES
    assert "l" not in STROKES
    assert all(alike == "l" for code, alike in prototypes().items() if chr(code) in STROKES)


def test_no_reading_of_a_letter_begins_with_another_one() -> None:
    for code in prototypes():
        (texts,) = readings(chr(code))
        assert len({text[: 2 if text[0] == "\0" else 1] for text in texts}) == len(texts)
