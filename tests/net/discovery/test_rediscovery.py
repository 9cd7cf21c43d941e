"""How the nodes of one table find each other again, on a board instead of a network."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanuno.dealing.identity import fingerprint
from lanuno.log.format.genesis import Genesis
from lanuno.net.discovery import rediscovery
from lanuno.net.discovery.advert import TableAdvert, TableState
from lanuno.net.discovery.rediscovery import Rediscovery
from lanuno.table.metadata import TableMetadata
from tests.harness.log_table.log_table import identity, new_table
from tests.harness.sockets.adverts import TABLE
from tests.harness.sockets.running import run, until
from tests.harness.sockets.stopped_clock import stopped_clock
from tests.net.loopback_network import HOME, Here, Network, Note

PORT = 47_475
PLAYERS = 3


def of(network: Network, *, port: int = PORT, genesis: Genesis | None = None) -> Rediscovery:
    """Return the rediscovery of player 0."""
    table = genesis or new_table(PLAYERS).genesis
    metadata = TableMetadata(name="kitchen")
    return Rediscovery(Here(network=network), table, identity(0), metadata, port)


def announced(network: Network) -> list[tuple[str, int, TableState]]:
    tables = [note.table for note in network.board]
    return [(each.fp, each.port, each.state) for each in tables]


def key(number: int) -> str:
    return fingerprint(identity(number).public)


def advert(genesis: Genesis, number: int, state: TableState, **changes: object) -> TableAdvert:
    """Return the advert of a player's node."""
    made = replace(TABLE, id=genesis.table_id, fp=key(number), state=state)
    return replace(made, **changes)  # type: ignore[arg-type]


def test_a_node_out_of_contact_announces_that_it_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rediscovery, "ANNOUNCE_AFTER_SECONDS", 0.0)

    async def main() -> None:
        network = Network()
        searching = of(network)
        searching.set_active(True)
        await until(lambda: announced(network) == [(key(0), PORT, TableState.SEEKING)])
        searching.set_active(False)
        await until(lambda: announced(network) == [])
        await searching.close()

    run(main())


def test_a_short_loss_of_contact_is_not_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rediscovery, "ANNOUNCE_AFTER_SECONDS", 2.0)

    async def main() -> None:
        network = Network()
        searching = of(network)
        with stopped_clock() as clock:
            searching.set_active(True)
            await clock.advance(1.9)
            searching.set_active(False)
            await clock.advance(10.0)
        assert announced(network) == []
        await searching.close()

    run(main())


def test_repeated_reports_of_one_loss_do_not_delay_the_announcement(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rediscovery, "ANNOUNCE_AFTER_SECONDS", 2.0)

    async def main() -> None:
        network = Network()
        searching = of(network)
        with stopped_clock() as clock:
            searching.set_active(True)
            await clock.advance(1.5)
            assert announced(network) == []
            searching.set_active(True)
            await clock.advance(0.6)
            assert announced(network) == [(key(0), PORT, TableState.SEEKING)]
        await searching.close()

    run(main())


@pytest.mark.parametrize("delay", [0.0, 3600.0])
def test_closing_withdraws_the_announcement(monkeypatch: pytest.MonkeyPatch, delay: float) -> None:
    monkeypatch.setattr(rediscovery, "ANNOUNCE_AFTER_SECONDS", delay)

    async def main() -> None:
        network = Network()
        searching = of(network)
        searching.set_active(True)
        if not delay:
            await until(lambda: bool(network.board))
        await searching.close()
        assert announced(network) == []

    run(main())


def test_a_node_that_does_not_listen_only_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """An announcement of it would lead nowhere."""
    monkeypatch.setattr(rediscovery, "ANNOUNCE_AFTER_SECONDS", 0.0)

    async def main() -> None:
        network = Network()
        genesis = new_table(PLAYERS).genesis
        searching = of(network, port=0, genesis=genesis)
        searching.set_active(True)
        assert searching._timer is None
        Note(network, advert(genesis, 1, TableState.PLAYING))
        found = await searching.find(key(1), host=True, seconds=0.0)
        assert found is not None
        assert (found.fp, found.addresses) == (key(1), (HOME,))
        await searching.close()
        assert len(network.board) == 1

    run(main())


@pytest.mark.parametrize(
    ("host", "number", "state", "found"),
    [
        # The wanted player, as host or searching.
        (True, 1, TableState.PLAYING, True),
        (True, 1, TableState.SEEKING, True),
        (False, 1, TableState.PLAYING, True),
        (False, 1, TableState.SEEKING, True),
        # Another player, who counts only as the new host.
        (True, 2, TableState.PLAYING, True),
        (True, 2, TableState.OVER, True),
        (True, 2, TableState.SEEKING, False),
        (False, 2, TableState.PLAYING, False),
        # A stranger.
        (True, 7, TableState.PLAYING, False),
    ],
)
def test_the_wanted_player_or_any_new_host_is_found(
    host: bool, number: int, state: TableState, found: bool
) -> None:
    async def main() -> None:
        network = Network()
        genesis = new_table(PLAYERS).genesis
        searching = of(network, genesis=genesis)
        Note(network, advert(genesis, number, state, id=bytes(16)))
        assert await searching.find(key(1), host=host, seconds=0.0) is None, "another table"
        Note(network, advert(genesis, number, state))
        there = await searching.find(key(1), host=host, seconds=0.0)
        assert (there is not None and there.fp == key(number)) is found
        await searching.close()

    run(main())
