"""Finding tables among true and false adverts. Only the last tests open sockets."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Collection, Coroutine, Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Self

import pytest

from lanuno.client import find as discovery
from lanuno.client.find import (
    DiscoveredTable,
    DiscoveredTables,
    NotFoundReason,
    SeveralTables,
    TableFinder,
    TableNotFound,
    find_tables,
)
from lanuno.client.places import TablePlace
from lanuno.net.discovery import probe_limits, prober
from lanuno.net.discovery.advert import TableAdvert, TableState
from lanuno.net.discovery.dedupe import merge_adverts, table_key
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.adapters import Adapter
from lanuno.net.transport.connect import ProvenHost
from lanuno.net.transport.handshake import HostIdentity
from lanuno.store.app_state import KnownPlace
from tests.harness.sockets import false_adverts
from tests.harness.sockets.adverts import TABLE
from tests.harness.sockets.running import HOST, run, serving, until

FP = HostIdentity(HOST.public, b"", hosts=True).fingerprint
REAL = replace(TABLE, fp=FP, addresses=("192.0.2.10",))
SILENT = ("192.0.2.99", REAL.port)
"""A place that swallows all packets."""
ADAPTER = Adapter("near", 2, ("192.0.2.1",), (), networks=("192.0.2.0/24",))


class World:
    """A network: the adverts sent on it, and the hosts that answer."""

    def __init__(self) -> None:
        self.said: list[TableAdvert] = []
        self.there = {("192.0.2.10", REAL.port): REAL}
        self.guests: set[tuple[str, int]] = set()
        """Where the one who answers only plays at the table."""
        self.marks: dict[str, bool] = {}
        self.probed: list[tuple[str, ...]] = []
        self.only_beacons = False
        self.looks = 0
        """How often the adverts were looked at."""
        self.seen = DiscoveredTables()

    # The interface of a table listener.

    multicast_fault: NetFault | None = None

    @property
    def by_multicast(self) -> Collection[str]:
        return () if self.only_beacons else self.tables.keys()

    @property
    def tables(self) -> dict[str, TableAdvert]:
        self.looks += 1
        return merge_adverts(self.said)

    async def looked_again(self, times: int) -> None:
        """Wait for this number of further looks at the adverts."""
        until_then = self.looks + times
        await until(lambda: self.looks >= until_then)

    def host_probed(self, key: str, answered: bool) -> None:
        self.marks[key] = answered

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    # The interface of the network.

    async def probe(
        self,
        hosts: Iterable[str],
        port: int,
        *,
        fingerprint: str,
        context: bytes | None,
        **_limits: object,
    ) -> ProvenHost:
        self.probed.append(tuple(hosts))
        if (self.probed[-1][0], port) == SILENT:
            await asyncio.Event().wait()
        fault = NetFault.UNREACHABLE
        for host in self.probed[-1]:
            table = self.there.get((host, port))
            if table is not None and fingerprint == table.fp:
                if context in (table.id, None):
                    is_host = (host, port) not in self.guests
                    return ProvenHost(HostIdentity(HOST.public, table.id, hosts=is_host), host)
                fault = NetFault.WRONG_TABLE
        raise NetError(fault)

    def one(self, table: TableAdvert = REAL) -> DiscoveredTable | None:
        """Return the finder's last report on a table."""
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
    monkeypatch.setattr(probe_limits, "chosen", lambda _adapter: (ADAPTER,))
    monkeypatch.setattr(prober, "probe", made.probe)
    monkeypatch.setattr(prober, "SILENT_RETRY_SECONDS", 0.01)
    monkeypatch.setattr(discovery, "REFRESH_SECONDS", 0.001)
    return made


def looking(
    world: World,
    story: Callable[[], Coroutine[object, object, None]],
    places: tuple[KnownPlace, ...] = (),
) -> None:
    """Run a table finder while a story runs."""

    def tell(seen: DiscoveredTables) -> None:
        world.seen = seen

    async def main() -> None:
        task = asyncio.create_task(TableFinder(places=places).run(tell))
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
    """A false advert with the table's id neither hides, replaces nor renames the table."""

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
        # A real goodbye does, as soon as the host no longer answers.
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
        # A host that was reached at an address it still announces is not probed again.
        assert len(world.probed) == before

    looking(world, story)


