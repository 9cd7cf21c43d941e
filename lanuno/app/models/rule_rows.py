"""The rows of the rules: presets, and sections with what is in them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PresetRow:
    """A set of rules with a name."""

    id: str
    name: str
    summary: str


@dataclass(frozen=True, slots=True)
class RuleSection:
    """Rules that belong together."""

    id: str
    title: str
    paragraphs: tuple[dict[str, str], ...]
    """Rules with `text`, `checked` ("live", "audit", "agreement", "note") and `checkedText`."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A way in which rules are checked."""

    id: str
    """As in `checked` above."""
    name: str
    meaning: str
