"""Automatic steps: what the table waits for, and the payloads that do these steps."""

from __future__ import annotations

import msgspec

from lanuno.log.faults import AuditVerdict
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, CloseReason
from lanuno.log.replay.due_steps import (
    AutomaticStep,
    AutomaticStepKind,
    automatic_steps,
    steps_answered_by,
)
from lanuno.log.round.round_record import ProtocolPhase
from tests.harness.log_table.log_table import LogTable, new_table
from tests.harness.log_table.moments import come_to, playing


def test_automatic_steps_belong_to_seats_of_the_present_round(played: LogTable) -> None:
    """In every state of a whole log, the steps belong to seats of the present round."""
    kinds: set[AutomaticStepKind] = set()
    table = new_table(2)
    assert automatic_steps(table.replay) == ()
    for entry in played.entries:
        owed = automatic_steps(table.replay)
        kinds |= {step.kind for step in owed}
        for step in owed:
            assert step.seat in table.log.seats
            assert step.round == table.replay.number
        table.replay.follow(entry)
    assert automatic_steps(table.replay) == ()
    assert kinds == {
        AutomaticStepKind.COMMIT,
        AutomaticStepKind.PASS,
        AutomaticStepKind.UNLOCK,
        AutomaticStepKind.REVEAL,
        AutomaticStepKind.ATTEST,
    }


def test_automatic_steps_can_be_done_in_any_order() -> None:
    for pick in (0, -1):
        table = new_table(4)
        kinds: set[AutomaticStepKind] = set()
        while table.replay.closed is None:
            owed = automatic_steps(table.replay)
            if not owed:
                table.step()
                continue
            kinds.add(owed[pick].kind)
            table.add(owed[pick].seat, table.payload_for(owed[pick]))
        assert AutomaticStepKind.ESCROW in kinds
        assert table.audit().verdict is AuditVerdict.VERIFIED


def test_nothing_is_due_between_rounds_and_after_the_close(played: LogTable) -> None:
    assert automatic_steps(come_to(ProtocolPhase.DONE).replay) == ()
    assert automatic_steps(played.replay) == ()
    closed = come_to(ProtocolPhase.COMMIT)
    closed.add(HOST, closed.close(CloseReason.INCOMPLETE))
    assert automatic_steps(closed.replay) == ()


def test_steps_that_publish_a_secret_wait_for_finality() -> None:
    """A commitment, a mask, a lock and an attestation publish nothing that was secret."""
    releases = {kind for kind in AutomaticStepKind if AutomaticStep(0, kind, 1).releases}
    assert releases == {
        AutomaticStepKind.ESCROW,
        AutomaticStepKind.UNLOCK,
        AutomaticStepKind.REVEAL,
        AutomaticStepKind.HAND,
        AutomaticStepKind.SHARE,
    }
    # A common pass removes the separate locks of slots.
    assert AutomaticStep(0, AutomaticStepKind.PASS, 1, common=True).releases


def test_each_due_step_is_answered_by_the_payload_that_does_it() -> None:
    """A restarted node repeats its signed bodies that answer steps still due."""
    table = new_table(4, salt=8)
    kinds: set[AutomaticStepKind] = set()
    while table.replay.number < 1 or table.log.phase is not ProtocolPhase.DONE:
        owed = automatic_steps(table.replay)
        if not owed:
            if table.replay.number == 1 and 3 not in table.replay.dropped:
                table.drop(3)
            else:
                table.step()
            continue
        seat, payload = owed[0].seat, table.payload_for(owed[0])
        # One Unlock may serve several needs of its seat.
        same = [each for each in owed if (each.seat, each.kind) == (seat, owed[0].kind)]
        assert steps_answered_by(table.replay, seat, payload) == tuple(same)
        assert steps_answered_by(table.replay, seat, bodies.Leave()) == ()
        table.add(seat, payload)
        assert steps_answered_by(table.replay, seat, payload) == ()
        kinds.add(owed[0].kind)
    assert kinds == set(AutomaticStepKind) - {AutomaticStepKind.HAND}


def test_no_payload_answers_a_step_that_is_not_due() -> None:
    for table in (new_table(2), come_to(ProtocolPhase.DONE)):
        for payload in (bodies.Pass(0, 0, b"", b""), bodies.HandOver(0, b"\x00")):
            assert steps_answered_by(table.replay, 0, payload) == ()


def test_a_payload_for_another_step_of_the_same_kind_answers_nothing() -> None:
    """A seat may have signed it before an election that gave up a part of the log."""
    table = new_table(4).run(playing)
    table.drop(3)
    right = table.share(0, 3)
    assert steps_answered_by(table.replay, 0, right) == (
        AutomaticStep(0, AutomaticStepKind.SHARE, 1, 3),
    )
    assert steps_answered_by(table.replay, 0, bodies.Share(2, right.share)) == ()
    assert steps_answered_by(table.replay, 3, right) == ()

    masking = come_to(ProtocolPhase.PLAY)
    first = masking.take_pass(0)
    assert steps_answered_by(masking.replay, 0, first) == (
        AutomaticStep(0, AutomaticStepKind.PASS, 1, item=0, deal=first.deal),
    )
    for field in ("deal", "step"):
        other = msgspec.structs.replace(first, **{field: 9})
        assert steps_answered_by(masking.replay, 0, other) == ()

    dealing = masking.run(lambda each: bool(each.log.needs))
    need = next(iter(dealing.log.needs))
    seat = min(dealing.log.needs[need].waiting)
    asked = AutomaticStep(seat, AutomaticStepKind.UNLOCK, 1, need)
    keys = bodies.SlotKeyList(need, b""), bodies.SlotKeyList(99, b"")
    assert steps_answered_by(dealing.replay, seat, bodies.Unlock(keys)) == (asked,)
    assert steps_answered_by(dealing.replay, seat, bodies.Unlock(keys[1:])) == ()
