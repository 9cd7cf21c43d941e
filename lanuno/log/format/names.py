"""The names of players and tables: which are allowed, and which look alike.

Needs only the standard library, and gives the same answer on every version of Python.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from lanuno.log.format.confusables import STROKES, prototypes
from lanuno.log.format.name_characters import (
    JOIN_NEXT,
    JOIN_PREVIOUS,
    MARKS,
    STACKED,
    VIRAMAS,
    VISIBLE,
    Characters,
)

LONGEST_NAME = 20
LONGEST_NAME_BYTES = 64
MOST_STACKED = 4
"""The most marks above, below or around one letter: the limit of Unicode TS 39, section 5.4. Hebrew
with all points needs four, Tibetan and Devanagari three, Vietnamese and Thai two."""
_SELECTORS = dict.fromkeys([*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)])
"""Variation selectors. They only change how the preceding letter is drawn, so they are removed."""

NON_JOINER = "\u200c"
JOINER = "\u200d"
_NO_JOINERS = dict.fromkeys(map(ord, (NON_JOINER, JOINER)))
_PICTOGRAPHS = Characters("2190-21FF 2600-27BF 2B00-2BFF 1F300-1FAFF")
"""The blocks of those pictographs that a joiner makes into another one, such as a family."""

_SAME_LETTER = str.maketrans("\u064a\u0649\u0643\u06d5", "\u06cc\u06cc\u06a9\u0647")
"""Arabic letters that look like a Persian or Kurdish one at some place in a word, and that one."""

_SAME_FORM = {
    # Malayalam and Bengali letters that a joiner after a virama makes, and the Marathi ra.
    "\u0d7a": "\u0d23\u0d4d",
    "\u0d7b": "\u0d28\u0d4d",
    "\u0d7c": "\u0d30\u0d4d",
    "\u0d7d": "\u0d32\u0d4d",
    "\u0d7e": "\u0d33\u0d4d",
    "\u0d7f": "\u0d15\u0d4d",
    "\u09ce": "\u09a4\u09cd",
    "\u0930\u093c\u094d": "\u0930\u094d",
}
"""Texts that look like another one of the same script, joiners aside, and that one."""


def clean_name(
    text: str, longest: int = LONGEST_NAME, longest_bytes: int = LONGEST_NAME_BYTES
) -> str | None:
    """Return a name as it may be shown, or None if it may not be used.

    The result is NFKC, trimmed, with single spaces and without variation selectors. Refused are
    characters that are not in `VISIBLE`, except joiners where they are needed; a combining mark at
    the beginning; more than `MOST_STACKED` marks at one letter, or one twice; and names that are
    too long (code points or bytes of UTF-8).
    """
    # Before normalising, which depends on the version of Unicode for characters that are not there.
    if not _is_visible(text.translate(_SELECTORS)) or not _is_visible(plain := _normal(text)):
        return None
    # No control character is left, so `split` splits only at spaces, of any width.
    name = " ".join(plain.split())
    if not name or name[0] in MARKS or not _fits(name, longest, longest_bytes):
        return None
    return name if _are_joiners_needed(name) and _are_marks_readable(name) else None


def _is_visible(text: str) -> bool:
    return all(each in VISIBLE or ord(each) in _NO_JOINERS for each in text)


def _are_joiners_needed(name: str) -> bool:
    """Whether each joiner of a name chooses how its neighbours are drawn.

    After a virama, both do (RFC 5892, A.1 and A.2). A non-joiner also separates letters that would
    be joined (A.1), and a joiner makes one pictograph of two (UTS #51).
    """
    for position, letter in enumerate(name):
        before, after = name[:position], name[position + 1 :]
        if ord(letter) not in _NO_JOINERS or before[-1:] in VIRAMAS:
            continue
        if letter == JOINER:
            needed = before[-1:] in _PICTOGRAPHS and after[:1] in _PICTOGRAPHS
        else:
            letters = ([each for each in part if each not in MARKS] for part in (before, after))
            last, first = ("".join(each) for each in letters)
            needed = last[-1:] in JOIN_NEXT and first[:1] in JOIN_PREVIOUS
        if not needed:
            return False
    return True


def _are_marks_readable(name: str) -> bool:
    """Whether no letter has too many marks, or one of them twice, which can look like once."""
    letter: list[str] = []
    for each in unicodedata.normalize("NFD", name.translate(_NO_JOINERS)):
        if each not in MARKS:
            letter = []
        elif each in STACKED:
            if len(letter) == MOST_STACKED or each in letter:
                return False
            letter.append(each)
    return True


def is_too_long(text: str) -> bool:
    """Whether a text is longer than a name may be, including spaces at its ends."""
    return not _fits(_normal(text), LONGEST_NAME, LONGEST_NAME_BYTES)


def _normal(text: str) -> str:
    return unicodedata.normalize("NFKC", text.translate(_SELECTORS))


def _fits(name: str, longest: int, longest_bytes: int) -> bool:
    # An unpaired surrogate, which an input method may produce, cannot be encoded.
    return len(name) <= longest and len(name.encode(errors="replace")) <= longest_bytes


@lru_cache(maxsize=8192)
def look_alike(one: str, other: str) -> bool:
    """Whether two names look equal, but for capitals and joiners.

    Characters look alike if Unicode TS 39 gives them one prototype: "rn" and "m", "I" and "l", "а"
    and "a". Two seats of one table never have such names: the lobby refuses the second, and a
    roster with both is invalid.
    """
    left, right = readings(one), readings(other)
    # No reading of a letter begins with another one, so equal beginnings are read alike.
    pairs = enumerate(zip(left, right, strict=False))
    start = next((at for at, (a, b) in pairs if a != b), min(len(left), len(right)))
    # How many letters of each are read in an equal way, and what either has read more.
    waiting = [(start, start, "", "")]
    seen: set[tuple[int, int, str, str]] = set()
    while waiting:
        state = at, to, more, other_more = waiting.pop()
        if state == (len(left), len(right), "", ""):
            return True
        if state in seen:
            continue
        seen.add(state)
        if len(more) <= len(other_more):
            texts = [(more + each, other_more) for each in left[at]] if at < len(left) else []
            at += 1
        else:
            texts = [(more, other_more + each) for each in right[to]] if to < len(right) else []
            to += 1
        for text, other_text in texts:
            length = min(len(text), len(other_text))
            if text[:length] == other_text[:length]:
                waiting.append((at, to, text[length:], other_text[length:]))
    return False


@lru_cache(maxsize=1024)
def readings(name: str) -> tuple[frozenset[str], ...]:
    """Return each letter of a name, with its marks, in all readings.

    A letter is read as what it looks like (the skeleton of TS 39), as itself without regard to
    capitals, and as the letter that it looks like without regard to capitals. The latter two are
    marked by NUL: "Ian" looks like "lan", and "Lan" is "lan", but "Ian" is not "Lan".
    """
    plain = unicodedata.normalize("NFKD", name.translate(_NO_JOINERS | _SELECTORS))
    for form, same in _SAME_FORM.items():
        plain = plain.replace(form, same)
    plain = plain.translate(_SAME_LETTER)
    letters: list[str] = []
    for each in plain:
        if letters and each in MARKS:
            letters[-1] += each
        else:
            letters.append(each)
    return tuple(map(_letter_readings, letters))


def _letter_readings(letter: str) -> frozenset[str]:
    base, marks = letter[0], letter[1:].translate(prototypes())
    small, shape = base.casefold(), base.translate(prototypes())
    if {small, shape} & {"i", "j"}:
        # These have a dot.
        marks = marks.replace("\u0307", "")
    texts = {small} if base in STROKES else {small, shape.casefold()}
    normal = (unicodedata.normalize("NFD", each + marks) for each in texts)
    return frozenset(
        {unicodedata.normalize("NFD", shape + marks), *("\0" + "\0".join(each) for each in normal)}
    )
