"""What every test of the network gets without asking."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Iterator

import pytest

from tests.net import mdns


@pytest.fixture(autouse=True)
def own_service_type(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shut out what other tests say on loopback at the same time."""
    monkeypatch.setattr(mdns, "SERVICE", f"_lan{secrets.token_hex(5)}._tcp.local.")


@pytest.fixture
def beacon_port() -> Iterator[int]:
    """A port of beacons that no other test gets: it is taken where nothing is broadcast to."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
        # Whoever asks for this one may have it, too.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        yield sock.getsockname()[1]
