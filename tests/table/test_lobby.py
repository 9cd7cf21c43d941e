"""The host's waiting room: who may sit, how it begins, and what happens when somebody falls out."""

from __future__ import annotations

from typing import Any

import pytest

from lanuno.log.bodies import SignedBody
from lanuno.log.genesis import VERSION, read_roster, sign_roster
from lanuno.rules.presets import ELIMINATION, PAIRS
from lanuno.table import messages
from lanuno.table.budget import CHAT_BURST
from lanuno.table.lobby import KEPT_SECONDS, MAX_SPECTATORS, START_STEP_SECONDS
from lanuno.table.messages import LobbyPhase, LobbyRefusal
from lanuno.table.outputs import Spectator, SpectatorsChanged, TableBegan
from tests.harness.host_and_seats.room import (
    HOST,
    LOBBY,
    Room,
    identity,
    join,
    parted,
    public,
    ready,
    receivers,
    refused,
    told,
)


def watch(**changes: Any) -> messages.Watch:
    return messages.Watch(**{"version": VERSION, "name": "eve", **changes})


# ---- sitting down -----------------------------------------------------------------------------


def test_everybody_sees_the_chosen_colours_and_they_are_signed() -> None:
    room = Room()
    room.say(HOST, join(HOST, avatar=4))
    room.say(1, join(1))
    out = room.say(2, join(2, avatar=4))
    assert [seat.avatar for seat in told(out, messages.LobbyState, 1)[0].seats] == [4, None, 4]
    room.say(HOST, ready())
    room.say(1, ready())
    out = room.say(2, ready())
    offered = told(out, messages.RosterOffered, 1)[0]
    assert [seat.avatar for seat in read_roster(offered.roster).seats] == [4, None, 4]


def test_everybody_sees_who_sits() -> None:
    room = Room()
    out = room.say(HOST, join(HOST))
    assert told(out, messages.LobbyState, HOST)[0].seats[0].name == "player0"
    out = room.say(1, join(1, name="  Ana  "))
    assert receivers(out, messages.LobbyState) == {HOST, 1}
    state = told(out, messages.LobbyState, 1)[0]
    assert (state.lobby, state.table, state.phase) == (LOBBY, "mesa", LobbyPhase.OPEN)
    assert [seat.name for seat in state.seats] == ["player0", "Ana"]
    assert [seat.ready for seat in state.seats] == [False, False]
    out = room.say(1, ready())
    assert told(out, messages.LobbyState, HOST)[0].seats[1].ready
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
    room = Room()
    room.say(HOST, join(HOST))
    out = room.say(1, asked)
    assert refused(out, 1) is why
    assert not parted(out)
    assert room.names == ["player0"]


def test_the_same_people_sit_where_they_sat_in_any_order_of_arrival() -> None:
    bots = frozenset((public(20), public(21)))
    before = (public(1), b"", public(HOST), public(2), b"")
    room = Room(capacity=6, kept=before, bots=bots)
    room.say(HOST, join(HOST))
    for bot in (20, 21):
        room.say(bot, join(bot, owner=public(HOST), bot=True, name=f"bot{bot}"))
    room.say(7, join(7))
    room.say(2, join(2))
    room.say(1, join(1))
    assert room.names == ["player1", "bot20", "player0", "player2", "bot21", "player7"]
    # They may still change places afterwards.
    room.say(7, messages.TakeSeat(0))
    assert room.names[0] == "player7"


def test_a_seat_is_kept_for_who_had_it_and_not_for_ever() -> None:
    room = Room(kept=(public(HOST), public(1), public(2)), capacity=3)
    room.say(HOST, join(HOST))
    assert refused(room.say(7, join(7)), 7) is LobbyRefusal.FULL
    room.say(1, join(1))
    assert refused(room.say(7, join(7)), 7) is LobbyRefusal.FULL, "one is missing still"
    room.now += KEPT_SECONDS
    room.say(7, join(7))
    assert room.names == ["player0", "player1", "player7"]
    assert refused(room.say(2, join(2)), 2) is LobbyRefusal.FULL


