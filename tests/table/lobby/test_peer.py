"""One seat's way through the waiting room: what it signs, and what it never signs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from lanuno.dealing.identity import verify
from lanuno.log.format.codec import decode
from lanuno.log.format.genesis import (
    VERSION,
    Genesis,
    Roster,
    encode_roster,
    nonce_commitment,
    roster_digest,
    sign_roster,
)
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages
from lanuno.table.lobby.peer import MOST_ABORTED_STARTS, Expected, Seating
from lanuno.table.messages import LobbyRefusal
from lanuno.table.outputs import ChatReceived, Happened, SendToHost, TableBegan, TurnedAway
from tests.harness.host_and_seats.seat_outputs import sent_to_host
from tests.harness.host_and_seats.simulated_lobby import (
    HOST,
    LOBBY,
    ME,
    SimulatedLobbyPeer,
    identity,
    info,
    offered,
    public,
    ready,
    state,
    turned_away_why,
)
from tests.harness.log_table.log_table import before_colours


def signing(**seating: Any) -> SimulatedLobbyPeer:
    """Return a peer that has a seat, knows the room and has not been asked to sign yet."""
    me = SimulatedLobbyPeer(ME, **seating)
    me.join()
    me.receive(state())
    return me


# ---- joining ----------------------------------------------------------------------------------


def test_it_asks_for_a_seat_and_says_it_is_ready() -> None:
    me = SimulatedLobbyPeer(slow_clock=True, avatar=7)
    asked = me.join()
    assert asked.avatar == 7
    assert (asked.name, asked.slow_clock, asked.bot) == ("player1", True, False)
    assert asked.owner == public(ME)
    assert asked.nonce == nonce_commitment(public(ME), b"\x01" * 32)
    out = me.receive(state())
    assert sent_to_host(out) == [ready()]
    assert out[0] == Happened(state())
    assert me.peer.state == state()
    assert sent_to_host(me.receive(state(watching=2))) == [], "only once"
    assert sent_to_host(me.peer.ready(False)) == [ready(False)]
    assert sent_to_host(me.peer.take_seat(3)) == [messages.TakeSeat(3)]


def test_without_auto_ready_no_ready_is_sent() -> None:
    me = signing(auto_ready=False)
    assert sent_to_host(me.receive(state(watching=1))) == []


def test_for_a_rematch_it_is_ready_only_under_the_rules_of_before() -> None:
    """A player who agreed to play the same match again has agreed to nothing else."""
    rules = Ruleset(hand_size=5)
    expected = Expected(rules, 3, 3)
    same = SimulatedLobbyPeer(expected=expected)
    same.join()
    assert sent_to_host(same.receive(state(ruleset=rules, rounds=3))) == [ready(rules=rules)]
    more = state(ruleset=rules, rounds=3, capacity=4)
    for other in (state(ruleset=rules), state(rounds=3), more):
        me = SimulatedLobbyPeer(expected=expected)
        me.join()
        assert sent_to_host(me.receive(other)) == []


def test_for_a_rematch_it_does_not_stay_ready_for_another_number_of_rounds() -> None:
    """The attack: show the former rules first, and other rules once every player is ready."""
    me = SimulatedLobbyPeer(expected=Expected(Ruleset(), 3, 3))
    me.join()
    assert sent_to_host(me.receive(state(rounds=3))) == [ready()]
    assert sent_to_host(me.receive(state(rounds=1))) == []
    assert turned_away_why(me.receive(offered(me.roster()))) is LobbyRefusal.BAD_ROSTER


def test_a_lobby_with_another_id_or_unprintable_names_is_left() -> None:
    strange = messages.LobbySeat("a\u202eb", public(2), public(2), False, False)
    for lie in (state(lobby=b"x" * 16), state(table="\x07"), state(seats=(strange,))):
        assert turned_away_why(SimulatedLobbyPeer().receive(lie)) is LobbyRefusal.BAD_ROSTER


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


# ---- the roster -------------------------------------------------------------------------------


def test_it_signs_what_was_agreed_on() -> None:
    me = signing(slow_clock=True)
    roster = me.roster()
    [agreed] = sent_to_host(me.receive(offered(roster)))
    assert isinstance(agreed, messages.Agree)
    assert verify(public(ME), agreed.signature, roster_digest(encode_roster(roster)))


def of_me(me: SimulatedLobbyPeer, **changes: object) -> Roster:
    roster = me.roster()
    seats = (roster.seats[0], replace(roster.seats[1], **changes), roster.seats[2])
    return replace(roster, seats=seats)


LIES: dict[str, Callable[[SimulatedLobbyPeer], Roster]] = {
    "another lobby": lambda me: me.roster(lobby=b"x" * 16),
    "another host": lambda me: me.roster(host=2),
    "other rules": lambda me: me.roster(ruleset=Ruleset(hand_size=5)),
    "without me": lambda me: me.roster(seats=(info(HOST), info(2))),
    "another name of mine": lambda me: of_me(me, name="player9"),
    "another clock of mine": lambda me: of_me(me, slow_clock=True),
    "another colour of mine": lambda me: of_me(me, avatar=3),
    "another nonce of mine": lambda me: of_me(me, nonce=bytes(32)),
    "me as somebody's bot": lambda me: of_me(me, bot=True, owner=public(HOST)),
    "another version": lambda me: replace(me.roster(), version=VERSION + 1),
    "somebody as my bot": lambda me: me.roster(
        seats=(*me.roster().seats, info(5, bot=True, owner=public(ME)))
    ),
    "one name twice": lambda me: me.roster(seats=(*me.roster().seats, info(5, name="player2"))),
    "no owner": lambda me: me.roster(
        seats=(*me.roster().seats, info(5, bot=True, owner=public(7)))
    ),
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_a_roster_that_was_not_agreed_on_is_not_signed(
    lie: Callable[[SimulatedLobbyPeer], Roster],
) -> None:
    me = signing()
    out = me.receive(offered(lie(me)))
    assert turned_away_why(out) is LobbyRefusal.BAD_ROSTER
    assert sent_to_host(out) == []


def test_it_signs_nothing_before_it_knows_the_room() -> None:
    me = SimulatedLobbyPeer()
    me.join()
    assert turned_away_why(me.receive(offered(me.roster()))) is LobbyRefusal.BAD_ROSTER
    assert (
        turned_away_why(signing().receive(messages.RosterOffered(b"nonsense")))
        is LobbyRefusal.BAD_ROSTER
    )


def test_it_signs_one_roster_for_one_nonce() -> None:
    me = signing()
    me.receive(offered(me.roster()))
    other = me.roster(seats=(*me.roster().seats, info(5)))
    assert turned_away_why(me.receive(offered(other))) is LobbyRefusal.BAD_ROSTER


def test_the_hosts_seat_signs_for_its_bots() -> None:
    me = SimulatedLobbyPeer(HOST)
    me.join()
    me.receive(state())
    bot = info(5, bot=True, owner=public(HOST))
    roster = replace(me.roster(), host=0, seats=(me.roster().seats[1], info(2), bot))
    assert isinstance(sent_to_host(me.receive(offered(roster)))[0], messages.Agree)


def test_a_bot_sits_as_a_bot() -> None:
    me = signing(owner=public(HOST))
    assert me.joined is not None
    assert (me.joined.bot, me.joined.owner) == (True, public(HOST))
    assert isinstance(sent_to_host(me.receive(offered(me.roster())))[0], messages.Agree)


# ---- nonces and genesis -----------------------------------------------------------------------


def agreed(me: SimulatedLobbyPeer) -> tuple[bytes, tuple[bytes, ...]]:
    """Return the roster that the peer signed, and the signatures of all players."""
    data = encode_roster(me.roster())
    [said] = sent_to_host(me.receive(messages.RosterOffered(data)))
    assert isinstance(said, messages.Agree)
    others = [sign_roster(data, identity(number)) for number in (HOST, 2)]
    return data, (others[0], said.signature, others[1])


def genesis_of(data: bytes, signatures: tuple[bytes, ...]) -> Genesis:
    nonces = (bytes([99, HOST]) * 16, b"\x01" * 32, bytes([99, 2]) * 16)
    return Genesis(data, signatures, nonces)


def test_it_opens_its_nonce_when_all_have_signed_and_begins() -> None:
    me = signing()
    data, signatures = agreed(me)
    assert sent_to_host(me.receive(messages.NoncesWanted(signatures))) == [
        messages.RevealNonce(b"\x01" * 32)
    ]
    genesis = genesis_of(data, signatures)
    assert me.receive(messages.Began(genesis)) == [TableBegan(genesis)]


def test_it_opens_no_nonce_before_all_have_signed() -> None:
    me = signing()
    assert me.receive(messages.NoncesWanted(())) == []
    _, signatures = agreed(me)
    for lie in ((), signatures[:2], signatures[::-1], (bytes(64), *signatures[1:])):
        me = signing()
        agreed(me)
        out = me.receive(messages.NoncesWanted(lie))
        assert (turned_away_why(out), sent_to_host(out)) == (LobbyRefusal.BAD_ROSTER, [])


def test_a_player_refuses_the_genesis_of_another_table() -> None:
    me = signing()
    data, signatures = agreed(me)
    right = genesis_of(data, signatures)
    roster = decode(data, Roster)
    other = encode_roster(replace(roster, seats=roster.seats[::-1], host=2))
    for lie in (
        replace(right, nonces=right.nonces[::-1]),
        replace(right, signatures=right.signatures[::-1]),
        replace(right, roster=other),
        replace(right, roster=b""),
    ):
        assert turned_away_why(me.receive(messages.Began(lie))) is LobbyRefusal.BAD_ROSTER
    assert turned_away_why(signing().receive(messages.Began(right))) is LobbyRefusal.BAD_ROSTER


def test_a_start_broken_off_takes_a_new_nonce() -> None:
    me = signing()
    agreed(me)
    again, said = sent_to_host(me.receive(messages.Reopened()))
    assert isinstance(again, messages.Join)
    assert said == ready()
    assert me.joined is not None
    assert again.nonce != me.joined.nonce
    me.joined = again
    _, signatures = agreed(me)
    assert sent_to_host(me.receive(messages.NoncesWanted(signatures))) == [
        messages.RevealNonce(b"\x02" * 32)
    ]


def test_a_host_that_restarts_too_often_is_left() -> None:
    """If the last to open a nonce aborts each start, every start is another try at the table id."""
    me = signing()
    for _ in range(MOST_ABORTED_STARTS):
        assert turned_away_why(me.receive(messages.Reopened())) is None
    assert turned_away_why(me.receive(messages.Reopened())) is LobbyRefusal.BAD_ROSTER


# ---- watching ---------------------------------------------------------------------------------


def test_a_watcher_signs_nothing_and_follows_the_right_table() -> None:
    me = signing()
    data, signatures = agreed(me)
    right = genesis_of(data, signatures)
    for lobby in (LOBBY, right.table_id):
        eve = SimulatedLobbyPeer(7, lobby=lobby, name="eve")
        assert sent_to_host(eve.peer.watch()) == [messages.Watch(VERSION, "eve")]
        roster = messages.RosterOffered(data)
        assert eve.receive(messages.Reopened(), messages.NoncesWanted(()), roster) == []
        assert eve.receive(messages.Began(right)) == [TableBegan(right)]
    assert sent_to_host(SimulatedLobbyPeer(7).receive(state())) == []


def test_a_table_from_before_colours_were_told_can_still_be_watched() -> None:
    """It may be an interrupted table that continues. No new table in this format can begin."""
    me = signing()
    data = before_colours(me.roster())
    signatures = tuple(sign_roster(data, identity(number)) for number in (HOST, ME, 2))
    early = genesis_of(data, signatures)
    assert turned_away_why(me.receive(messages.RosterOffered(data))) is LobbyRefusal.BAD_ROSTER
    eve = SimulatedLobbyPeer(7, lobby=early.table_id, name="eve")
    eve.peer.watch()
    assert eve.receive(messages.Began(early)) == [TableBegan(early)]


def test_a_spectator_refuses_the_genesis_of_another_table() -> None:
    me = signing()
    right = genesis_of(*agreed(me))
    for eve in (SimulatedLobbyPeer(7, lobby=b"x" * 16), SimulatedLobbyPeer(7, host=public(2))):
        assert turned_away_why(eve.receive(messages.Began(right))) is LobbyRefusal.BAD_ROSTER
    for lie in (replace(right, roster=b"x"), replace(right, nonces=right.nonces[::-1])):
        assert (
            turned_away_why(SimulatedLobbyPeer(7).receive(messages.Began(lie)))
            is LobbyRefusal.BAD_ROSTER
        )


# ---- every message at every stage -------------------------------------------------------------

STAGES: dict[str, Callable[[], SimulatedLobbyPeer]] = {
    "not joined": SimulatedLobbyPeer,
    "joined": signing,
    "signed": lambda: with_(signing(), agreed),
    "opened": lambda: with_(signing(), lambda me: me.receive(messages.NoncesWanted(agreed(me)[1]))),
}


def with_(me: SimulatedLobbyPeer, do: Callable[[SimulatedLobbyPeer], object]) -> SimulatedLobbyPeer:
    do(me)
    return me


ANYTHING: tuple[messages.FromHost, ...] = (
    state(),
    state(lobby=bytes(16)),
    messages.Refused(LobbyRefusal.KICKED),
    messages.RosterOffered(b""),
    messages.NoncesWanted((bytes(64),)),
    messages.Reopened(),
    messages.Began(Genesis(b"", (), ())),
    messages.Entries(0, ()),
    messages.FinalUpTo(7),
    messages.BodyRefusal(0, 0, "illegal", ""),
    messages.Said("ana", -1, "hi"),
    messages.Waiting((0,), 5),
)


@pytest.mark.parametrize("stage", STAGES.values(), ids=STAGES)
@pytest.mark.parametrize("message", ANYTHING, ids=lambda message: type(message).__name__)
def test_every_message_at_every_stage(
    stage: Callable[[], SimulatedLobbyPeer], message: messages.FromHost
) -> None:
    me = stage()
    for output in me.receive(message, message):
        assert isinstance(output, SendToHost | TurnedAway | Happened | ChatReceived)
        if isinstance(output, SendToHost):
            assert isinstance(output.message, messages.Join | messages.Ready)


def test_no_representation_holds_a_pin() -> None:
    """A repr ends up in logs and reports."""
    assert "4711" not in repr(Seating(name="Eva", lobby=LOBBY, host=public(HOST), pin="4711"))
