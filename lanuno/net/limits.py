"""Every number that bounds what strangers can make this computer do, in one frozen value.

Law: numbers only. Code that needs a bound takes a `Limits`, so that tests can make them small.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Times are in seconds, sizes in bytes."""

    frame_before: int = 4 * 1024
    """Longest message before the sender has proved who it is."""

    frame_after: int = 64 * 1024
    """Longest message after that."""

    connect: float = 5.0
    """From the first packet to a TCP connection (client)."""

    tls: float = 5.0
    """From the TCP connection to the end of the TLS handshake."""

    auth: float = 10.0
    """From there to the end of mutual authentication."""

    half_open: int = 16
    """Connections that have not authenticated, in all (host)."""

    half_open_each: int = 4
    """The same, of one address; one more is closed at once."""

    connections: int = 48
    """Authenticated connections: 10 seats, 20 spectators, 6 waiting, and 12 that come back before
    the loss of their old connection was noticed."""

    queue: int = 1024 * 1024
    """Bytes waiting to be sent to one peer; one more and it is dropped."""

    queue_age: float = 5.0
    """How long anything may wait to be sent before the peer is dropped."""

    inbox: int = 256 * 1024
    """Bytes received and not yet taken by the layer above; beyond it reading stops for a while."""

    inbox_messages: int = 1024
    """The same in messages."""

    heartbeat: float = 1.0
    """A peer that was sent nothing for so long is sent a heartbeat."""

    silence: float = 4.0
    """A peer that sent nothing for so long is lost."""

    late: float = 1.0
    """A timer that rings so much too late shows that this computer slept: nobody is lost by it."""

    close: float = 5.0
    """How long an orderly goodbye may take before the connection is cut."""

    rate: float = 20.0
    """Messages a second that one player may send in the long run."""

    burst: int = 60
    """Messages that one player may send at once."""

    stagger: float = 0.25
    """Head start of one address of a host over the next (client)."""

    addresses: int = 16
    """Addresses of one host that are tried at most (client)."""


DEFAULT = Limits()
"""The numbers of the specification."""
