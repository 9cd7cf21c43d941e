"""Points of a game that several tests of the log start from."""

from __future__ import annotations

from collections.abc import Callable

from lanuno.dealing.errors import DealingError
from lanuno.log import bodies
from lanuno.log.bodies import HOST, DropReason, HaltReason
from lanuno.log.duties import DutyKind, duties
from lanuno.log.faults import Fault, Verdict
from lanuno.log.replay import open_payload
from lanuno.log.round_record import Phase
from lanuno.rules.actions import (
    Play,
)
from lanuno.rules.cards import Rank, deck_tables
from lanuno.rules.ruleset import Ruleset
from tests.harness.log_table.log_table import SHORT, Choose, LogTable, new_table

RANKS = deck_tables(108).ranks


def deciding(table: LogTable) -> bool:
    """Somebody has to decide and can read its cards."""
    current = table.replay.round
    if current is None or current.number == 0 or current.engine.decider is None:
        return False
    return current.reads_its_cards(current.engine.decider)


def playing(table: LogTable) -> bool:
    """A round of play in which somebody has to decide."""
    current = table.replay.round
    if current is None or current.number == 0 or current.phase is not Phase.PLAY:
        return False
    return current.engine.decider is not None


def silenced_twice() -> LogTable:
    """The host says twice of a player that it does not answer; a round without it counts."""
    table = new_table(3, SHORT, rounds=9)
    for _ in range(2):
        if 1 in table.replay.dropped:
            table.say(1, bodies.Return())
        table.run(playing)
        table.drop(1, DropReason.SILENT)
        table.run(lambda each: each.replay.between_rounds)
    table.rounds = 1
    return table.run()


def gone_before_its_mask() -> LogTable:
    """Five play, and one is dropped before it has masked the cards; the round counts."""
    table = new_table(5, SHORT)

    def masks(table: LogTable) -> bool:
        owed = [(duty.kind, duty.seat) for duty in duties(table.replay)]
        return table.replay.number == 1 and (DutyKind.PASS, 4) in owed

    table.run(masks).drop(4)
    return table.run()


def blame_of(table: LogTable) -> list[tuple[int | None, Fault]]:
    """Play on to the close and audit: who is named for what."""
    report = table.run().audit()
    assert report.verdict is Verdict.CHEATING
    return [(each.seat, each.fault) for each in report.blame]


def plays(table: LogTable, seat: int) -> list[Play]:
    legal = table.engine.legal(seat, table.cards(seat))
    return [act for act in legal if isinstance(act, Play)]


def find(
    good: Callable[[LogTable], bool],
    ruleset: Ruleset,
    players: int = 2,
    choose: Choose | None = None,
) -> LogTable:
    """A table that comes to such a point; tries one after the other."""
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
    """A round about to begin its shuffle, which turns up a Wild Draw Four if all are honest.

    `hint`: where to begin; whatever it is, one will be found.
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
        if RANKS[card] == Rank.WILD_DRAW_FOUR:
            return table
    raise AssertionError("no such table among them")


def play_on(table: LogTable, steps: int = 2_000) -> LogTable:
    """Go on so far, or to the close; a seat that cannot do its part halts, or is dropped."""
    for _ in range(steps):
        if table.replay.closed is not None:
            break
        try:
            word = table.next_word()
        except (DealingError, AssertionError):
            owed = duties(table.replay)
            seat = owed[0].seat if owed else table.engine.decider
            assert seat is not None
            word = seat, bodies.Halt(HaltReason.BAD_POINTS, None)
            if table.log.phase >= Phase.REVEAL:
                word = HOST, bodies.Drop(table.replay.owner_of(seat), DropReason.SILENT)
        assert word is not None
        table.say(*word)
    return table
