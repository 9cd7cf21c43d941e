"""What the app tells a person, as tests read it. No test here."""

from __future__ import annotations

from lanuno.app.controllers.application import Application


def announced(app: Application) -> list[str]:
    """What a screen reader is told from now on."""
    said: list[str] = []
    app.announced.connect(lambda text, _urgent: said.append(text))
    return said


def plain(text: str) -> str:
    """Without the marks that keep a name apart from the words around it."""
    return text.replace("\u2068", "").replace("\u2069", "")
