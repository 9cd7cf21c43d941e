"""How a computer is at a table that plays, besides its machines: what `MemberDriver` is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from lanuno.bots.autoplay import Player
from lanuno.bots.pace import AT_ONCE, BotPace
from lanuno.dealing.identity import Identity
from lanuno.log.genesis import Binding
from lanuno.net.doorkeeper import Doorkeeper
from lanuno.net.programs import sensible
from lanuno.net.records import Records
from lanuno.net.server import Server
from lanuno.net.surroundings import Surroundings
from lanuno.table.arrangements import Arrangements
from lanuno.table.lobby_peer import Entropy


@dataclass(frozen=True, slots=True)
class PlayedSeat:
    """A seat that is played on this computer."""

    identity: Identity
    player: Player | None
    """A program that decides; None for a person."""


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """A seat of the computer that opens a table, from the waiting room on."""

    identity: Identity
    name: str
    player: Player | None
    """A program that decides; None for a person."""
    bot: bool = False
    slow_clock: bool = False
    avatar: int | None = None
    """The colour under which everybody is to see this player."""
    auto_ready: bool = True
    """Say "ready" as soon as one sits."""
    binding: Binding | None = None
    """At a table of a tournament: what it is bound to."""
    order: tuple[bytes, ...] = ()
    """The same: who sits where."""


@dataclass(slots=True, kw_only=True)
class Setup:
    """How a computer is at a table, besides its machines."""

    seats: tuple[PlayedSeat, ...]
    """The owner's, then those of its bots; none to watch."""
    records: Records
    entropy: Entropy
    surroundings: Surroundings | None = None
    """None for a computer that nobody can dial and that dials nobody."""
    arrangements: Arrangements = field(default_factory=Arrangements)
    """What was agreed on before the log begins."""
    arrange: Callable[[bytes, Arrangements], None] | None = None
    """Keeps them under the table's id: before the log begins, and when others are met."""
    pace: BotPace = AT_ONCE
    """How fast the programs of this computer play."""
    stand_in: Callable[[], Player] = sensible
    """Who decides for a bot of this computer that fills a chair."""
    hosting: Callable[[bool], None] | None = None
    """Told when this computer becomes the host of a table that plays, and when it no longer is."""
    doorkeeper: Doorkeeper | None = None
    """Says who may watch here; without it nobody may."""
    patience: float | None = None
    """Seconds without contact to any host before this computer gives up; None for the usual."""
    port: int | None = None
    """Port to listen on, and no other; None for that of the arrangements, or one that is free."""
    stays: bool = False
    """Whether this computer stays at the table once it is over, to hear who wants to play again."""
    door: Server | None = field(default=None, repr=False)
    """Where the others come in, if it is open already."""
