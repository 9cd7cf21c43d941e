"""Pictures of the deck and of the parts of screens, in both themes.

This module has the list alone, and needs neither the app nor a game. The pictures of whole screens
are in the modules `scenes_*.py`.
"""

from __future__ import annotations

from pathlib import Path

from tests.app.pictures.render import LARGE, SMALL, Look, Picture

SCENES = Path(__file__).resolve().parent / "scenes"
LIGHT, DARK = Look(), Look(dark=True)
LOOKS = {"light": LIGHT, "dark": DARK}


def deck() -> list[Picture]:
    """Return the pictures of every card face, in both themes."""
    return [
        Picture(f"deck-{name}", SCENES / "Deck.qml", (1000, 810), look)
        for name, look in LOOKS.items()
    ]


def parts() -> list[Picture]:
    """Return the pictures of every part in every state, in both themes and with large text."""
    looks = {**LOOKS, "large-text": Look(text_scale=1.5)}
    return [
        *(Picture(f"parts-{n}", SCENES / "Parts.qml", (1280, 1000), k) for n, k in looks.items()),
        *(Picture(f"sheet-{n}", SCENES / "Question.qml", SMALL, k) for n, k in looks.items()),
    ]


def gallery() -> list[Picture]:
    """Return all pictures."""
    return [*deck(), *parts()]


__all__ = ["LARGE", "LOOKS", "SCENES", "SMALL", "deck", "gallery", "parts"]
