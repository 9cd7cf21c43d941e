"""One seat's way through the waiting room: what it signs, and what it never signs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from lanuno.log.format.genesis import (
    NO_NONCE,
    VERSION,
    Genesis,
    TournamentBinding,
    check_roster,
    encode_roster,
    nonce_commitment,
    read_roster,
    sign_roster,
)
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages
from lanuno.table.lobby.peer import Seating
from lanuno.table.lobby.readiness import match_terms, room_roster
from lanuno.table.messages import Join, LobbyPhase, LobbyRefusal, LobbySeat, LobbyState
from lanuno.table.outputs import (
    ChatReceived,
    Happened,
    Output,
    Send,
    TableBegan,
    TurnedAway,
)
from tests.harness.host_and_seats.seat_outputs import sent_to_host
from tests.harness.host_and_seats.simulated_lobby import (
    HOST,
    LOBBY,
    ME,
    SimulatedLobbyPeer,
    identity,
    nonce,
    public,
    ready,
    seat,
    state,
    turned_away_why,
)
from tests.harness.log_table.log_table import before_colours


def signing() -> SimulatedLobbyPeer:
    """Return a peer that has requested a seat, and is ready for any room."""
    me = SimulatedLobbyPeer(ME)
    me.join()
    return me


def person(**seating: Any) -> SimulatedLobbyPeer:
    """Return a peer whose player sees the room and has to say "ready"."""
    me = SimulatedLobbyPeer(ME, auto_ready=False, **seating)
    me.join()
    me.receive(me.room())
    return me


# ---- joining ----------------------------------------------------------------------------------


def test_it_asks_for_a_seat_and_says_it_is_ready() -> None:
    me = SimulatedLobbyPeer(slow_clock=True, avatar=7)
    asked = me.join()
    assert asked.avatar == 7
    assert (asked.name, asked.slow_clock, asked.bot) == ("player1", True, False)
    assert asked.owner == public(ME)
    assert asked.nonce == nonce_commitment(public(ME), b"\x01" * 32)
    assert me.receive(state()) == [Happened(state())], "it does not sit yet"
    room = me.room()
    out = me.receive(room)
    assert sent_to_host(out) == [ready(ME, room)]
    assert out[0] == Happened(me.room(seats=(seat(HOST), me.seat(ready=True), seat(2))))
    assert me.peer.state == room
    assert sent_to_host(me.receive(replace(room, watching=2))) == [], "only once"
    assert sent_to_host(me.peer.ready(False)) == [messages.Ready(None)]
    assert sent_to_host(me.peer.take_seat(3)) == [messages.TakeSeat(3)]


def test_without_auto_ready_no_ready_is_sent() -> None:
    me = person()
    assert sent_to_host(me.receive(me.room(watching=1))) == []


def test_a_lobby_with_another_id_or_unprintable_names_is_left() -> None:
    strange = messages.LobbySeat("a\u202eb", public(2), public(2), False, False)
    for lie in (state(lobby=b"x" * 16), state(table="\x07"), state(seats=(strange,))):
        assert turned_away_why(SimulatedLobbyPeer().receive(lie)) is LobbyRefusal.BAD_ROSTER


def test_a_room_with_more_players_than_seats_is_left() -> None:
    """The attack: the window has a place for each seat, and a player signs for all who are there.

    So nobody sees the people beyond the last seat.
    """
    for seating in ({}, {"expected": match_terms(joined_room())}):
        me = SimulatedLobbyPeer(ME, auto_ready=False, **seating)
        me.join()
        out = me.receive(me.room(capacity=2))
        assert turned_away_why(out) is LobbyRefusal.BAD_ROSTER
        assert sent_to_host(out) == []


def joined_room() -> messages.LobbyState:
    me = SimulatedLobbyPeer(ME)
    me.join()
    return me.room()


def test_chat_goes_out_and_comes_in_clean() -> None:
    me = SimulatedLobbyPeer()
    assert sent_to_host(me.peer.say("x" * 400)) == [messages.Say("x" * 300)]
    key = b"e" * 32
    eve = messages.Said("eve", -1, "hi", key)
    assert me.receive(eve) == [], "whose names are taken is not known yet"
    here = tuple(
        messages.LobbySeat(f"player{n}", public(n), public(n), False, True) for n in (0, 1)
    )
    me.receive(state(seats=here))
    assert me.receive(eve) == [ChatReceived("eve", -1, "hi", key)]
    assert me.receive(messages.Said("somebody", 1, "hi")) == [ChatReceived("player1", 1, "hi")]
    for lie in (
        messages.Said("ana", 2, "hi"),
        messages.Said("ana", 1, "\u202e"),
        messages.Said("Player1", -1, "hi", key),
        messages.Said("a\u202e", -1, "hi", key),
    ):
        assert me.receive(lie) == []


def test_a_refusal_is_reported_with_its_reason() -> None:
    out = SimulatedLobbyPeer().receive(messages.Refused(LobbyRefusal.FULL))
    assert out == [TurnedAway(LobbyRefusal.FULL)]


# ---- ready ------------------------------------------------------------------------------------


def signed(room: LobbyState, *numbers: int) -> tuple[bytes, ...]:
    """Return these players' signatures of a room."""
    roster = room_roster(room, public(HOST), None)
    return tuple(sign_roster(roster, identity(number)) for number in numbers)


