"""Who stays at a table that is over, and hears who wants to play again: over real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from lanuno.log.genesis import VERSION
from lanuno.net import goodbyes, member_driver
from lanuno.net.endings import Ending
from lanuno.net.member_driver import MemberDriver
from lanuno.net.table_peer import TablePeer
from lanuno.table import messages, rematch
from lanuno.table.outputs import Peer, RematchStands
from tests.harness.sockets.running import run, until
from tests.harness.sockets.tables import Table, identity, table
from tests.net.neighbours import Here, Network
from tests.net.watching import Onlooker, connect_from


@dataclass
class Over:
    """A table that is over, and those who stay."""

    at: Table
    network: Network
    heard: list[list[object]]
    """What each was told, the host first."""
    running: list[asyncio.Task[Ending]]

    @property
    def host(self) -> MemberDriver:
        assert self.at.host.driver is not None
        return self.at.host.driver

    def guest(self, number: int) -> MemberDriver:
        driver = self.at.peers[number - 1].driver
        assert driver is not None
        return driver

    def stands(self, number: int) -> RematchStands | None:
        found = [each for each in self.heard[number] if isinstance(each, RematchStands)]
        return found[-1] if found else None

    def seat(self, number: int) -> int:
        """Where this guest sits."""
        seat = self.guest(number).member.seat
        assert seat is not None
        return seat

    async def wanted(self, number: int, *seats: int) -> None:
        """Until this one was told that these want to play again."""
        await until(lambda: getattr(self.stands(number), "wanted", None) == seats)

    async def opens(self, seat: int, *numbers: int) -> None:
        """Until these were told who opens the next table."""

        def told() -> bool:
            found = [self.stands(number) for number in numbers]
            return all(each is not None and each.opener == seat for each in found)

        await until(told)


@asynccontextmanager
async def over(guests: int, *, watching: bool = False) -> AsyncIterator[Over]:
    """All of them stay; the last guest only watches, if that is wanted."""
    network = Network()
    around = Here(network=network)
    seats = guests if watching else guests + 1
    async with table(seats, rounds=1, surroundings=around) as at:
        at.host._setup.stays = True
        await at.host.announce(around)
        assert network.board
        heard: list[list[object]] = [at.events]
        tasks = []
        # Who watches comes first: the game begins when the last one sits.
        for number in reversed(range(1, guests + 1)):
            watch = watching and number == guests
            guest: TablePeer = await at.peer(number, watch=watch)
            guest._setup.stays = True
            events: list[object] = []
            heard.insert(1, events)
            guest._observe = guest.waiting._observe = events.append
            if watch:
                tasks.append(asyncio.create_task(guest.run()))
                await until(lambda: bool(at.host.lobby.watching))
            else:
                tasks += await at.sit_down(guest)
        at.peers.reverse()
        tasks.reverse()
        seeing = asyncio.create_task(at.host.wait())
        found = Over(at, network, heard, tasks)
        try:
            await until(
                lambda: all(found.stands(number) is not None for number in range(guests + 1))
            )
            yield found
        finally:
            await at.host.leave()
            await seeing
            await at.host.close()
            for peer in at.peers:
                await peer.leave()
            assert set(await asyncio.gather(*tasks)) == {Ending.CLOSED}


def test_a_wish_reaches_everybody_who_stayed() -> None:
    async def story() -> None:
        async with over(3, watching=True) as at:
            at.guest(1).play_again()
            for number in range(4):
                await at.wanted(number, 2)
            at.guest(2).play_again()
            await at.wanted(0, 2, 1)
            at.host.play_again()
            # All have answered: nobody else is here who could.
            await at.opens(0, 0, 1, 2, 3)
            assert at.stands(3) == RematchStands((0, 1, 2), (2, 1, 0), 0, False)

    run(story())


def test_the_others_go_on_where_the_host_leaves() -> None:
    async def story() -> None:
        async with over(3) as at:
            at.guest(3).play_again()
            await at.wanted(1, at.seat(3))
            await at.at.host.leave()
            await at.at.host.close()
            # Each was connected to the host alone.
            for number in (1, 2):
                at.guest(number).play_again()
            keeper = min(at.seat(number) for number in (1, 2, 3))
            await at.opens(keeper, 1, 2, 3)

    run(story())


def test_an_answer_counts_that_comes_before_the_end_of_the_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As where the host was lost, and the next keeper still lacks the closing entry."""
    began: list[tuple[Peer, ...]] = []
    stay = MemberDriver._stay

    def late(driver: MemberDriver) -> None:
        if driver.member.hosts and driver.rematch is None and not began:
            links = tuple(link for link, line in driver._lines.items() if not line.channel.end)
            began.append(links)
            for link in links:
                assert driver.hear(link, messages.to_bytes(messages.PlayAgain(False))) is None
                assert driver.hear(link, messages.to_bytes(messages.PlayAgain(True))) is None
        stay(driver)

    monkeypatch.setattr(MemberDriver, "_stay", late)

    async def story() -> None:
        async with over(2) as at:
            assert began
            await at.wanted(0, 1, 2)

    run(story())


