"""The sessions of a bot that stands in for a seat, and of the seat's owner meanwhile."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, MAX_COUNTER, DropReason
from lanuno.log.replay.due_steps import AutomaticStepKind, automatic_steps
from lanuno.rules.engine.actions import Draw
from lanuno.table import messages
from lanuno.table.errors import TableError
from lanuno.table.outputs import Output, RunJob, StoreBody, StoreSeed, SyncJournal
from lanuno.table.recovery import RecoveredSeat, RecoveredState
from lanuno.table.replica.seat import SeatSession
from tests.harness.host_and_seats.one_seat import one_seat
from tests.harness.host_and_seats.seat_outputs import submitted
from tests.harness.log_table.elections import votes
from tests.harness.log_table.filling import BOT, fill_in_payload, incomplete_pairs
from tests.harness.log_table.log_table import LogTable, identity
from tests.harness.log_table.moments import playing


@pytest.fixture(scope="module")
def waiting() -> LogTable:
    """Return a table of two pairs, one of which has lost a player."""
    return incomplete_pairs()


def tell(session: SeatSession, table: LogTable) -> Sequence[Output]:
    """Feed a session all new entries, all of them final, and return its outputs."""
    first = session.replay.seq
    out = session.replica.receive(messages.Entries(first, tuple(table.entries[first:])))
    out += session.replica.certified(len(table.entries))
    for output in list(out):
        if isinstance(output, RunJob):
            out += session.job_done(output.job, output.work())
    return out


def here(session: SeatSession, table: LogTable) -> SeatSession:
    """Return this session after it has caught up with a table."""
    session.replica.connected()
    tell(session, table)
    session.replica.receive(messages.Entries(len(table.entries), ()))
    assert session.replica.caught_up
    return session


def seat_of(session: SeatSession) -> int | None:
    """Return the seat that the session now has."""
    return session.seat


def entropy(count: int) -> bytes:
    return b"e" * count


def bot_of(table: LogTable, recovered: RecoveredState | None = None) -> SeatSession:
    return one_seat(table.genesis, BOT, entropy, recovered, stand_in=True)


def test_a_node_without_a_seat_plays_only_as_a_stand_in(waiting: LogTable) -> None:
    with pytest.raises(TableError):
        one_seat(waiting.genesis, BOT, entropy)
    bot = here(bot_of(waiting), waiting)
    assert seat_of(bot) is None
    assert bot.leave() == bot.take_seat_again() == bot.listen(4711) == []
    with pytest.raises(TableError):
        bot.act(Draw())


def test_it_plays_from_when_the_log_says_so_until_the_seat_is_taken_again(
    waiting: LogTable,
) -> None:
    table = waiting.fork()
    bot, person = here(bot_of(table), table), one_seat(table.genesis, identity(3), entropy)
    here(person, table)
    table.add(HOST, fill_in_payload(table, 3))
    assert submitted(tell(bot, table)) == []
    tell(person, table)
    assert (bot.seat, person.seat) == (3, 3)
    table.identities[3] = BOT
    # The next round asks the bot for its part, and not the player.
    table.run(lambda each: not each.replay.between_rounds)
    out = tell(bot, table)
    [commit] = submitted(out)
    assert isinstance(commit.payload, bodies.Commit)
    assert (commit.author, len([each for each in out if isinstance(each, StoreSeed)])) == (3, 2)
    assert submitted(tell(person, table)) == []
    assert bot.take_seat_again() == [], "it only fills in"
    assert bot.leave() != []
    # The player has returned to the table, and waits for the round to end.
    [back] = submitted(person.take_seat_again())
    assert back.payload == bodies.Return()
    table.append(person_signed(person))
    table.run(playing)
    assert submitted(tell(person, table)) == []
    assert person.leave() == person.listen(4711) == []
    assert not person.to_move
    view = person.view()
    assert view is not None
    assert view.seat is None
    tell(bot, table)
    assert seat_of(bot) == 3
    table.run(lambda each: each.replay.between_rounds)
    del table.identities[3]
    assert submitted(tell(bot, table)) == []
    assert seat_of(bot) is None
    tell(person, table)
    assert submitted(person.leave())[0].payload == bodies.Leave()


def test_a_counter_used_by_a_stand_in_does_not_lock_the_player_out(waiting: LogTable) -> None:
    """A bot of a dishonest host has used the last possible counter."""
    table = waiting.fork()
    person = here(one_seat(table.genesis, identity(3), entropy), table)
    table.add(HOST, fill_in_payload(table, 3))
    table.identities[3] = BOT
    table.run(lambda each: (AutomaticStepKind.COMMIT, 3) in dues(each))
    table.append(table.signed(3, table.commit(3), counter=MAX_COUNTER))
    tell(person, table)
    [back] = submitted(out := person.take_seat_again())
    assert back.payload == bodies.Return()
    signed = {each.counter: each.signed for each in out if isinstance(each, StoreBody)}
    recovered = RecoveredState(table.genesis, tuple(table.entries), {3: RecoveredSeat({}, signed)})
    one_seat(table.genesis, identity(3), entropy, recovered)
    table.append(person_signed(person))


def dues(table: LogTable) -> list[tuple[AutomaticStepKind, int]]:
    return [(due.kind, due.seat) for due in automatic_steps(table.replay)]


def test_nothing_is_signed_beyond_the_highest_counter(waiting: LogTable) -> None:
    table = waiting.fork()
    recovered = RecoveredState(table.genesis, (), {2: RecoveredSeat(next_counter=MAX_COUNTER)})
    person = here(one_seat(table.genesis, identity(2), entropy, recovered), table)
    assert submitted(person.listen(4711))[0].counter == MAX_COUNTER
    assert person.leave() == []


def person_signed(person: SeatSession) -> bodies.SignedBody:
    """Return the last body that the player's session signed."""
    [*_, (_, last)] = person._sent.under_way(person.replay, 3)
    return last.signed


