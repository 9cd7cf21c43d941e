"""Tables of the log that seats leave: at which moment, with which rules, and who is blamed."""

from __future__ import annotations

from lanuno.log import bodies
from lanuno.log.faults import Fault
from lanuno.log.round_record import Phase
from lanuno.rules.ruleset import Format, Ruleset
from tests.harness.log_table.log_table import SHORT, LogTable, new_table
from tests.harness.log_table.moments import playing

THREE = Ruleset(hand_size=3)

PAIRS = Ruleset(hand_size=2, format=Format.PAIRS)


def proven(table: LogTable) -> list[tuple[int | None, Fault]]:
    return [(each.seat, each.fault) for each in table.audit().blame]


def escrowing(salt: int = 0) -> LogTable:
    return new_table(5, SHORT, salt=salt).run(
        lambda each: each.replay.number == 1 and each.log.phase is Phase.ESCROW
    )


def give(table: LogTable, seat: int, escrow: bodies.Escrow) -> LogTable:
    """A seat gives these shares; then on into the play."""
    for other in range(seat):
        table.say(other, table.escrow(other))
    table.say(seat, escrow)
    return table.run(playing)
