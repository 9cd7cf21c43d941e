"""Boxes sealed to a lost player stay closed unless that player revealed its seeds."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.log.faults import AuditVerdict, Fault, VoidReason
from lanuno.log.format import bodies
from lanuno.log.round.round_record import ProtocolPhase
from tests.harness.log_table.leaving import escrowing, give, proven
from tests.harness.log_table.log_table import SHORT, LogTable, new_table
from tests.harness.log_table.moments import playing


def not_for_the_last(table: LogTable, field: str) -> bodies.Escrow:
    """Return seat 3's shares with a wrong one for seat 4: the box or the hash is wrong."""
    right = table.escrow(3)
    place = table.log.share_receivers(3).index(4)
    values = list(getattr(right, field))
    values[place] = bytes(len(values[place]))
    return msgspec.structs.replace(right, **{field: tuple(values)})


@pytest.mark.parametrize("also", [False, True])
def test_a_box_for_a_seat_that_left_convicts_nobody(*, also: bool) -> None:
    """The box was sealed wrong, its receiver did not complain, and nobody else can open it.

    `also`: the seat that sealed it is dropped, too.
    """
    table = escrowing()
    give(table, 3, not_for_the_last(table, "sealed"))
    table.drop(4)
    table.run(lambda each: not each.log.recovering)
    if also:
        table.run(playing)
        table.drop(3)
        assert table.log.void is VoidReason.LOST
    table.run(lambda each: each.replay.between_rounds)
    assert table.replay.summaries[1].counted is not also
    table.run()
    assert table.audit().verdict is AuditVerdict.VERIFIED
    assert proven(table) == []


def test_a_wrong_hash_of_a_share_for_a_lost_seat_blames_its_author() -> None:
    """The right share follows from the giver's seed, so the check needs to open no box."""
    table = escrowing()
    give(table, 3, not_for_the_last(table, "hashes"))
    table.drop(4)
    table.run()
    assert proven(table) == [(3, Fault.BAD_SHARE)]


def test_wrong_box_keys_of_a_leaver_blame_nobody() -> None:
    """The leaver's view seed is never revealed. Its published keys harm nobody but the leaver."""
    table = new_table(5, SHORT).run(
        lambda each: each.replay.number == 1 and each.log.phase is ProtocolPhase.COMMIT
    )
    right = table.commit(4)
    table.add(4, msgspec.structs.replace(right, boxes=right.boxes[::-1]))
    table.run(playing)
    table.drop(4)
    table.run(lambda each: each.replay.between_rounds)
    assert table.replay.summaries[1].counted
    table.run()
    assert table.audit().verdict is AuditVerdict.VERIFIED
    assert proven(table) == []


def test_a_wrong_share_to_a_seat_that_has_revealed_blames_its_giver() -> None:
    """The receiver revealed its seeds before it was lost, so everybody can open the box."""
    table = escrowing()
    give(table, 3, not_for_the_last(table, "sealed"))
    table.run(lambda each: each.log.phase is ProtocolPhase.REVEAL)
    table.add(4, table.reveal(4))
    table.drop(3)
    table.drop(4)
    assert table.log.missing_shares(3) == (0, 1, 2)
    table.run(lambda each: each.replay.between_rounds)
    assert [(each.seat, each.fault) for each in table.log.faults] == [(3, Fault.BAD_SHARE)]


def test_after_a_loss_no_withheld_seed_is_recovered() -> None:
    """The share that was sealed to the leaver stays closed after the round, too."""
    table = new_table(5, SHORT, salt=2).run(playing)
    table.drop(4)
    table.run(lambda each: each.log.phase is ProtocolPhase.REVEAL)
    assert table.log.departed == {4}
    table.drop(2)
    assert table.log.void is VoidReason.LOST
    assert table.log.disputed_drops == {(2, 0)}, "only the host says that its seeds never came"
    table.run()
    assert table.replay.summaries[1].counted is False
    assert proven(table) == [(2, Fault.NO_REVEAL)]
