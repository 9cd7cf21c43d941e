"""Writes lanuno/log/format/name_characters.py: the pinned table of the characters of names.

    python3.11 -m tests.log.format.made_name_characters > lanuno/log/format/name_characters.py

Python 3.11 has Unicode 14.0. The package idna 3.20 knows how letters join; install it for this
command. The tables must never change, because logs contain names.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable, Iterator

UNICODE = "14.0.0"
WIDTH = 92

INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\ufffc\U00016fe4\U0001d159"
)
"""Letters without a visible form. With them, two names could look alike, or a name be empty."""

LATER_PICTOGRAPHS = (range(0x1F6D8, 0x1F700), range(0x1FA70, 0x1FB00))
"""Reserved by Unicode for pictographs. Later versions have assigned nothing else there, so names
may contain pictographs that are younger than the table.
"""

HEADER = '''"""The characters of names: what a log says must not depend on the version of Python.

Python 3.11, 3.12 and 3.13 have different versions of Unicode. The tables here are of Unicode
{unicode}, the oldest of them. A later version normalises and case-folds the characters of an older
one in the same way (Unicode's stability policies), but not those that the older one lacks.

`python3.11 -m tests.log.format.made_name_characters` has made this file. It must never change,
because logs contain names.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Final


@dataclass(frozen=True)
class Characters:
    """A set of characters."""

    ranges: str
    """Ascending ranges of code points, hexadecimal, with both ends included."""

    @cached_property
    def _bounds(self) -> list[int]:
        """The first code point of each range, and the first one after it."""
        pairs = (each.split("-") for each in self.ranges.split())
        ends = ((int(first, 16), int(last[0] if last else first, 16) + 1) for first, *last in pairs)
        return list(chain.from_iterable(ends))

    def __contains__(self, character: str) -> bool:
        """Whether this is a character of the set; the empty text is none."""
        return bool(character) and bisect_right(self._bounds, ord(character)) % 2 == 1
'''


def allowed(code: int) -> bool:
    letter = chr(code)
    category = unicodedata.category(letter)
    if any(code in reserved for reserved in LATER_PICTOGRAPHS):
        return True
    return category[0] != "C" and category not in ("Zl", "Zp") and letter not in INVISIBLE


def joining(types: str) -> Callable[[int], bool]:
    """Return whether a letter joins, by the types of ArabicShaping.txt."""

    def joins(code: int) -> bool:
        from idna.idnadata import joining_types
        from idna.intranges import intranges_contain

        letter = unicodedata.category(chr(code))[0] == "L"
        return letter and any(intranges_contain(code, joining_types[each]) for each in types)

    return joins


TABLES: tuple[tuple[str, str, Callable[[int], bool]], ...] = (
    (
        "VISIBLE",
        """What a name may contain: no control, format, private or unassigned character, no line
break and no letter without a visible form, but the code points reserved for later pictographs.""",
        allowed,
    ),
    (
        "MARKS",
        "Combining marks: general category M.",
        lambda code: unicodedata.category(chr(code))[0] == "M",
    ),
    (
        "STACKED",
        "Marks that are drawn above, below or around their letter: general categories Mn and Me.",
        lambda code: unicodedata.category(chr(code)) in ("Mn", "Me"),
    ),
    (
        "VIRAMAS",
        "Combining class 9. A joiner after one of them chooses its form.",
        lambda code: unicodedata.combining(chr(code)) == 9,
    ),
    ("JOIN_NEXT", "Letters that join the next one: joining types D and L.", joining("DL")),
    ("JOIN_PREVIOUS", "Letters that join the previous one: joining types D and R.", joining("DR")),
)


def ranges(member: Callable[[int], bool]) -> Iterator[str]:
    first = None
    for code in range(sys.maxunicode + 2):
        inside = code <= sys.maxunicode and member(code)
        if inside and first is None:
            first = code
        elif not inside and first is not None:
            yield f"{first:X}" if code == first + 1 else f"{first:X}-{code - 1:X}"
            first = None


def lines(words: Iterator[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if len(line) + len(word) + 1 > WIDTH:
            yield line
            line = ""
        line += f" {word}" if line else word
    yield line


def main() -> None:
    assert unicodedata.unidata_version == UNICODE, "run this with Python 3.11"
    sys.stdout.write(HEADER.format(unicode=UNICODE))
    for name, meaning, member in TABLES:
        body = "\n".join(f"    {line}" for line in lines(ranges(member)))
        sys.stdout.write(f'\n\n{name}: Final = Characters(\n    """\n{body}\n    """\n)\n')
        sys.stdout.write(f'"""{meaning}"""\n')


if __name__ == "__main__":
    main()
