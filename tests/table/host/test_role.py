"""The host role: order and refusals, log limits, spectators and chat, and how every table ends."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from lanuno.log.faults import AuditVerdict, RefusalReason
from lanuno.log.format import bodies, limits
from lanuno.log.format.bodies import HOST, Body, CloseReason, Payload, SignedBody, sign_body
from lanuno.log.replay.times import MAX_GAP_MS
from lanuno.log.round.events import RoundClosed
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine.actions import Draw, Play
from lanuno.rules.engine.results import RoundKind
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages
from lanuno.table.budget import CHAT_BURST, REACTION_BURST, REACTION_RATE
from lanuno.table.host.role import ANY_TIME_BURST, ANY_TIME_REFILL_SECONDS, RETURN_COST, HostRole
from lanuno.table.messages import MAX_SPECTATORS, AtTable, LobbyRefusal, Reaction
from lanuno.table.outputs import (
    OWN,
    CloseLink,
    Output,
    Send,
    Spectator,
    SpectatorsChanged,
)
from tests.harness.adversaries.forging import (
    Forger,
    cards_of,
    game_of,
    play,
    signed_with,
    with_payload,
)
from tests.harness.adversaries.invalid_peers import Mute
from tests.harness.adversaries.lies import false_attestation
from tests.harness.host_and_seats.players import Late, Quiet
from tests.harness.host_and_seats.simulated_lobby import disconnected, refusal_for, sent_to_peers
from tests.harness.host_and_seats.small_table import SmallTable, SmallTableSeat, turns
from tests.harness.host_and_seats.table_sim import SimPeer, TableSim
from tests.harness.host_and_seats.table_state import (
    closed_as,
    host_role_of,
    in_round,
    is_by,
    withhold_acks,
)
from tests.harness.host_and_seats.timeline import timed_entries_of as entries_of
from tests.harness.host_and_seats.verdicts import reports
from tests.harness.log_table.elections import elect
from tests.harness.log_table.log_table import identity, new_table
from tests.harness.log_table.moments import playing
from tests.harness.log_table.replaying import replayed

# ---- the end ----------------------------------------------------------------------------------


@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_rounds_are_counted(rounds: int) -> None:
    sim = TableSim(2, 1, Ruleset(hand_size=2), rounds=rounds)
    sim.run()
    assert closed_as(sim) is CloseReason.STOPPED
    closed = [e for e in sim.peers[0].events if isinstance(e, RoundClosed)]
    assert len(closed) == (rounds + 1 if rounds else 0), "the first one chooses the dealer"


@pytest.mark.parametrize("phase", list(ProtocolPhase)[:-1])
def test_stopping_in_the_middle_leaves_it_unfinished(phase: ProtocolPhase) -> None:
    sim = TableSim(4 if phase is ProtocolPhase.ESCROW else 2, 1)
    sim.run_until(in_round(sim, 1, phase))
    sim.stop()
    sim.run()
    assert closed_as(sim) is CloseReason.INCOMPLETE
    sim.stop()
    assert len(entries_of(sim, bodies.Close)) == 1


def test_stopping_between_rounds_is_in_order() -> None:
    sim = TableSim(2, 1, rounds=None)
    sim.run_until(in_round(sim, 1, ProtocolPhase.DONE))
    sim.stop()
    sim.run()
    assert closed_as(sim) is CloseReason.STOPPED
    sim = TableSim(2, 1)
    sim.peers[1].tamper = Forger(bodies.Attest, with_payload(false_attestation))
    sim.run_until(in_round(sim, 0, ProtocolPhase.DONE))
    sim.stop()
    assert closed_as(sim) is CloseReason.CHEATING


def test_a_log_without_room_for_another_round_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_ENTRIES", 60 + limits.ROOM_ENTRIES)
    sim = TableSim(2, 1, rounds=None)
    sim.run()
    assert closed_as(sim) is CloseReason.TOO_LONG
    assert len(sim.journal) > 60
    reports(sim)


def test_a_log_that_is_full_in_the_middle_of_a_round_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MAX_ENTRIES", 40 + limits.ELECTIONS)
    monkeypatch.setattr(limits, "ROOM_ENTRIES", 2 + limits.ELECTIONS)
    sim = TableSim(2, 1)
    sim.run()
    assert closed_as(sim) is CloseReason.TOO_LONG
    assert len(sim.journal) == 40
    assert [e.seq for e in [entry.read() for entry in sim.journal]] == list(range(40))


@pytest.mark.parametrize("between", [False, True])
def test_a_host_elected_at_a_full_log_closes_it(
    monkeypatch: pytest.MonkeyPatch, between: bool
) -> None:
    """The former host has filled it with its own bodies, and is silent."""
    table = new_table(3, rounds=2)
    table.run(lambda each: each.replay.number == 1 and each.replay.between_rounds is between)
    monkeypatch.setattr(limits, "MAX_ENTRIES", table.replay.seq + 10 + limits.ELECTIONS)
    while not table.replay.full:
        table.add(0, bodies.Listen(4711 + table.replay.seq))
    elect(table, 1, 1, 1, 2)
    host = HostRole(table.replay, table.entries, identity(1), 0.0)
    for peer, owner in ((OWN, 1), (2, 2)):
        host.attach(peer, owner, table.replay.seq, 0.0)
    host.begin(0.0)
    for peer in (OWN, 2):
        host.acknowledge(1 if peer == OWN else peer, table.replay.seq, 1.0)
    assert table.replay.closed is CloseReason.TOO_LONG


def test_a_player_who_comes_back_learns_what_is_left_of_the_turn() -> None:
    table = new_table(3).run(playing)
    host = HostRole(table.replay, table.entries, identity(0), 0.0)
    for owner in range(3):
        host.attach(owner, owner, table.replay.seq, 0.0)
    host.begin(0.0)
    fetched = host.receive(1, messages.Fetch(table.replay.seq), 20.0)
    decision = table.replay.times.open_decision
    assert decision is not None
    assert decision.limit is not None
    [left] = sent_to_peers(fetched, messages.Waiting, 1)
    assert left.seats == ()
    assert left.ms == pytest.approx(decision.limit - 20_000, abs=10)


def test_a_closed_table_says_nothing_more() -> None:
    sim = TableSim(2, 1)
    sim.run()
    host = host_role_of(sim)
    nonsense = messages.Submit(SignedBody(b"nonsense", bytes(64)))
    assert {type(each) for each in host.receive(1, nonsense, sim.now)} == {Send, CloseLink}
    assert host.settled
    assert host.deadline is None
    assert host.tick(sim.now + 1000.0) == []
    assert host.stop(sim.now) == []
    assert host.link_down(1, sim.now) == []
    last = sim.journal[5].read().signed_body
    assert not sent_to_peers(host.receive(0, messages.Submit(last), sim.now), messages.Entries)


def test_a_closed_table_is_not_settled_while_a_connected_owner_does_not_answer() -> None:
    """A test that waits for it must set a limit; a dropped seat is not waited for."""
    sim = TableSim(3, 1)
    sim.run_until(lambda: sim.host_role is not None and sim.host_role.replay.closed is not None)
    withhold_acks(sim, 2)
    sim.run()
    assert not host_role_of(sim).settled
    host_role_of(sim).link_down(2, sim.now)
    assert host_role_of(sim).settled


# ---- order and refusals -----------------------------------------------------------------------


def refusals(out: Sequence[Output]) -> list[str]:
    return [refusal.refusal for refusal in sent_to_peers(out, messages.BodyRefusal)]


def test_bodies_that_do_not_fit_are_refused_with_their_reason_and_not_logged() -> None:
    sim = TableSim(3, 1)
    sim.run_until(in_round(sim, 1, ProtocolPhase.PLAY))
    host = host_role_of(sim)
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
        out = host.receive(
            1, signed_with(peer, replace(right, counter=500 + place), **changes), sim.now
        )
        assert refusals(out) == [why]
        assert replay.seq == before
    early = next(each.read().signed_body for each in sim.journal if is_by(each, 1, bodies.Commit))
    assert refusals(host.receive(1, messages.Submit(early), sim.now)) == ["stale-counter"]
    assert refusals(host.receive(2, signed_with(peer, right), sim.now)) == ["not-a-seat"]
    assert host.receive(77, signed_with(peer, right), sim.now) == []


def test_a_card_that_the_rules_refuse_is_not_logged_and_its_player_goes_on() -> None:
    """Every player can see that the card does not fit, so playing it is not cheating."""
    sim = TableSim(2, 1)
    tried: list[Play] = []

    def lay(peer: SimPeer, body: Body) -> list[AtTable] | None:
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
        assert report.verdict is AuditVerdict.VERIFIED


def key(number: int) -> bytes:
    """Return the public key of a spectator."""
    return number.to_bytes(32, "big")


# ---- watching, chat ---------------------------------------------------------------------------


def test_a_spectator_fetches_the_log_in_pages_and_then_gets_it_live() -> None:
    sim = TableSim(3, 1, rounds=2)
    sim.run_until(in_round(sim, 1, ProtocolPhase.REVEAL))
    host = host_role_of(sim)
    eve = Spectator("eve", b"e" * 32)
    out = host.watch(50, eve.name, eve.identity)
    assert sent_to_peers(out, messages.Began, 50)
    assert out[-1] == SpectatorsChanged((eve,))
    assert list(host.spectators) == [eve]
    held = 0
    pages = 0
    while True:
        [page] = sent_to_peers(
            host.receive(50, messages.Fetch(held), sim.now), messages.Entries, 50
        )
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
    assert held == host.final_count
    host.stop(sim.now)
    out = [each for owner in range(3) for each in host.acknowledge(owner, host.replay.seq, sim.now)]
    assert sent_to_peers(out, messages.Entries, 50), "from now on it hears what happens"
    assert host.link_down(50, sim.now) == [SpectatorsChanged(())]
    assert not host.spectators


def test_a_stranger_gets_no_log_page() -> None:
    sim = TableSim(2, 1)
    sim.run_until(in_round(sim, 1, ProtocolPhase.PLAY))
    host = host_role_of(sim)
    assert host.receive(50, messages.Fetch(0), sim.now) == []
    assert sent_to_peers(host.receive(1, messages.Fetch(0), sim.now), messages.Entries, 1)
    assert host.receive(1, messages.Fetch(2**32 - 1), sim.now) == []


def test_the_number_of_spectators_is_limited() -> None:
    sim = TableSim(2, 1)
    sim.run_until(in_round(sim, 1, ProtocolPhase.PLAY))
    host = host_role_of(sim)
    for peer in range(50, 50 + MAX_SPECTATORS):
        assert sent_to_peers(host.watch(peer, f"eve {peer}", key(peer)), messages.Began, peer)
    assert host.watch(50, "eve", key(50)) == [], "the same once more"
    assert refusal_for(host.watch(99, "ada", key(99)), 99) is LobbyRefusal.NO_SPECTATORS
    out = host.watch(98, "eve 50", key(50))
    assert disconnected(out) == {50}, "the same person over another connection"
    assert sent_to_peers(out, messages.Began, 98)
    assert host.watch(1, "me", key(1)) == []


@pytest.mark.parametrize(
    ("name", "number", "why"),
    [
        ("\x00", 98, LobbyRefusal.BAD_NAME),
        ("player1", 98, LobbyRefusal.NAME_TAKEN),
        ("PL\u0430YER1", 98, LobbyRefusal.NAME_TAKEN),
        ("Eve", 98, LobbyRefusal.NAME_TAKEN),
        ("Eve", 50, None),
    ],
)
def test_a_spectator_cannot_use_the_name_of_another(
    name: str, number: int, why: LobbyRefusal | None
) -> None:
    sim = TableSim(2, 1)
    sim.run_until(in_round(sim, 1, ProtocolPhase.PLAY))
    host = host_role_of(sim)
    host.watch(50, "eve", key(50))
    assert refusal_for(host.watch(98, name, key(number)), 98) is why


def test_a_seated_player_cannot_watch() -> None:
    sim = TableSim(2, 1)
    sim.run_until(in_round(sim, 1, ProtocolPhase.PLAY))
    seat = sim.peers[1].identity.public
    assert refusal_for(host_role_of(sim).watch(98, "ada", seat), 98) is LobbyRefusal.ALREADY_SEATED


def test_a_removed_spectator_hears_why_and_nothing_more() -> None:
    sim = TableSim(2, 1)
    sim.run_until(in_round(sim, 1, ProtocolPhase.PLAY))
    host = host_role_of(sim)
    for number in (50, 51, 52):
        host.watch(number, f"eve {number}", key(number))
    out = host.send_away(key(51), LobbyRefusal.KICKED)
    assert refusal_for(out, 51) is LobbyRefusal.KICKED
    assert disconnected(out) == {51}
    assert [each.name for each in host.spectators] == ["eve 50", "eve 52"]
    assert out[-1] == SpectatorsChanged(host.spectators)
    assert host.receive(51, messages.Say("hello"), sim.now) == []
    assert host.send_away(key(51), LobbyRefusal.KICKED) == []
    out = host.send_away(None, LobbyRefusal.NO_SPECTATORS)
    assert disconnected(out) == {50, 52}
    assert not host.spectators


def test_chat_is_cleaned_and_reaches_everybody() -> None:
    sim = TableSim(2, 1)
    sim.run_until(in_round(sim, 1, ProtocolPhase.PLAY))
    host = host_role_of(sim)
    host.watch(50, "eve", key(50))
    before = host.replay.seq
    out = host.receive(1, messages.Say("  hi \t"), sim.now)
    assert out == []
    out = host.receive(1, messages.Say("  hi   you "), sim.now)
    assert {(m.name, m.seat, m.text) for m in sent_to_peers(out, messages.Said)} == {
        ("player1", 1, "hi you")
    }
    assert {o.link for o in out if isinstance(o, Send)} == {0, 1, 50}
    [mine, *_] = sent_to_peers(host.receive(50, messages.Say("psst"), sim.now), messages.Said)
    assert (mine.name, mine.seat, mine.watcher) == ("eve", -1, key(50))
    for bad in ("", "a\u202eb", "\x00"):
        assert host.receive(1, messages.Say(bad), sim.now) == []
    assert host.receive(77, messages.Say("hello"), sim.now) == []
    assert host.replay.seq == before


def test_chat_beyond_the_limit_is_not_passed_on() -> None:
    sim = TableSim(2, 1)
    sim.run_until(in_round(sim, 1, ProtocolPhase.PLAY))
    host = host_role_of(sim)
    host.watch(50, "eve", key(50))
    for peer in (1, 50):
        lines = [host.receive(peer, messages.Say("hi"), sim.now) for _ in range(CHAT_BURST + 3)]
        assert [bool(line) for line in lines] == [True] * CHAT_BURST + [False] * 3


def test_a_reaction_reaches_everybody_and_only_players_have_them() -> None:
    sim = TableSim(3, 1)
    sim.run_until(in_round(sim, 1, ProtocolPhase.PLAY))
    host = host_role_of(sim)
    host.watch(50, "eve", key(50))
    before = host.replay.seq
    out = host.receive(1, messages.React(Reaction.WOW), sim.now)
    assert {o.link for o in out if isinstance(o, Send)} == {0, 1, 2, 50}
    assert set(sent_to_peers(out, messages.Reacted)) == {messages.Reacted(1, Reaction.WOW)}
    assert host.receive(50, messages.React(Reaction.WOW), sim.now) == []
    assert host.receive(77, messages.React(Reaction.WOW), sim.now) == []
    assert host.replay.seq == before


def test_reactions_beyond_the_limit_are_not_passed_on() -> None:
    sim = TableSim(3, 1)
    sim.run_until(in_round(sim, 1, ProtocolPhase.PLAY))
    host, now = host_role_of(sim), float(round(sim.now) + 1)
    for peer in (1, 2):
        shown = [
            host.receive(peer, messages.React(Reaction.LAUGH), now)
            for _ in range(REACTION_BURST + 3)
        ]
        assert [bool(each) for each in shown] == [True] * REACTION_BURST + [False] * 3
    # They are counted separately from the bodies of the same player.
    assert host.receive(1, messages.Say("hi"), now)
    assert host.receive(1, messages.React(Reaction.LAUGH), now + 1 / REACTION_RATE)


# ---- every message at every stage -------------------------------------------------------------

STAGES: tuple[tuple[int, ProtocolPhase], ...] = tuple(
    (number, phase)
    for number in (0, 1)
    for phase in ProtocolPhase
    if phase is not ProtocolPhase.ESCROW
)


@pytest.mark.parametrize(("number", "phase"), STAGES)
def test_every_message_at_every_stage(number: int, phase: ProtocolPhase) -> None:
    sim = TableSim(2, 1, Ruleset(hand_size=2))
    sim.run_until(in_round(sim, number, phase))
    host = host_role_of(sim)
    host.watch(50, "eve", key(50))
    before = host.replay.seq
    anything: list[AtTable] = [
        messages.Join(1, "me", bytes(32), bytes(32), False, False),
        messages.Watch(1, "me"),
        messages.Ready(bytes(64)),
        messages.RevealNonce(bytes(32)),
        messages.Fetch(0),
        messages.Fetch(2**32 - 1),
        messages.Say("hello"),
        *(messages.Submit(entry.read().signed_body) for entry in sim.journal[:4]),
    ]
    for peer in (0, 1, 50, 77):
        for message in anything:
            for output in host.receive(peer, message, sim.now):
                assert isinstance(output, Send | CloseLink | SpectatorsChanged)
    assert host.replay.seq == before
    sim.run()
    reports(sim)


def test_time_never_waits_for_a_moment_that_has_passed() -> None:
    """In any situation, `tick` at the deadline moves the deadline on or appends an entry."""
    for seed, kind in enumerate(
        (bodies.Unlock, bodies.Act, bodies.Reveal, messages.Statements, bodies.Pass)
    ):
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
            host = host_role_of(sim)
            deadline = host.deadline
            assert deadline is not None
            before = (host.replay.seq, deadline)
            sim.let_time_pass()
            after = host.deadline
            assert host.replay.closed is not None or (host.replay.seq, after) != before
            assert after is None or after > sim.now - 0.01


# ---- what a seat may put into the log at any time ---------------------------------------------


def _says(
    table: SmallTable, place: SmallTableSeat, payload: Payload, *, late: int = 0
) -> Sequence[Output]:
    replay = table.host_role.replay
    # No honest seat uses a counter twice, whether its body was accepted or not.
    counter = max(place.running._sent.counter, replay.next_counter(place.number))
    place.running._sent.counter = counter + 1
    body = Body(replay.table_id, replay.number - late, place.number, counter, replay.head, payload)
    signed = sign_body(body, place.identity)
    out = table.host_role.receive(place.link, messages.Submit(signed), table.now)
    table._do_host(out)
    return out


def _refusals(out: Sequence[Output]) -> list[str]:
    said = [each.message for each in out if isinstance(each, Send)]
    return [each.refusal for each in said if isinstance(each, messages.BodyRefusal)]


def _listens(table: SmallTable, place: SmallTableSeat, tries: int) -> int:
    """Announce `tries` ports in a row; return how many of them were logged."""
    before = table.host_role.replay.seq
    for port in range(1, tries + 1):
        out = _says(table, place, bodies.Listen(port + before))
        assert _refusals(out) in ([], [RefusalReason.NOT_NOW.value])
    return table.host_role.replay.seq - before


def test_one_player_cannot_fill_the_log_with_ports() -> None:
    table = SmallTable(3, 1).run(turns(1)).settle()
    one, two = table.seats[1:]
    assert _listens(table, one, 100) == ANY_TIME_BURST
    assert _listens(table, two, 3) == 3, "others are not held up by it"
    for _ in range(2):
        table.settle().now += 1.01 * ANY_TIME_REFILL_SECONDS
        assert _listens(table, one, 100) == 1


def test_one_player_cannot_fill_the_log_by_leaving_and_returning() -> None:
    table = SmallTable(4, 1).run(turns(1)).settle()
    place = table.seats[3]
    before, returns = table.host_role.replay.seq, 0
    for _ in range(300):
        _says(table, place, bodies.Leave())
        returns += _refusals(_says(table, place, bodies.Return())) == []
        for other in table.seats[:3]:
            count = table.host_role.replay.seq
            table.host_role.acknowledge(other.number, count, table.now)
    assert table.host_role.replay.seq - before < 3 * ANY_TIME_BURST
    assert returns <= ANY_TIME_BURST // RETURN_COST


def test_bodies_of_the_last_round_use_up_no_limit() -> None:
    table = SmallTable(3, 1).run(turns(1)).settle()
    place = table.seats[1]
    for port in range(1, 100):
        out = _says(table, place, bodies.Listen(port), late=1)
        assert _refusals(out) == [RefusalReason.WRONG_ROUND.value]
    assert _listens(table, place, 1) == 1


def test_bodies_of_the_game_are_not_limited() -> None:
    table = SmallTable(3, 1).run(turns(1)).settle()
    place = table.seats[1]
    _listens(table, place, 100)
    table.run()
    assert table.host_role.replay.closed is not None


def test_the_log_goes_on_where_the_hosts_clock_jumps() -> None:
    table = SmallTable(3, 1).run(turns(1)).settle()
    one = table.seats[1]
    times = table.host_role.replay.times
    before = times.ms

    def later(seconds: float) -> int:
        """Return the seconds until the next entry, by its own timestamp."""
        last, table.now = times.ms, table.now + seconds
        assert _listens(table, one, 1) == 1
        return times.ms - last

    assert before > 0
    assert later(-100.0) == 0
    assert later(1.0) in (999, 1000)
    assert later(10.0**7) == MAX_GAP_MS
    assert later(1.0) in (999, 1000)
    replayed(table.genesis, table.journal)
