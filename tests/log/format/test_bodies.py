"""Bodies: the bounds of every field, and the signatures."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.log.faults import Unreadable
from lanuno.log.format import bodies
from lanuno.log.format.bodies import Body, SignedBody
from lanuno.log.format.codec import decode, encode
from lanuno.rules.decks import DECKS
from lanuno.rules.engine.actions import Play
from lanuno.rules.engine.results import RoundKind


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
def test_the_lock_of_a_deck_is_no_longer_than_what_a_seat_may_sign(deck: int) -> None:
    """A larger deck could not be dealt: this bound is lower than `MAX_DECK`."""
    points = bytes(33 * deck)
    lock = bodies.Pass(2**32 - 1, 2**32 - 1, points, points)
    key = bytes(32)
    longest = Body(key, 2**32 - 1, bodies.MAX_SEATS - 1, bodies.MAX_COUNTER, key, lock)
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