def begins(me: SimulatedLobbyPeer, room: LobbyState, *numbers: int) -> Sequence[Output]:
    """Let the host begin with this room, which these players have signed."""
    return me.receive(messages.NoncesWanted(signed(room, *(numbers or (HOST, ME, 2)))))


def refuses(out: Sequence[Output]) -> bool:
    """Whether the peer left instead of publishing its nonce."""
    return turned_away_why(out) is LobbyRefusal.BAD_ROSTER and sent_to_host(out) == []


def test_it_signs_the_room_that_it_shows() -> None:
    me = SimulatedLobbyPeer(slow_clock=True)
    me.join()
    room = me.room()
    [said] = sent_to_host(me.receive(room))
    assert said == messages.Ready(signed(room, ME)[0])
    roster = read_roster(room_roster(room, public(HOST), None))
    assert roster.seats[ME].slow_clock
    check_roster(roster)


TELLS_APART: dict[str, dict[str, object]] = {
    "table": {"lobby": b"x" * 16},
    "rules": {"ruleset": Ruleset(hand_size=5)},
    "rounds": {"rounds": 3},
    "who may watch": {"spectators": False},
    "people": {"seats": (seat(HOST), seat(ME))},
    "places": {"seats": (seat(HOST), seat(2), seat(ME))},
    "a key": {"seats": (seat(HOST), seat(ME), seat(2, identity=public(66)))},
    "a name": {"seats": (seat(HOST), seat(ME), seat(2, name="Bea"))},
    "a bot": {"seats": (seat(HOST), seat(ME), seat(2, bot=True, owner=public(HOST)))},
    "whose bot": {"seats": (seat(HOST), seat(ME), seat(2, bot=True, owner=public(ME)))},
    "a clock": {"seats": (seat(HOST), seat(ME), seat(2, slow_clock=True))},
    "a colour": {"seats": (seat(HOST), seat(ME), seat(2, avatar=3))},
    "a nonce": {"seats": (seat(HOST), seat(ME), seat(2, nonce=bytes(32)))},
}


