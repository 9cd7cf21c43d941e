"""Bots in empty seats: how the host fills a seat, and how its player returns to it."""

from __future__ import annotations

from lanuno.dealing.identity import Identity
from lanuno.log.format import bodies
from lanuno.log.format.bodies import fill_in_digest
from tests.harness.log_table.log_table import LogTable, identity

BOT = identity(77)


def fill_in_payload(table: LogTable, seat: int, bot: Identity = BOT) -> bodies.FillIn:
    owner = table.replay.roster.seats[table.replay.host].identity
    digest = fill_in_digest(table.replay.table_id, seat, bot.public, owner)
    return bodies.FillIn(seat, bot.public, bot.sign(digest))


def fork_with_bot(filled: LogTable) -> LogTable:
    """Fork a filled table; on the fork, the bot signs for seat 3."""
    table = filled.fork()
    table.identities[3] = BOT
    return table


def take_seat_back(table: LogTable, seat: int = 3) -> None:
    """Let the player who left return to the seat."""
    table.append(table.signed(seat, bodies.Return(), by=identity(seat)))
