"""Which tables are listed, by probing all of their hosts over real connections."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanuno.net.discovery import prober
from lanuno.net.discovery.dedupe import table_key
from lanuno.net.discovery.directory import DirectoryEntry, TableDirectory
from lanuno.net.discovery.probe_limits import ProbeLimits
from tests.harness.sockets.false_adverts import REAL, Said
from tests.harness.sockets.running import run, serving, until


def names_and_addresses(called: dict[str, DirectoryEntry]) -> list[tuple[str, str | None]]:
    """Return the names of tables, and the addresses of their hosts."""
    return [
        (each.advert.name, each.answer.address if each.answer.reached else None)
        for each in called.values()
    ]


def test_a_moved_host_is_probed_again_and_a_withdrawn_one_stays_if_it_answers(
    said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        directory = TableDirectory(said.host_probed, ProbeLimits("127.0.0.1"))
        async with serving() as (server, _):
            real = replace(REAL, port=server.port)
            key = table_key(real)
            away = replace(real, addresses=("127.0.0.66",))
            directory.update({key: away})
            await until(lambda: said.marks == {key: False})
            # Nothing has changed, so the host is not probed again.
            directory.update({key: away})
            assert names_and_addresses(await directory.settle({key: away})) == [(real.name, None)]
            directory.update({key: real})
            await until(lambda: said.marks == {key: True})
            other = replace(real, name="Another")
            assert names_and_addresses(await directory.settle({table_key(other): other})) == [
                ("Another", "127.0.0.1"),
                (real.name, "127.0.0.1"),
            ]
        # The host is gone now, as the next probe shows.
        monkeypatch.setattr(prober, "SILENT_RETRY_SECONDS", 0.0)
        monkeypatch.setattr(prober, "DOUBTFUL_RETRY_SECONDS", 0.0)
        assert await directory.settle({}) == {}
        directory.update({key: replace(real, port=1)})
        directory.update({})
        await directory.close()

    run(main())


def test_an_address_announced_during_a_probe_is_probed_too() -> None:
    async def main() -> None:
        directory = TableDirectory(lambda _key, _there: None, ProbeLimits("127.0.0.1"))
        async with serving() as (server, _):
            real = replace(REAL, port=server.port)
            key = table_key(real)
            directory.update({key: replace(real, addresses=("127.0.0.66",))})
            assert names_and_addresses(await directory.settle({key: real})) == [
                (real.name, "127.0.0.1")
            ]
        await directory.close()

    run(main())
