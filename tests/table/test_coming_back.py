"""A seat whose program was killed, whose connection broke, or whose host is another one now."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from lanuno.bots.autoplay import Autoplay
from lanuno.bots.sensible import SensiblePlayer
from lanuno.log import bodies
from lanuno.log.entries import Entry
from lanuno.log.faults import HostFault, Verdict
from lanuno.log.replay import Replay
from lanuno.log.round_record import Phase
from lanuno.log.votes import SignedVote
from lanuno.rules.actions import Action, Challenge, Draw, Play
from lanuno.rules.cards import Rank
from lanuno.rules.engine import Round
from lanuno.rules.view import SeatView
from lanuno.table import messages
from lanuno.table.errors import TableError
from lanuno.table.outputs import (
    ActionRefused,
    CutEntries,
    KeepBody,
    KeepEntry,
    KeepOtherEnd,
    KeepSecret,
    Output,
    Stopped,
    Sync,
)
from lanuno.table.session import Session
from tests.harness.host_and_seats.moving import move
from tests.harness.host_and_seats.players import CROWDED
from tests.harness.host_and_seats.seat_outputs import sent, submitted
from tests.harness.host_and_seats.small_table import (
    Place,
    SmallTable,
    in_phase,
    passes,
    turns,
    unlocking,
)
from tests.harness.log_table.elections import signed_vote
from tests.harness.log_table.following import followed


class Doubter(SensiblePlayer):
    """Plays a Wild Draw Four as soon as it can, and challenges every other one."""

    def choose(self, seen: SeatView) -> Action | None:
        fours = {held.slot for held in seen.hand if held.face.rank is Rank.WILD_DRAW_FOUR}
        for action in seen.legal:
            if isinstance(action, Challenge) or (isinstance(action, Play) and action.slot in fours):
                return action
        return super().choose(seen)


def over(table: SmallTable) -> bool:
    return table.office.replay.closed is not None


def decider_of(table: SmallTable) -> int:
    current = table.office.replay.round
    assert current is not None
    assert isinstance(current.engine, Round)
    assert current.engine.decider is not None
    return current.engine.decider


def vote_of(table: SmallTable, winner: Place, replay: Replay, voter: Place) -> SignedVote:
    return signed_vote(replay, voter.number, winner.number, by=voter.identity)


def election(table: SmallTable, held: Sequence[Entry], winner: int = 2) -> Entry:
    """The first entry of a term behind these entries, with everybody's votes."""
    replay = followed(table.genesis, held)
    place = table.places[winner]
    votes = [vote_of(table, place, replay, each) for each in table.places]
    return replay.elect(votes, replay.times.ms, place.identity)[0]


def elect_somebody(table: SmallTable) -> None:
    """Whoever holds most among a majority of those at the table."""
    voters = table.chance.sample(table.places, table.office.replay.majority)
    winner = max(voters, key=lambda each: (each.up.replay.term, each.up.replay.seq))
    table.elect(winner, voters)


# Whole games; that of seed 1 is ten times as long as the others.
@pytest.mark.parametrize("seed", [0, 2, 3, 4, 5, 6, 7, 8])
def test_whoever_is_killed_at_any_time_goes_on(seed: int) -> None:
    table = SmallTable(3 + seed % 2, seed)
    chance = table.chance
    kills = 0
    while not over(table):
        table.run(lambda each: over(each) or chance.random() < 0.03)
        place = chance.choice(table.places)
        table.kill(place, power=chance.random() < 0.5)
        for _ in range(chance.randrange(20)):
            table.step()
        table.recall(place)
        table.connect(place)
        kills += 1
    assert kills > 5
    table.run()
    assert table.audit().verdict is Verdict.VERIFIED


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
        assert table.audit().verdict is Verdict.VERIFIED
        terms += table.office.replay.term
        cut += sum(len(place.disk.aside) for place in table.places)
    assert terms > 8
    assert cut > 4


