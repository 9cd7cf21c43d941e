"""The rows of the rules page: presets, sections of rules, and marks."""

from __future__ import annotations

from msgspec import Struct


class PresetRow(Struct, frozen=True):
    """A preset, or all house rules."""

    id: str
    name: str
    summary: str


class RuleSection(Struct, frozen=True):
    """A section of the rulebook."""

    id: str
    title: str
    paragraphs: tuple[dict[str, str], ...]
    """Rules with `text`, `checked` ("live", "audit", "agreement", "note") and `checkedText`."""


class Mark(Struct, frozen=True):
    """A way in which rules are checked, and what it means."""

    id: str
    """One of the values of `checked` above."""
    name: str
    meaning: str
