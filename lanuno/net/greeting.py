"""Looks at what a caller has sent before any TLS is done for it: nothing, a part, or a ClientHello.

The bytes stay in the system's buffer, where the TLS handshake finds them. So a connection that says
nothing, or half of something, costs a descriptor and no more.

Law: nothing is sent, stored or decided here.
"""

from __future__ import annotations

import socket
from enum import Enum
from typing import Final

MAX_GREETING: Final = 4096
"""Longest ClientHello, with the header of its record. OpenSSL's have 300 to 1,800 bytes."""

_RECORD_HEADER: Final = 5
_HANDSHAKE_HEADER: Final = 4
# Handshake record of TLS (its version says 3.1 or 3.3 whatever is offered inside).
_HANDSHAKE: Final = b"\x16\x03"
_CLIENT_HELLO: Final = 1


class Greeting(Enum):
    """What has come of a ClientHello."""

    NOTHING = "nothing"
    PART = "part"
    WHOLE = "whole"
    NONE = "none"
    """The connection has ended, or what came is no ClientHello in one record."""


def look_ahead(sock: socket.socket) -> Greeting:
    """What a non-blocking socket has received so far; nothing is taken from it."""
    try:
        data = sock.recv(MAX_GREETING, socket.MSG_PEEK)
    except (BlockingIOError, InterruptedError):
        return Greeting.NOTHING
    except OSError:
        return Greeting.NONE
    return judge(data) if data else Greeting.NONE


def judge(data: bytes) -> Greeting:
    """What the first bytes of a connection are."""
    if data[:2] != _HANDSHAKE[: len(data)]:
        return Greeting.NONE
    if len(data) < _RECORD_HEADER + _HANDSHAKE_HEADER:
        return Greeting.PART
    length = int.from_bytes(data[3:_RECORD_HEADER], "big")
    inside = int.from_bytes(data[_RECORD_HEADER + 1 : _RECORD_HEADER + _HANDSHAKE_HEADER], "big")
    if data[_RECORD_HEADER] != _CLIENT_HELLO or inside + _HANDSHAKE_HEADER > length:
        return Greeting.NONE
    if _RECORD_HEADER + length > MAX_GREETING:
        return Greeting.NONE
    return Greeting.WHOLE if len(data) >= _RECORD_HEADER + length else Greeting.PART