def test_an_end_with_a_term_of_its_own_is_given_up_too() -> None:
    """Somebody was elected and lost at once; the others went on with what it had not held."""
    table = SmallTable(4, 5)
    last = table.places[3]
    table.run(lambda each: each.office.replay.number == 1 and each.office.firm > 20)
    table.settle()
    table.disconnect(last)
    short = [*last.up.entries]
    table.run(lambda each: each.office.replay.seq > len(short) + 3)
    table.settle()
    # An election that nobody but its winner ever heard of.
    replay = followed(table.genesis, short)
    votes = [vote_of(table, last, replay, voter) for voter in (last, *table.places[:2])]
    entry, _ = replay.elect(votes, replay.times.ms, last.identity)
    last.up.connected()
    table.do(last, last.up.receive(messages.Entries(len(short), (entry,))))
    last.up.disconnected()
    assert last.up.replay.host == 3
    table.office.replay.term = 1
    table.elect(table.places[0], table.places[:3])
    assert table.office.replay.term == 2
    table.run().settle()
    assert table.audit().verdict is Verdict.VERIFIED
    assert last.disk.aside == [[entry]]


# ---- a program that was killed ------------------------------------------------------------------


MOMENTS: dict[str, tuple[int, Callable[[SmallTable], bool]]] = {
    "dealer: commit": (3, in_phase(0, Phase.COMMIT)),
    "dealer: passes": (3, passes(0, 2)),
    "dealer: reveal": (3, in_phase(0, Phase.REVEAL)),
    "dealer: attest": (3, in_phase(0, Phase.ATTEST)),
    "commit": (3, in_phase(1, Phase.COMMIT)),
    "escrow": (4, in_phase(1, Phase.ESCROW)),
    "masks": (3, passes(1, 1)),
    "locks": (3, passes(1, 4)),
    "keys of the deal": (3, unlocking),
    "play": (3, turns(1)),
    "later in play": (3, turns(4)),
    "reveal": (3, in_phase(1, Phase.REVEAL)),
    "attest": (3, in_phase(1, Phase.ATTEST)),
    "done": (3, in_phase(1, Phase.DONE)),
}


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("settled", [True, False])
def test_everybody_stands_where_they_stood(moment: str, settled: bool) -> None:
    players, reached = MOMENTS[moment]
    table = SmallTable(players, 1).run(reached)
    if settled:
        table.settle()
    for place in table.places:
        before = (place.up.view(), place.up.replay.state(), place.up._sent.counter)
        table.kill(place)
        me = table.recall(place)
        assert (me.view(), me.replay.state()) == before[:2]
        assert me.entries == place.disk.entries
        assert me._sent.counter >= before[2]
        assert not me.caught_up
        with pytest.raises(TableError):
            me.act(Draw())
        assert me.leave() == me.listen(1) == []
        assert submitted(table.connect(place)) == []
    table.run()
    assert table.audit().verdict is Verdict.VERIFIED


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
def test_what_did_not_arrive_is_said_again_with_the_same_bytes(
    kind: type[bodies.Payload], killed: bool
) -> None:
    table = SmallTable(4, 2)
    lost: list[tuple[int, int]] = []

    def deaf(seat: int, body: bodies.Body) -> bool:
        if lost or not isinstance(body.payload, kind) or body.round != 1:
            return False
        lost.append((seat, body.counter))
        return True

    table.deaf = deaf
    table.run(lambda _: bool(lost))
    seat, counter = lost[0]
    place = table.places[seat]
    if killed:
        table.kill(place)
        table.recall(place)
    else:
        table.disconnect(place)
    place.done.clear()
    table.connect(place)
    table.run(lambda _: bool(submitted(place.done)))
    again = submitted(place.done)[0]
    assert again.counter == counter
    assert isinstance(again.payload, kind)
    assert not any(isinstance(each, KeepBody | KeepSecret) for each in place.done)
    table.run()
    assert table.audit().verdict is Verdict.VERIFIED
    taken = [entry.read().signed_body.read() for entry in table.journal]
    assert [(each.author, each.counter) for each in taken].count((seat, counter)) == 1


def test_a_hand_that_was_shown_is_still_known() -> None:
    table = SmallTable(3, 1, CROWDED)
    for place in table.places:
        place.player = Doubter(table.chance)
        place.hand = Autoplay(place.up, place.player)

    def shown(each: SmallTable) -> bool:
        current = each.office.replay.round
        return current is not None and bool(current.shown)

    table.run(shown)
    table.settle()
    current = table.office.replay.round
    assert current is not None
    place = table.places[current.shown[-1].to]
    seen = place.up.view()
    assert seen is not None
    assert seen.seen
    table.kill(place)
    assert table.recall(place).view() == seen


