"""The requests of a table session: host, join, watch or practise. Values only.

`ResumeRequest` is in `resume.py`.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from typing import Final

from lanuno.bots.autoplay import Player
from lanuno.client.places import TablePlace
from lanuno.client.resume import ResumeRequest
from lanuno.log.format.genesis import Roster
from lanuno.log.format.names import clean_name
from lanuno.rules.ruleset import Ruleset

BOT_NAMES: Final = ("Ada", "Blas", "Cleo", "Dario", "Elsa", "Fito", "Gala", "Hugo", "Inés", "Jon")
"""One more name than there can be bots, because the player may use one of them."""

LONGEST_PIN: Final = 32
"""The largest number of characters in a PIN."""

SEARCH_SECONDS: Final = 30.0
"""Default time limit in seconds for a table to appear and to admit this node."""

BUSY_HOST_SECONDS: Final = 4.0
"""Seconds for which connecting to a busy host is retried while a person waits."""


def clean_pin(text: str) -> str | None:
    """Return a PIN as both sides use it, or None if a table cannot have it.

    A PIN is a number, a word or several: what a name may be, with at most `LONGEST_PIN` characters.
    It is normalised as names are, and capitals do not matter.
    """
    pin = clean_name(text, LONGEST_PIN, 4 * LONGEST_PIN)
    return None if pin is None else unicodedata.normalize("NFKC", pin.casefold())


@dataclass(frozen=True, slots=True, kw_only=True)
class _SeatRequest:
    """What a player asks for at any table."""

    pin: str = field(default="", repr=False)
    player: Player | None = None
    """The strategy that plays this player's seat; None for a person."""
    player_name: str = ""
    """Name shown for this player; "" for the name in the profile."""
    stays_for_rematch: bool = False
    """Whether to stay after the match to see who wants to play again."""
    adapter: str | None = None
    slow_clock: bool = False
    avatar: int | None = None
    expected: Roster | None = None
    """For a rematch: the match before. The player is ready for the same one, and for no other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostRequest(_SeatRequest):
    """Open a table."""

    name: str
    """Name of the table."""
    ruleset: Ruleset
    seats: int
    bots: int = 0
    spectators: bool = True
    rounds: int | None = None
    bot_names: tuple[str, ...] = BOT_NAMES
    """Names for the bots; a name in use at the table is skipped."""
    practice: bool = False
    """Whether only bots of this computer take part: no announcement and no socket."""
    order: tuple[bytes, ...] = ()
    """For a rematch: the identities in seat order, b"" for a bot."""
    awaited: tuple[str, ...] = ()
    """For a rematch: names of the people who may come. Bots do not use these names."""
    port: int | None = None
    """The only port to listen on; None for the default port or the next free one."""
    likely_port: int | None = None
    """The port to try first, because other players look for the table there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinRequest(_SeatRequest):
    """Take a seat at, or watch, a table of another computer."""

    place: TablePlace | None = None
    """Where the table is; None to look for a table named `table`."""
    table: str = ""
    """The table name to look for on the network."""
    watch: bool = False
    seconds: float = BUSY_HOST_SECONDS
    """How long to look for the table, and to retry a busy host."""
    resumes: bool = False
    """Whether to resume instead if this profile already has a seat at that table."""
    after: bytes | None = None
    """For a rematch: id of the table played at `place`. The next table of its host is joined."""


SessionRequest = HostRequest | JoinRequest | ResumeRequest