def test_it_opens_without_who_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rematch, "ANSWER_SECONDS", 0.1)
    monkeypatch.setattr(rematch, "ARRIVAL_SECONDS", 0.0)

    async def story() -> None:
        async with over(2) as at:
            at.guest(2).play_again()
            await at.opens(at.seat(2), 0, 1)

    run(story())


def test_a_stranger_has_no_answer_and_hears_none() -> None:
    """Who watches is told; who is only connected is not."""

    async def story() -> None:
        async with over(2) as at:
            me = identity(200)
            eve = Onlooker(await connect_from("127.0.0.1", at.at.port, me), me.public)
            eve.say(messages.PlayAgain(True))
            at.guest(1).play_again()
            await at.wanted(0, at.seat(1))
            heard: list[object] = []

            async def listen(to: type[object]) -> None:
                while not heard or not isinstance(heard[-1], to):
                    message = await eve.hear()
                    assert message is not None
                    heard.append(message)

            # All that she was told comes before the answer to what she asks now.
            eve.say(messages.Watch(VERSION, "Eve"))
            await listen(messages.Began)
            assert not any(isinstance(each, messages.Rematch) for each in heard)
            at.guest(2).play_again()
            await listen(messages.Rematch)
            assert heard[-1] == messages.Rematch((0, 1, 2), (at.seat(1), at.seat(2)), None)
            await eve.close()

    run(story())


def test_nobody_stays_for_ever_and_the_table_is_announced_no_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(goodbyes, "ABSENT_SECONDS", 0.2)
    monkeypatch.setattr(goodbyes, "STAY_SECONDS", 0.4)

    async def story() -> None:
        async with over(1) as at:
            await until(lambda: not at.network.board)
            await until(lambda: at.host.dispersed.is_set() and at.guest(1).dispersed.is_set())
            assert await at.running[0] is Ending.CLOSED
            assert not at.host.play_again()

    run(story())


def test_of_two_who_hears_of_the_end_later_stays_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(member_driver, "FAREWELL_SECONDS", 0.0)

    async def story() -> None:
        async with over(1) as at:
            at.guest(1).play_again()
            await at.wanted(0, 1)
            at.host.play_again()
            await at.opens(0, 0, 1)
            assert not at.guest(1).dispersed.is_set()

    run(story())


def test_who_does_not_stay_does_not_wait_for_a_host_that_does() -> None:
    """As a program does that sits at the table of a window."""

    async def story() -> None:
        async with table(2, rounds=1) as at:
            at.host._setup.stays = True
            guest = await at.peer(1)
            [task] = await at.sit_down(guest)
            assert await task is Ending.CLOSED
            assert guest.driver is not None
            assert guest.driver.rematch is None
            assert guest.driver.dispersed.is_set(), "it was not that the time was over"
            assert at.host.driver is not None
            assert not at.host.driver.dispersed.is_set()

    run(story())


def test_who_does_not_stay_is_gone_as_before() -> None:
    async def story() -> None:
        async with table(2, rounds=1) as at:
            guest = await at.peer(1)
            [task] = await at.sit_down(guest)
            await at.host.wait()
            assert at.host.driver is not None
            assert not at.host.driver.play_again()
            assert at.host.driver.rematch is None
            await at.host.close()
            assert await task is Ending.CLOSED

    run(story())
