"""How a request to join reaches or resumes its table. Over real sockets."""

from __future__ import annotations

import asyncio
import dataclasses
import secrets
from pathlib import Path

import pytest
from msgspec.structs import replace

from lanuno.client import reach as reaching
from lanuno.client.connect import RetryPolicy, Route
from lanuno.client.find import TableFinder, TableNotFound
from lanuno.client.places import TablePlace
from lanuno.client.reach import NOT_READY_FAULTS, reach
from lanuno.client.requests import JoinRequest
from lanuno.client.resume import Interrupted, ResumeRequest
from lanuno.dealing.identity import fingerprint
from lanuno.net.discovery.advert import TableAdvert
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.channel import Channel
from lanuno.store.recovery import UnfinishedTable
from lanuno.table.messages import PeerAddress
from tests.harness.log_table.log_table import identity, make_roster
from tests.harness.sockets import false_adverts
from tests.harness.sockets.adverts import TABLE
from tests.harness.sockets.running import GUEST, HOST, LOBBY, run, serving, until

OWNER = identity(0)
NOWHERE = TablePlace(("127.0.0.1",), 1, fingerprint(OWNER.public), LOBBY)
"""A place where nothing listens."""


def interrupted(lobby: bytes = LOBBY, name: str = "Kitchen") -> Interrupted:
    """Return a table of two seats that this profile played."""
    roster = replace(make_roster(2), lobby=lobby)
    names = tuple(seat.name for seat in roster.seats)
    return Interrupted(UnfinishedTable(b"t" * 32, Path("kept.lanuno"), names, 0.0, roster), name)


async def closed(channel: Channel) -> None:
    """Wait until the other side has closed this connection."""
    await until(lambda: channel.end is not None)


def test_a_link_to_an_interrupted_table_resumes_it_unasked() -> None:
    """Nothing needs to listen at that address, because the other owners may be elsewhere."""
    request = JoinRequest(place=NOWHERE, resumes=True, adapter="127.0.0.1")
    found = run(reach(request, GUEST, (interrupted(bytes(16)), interrupted())))
    assert isinstance(found, ResumeRequest)
    assert found.chosen == interrupted()
    assert found.owner_place == PeerAddress(0, "127.0.0.1", 1)
    assert found.adapter == "127.0.0.1"


def test_an_address_of_an_interrupted_table_resumes_it() -> None:
    async def story() -> None:
        async with serving(identity=OWNER) as (server, arrived):
            place = TablePlace(("127.0.0.1",), server.port)
            found = await reach(JoinRequest(place=place), GUEST, (interrupted(),))
            assert isinstance(found, ResumeRequest)
            assert found.owner_place == PeerAddress(0, "127.0.0.1", server.port)
            await closed(await arrived.get())

    run(story())


def test_a_name_of_an_interrupted_table_that_is_not_announced_resumes_it() -> None:
    async def story() -> None:
        name = secrets.token_hex(8)
        request = JoinRequest(table=name, seconds=0.3, adapter="127.0.0.1")
        found = await reach(request, GUEST, (interrupted(), interrupted(name=name)))
        assert isinstance(found, ResumeRequest)
        assert (found.chosen.name, found.owner_place) == (name, None)
        with pytest.raises(TableNotFound):
            await reach(request, GUEST, (interrupted(),))

    run(story())


@pytest.mark.parametrize("real", [False, True])
def test_only_a_host_that_proves_its_key_leads_back_to_an_interrupted_table(
    monkeypatch: pytest.MonkeyPatch, real: bool
) -> None:
    """Anybody may announce the id and the key of a table. The place would be remembered."""
    said = false_adverts.replace_listeners(monkeypatch)

    async def story() -> None:
        async with serving(identity=OWNER if real else HOST) as (server, _):
            owner = fingerprint(OWNER.public)
            advert = dataclasses.replace(TABLE, id=LOBBY, name="Kitchen", fp=owner)
            said.adverts = [dataclasses.replace(advert, port=server.port)]
            request = JoinRequest(
                table="Kitchen", seconds=20.0 if real else 0.3, adapter="127.0.0.1"
            )
            found = await reach(request, GUEST, (interrupted(),))
            assert isinstance(found, ResumeRequest)
            place = PeerAddress(0, "127.0.0.1", server.port)
            assert found.owner_place == (place if real else None)

    run(story())


