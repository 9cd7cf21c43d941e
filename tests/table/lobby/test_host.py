"""The host's waiting room: who may sit, how a match begins, and how dropouts are handled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import structs

from lanuno.log.format.bodies import SignedBody
from lanuno.log.format.genesis import NO_NONCE, VERSION
from lanuno.rules.presets import ELIMINATION, PAIRS
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages
from lanuno.table.budget import CHAT_BURST
from lanuno.table.lobby.host import KEPT_SECONDS, START_STEP_SECONDS
from lanuno.table.messages import MAX_SPECTATORS, LobbyPhase, LobbyRefusal
from lanuno.table.outputs import Spectator, SpectatorsChanged, StartBroken, TableBegan
from tests.harness.host_and_seats.simulated_lobby import (
    HOST,
    LOBBY,
    NOT_READY,
    SimulatedLobby,
    disconnected,
    join,
    public,
    ready,
    receivers,
    refusal_for,
    sent_to_peers,
)


def watch(**changes: Any) -> messages.Watch:
    return messages.Watch(**{"version": VERSION, "name": "eve", **changes})


# ---- sitting down -----------------------------------------------------------------------------


def test_everybody_sees_the_chosen_colours_and_they_are_signed() -> None:
    room = SimulatedLobby()
    room.send(HOST, join(HOST, avatar=4))
    room.send(1, join(1))
    out = room.send(2, join(2, avatar=4))
    assert [seat.avatar for seat in sent_to_peers(out, messages.LobbyState, 1)[0].seats] == [
        4,
        None,
        4,
    ]
    room.ready(HOST, 1, 2)
    room.reveal_nonces(HOST, 1, 2)
    began = room.last_outputs[0]
    assert isinstance(began, TableBegan)
    assert [seat.avatar for seat in began.genesis.read().seats] == [4, None, 4]


def test_everybody_receives_the_seats_of_the_lobby() -> None:
    room = SimulatedLobby()
    out = room.send(HOST, join(HOST))
    assert sent_to_peers(out, messages.LobbyState, HOST)[0].seats[0].name == "player0"
    out = room.send(1, join(1, name="  Ana  "))
    assert receivers(out, messages.LobbyState) == {HOST, 1}
    state = sent_to_peers(out, messages.LobbyState, 1)[0]
    assert (state.lobby, state.table, state.phase) == (LOBBY, "mesa", LobbyPhase.OPEN)
    assert [seat.name for seat in state.seats] == ["player0", "Ana"]
    assert [seat.ready for seat in state.seats] == [False, False]
    out = room.ready(1)
    assert sent_to_peers(out, messages.LobbyState, HOST)[0].seats[1].ready
    assert room.lobby.taken == 2
    assert room.lobby.seat_of(1) == 1
    assert room.lobby.seat_of(7) is None


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (join(1, version=VERSION + 1), LobbyRefusal.OTHER_VERSION),
        (join(1, name="player0"), LobbyRefusal.NAME_TAKEN),
        (join(1, name="PLAYER0"), LobbyRefusal.NAME_TAKEN),
        (join(1, name="pl\u0430y\u0435r0"), LobbyRefusal.NAME_TAKEN),
        (join(1, name="\u03a1LAY\u0415R0"), LobbyRefusal.NAME_TAKEN),
        (join(1, name=""), LobbyRefusal.BAD_NAME),
        (join(1, name="a\u202eb"), LobbyRefusal.BAD_NAME),
        (join(1, name="x" * 21), LobbyRefusal.BAD_NAME),
        (join(1, owner=public(HOST)), LobbyRefusal.BAD_NAME),
        (join(1, owner=public(2)), LobbyRefusal.BAD_NAME),
        (join(1, bot=True), LobbyRefusal.BAD_NAME),
    ],
)
def test_a_seat_is_refused_with_its_reason(asked: messages.Join, why: LobbyRefusal) -> None:
    room = SimulatedLobby()
    room.send(HOST, join(HOST))
    out = room.send(1, asked)
    assert refusal_for(out, 1) is why
    assert not disconnected(out)
    assert room.names == ["player0"]


def test_the_same_people_sit_where_they_sat_in_any_order_of_arrival() -> None:
    bots = frozenset((public(20), public(21)))
    before = (public(1), b"", public(HOST), public(2), b"")
    room = SimulatedLobby(capacity=6, order=before, invited_only=False, bots=bots)
    room.send(HOST, join(HOST))
    for bot in (20, 21):
        room.send(bot, join(bot, owner=public(HOST), bot=True, name=f"bot{bot}"))
    room.send(7, join(7))
    room.send(2, join(2))
    room.send(1, join(1))
    assert room.names == ["player1", "bot20", "player0", "player2", "bot21", "player7"]
    # They may still change places afterwards.
    room.send(7, messages.TakeSeat(0))
    assert room.names[0] == "player7"


def test_a_seat_is_kept_for_its_earlier_player_for_a_limited_time() -> None:
    room = SimulatedLobby(order=(public(HOST), public(1), public(2)), invited_only=False)
    room.send(HOST, join(HOST))
    assert refusal_for(room.send(7, join(7)), 7) is LobbyRefusal.SEATS_KEPT
    room.send(1, join(1))
    assert refusal_for(room.send(7, join(7)), 7) is LobbyRefusal.SEATS_KEPT, "one is missing still"
    room.now += KEPT_SECONDS
    room.send(7, join(7))
    assert room.names == ["player0", "player1", "player7"]
    assert refusal_for(room.send(2, join(2)), 2) is LobbyRefusal.FULL


def test_the_host_may_let_bots_have_seats_that_are_kept() -> None:
    before = (public(HOST), public(1), public(2))
    room = SimulatedLobby(order=before, invited_only=False, bots=frozenset((public(20),)))
    room.send(HOST, join(HOST))
    room.send(20, join(20, owner=public(HOST), bot=True, name="bot"))
    room.send(1, join(1))
    assert refusal_for(room.send(2, join(2)), 2) is LobbyRefusal.FULL
    assert room.names == ["player0", "player1", "bot"]


def test_a_table_is_full() -> None:
    room = SimulatedLobby(capacity=2, start_when_full=False)
    room.seat_and_ready(HOST, 1)
    assert refusal_for(room.send(2, join(2)), 2) is LobbyRefusal.FULL


def test_one_identity_sits_once() -> None:
    room = SimulatedLobby()
    room.seat_and_ready(HOST, 1)
    out = room.lobby.receive(9, public(1), join(1, name="other"), room.now)
    assert refusal_for(out, 9) is LobbyRefusal.ALREADY_SEATED


def test_a_table_that_has_started_admits_no_more_players() -> None:
    room = SimulatedLobby(capacity=2)
    room.seat_and_ready(HOST, 1)
    assert room.is_in(LobbyPhase.STARTING)
    assert refusal_for(room.send(2, join(2)), 2) is LobbyRefusal.STARTED


# ---- bots -------------------------------------------------------------------------------------


def test_only_the_hosts_own_programs_are_its_bots() -> None:
    room = SimulatedLobby(bots=frozenset({public(5)}))
    bot = join(5, owner=public(HOST), bot=True)
    assert refusal_for(room.send(5, bot), 5) is LobbyRefusal.BAD_NAME, "its owner does not sit yet"
    room.send(HOST, join(HOST))
    stranger = join(6, owner=public(HOST), bot=True)
    assert refusal_for(room.send(6, stranger), 6) is LobbyRefusal.BAD_NAME
    assert refusal_for(room.send(5, bot), 5) is None
    [seat] = [seat for seat in room.lobby.state().seats if seat.bot]
    assert (seat.identity, seat.owner) == (public(5), public(HOST))


# ---- certain players only ---------------------------------------------------------------------


def test_a_table_may_be_for_certain_players_in_their_order() -> None:
    room = SimulatedLobby(order=(public(2), public(HOST), public(1)))
    room.seat(HOST, 1)
    assert refusal_for(room.send(5, join(5)), 5) is LobbyRefusal.NOT_INVITED
    room.seat(2)
    assert room.names == ["player2", "player0", "player1"], "everybody sees the order beforehand"
    room.ready(HOST, 1, 2)
    room.reveal_nonces(HOST, 1, 2)
    began = room.last_outputs[0]
    assert isinstance(began, TableBegan)
    roster = began.genesis.read()
    assert [seat.name for seat in roster.seats] == ["player2", "player0", "player1"]
    assert roster.host == 1


def test_the_hosts_own_seat_obeys_the_rules() -> None:
    room = SimulatedLobby()
    assert refusal_for(room.send(HOST, join(HOST, name="")), HOST) is LobbyRefusal.BAD_NAME


# ---- watching ---------------------------------------------------------------------------------


def test_people_may_watch_and_go() -> None:
    room = SimulatedLobby()
    room.send(HOST, join(HOST))
    out = room.send(3, watch())
    assert sent_to_peers(out, messages.LobbyState, HOST)[0].watching == 1
    assert room.lobby.watching == {3: Spectator("eve", public(3))}
    assert SpectatorsChanged((Spectator("eve", public(3)),)) in out
    out = room.lobby.link_down(3, room.now)
    assert sent_to_peers(out, messages.LobbyState, HOST)[0].watching == 0


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (watch(version=0), LobbyRefusal.OTHER_VERSION),
        (watch(name="\x00"), LobbyRefusal.BAD_NAME),
    ],
)
def test_watching_is_refused_with_its_reason(asked: messages.Watch, why: LobbyRefusal) -> None:
    room = SimulatedLobby()
    room.send(HOST, join(HOST))
    assert refusal_for(room.send(3, asked), 3) is why
    assert refusal_for(room.send(HOST, watch()), HOST) is LobbyRefusal.ALREADY_SEATED


def test_a_table_may_have_no_spectators_or_too_many() -> None:
    room = SimulatedLobby(spectators=False)
    assert refusal_for(room.send(3, watch()), 3) is LobbyRefusal.NO_SPECTATORS
    room = SimulatedLobby()
    for number in range(50, 50 + MAX_SPECTATORS):
        assert refusal_for(room.send(number, watch(name=f"eve {number}")), number) is None
    assert room.send(50, watch()) == [], "the same once more"
    assert refusal_for(room.send(3, watch()), 3) is LobbyRefusal.NO_SPECTATORS
    again = room.lobby.receive(3, public(50), watch(name="eve 50"), room.now)
    assert refusal_for(again, 3) is None, "the same person over another connection"
    assert disconnected(again) == {50}
    assert len(room.lobby.watching) == MAX_SPECTATORS


def test_nobody_watches_under_the_name_of_another() -> None:
    room = SimulatedLobby()
    room.seat_and_ready(HOST, 1)
    room.send(3, watch())
    for name in ("player1", "Player1", "pl\u0430yer1", "Eve"):
        assert refusal_for(room.send(4, watch(name=name)), 4) is LobbyRefusal.NAME_TAKEN
    again = room.lobby.receive(5, public(1), watch(name="ada"), room.now)
    assert refusal_for(again, 5) is LobbyRefusal.ALREADY_SEATED, "over another connection too"


def test_a_player_displaces_spectators_of_the_same_name_or_identity() -> None:
    """Otherwise a spectator could keep a player out by using that player's name."""
    room = SimulatedLobby()
    room.send(HOST, join(HOST))
    room.send(3, watch(name="PLAYER1"))
    room.lobby.receive(4, public(1), watch(name="ada"), room.now)
    room.send(5, watch(name="eve"))
    out = room.send(1, join(1))
    assert room.names == ["player0", "player1"]
    assert refusal_for(out, 3) is LobbyRefusal.NAME_TAKEN
    assert refusal_for(out, 4) is LobbyRefusal.ALREADY_SEATED, "the same person"
    assert disconnected(out) == {3, 4}
    assert [each.name for each in room.lobby.watching.values()] == ["eve"]


