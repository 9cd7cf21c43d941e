"""What a table session is asked for: to host, join, watch, practise or resume. Values only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from lanuno.bots.autoplay import Player
from lanuno.client.places import TablePlace
from lanuno.client.resume import Interrupted, OwnerPlace
from lanuno.rules.ruleset import Ruleset
from lanuno.table.lobby.peer import Expected

BOT_NAMES: Final = ("Ada", "Blas", "Cleo", "Dario", "Elsa", "Fito", "Gala", "Hugo", "Inés", "Jon")
"""One more than there can be bots: the player may have one of them."""

LONGEST_PIN: Final = 16
"""Characters of a PIN."""

SEARCH_SECONDS: Final = 30.0
"""Seconds for a table to appear and to let a program in, unless the user says otherwise."""

BUSY_HOST_SECONDS: Final = 4.0
"""Seconds for which a host that is busy is tried again, while a person waits."""


def is_valid_pin(pin: str) -> bool:
    """Whether a table can have this PIN: ASCII letters and digits, at most `LONGEST_PIN`."""
    return 0 < len(pin) <= LONGEST_PIN and pin.isascii() and pin.isalnum()


@dataclass(frozen=True, slots=True, kw_only=True)
class HostRequest:
    """Open a table."""

    name: str
    """Of the table."""
    ruleset: Ruleset
    seats: int
    bots: int = 0
    pin: str = field(default="", repr=False)
    spectators: bool = True
    rounds: int | None = None
    player: Player | None = None
    """The strategy that plays the own seat; None: a person."""
    player_name: str = ""
    """Of the own seat; "": that of the profile."""
    bot_names: tuple[str, ...] = BOT_NAMES
    """What the bots are called, as far as nobody else at the table is called so."""
    practice: bool = False
    """Whether only bots of this computer take part: nothing is announced, no socket is opened."""
    kept: tuple[bytes, ...] = ()
    """For a rematch: the identities in the order of their seats, b"" for a bot."""
    expected: tuple[str, ...] = ()
    """For a rematch: names of the people who may come, which no bot takes."""
    again: bool = False
    """Whether this is a rematch: the player here has said yes already."""
    stays_for_rematch: bool = False
    """Whether to stay after the match, to see who wants to play again."""
    adapter: str | None = None
    port: int | None = None
    """The only port to listen on; None for the default one or the next that is free."""
    likely_port: int | None = None
    """The port to try first, because others look for the table there."""
    slow_clock: bool = False
    avatar: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinRequest:
    """Take a seat, or watch, at a table of another computer."""

    place: TablePlace | None = None
    """Where the table is; None to look for `table`."""
    table: str = ""
    """The name to look for on the network."""
    pin: str = field(default="", repr=False)
    watch: bool = False
    player: Player | None = None
    """The strategy that plays the own seat; None: a person."""
    player_name: str = ""
    """Of the own seat; "": that of the profile."""
    seconds: float = BUSY_HOST_SECONDS
    """For how long the table is looked for, and a host that is busy is tried again."""
    resumes: bool = False
    """Whether to resume instead, if this profile has a seat at that table already."""
    after: bytes | None = None
    """For a rematch: id of the table that was played at `place`; its host's next one is joined."""
    expected: Expected | None = None
    """For a rematch: the rules played there; other rules need a new consent of the player."""
    stays_for_rematch: bool = False
    """Whether to stay after the match, to see who wants to play again."""
    adapter: str | None = None
    slow_clock: bool = False
    avatar: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumeRequest:
    """Resume a table that was interrupted here, as its host or not: its log says which."""

    chosen: Interrupted
    player: Player | None = None
    """The strategy that plays the own seat; None: a person."""
    owner_place: OwnerPlace | None = None
    """Where another owner of a seat is now, as far as that is known."""
    adapter: str | None = None
    port: int | None = None
    """The only port to listen on; None for the previous one, or a free one."""
    stays_for_rematch: bool = False
    """Whether to stay after the match, to see who wants to play again."""


SessionRequest = HostRequest | JoinRequest | ResumeRequest
