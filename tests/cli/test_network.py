"""What the commands say of a place or a table that does not exist."""

from __future__ import annotations

import pytest

from lanuno.cli.exits import ExitCode
from lanuno.cli.network import find_table, place_of
from lanuno.cli.output import Failure
from tests.harness.processes.programs import new_name
from tests.harness.sockets.running import run


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