def test_the_host_sends_spectators_away() -> None:
    room = SimulatedLobby()
    room.send(HOST, join(HOST))
    for number in (3, 4, 5):
        room.send(number, watch(name=f"eve {number}"))
    out = room.lobby.kick(4, room.now)
    assert refusal_for(out, 4) is LobbyRefusal.KICKED
    assert room.lobby.watching.keys() == {3, 5}
    out = room.lobby.allow_spectators(False, room.now)
    assert {refusal_for(out, 3), refusal_for(out, 5)} == {LobbyRefusal.NO_SPECTATORS}
    assert disconnected(out) == {3, 5}
    assert not sent_to_peers(out, messages.LobbyState, HOST)[-1].spectators
    assert refusal_for(room.send(3, watch()), 3) is LobbyRefusal.NO_SPECTATORS
    assert sent_to_peers(room.lobby.allow_spectators(True, room.now), messages.LobbyState)[
        -1
    ].spectators
    assert refusal_for(room.send(3, watch()), 3) is None


def test_a_room_that_all_have_signed_keeps_its_spectators() -> None:
    """The attack: a guest keeps its nonce back until the host changes who may watch."""
    room = SimulatedLobby()
    room.seat_and_ready(HOST, 1, 2)
    room.send(3, watch())
    room.reveal_nonces(HOST, 1)
    told = sent_to_peers(room.lobby.allow_spectators(False, room.now), messages.LobbyState, HOST)
    assert [each.spectators for each in told] == [True], "so that the window shows it"
    room.reveal_nonces(2)
    assert room.lobby.genesis is not None
    assert room.lobby.genesis.read().spectators


