"""Bots in empty seats: how the host fills a seat, and how its player returns to it."""

from __future__ import annotations

from lanuno.dealing.identity import Identity
from lanuno.log.format import bodies
from lanuno.log.format.bodies import fill_in_digest
from tests.harness.log_table.leaving import PAIRS
from tests.harness.log_table.log_table import LogTable, identity, new_table
from tests.harness.log_table.moments import playing

BOT = identity(77)


def incomplete_pairs() -> LogTable:
    """Return a table of two pairs that has lost the player of seat 3, before its next round."""
    table = new_table(4, PAIRS, rounds=2).run(playing)
    table.drop(3)
    return table.run(lambda each: each.replay.between_rounds)


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
