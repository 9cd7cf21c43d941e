"""Fixtures of the tests of discovery."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from lanuno.client import find
from lanuno.net.discovery import announcer, beacon, network_context
from lanuno.net.discovery.advert import TableAdvert
from lanuno.net.transport.adapters import Adapter
from tests.net.discovery.false_adverts import Said
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
    monkeypatch.setattr(announcer, "advertise", never)
    shine = partial(beacon.broadcast, port=beacon_port)
    monkeypatch.setattr(announcer, "broadcast", shine)


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> Said:
    """Replace every table listener by one without a network."""
    heard = Said()

    async def listen(**_how: object) -> Said:
        return heard

    for place in (find, network_context):
        monkeypatch.setattr(place, "listen_for_tables", listen)
    return heard