def test_a_spectator_who_takes_a_seat_stops_watching() -> None:
    room = SimulatedLobby()
    room.send(HOST, join(HOST))
    room.send(1, watch(), join(1))
    assert room.lobby.watching == {}
    assert room.names == ["player0", "player1"]


# ---- chat -------------------------------------------------------------------------------------


def test_chat_reaches_everybody_cleaned() -> None:
    room = SimulatedLobby()
    room.send(HOST, join(HOST))
    room.send(3, watch())
    out = room.send(3, messages.Say("  hello   there "))
    assert {said.seat for said in sent_to_peers(out, messages.Said)} == {-1}
    assert receivers(out, messages.Said) == {HOST, 3}
    assert sent_to_peers(out, messages.Said)[0].name == "eve"
    assert sent_to_peers(out, messages.Said)[0].watcher == public(3)
    assert sent_to_peers(room.send(HOST, messages.Say("hi")), messages.Said)[0].seat == 0
    for bad in ("", "   ", "a\u202eb", "a\x00", "\u200b"):
        assert room.send(HOST, messages.Say(bad)) == []
    assert room.send(77, messages.Say("from nowhere")) == []


def test_lobby_chat_beyond_the_limit_is_not_passed_on() -> None:
    room = SimulatedLobby()
    room.send(HOST, join(HOST))
    room.send(3, watch())
    for number in (HOST, 3):
        said = [bool(room.send(number, messages.Say("hi"))) for _ in range(CHAT_BURST + 3)]
        assert said == [True] * CHAT_BURST + [False] * 3