def test_without_its_private_file_a_seat_does_no_harm() -> None:
    """It cannot read its cards or give its keys: it waits, and does not fall over."""
    table = SmallTable(3, 3).run(turns(1)).settle()
    place = table.places[1]
    table.kill(place)
    current = table.office.replay.round
    assert current is not None
    seeds = place.disk.seeds[1]
    place.disk.seeds[1] = {at: seeds[at] for at in seeds if at[0] != current.open_hash}
    assert place.disk.seeds[1], "those of the round before are no help"
    me = table.recall(place)
    place.done.clear()
    table.connect(place)
    table.settle()
    assert me.caught_up
    assert not me.to_move
    view = me.view()
    assert view is not None
    assert view.hand == ()
    table.run(lambda each: 1 in each.office.replay.dropped)
    assert submitted(place.done) == []


def test_what_was_kept_and_is_no_log_is_told() -> None:
    table = SmallTable(3, 1).run(lambda each: len(each.journal) > 8)
    place = table.places[1]
    table.kill(place)
    del place.disk.entries[2]
    with pytest.raises(HostFault):
        table.recall(place)


# ---- another host -------------------------------------------------------------------------------


def test_an_election_that_passes_over_firm_entries_is_not_followed() -> None:
    table = SmallTable(3, 1).run(lambda each: each.office.firm > 9).settle()
    me, short = table.places[1], table.journal[:5]
    held = list(me.up.entries)
    entry = election(table, short)
    out = me.up.receive(messages.Entries(5, (entry,)))
    assert [type(each) for each in out] == [KeepOtherEnd, Stopped]
    assert out[0] == KeepOtherEnd(5, (entry,)), "what the others go on with is evidence"
    assert isinstance(out[1], Stopped)
    assert out[1].given_up
    assert me.up.entries == held
    assert me.up.connected() == []
    assert me.up.receive(messages.Entries(len(held), ())) == []


def test_an_election_that_is_none_gives_nothing_up() -> None:
    table = SmallTable(3, 1).run(lambda each: len(each.journal) > 12)
    place = table.places[1]
    table.kill(place)
    me = table.recall(place)
    held = list(me.entries)
    entry = election(table, held[:-1])
    me.connected()
    out = me.receive(messages.Entries(len(held) - 1, (Entry(entry.core, bytes(64)),)))
    assert [type(each) for each in out] == [KeepEntry, Stopped]
    assert me.entries == held


def test_an_end_of_an_earlier_term_is_not_taken_for_a_later_one() -> None:
    table = SmallTable(3, 1).run(lambda each: len(each.journal) > 12).settle()
    first = table.journal[10:]
    place = table.places[1]
    entry = election(table, table.journal[:10])
    me = Session(table.genesis, place.identity, bytes)
    me.connected()
    me.receive(messages.Entries(0, (*table.journal[:10], entry)))
    assert me.replay.term == 1
    assert sent(me.receive(messages.Entries(11, (first[1],)))) == [messages.Fetch(10)]
    assert sent(me.receive(messages.Entries(10, tuple(first[:2])))) == [messages.Fetch(12)]
    assert me.receive(messages.Entries(99, tuple(first[:2]))) == []
    out = me.receive(messages.Entries(12, ()))
    assert [type(each) for each in out] == [KeepEntry, Stopped]


def acts(out: list[Output]) -> list[bodies.Body]:
    return [each for each in submitted(out) if isinstance(each.payload, bodies.Act)]


def acted_twice(seed: int) -> tuple[SmallTable, Place, int] | None:
    """Somebody plays, and the next one answers it; and so many entries before both."""
    table = SmallTable(3, seed).run(turns(2)).settle()
    before, first = len(table.journal), decider_of(table)
    table.run(lambda each: len(each.journal) > before)
    place = table.places[decider_of(table)]
    while place.to_seat:
        table.deliver(place)
    if place.number == first or not place.up.to_move or place.hand is None:
        return None
    place.done.clear()
    table.do(place, move(place.hand))
    return (table, place, before) if acts(place.done) else None


