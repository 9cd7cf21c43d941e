"""The table of the characters of names says what Unicode 14.0 says."""

from __future__ import annotations

import sys
import unicodedata

from lanuno.log.format import name_characters
from tests.log.format.made_name_characters import LATER_PICTOGRAPHS, TABLES, UNICODE


def test_the_tables_are_those_of_their_unicode() -> None:
    """Python 3.11, on which CI runs, has this Unicode; later ones know more letters."""
    exact = unicodedata.unidata_version == UNICODE
    for name, _, member in TABLES[:4]:
        table = getattr(name_characters, name)
        for code in range(sys.maxunicode + 1):
            if any(code in each for each in LATER_PICTOGRAPHS):
                assert (chr(code) in table) is (name == "VISIBLE")
            elif chr(code) in table or exact:
                assert member(code) is (chr(code) in table), f"{name} {code:x}"


def test_the_empty_text_is_no_character() -> None:
    assert "" not in name_characters.VISIBLE
