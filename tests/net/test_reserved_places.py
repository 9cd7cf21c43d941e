"""Strangers attack the listeners of a table: its players can return, and newcomers get in.

These tests keep real connections from loopback addresses open as long as needed. They assert
nothing about speed: an attack lasts until the player is back or dropped.
"""

from __future__ import annotations

import asyncio

import pytest

from lanuno.log.format.genesis import VERSION
from lanuno.net.errors import NetError, NetFault
from lanuno.net.runtime import node_runtime
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.half_open import HalfOpenConnections
from lanuno.net.transport.limits import DEFAULT
from lanuno.net.transport.listener import Listener
from lanuno.table import messages
from lanuno.table.messages import AtTable
from tests.harness.sockets.running import run, until
from tests.harness.sockets.tables import Table, hear, identity, say, table
from tests.net.attackers import KINDS, STRANGERS, Attack, attacking
from tests.net.loopback_network import Network
from tests.net.succession import PATIENT, Played, playing

OWN = ("127.0.0.1",)
"""The address that all nodes of the table use."""

GUEST = 1

ENOUGH = DEFAULT.strangers + 21
"""Admitted strangers, most of which replace another one, before a real newcomer arrives."""


@pytest.fixture
def calm(monkeypatch: pytest.MonkeyPatch) -> Network:
    """A network with the default time limits."""
    made = Network()
    monkeypatch.setattr(node_runtime, "connect", made.dial)
    return made


def doors(at: Played) -> list[int]:
    """Return the listening ports of all nodes."""
    runtimes = [at.host, *(at.guest(number + 1) for number in range(len(at.at.peers)))]
    return [
        runtime._config.listener.port
        for runtime in runtimes
        if runtime._config.listener is not None
    ]


async def in_place(attacks: list[Attack]) -> None:
    """Wait until each attacker has connected, or for two seconds, as some may be kept out."""
    began = asyncio.get_running_loop().time()

    def waited() -> bool:
        late = asyncio.get_running_loop().time() > began + 2
        return late or all(each.tries for each in attacks)

    await until(waited)


async def come_back(at: Played) -> bool:
    """Bring the guest back to the network; return whether it returns before it is dropped."""
    host = at.host.node
    at.join(GUEST)
    await until(lambda: GUEST in host._links.seats or GUEST in host.replay.dropped)
    return GUEST not in host.replay.dropped


async def return_under(at: Played, kind: str, each: int, sources: tuple[str, ...]) -> None:
    """Check that a lost guest returns although all listeners are under attack."""
    at.part(GUEST)
    await until(lambda: GUEST not in at.host.node._links.seats)
    async with attacking(kind, doors(at), sources, each) as attacks:
        await in_place(attacks)
        assert await come_back(at)
    for task in at.running:
        task.cancel()
    await asyncio.wait(at.running)


@pytest.mark.parametrize("sources", [STRANGERS, OWN], ids=["strangers", "own address"])
@pytest.mark.parametrize(("kind", "each"), [*((kind, 4) for kind in KINDS), ("identity", 8)])
def test_a_player_comes_back_while_strangers_connect(
    calm: Network, kind: str, each: int, sources: tuple[str, ...]
) -> None:
    async def story() -> None:
        async with playing(calm, 2, PATIENT) as at:
            await return_under(at, kind, each, sources)

    run(story())


@pytest.mark.parametrize("kind", list(KINDS))
def test_a_player_comes_back_from_an_address_at_which_nobody_has_seen_it(
    calm: Network, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """The player then takes its turn among the strangers."""
    monkeypatch.setattr(HalfOpenConnections, "reserve", lambda _here, _addresses: None)

    async def story() -> None:
        async with playing(calm, 2, PATIENT) as at:
            await return_under(at, kind, 4, STRANGERS)

    run(story())


def test_every_listener_of_a_table_knows_the_seated_players(calm: Network) -> None:
    async def story() -> None:
        async with playing(calm, 3, PATIENT) as at:
            owners = {identity(number).public for number in range(3)}
            for runtime in (at.host, at.guest(1), at.guest(2)):
                listener = runtime._config.listener
                assert listener is not None
                assert listener._seated == owners
                assert listener._half_open._seated == {*OWN}
            for task in at.running:
                task.cancel()
            await asyncio.wait(at.running)

    run(story())


async def fill(server: Listener, attacks: list[Attack]) -> None:
    """Wait until strangers use all connections that they may have, and try for more."""
    await until(lambda: sum(each.inside for each in attacks) >= ENOUGH)
    await until(lambda: len(server.channels) >= DEFAULT.strangers)


def test_strangers_who_do_nothing_keep_nobody_out_of_a_waiting_room() -> None:
    async def story() -> None:
        async with table(4) as at:
            server = at.host.listener
            assert server is not None
            seated = await at.channel(1)
            await say(seated, join(GUEST))
            await hear(seated, messages.LobbyState)
            assert server._seated == {identity(1).public}
            async with attacking("identity", [at.port], STRANGERS, 8) as attacks:
                await fill(server, attacks)
                guest = await come_in(at, 2, join(2))
                spectator = await come_in(at, 3, messages.Watch(VERSION, "watcher"))
                done = sum(each.inside for each in attacks)
                # The attackers continue, and displace each other.
                await until(lambda: sum(each.inside for each in attacks) > done + DEFAULT.strangers)
                assert [each.open for each in (seated, guest, spectator)] == [True] * 3
                assert at.host.lobby.taken == 3
            for channel in (seated, guest, spectator):
                channel.abort()
                await channel.close()

    run(story())


async def come_in(at: Table, number: int, message: AtTable) -> Channel:
    """Sit down or watch. On a slow machine a newcomer may need more than one attempt."""
    while True:
        try:
            channel = await at.channel(number)
        except NetError as error:
            assert error.fault is not NetFault.FULL
            continue
        try:
            await say(channel, message)
            await hear(channel, messages.LobbyState)
        except (NetError, AssertionError):
            await channel.close()
            continue
        return channel


def join(number: int) -> messages.Join:
    mine = identity(number).public
    return messages.Join(VERSION, f"guest {number}", bytes(32), mine, False, False)
