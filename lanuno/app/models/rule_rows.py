"""The rows of the rules page: presets, sections of rules, and marks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PresetRow:
    """A preset, or all house rules."""

    id: str
    name: str
    summary: str


@dataclass(frozen=True, slots=True)
class RuleSection:
    """A section of the rulebook."""

    id: str
    title: str
    paragraphs: tuple[dict[str, str], ...]
    """Rules with `text`, `checked` ("live", "audit", "agreement", "note") and `checkedText`."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A way in which rules are checked, and what it means."""

    id: str
    """One of the values of `checked` above."""
    name: str
    meaning: str
