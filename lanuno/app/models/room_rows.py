"""The rows of the first page, the host page and the waiting room. Plain values only."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class RoomSeat(Struct, frozen=True, kw_only=True):
    """A seat at a table that has not begun. The defaults are those of a free one."""

    seat: int
    key: str = ""
    """Whose seat it is: actions are about this person, also if somebody else sits there by then."""
    name: str = ""
    taken: bool = False
    bot: bool = False
    me: bool = False
    host: bool = False
    ready: bool = False
    back: bool = False
    """Whether this player waits for others of the match before, which then begins by itself."""
    slow: bool = False
    """Whether this player has twice the time for each turn."""
    owner: str = ""
    """The owner of a bot; "" for a person."""
    team: int
    """The pair to which the seat belongs; -1 without pairs."""
    avatar: int = 0
    muted: bool = False
    warning: str = ""
    """Why this may not be the person that the name suggests, or ""."""
    can_sit: bool = False
    """Whether this player could sit there instead of a bot, or of a player who is not ready."""
    accessible_name: str


class FoundTable(Struct, frozen=True):
    """A table on this network."""

    id: str
    name: str
    host: str
    avatar: int
    """The colour of the host; -1 if it is unknown."""
    preset: str
    seats: int
    taken: int
    state: str
    """`open`, `playing` or `over`."""
    locked: bool
    joinable: bool
    can_watch: bool
    mine: bool
    """This player has a seat there, so joining resumes the table."""
    trouble: bool
    """The table cannot be reached or joined, for example in another version; `text` says why."""
    gone: bool
    """The table is listed no longer: its row stays only so that no other one moves."""
    text: str
    warning: str
    """Why this may not be the table that it looks like, or ""."""
    rules_title: str
    """The preset, and the number of changes to it."""
    rules: tuple[str, ...]
    """The preset and the changes that the advert names, in sentences; empty without changes."""
    accessible_name: str


class InterruptedTable(Struct, frozen=True):
    """An interrupted table, which can be resumed."""

    id: str
    name: str
    text: str


class RulesLine(Struct, frozen=True):
    """A preset, or a rule set that the player has saved under a name."""

    id: str
    name: str
    summary: str
    """Of a preset, what it is; of a rule set, its preset and the number of changes to it."""
    seats_min: int
    seats_max: int


class SettingLine(Struct, frozen=True):
    """A setting of the rules, with its present value."""

    key: str
    section: str
    section_title: str
    name: str
    text: str
    """The value in words."""
    kind: str
    """`bool`, `int` or `choice`."""
    value: int
    minimum: int
    maximum: int
    choices: tuple[dict[str, Any], ...]
    """For a choice: `value` and `text` of each."""
    changed: bool
    """Whether it differs from the preset."""
    hint: str
    accessible_name: str
