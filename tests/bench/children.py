"""The environment of the programs that are measured."""

from __future__ import annotations

import os


def environment(**more: str) -> dict[str, str]:
    """Return this program's environment, with compiled modules as players have them, and `more`.

    Where `PYTHONDONTWRITEBYTECODE` is set, every start would compile every module again.
    """
    kept = {name: value for name, value in os.environ.items() if name != _UNCOMPILED}
    return {**kept, **more}


_UNCOMPILED = "PYTHONDONTWRITEBYTECODE"
