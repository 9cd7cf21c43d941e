"""Bodies: the bounds of every field, and the signatures."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from lanuno.dealing.hashing import H
from lanuno.log.faults import Unreadable
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, Body, SignedBody, sign_body
from lanuno.log.format.codec import decode, encode
from lanuno.rules.cards import MAX_SEATS
from lanuno.rules.decks import DECKS
from lanuno.rules.engine.actions import Play
from lanuno.rules.engine.results import RoundKind
from tests.harness.log_table.log_table import identity


def test_bounds_are_part_of_the_types() -> None:
    def refused(value: object, kind: type) -> None:
        with pytest.raises(Unreadable):
            decode(encode(value), kind)

    key = bytes(32)
    commit = bodies.Commit(key, key, (key, key), key)
    body = Body(key, 0, 0, 0, key, commit)
    for wrong in (
        msgspec.structs.replace(body, table=bytes(31)),
        msgspec.structs.replace(body, round=2**32),
        msgspec.structs.replace(body, round=-1),
        msgspec.structs.replace(body, counter=bodies.MAX_COUNTER + 1),
        msgspec.structs.replace(body, author=256),
        msgspec.structs.replace(body, head=bytes(33)),
        msgspec.structs.replace(body, payload=bodies.Drop(10, bodies.DropReason.LOST)),
        msgspec.structs.replace(body, payload=bodies.Unlock(())),
        msgspec.structs.replace(
            body, payload=bodies.Pass(0, 0, bytes(33 * bodies.MAX_CARDS + 1), b"")
        ),
        msgspec.structs.replace(body, payload=bodies.Escrow((bytes(79),), (key,))),
        msgspec.structs.replace(body, payload=bodies.Act(0, Play(0, 0), bytes(4097))),
        msgspec.structs.replace(
            body, payload=bodies.Close(bodies.CloseReason.STOPPED, (2**31,), 0)
        ),
    ):
        refused(wrong, Body)
    for number in (-(2**31) + 1, 2**31 - 1):
        close = bodies.Close(bodies.CloseReason.STOPPED, (number,), 0)
        good = msgspec.structs.replace(body, payload=close)
        assert decode(encode(good), Body) == good
    refused(SignedBody(bytes(20_481), bytes(64)), SignedBody)
    refused(SignedBody(b"", bytes(63)), SignedBody)


@pytest.mark.parametrize("deck", DECKS)
def test_the_longest_lock_of_a_deck_fits_into_the_body_of_a_seat(deck: int) -> None:
    """A larger deck could not be dealt: this bound is lower than `MAX_DECK`."""
    points = bytes(33 * deck)
    lock = bodies.Pass(2**32 - 1, 2**32 - 1, points, points)
    key = bytes(32)
    longest = Body(key, 2**32 - 1, MAX_SEATS - 1, bodies.MAX_COUNTER, key, lock)
    assert decode(encode(longest), Body) == longest
    assert len(encode(longest)) <= bodies.MAX_SEAT_BODY


def test_enumerations_have_no_other_members() -> None:
    key = bytes(32)
    body = Body(key, 0, 255, 0, key, bodies.Drop(1, bodies.DropReason.LOST))
    data = encode(body)
    assert data.endswith(b"\x93\x0c\x01\x00")
    with pytest.raises(Unreadable):
        decode(data[:-1] + b"\x04", Body)
    opened = encode(Body(key, 0, 255, 0, key, bodies.Open(0, RoundKind.PLAY, (0, 1), 0)))
    assert opened.endswith(b"\x95\x00\x00\x01\x92\x00\x01\x00")
    with pytest.raises(Unreadable):
        decode(opened[:-5] + b"\x02" + opened[-4:], Body)


def test_an_exposure_of_the_two_longest_bodies_fits_into_a_body() -> None:
    longest, signature, key = bytes(bodies.MAX_SEAT_BODY), bytes(64), bytes(32)
    expose = bodies.Expose(longest, signature, longest, signature)
    body = Body(key, 2**32 - 1, HOST, bodies.MAX_COUNTER, key, expose)
    assert len(encode(body)) <= bodies.MAX_BODY
    assert decode(encode(body), Body) == body


# ---- signatures ------------------------------------------------------------------------------

KEY = bytes(32)
LEAVE = Body(KEY, 3, 1, 8, KEY, bodies.Leave())


def test_a_body_gives_back_what_its_author_signed() -> None:
    signed = sign_body(LEAVE, identity(1))
    assert signed.read() == LEAVE
    assert signed.signed_by(identity(1).public)
    assert not signed.signed_by(identity(0).public)
    later = sign_body(msgspec.structs.replace(LEAVE, counter=9), identity(1))
    assert not SignedBody(later.body, signed.signature).signed_by(identity(1).public)


@pytest.mark.parametrize("kind", ["vote", "entry", "roster"])
def test_a_signature_for_something_else_is_invalid_for_a_body(kind: str) -> None:
    data = encode(LEAVE)
    assert SignedBody(data, identity(1).sign(H("body", data))).signed_by(identity(1).public)
    assert not SignedBody(data, identity(1).sign(H(kind, data))).signed_by(identity(1).public)


def test_bytes_that_are_no_body_are_unreadable() -> None:
    for data in (b"", b"\x90", encode(LEAVE) + b"\x00", encode(LEAVE)[:-1]):
        with pytest.raises(Unreadable):
            SignedBody(data, bytes(64)).read()


def test_the_digest_of_a_bot_depends_on_table_seat_bot_and_owner() -> None:
    right = (H("table"), 3, identity(77).public, identity(0).public)
    others = [
        (H("other"), *right[1:]),
        (right[0], 4, *right[2:]),
        (*right[:2], identity(78).public, right[3]),
        (*right[:3], identity(1).public),
    ]
    digests = {bodies.fill_in_digest(*each) for each in (right, *others)}
    assert len(digests) == 1 + len(others)
    # The digest of a present player cannot be mistaken for that of a bot.
    assert bodies.presence_digest(right[0], 3, H("drop")) not in digests


def test_the_digest_of_a_present_player_depends_on_table_seat_and_drop() -> None:
    right = (H("table"), 3, H("drop"))
    others = [(H("other"), *right[1:]), (right[0], 4, right[2]), (*right[:2], H("other"))]
    digests = {bodies.presence_digest(*each) for each in (right, *others)}
    assert len(digests) == 1 + len(others)


def test_no_payload_is_for_a_seat_and_for_the_host() -> None:
    """Every kind of payload has exactly one of the two as its author."""
    seat, host = set(get_args(bodies.SeatPayload)), set(get_args(bodies.HostPayload))
    assert not seat & host
    assert host == set(bodies.HOST_PAYLOADS)
    assert seat | host == set(get_args(bodies.Payload))
