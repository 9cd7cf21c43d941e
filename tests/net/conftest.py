"""Fixtures for all network tests."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from lanuno.net.diagnostics import doctor
from lanuno.net.discovery import beacon
from tests.harness.systems import WINE
from tests.net import mdns


@pytest.fixture(autouse=True)
def own_service_type(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test its own service type, as other tests send mDNS on loopback too."""
    monkeypatch.setattr(mdns, "SERVICE", f"_lan{secrets.token_hex(5)}._tcp.local.")


@pytest.fixture(autouse=True)
def no_name_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let names fail immediately that only a name server could know, however slow it is."""
    real = socket.getaddrinfo

    def look_up(host: Any, *rest: Any, **more: Any) -> Any:
        if host == "" or (isinstance(host, str) and host.endswith(".invalid")):
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        return real(host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)


@pytest.fixture(autouse=True)
def broadcasts_under_wine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Receive broadcasts as on Linux: under Wine, a socket at the own address receives none."""
    if WINE:
        for module in (beacon, doctor):
            monkeypatch.setattr(module, "broadcast_place", lambda _own, broadcast: broadcast)


@pytest.fixture
def beacon_port() -> Iterator[int]:
    """Yield a beacon port that no other test uses, reserved on an address without broadcasts."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
        # Lets the code under test bind the same port.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        yield sock.getsockname()[1]