def test_the_host_may_let_bots_have_seats_that_are_kept() -> None:
    room = Room(kept=(public(HOST), public(1), public(2)), bots=frozenset((public(20),)))
    room.say(HOST, join(HOST))
    room.say(20, join(20, owner=public(HOST), bot=True, name="bot"))
    room.say(1, join(1))
    assert refused(room.say(2, join(2)), 2) is LobbyRefusal.FULL
    assert room.names == ["player0", "player1", "bot"]


def test_a_table_is_full() -> None:
    room = Room(capacity=2, start_when_full=False)
    room.seat(HOST, 1)
    assert refused(room.say(2, join(2)), 2) is LobbyRefusal.FULL


def test_one_identity_sits_once() -> None:
    room = Room()
    room.seat(HOST, 1)
    out = room.lobby.receive(9, public(1), join(1, name="other"), room.now)
    assert refused(out, 9) is LobbyRefusal.ALREADY_SEATED


def test_a_table_that_plays_takes_nobody_more() -> None:
    room = Room(capacity=2)
    room.seat(HOST, 1)
    assert room.stands_at(LobbyPhase.SIGNING)
    assert refused(room.say(2, join(2)), 2) is LobbyRefusal.STARTED


# ---- bots -------------------------------------------------------------------------------------


def test_only_the_hosts_own_programs_are_its_bots() -> None:
    room = Room(bots=frozenset({public(5)}))
    bot = join(5, owner=public(HOST), bot=True)
    assert refused(room.say(5, bot), 5) is LobbyRefusal.BAD_NAME, "its owner does not sit yet"
    room.say(HOST, join(HOST))
    stranger = join(6, owner=public(HOST), bot=True)
    assert refused(room.say(6, stranger), 6) is LobbyRefusal.BAD_NAME
    assert refused(room.say(5, bot), 5) is None
    [seat] = [seat for seat in room.lobby.state().seats if seat.bot]
    assert (seat.identity, seat.owner) == (public(5), public(HOST))


# ---- certain players only ---------------------------------------------------------------------


def test_a_table_may_be_for_certain_players_in_their_order() -> None:
    room = Room(order=(public(2), public(HOST), public(1)))
    room.seat(HOST, 1)
    assert refused(room.say(5, join(5)), 5) is LobbyRefusal.NOT_INVITED
    room.seat(2)
    room.sign(HOST, 1, 2)
    room.open(HOST, 1, 2)
    began = room.last[0]
    assert isinstance(began, TableBegan)
    roster = began.genesis.read()
    assert [seat.name for seat in roster.seats] == ["player2", "player0", "player1"]
    assert roster.host == 1


# ---- PIN --------------------------------------------------------------------------------------


def test_a_pin_is_asked_of_guests_and_watchers_only() -> None:
    room = Room(pin="1234", bots=frozenset({public(5)}))
    assert refused(room.say(HOST, join(HOST)), HOST) is None
    assert refused(room.say(5, join(5, owner=public(HOST), bot=True)), 5) is None
    for wrong in ("", "123", "12345", "1235", "１２３４"):
        assert refused(room.say(1, join(1, pin=wrong)), 1) is LobbyRefusal.WRONG_PIN
        assert refused(room.say(2, watch(pin=wrong)), 2) is LobbyRefusal.WRONG_PIN
    assert refused(room.say(1, join(1, pin="1234")), 1) is None
    assert refused(room.say(2, watch(pin="1234")), 2) is None


def test_pretending_to_be_the_hosts_bot_is_no_way_around_the_pin() -> None:
    room = Room(pin="1234")
    room.say(HOST, join(HOST))
    out = room.say(6, join(6, owner=public(HOST), bot=True))
    assert refused(out, 6) is LobbyRefusal.WRONG_PIN


def test_the_hosts_own_seat_obeys_all_other_rules() -> None:
    room = Room(pin="1234")
    assert refused(room.say(HOST, join(HOST, name="")), HOST) is LobbyRefusal.BAD_NAME


# ---- watching ---------------------------------------------------------------------------------