# ---- beginning --------------------------------------------------------------------------------


def test_a_full_and_ready_table_begins_by_itself() -> None:
    room = SimulatedLobby()
    room.seat_and_ready(HOST, 1, 2)
    assert room.is_in(LobbyPhase.STARTING)
    assert receivers(room.last_outputs, messages.NoncesWanted) == {HOST, 1, 2}
    room.reveal_nonces(HOST, 1, 2)
    assert room.is_in(LobbyPhase.PLAYING)
    assert isinstance(room.last_outputs[0], TableBegan)
    genesis = room.last_outputs[0].genesis
    roster = genesis.read()
    assert (roster.host, len(roster.seats)) == (0, 3)
    assert receivers(room.last_outputs, messages.Began) == {HOST, 1, 2}
    assert room.lobby.deadline is None
    assert room.lobby.genesis == genesis


def test_the_host_may_begin_before_all_seats_are_taken() -> None:
    room = SimulatedLobby(capacity=5)
    room.seat_and_ready(HOST, 1, 2)
    room.send(2, NOT_READY)
    assert room.lobby.start(room.now) == [], "somebody is not ready"
    room.ready(2)
    assert receivers(room.lobby.start(room.now), messages.NoncesWanted) == {HOST, 1, 2}
    assert room.lobby.start(room.now) == [], "it has begun"


def test_a_table_does_not_start_if_the_rules_forbid_its_number_of_players() -> None:
    for rules, seats in ((ELIMINATION, 2), (PAIRS, 5)):
        room = SimulatedLobby(ruleset=rules, capacity=6, start_when_full=False)
        room.seat_and_ready(HOST, *range(1, seats))
        assert room.lobby.start(room.now) == []
        room.seat(seats)
        room.ready(*range(seats + 1))
        assert room.lobby.start(room.now)


