"""Time in the log: it never goes back, and no decision is timed out too early."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.log.faults import BodyRefused, Check, Fault, HostFault, RefusalReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, DropReason, Payload
from lanuno.log.format.entries import sign_entry
from lanuno.log.format.genesis import Genesis, sign_roster
from lanuno.log.format.limits import MAX_ENTRIES
from lanuno.log.replay.times import (
    AUTOMATIC_ANSWER_MS,
    AUTOPILOT_AFTER,
    AUTOPILOT_MS,
    DEAL_MS,
    MAX_GAP_MS,
    TimedDecision,
    Times,
)
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine.actions import Accuse, Action, Draw, Keep, Show
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.ruleset import Manners, Ruleset
from tests.harness.log_table.challenges import challenged
from tests.harness.log_table.elections import elect
from tests.harness.log_table.filling import BOT, fill_in_payload, fork_with_bot
from tests.harness.log_table.leaving import PAIRS
from tests.harness.log_table.log_table import (
    LogTable,
    before_colours,
    identity,
    make_genesis,
    make_roster,
    new_table,
    nonce,
)
from tests.harness.log_table.moments import deciding, playing


def taken_at(table: LogTable, payload: Payload, ms: int) -> bool:
    """Whether an honest host writes this entry; check that other nodes agree."""
    signed = table.signed(HOST, payload)
    other = table.fork()
    try:
        entry, _ = table.fork().replay.append(signed, ms, table.host)
    except BodyRefused:
        entry = table.entry(signed, ms=ms)
        try:
            other.replay.follow(entry)
        except HostFault as fault:
            assert (fault.blame.seat, fault.blame.fault) == (table.replay.host, Fault.BAD_ORDER)
            return False
        raise AssertionError("other nodes accept what the host refuses") from None
    other.replay.follow(entry)
    return True


def test_a_drop_with_the_reason_left_requires_a_leave() -> None:
    table = new_table(3).run(deciding)
    ms = table.entries[-1].read().ms
    assert not taken_at(table, bodies.Drop(1, DropReason.LEFT), ms)
    table.add(1, bodies.Leave())
    assert taken_at(table, bodies.Drop(1, DropReason.LEFT), ms + 10)


def test_no_turn_is_timed_out_before_its_time() -> None:
    table = new_table(3).run(deciding)
    ms = table.entries[-1].read().ms
    assert not taken_at(table, bodies.TimeOut(table.engine.decision), ms + 10)


def test_a_bot_that_fills_in_signs_no_leave_for_a_returned_player() -> None:
    table = fork_with_bot(waiting_for_three())
    table.append(table.signed(3, bodies.Return(), by=identity(3)))
    assert table.refusal(table.signed(3, bodies.Leave())) is RefusalReason.BAD_SIGNATURE
    table.append(table.signed(3, bodies.Leave(), by=identity(3)))
    table.drop(3, DropReason.LEFT)
    # While only a bot plays its seat, its player has already left.
    assert (
        table.refusal(table.signed(3, bodies.Leave(), by=identity(3))) is RefusalReason.NOT_A_SEAT
    )


def waiting_for_three() -> LogTable:
    table = new_table(4, PAIRS, rounds=2).run(playing)
    table.drop(3)
    table.run(lambda each: each.replay.between_rounds)
    table.add(HOST, fill_in_payload(table, 3))
    table.identities[3] = BOT
    return table.run(playing)


# ---- entries --------------------------------------------------------------------------------


def test_time_never_goes_back() -> None:
    table = new_table(3).run(deciding)
    last = table.replay.times.ms
    assert last == table.entries[-1].read().ms > 0
    drop = bodies.Drop(1, DropReason.LOST)
    assert not taken_at(table, drop, last - 1)
    assert taken_at(table, drop, last)
    assert taken_at(table, drop, last + MAX_GAP_MS)
    assert not taken_at(table, drop, last + MAX_GAP_MS + 1)


def test_no_host_brings_the_next_one_to_the_end_of_the_numbers() -> None:
    assert MAX_GAP_MS * MAX_ENTRIES < 2**48


def test_a_host_writes_no_time_that_does_not_follow() -> None:
    times = Times()
    assert times.next(-5) == 0
    times.ms = 700
    assert [times.next(ms) for ms in (0, 699, 700, 701)] == [700, 700, 700, 701]
    assert times.next(10**15) == 700 + MAX_GAP_MS


def test_a_new_host_that_turns_time_back_is_the_one_named() -> None:
    table = new_table(4).run(deciding)
    other = table.fork()
    elect(other, 1, 1)
    core = msgspec.structs.replace(other.entries[-1].read(), ms=table.replay.times.ms - 1)
    with pytest.raises(HostFault) as found:
        table.fork().replay.follow(sign_entry(core, identity(1)))
    blame = found.value.blame
    assert (blame.seat, blame.fault, found.value.check) == (1, Fault.BAD_ORDER, Check.CHAIN)


# ---- the turn clock -------------------------------------------------------------------------


def due(table: LogTable) -> int:
    """Return the time after the last entry when the clock may decide."""
    decision = bodies.TimeOut(table.engine.decision)
    asked = table.replay.times.open_decision
    assert asked is not None
    assert asked.limit is not None
    ends = asked.ms + asked.limit
    assert not taken_at(table, decision, ends - 1)
    assert taken_at(table, decision, ends)
    return asked.limit


@pytest.mark.parametrize(("clock", "extra"), [(60, 1000), (30, 0)])
@pytest.mark.parametrize("slow", [False, True])
def test_a_turn_has_the_time_that_the_rules_give(clock: int, extra: int, slow: bool) -> None:
    rules = Ruleset(hand_size=3, turn_clock_s=clock, turn_extra_ms=extra)
    table = slowed(rules) if slow else new_table(2, rules)
    table.run(deciding)
    first = table.replay.times.open_decision
    assert first is not None
    assert first.deal == DEAL_MS
    turn = (2 if slow else 1) * clock * 1000 + extra
    assert due(table) == DEAL_MS + turn, "the clock waits while the cards are dealt"
    ends = first.ms + DEAL_MS
    second = next_decision(table)
    assert second.ms > first.ms
    assert second.ms < ends, "a quick player does not shorten the deal for the others"
    assert due(table) == ends - second.ms + turn
    table.add(HOST, bodies.TimeOut(table.engine.decision))
    next_decision(table)
    assert due(table) == turn


def next_decision(table: LogTable) -> TimedDecision:
    """Play on until another decision is open."""
    before = table.replay.times.open_decision
    table.run(lambda each: deciding(each) and each.replay.times.open_decision is not before)
    asked = table.replay.times.open_decision
    assert asked is not None
    return asked


def test_each_round_is_looked_on_while_it_is_dealt() -> None:
    table = new_table(2, Ruleset(hand_size=3), rounds=2)
    table.run(lambda each: each.replay.number == 2 and deciding(each))
    assert due(table) == DEAL_MS + 61_000


def test_no_host_of_an_earlier_log_is_accused_of_a_clock_that_did_not_wait() -> None:
    """In the older format without colours, the clock also ran during the deal."""
    roster = make_roster(2, Ruleset(hand_size=3))
    data = before_colours(roster)
    signatures = tuple(sign_roster(data, identity(seat)) for seat in range(2))
    genesis = Genesis(data, signatures, (nonce(0), nonce(1)))
    table = LogTable(genesis).run(deciding)
    assert due(table) == 61_000


def slowed(rules: Ruleset) -> LogTable:
    """All players have asked for a slow clock."""
    roster = make_roster(2, rules)
    seats = tuple(msgspec.structs.replace(seat, slow_clock=True) for seat in roster.seats)
    return LogTable(make_genesis(msgspec.structs.replace(roster, seats=seats)))


def test_without_a_clock_no_turn_is_timed_out() -> None:
    table = new_table(2, Ruleset(hand_size=3, turn_clock_s=0)).run(deciding)
    last = table.replay.times.ms
    assert not taken_at(table, bodies.TimeOut(table.engine.decision), last + MAX_GAP_MS)


def test_a_seat_that_does_nothing_is_played_by_the_clock_until_it_acts() -> None:
    table = new_table(2, Ruleset(hand_size=5), choose=drawing).run(deciding)
    seat = table.engine.decider

    def come(idle: int) -> None:
        """Go to the seat's next decision, after this many time-outs of it in a row."""
        while not deciding(table) or table.engine.decider != seat:
            table.step()
        assert seat is not None
        assert table.replay.times.idle[seat] == idle

    for idle in range(4):
        come(idle)
        deal = 0 if idle else DEAL_MS
        assert due(table) == deal + (AUTOPILOT_MS if idle >= AUTOPILOT_AFTER else 61_000)
        table.add(HOST, bodies.TimeOut(table.engine.decision))
    come(4)
    table.step()
    come(0)
    assert due(table) == 61_000


