"""The limits on what a connection can make this computer do, in one frozen value.

Rule: numbers only. Code that needs a limit receives a `Limits`, so tests can use small ones.
"""

from __future__ import annotations

from typing import TypeVar

from msgspec import Struct


class Limits(Struct, frozen=True):
    """Limits of the transport. Times are in seconds, sizes in bytes."""

    frame_before: int = 4 * 1024
    """Longest message that is accepted before the sender has proved its identity."""

    frame_after: int = 64 * 1024
    """Longest message after authentication."""

    connect: float = 5.0
    """From the first packet to the TCP connection; also for each lookup of a name (client)."""

    first_byte: float = 1.0
    """From the TCP connection to a stranger's first byte (host)."""

    tls: float = 5.0
    """From the TCP connection to the start of the TLS handshake, and again from start to end."""

    auth: float = 10.0
    """From the end of the TLS handshake to the end of mutual authentication."""

    queue_places: int = 32
    """Strangers' connections waiting to start a handshake; one more, and one is dropped (host)."""

    half_open: int = 16
    """Strangers' connections in the handshake (host)."""

    half_open_each: int = 4
    """Strangers' connections in the handshake from one IPv4 address or IPv6 /64 (host)."""

    reserved: int = 32
    """Reserved places of each seated player's address: this many to wait, and this many in the
    handshake (host)."""

    turn: float = 0.4
    """Time that a connection has to send its ClientHello, and again to complete its handshake,
    before it may be dropped for a later connection (host)."""

    handshakes: float = 20.0
    """Rate limit of strangers' handshakes, per second (host)."""

    reserved_handshakes: float = 80.0
    """Rate limit of handshakes from the addresses of seated players, per second (host)."""

    handshakes_at_once: int = 40
    """Burst of handshakes, for either of the two rate limits (host)."""

    connects: float = 4.0
    """Rate limit of authenticated connections of one identity, per second (host)."""

    connects_at_once: int = 20
    """Burst of authenticated connections of one identity (host)."""

    strangers: int = 26
    """Authenticated connections of identities without a seat: 20 spectators, 6 waiting (host)."""

    connections_each: int = 4
    """Authenticated connections of one seated identity; one more ends one that floods, or else the
    oldest (host). A player may reconnect before the host has noticed the loss of the old one."""

    queue: int = 1024 * 1024
    """Bytes waiting to be sent to one peer; a peer that exceeds it is dropped."""

    queue_age: float = 5.0
    """How long data may wait to be sent before the peer is dropped."""

    inbox: int = 256 * 1024
    """Bytes received and not yet consumed by the layer above; beyond it, reading is paused."""

    inbox_messages: int = 1024
    """Messages received and not yet consumed; beyond it, reading is paused."""

    heartbeat: float = 1.0
    """Time without sending after which a heartbeat is sent."""

    silence: float = 4.0
    """Time without receiving after which the peer is lost."""

    late: float = 1.0
    """A timer later than this shows that the computer slept, so no peer counts as lost."""

    close: float = 5.0
    """How long an orderly goodbye may take before the connection is cut."""

    rate: float = 20.0
    """Rate limit of messages from one player, per second."""

    burst: int = 60
    """Burst of messages from one player."""

    stagger: float = 0.25
    """Delay between the attempts at successive addresses of a host (client)."""

    addresses: int = 16
    """Addresses of one host that are tried (client)."""


Key = TypeVar("Key")
Value = TypeVar("Value")


def remember(items: dict[Key, Value], key: Key, value: Value, most: int) -> None:
    """Set an item as the newest, and forget the oldest one if there are more than `most`."""
    items.pop(key, None)
    items[key] = value
    if len(items) > most:
        del items[next(iter(items))]


DEFAULT = Limits()
"""The values of the specification."""
