"""Automatic steps: what the table waits for, and the payloads that do these steps."""

from __future__ import annotations

from lanuno.log.faults import AuditVerdict
from lanuno.log.format.bodies import HOST, CloseReason
from lanuno.log.replay.due_steps import AutomaticStepKind, automatic_steps
from lanuno.log.round.round_record import ProtocolPhase
from tests.harness.log_table.log_table import LogTable, new_table


def come_to(phase: ProtocolPhase, players: int = 3, number: int = 1) -> LogTable:
    """Return a table whose round of this number has just reached a phase."""

    def there(table: LogTable) -> bool:
        current = table.replay.round
        return current is not None and (current.number, current.phase) == (number, phase)

    return new_table(players).run(there)


def test_automatic_steps_are_what_the_table_waits_for(played: LogTable) -> None:
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