def rewound(table: SmallTable, place: Place, count: int, *, same: bool = False) -> list[Output]:
    """What a session says when the others have given up everything from a number on.

    `same`: the new host has taken the first body of the end that was given up.
    """
    winner = table.places[(place.number + 1) % 3]
    place.up.firm = min(place.up.firm, count)
    replay = followed(table.genesis, table.journal[:count])
    votes = [vote_of(table, winner, replay, each) for each in table.places]
    news = [replay.elect(votes, replay.times.ms, winner.identity)[0]]
    if same:
        body = table.journal[count].read().signed_body
        news.append(replay.append(body, replay.times.ms, winner.identity)[0])
    place.up.disconnected()
    place.up.connected()
    out = place.up.receive(messages.Entries(count, tuple(news)))
    assert CutEntries(count) in out
    assert Sync(count + len(news), 1) in out
    assert submitted(out) == []
    out = place.up.receive(messages.Entries(count + len(news), ()))
    assert place.up.caught_up
    told = [each.count for each in sent(out) if isinstance(each, messages.Ack)]
    assert all(each <= count for each in told), "of the other end nothing is on the disk yet"
    return out


@pytest.mark.parametrize("same", [False, True])
def test_an_act_is_not_signed_for_a_situation_that_its_player_did_not_see(same: bool) -> None:
    """Decisions are counted: after a cut the same number may ask for something else."""
    found = next(each for seed in range(20) if (each := acted_twice(seed)) is not None)
    table, place, before = found
    out = rewound(table, place, before, same=same)
    assert acts(out) == []
    assert any(isinstance(each, ActionRefused) for each in out)


def test_an_act_is_signed_anew_where_its_situation_is_still_there() -> None:
    table = SmallTable(3, 1).run(turns(2)).settle()
    before = len(table.journal)
    place = table.places[decider_of(table)]
    other = table.places[(place.number + 1) % 3]
    table.do(other, other.up.listen(4711))
    table.settle()
    assert len(table.journal) == before + 1
    assert place.hand is not None
    place.done.clear()
    table.do(place, move(place.hand))
    [act] = acts(place.done)
    [again] = acts(rewound(table, place, before))
    assert again.payload == act.payload
    assert again.counter > act.counter
    assert again.head != act.head


def test_what_was_in_a_cut_end_comes_again_with_the_same_bytes() -> None:
    table = SmallTable(3, 1).run(turns(2)).settle()
    before = len(table.journal)
    place = table.places[decider_of(table)]
    assert place.hand is not None
    place.done.clear()
    table.do(place, move(place.hand))
    table.settle()
    assert len(table.journal) > before
    [act] = acts(place.done)
    [again] = acts(rewound(table, place, before))
    assert again == act
    # The secrets of this round are not forgotten with the end.
    assert place.up.view() is not None
    assert place.up.to_move


def test_work_that_ends_while_there_is_no_host_is_done_again_later() -> None:
    table = SmallTable(3, 1).run(lambda each: any(place.jobs for place in each.places))
    place = next(place for place in table.places if place.jobs)
    job = place.jobs.popleft()
    table.disconnect(place)
    assert place.up.computed(job.job, job.work()) == []
    table.connect(place)
    table.run()
    assert table.audit().verdict is Verdict.VERIFIED


@pytest.mark.parametrize("comes_back", [True, False])
def test_no_round_is_begun_while_somebody_is_waited_for(comes_back: bool) -> None:
    """Whoever is lost between two rounds plays the next one, or leaves nothing half played."""
    table = SmallTable(3, 1).run(in_phase(0, Phase.DONE))
    place = table.places[2]
    table.kill(place)
    table.settle()
    now, office = table.now, table.office
    assert office.firm == office.replay.seq
    assert office.replay.between_rounds
    assert office.deadline == pytest.approx(now + 60.0, abs=0.1)
    if comes_back:
        table.recall(place)
        table.connect(place)
    table.run(in_phase(1, Phase.PLAY))
    playing = office.replay.round
    assert playing is not None
    assert playing.seats == ((0, 1, 2) if comes_back else (0, 1))
    assert (table.now < now + 1.0) == comes_back
    table.run()
    assert [each.void for each in office.replay.summaries] == [None, None]
