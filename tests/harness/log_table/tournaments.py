"""The tables of a tournament: their genesis, and their logs played to the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from lanuno.dealing.identity import Identity
from lanuno.log.format.bodies import HOST, Payload, SignedBody
from lanuno.log.format.genesis import (
    VERSION,
    Genesis,
    Roster,
    SeatInfo,
    encode_roster,
    nonce_commitment,
    sign_roster,
)
from lanuno.log.format.transcript import Transcript
from lanuno.log.tournament import TournamentTable
from lanuno.rules.match.tournament import TOURNAMENT_PLAYERS
from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import Ruleset
from tests.harness.log_table.log_table import LogTable, identity, make_genesis, make_roster, nonce

RULES: Ruleset = msgspec.structs.replace(PRESETS["tournament"], hand_size=2, hands=1)
"""One short hand with every partner."""


@dataclass
class Seated(LogTable):
    """A table whose seats belong to other players than 0, 1, 2, …"""

    players: tuple[int, ...] = ()

    @property
    def host(self) -> Identity:
        return identity(self.players[self.replay.roster.host])

    def signed(self, author: int, payload: Payload, **said: object) -> SignedBody:
        seat = self.replay.roster.host if author == HOST else author
        return super().signed(author, payload, by=identity(self.players[seat]))


def tournament_genesis() -> Genesis:
    return make_genesis(make_roster(TOURNAMENT_PLAYERS, RULES))


def table_genesis(table: TournamentTable, salt: int = 0, **other: object) -> Genesis:
    """Return the genesis of a table of a tournament, as its four players sign it.

    With another `salt`, that of another match at the same table.
    """
    seats = tuple(
        SeatInfo(
            f"p{player}",
            identity(player).public,
            identity(player).public,
            bot=False,
            slow_clock=False,
            nonce=nonce_commitment(identity(player).public, nonce(player, salt)),
        )
        for player in table.players
    )
    roster = Roster(VERSION, table.lobby, 0, RULES, seats, table.binding)
    return sign(msgspec.structs.replace(roster, **other), table.players, salt)


def sign(roster: Roster, players: Sequence[int], salt: int = 0) -> Genesis:
    data = encode_roster(roster)
    signatures = tuple(sign_roster(data, identity(player)) for player in players)
    return Genesis(data, signatures, tuple(nonce(player, salt) for player in players))


def play(table: TournamentTable, salt: int = 0, **other: object) -> Transcript:
    genesis = table_genesis(table, salt, **other)
    log = Seated(genesis, players=table.players).run()
    return Transcript(genesis, tuple(log.entries), torn=False)
