"""Formatting text for the program's log: one line, no control characters, no secrets.

Names and details come from strangers and are read in a terminal, so they must not end a line or
change a colour. The product never logs a secret on purpose. But exceptions quote values, and
libraries quote exceptions, so anything that looks like a key, a seed or a list of cards is left out
as well.
"""

from __future__ import annotations

import re
from typing import Final

LONGEST_LINE: Final = 1_000
"""The maximum number of characters written of one line."""
MOST_LINES: Final = 200
"""The maximum number of lines of a traceback: its first and its last ones."""
LEFT_OUT: Final = "<left out>"

_INDENT: Final = "    "
_BYTES: Final = re.compile(
    r"""(?<![0-9A-Za-z_])[bB](?:'(?:[^'\\]|\\.)*(?:'|\\?\Z)|"(?:[^"\\]|\\.)*(?:"|\\?\Z))""",
    re.DOTALL,
)
# The file of a game is named by the id of its table, which is public.
_TABLE: Final = re.compile(r"(?<=/)[0-9a-f]{64}(?=\.(?:lanuno|sidecar|table\.json))")
_HEX: Final = re.compile(r"[0-9A-Fa-f]{20,}")
_NUMBERS: Final = re.compile(r"[\[({]\s*-?[0-9]+(?:\s*[,:]\s*-?[0-9]+)+\s*,?\s*[\])}]?")
_RUN: Final = re.compile(r"[0-9A-Za-z+/_-]{22,}")
_KINDS: Final = re.compile(r"[0-9]+|[a-z]+|[A-Z]+")


def one_line(text: str) -> str:
    """Return a text as one line, without terminal control characters and possible secrets."""
    return _plain(without_secrets(_cut(text)))


def indented(text: str) -> str:
    """Return a text of several lines, such as a traceback, indented unlike any log record."""
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        half = MOST_LINES // 2
        lines = [*lines[:half], f"... {len(lines) - 2 * half} lines ...", *lines[-half:]]
    # A value may span several lines, so secrets are searched in the whole text.
    clean = without_secrets("\n".join(_cut(line) for line in lines))
    return "\n".join(_INDENT + _plain(line) for line in clean.split("\n"))


def without_secrets(text: str) -> str:
    """Return the text without bytes, long hexadecimal or base64 runs, and lists of numbers."""
    parts = _TABLE.split(text)
    clean = [_RUN.sub(_unless_random, _without_values(part)) for part in parts]
    names = [*_TABLE.findall(text), ""]
    return "".join(part + name for part, name in zip(clean, names, strict=True))


def _without_values(text: str) -> str:
    for form in (_BYTES, _HEX, _NUMBERS):
        text = form.sub(LEFT_OUT, text)
    return text


def _unless_random(found: re.Match[str]) -> str:
    """Keep words and paths, whose kind of character changes rarely; base64 changes constantly."""
    run = found.group()
    changes = len(_KINDS.findall(run))
    return LEFT_OUT if changes * 3 >= len(run) else run


def _cut(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + "..."


def _plain(line: str) -> str:
    return "".join(
        letter
        if letter.isprintable()
        else letter.encode("unicode_escape", "surrogatepass").decode()
        for letter in line
    )
