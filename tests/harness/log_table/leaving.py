"""Tables of the log that lose seats: the moments, the rules, and the blame."""

from __future__ import annotations

from lanuno.log.faults import Fault
from lanuno.log.format import bodies
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.ruleset import Format, Ruleset
from tests.harness.log_table.log_table import SHORT, LogTable, new_table
from tests.harness.log_table.moments import playing

THREE = Ruleset(hand_size=3)

PAIRS = Ruleset(hand_size=2, format=Format.PAIRS)


def proven(table: LogTable) -> list[tuple[int | None, Fault]]:
    return [(each.seat, each.fault) for each in table.audit().blame]


def escrowing(salt: int = 0) -> LogTable:
    return new_table(5, SHORT, salt=salt).run(
        lambda each: each.replay.number == 1 and each.log.phase is ProtocolPhase.ESCROW
    )


def give(table: LogTable, seat: int, escrow: bodies.Escrow) -> LogTable:
    """Let a seat escrow these shares, and continue the table until play begins."""
    for other in range(seat):
        table.add(other, table.escrow(other))
    table.add(seat, escrow)
    return table.run(playing)