def test_people_may_watch_and_go() -> None:
    room = Room()
    room.say(HOST, join(HOST))
    out = room.say(3, watch())
    assert told(out, messages.LobbyState, HOST)[0].watching == 1
    assert room.lobby.watching == {3: Spectator("eve", public(3))}
    assert SpectatorsChanged((Spectator("eve", public(3)),)) in out
    out = room.lobby.left(3, room.now)
    assert told(out, messages.LobbyState, HOST)[0].watching == 0


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (watch(version=0), LobbyRefusal.OTHER_VERSION),
        (watch(name="\x00"), LobbyRefusal.BAD_NAME),
    ],
)
def test_watching_is_refused_with_its_reason(asked: messages.Watch, why: LobbyRefusal) -> None:
    room = Room()
    room.say(HOST, join(HOST))
    assert refused(room.say(3, asked), 3) is why
    assert refused(room.say(HOST, watch()), HOST) is LobbyRefusal.ALREADY_SEATED


def test_a_table_may_have_no_spectators_or_too_many() -> None:
    room = Room(spectators=False)
    assert refused(room.say(3, watch()), 3) is LobbyRefusal.NO_SPECTATORS
    room = Room()
    for number in range(50, 50 + MAX_SPECTATORS):
        assert refused(room.say(number, watch(name=f"eve {number}")), number) is None
    assert room.say(50, watch()) == [], "the same once more"
    assert refused(room.say(3, watch()), 3) is LobbyRefusal.NO_SPECTATORS
    again = room.lobby.receive(3, public(50), watch(name="eve 50"), room.now)
    assert refused(again, 3) is None, "the same person over another connection"
    assert parted(again) == {50}
    assert len(room.lobby.watching) == MAX_SPECTATORS


def test_nobody_watches_under_the_name_of_another() -> None:
    room = Room()
    room.seat(HOST, 1)
    room.say(3, watch())
    for name in ("player1", "Player1", "pl\u0430yer1", "Eve"):
        assert refused(room.say(4, watch(name=name)), 4) is LobbyRefusal.NAME_TAKEN
    again = room.lobby.receive(5, public(1), watch(name="ada"), room.now)
    assert refused(again, 5) is LobbyRefusal.ALREADY_SEATED, "over another connection too"


def test_who_watches_gives_way_to_a_seat() -> None:
    """Else somebody could keep a player out by watching under that name."""
    room = Room()
    room.say(HOST, join(HOST))
    room.say(3, watch(name="PLAYER1"))
    room.lobby.receive(4, public(1), watch(name="ada"), room.now)
    room.say(5, watch(name="eve"))
    out = room.say(1, join(1))
    assert room.names == ["player0", "player1"]
    assert refused(out, 3) is LobbyRefusal.NAME_TAKEN
    assert refused(out, 4) is LobbyRefusal.ALREADY_SEATED, "the same person"
    assert parted(out) == {3, 4}
    assert [each.name for each in room.lobby.watching.values()] == ["eve"]


def test_the_host_sends_spectators_away() -> None:
    room = Room()
    room.say(HOST, join(HOST))
    for number in (3, 4, 5):
        room.say(number, watch(name=f"eve {number}"))
    out = room.lobby.kick(4, room.now)
    assert refused(out, 4) is LobbyRefusal.KICKED
    assert room.lobby.watching.keys() == {3, 5}
    out = room.lobby.allow_spectators(False, room.now)
    assert {refused(out, 3), refused(out, 5)} == {LobbyRefusal.NO_SPECTATORS}
    assert parted(out) == {3, 5}
    assert not told(out, messages.LobbyState, HOST)[-1].spectators
    assert refused(room.say(3, watch()), 3) is LobbyRefusal.NO_SPECTATORS
    assert told(room.lobby.allow_spectators(True, room.now), messages.LobbyState)[-1].spectators
    assert refused(room.say(3, watch()), 3) is None


def test_a_watcher_who_sits_down_watches_no_more() -> None:
    room = Room()
    room.say(HOST, join(HOST))
    room.say(1, watch(), join(1))
    assert room.lobby.watching == {}
    assert room.names == ["player0", "player1"]


# ---- chat -------------------------------------------------------------------------------------


