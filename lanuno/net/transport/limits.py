"""Every number that bounds what strangers can make this computer do, in one frozen value.

Rule: numbers only. Code that needs a bound takes a `Limits`, so that tests can make them small.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Times are in seconds, sizes in bytes."""

    frame_before: int = 4 * 1024
    """Longest message before the sender has proved its identity."""

    frame_after: int = 64 * 1024
    """Longest message after that."""

    connect: float = 5.0
    """From the first packet to a TCP connection (client)."""

    first_byte: float = 1.0
    """From the TCP connection to a stranger's first byte (host)."""

    tls: float = 5.0
    """From the TCP connection to the beginning of the TLS handshake, and from there to its end."""

    auth: float = 10.0
    """From there to the end of mutual authentication."""

    queue_places: int = 32
    """Strangers' connections that wait until their handshake begins; then one must go (host)."""

    half_open: int = 16
    """Strangers' connections in the handshake (host)."""

    half_open_each: int = 4
    """The same, of one IPv4 address or IPv6 /64."""

    reserved: int = 32
    """Places of each address of a seated player, to wait and in the handshake (host)."""

    turn: float = 0.4
    """How long a connection has for its ClientHello, and then again in the handshake, before it may
    have to make room for a later one (host)."""

    handshakes: float = 20.0
    """Handshakes a second of strangers that begin in the long run (host)."""

    reserved_handshakes: float = 80.0
    """The same of each address of a seated player."""

    handshakes_at_once: int = 40
    """Of either at once."""

    strangers: int = 26
    """Authenticated connections of people without a seat: 20 spectators, 6 waiting (host)."""

    connections_each: int = 4
    """Authenticated connections of one seated identity, which may return before the loss of its old
    one is noticed; one more ends the oldest (host)."""

    queue: int = 1024 * 1024
    """Bytes waiting to be sent to one peer; one more and it is dropped."""

    queue_age: float = 5.0
    """How long anything may wait to be sent before the peer is dropped."""

    inbox: int = 256 * 1024
    """Bytes received and not yet taken by the layer above; beyond it reading stops for a while."""

    inbox_messages: int = 1024
    """The same in messages."""

    heartbeat: float = 1.0
    """After this time without sending, a heartbeat is sent."""

    silence: float = 4.0
    """A peer that is silent for this long is lost."""

    late: float = 1.0
    """A timer that is later than this shows that the computer slept; no peer is lost then."""

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
