"""Checks what a connection has sent before any TLS work: nothing, a part, or a ClientHello.

The bytes stay in the system's buffer, where the TLS handshake finds them. So a connection that
sends nothing, or a part, costs a descriptor and no more.

Rule: nothing is sent, stored or decided here.
"""

from __future__ import annotations

import socket
from enum import Enum
from typing import Final

MAX_CLIENT_HELLO: Final = 4096
"""Longest ClientHello, with the header of its record. OpenSSL's have 300 to 1,800 bytes."""

_RECORD_HEADER: Final = 5
_HANDSHAKE_HEADER: Final = 4
# Handshake record of TLS (its version says 3.1 or 3.3 whatever is offered inside).
_HANDSHAKE: Final = b"\x16\x03"
_CLIENT_HELLO: Final = 1


class ClientHelloState(Enum):
    """What has come of a ClientHello."""

    NOTHING = "nothing"
    PART = "part"
    WHOLE = "whole"
    NONE = "none"
    """The connection has ended, or what came is no ClientHello in one record."""


def peek(sock: socket.socket) -> ClientHelloState:
    """What a non-blocking socket has received so far; nothing is taken from it."""
    try:
        data = sock.recv(MAX_CLIENT_HELLO, socket.MSG_PEEK)
    except (BlockingIOError, InterruptedError):
        return ClientHelloState.NOTHING
    except OSError:
        return ClientHelloState.NONE
    return parse_client_hello(data) if data else ClientHelloState.NONE


def parse_client_hello(data: bytes) -> ClientHelloState:
    """What the first bytes of a connection are."""
    if data[:2] != _HANDSHAKE[: len(data)]:
        return ClientHelloState.NONE
    if len(data) < _RECORD_HEADER + _HANDSHAKE_HEADER:
        return ClientHelloState.PART
    length = int.from_bytes(data[3:_RECORD_HEADER], "big")
    inside = int.from_bytes(data[_RECORD_HEADER + 1 : _RECORD_HEADER + _HANDSHAKE_HEADER], "big")
    if data[_RECORD_HEADER] != _CLIENT_HELLO or inside + _HANDSHAKE_HEADER > length:
        return ClientHelloState.NONE
    if _RECORD_HEADER + length > MAX_CLIENT_HELLO:
        return ClientHelloState.NONE
    return ClientHelloState.WHOLE if len(data) >= _RECORD_HEADER + length else ClientHelloState.PART