def test_chat_reaches_everybody_cleaned() -> None:
    room = Room()
    room.say(HOST, join(HOST))
    room.say(3, watch())
    out = room.say(3, messages.Say("  hello   there "))
    assert {said.seat for said in told(out, messages.Said)} == {-1}
    assert receivers(out, messages.Said) == {HOST, 3}
    assert told(out, messages.Said)[0].name == "eve"
    assert told(out, messages.Said)[0].watcher == public(3)
    assert told(room.say(HOST, messages.Say("hi")), messages.Said)[0].seat == 0
    for bad in ("", "   ", "a\u202eb", "a\x00", "\u200b"):
        assert room.say(HOST, messages.Say(bad)) == []
    assert room.say(77, messages.Say("from nowhere")) == []


def test_too_much_chat_is_passed_on_to_nobody() -> None:
    room = Room()
    room.say(HOST, join(HOST))
    room.say(3, watch())
    for number in (HOST, 3):
        said = [bool(room.say(number, messages.Say("hi"))) for _ in range(CHAT_BURST + 3)]
        assert said == [True] * CHAT_BURST + [False] * 3


# ---- beginning --------------------------------------------------------------------------------


def test_a_full_and_ready_table_begins_by_itself() -> None:
    room = Room()
    room.seat(HOST, 1, 2)
    assert room.stands_at(LobbyPhase.SIGNING)
    assert receivers(room.last, messages.RosterOffered) == {HOST, 1, 2}
    room.sign(HOST, 1, 2)
    assert room.stands_at(LobbyPhase.NONCES)
    assert receivers(room.last, messages.NoncesWanted) == {HOST, 1, 2}
    room.open(HOST, 1, 2)
    assert room.stands_at(LobbyPhase.PLAYING)
    assert isinstance(room.last[0], TableBegan)
    genesis = room.last[0].genesis
    roster = genesis.read()
    assert (roster.host, len(roster.seats)) == (0, 3)
    assert receivers(room.last, messages.Began) == {HOST, 1, 2}
    assert room.lobby.deadline is None
    assert room.lobby.genesis == genesis


def test_the_host_may_begin_before_all_seats_are_taken() -> None:
    room = Room(capacity=5)
    room.seat(HOST, 1)
    room.say(2, join(2))
    assert room.lobby.start(room.now) == [], "somebody is not ready"
    room.say(2, room.ready())
    assert receivers(room.lobby.start(room.now), messages.RosterOffered) == {HOST, 1, 2}
    assert room.lobby.start(room.now) == [], "it has begun"


def test_nothing_begins_that_the_rules_cannot_play() -> None:
    for rules, seats in ((ELIMINATION, 2), (PAIRS, 5)):
        room = Room(ruleset=rules, capacity=6, start_when_full=False)
        room.seat(HOST, *range(1, seats))
        assert room.lobby.start(room.now) == []
        room.seat(seats)
        assert room.lobby.start(room.now)


def test_nothing_begins_alone_or_without_the_host() -> None:
    room = Room(capacity=2)
    room.seat(HOST)
    assert room.lobby.start(room.now) == []
    room = Room(capacity=2)
    room.seat(1, 2)
    assert room.stands_at(LobbyPhase.OPEN)
    assert room.lobby.start(room.now) == []


def test_spectators_are_asked_for_nothing_and_told_when_it_begins() -> None:
    room = Room(capacity=2)
    room.say(9, watch())
    room.seat(HOST, 1)
    heard = receivers(room.last, messages.RosterOffered)
    room.sign(HOST, 1)
    heard |= receivers(room.last, messages.NoncesWanted)
    room.open(HOST, 1)
    assert 9 not in heard
    assert 9 in receivers(room.last, messages.Began)


# ---- falling out ------------------------------------------------------------------------------


def begun(*, signed: bool, **changes: object) -> Room:
    room = Room(**changes)
    room.seat(HOST, 1, 2)
    if signed:
        room.sign(HOST, 1, 2)
    return room


