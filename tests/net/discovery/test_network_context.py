"""The network of one node: its listener, and finding the host of a table."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from lanuno.dealing.identity import fingerprint
from lanuno.net.discovery.advert import TableState
from lanuno.net.discovery.network_context import NetworkContext
from lanuno.net.discovery.probe_limits import ADDRESS_PROBES_PER_SECOND
from lanuno.net.discovery.table_list import MAX_TABLES
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport import adapters
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.connect import connect
from tests.harness.sockets.false_adverts import REAL, Said, fakes
from tests.harness.sockets.running import GUEST, HOST, LOBBY, open_files, run, serving, until


@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize("turns", range(10))
def test_a_search_leaves_no_socket_open(over: bool, turns: int) -> None:
    """`over` cancels the search just as its time ends, as when a table ends at that moment."""

    async def main() -> None:
        before = open_files()
        looking = asyncio.create_task(NetworkContext("127.0.0.1").find(0.2, lambda _: False))
        await until(lambda: open_files() > before)
        if over:
            await asyncio.sleep(0.2)
        for _ in range(turns):
            await asyncio.sleep(0)
        for _ in range(2):
            looking.cancel()
            await asyncio.sleep(0)
        await asyncio.wait([looking])

    run(main())


def test_a_table_that_plays_is_found_behind_false_ones(said: Said) -> None:
    async def main() -> None:
        async with serving() as (server, _):
            real = replace(REAL, port=server.port, state=TableState.PLAYING)
            said.adverts = [*fakes(real), real]
            found = await NetworkContext("127.0.0.1").find(20.0, lambda said: said.id == real.id)
            assert found is not None
            assert (found.fp, found.port, found.addresses[0]) == (
                *(real.fp, server.port),
                "127.0.0.1",
            )
            said.adverts = fakes(real)[:3]
            assert (
                await NetworkContext("127.0.0.1").find(0.2, lambda said: said.id == real.id) is None
            )

    run(main())


def test_adverts_of_a_hosts_own_address_do_not_hide_it_from_a_short_search(said: Said) -> None:
    """They fill the list, and come first. The limits on probes let each of them have its turn."""

    async def main() -> None:
        async with serving() as (server, _):
            real = replace(REAL, port=server.port, state=TableState.PLAYING)
            false = [replace(real, port=port) for port in range(1, MAX_TABLES)]
            said.adverts = [*false, real]
            seconds = 0.8 * MAX_TABLES / ADDRESS_PROBES_PER_SECOND
            found = await NetworkContext("127.0.0.1").find(seconds, lambda said: said.id == real.id)
            assert found is not None
            assert found.port == server.port

    run(main())


def test_a_listener_serves_with_the_identity_and_the_table_that_it_was_given() -> None:
    async def main() -> None:
        served: asyncio.Queue[Channel] = asyncio.Queue()
        over = asyncio.Event()

        async def serve(channel: Channel) -> None:
            served.put_nowait(channel)
            await over.wait()

        listener = await NetworkContext("127.0.0.1").open_listener(HOST, LOBBY, serve, port=None)
        guest = await connect(
            ["127.0.0.1"],
            listener.port,
            GUEST,
            fingerprint=fingerprint(HOST.public),
            context=LOBBY,
        )
        assert (await served.get()).identity == GUEST.public
        guest.abort()
        await guest.close()
        over.set()
        await listener.close()

    run(main())


@pytest.mark.parametrize("adapter", ["no-such", None])
def test_an_adapter_that_does_not_exist_cannot_be_used(
    monkeypatch: pytest.MonkeyPatch, adapter: str | None
) -> None:
    monkeypatch.setattr(adapters, "scan", lambda: ())

    async def serve(_channel: Channel) -> None:
        raise AssertionError("nobody can connect")

    async def main() -> None:
        network = NetworkContext(adapter)
        for attempt in (network.open_listener(HOST, LOBBY, serve), network.announce(REAL)):
            with pytest.raises(NetError) as caught:
                await attempt
            assert caught.value.fault is NetFault.ADAPTER
        # A search is repeated anyway, so one that cannot begin has found nothing.
        assert await network.find(60.0, lambda _: True) is None

    run(main())