def test_a_busy_host_is_tried_again_for_a_while() -> None:
    async def story() -> None:
        async with serving() as (server, _):
            wrong = TablePlace(("127.0.0.1",), server.port, fingerprint(GUEST.public))
            with pytest.raises(NetError) as caught:
                await reach(JoinRequest(place=wrong, seconds=3600.0), GUEST, ())
            assert caught.value.fault is NetFault.IDENTITY, "which no retry can fix"
            right = TablePlace(("127.0.0.1",), server.port)
            route = await reach(JoinRequest(place=right), GUEST, ())
            assert isinstance(route, Route)
            await route.channel.close()

    run(story())


def test_of_tables_of_one_name_one_that_refuses_does_not_hide_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A stranger may announce a table of the name, answer every probe, and refuse everybody."""

    async def story() -> None:
        async with serving() as (server, _):
            right = TablePlace(("127.0.0.1",), server.port, fingerprint(HOST.public), LOBBY)

            async def find_by_name(*_: object, **__: object) -> list[TablePlace]:
                return [NOWHERE, right]

            monkeypatch.setattr(TableFinder, "find_by_name", find_by_name)
            for _ in range(4):  # in any order
                route = await reach(JoinRequest(table="Kitchen", seconds=3600.0), GUEST, ())
                assert isinstance(route, Route)
                assert route.place == right
                await route.channel.close()

    run(story())


class Network:
    """A `NetworkContext` that finds only the given advert."""

    advert: TableAdvert | None = None

    def __init__(self, adapter: str | None) -> None:
        assert adapter == "127.0.0.1"

    async def find(self, seconds: float, accept: object) -> TableAdvert | None:
        if Network.advert is None:
            await asyncio.sleep(seconds)
        return Network.advert


@pytest.fixture
def quick_rematch(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = RetryPolicy(seconds=3600.0, retried=NOT_READY_FAULTS, pause_seconds=0.001)
    monkeypatch.setattr(reaching, "REMATCH_POLICY", policy)
    monkeypatch.setattr(reaching, "NetworkContext", Network)
    monkeypatch.setattr(Network, "advert", None)


def rematch_at(port: int, after: bytes) -> JoinRequest:
    place = TablePlace(("127.0.0.1",), port, fingerprint(HOST.public))
    return JoinRequest(place=place, after=after, adapter="127.0.0.1")


@pytest.mark.usefixtures("quick_rematch")
def test_the_last_table_of_a_host_is_not_its_next_one() -> None:
    """The last table answers until it is closed; each connection to it is closed again."""

    async def story() -> None:
        async with serving() as (server, arrived):
            request = rematch_at(server.port, LOBBY)
            task = asyncio.create_task(reach(request, GUEST, ()))
            for _ in range(3):
                await closed(await arrived.get())
            assert not task.done()
            task.cancel()
            await asyncio.wait((task,))

    run(story())


@pytest.mark.usefixtures("quick_rematch")
def test_the_next_table_is_waited_for_where_the_last_one_was() -> None:
    async def story() -> None:
        async with serving() as (server, _):
            route = await reach(rematch_at(server.port, bytes(16)), GUEST, ())
            assert isinstance(route, Route)
            assert (route.channel.context, route.place.port) == (LOBBY, server.port)
            await route.channel.close()

    run(story())


@pytest.mark.usefixtures("quick_rematch")
def test_the_next_table_may_be_announced_at_another_port(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with serving() as (server, _):
            advert = dataclasses.replace(TABLE, addresses=("127.0.0.1",), port=server.port)
            monkeypatch.setattr(Network, "advert", advert)
            route = await reach(rematch_at(1, bytes(16)), GUEST, ())
            assert isinstance(route, Route)
            assert route.place.port == server.port
            await route.channel.close()

    run(story())