def test_a_table_does_not_start_with_one_player_or_without_the_host() -> None:
    room = SimulatedLobby(capacity=2)
    room.seat_and_ready(HOST)
    assert room.lobby.start(room.now) == []
    room = SimulatedLobby(capacity=2)
    room.seat_and_ready(1, 2)
    assert room.is_in(LobbyPhase.OPEN)
    assert room.lobby.start(room.now) == []


def test_spectators_are_asked_for_nothing_and_told_when_it_begins() -> None:
    room = SimulatedLobby(capacity=2)
    room.send(9, watch())
    room.seat_and_ready(HOST, 1)
    heard = receivers(room.last_outputs, messages.NoncesWanted)
    room.reveal_nonces(HOST, 1)
    assert 9 not in heard
    assert 9 in receivers(room.last_outputs, messages.Began)


# ---- falling out ------------------------------------------------------------------------------


def begun(**changes: object) -> SimulatedLobby:
    room = SimulatedLobby(**changes)
    room.seat_and_ready(HOST, 1, 2)
    return room


def test_a_player_lost_during_the_start_makes_all_commit_to_new_nonces() -> None:
    room = begun()
    out = room.lobby.link_down(1, room.now)
    assert StartBroken(1) in out
    assert room.is_in(LobbyPhase.OPEN)
    shown = sent_to_peers(out, messages.LobbyState, 2)[-1]
    assert [seat.nonce for seat in shown.seats] == [NO_NONCE, NO_NONCE]
    room.ready(HOST, 2)
    assert room.lobby.start(room.now) == [], "old nonces are used up"
    room.seat(HOST, 2, 3, turn=1)
    assert room.are_ready == [False, False, False]
    room.ready(HOST, 2, 3)
    assert room.is_in(LobbyPhase.STARTING)
    room.reveal_nonces(HOST, 2, 3, turn=1)
    assert isinstance(room.last_outputs[0], TableBegan)
    assert [seat.name for seat in room.last_outputs[0].genesis.read().seats] == [
        "player0",
        "player2",
        "player3",
    ]


def test_a_player_who_is_too_slow_loses_the_seat() -> None:
    room = begun()
    room.reveal_nonces(HOST)
    assert room.lobby.deadline == room.now + START_STEP_SECONDS
    assert room.tick(START_STEP_SECONDS - 0.1) == []
    out = room.tick(0.1)
    assert {refusal_for(out, 1), refusal_for(out, 2)} == {LobbyRefusal.TOO_SLOW}
    assert disconnected(out) == {1, 2}
    assert [each for each in out if isinstance(each, StartBroken)] == [
        StartBroken(1),
        StartBroken(2),
    ]
    assert room.names == ["player0"]


def test_a_player_who_commits_to_no_new_nonce_loses_the_seat() -> None:
    room = begun()
    room.lobby.link_down(1, room.now)
    room.seat(HOST, turn=1)
    out = room.tick(START_STEP_SECONDS)
    assert refusal_for(out, 2) is LobbyRefusal.TOO_SLOW
    assert StartBroken(2) in out
    assert room.names == ["player0"]
    assert room.lobby.deadline is None


def test_who_leaves_before_a_start_has_broken_off_nothing() -> None:
    room = SimulatedLobby()
    room.seat(HOST)
    room.send(1, join(1, nonce=NO_NONCE))
    assert StartBroken(1) not in room.lobby.link_down(1, room.now)


def test_a_false_nonce_loses_the_seat() -> None:
    room = begun()
    out = room.send(1, messages.RevealNonce(bytes(32)))
    assert refusal_for(out, 1) is LobbyRefusal.BAD_ROSTER
    assert disconnected(out) == {1}
    assert StartBroken(1) in out
    assert room.is_in(LobbyPhase.OPEN)
    assert room.names == ["player0", "player2"]


def test_repeated_nonces_change_nothing() -> None:
    room = begun()
    room.reveal_nonces(1, 1, HOST, 2)
    assert room.is_in(LobbyPhase.PLAYING)
    assert room.lobby.link_down(1, room.now) == []
    assert room.tick(1000.0) == []


# ---- readiness --------------------------------------------------------------------------------

OTHERS_SIGNATURES = {
    "nonsense": lambda room: messages.Ready(bytes(64)),
    "another seat's key": lambda room: ready(2, room.lobby.state()),
    "another table": lambda room: ready(
        1, structs.replace(room.lobby.state(), lobby=b"another lobby...")
    ),
    "other people": lambda room: ready(
        1, structs.replace(room.lobby.state(), seats=room.lobby.state().seats[:2])
    ),
}