def test_it_comes_back_with_what_it_kept(waiting: LogTable) -> None:
    table = waiting.fork()
    bot = here(bot_of(table), table)
    table.add(HOST, fill_in_payload(table, 3))
    table.identities[3] = BOT
    table.run(lambda each: not each.replay.between_rounds)
    out = tell(bot, table)
    [commit] = submitted(out)
    seeds = {(each.open, each.label): each.secret for each in out if isinstance(each, StoreSeed)}
    signed = {each.counter: each.signed for each in out if isinstance(each, StoreBody)}
    kept = RecoveredSeat(seeds, signed, 1000)
    recovered = RecoveredState(table.genesis, tuple(table.entries), {3: kept})
    again = bot_of(table, recovered)
    assert again.seat == 3
    again.replica.connected()
    out = again.replica.receive(messages.Entries(len(table.entries), ()))
    assert submitted(out) == [commit]
    assert not [each for each in out if isinstance(each, StoreBody | StoreSeed)]
    assert SyncJournal(len(table.entries), 0) in out
    [later] = submitted(again.leave())
    assert later.counter >= 1000


def test_a_seat_is_given_up_with_the_end_that_gave_it(waiting: LogTable) -> None:
    table, other = waiting.fork(), waiting.fork()
    bot = here(bot_of(table), table)
    table.add(HOST, fill_in_payload(table, 3))
    tell(bot, table)
    assert seat_of(bot) == 3
    bot.replica.final_count = len(other.entries)
    entry, _ = other.replay.elect(votes(other, 0, 1), other.replay.times.ms, identity(1))
    other.entries.append(entry)
    bot.replica.disconnected()
    bot.replica.connected()
    bot.replica.receive(messages.Entries(len(other.entries) - 1, (entry,)))
    assert bot.replica.stopped is None
    assert seat_of(bot) is None
    assert bot.replay.term == 1


def test_a_dropped_bot_of_ones_own_comes_back_in_its_own_name(waiting: LogTable) -> None:
    table = waiting.fork()
    person = here(one_seat(table.genesis, identity(3), entropy), table)
    assert table.replay.dropped == {3: DropReason.LOST}
    assert [each.payload for each in submitted(person.take_seat_again())] == [bodies.Return()]
    assert person.take_seat_again() == [], "it is on its way"
    table.append(person_signed(person))
    tell(person, table)
    # A player dropped a second time may return a second time.
    table.drop(3)
    tell(person, table)
    assert len(submitted(person.take_seat_again())) == 1
