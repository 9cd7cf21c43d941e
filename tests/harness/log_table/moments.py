"""Moments of a game from which several tests of the log start."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from lanuno.dealing.errors import DealingError
from lanuno.log.faults import AuditVerdict, Check, Fault
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, DropReason, HaltReason
from lanuno.log.replay.due_steps import AutomaticStepKind, automatic_steps
from lanuno.log.replay.replay import open_payload
from lanuno.log.round.round_audit import RoundReport
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.cards import Rank
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine.actions import Play
from lanuno.rules.ruleset import Ruleset
from tests.harness.log_table.log_table import SHORT, Choose, LogTable, new_table

RANKS = deck_tables(108).ranks


def deciding(table: LogTable) -> bool:
    """Whether a seat has to decide and can read its cards."""
    current = table.replay.round
    if current is None or current.number == 0 or current.engine.decider is None:
        return False
    return current.can_read_hand(current.engine.decider)


def playing(table: LogTable) -> bool:
    """Whether a seat has to decide in a round of play."""
    current = table.replay.round
    if current is None or current.number == 0 or current.phase is not ProtocolPhase.PLAY:
        return False
    return current.engine.decider is not None


def opened(players: int = 2, bots: Mapping[int, int] | None = None) -> LogTable:
    """Return a table whose first round is open."""
    table = new_table(players, bots=bots)
    table.step()
    return table


def come_to(phase: ProtocolPhase, players: int = 3, number: int = 1) -> LogTable:
    """Return a table whose round of this number has just reached a phase."""
    return _once_come_to(phase, players, number).fork()


@cache
def _once_come_to(phase: ProtocolPhase, players: int, number: int) -> LogTable:
    def there(table: LogTable) -> bool:
        current = table.replay.round
        return current is not None and (current.number, current.phase) == (number, phase)

    return new_table(players).run(there)


def is_due(kind: AutomaticStepKind, number: int, seat: int = 1) -> Callable[[LogTable], bool]:
    """Return a condition: the seat has to take an automatic step in round `number`."""

    def reached(table: LogTable) -> bool:
        owed = automatic_steps(table.replay)
        return any((step.kind, step.round, step.seat) == (kind, number, seat) for step in owed)

    return reached


def dropped_twice_as_silent() -> LogTable:
    """Return a table whose host drops a player twice as silent; rounds without it count."""
    table = new_table(3, SHORT, rounds=9)
    for _ in range(2):
        if 1 in table.replay.dropped:
            table.add(1, bodies.Return())
        table.run(lambda each: playing(each) and 1 in each.engine.seats)
        table.drop(1, DropReason.SILENT)
        table.run(lambda each: each.replay.between_rounds)
    table.rounds = 1
    return table.run()


def dropped_before_its_mask() -> LogTable:
    """Return a table of five that drops one player before its mask; the round counts."""
    table = new_table(5, SHORT)

    def masks(table: LogTable) -> bool:
        owed = [(step.kind, step.seat) for step in automatic_steps(table.replay)]
        return table.replay.number == 1 and (AutomaticStepKind.PASS, 4) in owed

    table.run(masks).drop(4)
    return table.run()


def blame_of(table: LogTable) -> list[tuple[int | None, Fault]]:
    """Continue to the close and audit; return the blamed seats and their faults."""
    report = table.run().audit()
    assert report.verdict is AuditVerdict.CHEATING
    return [(each.seat, each.fault) for each in report.blame]


def wrong_checks(report: RoundReport) -> dict[Check, str]:
    """Return the failed checks of a round, with their details."""
    return {check.name: check.detail for check in report.checks if not check.ok}


def plays(table: LogTable, seat: int) -> list[Play]:
    legal = table.engine.legal(seat, table.cards(seat))
    return [act for act in legal if isinstance(act, Play)]


def find(
    good: Callable[[LogTable], bool],
    ruleset: Ruleset,
    players: int = 2,
    choose: Choose | None = None,
) -> LogTable:
    """Return the first of many tables at which `good` holds at some decision."""
    for salt in range(200):
        table = new_table(players, ruleset, salt=salt)
        table.choose = choose or table.choose
        for _ in range(400):
            if deciding(table) and good(table):
                return table
            if not table.step():
                break
    raise AssertionError("no such table among them")


def starting_with_four(players: int, hint: int = 0) -> LogTable:
    """Return a round before its shuffle that turns up a Wild Draw Four if all seats are honest.

    `hint`: where the search begins; it finds a table from any start.
    """
    before = new_table(players).run(
        lambda table: table.replay.between_rounds and bool(table.entries)
    )
    plan = before.replay.next_plan()
    assert plan is not None
    for later in range(hint, hint + 400):
        table, ms = before.fork(), before.replay.times.ms + later
        # The hash of this entry decides every shuffle of the round.
        opened, _ = table.replay.append(table.signed(HOST, open_payload(plan)), ms, table.host)
        table.entries.append(opened)
        shuffled = table.fork().run(lambda each: bool(each.log.needs))
        card = shuffled.all_cards()[SHORT.hand_size * players]
        if RANKS[card] == Rank.WILD_FOUR:
            return table
    raise AssertionError("no such table among them")


def play_on(table: LogTable, steps: int = 2_000) -> LogTable:
    """Continue for `steps` entries, or to the close.

    A seat that cannot take its step halts the round, or is dropped.
    """
    for _ in range(steps):
        if table.replay.closed is not None:
            break
        try:
            word = table.next_payload()
        except (DealingError, AssertionError):
            owed = automatic_steps(table.replay)
            seat = owed[0].seat if owed else table.engine.decider
            assert seat is not None
            word = seat, bodies.Halt(HaltReason.BAD_POINTS, None)
            if table.log.phase >= ProtocolPhase.REVEAL:
                word = HOST, bodies.Drop(table.replay.owner_of(seat), DropReason.SILENT)
        assert word is not None
        table.add(*word)
    return table
