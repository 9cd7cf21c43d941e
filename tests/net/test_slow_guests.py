"""A guest is slow to send its request while one computer keeps reconnecting.

These tests use real connections from loopback addresses, in a fixed order of events.
"""

from __future__ import annotations

from contextlib import AsyncExitStack, suppress

import pytest

from lanuno.dealing.identity import Identity
from lanuno.log.format.genesis import VERSION
from lanuno.net.errors import NetError
from lanuno.net.runtime import lobby_host
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.limits import DEFAULT
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages
from lanuno.table.links import MOST_STRANGERS
from tests.harness.sockets.running import run, until
from tests.harness.sockets.tables import table
from tests.net.spectator_clients import SpectatorClient, connect_from

LONG = Ruleset(hand_size=7, grace_first_s=5, grace_total_s=30)


def _key(number: int) -> Identity:
    return Identity.from_seed(number.to_bytes(32, "big"))


@pytest.mark.parametrize("plays", [False, True], ids=["waiting room", "playing"])
def test_one_address_takes_the_place_of_no_slow_newcomer(
    plays: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby_host, "IDLE_SECONDS", 600.0)
    most = MOST_STRANGERS if plays else DEFAULT.strangers

    async def story() -> None:
        async with (
            table(2 if plays else 3, rounds=None, ruleset=LONG) as at,
            AsyncExitStack() as end,
        ):
            guest = await at.peer(1)
            [task] = await at.sit_down(guest)
            if plays:
                await until(lambda: at.host.runtime is not None)
            slow = await connect_from("127.9.6.1", at.port, _key(900))
            for number in range(2 * most):
                with suppress(NetError):
                    one = await connect_from("127.9.6.2", at.port, _key(901 + number))
                    end.push_async_callback(_cut, one)
            there = SpectatorClient(slow, _key(900).public)
            there.say(messages.Watch(VERSION, "ada"))
            kind = messages.Began if plays else messages.LobbyState
            heard = await there.until(kind)
            assert isinstance(heard, kind)
            await there.close()
            at.host.stop()
            await at.host.wait()
            await at.host.close()
            await task

    run(story())


async def _cut(channel: Channel) -> None:
    channel.abort()
    await channel.close()
