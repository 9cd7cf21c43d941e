"""Adverts heard without a network: a genuine one, and false ones of the same table."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Self

import pytest

from lanuno.client import find
from lanuno.dealing.identity import fingerprint
from lanuno.net.discovery import network_context
from lanuno.net.discovery.advert import TableAdvert
from lanuno.net.discovery.dedupe import merge_adverts
from tests.harness.sockets.adverts import TABLE
from tests.harness.sockets.running import HOST, LOBBY

REAL = replace(TABLE, id=LOBBY, fp=fingerprint(HOST.public))


class Said:
    """A table listener without a network."""

    multicast_fault = None

    def __init__(self, *adverts: TableAdvert) -> None:
        self.adverts = list(adverts)
        self.marks: dict[str, bool] = {}

    @property
    def by_multicast(self) -> Collection[str]:
        return self.tables.keys()

    @property
    def tables(self) -> dict[str, TableAdvert]:
        return merge_adverts(self.adverts)

    def host_probed(self, key: str, answered: bool) -> None:
        self.marks[key] = answered

    async def close(self) -> None:
        pass

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def replace_listeners(monkeypatch: pytest.MonkeyPatch) -> Said:
    """Replace every table listener by one without a network, and return it."""
    heard = Said()

    async def listen(**_how: object) -> Said:
        return heard

    for place in (find, network_context):
        monkeypatch.setattr(place, "listen_for_tables", listen)
    return heard


def fakes(real: TableAdvert) -> list[TableAdvert]:
    """Return false adverts: wrong port, wrong key, wrong table id, and wrong address."""
    return [
        replace(real, port=1),
        replace(real, fp="z" * 32),
        replace(real, id=bytes(16)),
        replace(real, addresses=("127.0.0.66",)),
    ]
