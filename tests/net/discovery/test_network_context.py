"""Finding the host of a table on the network, and what a search leaves behind."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from lanuno.net.discovery.advert import TableState
from lanuno.net.discovery.network_context import NetworkContext
from tests.harness.sockets.running import open_files, run, serving, until
from tests.net.discovery.false_adverts import REAL, Said, fakes


@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize("turns", range(10))
def test_a_search_leaves_no_socket_open(over: bool, turns: int) -> None:
    """`over` cancels the search just as its time ends, as when a table ends at that moment."""

    async def main() -> None:
        before = open_files()
        looking = asyncio.create_task(NetworkContext("lo").find(0.2, lambda _: False))
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
            found = await NetworkContext().find(20.0, lambda said: said.id == real.id)
            assert found is not None
            assert (found.fp, found.port, found.addresses[0]) == (
                *(real.fp, server.port),
                "127.0.0.1",
            )
            said.adverts = fakes(real)[:3]
            assert await NetworkContext().find(0.2, lambda said: said.id == real.id) is None

    run(main())