def test_signatures_of_different_rooms_differ() -> None:
    usual = state(seats=(seat(HOST), seat(ME), seat(2)))
    rooms = [usual, *(replace(usual, **each) for each in TELLS_APART.values())]
    assert len({room_roster(room, public(HOST), None) for room in rooms}) == len(rooms)
    assert room_roster(usual, public(2), None) != room_roster(usual, public(HOST), None)
    bound = TournamentBinding(bytes(32), 0, 0, ())
    assert room_roster(usual, public(HOST), bound) != room_roster(usual, public(HOST), None)
    same = replace(usual, watching=4, phase=LobbyPhase.STARTING)
    same = replace(same, seats=tuple(replace(each, ready=True) for each in usual.seats))
    assert room_roster(same, public(HOST), None) == room_roster(usual, public(HOST), None)
    assert room_roster(usual, public(7), None) == b"", "without its host"


def other_people(me: SimulatedLobbyPeer) -> dict[str, tuple[LobbyState, tuple[int, ...]]]:
    """Return the rooms with which a host begins although it showed another one, and who signs."""
    right = me.room()
    host, mine, bea = right.seats
    everybody = (HOST, ME, 2)
    return {
        "another key behind a name": (
            me.room(seats=(host, mine, replace(bea, identity=public(66)))),
            (HOST, ME, 66),
        ),
        "another partner": (me.room(seats=(host, bea, mine)), (HOST, 2, ME)),
        "a bot for a person": (
            me.room(seats=(host, mine, replace(bea, bot=True, owner=public(HOST)))),
            everybody,
        ),
        "fewer people": (me.room(seats=(host, mine)), (HOST, ME)),
        "more people": (me.room(seats=(*right.seats, seat(5))), (*everybody, 5)),
        "other rules": (me.room(ruleset=Ruleset(hand_size=5)), everybody),
        "other rounds": (me.room(rounds=1), everybody),
        "a public table": (me.room(spectators=False), everybody),
        "another table": (me.room(lobby=b"x" * 16), everybody),
    }


@pytest.mark.parametrize("name", list(other_people(signing())))
def test_no_table_begins_with_people_that_the_room_did_not_show(name: str) -> None:
    """Even if all others sign, and the host has a signature of this seat for what it showed."""
    me = signing()
    me.receive(me.room())
    right = signed(me.room(), ME)[0]
    room, numbers = other_people(me)[name]
    lie = [
        right if number == ME else signature
        for number, signature in zip(numbers, signed(room, *numbers), strict=True)
    ]
    assert refuses(me.receive(messages.NoncesWanted(tuple(lie))))
    genesis = Genesis(room_roster(room, public(HOST), None), tuple(lie), (bytes(32),) * len(lie))
    assert refuses(me.receive(messages.Began(genesis)))


LIES_ABOUT_ME: dict[str, dict[str, object]] = {
    "another name": {"name": "player9"},
    "another clock": {"slow_clock": True},
    "another colour": {"avatar": 3},
    "somebody's bot": {"bot": True, "owner": public(HOST)},
}


@pytest.mark.parametrize("lie", LIES_ABOUT_ME.values(), ids=LIES_ABOUT_ME)
def test_a_host_that_shows_a_seat_otherwise_than_requested_is_left(lie: dict[str, object]) -> None:
    me = signing()
    shown = me.room(seats=(seat(HOST), me.seat(**lie), seat(2)))
    assert refuses(me.receive(shown))


def test_a_host_that_shows_me_twice_or_bots_of_mine_is_left() -> None:
    me = signing()
    bot = seat(5, bot=True, owner=public(ME))
    for more in (me.seat(name="player1"), bot):
        assert refuses(me.receive(me.room(seats=(*me.room().seats, more))))


@pytest.mark.parametrize(
    "more", [seat(5, name="PLAYER2"), seat(5, bot=True, owner=public(7))], ids=["name", "owner"]
)
def test_no_nonce_is_published_for_people_that_make_no_table(more: LobbySeat) -> None:
    me = signing()
    room = me.room(seats=(*me.room().seats, more))
    me.receive(room)
    assert refuses(begins(me, room, HOST, ME, 2, 5))


