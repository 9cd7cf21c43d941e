"""The tables that the first page shows, with true and false adverts. No sockets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import replace
from typing import Self

import pytest

from lanuno.client import find as discovery
from lanuno.client.find import DiscoveredTable, DiscoveredTables, Discovery
from lanuno.net.discovery import prober
from lanuno.net.discovery.advert import TableAdvert
from lanuno.net.discovery.dedupe import merge_adverts, table_key
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.connect import ProvenHost
from lanuno.net.transport.handshake import HostIdentity
from lanuno.store.app_state import KnownPlace
from tests.harness.sockets.adverts import TABLE
from tests.harness.sockets.running import HOST, run, until

FP = HostIdentity(HOST.public, b"").fingerprint
REAL = replace(TABLE, fp=FP, addresses=("192.0.2.10",))


class World:
    """A network: what is said on it, and who answers there."""

    def __init__(self) -> None:
        self.said: list[TableAdvert] = []
        self.there = {("192.0.2.10", REAL.port): REAL}
        self.marks: dict[str, bool] = {}
        self.probed: list[tuple[str, ...]] = []
        self.seen = DiscoveredTables()

    # As a lookout.

    @property
    def tables(self) -> dict[str, TableAdvert]:
        return merge_adverts(self.said)

    def host_probed(self, key: str, answered: bool) -> None:
        self.marks[key] = answered

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    # As a network.

    async def probe(
        self, hosts: Iterable[str], port: int, *, fingerprint: str, context: bytes | None
    ) -> ProvenHost:
        self.probed.append(tuple(hosts))
        for host in self.probed[-1]:
            table = self.there.get((host, port))
            if table is not None and fingerprint == FP and context in (table.id, None):
                return ProvenHost(HostIdentity(HOST.public, table.id), host)
        raise NetError(NetFault.UNREACHABLE)

    def one(self, table: TableAdvert = REAL) -> DiscoveredTable | None:
        """What is seen of a table."""
        return next((each for each in self.seen.tables if each.key == table_key(table)), None)

    def met(self, table: TableAdvert = REAL) -> bool:
        seen = self.one(table)
        return seen is not None and seen.answered


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    made = World()

    async def listen(**_how: object) -> World:
        return made

    monkeypatch.setattr(discovery, "listen_for_tables", listen)
    monkeypatch.setattr(prober, "probe", made.probe)
    monkeypatch.setattr(prober, "SILENT_RETRY_SECONDS", 0.01)
    monkeypatch.setattr(discovery, "REFRESH_SECONDS", 0.001)
    return made


def looking(
    world: World,
    story: Callable[[], Coroutine[object, object, None]],
    places: tuple[KnownPlace, ...] = (),
) -> None:
    """Look while a story is told."""

    def tell(seen: DiscoveredTables) -> None:
        world.seen = seen

    async def main() -> None:
        task = asyncio.create_task(Discovery(tell, places=places).run())
        try:
            await story()
        finally:
            task.cancel()
            await asyncio.wait((task,))

    run(main())


FAKES = {
    "another name": replace(REAL, name="Join here"),
    "another host's name": replace(REAL, host="Eva"),
    "somebody else's key": replace(REAL, fp="z" * 32, addresses=("192.0.2.66",)),
    "another port": replace(REAL, port=1),
    "another place": replace(REAL, addresses=("192.0.2.66", "192.0.2.67")),
    "no free seat": replace(REAL, taken=4),
}


@pytest.mark.parametrize("fake", FAKES.values(), ids=FAKES.keys())
@pytest.mark.parametrize("first", [True, False])
def test_a_false_advert_stands_beside_the_real_table(
    world: World, fake: TableAdvert, first: bool
) -> None:
    """It has the table's id; it neither hides nor replaces nor renames it."""

    async def story() -> None:
        world.said = [fake, REAL] if first else [REAL, fake]
        await until(world.met)
        if table_key(fake) != table_key(REAL):
            await until(lambda: world.one(fake) is not None)
        seen = world.one()
        assert seen is not None
        assert (seen.name, seen.host, seen.taken) == (REAL.name, REAL.host, REAL.taken)
        assert seen.addresses[0] == "192.0.2.10"
        assert len({each.key for each in world.seen.tables}) == len(world.seen.tables)
        if fake.fp != FP or fake.port != REAL.port:
            await until(lambda: table_key(fake) in world.marks)
            assert world.marks == {table_key(REAL): True, table_key(fake): False}
            assert [each.answered for each in world.seen.tables] == [True, False]

    looking(world, story)


def test_a_goodbye_by_somebody_else_takes_no_table_away(world: World) -> None:
    async def story() -> None:
        world.said = [REAL]
        await until(world.met)
        world.said = [replace(REAL, name="Renamed", addresses=("192.0.2.66",))]
        before = len(world.probed)
        await until(lambda: len(world.probed) > before + 5)
        assert world.met()
        # A real one does, as soon as its host answers no more.
        world.there.clear()
        await until(lambda: world.one() is None)

    looking(world, story)


def test_new_words_about_a_table_do_not_keep_it_from_answering(world: World) -> None:
    async def story() -> None:
        for number in range(60, 70):
            world.said = [replace(REAL, addresses=(f"192.0.2.{number}",)), REAL]
            await until(world.met)
        before = len(world.probed)
        for number in range(70, 80):
            world.said = [REAL, replace(REAL, addresses=(f"192.0.2.{number}",))]
            await asyncio.sleep(0.002)
            assert world.met()
        # Who was met where it still says it is is not asked again.
        assert len(world.probed) == before

    looking(world, story)


def test_a_table_whose_host_was_killed_leaves_the_list(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its advert lasts a minute, and nobody is left to say goodbye."""
    monkeypatch.setattr(prober, "REPROBE_SECONDS", 0.01)

    async def story() -> None:
        world.said = [REAL]
        await until(world.met)
        world.there = {}
        await until(lambda: world.one() is None)
        # It was only away for a moment.
        world.there = {("192.0.2.10", REAL.port): REAL}
        await until(world.met)

    looking(world, story)


def test_a_table_that_never_answered_stays_with_the_reason(world: World) -> None:
    async def story() -> None:
        world.there = {}
        world.said = [REAL]
        await until(lambda: (seen := world.one()) is not None and seen.fault is not None)

    looking(world, story)


def test_a_host_that_moves_is_met_again(world: World) -> None:
    async def story() -> None:
        world.said = [REAL]
        await until(world.met)
        moved = replace(REAL, addresses=("192.0.2.11",))
        world.there = {("192.0.2.11", REAL.port): REAL}
        world.said = [moved]
        await until(lambda: (seen := world.one()) is not None and seen.addresses[0] == "192.0.2.11")
        await until(world.met)

    looking(world, story)


def test_a_false_advert_does_not_hide_where_somebody_was_before(world: World) -> None:
    place = KnownPlace(host="192.0.2.10", port=REAL.port, fingerprint=FP, name="Ana")

    async def story() -> None:
        world.said = [replace(REAL, port=1)]
        await until(lambda: any(each.key == f"place-{FP}" for each in world.seen.tables))
        # Once the table itself is heard of, it is shown once.
        world.said.append(REAL)
        await until(world.met)
        await until(lambda: not any(each.key == f"place-{FP}" for each in world.seen.tables))

    looking(world, story, (place,))
