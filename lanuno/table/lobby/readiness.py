"""What a player is ready for: the room as its host shows it. Pure functions.

The roster is the one encoding of a room, and being ready is a signature of it. Both sides build it
from the `LobbyState`, so nobody can sign what no state has shown.
"""

from __future__ import annotations

from enum import IntEnum, unique

from msgspec import Struct
from msgspec.structs import replace

from lanuno.log.format.genesis import (
    NO_NONCE,
    VERSION,
    Roster,
    TournamentBinding,
    encode_roster,
    unplayable,
)
from lanuno.rules.cards import MAX_SEATS
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.table.messages import LobbyPhase, LobbyState


@unique
class RulesRefusal(IntEnum):
    """Why a host cannot change the rules of its lobby."""

    STARTED = 0
    """The start is under way or done."""
    BOUND = 1
    """The table is part of a tournament, whose rules all players have signed."""
    TOO_MANY = 2
    """More seats are taken than the new number of seats."""
    UNPLAYABLE = 3
    """The rules do not allow this number of players."""
    NO_BOTS = 4
    """A tournament is for people only, and bots have seats."""


def room_roster(state: LobbyState, host: bytes, binding: TournamentBinding | None) -> bytes:
    """Return the bytes that make a seat ready for this state; b"" without the host's seat.

    `host` is the host's identity. Only rosters that `check_roster` accepts make a table.
    """
    identities = [seat.identity for seat in state.seats]
    if host not in identities:
        return b""
    return encode_roster(
        Roster(
            VERSION,
            state.lobby,
            identities.index(host),
            state.ruleset,
            tuple(seat.info for seat in state.seats),
            binding,
            state.rounds,
            state.spectators,
        )
    )


def terms(state: LobbyState) -> LobbyState:
    """Return what a player is ready for: the state without anything that people need not agree to.

    These are nonces, which programs choose, who is ready, how far the start is, the number of
    spectators, whether others are asked for a PIN, and the revision.
    """
    seats = tuple(replace(seat, ready=False, nonce=NO_NONCE) for seat in state.seats)
    return replace(state, phase=LobbyPhase.OPEN, seats=seats, watching=0, pin=False, revision=0)


class MatchTerms(Struct, frozen=True):
    """What makes a rematch the same match, so that "play again" is a ready for it."""

    ruleset: Ruleset
    rounds: int | None
    spectators: bool
    seats: tuple[tuple[bytes, str, bytes, bool], ...]
    """The identity, name, owner and slow clock of each seat. A bot has another identity in each
    match, so here it has b""."""


def match_terms(of: Roster | LobbyState) -> MatchTerms:
    """Return the terms of a table, or of a room."""
    seats = tuple(
        (b"" if seat.bot else seat.identity, seat.name, seat.owner, seat.slow_clock)
        for seat in of.seats
    )
    return MatchTerms(of.ruleset, of.rounds, of.spectators, seats)


def why_not_for(ruleset: Ruleset, capacity: int, taken: int, *, bots: bool) -> RulesRefusal | None:
    """Return why the players in a lobby cannot play by these rules; None if they can.

    `taken`: number of taken seats. `bots`: whether some of them are bots'.
    """
    if not 2 <= capacity <= MAX_SEATS or unplayable(ruleset, capacity) is not None:
        return RulesRefusal.UNPLAYABLE
    if taken > capacity:
        return RulesRefusal.TOO_MANY
    if bots and ruleset.format is Format.ROTATION:
        return RulesRefusal.NO_BOTS
    return None