def test_nothing_is_signed_where_the_own_nonce_is_another_one() -> None:
    me = signing()
    other = me.room(seats=(seat(HOST), me.seat(nonce=b"n" * 32), seat(2)))
    assert sent_to_host(me.receive(other)) == []
    assert sent_to_host(me.peer.ready()) == []


def test_a_nonce_of_another_seat_needs_a_new_signature_and_no_click() -> None:
    """Each seat commits to a new one after a start that was broken off."""
    me = person()
    me.peer.ready()
    other = me.room(seats=(seat(HOST), me.seat(), seat(2, nonce=b"n" * 32)))
    assert sent_to_host(me.receive(other)) == [messages.Ready(signed(other, ME)[0])]
    assert refuses(begins(me, me.room()))


def test_a_player_sees_as_ready_what_this_computer_has_signed() -> None:
    """The attack: show that the player is ready for a changed room, so that nothing is news."""
    me = person()
    me.peer.ready()
    lie = me.room(seats=(seat(HOST), me.seat(ready=True), seat(5)))
    shown = replace(lie, seats=(seat(HOST), me.seat(), seat(5)))
    assert me.receive(lie) == [Happened(shown)]


def test_a_player_sees_that_the_host_may_still_begin() -> None:
    """The attack: do not hear that a player is not ready any more, and begin much later."""
    me = person()
    me.peer.ready()
    me.peer.ready(False)
    deaf = me.room(seats=(seat(HOST), me.seat(ready=True), seat(2)), watching=1)
    assert me.receive(deaf) == [Happened(deaf)]
    heard = me.room()
    assert me.receive(heard) == [Happened(heard)]
    assert refuses(begins(me, me.room()))


def test_the_hosts_seat_signs_for_its_bots() -> None:
    me = SimulatedLobbyPeer(HOST)
    me.join()
    room = state(seats=(me.seat(), seat(2), seat(5, bot=True, owner=public(HOST))))
    assert sent_to_host(me.receive(room)) == [messages.Ready(signed(room, HOST)[0])]


def test_a_bot_sits_as_a_bot() -> None:
    me = SimulatedLobbyPeer(owner=public(HOST))
    me.join()
    assert (me.seat().bot, me.seat().owner) == (True, public(HOST))
    assert sent_to_host(me.receive(me.room())) == [messages.Ready(signed(me.room(), ME)[0])]


def test_seats_in_another_order_than_the_known_one_are_not_signed() -> None:
    me = SimulatedLobbyPeer(order=(public(2), public(HOST), public(ME)))
    me.join()
    assert sent_to_host(me.receive(me.room())) == []
    right = me.room(seats=(seat(2), seat(HOST), me.seat()))
    assert sent_to_host(me.receive(right)) == [messages.Ready(signed(right, ME)[0])]


# ---- nonces and genesis -----------------------------------------------------------------------


def agreed(me: SimulatedLobbyPeer) -> tuple[bytes, tuple[bytes, ...]]:
    """Return the roster that the peer signed, and the signatures of all players."""
    room = me.room()
    assert sent_to_host(me.receive(room)) == [messages.Ready(signed(room, ME)[0])]
    return room_roster(room, public(HOST), None), signed(room, HOST, ME, 2)


def opened(me: SimulatedLobbyPeer) -> Genesis:
    """Let the peer publish its nonce, and return the genesis."""
    data, signatures = agreed(me)
    [said] = sent_to_host(me.receive(messages.NoncesWanted(signatures)))
    assert isinstance(said, messages.RevealNonce)
    return Genesis(data, signatures, (nonce(HOST), said.nonce, nonce(2)))


def test_it_opens_its_nonce_when_all_have_signed_and_begins() -> None:
    me = signing()
    genesis = opened(me)
    assert genesis.nonces[1] == b"\x01" * 32
    assert me.receive(messages.Began(genesis)) == [TableBegan(genesis)]