def drawing(_table: LogTable, _seat: int, acts: tuple[Action, ...]) -> Action:
    return next((act for act in acts if isinstance(act, Draw | Keep)), acts[0])


def test_a_returning_player_and_a_bot_that_fills_in_begin_with_full_time() -> None:
    table = waiting_for_three()
    table.replay.times.idle[3] = 7
    fork_with_bot(table)
    table.append(table.signed(3, bodies.Return(), by=identity(3)))
    assert table.replay.times.idle[3] == 0
    other = new_table(4, PAIRS, rounds=2).run(playing)
    other.drop(3)
    other.run(lambda each: each.replay.between_rounds)
    other.replay.times.idle[3] = 7
    other.add(HOST, fill_in_payload(other, 3))
    assert other.replay.times.idle[3] == 0


@pytest.mark.parametrize("moment", [RoundPhase.SHOW, RoundPhase.VERDICT, RoundPhase.OPEN_HAND])
def test_a_program_has_its_time_to_answer_a_challenge(moment: RoundPhase) -> None:
    table = challenged(moment)
    assert due(table) == AUTOMATIC_ANSWER_MS
    before = dict(table.replay.times.idle)
    table.add(HOST, bodies.TimeOut(table.engine.decision))
    assert table.replay.times.idle == before, "nobody has been idle"


