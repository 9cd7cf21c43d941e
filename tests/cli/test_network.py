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
    ("where", "key"), [("lanuno:x", "error.link"), ("127.0.0.1", "error.where")]
)
def test_what_is_not_a_place_is_a_usage_error(where: str, key: str) -> None:
    assert place_of("127.0.0.1:1").hosts == ("127.0.0.1",)
    with pytest.raises(Failure) as caught:
        place_of(where)
    assert (caught.value.code, caught.value.key) == (ExitCode.USAGE, key)
    assert caught.value.values == {"value": where}
