"""Nobody is convicted by what cannot be checked: seeds that are wrong, or that never came.

Each attack is by seats that sign what they like and by a host that takes it in the worst order.
"""

from __future__ import annotations

import msgspec
import pytest

from lanuno.log import bodies, events
from lanuno.log.bodies import HaltReason
from lanuno.log.faults import Check, Fault, Refusal, VoidReason
from lanuno.log.round_audit import RoundReport, audit_round, proves
from lanuno.log.round_record import Phase
from tests.log.log_table import SHORT, LogTable, new_table

R, V = 2, 1
"""Who reveals a wrong seed, and the honest seat that is dropped before its Reveal is logged."""


def revealing(players: int = 4) -> LogTable:
    """All cards are played; every seat owes its seeds."""
    return new_table(players, SHORT, salt=2).run(
        lambda each: each.replay.number == 1 and each.log.phase is Phase.REVEAL
    )


def wrong_reveal(table: LogTable, seed: str) -> bodies.Reveal:
    return msgspec.structs.replace(table.reveal(R), **{seed: b"\x44" * 32})


def blamed(table: LogTable) -> set[tuple[int | None, Fault]]:
    return {(each.seat, each.fault) for each in table.audit().blame if proves(each)}


def unchecked(report: RoundReport) -> set[Check]:
    return {each.name for each in report.checks if not each.ok}


@pytest.mark.parametrize("seed", ["seed", "view"])
@pytest.mark.parametrize("players", [4, 5])
@pytest.mark.parametrize("order", ["R first", "V first", "V first, all other shares out"])
def test_a_wrong_seed_convicts_nobody_but_its_author(players: int, seed: str, order: str) -> None:
    """A share sealed to R would not open with the box key that follows from the wrong seed."""
    table = revealing(players)
    said = wrong_reveal(table, seed)
    if order != "R first":
        table.drop(V)
    if order.endswith("out"):
        for seat in table.log.missing_shares(V):
            if seat != R:
                table.say(seat, table.share(seat, V))
    table.say(R, said)
    table.drop(R)
    if order == "R first":
        table.drop(V)
    # The share that only R can read will never come: nobody waits for it.
    assert not table.log.recovering
    assert V not in table.log.recovered
    table.run(lambda each: each.replay.between_rounds)
    assert [(each.seat, each.fault) for each in table.log.faults] == [(R, Fault.BAD_COMMITMENT)]
    assert table.log.spoilers == set()
    table.run()
    assert blamed(table) == {(R, Fault.BAD_COMMITMENT)}
    report = table.audit().rounds[1]
    assert report.void is VoidReason.FAULT
    assert {Check.SHARES, Check.MASKS, Check.LOCKS, Check.REVEALS} <= unchecked(report)


def test_who_revealed_a_wrong_seed_still_gives_its_share() -> None:
    """As long as R is there, the honest seat's seed comes back and is checked."""
    table = revealing()
    table.say(R, wrong_reveal(table, "seed"))
    table.drop(V)
    assert table.log.missing_shares(V) == (0, R, 3)
    table.run(lambda each: each.replay.between_rounds)
    assert set(table.log.recovered) == {V}
    table.run()
    assert blamed(table) == {(R, Fault.BAD_COMMITMENT)}
