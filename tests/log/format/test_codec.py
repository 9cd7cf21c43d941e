"""One value, one encoding: everything else raises `Unreadable`, and nothing else is ever raised."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.msgpack import Decoder

from lanuno.log.faults import Unreadable
from lanuno.log.format.bodies import Body, SignedBody
from lanuno.log.format.codec import MAX_BYTES, decode, decode_with, encode, prepare
from lanuno.log.format.entries import Entry, EntryCore
from lanuno.log.format.genesis import Genesis, Roster
from lanuno.rules.engine.actions import Action, Play
from lanuno.rules.ruleset import Ruleset
from tests.harness.log_table.log_table import LogTable

KINDS: tuple[type, ...] = (Body, SignedBody, Entry, EntryCore, Genesis, Roster, Ruleset)
prepare(Ruleset, bytes)
ANY_ACTION: Decoder[Action] = Decoder(Action)


def read_or_refuse(data: bytes, kind: type) -> None:
    """Check that the bytes are either the one encoding of a value or refused."""
    try:
        value: object = decode(data, kind)
    except Unreadable:
        return
    assert encode(value) == data


@given(st.binary(max_size=200), st.sampled_from(KINDS))
@example(b"", Body)
@example(b"\x90", Roster)
@example(b"\xc1", Entry)
@example(b"\x81\xa1t\x00", Body)
@example(b"\x92\xc4\x00\xc4\x00", SignedBody)
@example(b"\x91" * 190, Body)
def test_any_bytes_are_a_value_or_unreadable(data: bytes, kind: type) -> None:
    read_or_refuse(data, kind)


def test_changed_values_are_values_or_unreadable(played: LogTable) -> None:
    """The test changes every byte of a body, an entry and a genesis, a little and a lot."""
    entry = played.entries[2]
    samples: list[tuple[type, bytes]] = [
        (Body, entry.read().body),
        (EntryCore, entry.core[:400]),
        (Entry, encode(played.entries[0])),
        (Genesis, encode(played.genesis)),
        (Roster, played.genesis.roster),
    ]
    for kind, data in samples:
        read_or_refuse(data, kind)
        for place in range(len(data)):
            for flip in (0x01, 0x10, 0x80, 0xFF):
                changed = data[:place] + bytes([data[place] ^ flip]) + data[place + 1 :]
                read_or_refuse(changed, kind)
            read_or_refuse(data[:place], kind)
            read_or_refuse(data[:place] + data[place + 1 :], kind)
            read_or_refuse(data[:place] + b"\x00" + data[place:], kind)


PLAY = encode(Play(3, 13))


@pytest.mark.parametrize(
    ("why", "data"),
    [
        ("trailing bytes", PLAY + b"\x00"),
        ("cut short", PLAY[:-1]),
        ("a field too many", b"\x96" + PLAY[1:] + b"\xc0"),
        ("a default left out", b"\x93\x01\x03\x0d"),
        ("an unknown tag", b"\x91\x63"),
        ("a number in more bytes than it needs", b"\x95\x01\xcc\x03\x0d\xc0\xc2"),
        ("a list in more bytes than it needs", b"\xdc\x00\x05" + PLAY[1:]),
        ("a float", b"\x95\x01\xca\x40\x40\x00\x00\x0d\xc0\xc2"),
        ("a number for a bool", b"\x95\x01\x03\x0d\xc0\x00"),
        ("a string for a number", b"\x95\x01\xa1\x33\x0d\xc0\xc2"),
        ("a map", b"\x85\x01\x03\x0d\xc0\xc2\x01\x03\x0d\xc0\xc2"),
        ("an extension", b"\xd4\x01\x00"),
        ("an invalid string", b"\xa1\xff"),
    ],
)
def test_one_value_has_one_encoding(why: str, data: bytes) -> None:
    assert decode_with(PLAY, ANY_ACTION) == Play(3, 13)
    with pytest.raises(Unreadable):
        decode_with(data, ANY_ACTION)


def test_nothing_longer_than_a_frame_is_looked_at() -> None:
    longest = b"x" * (MAX_BYTES - 3)
    assert len(encode(longest)) == MAX_BYTES
    assert decode(encode(longest), bytes) == longest
    with pytest.raises(Unreadable, match="longer than a frame"):
        decode(encode(longest + b"x"), bytes)


def test_deep_nesting_is_refused_and_not_a_crash() -> None:
    for deep in (b"\x91" * 60_000 + b"\x00", b"\x81\x00" * 30_000 + b"\x00"):
        with pytest.raises(Unreadable):
            decode(deep, Body)


def test_a_decoder_is_made_on_import_only() -> None:
    """Threads that create it simultaneously would crash the process."""
    whole = msgspec.defstruct("Whole", [("number", int)], array_like=True)
    with pytest.raises(KeyError):
        decode(b"\x91\x01", whole)