def test_a_table_whose_host_was_killed_leaves_the_list(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The advert lasts a minute, and no host is left to say goodbye."""
    monkeypatch.setattr(prober, "REPROBE_SECONDS", 0.01)

    async def story() -> None:
        world.said = [REAL]
        await until(world.met)
        world.there = {}
        await until(lambda: world.one() is None)
        # The host was away only for a moment.
        world.there = {("192.0.2.10", REAL.port): REAL}
        await until(world.met)

    looking(world, story)


def test_a_table_that_never_answered_stays_with_the_reason(world: World) -> None:
    async def story() -> None:
        world.there = {}
        world.said = [REAL]
        await until(lambda: (seen := world.one()) is not None and seen.fault is not None)

    looking(world, story)


def test_a_table_that_its_host_no_longer_serves_is_not_listed(world: World) -> None:
    """The window was opened after the host had begun another table; the old advert is still sent.

    Only the host itself can say so, because it proves its key first.
    """

    async def story() -> None:
        old = replace(REAL, id=bytes(16))
        world.said = [old, REAL]
        await until(world.met)
        await until(lambda: world.one(old) is None)

    looking(world, story)


@pytest.mark.parametrize("state", [TableState.PLAYING, TableState.SEEKING])
def test_who_only_plays_at_a_table_is_found_by_its_players_alone(
    world: World, state: TableState
) -> None:
    async def story() -> None:
        player = replace(REAL, state=state)
        world.guests = {("192.0.2.10", REAL.port)}
        world.said = [player]
        await until(lambda: bool(world.probed))
        await world.looked_again(3)
        assert world.met(player) == (state is TableState.SEEKING)

    place = KnownPlace(host="192.0.2.10", port=REAL.port, fingerprint=FP, name="Ana")
    looking(world, story, (place,) if state is TableState.PLAYING else ())


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


def test_new_false_adverts_all_the_time_do_not_hide_where_somebody_was_before(
    world: World,
) -> None:
    """No probe of them ever ends. Some name the remembered address, too, whose host answers."""
    place = KnownPlace(host="192.0.2.10", port=REAL.port, fingerprint=FP, name="Ana")
    key = f"place-{FP}"

    async def story() -> None:
        await until(lambda: any(each.key == key for each in world.seen.tables))
        for number in range(40):
            addresses = (SILENT[0], *REAL.addresses) if number % 2 else REAL.addresses
            world.said = [replace(REAL, id=bytes([number] * 16), addresses=addresses)]
            await world.looked_again(2)
            assert any(each.key == key for each in world.seen.tables)

    looking(world, story, (place,))


def test_a_false_advert_does_not_hide_where_somebody_was_before(world: World) -> None:
    place = KnownPlace(host="192.0.2.10", port=REAL.port, fingerprint=FP, name="Ana")

    async def story() -> None:
        world.said = [replace(REAL, port=1)]
        await until(lambda: any(each.key == f"place-{FP}" for each in world.seen.tables))
        # Once the table itself is announced, it is listed only once.
        world.said.append(REAL)
        await until(world.met)
        await until(lambda: not any(each.key == f"place-{FP}" for each in world.seen.tables))

    looking(world, story, (place,))


@pytest.mark.parametrize("port", [REAL.port, 2])
def test_a_relay_to_a_host_does_not_replace_where_somebody_was_before(
    world: World, port: int
) -> None:
    """The host proves its key behind it, but it may break off every connection that follows."""
    place = KnownPlace(host="192.0.2.10", port=REAL.port, fingerprint=FP, name="Ana")
    relay = replace(REAL, addresses=("192.0.2.66",), port=port)

    async def story() -> None:
        world.there["192.0.2.66", port] = relay
        world.said = [relay]
        await until(lambda: world.met(relay))
        await until(lambda: any(each.addresses[0] == place.host for each in world.seen.tables))
        assert len(world.seen.tables) == (1 if port == REAL.port else 2)

    looking(world, story, (place,))


async def find_one(
    name: str, adapter: str | None, seconds: float, known: Collection[bytes] = ()
) -> TablePlace:
    async with TableFinder(adapter=adapter) as finder:
        return (await finder.find_by_name(name, seconds, known))[0]


# ---- for commands -------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", range(12))
def test_looking_for_a_table_can_be_broken_off_at_any_moment(steps: int) -> None:
    async def story() -> None:
        searches = (
            asyncio.create_task(find_one("never announced", "127.0.0.1", 60.0)),
            asyncio.create_task(find_tables("127.0.0.1", 60.0, lambda: False)),
            asyncio.create_task(TableFinder(adapter="127.0.0.1").run(lambda _found: None)),
        )
        for _ in range(steps):
            await asyncio.sleep(0)
        for search in searches:
            search.cancel()
        await asyncio.wait(searches)
        assert all(search.cancelled() for search in searches)

    run(story())
    gc.collect()


def test_all_tables_are_listed_once_the_time_is_over(world: World) -> None:
    fake = replace(REAL, name="A false one", port=1)

    async def story() -> None:
        world.said = [fake, REAL]
        found = await find_tables(None, 0.01, lambda: False)
        assert [(each.name, each.answered) for each in found.tables] == [
            (REAL.name, True),
            (fake.name, False),
        ]

    run(story())


def test_listing_tables_can_be_stopped_before_the_time_is_over(world: World) -> None:
    async def story() -> None:
        world.said = [REAL]
        found = await find_tables(None, 3600.0, lambda: bool(world.probed))
        assert [each.key for each in found.tables] == [table_key(REAL)]

    run(story())


def test_the_only_table_of_a_name_leads_only_to_where_it_proved_its_key(world: World) -> None:
    """The other addresses may be those of a third computer."""

    async def story() -> None:
        named = replace(REAL, addresses=("192.0.2.66", *REAL.addresses, "203.0.113.7"))
        world.said = [named, replace(REAL, id=bytes(16), name="Another")]
        place = await find_one(REAL.name, None, 60.0)
        assert (place.hosts, place.port) == (REAL.addresses, REAL.port)
        assert (place.fingerprint, place.context) == (REAL.fp, REAL.id)
        assert world.probed == [("192.0.2.66", "192.0.2.10")]

    run(story())


def test_a_known_table_is_found_under_any_name_and_while_it_plays(world: World) -> None:
    playing = replace(REAL, state=TableState.PLAYING)

    async def story() -> None:
        world.said = [playing]
        place = await find_one("another name", None, 60.0, {REAL.id})
        assert place.context == REAL.id

    run(story())


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ((), NotFoundReason.UNKNOWN),
        ((replace(REAL, name="Another"),), NotFoundReason.UNKNOWN),
        ((replace(REAL, taken=REAL.seats),), NotFoundReason.FULL),
        ((replace(REAL, state=TableState.PLAYING),), NotFoundReason.STARTED),
    ],
)
def test_why_a_table_is_not_found(
    world: World, said: tuple[TableAdvert, ...], reason: NotFoundReason
) -> None:
    async def story() -> None:
        world.said = list(said)
        with pytest.raises(TableNotFound) as caught:
            await find_one(REAL.name, None, 0.01)
        assert (caught.value.name, caught.value.reason) == (REAL.name, reason)

    run(story())


def test_where_listening_is_impossible_it_is_tried_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hosts of earlier games are found all the same, and every change is reported once."""
    monkeypatch.setattr(discovery, "LISTEN_RETRY_SECONDS", 0.01)
    attempts, deaf = 0, True
    reported: list[DiscoveredTables] = []

    async def try_to_listen(**_how: object) -> World:
        nonlocal attempts
        attempts += 1
        if deaf:
            raise NetError(NetFault.MULTICAST)
        return world

    monkeypatch.setattr(discovery, "listen_for_tables", try_to_listen)
    place = KnownPlace(host="192.0.2.10", port=REAL.port, fingerprint=FP, name="Ana")

    async def story() -> None:
        nonlocal deaf
        world.said = [REAL]
        search = asyncio.create_task(TableFinder(places=(place,)).run(reported.append))
        try:
            await until(lambda: attempts > 3)
            await until(lambda: bool(reported) and len(reported[-1].tables) == 1)
            assert (reported[-1].listening, reported[-1].fault) == (False, NetFault.MULTICAST)
            assert reported[-1].tables[0].key == f"place-{FP}"
            deaf = False
            await until(lambda: reported[-1].listening)
        finally:
            search.cancel()
            await asyncio.wait((search,))
        assert all(one != other for one, other in pairwise(reported))

    run(story())


def test_all_tables_of_a_name_that_answer_are_candidates(world: World) -> None:
    """The first of them may refuse every player."""
    other = replace(REAL, addresses=("192.0.2.11",), port=2)
    world.there[(other.addresses[0], other.port)] = other

    async def story() -> None:
        world.said = [other, REAL, replace(REAL, port=3)]
        async with TableFinder() as finder:
            await until_found(finder, 2)

    async def until_found(finder: TableFinder, number: int) -> None:
        while True:
            places = await finder.find_by_name(REAL.name, 60.0)
            if len(places) == number:
                assert {place.port for place in places} == {REAL.port, other.port}
                return
            await asyncio.sleep(0)

    run(story())


def test_nobody_but_the_user_chooses_between_hosts(world: World) -> None:
    """Each table is named once, a decoy shortens no wait, and a known table needs no choice."""
    other = replace(REAL, fp="b" * 32, id=bytes(16), addresses=("192.0.2.11",), port=2)
    twin = replace(other, port=3)
    for each in (other, twin):
        world.there[(each.addresses[0], each.port)] = each
    decoy = replace(REAL, fp="c" * 32, port=9)

    async def story() -> None:
        world.said = [REAL, decoy]
        asyncio.get_running_loop().call_later(0.3, world.said.extend, (other, twin))
        async with TableFinder() as finder:
            with pytest.raises(SeveralTables) as caught:
                await finder.find_by_name(REAL.name, 60.0)
            assert {each.fingerprint for each in caught.value.tables} == {REAL.fp, other.fp}
            assert len(caught.value.tables) == 2
            places = await finder.find_by_name(REAL.name, 60.0, {other.id})
            assert {place.fingerprint for place in places} == {other.fp}
        # It may be announced after strangers' tables have proved themselves.
        world.said = [REAL, decoy]
        async with TableFinder() as finder:
            search = asyncio.create_task(finder.find_by_name(REAL.name, 60.0, {other.id}))
            await until(lambda: world.marks.get(table_key(REAL), False))
            await world.looked_again(4)
            world.said.append(other)
            assert {place.fingerprint for place in await search} == {other.fp}

    run(story())


def test_all_tables_of_a_name_have_time_for_a_beacon(world: World) -> None:
    """Hosts broadcast every two seconds, one sooner than the other."""
    world.only_beacons = True
    other = replace(REAL, fp="b" * 32, id=bytes(16), addresses=("192.0.2.11",), port=2)
    world.there[(other.addresses[0], other.port)] = other

    async def story() -> None:
        world.said = [REAL]
        asyncio.get_running_loop().call_later(1.9, world.said.append, other)
        async with TableFinder() as finder:
            with pytest.raises(SeveralTables):
                await finder.find_by_name(REAL.name, 60.0)

    run(story())


@pytest.mark.parametrize(
    ("state", "watch", "found"),
    [
        (TableState.PLAYING, True, True),
        (TableState.PLAYING, False, False),
        (TableState.OVER, True, False),
    ],
)
def test_a_spectator_finds_a_table_that_plays(
    world: World, state: TableState, watch: bool, found: bool
) -> None:
    async def story() -> None:
        world.said = [replace(REAL, state=state)]
        async with TableFinder() as finder:
            seconds = 60.0 if found else 0.01
            search = finder.find_by_name(REAL.name, seconds, watch=watch)
            if found:
                assert [place.port for place in await search] == [REAL.port]
            else:
                with pytest.raises(TableNotFound):
                    await search

    run(story())


# Over real connections.


def test_a_table_of_a_name_is_the_one_that_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    said = false_adverts.replace_listeners(monkeypatch)

    async def main() -> None:
        async with serving() as (server, _):
            real = replace(false_adverts.REAL, port=server.port)
            said.adverts = [*false_adverts.fakes(real), real]
            async with TableFinder(adapter="127.0.0.1") as finder:
                place = (await finder.find_by_name(real.name, 20.0))[0]
            assert (place.fingerprint, place.context) == (real.fp, real.id)
            assert (place.hosts[0], place.port) == ("127.0.0.1", server.port)
            assert said.marks[table_key(real)]

    run(main())


def test_if_no_host_answers_the_error_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table whose host does not prove its key is never connected to."""
    said = false_adverts.replace_listeners(monkeypatch)

    async def main() -> None:
        real = replace(false_adverts.REAL, port=1)
        said.adverts = [real, replace(real, addresses=("203.0.113.7",), name="Elsewhere")]
        async with TableFinder(adapter="127.0.0.1") as finder:
            for name, fault, where in (
                (real.name, NetFault.UNREACHABLE, "127.0.0.1"),
                ("Elsewhere", NetFault.ELSEWHERE, "203.0.113.7"),
            ):
                with pytest.raises(NetError) as caught:
                    await finder.find_by_name(name, 0.5)
                assert caught.value.fault is fault
                assert caught.value.detail == f"{where}:1"

    run(main())
