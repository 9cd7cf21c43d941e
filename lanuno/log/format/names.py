"""The names of players and tables: which are allowed, and which look alike.

Needs only the standard library, and gives the same answer on every version of Python.
"""

from __future__ import annotations

import unicodedata
from operator import eq

from lanuno.log.format.name_characters import (
    JOIN_NEXT,
    JOIN_PREVIOUS,
    MARKS,
    VIRAMAS,
    VISIBLE,
    Characters,
)

LONGEST_NAME = 20
LONGEST_NAME_BYTES = 64
_SELECTORS = dict.fromkeys([*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)])
"""Variation selectors. They only change how the preceding letter is drawn, so they are removed."""

NON_JOINER = "\u200c"
JOINER = "\u200d"
_NO_JOINERS = dict.fromkeys(map(ord, (NON_JOINER, JOINER)))
_PICTOGRAPHS = Characters("2190-21FF 2600-27BF 2B00-2BFF 1F300-1FAFF")
"""The blocks of those pictographs that a joiner makes into another one, such as a family."""

_LOOKS_LIKE = str.maketrans(
    "АВЕКМНОРСТУХІЈЅаеорсухіјѕ" + "ԁһԛԝӏ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαον" + "\u064a\u0649\u0643\u06d5",
    "ABEKMHOPCTYXIJSaeopcyxijs" + "dhqwl" + "ABEZHIKMNOPTYXaov" + "\u06cc\u06cc\u06a9\u0647",
)
"""Cyrillic and Greek letters that look like a Latin one, Arabic ones like a Persian, and those."""

_SAME_FORM = {
    # A dot on a letter that has one.
    "i\u0307": "i",
    "ı\u0307": "i",
    "j\u0307": "j",
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
    the beginning; and names that are too long (code points or bytes of UTF-8).
    """
    # Before normalising, which depends on the version of Unicode for characters that are not there.
    if not _is_visible(text.translate(_SELECTORS)) or not _is_visible(plain := _normal(text)):
        return None
    # No control character is left, so `split` splits only at spaces, of any width.
    name = " ".join(plain.split())
    if not name or name[0] in MARKS or not _fits(name, longest, longest_bytes):
        return None
    return name if _are_joiners_needed(name) else None


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


def is_too_long(text: str) -> bool:
    """Whether a text is longer than a name may be, including spaces at its ends."""
    return not _fits(_normal(text), LONGEST_NAME, LONGEST_NAME_BYTES)


def _normal(text: str) -> str:
    return unicodedata.normalize("NFKC", text.translate(_SELECTORS))


def _fits(name: str, longest: int, longest_bytes: int) -> bool:
    # An unpaired surrogate, which an input method may produce, cannot be encoded.
    return len(name) <= longest and len(name.encode(errors="replace")) <= longest_bytes


def look_alike(one: str, other: str) -> bool:
    """Whether two names look equal: but for joiners and capitals, or in other scripts.

    Two seats of one table never have such names: the lobby refuses the second, and a roster with
    both is invalid.
    """
    return any(map(eq, skeletons(one), skeletons(other)))


def skeletons(name: str) -> tuple[str, str]:
    """Return two texts. Names look alike if they have the first or the second in common.

    The first keeps scripts apart. Only the second would not suffice, because the capital of a
    letter may look like another Latin letter: that of ν, which is like v, is like N.
    """
    plain = unicodedata.normalize("NFKD", name.translate(_NO_JOINERS | _SELECTORS))
    return _folded(plain), _folded(plain.translate(_LOOKS_LIKE))


def _folded(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text.casefold())
    for form, same in _SAME_FORM.items():
        folded = folded.replace(form, same)
    return folded
