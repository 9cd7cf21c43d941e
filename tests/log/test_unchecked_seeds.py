"""Nobody is convicted by seeds that cannot be checked: wrong seeds, or seeds never revealed.

In each attack, seats sign what they like and a host puts it into the worst order.
"""

from __future__ import annotations

import msgspec
import pytest

from lanuno.log.faults import Check, Fault, VoidReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, HaltReason
from lanuno.log.round import events
from lanuno.log.round.round_audit import RoundReport, audit_round, is_proof
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.cards import Rank
from lanuno.rules.engine.actions import Action, Challenge, Play, Show
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.ruleset import Ruleset
from tests.harness.log_table.log_table import SHORT, LogTable, new_table
from tests.harness.log_table.moments import RANKS, find

R, V = 2, 1
"""The seat that reveals a wrong seed; the honest seat dropped before its Reveal is logged."""


def revealing(players: int = 4) -> LogTable:
    """All cards are played; every seat owes its seeds."""
    return new_table(players, SHORT, salt=2).run(
        lambda each: each.replay.number == 1 and each.log.phase is ProtocolPhase.REVEAL
    )


def wrong_reveal(table: LogTable, seed: str) -> bodies.Reveal:
    return msgspec.structs.replace(table.reveal(R), **{seed: b"\x44" * 32})


def blamed(table: LogTable) -> set[tuple[int | None, Fault]]:
    return {(each.seat, each.fault) for each in table.audit().blame if is_proof(each)}


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
                table.add(seat, table.share(seat, V))
    table.add(R, said)
    table.drop(R)
    if order == "R first":
        table.drop(V)
    # The share that only R can read will never come, so nobody waits for it.
    assert not table.log.recovering
    assert V not in table.log.recovered
    table.run(lambda each: each.replay.between_rounds)
    assert [(each.seat, each.fault) for each in table.log.faults] == [(R, Fault.BAD_COMMITMENT)]
    assert table.log.voided_by == set()
    table.run()
    assert blamed(table) == {(R, Fault.BAD_COMMITMENT)}
    report = table.audit().rounds[1]
    assert report.void is VoidReason.FAULT
    assert {Check.SHARES, Check.MASKS, Check.LOCKS, Check.REVEALS} <= unchecked(report)


def test_a_seat_that_revealed_a_wrong_seed_still_gives_its_share() -> None:
    """While R is present, the honest seat's seed is recovered and checked."""
    table = revealing()
    table.add(R, wrong_reveal(table, "seed"))
    table.drop(V)
    assert table.log.missing_shares(V) == (0, R, 3)
    table.run(lambda each: each.replay.between_rounds)
    assert set(table.log.recovered) == {V}
    table.run()
    assert blamed(table) == {(R, Fault.BAD_COMMITMENT)}


# ---- halts ----------------------------------------------------------------------------------


def shown_garbage() -> tuple[LogTable, int, int]:
    """Show a hand in a box that does not open, and let its receiver halt; return both seats."""

    def showing(table: LogTable) -> bool:
        engine = table.engine
        return engine.phase is RoundPhase.SHOW and 0 not in (engine.accused, engine.challenger)

    def bold(_table: LogTable, _seat: int, acts: tuple[Action, ...]) -> Action:
        fours = [act for act in acts if isinstance(act, Play) and RANKS[act.card] == Rank.WILD_FOUR]
        doubts: list[Action] = [act for act in acts if isinstance(act, Challenge)]
        return [*doubts, *fours, *acts][0]

    table = find(showing, Ruleset(), players=4, choose=bold)
    accused, challenger = table.engine.accused, table.engine.challenger
    table.add(accused, bodies.Act(table.engine.decision, Show(), b"\x55" * 100))
    table.add(challenger, bodies.Halt(HaltReason.BAD_SEAL, accused))
    return table, accused, challenger


def test_a_halt_about_a_box_is_judged_once_the_box_can_be_opened() -> None:
    table, accused, _ = shown_garbage()
    table.run(lambda each: each.log.phase is ProtocolPhase.ATTEST)
    assert audit_round(table.log).blamed == (accused,)


def test_a_halt_about_a_box_that_nobody_can_open_is_not_judged() -> None:
    """The halting seat's view seed is never revealed: shares recover only the round seed."""
    table, _, challenger = shown_garbage()
    table.drop(challenger)
    table.run(lambda each: each.log.phase is ProtocolPhase.ATTEST)
    assert set(table.log.recovered) == {challenger}
    report = audit_round(table.log)
    assert report.blamed == ()
    assert Check.KEYS in unchecked(report)
    table.run()
    assert blamed(table) == set()


def test_a_halt_about_something_else_is_judged_without_a_view_seed() -> None:
    """Nothing was ever sealed to the seat, so the shuffle alone shows whether its claim is true."""
    table = new_table(4, SHORT, salt=3).run(
        lambda each: each.replay.number == 1 and each.log.phase is ProtocolPhase.PLAY
    )
    table.add(V, bodies.Halt(HaltReason.NO_CARD, None))
    table.drop(V)
    table.run(lambda each: each.log.phase is ProtocolPhase.ATTEST)
    assert set(table.log.recovered) == {V}
    assert audit_round(table.log).blamed == (V,)


def test_a_fault_proven_after_an_attestation_takes_nothing_of_it_back() -> None:
    """R halts falsely and is blamed; a later exposure of V does not make that blame wrong."""
    table = new_table(3, SHORT, salt=2).run(
        lambda each: each.replay.number == 1 and each.log.phase is ProtocolPhase.PLAY
    )
    table.add(R, bodies.Halt(HaltReason.NO_CARD, None))
    table.run(lambda each: each.log.phase is ProtocolPhase.ATTEST)
    table.add(0, table.attest(0))
    assert table.log.attests[0] == (R,)
    counter = table.replay.next_counter(V)
    first, second = (
        table.signed(V, payload, counter=counter) for payload in (bodies.Leave(), bodies.Return())
    )
    proof = bodies.Expose(first.body, first.signature, second.body, second.signature)
    assert isinstance(table.add(HOST, proof)[0], events.FaultFound)
    assert audit_round(table.log).blamed == (V, R)
    table.run()
    assert blamed(table) == {(R, Fault.FALSE_HALT), (V, Fault.EQUIVOCATION)}
    assert table.replay.can_continue
