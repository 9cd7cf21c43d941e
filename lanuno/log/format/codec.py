"""Values to bytes and back, strictly: one value has one encoding and nothing else decodes.

MessagePack by msgspec. Bytes from other nodes and files become typed values only here. Every
failure raises the same error, `Unreadable`.
"""

from __future__ import annotations

from typing import TypeVar, cast

import msgspec

from lanuno.log.faults import Unreadable

T = TypeVar("T")

MAX_BYTES = 65_536
"""No value from outside is longer than one frame."""

_encoder = msgspec.msgpack.Encoder()
_decoders: dict[type, msgspec.msgpack.Decoder[object]] = {}


def prepare(*kinds: type) -> None:
    """Make `decode` read these classes. For modules to call on import, below their classes.

    msgspec describes a class the first time that a decoder for it is made. If two threads do that
    together, one of them takes the unfinished description, and the process crashes.
    """
    for kind in kinds:
        _decoders[kind] = msgspec.msgpack.Decoder(kind)


def encode(value: object) -> bytes:
    """The one encoding of a value made of structs, tuples, ints, strings, bytes, bools, None."""
    return _encoder.encode(value)


def decode(data: bytes, kind: type[T]) -> T:
    """Read one value of a class that was prepared; refuse anything but its one encoding.

    Unknown types and fields, wrong types, trailing bytes, over-long parts, and bytes that do
    not encode to themselves again raise `Unreadable`.
    """
    return cast("T", decode_with(data, _decoders[kind]))


def decode_with(data: bytes, decoder: msgspec.msgpack.Decoder[T]) -> T:
    """The same with a decoder made beforehand, for unions of classes."""
    if len(data) > MAX_BYTES:
        raise Unreadable("longer than a frame")
    try:
        value = decoder.decode(data)
        same = _encoder.encode(value) == data
    except Exception as error:
        # Every exception of a decoder is one refusal.
        raise Unreadable(type(error).__name__) from None
    if not same:
        raise Unreadable("not the canonical encoding")
    return value
