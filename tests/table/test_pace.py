"""Time at a table: the wait around "UNO", the turn clock, automatic steps, grace, leaving."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from lanuno.log.format import bodies
from lanuno.log.format.bodies import Body, CloseReason, DropReason, sign_body
from lanuno.log.replay.times import AUTOPILOT_MS, DEAL_MS
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine.actions import (
    Action,
    Catch,
    Draw,
    OpenHand,
    Play,
    RefuseShow,
    SayUno,
    Show,
    Verdict,
)
from lanuno.rules.engine.round import Round
from lanuno.rules.ruleset import Ruleset, UnoRule
from lanuno.table import messages
from lanuno.table.messages import AtTable
from lanuno.table.outputs import SeatsAwaited
from tests.harness.adversaries.forging import Forger
from tests.harness.adversaries.invalid_peers import Mute, SendsExtra
from tests.harness.host_and_seats.players import CROWDED, DOUBTERS, Catcher, Late, Quiet
from tests.harness.host_and_seats.simulated_lobby import sent_to_peers
from tests.harness.host_and_seats.table_sim import SimPeer, TableSim
from tests.harness.host_and_seats.table_state import closed_as, host_role_of, in_round, is_by, is_of
from tests.harness.host_and_seats.timeline import TimedEntry, timeline
from tests.harness.host_and_seats.timeline import timed_entries_of as entries_of
from tests.harness.host_and_seats.verdicts import reports

GRACE = float(Ruleset().grace_first_s)
STEP_SECONDS = 5.0


# ---- the time around "UNO" --------------------------------------------------------------------


def uno_table(*players: Callable[[SimPeer], Quiet], **rules: object) -> TableSim:
    sim = TableSim(len(players), 5, replace(Ruleset(hand_size=3), **rules))
    for peer, make in zip(sim.seated, players, strict=True):
        peer.player = make(peer)
    # A player who never says "UNO" never wins: such a round could last forever.
    sim.run_until(lambda: len(sim.journal) > 200 or closed_as(sim) is not None)
    return sim


def begins(moment: TimedEntry) -> bool:
    act = moment.payload
    return (
        isinstance(act, bodies.Act)
        and isinstance(act.action, Play | Draw)
        and moment.phase != "DRAWN"
    )


@pytest.mark.parametrize("uno", [UnoRule.CATCH, UnoRule.AUTOMATIC])
def test_the_next_turn_waits_while_somebody_owes_uno(uno: UnoRule) -> None:
    sim = uno_table(Quiet, Quiet, Quiet, uno=uno)
    after = [m for m in timeline(sim) if m.owed is not None and begins(m)]
    assert after
    for moment in after:
        assert moment.seconds - moment.owed_since >= 2.5 - 0.002
        assert moment.seconds - moment.owed_since < 3.0


def test_saying_uno_lets_the_table_go_on_at_once() -> None:
    sim = uno_table(Late, Late)
    assert [m for m in timeline(sim) if _acts(m, SayUno)]
    assert not [m for m in timeline(sim) if m.owed is not None and begins(m)]
    assert timeline(sim)[-1].seconds < 2.0


def test_a_catch_counts_from_one_second_on() -> None:
    sim = uno_table(Catcher, Catcher, Quiet)
    catches = [m for m in timeline(sim) if _acts(m, Catch)]
    assert catches
    for moment in catches:
        assert 1.0 - 0.002 <= moment.seconds - moment.owed_since < 1.2


def test_the_waits_are_settings() -> None:
    sim = uno_table(Quiet, Catcher, uno_hold_ms=6000, uno_catch_ms=4000)
    for moment in timeline(sim):
        if _acts(moment, Catch):
            assert moment.seconds - moment.owed_since >= 4.0 - 0.002
    sim = uno_table(Quiet, Quiet, uno_hold_ms=0, uno_catch_ms=0)
    assert timeline(sim)[-1].seconds < 2.0


def _acts(moment: TimedEntry, kind: type) -> bool:
    return isinstance(moment.payload, bodies.Act) and isinstance(moment.payload.action, kind)


def owing(sim: TableSim) -> Callable[[], bool]:
    def reached() -> bool:
        current = None if sim.host_role is None else sim.host_role.replay.round
        engine = None if current is None else current.engine
        return getattr(engine, "uno_owed", None) is not None

    return reached


def test_the_last_act_of_a_waiting_seat_counts() -> None:
    """No refusal is sent for the first act: a bot would answer it with a third act."""
    sim = TableSim(3, 5, Ruleset(hand_size=3))
    for peer in sim.seated:
        peer.player = Quiet(peer)
    sim.run_until(owing(sim))
    replay = host_role_of(sim).replay
    assert replay.round is not None
    decider = replay.round.engine.decider
    assert decider is not None
    bodies_said = [
        Body(
            replay.table_id,
            replay.number,
            decider,
            900 + place,
            replay.head,
            bodies.Act(replay.round.engine.decision, Draw(), b""),
        )
        for place in range(2)
    ]
    first, second = (sign_body(body, sim.peers[decider].identity) for body in bodies_said)
    assert host_role_of(sim).receive(decider, messages.Submit(first), sim.now) == []
    assert host_role_of(sim).receive(decider, messages.Submit(second), sim.now) == []
    deadline = host_role_of(sim).deadline
    assert deadline is not None
    assert sim.now < deadline <= sim.now + 2.5
    assert host_role_of(sim).tick(sim.now + 0.1) == []
    out = host_role_of(sim).tick(deadline + 0.001)
    [news] = sent_to_peers(out, messages.Entries, decider)
    assert news.entries[0].read().signed_body == second
    assert not sent_to_peers(out, messages.BodyRefusal)


def test_a_seat_may_catch_while_its_own_turn_waits_to_begin() -> None:
    """Both acts are accepted, each when its time has come."""
    sim = TableSim(3, 5, Ruleset(hand_size=3))
    for peer in sim.seated:
        peer.player = Quiet(peer)
    sim.run_until(owing(sim))
    replay = host_role_of(sim).replay
    assert replay.round is not None
    game = replay.round.engine
    decider = game.decider
    assert isinstance(game, Round)
    assert decider is not None
    assert game.uno_owed is not None
    acts: tuple[Action, ...] = (Draw(), Catch(game.uno_owed))
    for place, action in enumerate(acts):
        act = bodies.Act(game.decision, action, b"")
        body = Body(replay.table_id, replay.number, decider, 900 + place, replay.head, act)
        signed = sign_body(body, sim.peers[decider].identity)
        assert host_role_of(sim).receive(decider, messages.Submit(signed), sim.now) == []
    deadline = host_role_of(sim).deadline
    assert deadline is not None
    assert deadline <= sim.now + 1.0
    out = host_role_of(sim).tick(deadline + 0.001)
    taken = [
        entry.read().signed_body.read()
        for news in sent_to_peers(out, messages.Entries, decider)
        for entry in news.entries
    ]
    assert [getattr(body.payload, "action", None) for body in taken] == [acts[1]]
    # A body with a smaller counter is then too late, and its author signs it again.
    [stale] = sent_to_peers(out, messages.BodyRefusal, decider)
    assert (stale.counter, stale.refusal) == (900, "stale-counter")


def test_a_held_body_is_discarded_when_its_seat_disconnects() -> None:
    sim = TableSim(3, 5, Ruleset(hand_size=3))
    for peer in sim.seated:
        peer.player = Quiet(peer)
    sim.run_until(owing(sim))
    sim.run_until(lambda: bool(host_role_of(sim)._held))
    [(seat, _)] = list(host_role_of(sim)._held)
    sim.disconnect(seat)
    sim.run()
    assert closed_as(sim) in (CloseReason.STOPPED, CloseReason.INCOMPLETE)
    assert host_role_of(sim).deadline is None


# ---- the turn clock ---------------------------------------------------------------------------


def muted_acts(rules: dict[str, object], *, slow: bool) -> TableSim:
    """Return a table at which seat 1 never plays."""
    sim = TableSim(2, 1, replace(Ruleset(), **rules), slow=frozenset({1} if slow else ()))
    sim.peers[1].tamper = Mute(bodies.Act)
    sim.run()
    return sim


@pytest.mark.parametrize(
    ("rules", "slow", "seconds"),
    [
        ({}, False, 61.0),
        ({}, True, 121.0),
        ({"turn_clock_s": 30}, False, 31.0),
        ({"turn_clock_s": 30, "turn_extra_ms": 0}, True, 60.0),
    ],
)
def test_the_clock_runs_out_and_then_plays_by_itself(
    rules: dict[str, object], slow: bool, seconds: float
) -> None:
    sim = muted_acts(rules, slow=slow)
    outs = [m for m in entries_of(sim, bodies.TimeOut) if m.decided_by == 1]
    waits = [moment.waited for moment in outs]
    dealt = DEAL_MS / 1000
    assert waits[:2] == [pytest.approx(seconds + dealt, abs=0.1), pytest.approx(seconds, abs=0.1)]
    assert waits[2:]
    assert all(wait == pytest.approx(AUTOPILOT_MS / 1000, abs=0.1) for wait in waits[2:])
    assert closed_as(sim) in (CloseReason.STOPPED, CloseReason.FINISHED)
    reports(sim)


def test_without_a_clock_no_turn_times_out() -> None:
    sim = TableSim(2, 1, Ruleset(turn_clock_s=0))
    sim.peers[1].tamper = Mute(bodies.Act)
    sim.run()
    assert not entries_of(sim, bodies.TimeOut)
    assert closed_as(sim) is None
    assert host_role_of(sim).deadline is None
    sim.stop()
    sim.run()
    assert closed_as(sim) is CloseReason.INCOMPLETE


def test_a_player_that_acts_again_is_on_autopilot_no_more() -> None:
    sim = TableSim(2, 1)
    mute = Mute(bodies.Act)
    sim.peers[1].tamper = mute
    sim.run_until(lambda: len([e for e in sim.journal if is_of(e, bodies.TimeOut)]) >= 4)
    sim.peers[1].tamper = None
    sim.peers[1].acted.clear()
    sim.peers[1].awake = True
    acted = len(sim.journal)
    sim.run_until(lambda: any(is_by(entry, 1, bodies.Act) for entry in sim.journal[acted:]))
    sim.peers[1].tamper = mute
    sim.run()
    later = [m for m in timeline(sim)[acted:] if isinstance(m.payload, bodies.TimeOut)]
    if later:
        assert later[0].waited == pytest.approx(61.0, abs=0.1)


def test_a_hand_not_shown_counts_as_refused_after_the_time_of_an_automatic_step() -> None:
    sim = TableSim(3, 0, CROWDED)
    for number, make in DOUBTERS.items():
        sim.peers[number].player = make(sim.peers[number])
    for peer in sim.seated:
        peer.tamper = Forger(
            bodies.Act,
            lambda peer, body: [] if getattr(body.payload, "action", None) == Show() else None,
            times=10**6,
        )
    sim.run()
    refused = [m for m in entries_of(sim, bodies.TimeOut) if m.phase == "SHOW"]
    assert refused
    assert all(m.waited == pytest.approx(STEP_SECONDS, abs=0.1) for m in refused)
    assert not [m for m in timeline(sim) if _acts(m, RefuseShow)]
    reports(sim)


def test_a_verdict_and_an_open_hand_have_the_time_of_an_automatic_step() -> None:
    sim = TableSim(3, 0, CROWDED)
    for number, make in DOUBTERS.items():
        sim.peers[number].player = make(sim.peers[number])
        sim.peers[number].tamper = Mute(Verdict, OpenHand)
    sim.run()
    waited = {"VERDICT": 0.0, "OPEN_HAND": 0.0}
    for each in entries_of(sim, bodies.TimeOut):
        waited[each.phase] = each.waited
        assert each.waited == pytest.approx(STEP_SECONDS, abs=0.1)
    assert all(waited.values())
    reports(sim)


def without_one(players: int) -> CloseReason:
    """Return why a table of this size closes after a drop: of two players the other one wins."""
    return CloseReason.FINISHED if players == 2 else CloseReason.STOPPED


# ---- automatic steps, grace, leaving ----------------------------------------------------------


@pytest.mark.parametrize("kind", [bodies.Commit, bodies.Pass, bodies.Unlock, bodies.Reveal])
@pytest.mark.parametrize("players", [2, 3])
def test_an_automatic_step_not_done_ends_in_a_drop(kind: type, players: int) -> None:
    """After five seconds and the grace time the seat is dropped; the others reveal and attest."""
    sim = TableSim(players, 1)
    sim.peers[1].tamper = Mute(kind)
    sim.run()
    assert closed_as(sim) is without_one(players)
    [drop] = entries_of(sim, bodies.Drop)
    assert drop.payload == bodies.Drop(1, DropReason.SILENT)
    assert drop.seconds == pytest.approx(STEP_SECONDS + GRACE, abs=0.5)
    after = [m for m in timeline(sim) if m.seconds >= drop.seconds]
    if kind is not bodies.Commit:
        revealed = {m.author for m in timeline(sim) if isinstance(m.payload, bodies.Reveal)}
        assert revealed == set(range(players)) - {1}
        attested = {m.author for m in after if isinstance(m.payload, bodies.Attest)}
        assert attested == set(range(players)) - {1}
    assert isinstance(after[-1].payload, bodies.Close)
    waited = [e for e in sim.peers[0].outputs_done if isinstance(e, SeatsAwaited)]
    assert waited[0].seats == (1,)
    assert waited[0].seconds == pytest.approx(GRACE, abs=0.5)
    assert waited[-1].seats == ()


def test_a_lost_connection_is_waited_for_and_pauses_the_turn_clock() -> None:
    sim = TableSim(3, 1)
    sim.run_until(in_round(sim, 1, ProtocolPhase.PLAY))
    sim.run_until(lambda: host_role_of(sim)._clocks.deadline(sim.now) is not None)
    at = sim.now
    sim.disconnect(2)
    sim.run()
    [drop] = entries_of(sim, bodies.Drop)
    assert drop.payload == bodies.Drop(2, DropReason.LOST)
    assert drop.seconds == pytest.approx(at + GRACE, abs=0.5)
    assert not [m for m in entries_of(sim, bodies.TimeOut) if at < m.seconds < drop.seconds]
    assert closed_as(sim) is CloseReason.STOPPED


def test_a_silent_seat_uses_up_its_own_time_and_not_the_turn_of_another() -> None:
    """A silent seat uses up its own grace time, but not the turn of another player."""
    sim = TableSim(2, 1)
    sim.run_until(in_round(sim, 1, ProtocolPhase.COMMIT))
    kept: list[AtTable] = []

    def slow(peer: SimPeer, message: AtTable) -> list[AtTable]:
        if isinstance(message, messages.Submit):
            kept.append(message)
            return []
        return [message]

    sim.peers[1].tamper = slow
    while sim.step():
        pass
    assert sim.let_time_pass()
    assert sim.now < GRACE
    assert set(host_role_of(sim)._clocks._grace.seats) == {1}
    sim.now += 30.0
    sim.peers[1].tamper = None
    for message in kept:
        sim._send_to_host(sim.peers[1], message)
    sim.run()
    assert closed_as(sim) is CloseReason.STOPPED
    grace = host_role_of(sim)._clocks._grace
    assert grace._used[grace._player(1)] == pytest.approx(30.0, abs=0.5)


def test_the_time_for_one_player_in_a_match_is_bounded() -> None:
    rules = Ruleset(grace_first_s=60, grace_total_s=70)
    sim = TableSim(2, 1, rules)
    sim.run_until(in_round(sim, 1, ProtocolPhase.COMMIT))
    grace = host_role_of(sim)._clocks._grace
    grace._used[grace._player(1)] = 65.0
    at = sim.now
    sim.disconnect(1)
    sim.run()
    [drop] = entries_of(sim, bodies.Drop)
    assert drop.seconds == pytest.approx(at + 5.0, abs=0.5)


@pytest.mark.parametrize(
    "phase", [ProtocolPhase.COMMIT, ProtocolPhase.PLAY, ProtocolPhase.REVEAL, ProtocolPhase.ATTEST]
)
@pytest.mark.parametrize("players", [2, 3])
def test_leaving_on_purpose_needs_no_grace(phase: ProtocolPhase, players: int) -> None:
    sim = TableSim(players, 1)
    sim.run_until(in_round(sim, 1, phase))
    sim.act(1, sim.peers[1].seat_session.leave())
    sim.run()
    [drop] = entries_of(sim, bodies.Drop)
    assert drop.payload == bodies.Drop(1, DropReason.LEFT)
    assert drop.seconds < 2.0
    assert closed_as(sim) is without_one(players)
    reports(sim)
    assert sim.peers[1].seat_session.leave() == []


def test_a_host_that_leaves_or_falls_silent_ends_its_table() -> None:
    sim = TableSim(3, 1)
    sim.run_until(in_round(sim, 1, ProtocolPhase.PLAY))
    sim.act(0, sim.peers[0].seat_session.leave())
    sim.run()
    assert closed_as(sim) is CloseReason.INCOMPLETE
    assert not entries_of(sim, bodies.Drop)
    sim = TableSim(3, 1)
    sim.peers[0].tamper = Mute(bodies.Unlock)
    sim.run()
    assert closed_as(sim) is CloseReason.INCOMPLETE
    assert not entries_of(sim, bodies.Drop)
    reports(sim)


def test_a_seat_that_sends_an_impossible_body_is_dropped_at_once() -> None:
    sim = TableSim(3, 1)
    sim.peers[1].tamper = SendsExtra(
        lambda peer, body: [messages.Submit(bodies.SignedBody(b"nonsense", bytes(64)))], 1
    )
    sim.run()
    [drop] = entries_of(sim, bodies.Drop)
    assert drop.payload == bodies.Drop(1, DropReason.ATTACK)
    assert drop.seconds < 1.0
    assert not sim.peers[1].connected


def test_two_silent_players_are_both_dropped() -> None:
    sim = TableSim(4, 1)
    for number in (1, 2):
        sim.peers[number].tamper = Mute(bodies.Unlock, bodies.Reveal)
    sim.run()
    dropped = [drop.payload for drop in entries_of(sim, bodies.Drop)]
    assert dropped == [bodies.Drop(seat, DropReason.SILENT) for seat in (1, 2)]
    assert closed_as(sim) is CloseReason.STOPPED