def test_it_opens_no_nonce_before_all_have_signed() -> None:
    me = signing()
    assert refuses(me.receive(messages.NoncesWanted(())))
    _, signatures = agreed(me)
    for lie in ((), signatures[:2], signatures[::-1], (bytes(64), *signatures[1:])):
        me = signing()
        agreed(me)
        assert refuses(me.receive(messages.NoncesWanted(lie)))


def test_it_opens_no_nonce_twice() -> None:
    me = signing()
    genesis = opened(me)
    assert me.receive(messages.NoncesWanted(genesis.signatures)) == []


def test_a_player_refuses_the_genesis_of_another_table() -> None:
    me = signing()
    right = opened(me)
    roster = read_roster(right.roster)
    other = encode_roster(replace(roster, seats=roster.seats[::-1], host=2))
    for lie in (
        replace(right, nonces=right.nonces[::-1]),
        replace(right, signatures=right.signatures[::-1]),
        replace(right, roster=other),
        replace(right, roster=b""),
    ):
        assert turned_away_why(me.receive(messages.Began(lie))) is LobbyRefusal.BAD_ROSTER
    early = signing()
    agreed(early)
    assert turned_away_why(early.receive(messages.Began(right))) is LobbyRefusal.BAD_ROSTER


def broken_off(me: SimulatedLobbyPeer) -> LobbyState:
    """Return the room after a start was broken off: all have to commit to new nonces."""
    seats = tuple(replace(each, nonce=NO_NONCE) for each in me.room().seats)
    return me.room(seats=seats)


def test_a_start_broken_off_takes_a_new_nonce_and_a_click() -> None:
    me = person()
    me.peer.ready()
    me.receive(messages.NoncesWanted(signed(me.room(), HOST, ME, 2)))
    [again] = sent_to_host(me.receive(broken_off(me)))
    assert isinstance(again, messages.Join)
    assert me.joined is not None
    assert again.nonce != me.joined.nonce
    assert sent_to_host(me.receive(broken_off(me))) == [], "only once"
    me.joined = again
    assert sent_to_host(me.receive(me.room())) == []
    assert sent_to_host(me.peer.ready()) == [messages.Ready(signed(me.room(), ME)[0])]


def test_nothing_is_signed_with_a_nonce_that_was_published() -> None:
    """The attack: the host knows the nonce, and goes on with rooms until the table id suits it."""
    me = signing()
    opened(me)
    sybil = seat(2, nonce=b"n" * 32)
    assert sent_to_host(me.receive(me.room(seats=(seat(HOST), me.seat(), sybil)))) == []
    assert sent_to_host(me.peer.ready()) == []


def test_nobody_leaves_because_starts_are_broken_off() -> None:
    """The attack: a stranger breaks off one start after the other."""
    me = signing()
    for _ in range(100):
        opened(me)
        [me.joined] = [
            each for each in sent_to_host(me.receive(broken_off(me))) if isinstance(each, Join)
        ]
    genesis = opened(me)
    assert me.receive(messages.Began(genesis)) == [TableBegan(genesis)]


# ---- watching ---------------------------------------------------------------------------------


def test_a_watcher_signs_nothing_and_follows_the_right_table() -> None:
    right = opened(signing())
    for lobby in (LOBBY, right.table_id):
        eve = SimulatedLobbyPeer(7, lobby=lobby, name="eve")
        assert sent_to_host(eve.peer.watch()) == [messages.Watch(VERSION, "eve")]
        assert eve.receive(messages.NoncesWanted(right.signatures)) == []
        assert eve.receive(messages.Began(right)) == [TableBegan(right)]
    assert sent_to_host(SimulatedLobbyPeer(7).receive(state())) == []


def test_a_watcher_finds_any_owner_as_the_host_of_a_table_that_plays() -> None:
    """The first host is gone, and another owner was elected."""
    right = opened(signing())
    eve = SimulatedLobbyPeer(7, lobby=right.table_id, host=public(2))
    assert eve.receive(messages.Began(right)) == [TableBegan(right)]


