"""Bots that fill empty chairs where partners need somebody."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.dealing.identity import Identity
from lanuno.log import bodies, events
from lanuno.log.bodies import HOST, DropReason, fill_in_digest
from lanuno.log.faults import Refusal, Verdict
from tests.log.log_table import SHORT, LogTable, identity, new_table
from tests.log.test_leaving import PAIRS, playing

BOT = identity(77)


def fill(table: LogTable, seat: int, bot: Identity = BOT) -> bodies.FillIn:
    owner = table.replay.roster.seats[table.replay.host].identity
    digest = fill_in_digest(table.replay.table_id, seat, bot.public, owner)
    return bodies.FillIn(seat, bot.public, bot.sign(digest))


@pytest.fixture(scope="module")
def waiting() -> LogTable:
    """Two pairs, of which one is not complete any more."""
    table = new_table(4, PAIRS, rounds=2).run(playing)
    table.drop(3)
    return table.run(lambda each: each.replay.between_rounds)


def test_a_bot_takes_an_empty_chair(waiting: LogTable) -> None:
    table = waiting.fork()
    assert table.say(HOST, fill(table, 3)) == [events.SeatFilled(3, 0)]
    replay = table.replay
    assert (replay.owner_of(3), replay.owners) == (0, (0, 1, 2))
    assert replay.roster.seats[3].bot
    assert replay.roster.seats[3].identity == BOT.public
    assert replay.genesis.read().seats[3].identity == identity(3).public
    assert table.refused(HOST, fill(table, 3, identity(78))) is Refusal.NOT_NOW
    plan = replay.next_plan()
    assert plan is not None
    assert plan.seats == (0, 1, 2, 3)
    table.identities[3] = BOT
    table.run(playing)
    assert not table.log.escrowed
    # Who left takes the seat again, in their own name; the bot plays this round to its end.
    back = table.signed(3, bodies.Return(), by=identity(3))
    assert table.refusal(table.signed(3, bodies.Return())) is Refusal.BAD_SIGNATURE
    table.append(back)
    assert replay.owners == (0, 1, 2, 3)
    table.run(lambda each: each.replay.between_rounds)
    assert replay.roster == replay.genesis.read()
    del table.identities[3]
    table.run()
    assert table.audit().verdict is Verdict.VERIFIED


def test_a_chair_is_empty_again_without_whoever_filled_it(waiting: LogTable) -> None:
    """The seat goes with the owner whose bot plays it."""
    table = waiting.fork()
    table.say(HOST, fill(table, 3))
    table.identities[3] = BOT
    table.run(playing)
    assert table.replay.absence.seats_of(0) == (0, 3)
    table.replay.absence.drop(0, DropReason.LOST, host=1)
    table.replay.absence.settle()
    assert table.replay.absence.filled == {}
    assert table.replay.match.absent == {0, 3}


def test_who_may_not_fill_a_chair(waiting: LogTable) -> None:
    right = fill(waiting, 3)
    for wrong, why in (
        (msgspec.structs.replace(right, signature=bytes(64)), Refusal.BAD_SIGNATURE),
        (msgspec.structs.replace(right, seat=2), Refusal.NOT_NOW),
        (fill(waiting, 3, identity(1)), Refusal.ILLEGAL),
        (msgspec.structs.replace(right, identity=bytes(32)), Refusal.ILLEGAL),
    ):
        assert waiting.refused(HOST, wrong) is why
    table = new_table(4, PAIRS).run(playing)
    table.drop(3)
    assert table.refused(HOST, fill(table, 3)) is Refusal.NOT_NOW
    other = new_table(4, SHORT)
    other.drop(3)
    assert other.refused(HOST, fill(other, 3)) is Refusal.NOT_NOW
