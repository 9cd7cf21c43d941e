"""The exception of this package, its fault codes, and the reasons for a goodbye.

Rule: no library exception (OSError, ssl, zeroconf, asyncio time-outs) leaves `lanuno.net`. Each one
becomes a `NetError` with one `NetFault`. Cancellation is not an error and always passes through.
"""

from __future__ import annotations

from enum import Enum, IntEnum


class NetFault(Enum):
    """What went wrong. The user interface translates the code into the reader's language."""

    UNREACHABLE = "unreachable"
    """Nothing listens at that address, or no route leads to it."""

    TIMEOUT = "timeout"
    """The other side did not answer in time."""

    TLS = "tls"
    """The other side does not speak TLS 1.3."""

    PROTOCOL = "protocol"
    """The other side does not speak this protocol, or violated it."""

    VERSION = "version"
    """The other side speaks a different version of this protocol."""

    IDENTITY = "identity"
    """The other side is not the expected identity, or cannot prove its identity."""

    WRONG_TABLE = "wrong-table"
    """The host is right, but it serves a different table."""

    REFUSED = "refused"
    """The other side refused without giving a more specific reason."""

    FULL = "full"
    """The host has reached its limit of connections."""

    TOO_BIG = "too-big"
    """A message exceeds the size limit, in either direction."""

    FLOOD = "flood"
    """The message rate exceeds its limit."""

    SLOW = "slow"
    """The other side did not read what was sent to it, and was dropped."""

    LOST = "lost"
    """The connection broke, or was silent for too long."""

    CLOSED = "closed"
    """Either side has already said goodbye."""

    ADDRESS = "address"
    """The address, host name or port is unusable."""

    ELSEWHERE = "elsewhere"
    """An announced address on no network of this computer, so nothing was sent there."""

    PORT = "port"
    """No port is available to listen on."""

    PORT_REFUSED = "port-refused"
    """The system does not let this program listen on that port, although nobody else does."""

    LINK = "link"
    """The table link is malformed."""

    ADAPTER = "adapter"
    """No network adapter has that name, or the computer has no usable adapter."""

    MULTICAST = "multicast"
    """Multicast DNS is unavailable on this computer."""

    MULTICAST_PORT = "multicast-port"
    """Multicast DNS is unavailable, because another program uses its port exclusively."""


class Goodbye(IntEnum):
    """Why a connection is closed in an orderly way. One byte on the wire."""

    DONE = 0
    """The sender has nothing more to send."""

    SHUTDOWN = 1
    """The sender's program is exiting."""

    REPLACED = 2
    """The same identity has opened a newer connection."""

    REMOVED = 3
    """The host removed the player or spectator."""

    FULL = 4
    """The host has no room left."""

    FLOOD = 5
    """The peer sent too many messages."""

    PROTOCOL = 6
    """A received message broke the protocol."""

    SLOW = 7
    """The peer did not read what was sent to it."""

    @classmethod
    def read(cls, code: int) -> Goodbye:
        """Return the reason for a code byte, or `DONE` for a code of a later version."""
        return cls(code) if code in cls._value2member_map_ else cls.DONE


class NetError(Exception):
    """Any failure of this package."""

    def __init__(self, fault: NetFault, detail: str = "") -> None:
        """`detail` is English text for logs and diagnostics."""
        super().__init__(fault, detail)
        self.fault = fault
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.fault.value}: {self.detail}" if self.detail else self.fault.value
