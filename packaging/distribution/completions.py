"""Writes the completions for bash, zsh and fish to the folders where those shells look."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import shtab

from distribution.parsers import complete_parser

PLACES: Final[Mapping[str, str]] = {
    "bash": "bash-completion/completions/lanuno",
    "zsh": "zsh/vendor-completions/_lanuno",
    "fish": "fish/vendor_completions.d/lanuno.fish",
}
"""The file of each shell, below /usr/share."""


def completion(shell: str) -> str:
    """Return the completions for a shell, in English because a file has only one language."""
    return str(shtab.complete(complete_parser("en"), shell=shell)).rstrip() + "\n"


def write(share: Path) -> None:
    """Write the completions for all shells below the folder `share`."""
    for shell, place in PLACES.items():
        path = share / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(completion(shell), encoding="utf-8")