def test_a_table_from_before_colours_were_told_can_still_be_watched() -> None:
    """It may be an interrupted table that continues. No new table in this format can begin."""
    right = opened(signing())
    data = before_colours(read_roster(right.roster))
    signatures = tuple(sign_roster(data, identity(number)) for number in (HOST, ME, 2))
    early = Genesis(data, signatures, right.nonces)
    eve = SimulatedLobbyPeer(7, lobby=early.table_id, name="eve")
    eve.peer.watch()
    assert eve.receive(messages.Began(early)) == [TableBegan(early)]


def test_a_spectator_refuses_the_genesis_of_another_table() -> None:
    right = opened(signing())
    for where in (
        {"lobby": b"x" * 16},
        {"host": public(2)},
        {"lobby": right.table_id, "host": public(9)},
    ):
        eve = SimulatedLobbyPeer(7, **where)
        assert turned_away_why(eve.receive(messages.Began(right))) is LobbyRefusal.BAD_ROSTER
    for lie in (replace(right, roster=b"x"), replace(right, nonces=right.nonces[::-1])):
        assert (
            turned_away_why(SimulatedLobbyPeer(7).receive(messages.Began(lie)))
            is LobbyRefusal.BAD_ROSTER
        )


def test_a_spectator_of_a_certain_match_follows_no_other() -> None:
    """The attack: a host shows the other table of a tournament a log by keys of its own, in which
    "somebody" leaves, or the log of an earlier evening on which that player really left.
    """
    right = opened(signing())
    roster = read_roster(right.roster)
    bound = TournamentBinding(bytes(32), 0, 0, ())
    others = match_terms(replace(roster, seats=(roster.seats[0], roster.seats[2], roster.seats[1])))
    for follows, certain in (
        (True, {"expected": match_terms(roster)}),
        (False, {"expected": others}),
        (False, {"expected": match_terms(roster), "binding": bound}),
    ):
        eve = SimulatedLobbyPeer(7, lobby=right.table_id, name="eve", **certain)
        eve.peer.watch()
        begun = eve.receive(messages.Began(right))
        assert (begun == [TableBegan(right)]) is follows
        assert follows or turned_away_why(begun) is LobbyRefusal.BAD_ROSTER


# ---- every message at every stage -------------------------------------------------------------

STAGES: dict[str, Callable[[], SimulatedLobbyPeer]] = {
    "not joined": SimulatedLobbyPeer,
    "joined": signing,
    "signed": lambda: with_(signing(), agreed),
    "opened": lambda: with_(signing(), opened),
}


def with_(me: SimulatedLobbyPeer, do: Callable[[SimulatedLobbyPeer], object]) -> SimulatedLobbyPeer:
    do(me)
    return me


ANYTHING: tuple[messages.AtTable, ...] = (
    state(),
    state(lobby=bytes(16)),
    messages.Refused(LobbyRefusal.KICKED),
    messages.NoncesWanted((bytes(64),)),
    messages.Began(Genesis(b"", (), ())),
    messages.Entries(0, ()),
    messages.BodyRefusal(0, 0, "illegal", ""),
    messages.Said("ana", -1, "hi"),
    messages.Waiting((0,), 5),
)


@pytest.mark.parametrize("stage", STAGES.values(), ids=STAGES)
@pytest.mark.parametrize("message", ANYTHING, ids=lambda message: type(message).__name__)
def test_every_message_at_every_stage(
    stage: Callable[[], SimulatedLobbyPeer], message: messages.AtTable
) -> None:
    me = stage()
    for output in me.receive(message, message):
        assert isinstance(output, Send | TurnedAway | Happened | ChatReceived)
        if isinstance(output, Send):
            assert isinstance(output.message, messages.Join | messages.Ready)


def test_no_representation_holds_a_pin() -> None:
    """A repr ends up in logs and reports."""
    assert "4711" not in repr(Seating(name="Eva", lobby=LOBBY, host=public(HOST), pin="4711"))
