"""Hand-made packets of multicast DNS, as a stranger would send them."""

from __future__ import annotations

import socket
import sys
from collections.abc import Sequence

GROUP = ("224.0.0.251", 5353)
PTR, TXT, SRV, A = 12, 16, 33, 1


def dotted(name: bytes) -> bytes:
    """Encode a name whose labels contain no dots."""
    return labels(name.split(b"."))


def labels(parts: Sequence[bytes]) -> bytes:
    """Encode a name of any labels."""
    return b"".join(bytes([len(part)]) + part for part in parts) + b"\x00"


def record(name: bytes, kind: int, data: bytes, ttl: int = 120, flush: bool = False) -> bytes:
    """Encode one resource record; `name` and `data` are in wire format."""
    head = kind.to_bytes(2, "big") + (0x8001 if flush else 1).to_bytes(2, "big")
    return name + head + ttl.to_bytes(4, "big") + len(data).to_bytes(2, "big") + data


def response(*records: bytes) -> bytes:
    """Return an unsolicited response."""
    return (
        b"\x00\x00\x84\x00\x00\x00" + len(records).to_bytes(2, "big") + bytes(4) + b"".join(records)
    )


def service(instance: bytes, kind: Sequence[bytes], text: bytes, port: int) -> bytes:
    """Return a complete advert of a host at 127.0.0.1."""
    name = labels([instance, *kind])
    host = labels([b"host-" + instance[:20], b"local"])
    srv = bytes(4) + port.to_bytes(2, "big") + host
    return response(
        record(labels(kind), PTR, name),
        record(name, SRV, srv, flush=True),
        record(name, TXT, text, flush=True),
        record(host, A, bytes((127, 0, 0, 1)), flush=True),
    )


def say(*packets: bytes) -> None:
    """Sends multicast packets on loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
        # Other sockets must be able to listen on the port from which this one sends.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if sys.platform != "win32":
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        sock.bind(("127.0.0.1", GROUP[1]))
        for packet in packets:
            sock.sendto(packet, GROUP)
