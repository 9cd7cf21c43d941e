"""The host's office: order, firmness, clocks, and how every table comes to its end."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from msgspec.structs import replace

from lanuno.bots.sensible import SensiblePlayer
from lanuno.log import bodies
from lanuno.log import replay as replaying
from lanuno.log.bodies import HOST, Body, CloseReason, DropReason, sign_body
from lanuno.log.entries import Entry
from lanuno.log.events import RoundClosed
from lanuno.log.faults import Verdict
from lanuno.log.round_record import Phase
from lanuno.rules.actions import Action, Catch, Draw, Play, RefuseShow, SayUno, Show
from lanuno.rules.engine import Round
from lanuno.rules.results import RoundKind
from lanuno.rules.ruleset import Ruleset, UnoRule
from lanuno.rules.view import SeatView
from lanuno.table import messages, sequencer
from lanuno.table.clocks import AUTOPILOT_SECONDS
from lanuno.table.lobby import MAX_SPECTATORS
from lanuno.table.messages import Ack, FromPeer
from lanuno.table.outputs import Disconnect, Output, TableWaits, ToPeer
from tests.sim.forging import Forger, cards_of, game_of, instead, play, said
from tests.sim.judging import reports
from tests.sim.peer_attacks import CROWDED, DOUBTERS, Also, Mute, false_attestation
from tests.sim.table_sim import SimPeer, TableSim
from tests.table.room import told
from tests.table.timeline import Moment, timeline
from tests.table.timeline import said as entries_of

GRACE = float(Ruleset().grace_first_s)
DUTY = 5.0


def office(sim: TableSim) -> sequencer.Sequencer:
    assert sim.sequencer is not None
    return sim.sequencer


def closed_as(sim: TableSim) -> CloseReason | None:
    return None if sim.sequencer is None else sim.sequencer.replay.closed


def in_round(sim: TableSim, number: int, phase: Phase) -> Callable[[], bool]:
    def reached() -> bool:
        current = None if sim.sequencer is None else sim.sequencer.replay.round
        return current is not None and (current.number, current.phase) == (number, phase)

    return reached


# ---- firmness ---------------------------------------------------------------------------------


def acks_of(sim: TableSim, number: int) -> None:
    """Let a peer follow without ever acknowledging anything."""
    sim.peers[number].tamper = Mute(Ack)


def test_of_two_owners_both_must_have_it_on_disk() -> None:
    sim = TableSim(2, 1)
    acks_of(sim, 1)
    sim.start()
    for _ in range(400):
        sim.step()
    assert office(sim).replay.seq > 0
    assert office(sim).firm == 0


def test_of_three_owners_two_are_enough() -> None:
    sim = TableSim(3, 1)
    acks_of(sim, 2)
    sim.run()
    assert office(sim).firm > 0
    assert closed_as(sim) is CloseReason.STOPPED


def test_bots_count_for_nothing() -> None:
    """A host with any number of bots is one owner, and its guest the other."""
    sim = TableSim(5, 1, bots_of_host=3)
    acks_of(sim, 4)
    sim.start()
    for _ in range(400):
        sim.step()
    assert office(sim).firm == 0
    sim = TableSim(5, 1, bots_of_host=3)
    for bot in (1, 2, 3):
        acks_of(sim, bot)
    sim.run()
    assert closed_as(sim) is CloseReason.STOPPED


class Asked:
    """Notes when a peer is first asked for a secret, and checks when it gives it away."""

    def __init__(self, sim: TableSim) -> None:
        self.since: dict[tuple[object, ...], int] = {}
        self.given: list[type] = []
        sim.on_entry = self.note
        for peer in sim.seated:
            peer.tamper = self.check

    def note(self, peer: SimPeer, _entry: object) -> None:
        replay = peer.table.replay
        current = replay.round
        if current is None:
            return
        asked: list[tuple[object, ...]] = [("need", need) for need in current.needs]
        if current.phase >= Phase.REVEAL:
            asked.append(("reveal",))
        if isinstance(current.engine, Round):
            asked.append(("show", current.engine.decision))
        for key in asked:
            self.since.setdefault((peer.number, current.number, *key), replay.seq)

    def check(self, peer: SimPeer, message: FromPeer) -> list[FromPeer]:
        if not isinstance(message, messages.Submit):
            return [message]
        body = message.body.read()
        given: list[tuple[object, ...]] = []
        match body.payload:
            case bodies.Unlock():
                given = [("need", keys.need) for keys in body.payload.lists]
            case bodies.Reveal():
                given = [("reveal",)]
            case bodies.Act(action=Show()):
                given = [("show", body.payload.decision)]
            case _:
                pass
        for key in given:
            assert peer.table.firm >= self.since[(peer.number, body.round, *key)]
            self.given.append(type(body.payload))
        return [message]


def test_nobody_releases_a_secret_before_it_is_firm() -> None:
    """Keys, shown hands and seeds wait until the entry that asks for them is firm."""
    given: set[type] = set()
    for players in (2, 3):
        sim = TableSim(players, 0, CROWDED)
        for peer in sim.seated:
            peer.player = DOUBTERS[peer.number](peer)
        asked = Asked(sim)
        sim.run()
        assert closed_as(sim) is CloseReason.STOPPED
        given |= set(asked.given)
    assert given == {bodies.Unlock, bodies.Reveal, bodies.Act}


def test_an_acknowledgement_of_what_is_not_there_is_nonsense() -> None:
    sim = TableSim(2, 1)
    sim.run_until(in_round(sim, 0, Phase.COMMIT))
    for count in (10**6, 2**32 - 1):
        assert told(office(sim).receive(1, Ack(count), sim.now), messages.Firm) == []
    assert office(sim).firm <= office(sim).replay.seq


def test_a_round_ends_only_when_its_end_is_firm() -> None:
    sim = TableSim(2, 1, rounds=2)
    sim.run_until(in_round(sim, 0, Phase.DONE))
    assert not office(sim).firm >= office(sim).replay.seq or closed_as(sim)
    sim.run()
    openings = [m for m in timeline(sim) if isinstance(m.payload, bodies.Open)]
    assert [m.payload.number for m in openings if isinstance(m.payload, bodies.Open)] == [0, 1, 2]


def test_who_acknowledges_nothing_is_waited_for_and_then_dropped() -> None:
    sim = TableSim(2, 1)
    acks_of(sim, 1)
    sim.run()
    assert closed_as(sim) is CloseReason.INCOMPLETE
    [drop] = entries_of(sim, bodies.Drop)
    assert drop.payload == bodies.Drop(1, DropReason.SILENT)
    assert drop.seconds == pytest.approx(DUTY + GRACE, abs=0.5)


def test_the_victim_of_somebody_who_acknowledges_nothing_is_not_dropped() -> None:
    """Keys that may not be released because another holds firmness up are not late."""
    for seed in range(3):
        sim = TableSim(2, seed)
        sim.run_until(in_round(sim, 1, Phase.PLAY))
        acks_of(sim, 1)
        sim.run()
        dropped = [drop.payload for drop in entries_of(sim, bodies.Drop)]
        assert dropped == [bodies.Drop(1, DropReason.SILENT)]


# ---- the time around "UNO" --------------------------------------------------------------------


class Quiet:
    """Plays, never says "UNO", and catches nobody."""

    def __init__(self, peer: SimPeer) -> None:
        self._usual = SensiblePlayer(Random(peer.number))

    def choose(self, seen: SeatView) -> Action | None:
        quiet = tuple(
            action
            for action in seen.legal
            if not isinstance(action, SayUno | Catch)
            and not (isinstance(action, Play) and action.uno)
        )
        return self._usual.choose(replace(seen, legal=quiet))


class Catcher(Quiet):
    """Plays quietly, and catches whoever does not say "UNO"."""

    def choose(self, seen: SeatView) -> Action | None:
        for action in seen.legal:
            if isinstance(action, Catch):
                return action
        return super().choose(seen)


class Late(Quiet):
    """Plays quietly, and says "UNO" right after."""

    def choose(self, seen: SeatView) -> Action | None:
        for action in seen.legal:
            if isinstance(action, SayUno):
                return action
        return super().choose(seen)


def uno_table(*players: Callable[[SimPeer], Quiet], **rules: object) -> TableSim:
    sim = TableSim(len(players), 5, replace(Ruleset(hand_size=3), **rules))
    for peer, make in zip(sim.seated, players, strict=True):
        peer.player = make(peer)
    # Who never says "UNO" never wins: such a round could go on for ever.
    sim.run_until(lambda: len(sim.journal) > 200 or closed_as(sim) is not None)
    return sim


def begins(moment: Moment) -> bool:
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


def _acts(moment: Moment, kind: type) -> bool:
    return isinstance(moment.payload, bodies.Act) and isinstance(moment.payload.action, kind)


def owing(sim: TableSim) -> Callable[[], bool]:
    def reached() -> bool:
        current = None if sim.sequencer is None else sim.sequencer.replay.round
        engine = None if current is None else current.engine
        return getattr(engine, "uno_owed", None) is not None

    return reached


def test_a_seat_that_changes_its_mind_while_it_waits_is_told() -> None:
    """The last word counts; what it replaces is refused, so that nobody waits for it."""
    sim = TableSim(3, 5, Ruleset(hand_size=3))
    for peer in sim.seated:
        peer.player = Quiet(peer)
    sim.run_until(owing(sim))
    replay = office(sim).replay
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
    assert office(sim).receive(decider, messages.Submit(first), sim.now) == []
    out = office(sim).receive(decider, messages.Submit(second), sim.now)
    assert [refusal.counter for refusal in told(out, messages.BodyRefusal, decider)] == [900]
    deadline = office(sim).deadline
    assert deadline is not None
    assert sim.now < deadline <= sim.now + 2.5
    assert office(sim).tick(sim.now + 0.1) == []
    out = office(sim).tick(deadline + 0.001)
    assert len(told(out, messages.Entries, decider)) >= 1


def test_what_waits_is_forgotten_when_its_seat_goes() -> None:
    sim = TableSim(3, 5, Ruleset(hand_size=3))
    for peer in sim.seated:
        peer.player = Quiet(peer)
    sim.run_until(owing(sim))
    sim.run_until(lambda: bool(office(sim)._held))
    [seat] = list(office(sim)._held)
    sim.disconnect(seat)
    sim.run()
    assert closed_as(sim) is CloseReason.INCOMPLETE
    assert office(sim).deadline is None


# ---- the turn clock ---------------------------------------------------------------------------


def muted_acts(rules: dict[str, object], *, slow: bool) -> TableSim:
    """Seat 1 never plays."""
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
    assert waits[:2] == [pytest.approx(seconds, abs=0.1)] * 2
    assert waits[2:]
    assert all(wait == pytest.approx(AUTOPILOT_SECONDS, abs=0.1) for wait in waits[2:])
    assert closed_as(sim) in (CloseReason.STOPPED, CloseReason.FINISHED)
    reports(sim)


def test_without_a_clock_nobody_is_hurried() -> None:
    sim = TableSim(2, 1, Ruleset(turn_clock_s=0))
    sim.peers[1].tamper = Mute(bodies.Act)
    sim.run()
    assert not entries_of(sim, bodies.TimeOut)
    assert closed_as(sim) is None
    assert office(sim).deadline is None
    sim.stop()
    sim.run()
    assert closed_as(sim) is CloseReason.INCOMPLETE


def test_whoever_acts_again_is_on_autopilot_no_more() -> None:
    sim = TableSim(2, 1)
    mute = Mute(bodies.Act)
    sim.peers[1].tamper = mute
    sim.run_until(lambda: len([e for e in sim.journal if _is(e, bodies.TimeOut)]) >= 4)
    sim.peers[1].tamper = None
    sim.peers[1].acted.clear()
    sim.peers[1].awake = True
    acted = len(sim.journal)
    sim.run_until(lambda: any(_by(entry, 1, bodies.Act) for entry in sim.journal[acted:]))
    sim.peers[1].tamper = mute
    sim.run()
    later = [m for m in timeline(sim)[acted:] if isinstance(m.payload, bodies.TimeOut)]
    if later:
        assert later[0].waited == pytest.approx(61.0, abs=0.1)


def _is(entry: Entry, kind: type) -> bool:
    return isinstance(entry.read().signed_body.read().payload, kind)


def _by(entry: Entry, author: int, kind: type) -> bool:
    return entry.read().signed_body.read().author == author and _is(entry, kind)


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
    assert all(m.waited == pytest.approx(DUTY, abs=0.1) for m in refused)
    assert not [m for m in timeline(sim) if _acts(m, RefuseShow)]
    reports(sim)


# ---- duties, grace, leaving -------------------------------------------------------------------


@pytest.mark.parametrize("kind", [bodies.Commit, bodies.Pass, bodies.Unlock, bodies.Reveal])
@pytest.mark.parametrize("players", [2, 3])
def test_an_automatic_step_not_done_ends_the_table_in_order(kind: type, players: int) -> None:
    """Five seconds, the grace time, the drop; the others reveal and attest before the close."""
    sim = TableSim(players, 1)
    sim.peers[1].tamper = Mute(kind)
    sim.run()
    assert closed_as(sim) is CloseReason.INCOMPLETE
    [drop] = entries_of(sim, bodies.Drop)
    assert drop.payload == bodies.Drop(1, DropReason.SILENT)
    assert drop.seconds == pytest.approx(DUTY + GRACE, abs=0.5)
    after = [m for m in timeline(sim) if m.seconds >= drop.seconds]
    if kind is not bodies.Commit:
        revealed = {m.author for m in timeline(sim) if isinstance(m.payload, bodies.Reveal)}
        assert revealed == set(range(players)) - {1}
        attested = {m.author for m in after if isinstance(m.payload, bodies.Attest)}
        assert attested == set(range(players)) - {1}
    assert isinstance(after[-1].payload, bodies.Close)
    waited = [e for e in sim.peers[0].done if isinstance(e, TableWaits)]
    assert waited[0].seats == (1,)
    assert waited[0].seconds == pytest.approx(GRACE, abs=0.5)
    assert waited[-1].seats == ()


def test_a_lost_connection_is_waited_for_and_pauses_the_turn_clock() -> None:
    sim = TableSim(3, 1)
    sim.run_until(in_round(sim, 1, Phase.PLAY))
    sim.run_until(lambda: office(sim)._clocks.deadline is not None)
    at = sim.now
    sim.disconnect(2)
    sim.run()
    [drop] = entries_of(sim, bodies.Drop)
    assert drop.payload == bodies.Drop(2, DropReason.LOST)
    assert drop.seconds == pytest.approx(at + GRACE, abs=0.5)
    assert not [m for m in entries_of(sim, bodies.TimeOut) if m.seconds > at]
    assert closed_as(sim) is CloseReason.INCOMPLETE


def test_who_comes_back_in_time_goes_on_and_nobody_loses_time_by_it() -> None:
    """A seat that was silent for a while: its grace is used up, the turn of others is not."""
    sim = TableSim(2, 1)
    sim.run_until(in_round(sim, 1, Phase.COMMIT))
    kept: list[FromPeer] = []

    def slow(peer: SimPeer, message: FromPeer) -> list[FromPeer]:
        if isinstance(message, messages.Submit):
            kept.append(message)
            return []
        return [message]

    sim.peers[1].tamper = slow
    while sim.step():
        pass
    assert sim.let_time_pass()
    assert sim.now < GRACE
    assert set(office(sim)._clocks._lost) == {1}
    sim.now += 30.0
    sim.peers[1].tamper = None
    for message in kept:
        sim._submit(sim.peers[1], message)
    sim.run()
    assert closed_as(sim) is CloseReason.STOPPED
    assert office(sim)._clocks._used[1] == pytest.approx(30.0, abs=0.5)


def test_the_time_for_one_player_in_a_match_is_bounded() -> None:
    rules = Ruleset(grace_first_s=60, grace_total_s=70)
    sim = TableSim(2, 1, rules)
    sim.run_until(in_round(sim, 1, Phase.COMMIT))
    office(sim)._clocks._used[1] = 65.0
    at = sim.now
    sim.disconnect(1)
    sim.run()
    [drop] = entries_of(sim, bodies.Drop)
    assert drop.seconds == pytest.approx(at + 5.0, abs=0.5)


@pytest.mark.parametrize("phase", [Phase.COMMIT, Phase.PLAY, Phase.REVEAL, Phase.ATTEST])
@pytest.mark.parametrize("players", [2, 3])
def test_leaving_on_purpose_needs_no_grace(phase: Phase, players: int) -> None:
    sim = TableSim(players, 1)
    sim.run_until(in_round(sim, 1, phase))
    sim.act(1, sim.peers[1].table.leave())
    sim.run()
    [drop] = entries_of(sim, bodies.Drop)
    assert drop.payload == bodies.Drop(1, DropReason.LEFT)
    assert drop.seconds < 2.0
    assert closed_as(sim) is CloseReason.INCOMPLETE
    reports(sim)
    assert sim.peers[1].table.leave() == []


def test_a_host_that_leaves_or_falls_silent_ends_its_table() -> None:
    sim = TableSim(3, 1)
    sim.run_until(in_round(sim, 1, Phase.PLAY))
    sim.act(0, sim.peers[0].table.leave())
    sim.run()
    assert closed_as(sim) is CloseReason.INCOMPLETE
    assert not entries_of(sim, bodies.Drop)
    sim = TableSim(3, 1)
    sim.peers[0].tamper = Mute(bodies.Unlock)
    sim.run()
    assert closed_as(sim) is CloseReason.INCOMPLETE
    assert not entries_of(sim, bodies.Drop)
    reports(sim)


def test_who_sends_what_no_honest_program_sends_is_dropped_at_once() -> None:
    sim = TableSim(3, 1)
    sim.peers[1].tamper = Also(
        lambda peer, body: [messages.Submit(bodies.SignedBody(b"nonsense", bytes(64)))], 1
    )
    sim.run()
    [drop] = entries_of(sim, bodies.Drop)
    assert drop.payload == bodies.Drop(1, DropReason.ATTACK)
    assert drop.seconds < 1.0
    assert not sim.peers[1].connected


def test_two_who_fall_silent_are_both_dropped() -> None:
    sim = TableSim(4, 1)
    for number in (1, 2):
        sim.peers[number].tamper = Mute(bodies.Unlock, bodies.Reveal)
    sim.run()
    dropped = [drop.payload for drop in entries_of(sim, bodies.Drop)]
    assert dropped == [bodies.Drop(seat, DropReason.SILENT) for seat in (1, 2)]
    assert closed_as(sim) is CloseReason.INCOMPLETE


# ---- the end ----------------------------------------------------------------------------------


@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_rounds_are_counted(rounds: int) -> None:
    sim = TableSim(2, 1, Ruleset(hand_size=2), rounds=rounds)
    sim.run()
    assert closed_as(sim) is CloseReason.STOPPED
    closed = [e for e in sim.peers[0].events if isinstance(e, RoundClosed)]
    assert len(closed) == (rounds + 1 if rounds else 0), "the first one chooses the dealer"


@pytest.mark.parametrize("phase", list(Phase)[:-1])
def test_stopping_in_the_middle_leaves_it_unfinished(phase: Phase) -> None:
    sim = TableSim(4 if phase is Phase.ESCROW else 2, 1)
    sim.run_until(in_round(sim, 1, phase))
    sim.stop()
    sim.run()
    assert closed_as(sim) is CloseReason.INCOMPLETE
    sim.stop()
    assert len(entries_of(sim, bodies.Close)) == 1


def test_stopping_between_rounds_is_in_order() -> None:
    sim = TableSim(2, 1, rounds=None)
    sim.run_until(in_round(sim, 1, Phase.DONE))
    sim.stop()
    sim.run()
    assert closed_as(sim) is CloseReason.STOPPED
    sim = TableSim(2, 1)
    sim.peers[1].tamper = Forger(bodies.Attest, instead(false_attestation))
    sim.run_until(in_round(sim, 0, Phase.DONE))
    sim.stop()
    assert closed_as(sim) is CloseReason.CHEATING


def test_a_log_without_room_for_another_round_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequencer, "MAX_ENTRIES", 60 + sequencer.ROOM_ENTRIES)
    sim = TableSim(2, 1, rounds=None)
    sim.run()
    assert closed_as(sim) is CloseReason.TOO_LONG
    assert len(sim.journal) > 60
    reports(sim)


def test_a_log_that_is_full_in_the_middle_of_a_round_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replaying, "MAX_ENTRIES", 40)
    sim = TableSim(2, 1)
    sim.run()
    assert closed_as(sim) is CloseReason.TOO_LONG
    assert len(sim.journal) == 40
    assert [e.seq for e in [entry.read() for entry in sim.journal]] == list(range(40))


def test_a_closed_table_says_nothing_more() -> None:
    sim = TableSim(2, 1)
    sim.run()
    host = office(sim)
    assert host.settled
    assert host.deadline is None
    assert host.tick(sim.now + 1000.0) == []
    assert host.stop(sim.now) == []
    assert host.left(1, sim.now) == []
    last = sim.journal[5].read().signed_body
    for message in (messages.Submit(last), Ack(3)):
        assert not told(host.receive(0, message, sim.now), messages.Entries)


def test_who_never_answers_keeps_a_closed_table_from_being_settled() -> None:
    """Whoever waits for it must set a limit; a dropped seat is not waited for."""
    sim = TableSim(3, 1)
    sim.run_until(in_round(sim, 1, Phase.PLAY))
    acks_of(sim, 2)
    sim.run()
    assert closed_as(sim) is CloseReason.STOPPED
    assert not office(sim).settled
    office(sim).left(2, sim.now)
    assert office(sim).settled


# ---- order and refusals -----------------------------------------------------------------------


def refusals(out: list[Output]) -> list[str]:
    return [refusal.refusal for refusal in told(out, messages.BodyRefusal)]


def test_bodies_that_do_not_fit_are_refused_with_their_reason_and_not_logged() -> None:
    sim = TableSim(3, 1)
    sim.run_until(in_round(sim, 1, Phase.PLAY))
    host = office(sim)
    replay = host.replay
    right = Body(replay.table_id, replay.number, 1, 500, replay.head, bodies.Leave())
    peer = sim.peers[1]
    wrong: list[tuple[dict[str, object], str]] = [
        ({"author": 2}, "not-a-seat"),
        ({"author": HOST}, "not-a-seat"),
        ({"round": 9}, "wrong-round"),
        ({"head": bytes(32)}, "unknown-head"),
        ({"payload": bodies.Attest(bytes(32), ())}, "not-now"),
        ({"payload": bodies.Open(1, RoundKind.PLAY, (0,), 0)}, "not-a-seat"),
        ({"payload": bodies.Act(10**6, Draw(), b"")}, "stale-decision"),
    ]
    for place, (changes, why) in enumerate(wrong):
        before = replay.seq
        out = host.receive(1, said(peer, replace(right, counter=500 + place), **changes), sim.now)
        assert refusals(out) == [why]
        assert replay.seq == before
    early = next(each.read().signed_body for each in sim.journal if _by(each, 1, bodies.Commit))
    assert refusals(host.receive(1, messages.Submit(early), sim.now)) == ["stale-counter"]
    assert refusals(host.receive(2, said(peer, right), sim.now)) == ["not-a-seat"]
    assert host.receive(77, said(peer, right), sim.now) == []


def test_a_card_that_the_rules_refuse_is_not_logged_and_its_player_goes_on() -> None:
    """Everybody sees that it does not fit; who laid it is no cheat for that."""
    sim = TableSim(2, 1)
    tried: list[Play] = []

    def lay(peer: SimPeer, body: Body) -> list[FromPeer] | None:
        game = game_of(peer)
        for slot, card in cards_of(peer).items():
            action = Play(slot, card)
            refusal = game.refusal(peer.number, action, {})
            if refusal is not None and refusal.name == "UNPLAYABLE":
                tried.append(action)
                return [play(peer, body, action, slot)]
        return None

    sim.peers[1].tamper = Forger(bodies.Act, lay)
    sim.run()
    assert len(tried) == 1
    assert "illegal" in sim.peers[1].refused
    assert closed_as(sim) is CloseReason.STOPPED
    for report in reports(sim).values():
        assert report.verdict is Verdict.VERIFIED


def test_a_counter_used_twice_is_exposed_once() -> None:
    sim = TableSim(3, 1)
    sim.run_until(in_round(sim, 1, Phase.PLAY))
    host = office(sim)
    replay = host.replay
    peer = sim.peers[1]
    body = Body(replay.table_id, replay.number, 1, 500, bytes(32), bodies.Leave())
    for place in range(20):
        lie = said(peer, replace(body, head=bytes([place]) * 32))
        host.receive(1, lie, sim.now)
    exposed = [entry for entry in sim.journal if _is(entry, bodies.Expose)]
    exposed += [entry for entry in host._entries[len(sim.journal) :] if _is(entry, bodies.Expose)]
    assert len(exposed) == 1
    assert len(host._members[1].seen) <= sequencer.REMEMBERED_BODIES


def test_the_host_remembers_only_so_many_bodies() -> None:
    sim = TableSim(3, 1)
    sim.run_until(in_round(sim, 1, Phase.PLAY))
    host = office(sim)
    replay = host.replay
    for counter in range(500, 500 + 3 * sequencer.REMEMBERED_BODIES):
        body = Body(replay.table_id, replay.number, 1, counter, bytes(32), bodies.Leave())
        host.receive(1, said(sim.peers[1], body), sim.now)
    assert len(host._members[1].seen) == sequencer.REMEMBERED_BODIES


# ---- watching, chat ---------------------------------------------------------------------------


def test_a_watcher_pulls_the_log_in_pages_and_then_hears_it_live() -> None:
    sim = TableSim(2, 1, rounds=2)
    sim.run_until(in_round(sim, 1, Phase.REVEAL))
    host = office(sim)
    out = host.receive(50, messages.Watch(1, "eve"), sim.now)
    assert told(out, messages.Began, 50)
    assert host.watchers == 1
    held = 0
    pages = 0
    while True:
        [page] = told(host.receive(50, messages.Fetch(held), sim.now), messages.Entries, 50)
        assert page.first == held
        if not page.entries:
            break
        pages += 1
        assert (
            sum(len(e.core) for e in page.entries) <= messages.PAGE_BYTES or len(page.entries) == 1
        )
        assert len(messages.to_bytes(page)) < 64 * 1024
        held += len(page.entries)
    assert pages > 1
    assert held == host.replay.seq
    assert 50 in host._listeners()
    assert host.left(50, sim.now) == []
    assert host.watchers == 0


def test_nobody_unknown_gets_a_page() -> None:
    sim = TableSim(2, 1)
    sim.run_until(in_round(sim, 1, Phase.PLAY))
    host = office(sim)
    assert host.receive(50, messages.Fetch(0), sim.now) == []
    assert told(host.receive(1, messages.Fetch(0), sim.now), messages.Entries, 1)
    assert host.receive(1, messages.Fetch(2**32 - 1), sim.now) == []


def test_there_is_room_for_so_many_watchers() -> None:
    sim = TableSim(2, 1)
    sim.run_until(in_round(sim, 1, Phase.PLAY))
    host = office(sim)
    for peer in range(50, 50 + MAX_SPECTATORS):
        assert told(host.watch(peer, "eve"), messages.Began, peer)
    assert told(host.watch(50, "eve"), messages.Began), "the same once more"
    [why] = told(host.watch(99, "eve"), messages.Refused, 99)
    assert why.why is messages.LobbyRefusal.NO_SPECTATORS
    assert told(host.watch(98, "\x00"), messages.Refused)[0].why is messages.LobbyRefusal.BAD_NAME
    assert host.watch(1, "me") == []


def test_chat_is_cleaned_and_reaches_everybody() -> None:
    sim = TableSim(2, 1)
    sim.run_until(in_round(sim, 1, Phase.PLAY))
    host = office(sim)
    host.watch(50, "eve")
    before = host.replay.seq
    out = host.receive(1, messages.Say("  hi \t"), sim.now)
    assert out == []
    out = host.receive(1, messages.Say("  hi   you "), sim.now)
    assert {(m.name, m.seat, m.text) for m in told(out, messages.Said)} == {
        ("player1", 1, "hi you")
    }
    assert {o.peer for o in out if isinstance(o, ToPeer)} == {0, 1, 50}
    [mine, *_] = told(host.receive(50, messages.Say("psst"), sim.now), messages.Said)
    assert (mine.name, mine.seat) == ("eve", -1)
    for bad in ("", "a\u202eb", "\x00"):
        assert host.receive(1, messages.Say(bad), sim.now) == []
    assert host.receive(77, messages.Say("hello"), sim.now) == []
    assert host.replay.seq == before


# ---- every message at every stage -------------------------------------------------------------

STAGES: tuple[tuple[int, Phase], ...] = tuple(
    (number, phase) for number in (0, 1) for phase in Phase if phase is not Phase.ESCROW
)


@pytest.mark.parametrize(("number", "phase"), STAGES)
def test_every_message_at_every_stage(number: int, phase: Phase) -> None:
    sim = TableSim(2, 1, Ruleset(hand_size=2))
    sim.run_until(in_round(sim, number, phase))
    host = office(sim)
    host.watch(50, "eve")
    before = host.replay.seq
    anything: list[FromPeer] = [
        messages.Join(1, "me", bytes(32), bytes(32), False, False),
        messages.Watch(1, "me"),
        messages.Ready(True),
        messages.Agree(bytes(64)),
        messages.NonceOut(bytes(32)),
        Ack(0),
        Ack(2**32 - 1),
        messages.Fetch(0),
        messages.Fetch(2**32 - 1),
        messages.Say("hello"),
        *(messages.Submit(entry.read().signed_body) for entry in sim.journal[:4]),
    ]
    for peer in (0, 1, 50, 77):
        for message in anything:
            for output in host.receive(peer, message, sim.now):
                assert isinstance(output, ToPeer | Disconnect)
    assert host.replay.seq == before
    sim.run()
    reports(sim)


def test_time_never_waits_for_a_moment_that_has_passed() -> None:
    """Whatever happens, `tick` at the deadline moves the deadline on, or makes an entry."""
    for seed, kind in enumerate((bodies.Unlock, bodies.Act, bodies.Reveal, Ack, bodies.Pass)):
        sim = TableSim(3, seed, Ruleset(hand_size=3))
        for peer in sim.seated:
            peer.player = Late(peer) if peer.number else Quiet(peer)
        sim.peers[2].tamper = Mute(kind)
        sim.start()
        for _ in range(3000):
            if sim.step():
                continue
            if closed_as(sim) is not None:
                break
            host = office(sim)
            deadline = host.deadline
            assert deadline is not None
            before = (host.replay.seq, deadline)
            sim.let_time_pass()
            after = host.deadline
            assert host.replay.closed is not None or (host.replay.seq, after) != before
            assert after is None or after > sim.now - 0.01
