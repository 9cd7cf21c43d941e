"""The room changes: no player is bound by people or rules they did not accept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from lanuno.log.format.genesis import VERSION, TournamentBinding, is_possible, sign_roster
from lanuno.rules.presets import PAIRS, TOURNAMENT
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages
from lanuno.table.lobby.readiness import RulesRefusal, match_terms, room_roster
from lanuno.table.messages import LobbyPhase, LobbyRefusal, LobbyState
from lanuno.table.outputs import TO_HOST, Happened, Output, Send, TurnedAway
from tests.harness.host_and_seats.seat_outputs import sent_to_host
from tests.harness.host_and_seats.simulated_lobby import (
    HOST,
    LOBBY,
    ME,
    NOT_READY,
    SimulatedLobby,
    SimulatedLobbyPeer,
    identity,
    join,
    public,
    ready,
    receivers,
    seat,
    sent_to_peers,
    state,
    turned_away_why,
)

OTHER = Ruleset(jump_in=True)


def person() -> SimulatedLobbyPeer:
    """Return a peer whose player has seen the room and declares readiness by hand."""
    me = SimulatedLobbyPeer(ME, auto_ready=False)
    me.join()
    me.receive(me.room())
    return me


def begins(me: SimulatedLobbyPeer, room: LobbyState) -> Sequence[Output]:
    """Let the host begin with this room, as if everybody had signed it."""
    roster = room_roster(room, public(HOST), None)
    signatures = tuple(sign_roster(roster, identity(number)) for number in (HOST, ME, 2))
    return me.receive(messages.NoncesWanted(signatures))


def refuses(out: Sequence[Output]) -> bool:
    """Whether the peer left instead of publishing its nonce."""
    return turned_away_why(out) is LobbyRefusal.BAD_ROSTER and sent_to_host(out) == []


def publishes(out: Sequence[Output]) -> bool:
    """Whether the peer published its nonce, so that the table begins."""
    return [type(said) for said in sent_to_host(out)] == [messages.RevealNonce]


# ---- the host -----------------------------------------------------------------------------------


def test_a_change_resets_everybodys_ready_and_is_told() -> None:
    room = SimulatedLobby(capacity=4)
    room.seat_and_ready(HOST, 1, 2)
    assert all(room.are_ready)
    out = room.lobby.change_rules(OTHER, 5)
    assert receivers(out, messages.LobbyState) == {HOST, 1, 2}
    said = sent_to_peers(out, messages.LobbyState, 1)[0]
    assert (said.ruleset, said.capacity) == (OTHER, 5)
    assert [seat.ready for seat in said.seats] == [False, False, False]
    assert room.lobby.start(room.now) == []


def test_a_ready_for_the_earlier_rules_is_ignored() -> None:
    room = SimulatedLobby(capacity=4)
    room.seat_and_ready(HOST, 1, 2)
    before = ready(1, room.lobby.state())
    room.lobby.change_rules(OTHER, 4)
    assert room.send(1, before) == []
    assert not any(room.are_ready)
    room.ready(HOST, 1, 2)
    assert receivers(room.lobby.start(room.now), messages.NoncesWanted) == {HOST, 1, 2}


def clicked(*others: int) -> tuple[SimulatedLobby, SimulatedLobbyPeer, messages.AtTable]:
    """Return a room with these others, a player in it, and its ready, which is under way."""
    room, me = SimulatedLobby(capacity=4), SimulatedLobbyPeer(ME, auto_ready=False)
    room.seat(HOST)
    room.send(ME, me.join())
    for number in others:
        room.seat(number)
    me.receive(room.lobby.state())
    [under_way] = sent_to_host(me.peer.ready(True))
    return room, me, under_way


def test_a_ready_under_way_while_a_room_changes_there_and_back_is_ignored() -> None:
    """The attack: a guest swaps places there and back while a player's ready is under way.

    Otherwise the host begins with a signature that its player has given up by then, and that player
    leaves, and counts as the one who broke off the start.
    """
    room, me, under_way = clicked(2)
    told = room.send(2, messages.TakeSeat(ME), messages.TakeSeat(2))
    told += room.send(ME, under_way)
    me.receive(*sent_to_peers(told, LobbyState, ME))
    room.ready(HOST, 2)
    assert room.lobby.start(room.now) == []
    [again] = sent_to_host(me.peer.ready(True))
    room.send(ME, again)
    asked = sent_to_peers(room.lobby.start(room.now), messages.NoncesWanted, ME)
    assert publishes(me.receive(*asked))


def test_a_player_who_was_shown_no_other_room_signs_again_without_a_click() -> None:
    """The same, but the host sends the player only the newest state."""
    room, me, under_way = clicked(2)
    room.send(2, messages.TakeSeat(ME), messages.TakeSeat(2))
    room.send(ME, under_way)
    [again] = sent_to_host(me.receive(room.lobby.state()))
    room.send(ME, again)
    room.ready(HOST, 2)
    asked = sent_to_peers(room.lobby.start(room.now), messages.NoncesWanted, ME)
    assert publishes(me.receive(*asked))


def test_a_ready_that_is_taken_back_while_it_is_under_way_breaks_nothing_off() -> None:
    """The attack: a spectator comes at that moment, so that a state shows the player not ready."""
    room, me, under_way = clicked()
    [taken_back] = sent_to_host(me.peer.ready(False))
    told = room.send(7, messages.Watch(VERSION, "eve"))
    room.ready(HOST)
    told += room.send(ME, under_way)
    begun = room.lobby.start(room.now)
    told += [*begun, *room.send(ME, taken_back)]
    me.receive(*sent_to_peers(told, LobbyState, ME))
    assert publishes(me.receive(*sent_to_peers(begun, messages.NoncesWanted, ME)))


def test_a_withdrawn_ready_counts_for_any_rules() -> None:
    room = SimulatedLobby(capacity=4)
    room.seat_and_ready(HOST, 1)
    room.send(1, NOT_READY)
    assert room.are_ready == [True, False]


def test_the_same_rules_are_no_change() -> None:
    room = SimulatedLobby(capacity=4)
    room.seat_and_ready(HOST, 1)
    assert room.lobby.change_rules(Ruleset(), 4) == []
    assert all(room.are_ready)


def test_the_last_seat_that_is_ready_for_the_new_rules_begins_a_full_table() -> None:
    room = SimulatedLobby(capacity=4)
    room.seat_and_ready(HOST, 1, 2)
    room.lobby.change_rules(OTHER, 3)
    assert room.is_in(LobbyPhase.OPEN)
    room.ready(HOST, 1, 2)
    assert room.is_in(LobbyPhase.STARTING)


@pytest.mark.parametrize(
    ("changes", "ruleset", "capacity", "why"),
    [
        ({}, OTHER, 2, RulesRefusal.TOO_MANY),
        ({}, PAIRS, 3, RulesRefusal.UNPLAYABLE),
        ({}, OTHER, 1, RulesRefusal.UNPLAYABLE),
        ({}, OTHER, 11, RulesRefusal.UNPLAYABLE),
        ({}, Ruleset(hand_size=99), 4, RulesRefusal.UNPLAYABLE),
        ({"order": (public(HOST), public(1), public(5))}, OTHER, 4, RulesRefusal.BOUND),
        ({"binding": TournamentBinding(bytes(32), 0, 0, ())}, OTHER, 4, RulesRefusal.BOUND),
        ({"bots": frozenset({public(5)})}, TOURNAMENT, 8, RulesRefusal.NO_BOTS),
    ],
)
def test_unplayable_rules_are_refused_with_the_reason(
    changes: dict[str, Any], ruleset: Ruleset, capacity: int, why: RulesRefusal
) -> None:
    room = SimulatedLobby(capacity=4, **changes)
    room.seat(HOST, 1)
    bot: dict[str, Any] = {"owner": public(HOST), "bot": True} if "bots" in changes else {}
    room.send(5, join(5, **bot))
    assert room.lobby.taken == 3
    room.ready(HOST, 1, 5)
    assert room.lobby.why_not_rules(ruleset, capacity) is why
    assert room.lobby.change_rules(ruleset, capacity) == []
    assert all(room.are_ready)


def test_a_table_that_begins_or_is_closed_keeps_its_rules() -> None:
    room = SimulatedLobby()
    room.seat_and_ready(HOST, 1, 2)
    assert room.is_in(LobbyPhase.STARTING)
    assert room.lobby.why_not_rules(OTHER, 3) is RulesRefusal.STARTED
    assert room.lobby.change_rules(OTHER, 3) == []
    room = SimulatedLobby()
    room.lobby.close()
    assert room.lobby.why_not_rules(OTHER, 3) is RulesRefusal.STARTED


# ---- a host that lies ---------------------------------------------------------------------------


CHANGES: dict[str, Callable[[LobbyState], LobbyState]] = {
    "other rules": lambda room: replace(room, ruleset=OTHER),
    "more seats": lambda room: replace(room, capacity=4),
    "fewer rounds": lambda room: replace(room, rounds=1),
    "nobody may watch": lambda room: replace(room, spectators=False),
    "another name of the table": lambda room: replace(room, table="Kitchen"),
    "other places": lambda room: replace(room, seats=room.seats[::-1]),
    "another key behind a name": lambda room: replace(
        room, seats=(*room.seats[:2], replace(room.seats[2], identity=public(66)))
    ),
    "somebody's bot": lambda room: replace(
        room, seats=(*room.seats[:2], replace(room.seats[2], bot=True, owner=public(HOST)))
    ),
    "twice the time for somebody": lambda room: replace(
        room, seats=(*room.seats[:2], replace(room.seats[2], slow_clock=True))
    ),
    "somebody less": lambda room: replace(room, seats=room.seats[:2]),
    "somebody more": lambda room: replace(room, capacity=4, seats=(*room.seats, seat(5))),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_player_who_was_ready_for_another_room_begins_with_neither(
    change: Callable[[LobbyState], LobbyState],
) -> None:
    """The attack: every player is ready, the room changes, and the table begins immediately."""
    me = person()
    me.peer.ready(True)
    changed = change(me.room())
    assert me.receive(changed) == [Happened(changed)]
    assert refuses(begins(me, changed))
    me = person()
    me.peer.ready(True)
    me.receive(changed)
    assert refuses(begins(me, me.room()))
    me = person()
    me.peer.ready(True)
    me.receive(changed, me.room())
    assert refuses(begins(me, me.room())), "there and back"


def test_a_player_who_is_ready_again_begins() -> None:
    me = person()
    me.peer.ready(True)
    me.receive(me.room(ruleset=OTHER), me.room())
    me.peer.ready(True)
    assert publishes(begins(me, me.room()))


def test_a_player_who_takes_ready_back_can_say_it_again() -> None:
    me = person()
    for _ in range(2):
        assert sent_to_host(me.peer.ready(True)) == [ready(ME, me.room())]
        assert sent_to_host(me.peer.ready(False)) == [NOT_READY]


def test_a_player_who_is_not_ready_does_not_begin() -> None:
    me = person()
    assert refuses(begins(me, me.room()))
    me = person()
    me.peer.ready(True)
    me.peer.ready(False)
    # The host may not have heard of it: then it is the one that began in good faith.
    shown_ready = (seat(HOST), me.seat(ready=True), seat(2))
    me.receive(me.room(seats=shown_ready))
    assert publishes(begins(me, me.room()))
    me = person()
    me.peer.ready(True)
    me.peer.ready(False)
    me.receive(me.room(seats=shown_ready), me.room())
    assert refuses(begins(me, me.room()))


def test_a_click_for_the_earlier_room_sends_no_ready() -> None:
    """The state that the player saw decides, not the state that this node has received by then."""
    me = person()
    seen = me.room()
    changed = me.room(seats=(seat(HOST), me.seat(), seat(2, identity=public(66))))
    me.receive(changed)
    assert me.peer.ready(True, seen) == []
    assert refuses(begins(me, changed))
    me = person()
    me.receive(changed)
    assert me.peer.ready(True, changed) == [Send(TO_HOST, ready(ME, changed))]
    assert sent_to_host(me.peer.ready(False, seen)) == [NOT_READY], "always heard"
    me = person()
    shown = me.room(watching=3, seats=(seat(HOST, ready=True), me.seat(), seat(2)))
    assert me.peer.ready(True, shown) != [], "nobody has to agree to these"


def test_no_ready_is_sent_before_the_room_is_known() -> None:
    me = SimulatedLobbyPeer(ME, auto_ready=False)
    me.join()
    assert me.peer.ready(True) == []


@pytest.mark.parametrize(
    "lie",
    [
        Ruleset(hand_size=2**40),
        Ruleset(deck=7),
        Ruleset(turn_clock_s=31),
        Ruleset(uno_hold_ms=-1),
        Ruleset(preset="a\u202eb"),
        Ruleset(preset=""),
        Ruleset(preset="x" * 33),
    ],
)
def test_rules_that_no_table_can_have_are_not_even_shown(lie: Ruleset) -> None:
    assert not is_possible(lie, 3)
    out = SimulatedLobbyPeer().receive(state(ruleset=lie))
    assert out == [TurnedAway(LobbyRefusal.BAD_ROSTER)]


def test_rules_that_this_number_of_players_cannot_play_are_shown() -> None:
    for rules in (PAIRS, Ruleset(hand_size=20), Ruleset(seats_min=5, seats_max=3), OTHER):
        assert is_possible(rules, 3)
        assert is_possible(rules, 10)


# ---- bots ---------------------------------------------------------------------------------------


def test_a_program_is_ready_again_by_itself() -> None:
    me = SimulatedLobbyPeer()
    me.join()
    assert sent_to_host(me.receive(me.room())) == [ready(ME, me.room())]
    changed = me.room(ruleset=OTHER, capacity=4)
    assert sent_to_host(me.receive(changed)) == [ready(ME, changed)]
    assert sent_to_host(me.receive(changed)) == [], "only once"
    assert publishes(begins(me, changed))


# ---- rematch ------------------------------------------------------------------------------------


def rematch() -> SimulatedLobbyPeer:
    """Return a peer whose player has said "play again" after a match of these three."""
    usual = SimulatedLobbyPeer(ME)
    usual.join()
    return joined(expected=match_terms(usual.room(rounds=3)))


def joined(**seating: Any) -> SimulatedLobbyPeer:
    me = SimulatedLobbyPeer(ME, auto_ready=False, **seating)
    me.join()
    return me


def test_play_again_is_a_ready_for_the_same_match() -> None:
    me = rematch()
    arriving = me.room(rounds=3, seats=me.room().seats[:2])
    assert sent_to_host(me.receive(arriving)) == []
    complete = me.room(rounds=3)
    assert sent_to_host(me.receive(complete)) == [ready(ME, complete)]
    assert publishes(begins(me, complete))


def test_play_again_is_a_ready_once() -> None:
    """The attack: show the former match, other people, and the former match again."""
    me = rematch()
    complete = me.room(rounds=3)
    me.receive(complete, me.room(rounds=3, seats=complete.seats[:2]))
    assert sent_to_host(me.receive(complete)) == []
    assert refuses(begins(me, complete))


def test_play_again_can_be_taken_back() -> None:
    me = rematch()
    me.receive(me.room(rounds=3, seats=me.room().seats[:2]))
    assert sent_to_host(me.peer.ready(False)) == [NOT_READY]
    assert sent_to_host(me.receive(me.room(rounds=3))) == []


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_play_again_is_a_ready_for_no_other_match(
    change: Callable[[LobbyState], LobbyState],
) -> None:
    me = rematch()
    other = change(me.room(rounds=3))
    if change in (CHANGES["more seats"], CHANGES["another name of the table"]):
        # As many people play, and the name was never agreed on.
        assert sent_to_host(me.receive(other)) == [ready(ME, other)]
    else:
        assert sent_to_host(me.receive(other)) == []
        assert refuses(begins(me, other))


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_program_that_expects_a_match_is_ready_for_no_other(
    change: Callable[[LobbyState], LobbyState],
) -> None:
    """At a table of a tournament, for which its player was ready long before."""
    usual = joined().room()
    me = SimulatedLobbyPeer(ME, expected=match_terms(usual))
    me.join()
    other = change(me.room())
    if match_terms(other) != match_terms(usual):
        assert sent_to_host(me.receive(other)) == []
        assert refuses(begins(me, other))
    me = SimulatedLobbyPeer(ME, expected=match_terms(usual))
    me.join()
    for _ in range(2):
        assert sent_to_host(me.receive(me.room(seats=me.room().seats[:2]))) == []
        assert sent_to_host(me.receive(me.room())) == [ready(ME, me.room())]


def test_bots_of_a_match_have_other_keys_in_the_next_but_the_same_owner() -> None:
    def bot(number: int, owner: int) -> LobbyState:
        return me.room(seats=(seat(HOST), me.seat(), seat(number, **bot_of(owner))))

    def bot_of(owner: int) -> dict[str, Any]:
        return {"name": "Ada", "bot": True, "owner": public(owner)}

    me = joined()
    expected = match_terms(bot(20, HOST))
    assert match_terms(bot(21, HOST)) == expected
    assert match_terms(bot(20, 2)) != expected, "another computer could read its hand"


def test_a_spectator_hears_of_changed_rules_and_answers_nothing() -> None:
    eve = SimulatedLobbyPeer(7, name="eve", lobby=LOBBY)
    eve.peer.watch()
    assert eve.receive(state(), state(ruleset=OTHER))[1:] == [Happened(state(ruleset=OTHER))]