@pytest.mark.parametrize("signed", [False, True])
def test_when_somebody_falls_out_all_commit_to_new_nonces(signed: bool) -> None:
    room = begun(signed=signed)
    room.last = room.lobby.left(1, room.now)
    assert room.stands_at(LobbyPhase.OPEN)
    assert receivers(room.last, messages.Reopened) == {HOST, 2}
    room.say(2, room.ready())
    assert room.lobby.start(room.now) == [], "old nonces are used up"
    room.say(HOST, join(HOST, 1))
    room.say(2, join(2, 1))
    room.seat(3, turn=1)
    assert room.stands_at(LobbyPhase.SIGNING)
    room.sign(HOST, 2, 3)
    room.open(HOST, 2, 3, turn=1)
    assert isinstance(room.last[0], TableBegan)
    assert [seat.name for seat in room.last[0].genesis.read().seats] == [
        "player0",
        "player2",
        "player3",
    ]


@pytest.mark.parametrize("signed", [False, True])
def test_who_is_too_slow_loses_the_seat(signed: bool) -> None:
    room = begun(signed=signed)
    if signed:
        room.open(HOST)
    else:
        roster = room.roster()
        room.say(HOST, messages.Agree(sign_roster(roster, identity(HOST))))
    assert room.lobby.deadline == room.now + START_STEP_SECONDS
    assert room.tick(START_STEP_SECONDS - 0.1) == []
    out = room.tick(0.1)
    assert {refused(out, 1), refused(out, 2)} == {LobbyRefusal.TOO_SLOW}
    assert parted(out) == {1, 2}
    assert room.names == ["player0"]
    assert len(told(out, messages.Reopened, HOST)) == 1


def test_who_commits_to_no_new_nonce_loses_the_seat() -> None:
    room = begun(signed=False)
    room.last = room.lobby.left(1, room.now)
    room.say(HOST, join(HOST, 1))
    out = room.tick(START_STEP_SECONDS)
    assert refused(out, 2) is LobbyRefusal.TOO_SLOW
    assert room.names == ["player0"]
    assert room.lobby.deadline is None


def test_a_false_signature_or_nonce_loses_the_seat() -> None:
    room = begun(signed=False)
    out = room.say(1, messages.Agree(bytes(64)))
    assert refused(out, 1) is LobbyRefusal.BAD_ROSTER
    assert parted(out) == {1}
    room = begun(signed=True)
    out = room.say(1, messages.NonceOut(bytes(32)))
    assert refused(out, 1) is LobbyRefusal.BAD_ROSTER
    assert room.stands_at(LobbyPhase.OPEN)


def test_saying_the_same_twice_changes_nothing() -> None:
    room = begun(signed=False)
    roster = room.roster()
    for number in (1, 1, HOST, HOST):
        room.say(number, messages.Agree(sign_roster(roster, identity(number))))
    assert room.stands_at(LobbyPhase.SIGNING)
    room.say(2, messages.Agree(sign_roster(roster, identity(2))))
    room.open(1, 1, HOST, 2)
    assert room.stands_at(LobbyPhase.PLAYING)
    assert room.lobby.left(1, room.now) == []
    assert room.tick(1000.0) == []


def test_a_seat_sent_away_is_told_and_free() -> None:
    room = Room()
    room.seat(HOST, 1)
    out = room.lobby.kick(1, room.now)
    assert refused(out, 1) is LobbyRefusal.KICKED
    assert parted(out) == {1}
    assert room.names == ["player0"]
    room.say(4, watch())
    assert refused(room.lobby.kick(4, room.now), 4) is LobbyRefusal.KICKED
    assert room.lobby.watching == {}
    room = begun(signed=True)
    out = room.lobby.kick(2, room.now)
    assert receivers(out, messages.Reopened) == {HOST, 1}
    assert room.lobby.deadline == room.now + START_STEP_SECONDS


