"""A guest that leaves before the end of every round, and returns after it, gains nothing."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from lanuno.log.faults import AuditVerdict
from lanuno.log.format import bodies
from lanuno.log.format.bodies import DropReason
from lanuno.log.replay.course import Decided
from lanuno.rules.engine.results import RoundResult
from lanuno.rules.ruleset import Format
from tests.harness.log_table.leaving import THREE
from tests.harness.log_table.log_table import LogTable, new_table
from tests.harness.log_table.moments import playing

LEAVER = 1


def one_round_left(table: LogTable) -> tuple[RoundResult, tuple[int, ...]]:
    """Leave in the middle of the next round; return its result, and what each seat gained."""
    before, counted = table.replay.match.totals, table.replay.match.rounds
    table.run(playing)
    hand = table.engine.hands[LEAVER].copy()
    table.drop(LEAVER, DropReason.LEFT)
    table.run(lambda each: each.replay.match.rounds > counted)
    result = table.log.result
    assert isinstance(result, RoundResult)
    assert result.left == (LEAVER,)
    faces = table.engine.deck.points
    assert set(hand) <= set(table.engine.left_hands[LEAVER])
    cards = table.all_cards()
    held = sum(faces[cards[slot]] for slot in table.engine.left_hands[LEAVER])
    assert result.points[LEAVER] == held > 0
    gains = [now - then for now, then in zip(table.replay.match.totals, before, strict=True)]
    return result, tuple(gains)


@pytest.mark.parametrize("of", [Format.POINTS, Format.LOW_SCORE, Format.DEALS])
def test_the_hand_of_a_leaver_counts_in_the_log(of: Format) -> None:
    table = new_table(4, replace(THREE, format=of, target=1000, hands=20), rounds=2)
    for _ in range(2):
        result, gains = one_round_left(table)
        if of is Format.POINTS:
            assert gains[result.winners[0]] == sum(result.points)
        else:
            assert gains[LEAVER] >= max(gains)
        table.add(LEAVER, bodies.Return())
    table.run()
    report = table.audit()
    assert (report.verdict, report.decided) == (AuditVerdict.VERIFIED, Decided.CARDS)
    assert report.scores == tuple(table.replay.match.totals)
