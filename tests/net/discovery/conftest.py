"""Fixtures of the tests of discovery."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from lanuno.net.discovery import announcer, beacon, mdns_announce
from lanuno.net.discovery.advert import TableAdvert
from lanuno.net.transport.adapters import Adapter
from tests.harness.sockets.false_adverts import Said, replace_listeners
from tests.net.loopback_network import OUTWARD


@pytest.fixture
def outward(monkeypatch: pytest.MonkeyPatch, beacon_port: int) -> None:
    """Simulate a network on which multicast DNS never finishes announcing."""

    async def never(_table: TableAdvert, **_how: object) -> None:
        await asyncio.Event().wait()

    def chosen(_wanted: str | None) -> tuple[Adapter, ...]:
        return (OUTWARD,)

    monkeypatch.setattr(announcer, "chosen", chosen)
    monkeypatch.setattr(beacon, "chosen", chosen)
    monkeypatch.setattr(mdns_announce, "advertise", never)
    shine = partial(beacon.broadcast, port=beacon_port)
    monkeypatch.setattr(announcer, "broadcast", shine)


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> Said:
    return replace_listeners(monkeypatch)
