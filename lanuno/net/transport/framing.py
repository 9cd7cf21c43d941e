"""Split a byte stream into messages, and frame messages for sending. No sockets, no time.

A frame is a big-endian u32 followed by a payload. The low 31 bits of the u32 are the payload's
length. The top bit marks a control frame, which is handled in this package and never passed to the
layer above. A message has at least one byte; a control frame has one to eight.

Rule: a length is checked before any data of that length is stored.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from lanuno.net.errors import Goodbye, NetError, NetFault

HEADER_BYTES: Final = 4
MAX_CONTROL: Final = 8
_CONTROL: Final = 0x8000_0000
_HEARTBEAT_KIND: Final = 0
_GOODBYE_KIND: Final = 1


class Heartbeat(Struct, frozen=True):
    """The peer is alive and has nothing to send."""


class Farewell(Struct, frozen=True):
    """The sender's last frame, after which the receiver closes too."""

    reason: Goodbye


Control = Heartbeat | Farewell

_BEAT: Final = Heartbeat()
HEARTBEAT_FRAME: Final = (_CONTROL | 1).to_bytes(4, "big") + bytes([_HEARTBEAT_KIND])


def message_frame(message: bytes, limit: int) -> bytes:
    """Frame one message. Raise `NetError` if it is empty (`PROTOCOL`) or too long (`TOO_BIG`)."""
    size = len(message)
    if size > limit:
        raise NetError(NetFault.TOO_BIG, f"a message of {size} bytes, limit {limit}")
    if not size:
        raise NetError(NetFault.PROTOCOL, "an empty message")
    return size.to_bytes(4, "big") + message


def farewell_frame(reason: Goodbye) -> bytes:
    """Frame a goodbye."""
    return (_CONTROL | 2).to_bytes(4, "big") + bytes([_GOODBYE_KIND, reason])


def _control(payload: bytes) -> Control:
    if payload == b"\x00":
        return _BEAT
    if len(payload) == 2 and payload[0] == _GOODBYE_KIND:
        return Farewell(Goodbye.read(payload[1]))
    raise NetError(NetFault.PROTOCOL, "an unknown control frame")


class Decoder:
    """Assembles whole frames from received bytes. Stores at most one unfinished frame."""

    __slots__ = ("_rest", "fault", "limit")

    def __init__(self, limit: int) -> None:
        """`limit` is the longest message allowed; it may be changed later."""
        self.limit = limit
        self.fault: NetError | None = None
        """Why the stream is invalid, or None: `TOO_BIG` as soon as a length over the limit is read,
        `PROTOCOL` for an empty message or an unknown control frame."""

        self._rest = b""

    @property
    def unfinished(self) -> bool:
        """Whether a frame has arrived only in part."""
        return bool(self._rest)

    def feed(self, data: bytes) -> list[bytes | Control]:
        """Add received bytes and return the frames that they complete, in order.

        After a fault it returns no more frames; check `fault` after each call.
        """
        frames: list[bytes | Control] = []
        if self.fault is not None:
            return frames
        if self._rest:
            data = self._rest + data
        start, size = 0, len(data)
        try:
            while size - start >= HEADER_BYTES:
                word = int.from_bytes(data[start : start + HEADER_BYTES], "big")
                length = word & ~_CONTROL
                self._check(word, length)
                end = start + HEADER_BYTES + length
                if end > size:
                    break
                payload = data[start + HEADER_BYTES : end]
                frames.append(_control(payload) if word & _CONTROL else payload)
                start = end
        except NetError as fault:
            self.fault = fault
            start = size
        self._rest = data[start:] if start else data
        return frames

    def _check(self, word: int, length: int) -> None:
        limit = MAX_CONTROL if word & _CONTROL else self.limit
        if length > limit:
            raise NetError(NetFault.TOO_BIG, f"a frame of {length} bytes, limit {limit}")
        if not length:
            raise NetError(NetFault.PROTOCOL, "an empty frame")