@pytest.mark.parametrize("false", OTHERS_SIGNATURES.values(), ids=OTHERS_SIGNATURES)
def test_a_signature_of_anything_else_costs_nobody_anything(
    false: Callable[[SimulatedLobby], messages.Ready],
) -> None:
    """The attack: a stranger signs wrongly again and again, so that no start ever succeeds."""
    room = SimulatedLobby()
    room.seat(HOST, 1, 2)
    room.ready(HOST, 2)
    for _ in range(40):
        assert room.send(1, false(room)) == []
    assert room.are_ready == [True, False, True]
    room.ready(1)
    assert room.is_in(LobbyPhase.STARTING)


def test_no_seat_makes_the_others_signatures_void_by_a_new_nonce() -> None:
    """The attack: a seated player sends one commitment after the other."""
    room = SimulatedLobby()
    room.seat(HOST, 1, 2)
    room.ready(HOST, 1)
    for turn in range(1, 9):
        assert room.send(2, join(2, turn)) == []
    assert room.are_ready == [True, True, False]


CHANGES: dict[str, Callable[[SimulatedLobby], object]] = {
    "somebody sits down": lambda room: room.seat(2),
    "somebody leaves": lambda room: room.lobby.link_down(1, room.now),
    "somebody is sent away": lambda room: room.lobby.kick(1, room.now),
    "others change places": lambda room: room.send(1, messages.TakeSeat(2)),
    "the host moves somebody": lambda room: room.lobby.move_up(public(1)),
    "other rules": lambda room: room.lobby.change_rules(PAIRS, 4),
    "another number of seats": lambda room: room.lobby.change_rules(Ruleset(), 5),
    "nobody may watch": lambda room: room.lobby.allow_spectators(False, room.now),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_any_change_takes_ready_away_from_everybody(
    change: Callable[[SimulatedLobby], object],
) -> None:
    room = SimulatedLobby(capacity=4, bots=frozenset({public(5)}))
    room.seat(HOST, 1)
    room.send(5, join(5, owner=public(HOST), bot=True))
    room.ready(HOST, 5)
    if change is CHANGES["others change places"]:
        room.send(HOST, messages.TakeSeat(2))
        room.ready(5)
    assert any(room.are_ready)
    change(room)
    assert not any(room.are_ready)


def test_spectators_take_ready_away_from_nobody() -> None:
    room = SimulatedLobby(capacity=4)
    room.seat_and_ready(HOST, 1)
    room.send(9, watch())
    room.lobby.link_down(9, room.now)
    assert room.are_ready == [True, True]


def test_a_room_that_changes_there_and_back_has_to_be_signed_again() -> None:
    room = SimulatedLobby(capacity=4)
    room.seat_and_ready(HOST, 1)
    room.lobby.move_up(public(1))
    room.lobby.move_up(public(1))
    assert room.are_ready == [False, False]


def test_a_removed_player_is_told_and_the_seat_is_free() -> None:
    room = SimulatedLobby()
    room.seat_and_ready(HOST, 1)
    out = room.lobby.kick(1, room.now)
    assert refusal_for(out, 1) is LobbyRefusal.KICKED
    assert disconnected(out) == {1}
    assert room.names == ["player0"]
    room.send(4, watch())
    assert refusal_for(room.lobby.kick(4, room.now), 4) is LobbyRefusal.KICKED
    assert room.lobby.watching == {}
    room = begun()
    out = room.lobby.kick(2, room.now)
    assert room.is_in(LobbyPhase.OPEN)
    assert room.lobby.deadline == room.now + START_STEP_SECONDS


def test_seats_are_exchanged_with_bots_and_with_players_that_are_not_ready() -> None:
    room = SimulatedLobby(capacity=4, bots=frozenset({public(5)}))
    room.seat_and_ready(HOST, 1)
    room.send(5, join(5, owner=public(HOST), bot=True))
    assert room.names == ["player0", "player1", "player5"]
    room.ready(HOST, 1, 5)
    out = room.send(1, messages.TakeSeat(9))
    assert receivers(out, messages.LobbyState) == {HOST, 1, 5}
    assert room.names == ["player0", "player5", "player1"]
    room.ready(HOST)
    assert room.send(1, messages.TakeSeat(0)) == []  # The host is ready and keeps its seat.
    room.send(HOST, NOT_READY)
    room.send(1, messages.TakeSeat(0))
    assert room.names == ["player1", "player5", "player0"]
    assert room.send(1, messages.TakeSeat(0)) == []
    assert room.send(9, messages.TakeSeat(0)) == []
    assert room.lobby.move_up(public(HOST)) != []
    assert room.names == ["player1", "player0", "player5"]
    assert [room.lobby.move_up(public(each)) for each in (1, 9)] == [[], []]
    room.ready(HOST, 1, 5)
    room.lobby.start(room.now)
    assert room.lobby.move_up(public(HOST)) == []
    assert room.send(1, messages.TakeSeat(1)) == []
    assert room.lobby.link_of(public(9)) is None


def test_a_bot_of_the_host_is_seated_only_if_it_is_expected() -> None:
    room = SimulatedLobby()
    room.seat_and_ready(HOST)
    room.send(5, join(5, owner=public(HOST), bot=True))
    assert room.names == ["player0"]
    room.lobby.expect(public(5))
    room.send(5, join(5, owner=public(HOST), bot=True))
    assert room.names == ["player0", "player5"]


def test_without_the_host_the_table_closes() -> None:
    room = SimulatedLobby(bots=frozenset({public(5)}))
    room.seat_and_ready(HOST, 1)
    room.send(5, join(5, owner=public(HOST), bot=True))
    room.send(9, watch())
    out = room.lobby.link_down(HOST, room.now)
    assert {refusal_for(out, peer) for peer in (1, 5, 9)} == {LobbyRefusal.HOST_LEFT}
    assert disconnected(out) == {1, 5, 9}
    assert room.lobby.taken == 0
    assert room.send(1, join(1)) == []
    assert room.send(1, watch()) == []
    assert room.lobby.close() == []


def test_closing_tells_everybody() -> None:
    room = begun()
    out = room.lobby.close()
    assert {refusal_for(out, peer) for peer in (HOST, 1, 2)} == {LobbyRefusal.HOST_LEFT}
    assert room.lobby.deadline is None
    assert room.tick(100.0) == []


def test_no_pin_is_shown() -> None:
    room = SimulatedLobby(pin="1234")
    room.send(HOST, join(HOST))
    assert "1234" not in repr(room.lobby) + repr(room.lobby.offer)


# ---- every message in every phase -------------------------------------------------------------

ANYTHING: tuple[messages.AtTable, ...] = (
    join(1),
    join(1, name="somebody"),
    watch(),
    messages.Ready(bytes(64)),
    NOT_READY,
    messages.RevealNonce(bytes(32)),
    messages.Submit(SignedBody(b"", bytes(64))),
    messages.Statements(()),
    messages.Fetch(0),
    messages.Say("hello"),
)


def in_phase(phase: LobbyPhase) -> SimulatedLobby:
    room = (
        SimulatedLobby() if phase is not LobbyPhase.OPEN else SimulatedLobby(start_when_full=False)
    )
    room.seat_and_ready(HOST, 1, 2)
    room.send(9, watch())
    if phase is LobbyPhase.PLAYING:
        room.reveal_nonces(HOST, 1, 2)
    return room


@pytest.mark.parametrize("phase", list(LobbyPhase))
@pytest.mark.parametrize("message", ANYTHING, ids=lambda message: type(message).__name__)
@pytest.mark.parametrize("peer", [HOST, 1, 9, 77])
def test_every_message_in_every_phase(
    phase: LobbyPhase, message: messages.AtTable, peer: int
) -> None:
    room = in_phase(phase)
    assert room.is_in(phase)
    before = room.lobby.state()
    room.send(peer, message)
    after = room.lobby.state()
    breaking = isinstance(message, messages.RevealNonce) and peer in (HOST, 1)
    if after.phase is not before.phase:
        assert breaking
        assert after.phase is LobbyPhase.OPEN
    if phase is not LobbyPhase.OPEN and not breaking:
        assert after.seats == before.seats
    if phase is LobbyPhase.PLAYING:
        assert room.lobby.genesis is not None
        assert after.phase is LobbyPhase.PLAYING
