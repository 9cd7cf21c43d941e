"""Helpers that read the app's announcements to a screen reader. No test here."""

from __future__ import annotations

from lanuno.app.controllers.application import Application


def announced(app: Application) -> list[str]:
    """Return a list that collects all further announcements to a screen reader."""
    said: list[str] = []
    app.announced.connect(lambda text, _urgent: said.append(text))
    return said


def plain(text: str) -> str:
    """Remove the isolate marks around names from a text."""
    return text.replace("\u2068", "").replace("\u2069", "")
