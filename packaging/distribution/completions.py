"""Writes the completions for bash, zsh and fish, where each shell looks for those of a package."""

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
"""Below /usr/share."""


def completion(shell: str) -> str:
    """The completions for a shell. They are in English, since a file has one language."""
    return str(shtab.complete(complete_parser("en"), shell=shell)).rstrip() + "\n"


def write(share: Path) -> None:
    """Write all of them below a folder `share`."""
    for shell, place in PLACES.items():
        path = share / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(completion(shell), encoding="utf-8")
