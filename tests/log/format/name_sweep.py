"""Asks the rule of names about every character; prints a digest of the answers.

    python -m tests.log.format.name_sweep

Needs only the standard library, so any Python can be compared.
"""

from __future__ import annotations

import hashlib
import sys

from lanuno.log.format.names import clean_name, readings

SURROUNDINGS = (
    "a{}b",
    "e{}\u0301",
    "{}\u0301\u0323",
    "{0}{0}",
    "\u0628\u200c{}",
    "{}\u200c\u0627",
    "\U0001f468\u200d{}",
    "{}\u200d\U0001f4bb",
    "{}\u200d",
)
"""Where a character could be joined, composed or reordered."""

UNIFORM = (
    range(0x3400, 0xA000),
    range(0xAC00, 0xD7A4),
    range(0x17000, 0x18D09),
    range(0x20000, 0x31350),
)
"""Ideographs and syllables: nothing around them changes them. They are asked about alone."""


def digest() -> str:
    """Return a digest of what becomes of every character, and of those around it."""
    answers = hashlib.sha256()
    for code in range(sys.maxunicode + 1):
        letter = chr(code)
        texts = [letter]
        if clean_name(letter) is not None and not any(code in each for each in UNIFORM):
            texts += [each.format(letter) for each in SURROUNDINGS]
        for text in texts:
            name = clean_name(text)
            if name is not None:
                read = " ".join("|".join(sorted(each)) for each in readings(name))
                answers.update(f"{code:x} {name} {read}\n".encode())
    return answers.hexdigest()


if __name__ == "__main__":
    sys.stdout.write(f"{digest()}\n")
