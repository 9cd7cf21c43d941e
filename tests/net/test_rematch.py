"""Which nodes stay at a finished table and learn who wants to play again, over real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from lanuno.log.format.genesis import VERSION
from lanuno.net.runtime import node_runtime, shutdown
from lanuno.net.runtime.endings import TableEnding
from lanuno.net.runtime.lobby_guest import LobbyGuest
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.table import messages
from lanuno.table.outputs import RematchChanged
from tests.harness.sockets.running import run, until
from tests.harness.sockets.tables import Table, identity, table
from tests.net.loopback_network import Here, Network
from tests.net.spectator_clients import SpectatorClient, connect_from


@dataclass
class Over:
    """A finished table, and the nodes that stay."""

    at: Table
    network: Network
    heard: list[list[object]]
    """The events of each node, the host's first."""
    running: list[asyncio.Task[TableEnding]]

    @property
    def host(self) -> NodeRuntime:
        assert self.at.host.runtime is not None
        return self.at.host.runtime

    def guest(self, number: int) -> NodeRuntime:
        runtime = self.at.peers[number - 1].runtime
        assert runtime is not None
        return runtime

    def stands(self, number: int) -> RematchChanged | None:
        """Return the state of the rematch, as this node knows it."""
        found = [each for each in self.heard[number] if isinstance(each, RematchChanged)]
        assert len({each.opener for each in found} - {None}) <= 1, "named once"
        return found[-1] if found else None

    def seat(self, number: int) -> int:
        """Return the seat of this guest."""
        seat = self.guest(number).node.seat
        assert seat is not None
        return seat

    async def wanted(self, *seats: int) -> None:
        """Wait until all nodes know that these seats want to play again."""
        everybody = range(len(self.heard))
        await until(
            lambda: all(getattr(self.stands(each), "wanted", None) == seats for each in everybody)
        )

    async def opens(self, seat: int, *numbers: int) -> None:
        """Wait until these nodes know which seat opens the next table."""

        def told() -> bool:
            found = [self.stands(number) for number in numbers]
            return all(each is not None and each.opener == seat for each in found)

        await until(told)


@asynccontextmanager
async def over(guests: int, *, watching: bool = False) -> AsyncIterator[Over]:
    """Play a match after which all nodes stay; if `watching`, the last guest is a spectator."""
    network = Network()
    around = Here(network=network)
    seats = guests if watching else guests + 1
    async with table(seats, rounds=1, network=around) as at:
        at.host._config.awaits_rematch = True
        await at.host.announce(around)
        assert network.board
        heard: list[list[object]] = [at.events]
        tasks = []
        # The spectator comes first, because the game begins when the last player sits.
        for number in reversed(range(1, guests + 1)):
            watch = watching and number == guests
            guest: LobbyGuest = await at.peer(number, watch=watch)
            guest._config.awaits_rematch = True
            events: list[object] = []
            heard.insert(1, events)
            guest._observe = guest.lobby_seat._observe = events.append
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
            await until(lambda: at.host.runtime is not None)
            await until(lambda: all(each.runtime is not None for each in at.peers))
            runtimes = [found.host, *(found.guest(number) for number in range(1, guests + 1))]
            await until(lambda: all(each.awaits_rematch for each in runtimes))
            yield found
        finally:
            await at.host.leave()
            await seeing
            await at.host.close()
            for peer in at.peers:
                await peer.leave()
            assert set(await asyncio.gather(*tasks)) == {TableEnding.CLOSED}


def test_the_host_opens_the_next_table_even_if_others_ask_first() -> None:
    async def story() -> None:
        async with over(3, watching=True) as at:
            at.guest(1).play_again()
            await at.wanted(at.seat(1))
            at.guest(2).play_again()
            await at.wanted(at.seat(1), at.seat(2))
            at.host.play_again()
            await at.opens(0, 0, 1, 2, 3)
            asked = (at.seat(1), at.seat(2), 0)
            assert at.stands(3) == RematchChanged((0, 1, 2), asked, 0), "a spectator knows it, too"

    run(story())


def test_the_first_player_who_asks_opens_the_table_of_a_silent_host(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(node_runtime, "HOST_FIRST_SECONDS", 0.1)

    async def story() -> None:
        async with over(2) as at:
            at.guest(2).play_again()
            await at.opens(at.seat(2), 0, 1, 2)
            at.host.play_again()
            at.guest(1).play_again()
            await until(lambda: len(at.heard[0]) > 0)
            assert at.stands(0) == RematchChanged((0, 1, 2), (at.seat(2),), at.seat(2))

    run(story())


def test_a_player_who_asked_and_left_opens_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_runtime, "HOST_FIRST_SECONDS", 0.3)

    async def story() -> None:
        async with over(2) as at:
            left, stays = at.seat(1), at.seat(2)
            at.guest(1).play_again()
            await at.wanted(left)
            await at.at.peers[0].leave()
            at.guest(2).play_again()
            await at.opens(stays, 0, 2)
            assert at.stands(0) == RematchChanged((0, stays), (stays,), stays)

    run(story())


