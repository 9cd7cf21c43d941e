"""The host changes the rules of a waiting room: no player is bound by rules they did not accept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from lanuno.log.format.genesis import TournamentBinding, is_possible
from lanuno.rules.presets import PAIRS, TOURNAMENT
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages
from lanuno.table.lobby.readiness import RulesRefusal
from lanuno.table.messages import LobbyPhase, LobbyRefusal
from lanuno.table.outputs import Happened, Output, SendToHost, TurnedAway
from tests.harness.host_and_seats.seat_outputs import sent_to_host
from tests.harness.host_and_seats.simulated_lobby import (
    HOST,
    LOBBY,
    ME,
    SimulatedLobby,
    SimulatedLobbyPeer,
    join,
    offered,
    public,
    ready,
    receivers,
    sent_to_peers,
    state,
    turned_away_why,
)

OTHER = Ruleset(jump_in=True)


def person() -> SimulatedLobbyPeer:
    """Return a peer whose player has seen the room and declares readiness by hand."""
    me = SimulatedLobbyPeer(ME, auto_ready=False)
    me.join()
    me.receive(state())
    return me


def refuses(out: Sequence[Output]) -> bool:
    """Whether the peer left instead of signing."""
    return turned_away_why(out) is LobbyRefusal.BAD_ROSTER and sent_to_host(out) == []


# ---- the host -----------------------------------------------------------------------------------


def test_a_change_resets_everybodys_ready_and_is_told() -> None:
    room = SimulatedLobby(capacity=4)
    room.seat_and_ready(HOST, 1, 2)
    assert all(seat.ready for seat in room.lobby.state().seats)
    out = room.lobby.change_rules(OTHER, 5)
    assert receivers(out, messages.LobbyState) == {HOST, 1, 2}
    said = sent_to_peers(out, messages.LobbyState, 1)[0]
    assert (said.ruleset, said.capacity) == (OTHER, 5)
    assert [seat.ready for seat in said.seats] == [False, False, False]
    assert room.lobby.start(room.now) == []


def test_a_ready_for_the_earlier_rules_is_ignored() -> None:
    room = SimulatedLobby(capacity=4)
    room.seat_and_ready(HOST, 1, 2)
    before = room.ready()
    room.lobby.change_rules(OTHER, 4)
    assert room.send(1, before) == []
    assert not room.lobby.state().seats[1].ready
    # Nor does one for another number of seats.
    assert room.send(1, ready(rules=OTHER, seats=3)) == []
    for number in (HOST, 1, 2):
        room.send(number, room.ready())
    assert receivers(room.lobby.start(room.now), messages.RosterOffered) == {HOST, 1, 2}


def test_a_withdrawn_ready_counts_for_any_rules() -> None:
    room = SimulatedLobby(capacity=4)
    room.seat_and_ready(HOST, 1)
    room.send(1, ready(False, rules=OTHER))
    assert not room.lobby.state().seats[1].ready


def test_the_same_rules_are_no_change() -> None:
    room = SimulatedLobby(capacity=4)
    room.seat_and_ready(HOST, 1)
    assert room.lobby.change_rules(Ruleset(), 4) == []
    assert room.lobby.state().seats[1].ready


def test_the_last_seat_that_is_ready_for_the_new_rules_begins_a_full_table() -> None:
    room = SimulatedLobby(capacity=4)
    room.seat_and_ready(HOST, 1, 2)
    room.lobby.change_rules(OTHER, 3)
    assert room.is_in(LobbyPhase.OPEN)
    for number in (HOST, 1, 2):
        room.send(number, room.ready())
    assert room.is_in(LobbyPhase.SIGNING)


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
    room.seat_and_ready(HOST, 1)
    bot: dict[str, Any] = {"owner": public(HOST), "bot": True} if "bots" in changes else {}
    room.send(5, join(5, **bot), room.ready())
    assert room.lobby.taken == 3
    assert room.lobby.why_not_rules(ruleset, capacity) is why
    assert room.lobby.change_rules(ruleset, capacity) == []
    assert all(seat.ready for seat in room.lobby.state().seats)


def test_a_table_that_begins_or_is_closed_keeps_its_rules() -> None:
    room = SimulatedLobby()
    room.seat_and_ready(HOST, 1, 2)
    assert room.is_in(LobbyPhase.SIGNING)
    assert room.lobby.why_not_rules(OTHER, 3) is RulesRefusal.STARTED
    assert room.lobby.change_rules(OTHER, 3) == []
    room = SimulatedLobby()
    room.lobby.close()
    assert room.lobby.why_not_rules(OTHER, 3) is RulesRefusal.STARTED


# ---- a host that lies ---------------------------------------------------------------------------


def test_a_player_who_was_ready_for_other_rules_does_not_sign_the_new_ones() -> None:
    """The attack: every player is ready, the rules change, and the table begins immediately."""
    me = person()
    me.peer.ready(True)
    assert me.receive(state(ruleset=OTHER)) == [Happened(state(ruleset=OTHER))]
    assert refuses(me.receive(offered(me.roster(ruleset=OTHER))))


def test_nobody_signs_for_more_seats_than_they_were_ready_for() -> None:
    """The attack: announce two seats, then begin with a third player whom no player saw."""
    me = SimulatedLobbyPeer(ME, auto_ready=False)
    me.join()
    me.receive(state(capacity=2))
    me.peer.ready(True)
    assert len(me.roster().seats) == 3
    assert refuses(me.receive(offered(me.roster())))


def test_rules_that_change_there_and_back_have_to_be_agreed_to_again() -> None:
    me = person()
    me.peer.ready(True)
    me.receive(state(ruleset=OTHER), state())
    assert refuses(me.receive(offered(me.roster())))
    me = person()
    me.peer.ready(True)
    me.receive(state(ruleset=OTHER), state())
    me.peer.ready(True)
    assert isinstance(sent_to_host(me.receive(offered(me.roster())))[0], messages.Agree)


def test_a_broken_off_start_does_not_repeat_a_ready_for_changed_rules() -> None:
    me = person()
    me.peer.ready(True)
    out = me.receive(state(ruleset=OTHER), messages.Reopened())
    assert [said for said in sent_to_host(out) if isinstance(said, messages.Ready)] == [
        ready(False, rules=OTHER)
    ]
    assert refuses(me.receive(offered(me.roster(ruleset=OTHER))))


def test_a_player_who_is_not_ready_does_not_sign() -> None:
    me = person()
    assert refuses(me.receive(offered(me.roster())))
    me = person()
    me.peer.ready(True)
    me.peer.ready(False)
    mine = messages.LobbySeat("player1", public(ME), public(ME), False, True)
    # The host may not have heard of it: then it is the one that began in good faith.
    me.receive(state(seats=(mine,)))
    assert isinstance(sent_to_host(me.receive(offered(me.roster())))[0], messages.Agree)
    me = person()
    me.peer.ready(True)
    me.peer.ready(False)
    me.receive(state(seats=(mine,)), state(seats=(replace(mine, ready=False),)))
    assert refuses(me.receive(offered(me.roster())))


def test_a_click_for_the_earlier_rules_sends_no_ready() -> None:
    """The state that the player saw decides, not the state that this node has received by then."""
    me = person()
    seen = (Ruleset(), 3)
    me.receive(state(ruleset=OTHER))
    assert me.peer.ready(True, seen) == []
    assert refuses(me.receive(offered(me.roster(ruleset=OTHER))))
    me = person()
    me.receive(state(ruleset=OTHER))
    assert me.peer.ready(True, (OTHER, 3)) == [SendToHost(ready(rules=OTHER))]
    assert sent_to_host(me.peer.ready(False, seen)) == [ready(False, rules=OTHER)], "always heard"


def test_no_ready_is_sent_before_the_rules_are_known() -> None:
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
    assert sent_to_host(me.receive(state())) == [ready()]
    changed = state(ruleset=OTHER, capacity=4)
    assert sent_to_host(me.receive(changed)) == [ready(rules=OTHER, seats=4)]
    assert sent_to_host(me.receive(changed)) == [], "only once"
    assert isinstance(
        sent_to_host(me.receive(offered(me.roster(ruleset=OTHER))))[0], messages.Agree
    )


def test_a_spectator_hears_of_changed_rules_and_answers_nothing() -> None:
    eve = SimulatedLobbyPeer(7, name="eve", lobby=LOBBY)
    eve.peer.watch()
    assert eve.receive(state(), state(ruleset=OTHER))[1:] == [Happened(state(ruleset=OTHER))]
