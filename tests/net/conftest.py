"""What every test of the network gets without asking."""

from __future__ import annotations

import secrets

import pytest

from tests.net import mdns


@pytest.fixture(autouse=True)
def own_service_type(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shut out what other tests say on loopback at the same time."""
    monkeypatch.setattr(mdns, "SERVICE", f"_lan{secrets.token_hex(5)}._tcp.local.")
