"""Tables of the log at which a seven or a zero has moved hands."""

from __future__ import annotations

from functools import cache

from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.cards import Rank
from lanuno.rules.engine.actions import Action, Play
from lanuno.rules.ruleset import Ruleset
from tests.harness.log_table.log_table import LogTable, new_table
from tests.harness.log_table.moments import RANKS, deciding

SEVEN_ZERO = Ruleset(hand_size=3, seven_zero=True)


def movers_first(table: LogTable, seat: int, acts: tuple[Action, ...]) -> Action:
    """Play a seven or a zero as soon as the seat has one, else another card."""
    for act in acts:
        if isinstance(act, Play) and RANKS[act.card] in (Rank.SEVEN, Rank.ZERO):
            return act
    return next((act for act in acts if isinstance(act, Play)), acts[0])


def moving(*ranks: Rank) -> LogTable:
    """Return a table where such a card has just moved hands and no key is handed over yet."""
    return _once_moving(ranks).fork()


@cache
def _once_moving(ranks: tuple[Rank, ...]) -> LogTable:
    for salt in range(100):
        table = new_table(3, SEVEN_ZERO, salt=salt, choose=movers_first)
        while table.step():
            current = table.replay.round
            if current is not None and current.moves and RANKS[table.engine.top] in ranks:
                return table
    raise AssertionError("no such table among them")


def with_a_card_that_is_still_dealt() -> tuple[LogTable, int, int]:
    """Return a table where a moving hand has a slot that other seats have not unlocked.

    Also returns that slot and the number of the move.
    """
    for salt in range(100):
        table = new_table(3, SEVEN_ZERO, salt=salt, choose=movers_first)
        while table.replay.closed is None:
            current = table.replay.round
            if current is not None and current.phase is ProtocolPhase.PLAY and deciding(table):
                table.decide()
            else:
                table.step()
            current = table.replay.round
            for move in () if current is None else current.moves.values():
                for slot in move.slots:
                    owner = table.log.key_owner(slot, move.to)
                    if not set(table.log.slots.missing(slot)) <= {owner}:
                        return table, slot, move.number
    raise AssertionError("no such table among them")
