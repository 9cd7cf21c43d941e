"""Check what a new connection has sent before any TLS work: nothing, a part, or a ClientHello.

The bytes stay in the system's buffer, where the TLS handshake reads them. So a connection that has
sent nothing, or only a part, costs one descriptor and nothing else.

Rule: this module sends, stores and decides nothing.
"""

from __future__ import annotations

import socket
from enum import Enum
from typing import Final

MAX_CLIENT_HELLO: Final = 4096
"""Longest accepted ClientHello, including its record header. OpenSSL sends 300 to 1,800 bytes."""

_RECORD_HEADER: Final = 5
_HANDSHAKE_HEADER: Final = 4
# Start of a TLS handshake record. The version field says 3.1 or 3.3, whichever version is offered.
_HANDSHAKE: Final = b"\x16\x03"
_CLIENT_HELLO: Final = 1


class ClientHelloState(Enum):
    """How much of a ClientHello has arrived."""

    NOTHING = "nothing"
    PART = "part"
    WHOLE = "whole"
    NONE = "none"
    """The connection has ended, or its data is not a ClientHello in a single record."""


def peek(sock: socket.socket) -> ClientHelloState:
    """Classify what a non-blocking socket has received so far, without consuming it."""
    try:
        data = sock.recv(MAX_CLIENT_HELLO, socket.MSG_PEEK)
    except (BlockingIOError, InterruptedError):
        return ClientHelloState.NOTHING
    except OSError:
        return ClientHelloState.NONE
    return parse_client_hello(data) if data else ClientHelloState.NONE


def parse_client_hello(data: bytes) -> ClientHelloState:
    """Classify the first bytes of a connection."""
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