def test_an_answer_by_the_program_ends_no_autopilot() -> None:
    table = challenged(RoundPhase.SHOW)
    accused = table.engine.accused
    table.replay.times.idle[accused] = 3
    table.add(accused, table.act(accused, Show()))
    assert table.replay.times.idle[accused] == 3


def test_the_time_begins_when_all_can_be_read() -> None:
    """The time begins not with the decision, but with the last key for the decider's hand."""
    table = new_table(2, Ruleset(hand_size=3)).run(deciding)
    asked = table.replay.times.open_decision
    assert asked is not None
    kinds = [type(each.read().signed_body.read().payload) for each in table.entries]
    assert kinds[asked.entry] is bodies.Unlock
    assert asked.ms == table.entries[asked.entry].read().ms
    table.add(1, bodies.Listen(4711))
    assert table.replay.times.open_decision is asked, "other bodies do not extend the time"


# ---- objections and votes -------------------------------------------------------------------


def too_late(table: LogTable, matter: Matter) -> int:
    pending = table.replay.times.pending[matter]
    ends = pending.ms + pending.limit
    assert not taken_at(table, bodies.Settle(matter), ends - 1)
    assert taken_at(table, bodies.Settle(matter), ends)
    return pending.limit


def test_a_card_on_honour_can_be_objected_to_for_its_time() -> None:
    rules = Ruleset(hand_size=3, manners=Manners.HONOUR, objection_ms=4_000)
    table = new_table(3, rules).run(on_trial)
    assert too_late(table, Matter.CARD) == 4_000
    first = table.replay.times.pending[Matter.CARD]
    table.add(1, bodies.Listen(4711))
    assert table.replay.times.pending[Matter.CARD] is first
    table.add(HOST, bodies.Settle(Matter.CARD))
    table.run(on_trial)
    assert table.replay.times.pending[Matter.CARD] is not first


def on_trial(table: LogTable) -> bool:
    current = table.replay.round
    return (
        current is not None
        and current.number == 1
        and current.phase is ProtocolPhase.PLAY
        and table.engine.phase is RoundPhase.OBJECTION
    )


def test_a_vote_has_its_time() -> None:
    rules = Ruleset(hand_size=5, advice=True, vote_ms=6_000)
    table = new_table(4, rules).run(deciding)
    assert table.refusal_of(HOST, bodies.Settle(Matter.VOTE)) is RefusalReason.NOT_NOW
    table.add(1, table.act(1, Accuse(2)))
    assert too_late(table, Matter.VOTE) == 6_000