def test_places_are_changed_with_bots_and_with_whoever_is_not_ready() -> None:
    room = Room(capacity=4, bots=frozenset({public(5)}))
    room.seat(HOST, 1)
    room.say(5, join(5, owner=public(HOST), bot=True), room.ready())
    assert room.names == ["player0", "player1", "player5"]
    out = room.say(1, messages.TakeSeat(9))
    assert receivers(out, messages.LobbyState) == {HOST, 1, 5}
    assert room.names == ["player0", "player5", "player1"]
    assert room.say(1, messages.TakeSeat(0)) == []  # The host is ready, and stays.
    room.say(HOST, ready(False))
    room.say(1, messages.TakeSeat(0))
    assert room.names == ["player1", "player5", "player0"]
    assert room.say(1, messages.TakeSeat(0)) == []
    assert room.say(9, messages.TakeSeat(0)) == []
    assert room.lobby.move_up(2) != []
    assert room.names == ["player1", "player0", "player5"]
    assert [room.lobby.move_up(place) for place in (0, 3)] == [[], []]
    room.say(HOST, room.ready())
    room.lobby.start(room.now)
    assert room.lobby.move_up(1) == []
    assert room.say(1, messages.TakeSeat(1)) == []
    assert room.lobby.peer_at(3) is None


def test_another_bot_is_expected() -> None:
    room = Room()
    room.seat(HOST)
    room.say(5, join(5, owner=public(HOST), bot=True))
    assert room.names == ["player0"]
    room.lobby.expect(public(5))
    room.say(5, join(5, owner=public(HOST), bot=True))
    assert room.names == ["player0", "player5"]


def test_without_the_host_the_table_closes() -> None:
    room = Room(bots=frozenset({public(5)}))
    room.seat(HOST, 1)
    room.say(5, join(5, owner=public(HOST), bot=True))
    room.say(9, watch())
    out = room.lobby.left(HOST, room.now)
    assert {refused(out, peer) for peer in (1, 5, 9)} == {LobbyRefusal.HOST_LEFT}
    assert parted(out) == {1, 5, 9}
    assert room.lobby.taken == 0
    assert room.say(1, join(1)) == []
    assert room.say(1, watch()) == []
    assert room.lobby.close() == []


def test_closing_tells_everybody() -> None:
    room = begun(signed=True)
    out = room.lobby.close()
    assert {refused(out, peer) for peer in (HOST, 1, 2)} == {LobbyRefusal.HOST_LEFT}
    assert room.lobby.deadline is None
    assert room.tick(100.0) == []


def test_no_pin_is_shown() -> None:
    room = Room(pin="1234")
    room.say(HOST, join(HOST))
    assert "1234" not in repr(room.lobby) + repr(room.lobby.offer)


# ---- every message in every phase -------------------------------------------------------------

ANYTHING: tuple[messages.FromPeer, ...] = (
    join(1),
    join(1, name="somebody"),
    watch(),
    ready(),
    ready(False),
    messages.Agree(bytes(64)),
    messages.NonceOut(bytes(32)),
    messages.Submit(SignedBody(b"", bytes(64))),
    messages.Ack(3),
    messages.Fetch(0),
    messages.Say("hello"),
)


def in_phase(phase: LobbyPhase) -> Room:
    room = Room() if phase is not LobbyPhase.OPEN else Room(start_when_full=False)
    room.seat(HOST, 1, 2)
    room.say(9, watch())
    if phase >= LobbyPhase.NONCES:
        room.lobby.left(9, room.now)
        room = Room()
        room.seat(HOST, 1, 2)
        room.sign(HOST, 1, 2)
    if phase is LobbyPhase.PLAYING:
        room.open(HOST, 1, 2)
    return room


@pytest.mark.parametrize("phase", list(LobbyPhase))
@pytest.mark.parametrize("message", ANYTHING, ids=lambda message: type(message).__name__)
@pytest.mark.parametrize("peer", [HOST, 1, 9, 77])
def test_every_message_in_every_phase(
    phase: LobbyPhase, message: messages.FromPeer, peer: int
) -> None:
    room = in_phase(phase)
    assert room.stands_at(phase)
    before = room.lobby.state()
    room.say(peer, message)
    after = room.lobby.state()
    breaking = isinstance(message, messages.Agree | messages.NonceOut) and peer in (HOST, 1)
    if after.phase is not before.phase:
        assert breaking
        assert after.phase is LobbyPhase.OPEN
    if phase is not LobbyPhase.OPEN and not breaking:
        assert after.seats == before.seats
    if phase is LobbyPhase.PLAYING:
        assert room.lobby.genesis is not None
        assert after.phase is LobbyPhase.PLAYING
