"""The rows of the first page and of the waiting room. Values only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RoomSeat:
    """A place at a table that has not begun."""

    seat: int
    name: str
    taken: bool
    bot: bool
    me: bool
    host: bool
    ready: bool
    owner: str
    """On whose computer a bot runs; "" for a person."""
    team: int
    """Which pair the place belongs to; -1 without pairs."""
    avatar: int
    muted: bool
    can_sit: bool
    """Whether this player could sit there instead: a bot does, or somebody who is not ready."""
    accessible_name: str


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table on this network."""

    id: str
    name: str
    host: str
    preset: str
    seats: int
    taken: int
    state: str
    """`open`, `playing` or `over`."""
    locked: bool
    joinable: bool
    can_watch: bool
    mine: bool
    """This player has a seat there: joining goes on with it."""
    trouble: bool
    """It cannot be reached, or not be played with; `text` says why."""
    text: str
    rules_title: str
    """The preset, and how much is changed about it."""
    rules: tuple[str, ...]
    """What of that the advert names, in sentences; empty if nothing is changed."""
    accessible_name: str


@dataclass(frozen=True, slots=True)
class InterruptedTable:
    """A table that can be gone on with."""

    id: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class PresetLine:
    """A preset, in plain words."""

    id: str
    name: str
    summary: str
    seats_min: int
    seats_max: int


@dataclass(frozen=True, slots=True)
class SavedLine:
    """Rules that the player has saved under a name."""

    id: str
    name: str
    summary: str
    """The preset, and how much is changed about it."""
    seats_min: int
    seats_max: int


@dataclass(frozen=True, slots=True)
class SettingLine:
    """A setting of the rules, as it is now."""

    key: str
    section: str
    section_title: str
    name: str
    text: str
    """Its value in words."""
    kind: str
    """`bool`, `int` or `choice`."""
    value: int
    minimum: int
    maximum: int
    choices: tuple[dict[str, Any], ...]
    """Of a choice: `value` and `text` of each."""
    suffix: str
    changed: bool
    """Whether it differs from the preset."""
    hint: str
    accessible_name: str