def test_a_state_counts_that_comes_before_the_end_of_the_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A host that opens the next table leaves soon after it has said so."""
    begin_rematch = NodeRuntime._begin_rematch

    def late(runtime: NodeRuntime) -> None:
        if not runtime.node.hosts and not runtime.awaits_rematch:
            link = runtime.node.host_link
            assert link is not None
            runtime.receive(link, messages.RematchState((0, 1), (0,), 0))
        begin_rematch(runtime)

    monkeypatch.setattr(NodeRuntime, "_begin_rematch", late)

    async def story() -> None:
        async with over(1) as at:
            await at.opens(0, 1)

    run(story())


def test_without_the_host_the_next_person_opens_the_table() -> None:
    """Everybody knows who that is, without a word."""

    async def story() -> None:
        async with over(3) as at:
            await at.at.host.leave()
            await at.at.host.close()
            following = min(at.seat(number) for number in (1, 2, 3))
            for number in (1, 2, 3):
                assert at.guest(number).play_again()
            await at.opens(following, 1, 2, 3)

    run(story())


def test_a_stranger_opens_no_table_and_hears_of_none() -> None:
    """A spectator is told who opens the next table; a mere connection is not."""

    async def story() -> None:
        async with over(2) as at:
            me = identity(200)
            eve = SpectatorClient(await connect_from("127.0.0.1", at.at.port, me), me.public)
            eve.say(messages.PlayAgain())
            heard: list[object] = []

            async def listen(to: type[object]) -> None:
                while not heard or not isinstance(heard[-1], to):
                    message = await eve.hear()
                    assert message is not None
                    heard.append(message)

            # Everything sent to her earlier arrives before the answer to this request.
            eve.say(messages.Watch(VERSION, "Eve"))
            await listen(messages.Began)
            assert not any(isinstance(each, messages.RematchState) for each in heard)
            assert at.stands(0) is None
            at.guest(2).play_again()
            await listen(messages.RematchState)
            assert heard[-1] == messages.RematchState((0, 1, 2), (at.seat(2),))
            await eve.close()

    run(story())


def test_only_people_of_the_table_can_be_named_and_only_by_the_host() -> None:
    async def story() -> None:
        async with over(2) as at:
            guest = at.guest(1)
            [link] = [each for each in guest._connections if each == guest.node.host_link]
            bot = messages.RematchState((0, 7), (7, 7), 7)
            guest.receive(link, bot)
            lie = messages.RematchState((), (), 0)
            for other in set(guest._connections) - {link}:
                guest.receive(other, lie)
            named = messages.RematchState((0, 7), (), at.seat(2))
            guest.receive(link, named)
            await at.opens(at.seat(2), 1)
            assert RematchChanged((0,), (), None) in at.heard[1], "bots are left out"
            guest.receive(link, lie)
            guest.play_again()
            await at.opens(at.seat(2), 1)

    run(story())


def test_nobody_stays_for_ever_and_the_table_is_announced_no_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shutdown, "ABSENT_SECONDS", 0.2)
    monkeypatch.setattr(shutdown, "REMATCH_SECONDS", 0.4)

    async def story() -> None:
        async with over(1) as at:
            await until(lambda: not at.network.board)
            await until(lambda: at.host.stay_ended.is_set() and at.guest(1).stay_ended.is_set())
            assert await at.running[0] is TableEnding.CLOSED
            assert not at.host.play_again()

    run(story())


def test_a_guest_that_learns_of_the_end_later_stays_for_the_rematch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(node_runtime, "LAST_MESSAGES_SECONDS", 0.0)

    async def story() -> None:
        async with over(1) as at:
            at.guest(1).play_again()
            await at.wanted(at.seat(1))
            assert not at.guest(1).stay_ended.is_set()

    run(story())


def test_a_guest_that_does_not_stay_does_not_wait_for_the_host() -> None:
    """A command-line bot at the table of a window is an example."""

    async def story() -> None:
        async with table(2, rounds=1) as at:
            at.host._config.awaits_rematch = True
            guest = await at.peer(1)
            [task] = await at.sit_down(guest)
            assert await task is TableEnding.CLOSED
            assert guest.runtime is not None
            assert not guest.runtime.awaits_rematch
            assert guest.runtime.stay_ended.is_set(), "it waited for the time limit instead"
            assert at.host.runtime is not None
            assert not at.host.runtime.stay_ended.is_set()

    run(story())


def test_without_a_rematch_all_nodes_leave_after_the_end() -> None:
    async def story() -> None:
        async with table(2, rounds=1) as at:
            guest = await at.peer(1)
            [task] = await at.sit_down(guest)
            await at.host.wait()
            assert at.host.runtime is not None
            assert not at.host.runtime.play_again()
            assert not at.host.runtime.awaits_rematch
            await at.host.close()
            assert await task is TableEnding.CLOSED

    run(story())
