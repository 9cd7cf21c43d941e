"""Messages: their bounds on the wire, and reprs that show nothing private."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import pytest
from msgspec.structs import replace

from lanuno.log.faults import Unreadable
from lanuno.log.format.bodies import MAX_COUNTER, SignedBody
from lanuno.log.format.codec import encode
from lanuno.log.format.genesis import MOST_ROUNDS
from lanuno.log.format.statements import SignedStatement
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages
from lanuno.table.messages import (
    AtTable,
    FromHost,
    FromPeer,
    LobbyPhase,
    LobbySeat,
    PeerAddress,
    Reaction,
    at_table,
    from_host,
    from_peer,
    to_bytes,
)
from tests.harness.log_table.elections import vote
from tests.harness.log_table.log_table import new_table

CHAT, NONCE = "a word among friends", b"n" * 32


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (messages.RevealNonce(NONCE), "RevealNonce"),
        (messages.Submit(SignedBody(NONCE, NONCE * 2)), "Submit"),
        (messages.Say(CHAT), "Say"),
        (messages.Said("Bea", 1, CHAT), "Said"),
    ],
)
def test_the_repr_of_a_message_shows_its_kind_and_nothing_private(value: object, kind: str) -> None:
    shown = repr(value)
    assert shown.startswith(kind)
    assert not any(each in shown for each in (CHAT, repr(NONCE)[2:-1]))


# ---- the wire -----------------------------------------------------------------------------------

HASH, SIGNATURE = b"h" * 32, b"s" * 64
BODY = SignedBody(b"body", SIGNATURE)
TABLE = new_table(3).run(lambda table: len(table.entries) == 2)
ENTRY, VOTE = TABLE.entries[0], vote(TABLE, 1)
SEAT = LobbySeat("Bea", HASH, HASH, bot=False, ready=True, avatar=3)
PLACE = PeerAddress(2, "192.0.2.1", 47123)

PEERS: list[FromPeer] = [
    messages.Join(1, "Bea", HASH, HASH, False, True, 4),
    messages.Watch(1, "Eve"),
    messages.Ready(SIGNATURE),
    messages.Ready(None),
    messages.RevealNonce(HASH),
    messages.Submit(BODY),
    messages.Statements((SignedStatement(b"ack", SIGNATURE),)),
    messages.Fetch(0),
    messages.Say(CHAT),
    messages.Rejoin(1, 20, HASH, 2, 47123, VOTE),
    messages.LogPage(3, (ENTRY, ENTRY)),
    messages.RequestVote(True, 2, 1, 20, HASH, VOTE),
    messages.VoteReply(False, 2, True, VOTE, 2),
    messages.TakeSeat(9),
    messages.BeginPinProof(b"A" + HASH),
    messages.ConfirmPin(HASH),
    messages.RequestPresence(ENTRY),
    messages.PresenceReply(HASH, SIGNATURE),
    messages.React(Reaction.WOW),
    messages.ReadsScore(3, reading=True),
    messages.PlayAgain(),
]
STATE = messages.LobbyState(
    b"lobby", "Kitchen", LobbyPhase.OPEN, Ruleset(), 4, (SEAT,), 1, 3, False, True
)
HOSTS: list[FromHost] = [
    STATE,
    messages.Refused(messages.LobbyRefusal.KICKED),
    messages.NoncesWanted((SIGNATURE,)),
    messages.Began(TABLE.genesis),
    messages.Entries(3, (ENTRY,)),
    messages.BodyRefusal(1, MAX_COUNTER, "illegal", "no such card"),
    messages.Said("Eve", -1, CHAT, HASH),
    messages.Waiting((1, 2), 1500),
    messages.RequestLog(5),
    messages.HostIs(2, 1),
    messages.TransferHost(2, 1),
    messages.PeerAddresses((PLACE,)),
    messages.PinProofAnswer(b"B" + HASH),
    messages.PinConfirmed(HASH),
    messages.Reacted(2, Reaction.HURRY),
    messages.RematchState((0, 1), (1,), 1),
]


def test_the_samples_hold_every_kind_of_message() -> None:
    assert {type(each) for each in PEERS} == {*get_args(FromPeer)}
    assert {type(each) for each in HOSTS} == {*get_args(FromHost)}


@pytest.mark.parametrize("message", [*PEERS, *HOSTS], ids=lambda each: type(each).__name__)
def test_a_message_is_read_as_it_was_sent_and_only_from_its_side(message: AtTable) -> None:
    data = to_bytes(message)
    assert at_table(data) == message
    right, wrong = (from_peer, from_host) if message in PEERS else (from_host, from_peer)
    assert right(data) == message
    with pytest.raises(Unreadable):
        wrong(data)


@pytest.mark.parametrize("read", [from_peer, from_host, at_table])
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xc1",
        encode((99,)),
        encode(("7", 7)),
        encode({"t": 7, "first": 7}),
        encode((7,)),
        encode((7, 7, 8)),
        encode((24, 0)),
        to_bytes(messages.Fetch(7)) + b"\x00",
    ],
)
def test_bytes_that_are_no_message_are_unreadable(
    read: Callable[[bytes], object], data: bytes
) -> None:
    with pytest.raises(Unreadable):
        read(data)


def test_a_number_in_a_longer_encoding_is_unreadable() -> None:
    """Otherwise two different messages would mean the same."""
    data = to_bytes(messages.Fetch(7))
    assert data == b"\x92\x07\x07"
    with pytest.raises(Unreadable):
        from_peer(b"\x92\x07\xcc\x07")


@pytest.mark.parametrize(
    "message",
    [
        messages.Join(1, "x" * 65, HASH, HASH, False, False),
        messages.Join(1, "Bea", HASH[:-1], HASH, False, False),
        messages.BeginPinProof(HASH),
        messages.ConfirmPin(HASH[:-1]),
        messages.Join(-1, "Bea", HASH, HASH, False, False),
        messages.Watch(2**32, "Eve"),
        messages.Ready(SIGNATURE[:-1]),
        messages.RevealNonce(bytes(31)),
        messages.Fetch(-1),
        messages.Fetch(2**32),
        messages.Say("x" * (messages.LONGEST_CHAT + 1)),
        messages.Rejoin(1, 20, HASH, 2, 65_536),
        messages.LogPage(0, (ENTRY,) * 1025),
        messages.TakeSeat(10),
        messages.TakeSeat(-1),
        replace(STATE, lobby=bytes(33)),
        replace(STATE, capacity=1),
        replace(STATE, capacity=11),
        replace(STATE, seats=(SEAT,) * 11),
        replace(STATE, watching=messages.MAX_SPECTATORS + 1),
        replace(STATE, rounds=0),
        replace(STATE, rounds=MOST_ROUNDS + 1),
        messages.NoncesWanted((SIGNATURE,) * 11),
        messages.Entries(0, (ENTRY,) * 1025),
        messages.BodyRefusal(10, 0, "illegal", ""),
        messages.BodyRefusal(1, MAX_COUNTER + 1, "illegal", ""),
        messages.BodyRefusal(1, 0, "illegal", "x" * 201),
        messages.Said("Eve", -2, "hi"),
        messages.Said("Eve", 10, "hi"),
        messages.Said("Eve", 1, "x" * (messages.LONGEST_CHAT + 1)),
        messages.Waiting(tuple(range(11)), 0),
        messages.HostIs(1, 10),
        messages.TransferHost(1, -1),
        messages.PeerAddresses((replace(PLACE, port=0),)),
        messages.PeerAddresses((replace(PLACE, seat=10),)),
        messages.PeerAddresses((PLACE,) * 11),
        messages.Reacted(10, Reaction.WOW),
        messages.RematchState((0,) * 11, ()),
        messages.RematchState((), (), 10),
    ],
    ids=lambda each: type(each).__name__,
)
def test_a_value_beyond_its_bound_is_unreadable(message: AtTable) -> None:
    with pytest.raises(Unreadable):
        at_table(to_bytes(message))
