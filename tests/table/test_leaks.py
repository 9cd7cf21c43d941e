"""What a lying host can make an honest node reveal on a fork that is later abandoned.

The tests feed a real session of one seat by hand. The test controls the host and all other seats:
it knows all of their secrets, signs any body, and elects any host.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from msgspec import structs
from msgspec.structs import replace

from lanuno.dealing.group import unpack
from lanuno.dealing.sealing import seal_info
from lanuno.log.faults import Fault, VoidReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, CloseReason, DropReason
from lanuno.log.format.codec import encode
from lanuno.log.format.entries import Entry
from lanuno.log.replay.due_steps import AutomaticStepKind
from lanuno.rules.engine.actions import OpenHand, Verdict
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages
from lanuno.table.outputs import (
    HostDoubted,
    NodeStopped,
    Send,
    StoreBody,
    StoreOtherEnd,
    StoreRelease,
    TruncateJournal,
)
from tests.harness.host_and_seats.seat_outputs import signed_bodies
from tests.harness.host_and_seats.seat_under_test import (
    VICTIM,
    SeatUnderTest,
    elect_again,
    payloads,
    run_until,
)
from tests.harness.log_table.boxes import seal
from tests.harness.log_table.challenges import fours_first
from tests.harness.log_table.log_table import LogTable, identity, new_table
from tests.harness.log_table.moments import is_due

# ---- one question, one answer -------------------------------------------------------------------


def test_a_list_that_was_shown_shifted_tells_nothing_of_the_real_one() -> None:
    """Two masks with one permutation and one scalar would reveal where every card went."""
    table = new_table(3)
    victim = SeatUnderTest(table)
    run_until(table, victim, lambda table: table.replay.round is not None and bool(table.log.deals))
    shifted = table.fork()
    honest = shifted.take_pass(0)
    points = unpack(honest.points, shifted.log.deals[0].size)
    turned = b"".join([*points[1:], points[0]])
    shifted.add(0, bodies.Pass(honest.deal, honest.step, turned, honest.keys))
    victim.table = shifted
    [first] = [each for each in payloads(victim.follow_log()) if isinstance(each, bodies.Pass)]
    elect_again(table)
    table.add(0, honest)
    victim.table = table
    [second] = [each for each in payloads(victim.follow_log()) if isinstance(each, bodies.Pass)]
    assert any(isinstance(each, TruncateJournal) for each in victim.outputs_done)
    size = table.log.deals[0].size
    assert not set(unpack(first.points, size)) & set(unpack(second.points, size))
    assert first.keys != second.keys


def test_the_same_question_gets_the_same_answer_in_another_term() -> None:
    """An attacker learns nothing by asking twice."""
    table = new_table(3)
    victim = SeatUnderTest(table)
    run_until(table, victim, lambda table: table.replay.round is not None and bool(table.log.deals))
    again = table.fork()
    table.add(0, table.take_pass(0))
    [first] = [each for each in payloads(victim.follow_log()) if isinstance(each, bodies.Pass)]
    elect_again(again)
    again.add(0, again.take_pass(0))
    victim.table = again
    [second] = [each for each in payloads(victim.follow_log()) if isinstance(each, bodies.Pass)]
    assert (first.points, first.keys) == (second.points, second.keys)


# ---- nothing is released before it is final -----------------------------------------------------

BEFORE = {
    AutomaticStepKind.ESCROW: (4, 0),
    AutomaticStepKind.UNLOCK: (3, 1),
    AutomaticStepKind.REVEAL: (3, 0),
}
"""By step: the number of players, and the round in which the test looks at it."""


@pytest.mark.parametrize("kind", BEFORE)
def test_a_secret_waits_until_what_asks_for_it_is_final_and_recorded(
    kind: AutomaticStepKind,
) -> None:
    players, number = BEFORE[kind]
    table = new_table(players)
    victim = SeatUnderTest(table)
    run_until(table, victim, is_due(kind, number))
    asked = table.replay.seq
    assert victim.follow_log() == []
    before = len(victim.outputs_done)
    [signed] = victim.follow_log(final=True)
    told = victim.outputs_done[before:]
    [kept] = [each for each in told if isinstance(each, StoreRelease)]
    assert (kept.count, kept.head) == (asked, table.entries[-1].hash)
    assert kept.counter == signed.read().counter
    assert told.index(kept) < min(
        place for place, each in enumerate(told) if isinstance(each, StoreBody | Send)
    )


def test_a_complaint_waits_and_gives_away_the_key_of_one_giver() -> None:
    table = new_table(4)
    victim = SeatUnderTest(table)
    run_until(table, victim, is_due(AutomaticStepKind.ESCROW, 0, 3))
    run_until(table, victim, lambda table: set(table.log.escrows) == {0, 1, 2})
    log, honest = table.log, table.escrow(3)
    place = log.share_receivers(3).index(VICTIM)
    info = seal_info(log.table_id, log.open_hash, 3, VICTIM, "escrow")
    sealed = list(honest.sealed)
    sealed[place] = seal(bytes(32), log.box_of(VICTIM, 3), info)
    table.add(3, bodies.Escrow(tuple(sealed), honest.hashes))
    table.add(0, table.take_pass(0))
    assert victim.follow_log() == []
    [signed] = victim.follow_log(final=True)
    complaint = signed.read().payload
    assert isinstance(complaint, bodies.Complain)
    table.append(signed)
    assert [(fault.seat, fault.fault) for fault in table.log.faults] == [(3, Fault.BAD_SHARE)]
    for other in (0, 2):
        assert table.log.read_share(other, VICTIM, complaint.box_private) is None


def test_a_verdict_waits_until_the_hand_shown_is_final() -> None:
    """A verdict reveals something about a hand that is shown for a challenge."""
    for salt in range(40):
        table = new_table(2, Ruleset(hand_size=6), salt=salt, choose=fours_first)
        victim = SeatUnderTest(table)
        if not comes_to(table, victim, judges):
            continue
        asked = table.replay.seq
        assert victim.follow_log() == []
        [signed] = victim.follow_log(final=True)
        act = signed.read().payload
        assert isinstance(act, bodies.Act)
        assert isinstance(act.action, Verdict)
        assert [each.count for each in victim.outputs_done if isinstance(each, StoreRelease)][
            -1
        ] == asked
        table.append(signed)
        return
    raise AssertionError("nobody was challenged")


def test_a_hand_is_opened_only_once_it_is_final_that_no_verdict_came() -> None:
    """On an abandoned fork the host would see the hand for nothing."""
    for salt in range(40):
        table = new_table(2, Ruleset(hand_size=6), salt=salt, choose=fours_first)
        victim = SeatUnderTest(table)
        if not comes_to(table, victim, is_judged):
            continue
        table.add(HOST, bodies.TimeOut(table.engine.decision))
        asked = table.replay.seq
        assert victim.follow_log() == []
        [signed] = victim.follow_log(final=True)
        assert [each.count for each in victim.outputs_done if isinstance(each, StoreRelease)][
            -1
        ] == asked
        act = signed.read().payload
        assert isinstance(act, bodies.Act)
        assert isinstance(act.action, OpenHand)
        hand = set(table.engine.accused_hand)
        assert victim.follow_log(final=True) == [], "it is said once"
        table.append(signed)
        assert hand <= table.engine.face_up.keys()
        return
    raise AssertionError("nobody was challenged")


def judges(table: LogTable) -> bool:
    return gives_verdict(table) == VICTIM


def is_judged(table: LogTable) -> bool:
    return gives_verdict(table) not in (None, VICTIM)


def gives_verdict(table: LogTable) -> int | None:
    """Return the seat that owes a verdict on a hand shown to it."""
    current = table.replay.round
    if current is None or not isinstance(current.engine, Round):
        return None
    engine = current.engine
    return engine.decider if engine.phase is RoundPhase.VERDICT else None


def comes_to(table: LogTable, victim: SeatUnderTest, reached: Callable[[LogTable], bool]) -> bool:
    try:
        run_until(table, victim, lambda each: each.replay.closed is not None or reached(each))
    except AssertionError:
        return False
    return reached(table)


# ---- what was released binds --------------------------------------------------------------------


def test_a_program_that_starts_again_follows_no_log_without_what_it_released_for() -> None:
    """Its seeds are known by then; in another round with them, every hand would be open."""
    table = new_table(3)
    victim = SeatUnderTest(table)
    run_until(table, victim, is_due(AutomaticStepKind.REVEAL, 0))
    [signed] = victim.follow_log(final=True)
    assert isinstance(signed.read().payload, bodies.Reveal)
    older = table.fork(table.replay.seq - 3)
    elect_again(older)
    again = SeatUnderTest(older, recovered=victim.recovered_state())
    assert again.follow_log(final=True) == []
    [stopped] = [each for each in again.outputs_done if isinstance(each, NodeStopped)]
    assert stopped.given_up
    assert stopped.blame.seat is None
    [other] = [each for each in again.outputs_done if isinstance(each, StoreOtherEnd)]
    assert other.count == older.replay.seq - 1
    assert other.entries == tuple(older.entries[-1:])
    assert not [each for each in again.outputs_done if isinstance(each, TruncateJournal)]
    # A program that released nothing on the abandoned fork follows the same election.
    follows = SeatUnderTest(table)
    follows.follow_log()
    follows.table = older
    follows.follow_log()
    assert follows.session.replay.term == 1


@pytest.mark.parametrize("lacking", [1, 3, 1000])
def test_a_journal_without_its_end_is_completed_before_anything_is_signed(lacking: int) -> None:
    table = new_table(3)
    victim = SeatUnderTest(table)
    run_until(table, victim, is_due(AutomaticStepKind.REVEAL, 0))
    [signed] = victim.follow_log(final=True)
    kept = victim.recovered_state()
    short = replace(kept, entries=kept.entries[:-lacking])
    again = SeatUnderTest(table, recovered=short)
    assert not again.session.replica.holds_released
    assert again.follow_log(final=True) == [signed]
    # A host that holds no more either has lost final entries; so has one with a different entry.
    shorter, other = table.fork(table.replay.seq - 1), table.fork(table.replay.seq - 1)
    elect_again(other)
    for log, kept_aside in ((shorter, 0), (other, 1)):
        again = SeatUnderTest(log, recovered=short)
        assert again.follow_log(final=True) == []
        [stopped] = [each for each in again.outputs_done if isinstance(each, NodeStopped)]
        assert stopped.given_up
        assert (
            len([each for each in again.outputs_done if isinstance(each, StoreOtherEnd)])
            == kept_aside
        )


def test_a_journal_with_another_entry_than_was_released_for_is_not_gone_on_with() -> None:
    table = new_table(3)
    victim = SeatUnderTest(table)
    run_until(table, victim, is_due(AutomaticStepKind.REVEAL, 0))
    victim.follow_log(final=True)
    other = table.fork(table.replay.seq - 1)
    elect_again(other)
    again = SeatUnderTest(
        other, recovered=replace(victim.recovered_state(), entries=tuple(other.entries))
    )
    [stopped] = [each for each in again.outputs_done if isinstance(each, NodeStopped)]
    assert stopped.given_up
    assert again.follow_log(final=True) == []


def test_messages_alone_do_not_stop_a_seat_that_lacks_what_it_released_for() -> None:
    """A sender that falsely claims to be the host sends another, unsigned entry there."""
    table = new_table(3)
    victim = SeatUnderTest(table)
    run_until(table, victim, is_due(AutomaticStepKind.REVEAL, 0))
    victim.follow_log(final=True)
    kept = victim.recovered_state()
    short = replace(kept, entries=kept.entries[:-1])
    core = structs.replace(table.entries[-1].read(), ms=10**6)
    lie = Entry(encode(core), bytes(64))
    for known, told in ((False, HostDoubted), (True, NodeStopped)):
        again = SeatUnderTest(table, recovered=short)
        again.session.replica.host_is_known = partial(bool, known)
        out = again.session.replica.receive(messages.Entries(len(short.entries), (lie,)))
        assert isinstance(out[-1], told)
        assert not any(isinstance(each, NodeStopped) and each.given_up for each in out)
        if not known:
            assert again.session.replica.stopped is None
            assert again.follow_log(final=True), "it goes on where its log ends"


# ---- shares -------------------------------------------------------------------------------------


def without_the_last_seat(reason: DropReason) -> tuple[LogTable, SeatUnderTest]:
    """Drop one of four owners in a round; the victim holds a share of its seed."""
    table = new_table(4)
    victim = SeatUnderTest(table)
    run_until(table, victim, is_due(AutomaticStepKind.UNLOCK, 0))
    if reason is DropReason.LEFT:
        table.add(3, bodies.Leave())
    table.drop(3, reason)
    return table, victim


@pytest.mark.parametrize("reason", [DropReason.LOST, DropReason.SILENT, DropReason.ATTACK])
def test_a_share_is_given_only_once_a_player_could_not_be_reached(reason: DropReason) -> None:
    """Only the host claims that the player is gone."""
    _, victim = without_the_last_seat(reason)
    known: list[bytes | None] = [None]
    victim.session.presence_of = lambda owner, drop: known[0]
    assert victim.follow_log(final=True) == []
    known[0] = b""
    [share] = payloads(signed_bodies(victim.session.proceed()))
    assert isinstance(share, bodies.Share)
    assert share.of == 3


def test_an_owner_that_reaches_a_dropped_player_gives_no_share_and_ends_the_round() -> None:
    table, victim = without_the_last_seat(DropReason.LOST)
    drop = table.replay.head
    here = identity(3).sign(bodies.presence_digest(table.replay.table_id, 3, drop))
    victim.session.presence_of = lambda owner, asked: here if (owner, asked) == (3, drop) else None
    [signed] = victim.follow_log(final=True)
    assert signed.read().payload == bodies.Halt(bodies.HaltReason.REACHABLE, 3, here)
    table.append(signed)
    assert table.log.void is VoidReason.LOST
    assert not table.log.voided_by
    assert not table.log.faults
    assert not table.log.halts


def test_a_player_that_signed_that_it_leaves_need_not_be_looked_for() -> None:
    _, victim = without_the_last_seat(DropReason.LEFT)
    victim.session.presence_of = lambda owner, drop: bytes(64)
    [signed] = victim.follow_log(final=True)
    assert isinstance(signed.read().payload, bodies.Share)


def test_a_share_waits_for_an_own_attempt_after_the_round_too() -> None:
    """A guest of the host stops the round on a fork that is shown to one player only."""
    table = new_table(4)
    victim = SeatUnderTest(table)
    run_until(table, victim, is_due(AutomaticStepKind.UNLOCK, 0))
    table.add(2, bodies.Halt(bodies.HaltReason.NO_CARD, None))
    table.drop(3, DropReason.LOST)
    victim.session.presence_of = lambda owner, drop: None
    assert not [
        each for each in payloads(victim.follow_log(final=True)) if isinstance(each, bodies.Share)
    ]
    victim.session.presence_of = lambda owner, drop: bytes(64)
    said = payloads(signed_bodies(victim.session.proceed()))
    assert not [each for each in said if isinstance(each, bodies.Share)]


def test_a_log_end_that_gives_up_the_entry_of_a_release_is_refused() -> None:
    """While no host is in contact, a node that is not the host sends the close of a log."""
    table = new_table(3)
    victim = SeatUnderTest(table)
    run_until(table, victim, is_due(AutomaticStepKind.REVEAL, 0))
    victim.follow_log(final=True)
    older = table.fork(table.replay.seq - 3)
    elect_again(older)
    older.add(HOST, older.close(CloseReason.INCOMPLETE))
    first = table.replay.seq - 3
    victim.session.replica.disconnected()
    out = victim.session.replica.take_closed_end(first, tuple(older.entries[first:]))
    assert [type(each) for each in out] == [StoreOtherEnd, NodeStopped]
    assert victim.session.replay.closed is None
