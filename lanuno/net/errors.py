"""The one error of this package, its faults, and the reasons of a goodbye.

Rule: no exception of a library (OSError, ssl, zeroconf, asyncio time-outs) leaves `lanuno.net`; it
becomes a `NetError` with one `NetFault`. Cancellation is not an error and always passes through.
"""

from __future__ import annotations

from enum import Enum, IntEnum


class NetFault(Enum):
    """What went wrong, in a form that can be shown in any language."""

    UNREACHABLE = "unreachable"
    """Nothing listens there, or there is no route."""

    TIMEOUT = "timeout"
    """The other side does not answer, or not in time."""

    TLS = "tls"
    """The other side does not speak TLS 1.3."""

    PROTOCOL = "protocol"
    """The other side speaks, but not this protocol, or breaks it."""

    VERSION = "version"
    """The other side speaks another version of this protocol."""

    IDENTITY = "identity"
    """The other side has another identity than expected, or cannot prove its own."""

    WRONG_TABLE = "wrong-table"
    """The right host, but another table than the one asked for."""

    REFUSED = "refused"
    """The other side refused, without a better reason."""

    FULL = "full"
    """The host has as many connections as it takes."""

    TOO_BIG = "too-big"
    """A message longer than allowed, in either direction."""

    FLOOD = "flood"
    """More messages a second than allowed."""

    SLOW = "slow"
    """The other side does not take what is sent to it; it was dropped."""

    LOST = "lost"
    """The connection broke, or was silent for too long."""

    CLOSED = "closed"
    """This side or the other one had already said goodbye."""

    ADDRESS = "address"
    """An address, host name or port that cannot be used."""

    PORT = "port"
    """No port to listen on."""

    LINK = "link"
    """A link that cannot be read."""

    ADAPTER = "adapter"
    """No network adapter of that name, or none at all."""

    MULTICAST = "multicast"
    """Multicast DNS cannot be used on this computer."""


class Goodbye(IntEnum):
    """Why a connection is closed in an orderly way; one byte on the wire."""

    DONE = 0
    """Nothing more to send."""

    SHUTDOWN = 1
    """The program ends."""

    REPLACED = 2
    """The same identity has opened a newer connection."""

    REMOVED = 3
    """Sent away by the host."""

    FULL = 4
    """No room left."""

    FLOOD = 5
    """Too many messages."""

    PROTOCOL = 6
    """A received message broke the protocol."""

    SLOW = 7
    """The peer did not take what was sent."""

    @classmethod
    def read(cls, code: int) -> Goodbye:
        """The reason a byte stands for; a reason of a later version is `DONE`."""
        return cls(code) if code in cls._value2member_map_ else cls.DONE


class NetError(Exception):
    """Anything that this package can fail with."""

    def __init__(self, fault: NetFault, detail: str = "") -> None:
        """`detail`: for logs and diagnostics, in English."""
        super().__init__(fault, detail)
        self.fault = fault
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.fault.value}: {self.detail}" if self.detail else self.fault.value
