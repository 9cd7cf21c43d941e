"""What the commands share about the network: looking for a table, and breaking that off."""

from __future__ import annotations

import asyncio
import gc

import pytest

from lanuno.cli.exits import ExitCode
from lanuno.cli.network import find_table, place_of
from lanuno.cli.output import Failure
from tests.harness.processes.programs import new_name
from tests.harness.sockets.running import run


@pytest.mark.parametrize("steps", range(12))
def test_looking_for_a_table_can_be_broken_off_at_any_moment(steps: int) -> None:
    async def story() -> None:
        looking = asyncio.create_task(find_table(new_name(), "lo", 60.0))
        for _ in range(steps):
            await asyncio.sleep(0)
        looking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await looking

    run(story())
    gc.collect()


def test_a_table_that_never_appears() -> None:
    async def story() -> None:
        with pytest.raises(Failure) as caught:
            await find_table(new_name(), "lo", 0.05)
        assert (caught.value.code, caught.value.key) == (ExitCode.NETWORK, "bot.not_found")

    run(story())


@pytest.mark.parametrize(
    ("where", "host", "port"),
    [
        ("127.0.0.1:1", "127.0.0.1", 1),
        ("[::1]:47474", "::1", 47474),
        ("[fe80::1%eth0]:65535", "fe80::1%eth0", 65535),
        ("a-name.local:47474", "a-name.local", 47474),
    ],
)
def test_addresses(where: str, host: str, port: int) -> None:
    place = place_of(where)
    assert (place.hosts, place.port) == ((host,), port)
    assert (place.fingerprint, place.context) == (None, None)


def test_links() -> None:
    fingerprint, table = "abcdefghijklmnopqrstuvwxyz234567", bytes(range(16))
    place = place_of(f"lanuno://[::1]:5/{table.hex()}#{fingerprint}")
    assert (place.hosts, place.port) == (("::1",), 5)
    assert (place.fingerprint, place.context) == (fingerprint, table)
