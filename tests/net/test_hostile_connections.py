"""Hostile connections to a table with players: floods, slow drips, and a relay in the middle.

These tests use real sockets on loopback. A single limit is tested with the module that enforces it.
"""

from __future__ import annotations

import asyncio
import resource
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from lanuno.dealing.identity import fingerprint
from lanuno.log.faults import AuditVerdict
from lanuno.log.format.genesis import VERSION, safety_hand
from lanuno.net.errors import Goodbye, NetError, NetFault
from lanuno.net.runtime import lobby_host
from lanuno.net.runtime.endings import TableEnding
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.connect import connect, probe
from lanuno.net.transport.limits import DEFAULT, Limits
from lanuno.table import messages
from lanuno.table.links import MOST_STRANGERS
from tests.harness.sockets.running import RawPeer, run, serving, until
from tests.harness.sockets.tables import Table, hear, identity, say, table, until_end

HALF_OPEN = 400
GROWTH = 32 * 1024 * 1024
"""Bytes by which a host may grow under attack."""


@asynccontextmanager
async def silent_connections(port: int, count: int) -> AsyncIterator[None]:
    """Open `count` silent connections from a hundred addresses."""
    socks = [socket.socket() for _ in range(count)]
    try:
        for number, sock in enumerate(socks):
            sock.setblocking(False)
            sock.bind((f"127.0.1.{1 + number % 100}", 0))
            sock.connect_ex(("127.0.0.1", port))
        yield
    finally:
        for sock in socks:
            sock.close()


def resident() -> int:
    """Return the resident memory of this process in bytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


async def flood(channel: Channel) -> None:
    """Send chat messages as fast as possible."""
    while channel.open:
        try:
            await say(channel, messages.Say("x" * 300))
        except NetError:
            break
        await asyncio.sleep(0)
    await until_end(channel)
    await channel.close()


def test_a_flooded_table_plays_on_and_lets_newcomers_in_afterwards() -> None:
    async def story() -> None:
        async with table(4) as at:
            flooders = [await at.channel(100 + number) for number in range(2)]
            guests = [asyncio.create_task((await at.peer(each)).run()) for each in (1, 2, 3)]
            await until(lambda: len(at.host_records.entries) > 3)
            before = resident()
            async with silent_connections(at.port, HALF_OPEN):
                assert at.host.listener is not None
                listener = at.host.listener
                await until(lambda: len(listener._half_open) == DEFAULT.queue_places)
                await asyncio.gather(*map(flood, flooders))
                assert {each.end for each in flooders} == {Goodbye.FLOOD}
                await at.host.wait()
                assert resident() - before < GROWTH
            async with asyncio.timeout(10):
                await (await connect(["127.0.0.1"], at.port, identity(9))).close()
            await at.host.close()
            assert await asyncio.gather(*guests) == [TableEnding.CLOSED] * 3
        assert at.host_records.report.verdict is AuditVerdict.VERIFIED
        assert not any(each.blame for each in (at.host_records.report, at.records[0].report))

    run(story())


@pytest.mark.parametrize("tls", [False, True])
def test_a_slow_drip_is_dropped_in_the_same_time_as_silence(tls: bool) -> None:
    """The time limit covers the whole message; an occasional byte does not restart it."""

    async def story() -> None:
        # The other limit is too long to matter, so no connection is dropped before it drips.
        limits = Limits(tls=60.0, auth=2.0) if tls else Limits(tls=2.0, auth=60.0)
        async with serving(replace(limits, close=0.1)) as (server, arrived):
            if tls:
                peer = await RawPeer.open(server.port)
                drip = b"\x00\x00\x00\x29\x01lanuno" + bytes(4096)
            else:
                peer = RawPeer(*await asyncio.open_connection("127.0.0.1", server.port))
                drip = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(505)
            loop = asyncio.get_running_loop()
            await until(lambda: len(server._half_open) == 1)
            began, sent = loop.time(), 0
            while len(server._half_open):
                peer.writer.write(drip[sent : sent + 1])
                sent += 1
                await asyncio.sleep(0.01)
                assert loop.time() < began + 60, "the connection was not dropped"
            assert 1 < sent < len(drip)
            await peer.close()
            assert arrived.empty()

    run(story())


def test_nobody_takes_all_connections_of_a_waiting_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby_host, "IDLE_SECONDS", 0.2)

    async def story() -> None:
        async with table(4) as at:
            seated, watching = await at.channel(1), await at.channel(2)
            mine = identity(1).public
            await say(seated, messages.Join(VERSION, "guest", bytes(32), mine, False, False))
            await hear(seated, messages.LobbyState)
            await say(watching, messages.Watch(VERSION, "watcher"))
            await hear(watching, messages.LobbyState)
            # One at a time, so that half-open places do not run out. Some share an identity.
            idle = [await at.channel(50 + number % 7) for number in range(MOST_STRANGERS + 5)]
            await until(lambda: len(at.host._guests) == 2 + MOST_STRANGERS)
            await asyncio.gather(*(until_end(each) for each in idle if not each.open))
            assert seated.open
            assert watching.open
            assert at.host.lobby.taken == 2
            for each in (seated, watching, *idle):
                each.abort()
                await each.close()

    run(story())


async def play(at: Table, guest: int) -> bytes:
    """Play a whole game with one guest; return the table id that this guest saw."""
    running = asyncio.create_task((await at.peer(guest)).run())
    await at.host.wait()
    await at.host.close()
    assert await running is TableEnding.CLOSED
    genesis = at.records[0].genesis
    assert genesis is not None
    return genesis.table_id


def test_somebody_in_between_fails_or_shows_another_safety_hand() -> None:
    """The relay has its own identity: it is a host to the guest, and a guest to the host."""

    async def story() -> None:
        async with table(2) as real, table(2, who=50) as relay:
            known = fingerprint(identity(0).public)
            with pytest.raises(NetError) as caught:
                await connect(["127.0.0.1"], relay.port, identity(1), fingerprint=known)
            assert caught.value.fault is NetFault.IDENTITY
            # A client without a fingerprint accepts the relay, but sees a table of its own.
            found = await probe(["127.0.0.1"], relay.port)
            assert found.host.identity == identity(50).public
            host_sees, guest_sees = await asyncio.gather(play(real, 50), play(relay, 1))
            assert safety_hand(host_sees) != safety_hand(guest_sees)

    run(story())
