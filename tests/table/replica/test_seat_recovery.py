"""A seat after its program was killed, its connection broke, or another host was elected."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from lanuno.bots.autoplay import Autoplay
from lanuno.bots.sensible import SensiblePlayer
from lanuno.log.faults import AuditVerdict, HostFault
from lanuno.log.format import bodies
from lanuno.log.format.entries import Entry
from lanuno.log.format.votes import SignedVote
from lanuno.log.replay.replay import Replay
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.cards import Rank
from lanuno.rules.engine.actions import Action, Challenge, Draw, Play
from lanuno.rules.engine.round import Round
from lanuno.rules.view import SeatView
from lanuno.table import messages
from lanuno.table.errors import TableError
from lanuno.table.outputs import (
    ActionRefused,
    AppendEntry,
    EntriesOnDisk,
    NodeStopped,
    Output,
    StoreBody,
    StoreOtherEnd,
    StoreSeed,
    SyncJournal,
    TruncateJournal,
)
from tests.harness.host_and_seats.moving import act_now
from tests.harness.host_and_seats.one_seat import one_seat
from tests.harness.host_and_seats.players import CROWDED
from tests.harness.host_and_seats.seat_outputs import sent_to_host, submitted
from tests.harness.host_and_seats.small_table import (
    SmallTable,
    SmallTableSeat,
    in_phase,
    passes,
    turns,
    unlocking,
)
from tests.harness.log_table.elections import signed_vote
from tests.harness.log_table.replaying import replayed


class Doubter(SensiblePlayer):
    """A player that plays a Wild Draw Four when it can, and challenges every other one."""

    def choose(self, seen: SeatView) -> Action | None:
        fours = {held.slot for held in seen.hand if held.face.rank is Rank.WILD_FOUR}
        for action in seen.legal:
            if isinstance(action, Challenge) or (isinstance(action, Play) and action.slot in fours):
                return action
        return super().choose(seen)


def over(table: SmallTable) -> bool:
    return table.host_role.replay.closed is not None


def decider_of(table: SmallTable) -> int:
    current = table.host_role.replay.round
    assert current is not None
    assert isinstance(current.engine, Round)
    assert current.engine.decider is not None
    return current.engine.decider


def vote_of(
    table: SmallTable, winner: SmallTableSeat, replay: Replay, voter: SmallTableSeat
) -> SignedVote:
    return signed_vote(replay, voter.number, winner.number, by=voter.identity)


def election(table: SmallTable, held: Sequence[Entry], winner: int = 2) -> Entry:
    """Return the first entry of a new term after these entries, with the votes of all seats."""
    replay = replayed(table.genesis, held)
    place = table.seats[winner]
    votes = [vote_of(table, place, replay, each) for each in table.seats]
    return replay.elect(votes, replay.times.ms, place.identity)[0]


def elect_somebody(table: SmallTable) -> None:
    """Elect the seat with the longest log among a random majority of the owners that count."""
    voters = table.chance.sample(table.seats, table.host_role.replay.majority)
    winner = max(voters, key=lambda each: (each.running.replay.term, each.running.replay.seq))
    table.elect(winner, voters)


# Whole games; seed 1 is left out, because its game is ten times as long as the others.
@pytest.mark.parametrize("seed", [0, 2, 3, 4, 5, 6, 7, 8])
def test_a_seat_killed_at_any_time_goes_on(seed: int) -> None:
    table = SmallTable(3 + seed % 2, seed)
    chance = table.chance
    kills = 0
    while not over(table):
        table.run(lambda each: over(each) or chance.random() < 0.03)
        place = chance.choice(table.seats)
        table.kill(place, power=chance.random() < 0.5)
        for _ in range(chance.randrange(20)):
            table.step()
        table.restart(place)
        table.connect(place)
        kills += 1
    assert kills > 5
    table.run()
    assert table.audit().verdict is AuditVerdict.VERIFIED


@pytest.mark.parametrize("first", [0, 4])
def test_everybody_goes_on_under_another_host(first: int) -> None:
    cut = terms = 0
    for seed in range(first, first + 4):
        table = SmallTable(3 + seed % 2, seed)
        while not over(table):
            table.run(lambda each: over(each) or each.chance.random() < 0.015)
            if not over(table):
                elect_somebody(table)
        table.run()
        assert table.audit().verdict is AuditVerdict.VERIFIED
        terms += table.host_role.replay.term
        cut += sum(len(place.disk.aside) for place in table.seats)
    assert terms > 8
    assert cut > 4


def test_an_end_with_a_term_of_its_own_is_given_up_too() -> None:
    """A host was elected and lost immediately; the others continued with a log it had not held."""
    table = SmallTable(4, 5)
    last = table.seats[3]
    table.run(lambda each: each.host_role.replay.number == 1 and each.host_role.final_count > 20)
    table.settle()
    table.disconnect(last)
    short = [*last.running.replica.entries]
    table.run(lambda each: each.host_role.replay.seq > len(short) + 3)
    table.settle()
    # Only the winner of this election ever knew of it.
    replay = replayed(table.genesis, short)
    votes = [vote_of(table, last, replay, voter) for voter in (last, *table.seats[:2])]
    entry, _ = replay.elect(votes, replay.times.ms, last.identity)
    last.running.replica.connected()
    table.do(last, last.running.replica.receive(messages.Entries(len(short), (entry,))))
    last.running.replica.disconnected()
    assert last.running.replay.host == 3
    table.host_role.replay.term = 1
    table.elect(table.seats[0], table.seats[:3])
    assert table.host_role.replay.term == 2
    table.run().settle()
    assert table.audit().verdict is AuditVerdict.VERIFIED
    assert last.disk.aside == [[entry]]


# ---- a program that was killed ------------------------------------------------------------------


MOMENTS: dict[str, tuple[int, Callable[[SmallTable], bool]]] = {
    "dealer: commit": (3, in_phase(0, ProtocolPhase.COMMIT)),
    "dealer: passes": (3, passes(0, 2)),
    "dealer: reveal": (3, in_phase(0, ProtocolPhase.REVEAL)),
    "dealer: attest": (3, in_phase(0, ProtocolPhase.ATTEST)),
    "commit": (3, in_phase(1, ProtocolPhase.COMMIT)),
    "escrow": (4, in_phase(1, ProtocolPhase.ESCROW)),
    "masks": (3, passes(1, 1)),
    "locks": (3, passes(1, 4)),
    "keys of the deal": (3, unlocking),
    "play": (3, turns(1)),
    "later in play": (3, turns(2)),
    "reveal": (3, in_phase(1, ProtocolPhase.REVEAL)),
    "attest": (3, in_phase(1, ProtocolPhase.ATTEST)),
    "done": (3, in_phase(1, ProtocolPhase.DONE)),
}


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("settled", [True, False])
def test_everybody_stands_where_they_stood(moment: str, settled: bool) -> None:
    players, reached = MOMENTS[moment]
    table = SmallTable(players, 1).run(reached)
    if settled:
        table.settle()
    for place in table.seats:
        before = (place.running.view(), place.running.replay.state(), place.running._sent.counter)
        table.kill(place)
        me = table.restart(place)
        assert (me.view(), me.replay.state()) == before[:2]
        assert me.replica.entries == place.disk.entries
        assert me._sent.counter >= before[2]
        assert not me.replica.caught_up
        with pytest.raises(TableError):
            me.act(Draw())
        assert me.leave() == me.listen(1) == []
        assert submitted(table.connect(place)) == []
    table.run()
    assert table.audit().verdict is AuditVerdict.VERIFIED


LOST = [
    bodies.Commit,
    bodies.Escrow,
    bodies.Pass,
    bodies.Unlock,
    bodies.Act,
    bodies.Reveal,
    bodies.Attest,
]


@pytest.mark.parametrize("kind", LOST)
@pytest.mark.parametrize("killed", [True, False])
def test_a_lost_body_is_sent_again_with_the_same_bytes(
    kind: type[bodies.Payload], killed: bool
) -> None:
    table = SmallTable(4, 2)
    lost: list[tuple[int, int]] = []

    def deaf(seat: int, body: bodies.Body) -> bool:
        if lost or not isinstance(body.payload, kind) or body.round != 1:
            return False
        lost.append((seat, body.counter))
        return True

    table.loses = deaf
    table.run(lambda _: bool(lost))
    seat, counter = lost[0]
    place = table.seats[seat]
    if killed:
        table.kill(place)
        table.restart(place)
    else:
        table.disconnect(place)
    place.outputs_done.clear()
    table.connect(place)
    table.run(lambda _: bool(submitted(place.outputs_done)))
    again = submitted(place.outputs_done)[0]
    assert again.counter == counter
    assert isinstance(again.payload, kind)
    assert not any(isinstance(each, StoreBody | StoreSeed) for each in place.outputs_done)
    table.run()
    assert table.audit().verdict is AuditVerdict.VERIFIED
    taken = [entry.read().signed_body.read() for entry in table.journal]
    assert [(each.author, each.counter) for each in taken].count((seat, counter)) == 1


def test_a_hand_that_was_shown_is_still_known() -> None:
    table = SmallTable(3, 1, CROWDED)
    for place in table.seats:
        place.player = Doubter(table.chance)
        place.autoplay = Autoplay(place.running, place.player)

    def shown(each: SmallTable) -> bool:
        current = each.host_role.replay.round
        return current is not None and bool(current.shown)

    table.run(shown)
    table.settle()
    current = table.host_role.replay.round
    assert current is not None
    place = table.seats[current.shown[-1].to]
    seen = place.running.view()
    assert seen is not None
    assert seen.seen
    table.kill(place)
    assert table.restart(place).view() == seen


def test_a_seat_without_its_private_file_waits_and_sends_nothing() -> None:
    """It cannot read its cards or release its keys; it waits, and does not crash."""
    table = SmallTable(3, 3).run(turns(1)).settle()
    place = table.seats[1]
    table.kill(place)
    current = table.host_role.replay.round
    assert current is not None
    seeds = place.disk.seeds[1]
    place.disk.seeds[1] = {at: seeds[at] for at in seeds if at[0] != current.open_hash}
    assert place.disk.seeds[1], "those of the round before are no help"
    me = table.restart(place)
    place.outputs_done.clear()
    table.connect(place)
    table.settle()
    assert me.replica.caught_up
    assert not me.to_move
    view = me.view()
    assert view is not None
    assert view.hand == ()
    table.run(lambda each: 1 in each.host_role.replay.dropped)
    assert submitted(place.outputs_done) == []


def test_a_stored_log_with_a_gap_raises_a_host_fault() -> None:
    table = SmallTable(3, 1).run(lambda each: len(each.journal) > 8)
    place = table.seats[1]
    table.kill(place)
    del place.disk.entries[2]
    with pytest.raises(HostFault):
        table.restart(place)


# ---- another host -------------------------------------------------------------------------------


def test_an_election_that_passes_over_final_entries_is_not_followed() -> None:
    table = SmallTable(3, 1).run(lambda each: each.host_role.final_count > 9).settle()
    me, short = table.seats[1], table.journal[:5]
    held = list(me.running.replica.entries)
    entry = election(table, short)
    out = me.running.replica.receive(messages.Entries(5, (entry,)))
    assert [type(each) for each in out] == [StoreOtherEnd, NodeStopped]
    assert out[0] == StoreOtherEnd(5, (entry,)), "what the others go on with is evidence"
    assert isinstance(out[1], NodeStopped)
    assert out[1].given_up
    assert me.running.replica.entries == held
    assert me.running.replica.connected() == []
    assert me.running.replica.receive(messages.Entries(len(held), ())) == []


def test_an_invalid_election_truncates_nothing() -> None:
    table = SmallTable(3, 1).run(lambda each: len(each.journal) > 12)
    place = table.seats[1]
    table.kill(place)
    me = table.restart(place)
    held = list(me.replica.entries)
    entry = election(table, held[:-1])
    me.replica.connected()
    out = me.replica.receive(messages.Entries(len(held) - 1, (Entry(entry.core, bytes(64)),)))
    assert [type(each) for each in out] == [AppendEntry, NodeStopped]
    assert me.replica.entries == held


def test_an_end_of_an_earlier_term_is_not_taken_for_a_later_one() -> None:
    table = SmallTable(3, 1).run(lambda each: len(each.journal) > 12).settle()
    first = table.journal[10:]
    place = table.seats[1]
    entry = election(table, table.journal[:10])
    me = one_seat(table.genesis, place.identity, bytes)
    me.replica.connected()
    me.replica.receive(messages.Entries(0, (*table.journal[:10], entry)))
    assert me.replay.term == 1
    assert sent_to_host(me.replica.receive(messages.Entries(11, (first[1],)))) == [
        messages.Fetch(10)
    ]
    assert sent_to_host(me.replica.receive(messages.Entries(10, tuple(first[:2])))) == [
        messages.Fetch(12)
    ]
    assert me.replica.receive(messages.Entries(99, tuple(first[:2]))) == []
    out = me.replica.receive(messages.Entries(12, ()))
    assert [type(each) for each in out] == [AppendEntry, NodeStopped]


def acts(out: Sequence[Output]) -> list[bodies.Body]:
    return [each for each in submitted(out) if isinstance(each.payload, bodies.Act)]


def acted_twice(seed: int) -> tuple[SmallTable, SmallTableSeat, int] | None:
    """Let a player act and the next one answer; return the number of entries before both."""
    table = SmallTable(3, seed).run(turns(2)).settle()
    before, first = len(table.journal), decider_of(table)
    table.run(lambda each: len(each.journal) > before)
    place = table.seats[decider_of(table)]
    while place.to_seat:
        table.deliver(place)
    if place.number == first or not place.running.to_move or place.autoplay is None:
        return None
    place.outputs_done.clear()
    table.do(place, act_now(place.autoplay))
    return (table, place, before) if acts(place.outputs_done) else None


def rewound(
    table: SmallTable, place: SmallTableSeat, count: int, *, same: bool = False
) -> Sequence[Output]:
    """Return a session's outputs when a new host discards all entries from `count` on.

    `same`: the new host has accepted the first body of the discarded end.
    """
    winner = table.seats[(place.number + 1) % 3]
    place.running.replica.final_count = min(place.running.replica.final_count, count)
    replay = replayed(table.genesis, table.journal[:count])
    votes = [vote_of(table, winner, replay, each) for each in table.seats]
    news = [replay.elect(votes, replay.times.ms, winner.identity)[0]]
    if same:
        body = table.journal[count].read().signed_body
        news.append(replay.append(body, replay.times.ms, winner.identity)[0])
    place.running.replica.disconnected()
    place.running.replica.connected()
    out = place.running.replica.receive(messages.Entries(count, tuple(news)))
    assert TruncateJournal(count) in out
    assert SyncJournal(count + len(news), 1) in out
    assert submitted(out) == []
    out = place.running.replica.receive(messages.Entries(count + len(news), ()))
    assert place.running.replica.caught_up
    told = [each.count for each in out if isinstance(each, EntriesOnDisk)]
    assert all(each <= count for each in told), "of the other end nothing is on the disk yet"
    return out


@pytest.mark.parametrize("same", [False, True])
def test_an_act_is_not_signed_for_a_situation_that_its_player_did_not_see(same: bool) -> None:
    """Decisions are numbered: after a fork the same number may ask for something else."""
    found = next(each for seed in range(20) if (each := acted_twice(seed)) is not None)
    table, place, before = found
    out = rewound(table, place, before, same=same)
    assert acts(out) == []
    assert any(isinstance(each, ActionRefused) for each in out)


def test_an_act_is_signed_anew_where_its_situation_is_still_there() -> None:
    table = SmallTable(3, 1).run(turns(2)).settle()
    before = len(table.journal)
    place = table.seats[decider_of(table)]
    other = table.seats[(place.number + 1) % 3]
    table.do(other, other.running.listen(4711))
    table.settle()
    assert len(table.journal) == before + 1
    assert place.autoplay is not None
    place.outputs_done.clear()
    table.do(place, act_now(place.autoplay))
    [act] = acts(place.outputs_done)
    [again] = acts(rewound(table, place, before))
    assert again.payload == act.payload
    assert again.counter > act.counter
    assert again.head != act.head


def test_a_body_from_a_discarded_end_is_sent_again_with_the_same_bytes() -> None:
    table = SmallTable(3, 1).run(turns(2)).settle()
    before = len(table.journal)
    place = table.seats[decider_of(table)]
    assert place.autoplay is not None
    place.outputs_done.clear()
    table.do(place, act_now(place.autoplay))
    table.settle()
    assert len(table.journal) > before
    [act] = acts(place.outputs_done)
    [again] = acts(rewound(table, place, before))
    assert again == act
    # The secrets of this round are kept although the end of the log is discarded.
    assert place.running.view() is not None
    assert place.running.to_move


def test_work_that_ends_while_there_is_no_host_is_done_again_later() -> None:
    table = SmallTable(3, 1).run(lambda each: any(place.jobs for place in each.seats))
    place = next(place for place in table.seats if place.jobs)
    job = place.jobs.popleft()
    table.disconnect(place)
    assert place.running.job_done(job.job, job.work()) == []
    table.connect(place)
    table.run()
    assert table.audit().verdict is AuditVerdict.VERIFIED


@pytest.mark.parametrize("comes_back", [True, False])
def test_no_round_begins_while_a_seat_is_awaited(comes_back: bool) -> None:
    """A seat lost between two rounds plays the next one, or leaves no round half played."""
    table = SmallTable(3, 1).run(in_phase(0, ProtocolPhase.DONE))
    place = table.seats[2]
    table.kill(place)
    table.settle()
    now, host_role = table.now, table.host_role
    assert host_role.final_count < host_role.replay.seq, "nothing is final without that seat"
    assert host_role.replay.between_rounds
    assert host_role.deadline == pytest.approx(now + 60.0, abs=0.1)
    if comes_back:
        table.restart(place)
        table.connect(place)
    table.run(in_phase(1, ProtocolPhase.PLAY))
    playing = host_role.replay.round
    assert playing is not None
    assert playing.seats == ((0, 1, 2) if comes_back else (0, 1))
    assert (table.now < now + 1.0) == comes_back
    table.run()
    assert [each.void for each in host_role.replay.summaries] == [None, None]
