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
from lanuno.table import messages, rematch
from lanuno.table.outputs import Peer, RematchChanged
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
        found = [each for each in self.heard[number] if isinstance(each, RematchChanged)]
        return found[-1] if found else None

    def seat(self, number: int) -> int:
        """Return the seat of this guest."""
        seat = self.guest(number).node.seat
        assert seat is not None
        return seat

    async def wanted(self, number: int, *seats: int) -> None:
        """Wait until this node knows that these seats want to play again."""
        await until(lambda: getattr(self.stands(number), "wanted", None) == seats)

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
            assert set(await asyncio.gather(*tasks)) == {TableEnding.CLOSED}


def test_a_wish_reaches_everybody_who_stayed() -> None:
    async def story() -> None:
        async with over(3, watching=True) as at:
            at.guest(1).play_again()
            for number in range(4):
                await at.wanted(number, 2)
            at.guest(2).play_again()
            await at.wanted(0, 2, 1)
            at.host.play_again()
            # All players who are here have answered.
            await at.opens(0, 0, 1, 2, 3)
            assert at.stands(3) == RematchChanged((0, 1, 2), (2, 1, 0), 0, False)

    run(story())


def test_the_others_go_on_where_the_host_leaves() -> None:
    async def story() -> None:
        async with over(3) as at:
            at.guest(3).play_again()
            await at.wanted(1, at.seat(3))
            await at.at.host.leave()
            await at.at.host.close()
            # Until now each guest was connected only to the host.
            for number in (1, 2):
                at.guest(number).play_again()
            keeper = min(at.seat(number) for number in (1, 2, 3))
            await at.opens(keeper, 1, 2, 3)

    run(story())


def test_an_answer_counts_that_comes_before_the_end_of_the_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """This happens when the host was lost and the next keeper still lacks the closing entry."""
    began: list[tuple[Peer, ...]] = []
    begin_rematch = NodeRuntime._begin_rematch

    def late(runtime: NodeRuntime) -> None:
        if runtime.node.hosts and runtime.rematch is None and not began:
            links = tuple(
                link for link, line in runtime._connections.items() if not line.channel.end
            )
            began.append(links)
            for link in links:
                runtime.receive(link, messages.PlayAgain(False))
                runtime.receive(link, messages.PlayAgain(True))
        begin_rematch(runtime)

    monkeypatch.setattr(NodeRuntime, "_begin_rematch", late)

    async def story() -> None:
        async with over(2) as at:
            assert began
            await at.wanted(0, 1, 2)

    run(story())


def test_a_rematch_opens_without_players_who_do_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rematch, "ANSWER_SECONDS", 0.1)
    monkeypatch.setattr(rematch, "ARRIVAL_SECONDS", 0.0)

    async def story() -> None:
        async with over(2) as at:
            at.guest(2).play_again()
            await at.opens(at.seat(2), 0, 1)

    run(story())


def test_a_stranger_has_no_answer_and_hears_none() -> None:
    """A spectator receives the rematch state; a mere connection does not."""

    async def story() -> None:
        async with over(2) as at:
            me = identity(200)
            eve = SpectatorClient(await connect_from("127.0.0.1", at.at.port, me), me.public)
            eve.say(messages.PlayAgain(True))
            at.guest(1).play_again()
            await at.wanted(0, at.seat(1))
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
            at.guest(2).play_again()
            await listen(messages.RematchState)
            assert heard[-1] == messages.RematchState((0, 1, 2), (at.seat(1), at.seat(2)), None)
            await eve.close()

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
            await at.wanted(0, 1)
            at.host.play_again()
            await at.opens(0, 0, 1)
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
            assert guest.runtime.rematch is None
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
            assert at.host.runtime.rematch is None
            await at.host.close()
            assert await task is TableEnding.CLOSED

    run(story())
