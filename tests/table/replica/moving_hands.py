"""Tables of the log at which a seven exchanges two hands."""

from __future__ import annotations

from functools import cache

from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.cards import Rank
from lanuno.rules.engine.actions import Action, Play
from lanuno.rules.ruleset import Ruleset
from tests.harness.log_table.log_table import LogTable, new_table
from tests.harness.log_table.moments import RANKS, deciding


def sevens_first(table: LogTable, seat: int, acts: tuple[Action, ...]) -> Action:
    plays = [act for act in acts if isinstance(act, Play)]
    sevens = [act for act in plays if RANKS[act.card] is Rank.SEVEN]
    return [*sevens, *plays, *acts][0]


@cache
def moving() -> LogTable:
    """Return a table where a seven has just exchanged two hands, and no key is handed over."""
    for salt in range(100):
        rules = Ruleset(hand_size=3, seven_zero=True)
        table = new_table(3, rules, salt=salt, choose=sevens_first)
        while table.step():
            current = table.replay.round
            if current is not None and len(current.moves) == 2:
                return table
    raise AssertionError("no such table among them")


def with_a_card_that_is_still_dealt() -> tuple[LogTable, int, int]:
    """Return a table whose first moving hand has a slot that other seats have not unlocked.

    Also returns that slot and the number of the move.
    """
    for salt in range(100):
        rules = Ruleset(hand_size=3, seven_zero=True)
        table = new_table(3, rules, salt=salt, choose=sevens_first)
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
