"""Frames: any messages, split at any points, come out whole, and lengths are checked first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanuno.net.errors import Goodbye, NetError, NetFault
from lanuno.net.transport.framing import (
    HEARTBEAT_FRAME,
    Decoder,
    Farewell,
    Heartbeat,
    farewell_frame,
    message_frame,
)

LIMIT = 300

FRAMES = st.lists(
    st.one_of(
        st.binary(min_size=1, max_size=LIMIT).map(lambda data: (data, message_frame(data, LIMIT))),
        st.just((Heartbeat(), HEARTBEAT_FRAME)),
        st.sampled_from(Goodbye).map(lambda reason: (Farewell(reason), farewell_frame(reason))),
    ),
    max_size=12,
)


@given(FRAMES, st.data())
def test_any_frames_in_any_pieces(frames: list[tuple[object, bytes]], data: st.DataObject) -> None:
    stream = b"".join(encoded for _, encoded in frames)
    decoder, got, rest = Decoder(LIMIT), list[object](), stream
    while rest:
        size = data.draw(st.integers(1, len(rest)))
        got.extend(decoder.feed(rest[:size]))
        rest = rest[size:]
    assert got == [value for value, _ in frames]
    assert not decoder.unfinished


@given(st.binary(max_size=2000), st.integers(1, 64))
def test_any_bytes_give_frames_and_perhaps_a_fault(data: bytes, piece: int) -> None:
    decoder = Decoder(LIMIT)
    for start in range(0, len(data), piece):
        broken = decoder.fault is not None
        frames = decoder.feed(data[start : start + piece])
        assert not (broken and frames)
        assert len(decoder._rest) <= LIMIT + 4 + piece
    assert decoder.fault is None or decoder.fault.fault in (NetFault.TOO_BIG, NetFault.PROTOCOL)


def fault_of(data: bytes) -> NetFault | None:
    decoder = Decoder(LIMIT)
    assert decoder.feed(message_frame(b"before", LIMIT) + data) == [b"before"]
    assert decoder.feed(message_frame(b"after", LIMIT)) == []
    return None if decoder.fault is None else decoder.fault.fault


def test_a_length_is_refused_before_its_bytes_arrive() -> None:
    assert fault_of((LIMIT + 1).to_bytes(4, "big")) is NetFault.TOO_BIG
    assert fault_of(LIMIT.to_bytes(4, "big")) is None


def test_the_limit_may_grow() -> None:
    decoder = Decoder(4)
    decoder.limit = 5
    assert decoder.feed(message_frame(b"12345", 5)) == [b"12345"]


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"\x00\x00\x00\x00", NetFault.PROTOCOL),
        (b"\x80\x00\x00\x00", NetFault.PROTOCOL),
        (b"\x80\x00\x00\x09", NetFault.TOO_BIG),
        (b"\x80\x00\x00\x01\x02", NetFault.PROTOCOL),
        (b"\x80\x00\x00\x02\x00\x00", NetFault.PROTOCOL),
        (b"\x80\x00\x00\x01\x01", NetFault.PROTOCOL),
        (b"\xff\xff\xff\xff", NetFault.TOO_BIG),
    ],
)
def test_bad_frames(data: bytes, fault: NetFault) -> None:
    assert fault_of(data) is fault


def test_a_reason_of_a_later_version_is_a_plain_goodbye() -> None:
    assert Decoder(LIMIT).feed(b"\x80\x00\x00\x02\x01\xee") == [Farewell(Goodbye.DONE)]


@pytest.mark.parametrize(
    ("message", "fault"), [(b"", NetFault.PROTOCOL), (bytes(LIMIT + 1), NetFault.TOO_BIG)]
)
def test_impossible_messages_are_not_framed(message: bytes, fault: NetFault) -> None:
    with pytest.raises(NetError) as caught:
        message_frame(message, LIMIT)
    assert caught.value.fault is fault
    assert fault.value in str(caught.value)


def test_the_layout() -> None:
    assert message_frame(b"abc", LIMIT) == b"\x00\x00\x00\x03abc"
    assert HEARTBEAT_FRAME == b"\x80\x00\x00\x01\x00"
    assert farewell_frame(Goodbye.SHUTDOWN) == b"\x80\x00\x00\x02\x01\x01"
