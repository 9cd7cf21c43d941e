"""Strict encoding: one value has exactly one encoding, and no other bytes decode.

The format is MessagePack, by msgspec. Bytes from other nodes and files become typed values only
here. Every failure raises `Unreadable`.
"""

from __future__ import annotations

from typing import TypeVar, cast

import msgspec

from lanuno.log.faults import Unreadable

T = TypeVar("T")

MAX_BYTES = 65_536
"""Limit for a value from outside: one frame."""

_encoder = msgspec.msgpack.Encoder()
_decoders: dict[type, msgspec.msgpack.Decoder[object]] = {}


def prepare(*kinds: type) -> None:
    """Register classes for `decode`. Modules call this on import, below their classes.

    msgspec describes a class when the first decoder for it is created. If two threads do that
    simultaneously, one of them gets the unfinished description and the process crashes.
    """
    for kind in kinds:
        _decoders[kind] = msgspec.msgpack.Decoder(kind)


def encode(value: object) -> bytes:
    """Return the one encoding of a value of structs, tuples, ints, strings, bytes, bools, None."""
    return _encoder.encode(value)


def decode(data: bytes, kind: type[T]) -> T:
    """Decode one value of a prepared class from its one encoding.

    Raises `Unreadable` for unknown types and fields, wrong types, trailing bytes, parts that are
    too long, and bytes that differ from the encoding of the decoded value.
    """
    return cast("T", decode_with(data, _decoders[kind]))


def decode_with(data: bytes, decoder: msgspec.msgpack.Decoder[T]) -> T:
    """Do what `decode` does, with a decoder that the caller created: for unions of classes."""
    if len(data) > MAX_BYTES:
        raise Unreadable("longer than a frame")
    try:
        value = decoder.decode(data)
        same = _encoder.encode(value) == data
    except Exception as error:
        # Any exception of a decoder becomes the same refusal.
        raise Unreadable(type(error).__name__) from None
    if not same:
        raise Unreadable("not the canonical encoding")
    return value
