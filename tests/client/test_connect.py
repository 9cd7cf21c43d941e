"""Retrying connections: the effect of each field of a policy. Over real sockets on loopback."""

from __future__ import annotations

import asyncio
import math
import socket
from collections.abc import Sequence
from itertools import pairwise

import pytest

from lanuno.client.connect import (
    ALL_FAULTS,
    FindPlaces,
    RetryPolicy,
    connect_with_retries,
)
from lanuno.client.places import TablePlace
from lanuno.dealing.identity import fingerprint
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.channel import Channel
from tests.harness.sockets.running import GUEST, HOST, LOBBY, run, serving

CLOSED = TablePlace(("127.0.0.1",), 1)
"""A place where nothing listens."""

PERSISTENT = RetryPolicy(retried=ALL_FAULTS, pause_seconds=0.001)


def place(port: int, key: bytes = HOST.public) -> TablePlace:
    return TablePlace(("127.0.0.1",), port, fingerprint(key), LOBBY)


def at(place: TablePlace) -> FindPlaces:
    """Return a function that always finds the same place."""

    async def find_places(_left: float) -> Sequence[TablePlace]:
        return (place,)

    return find_places


class Rounds:
    """Finds different places in each round, and the last ones for ever after."""

    def __init__(self, *rounds: Sequence[TablePlace]) -> None:
        self.rounds = rounds
        self.left: list[float] = []
        """The seconds left, as passed in each round."""

    async def find(self, left: float) -> Sequence[TablePlace]:
        self.left.append(left)
        return self.rounds[min(len(self.left), len(self.rounds)) - 1]


async def error_of(find_places: FindPlaces, policy: RetryPolicy) -> NetError:
    with pytest.raises(NetError) as caught:
        await connect_with_retries(GUEST, find_places, policy)
    return caught.value


def test_the_first_place_that_answers_is_taken() -> None:
    async def story() -> None:
        async with serving() as (server, arrived):
            there = place(server.port)
            rounds = Rounds((), (CLOSED,), (CLOSED, there, CLOSED))
            route = await connect_with_retries(GUEST, rounds.find, PERSISTENT)
            assert route.place == there
            assert (route.channel.identity, route.channel.context) == (HOST.public, LOBBY)
            assert (await arrived.get()).identity == GUEST.public
            assert rounds.left == [math.inf] * 3
            await route.channel.close()

    run(story())


def test_an_error_that_is_not_retried_is_raised_at_once() -> None:
    async def story() -> None:
        async with serving() as (server, _):
            wrong = place(server.port, GUEST.public)
            rounds = Rounds((CLOSED, wrong, place(server.port)))
            policy = RetryPolicy(
                retried=frozenset({NetFault.UNREACHABLE}), seconds=3600.0, pause_seconds=0.0
            )
            assert (await error_of(rounds.find, policy)).fault is NetFault.IDENTITY
            assert len(rounds.left) == 1

    run(story())


def test_other_errors_leave_some_time_for_the_right_place() -> None:
    async def story() -> None:
        async with serving() as (server, _):
            wrong, right = place(server.port, GUEST.public), place(server.port)
            rounds = Rounds((wrong,), (wrong,), (right,))
            policy = RetryPolicy(retried=frozenset(), other_seconds=3600.0, pause_seconds=0.001)
            route = await connect_with_retries(GUEST, rounds.find, policy)
            assert route.place == right
            # The time is limited only after the first error.
            assert rounds.left[0] == math.inf
            assert all(later <= 3600.0 for later in rounds.left[1:])
            await route.channel.close()

    run(story())


def test_the_time_for_other_errors_runs_from_the_first_of_them() -> None:
    """If each such error restarted the time, this would not end."""
    policy = RetryPolicy(retried=frozenset(), other_seconds=0.2, pause_seconds=0.001)
    error = run(error_of(Rounds((CLOSED,)).find, policy))
    assert error.fault is NetFault.UNREACHABLE


def test_an_error_that_is_retried_is_raised_once_the_time_is_over() -> None:
    rounds = Rounds((CLOSED,))
    policy = RetryPolicy(seconds=0.2, retried=ALL_FAULTS, pause_seconds=0.001)
    assert run(error_of(rounds.find, policy)).fault is NetFault.UNREACHABLE
    assert all(0.0 <= later <= earlier <= 0.2 for earlier, later in pairwise(rounds.left))


def test_no_attempt_begins_after_the_time() -> None:
    """Checked after a pause that would be too long, and at the next place of the same round."""

    async def slow(_left: float) -> Sequence[TablePlace]:
        await asyncio.sleep(0.01)
        return (CLOSED, *[place(1, GUEST.public)] * 9)

    long_pause = RetryPolicy(seconds=60.0, retried=ALL_FAULTS, pause_seconds=3600.0)
    assert run(error_of(at(CLOSED), long_pause)).fault is NetFault.UNREACHABLE
    no_time = RetryPolicy(seconds=0.001, retried=ALL_FAULTS)
    assert run(error_of(slow, no_time)).fault is NetFault.UNREACHABLE


def test_without_any_place_the_time_runs_out() -> None:
    rounds = Rounds(())
    policy = RetryPolicy(seconds=0.1, retried=frozenset(), pause_seconds=0.001)
    assert run(error_of(rounds.find, policy)).fault is NetFault.TIMEOUT
    assert rounds.left


def test_one_attempt_has_a_limit() -> None:
    async def story() -> None:
        # The operating system accepts the connection, but no program answers.
        with socket.create_server(("127.0.0.1", 0)) as silent:
            nobody = place(silent.getsockname()[1])
            limited = RetryPolicy(retried=frozenset(), attempt_seconds=0.02)
            error = await error_of(at(nobody), limited)
            assert error.fault is NetFault.TIMEOUT
            assert "no answer" in error.detail
            async with serving() as (server, _):
                there = place(server.port)
                one_limited = RetryPolicy(
                    retried=frozenset({NetFault.TIMEOUT}), attempt_seconds=5.0, pause_seconds=0.001
                )
                route = await connect_with_retries(GUEST, Rounds((nobody, there)).find, one_limited)
                assert route.place == there
                await route.channel.close()

    run(story())


def test_an_unwanted_channel_is_closed_and_counts_as_the_wrong_table() -> None:
    async def story() -> None:
        async with serving() as (server, arrived):
            find_places = at(place(server.port))
            with pytest.raises(NetError) as caught:
                await connect_with_retries(
                    GUEST,
                    find_places,
                    RetryPolicy(retried=ALL_FAULTS - {NetFault.WRONG_TABLE}),
                    is_wanted=lambda _channel: False,
                )
            assert caught.value.fault is NetFault.WRONG_TABLE
            with pytest.raises(NetError) as ended:
                await (await arrived.get()).receive()
            assert ended.value.fault is NetFault.CLOSED

            offered: list[Channel] = []

            def is_third(channel: Channel) -> bool:
                offered.append(channel)
                return len(offered) == 3

            route = await connect_with_retries(GUEST, find_places, PERSISTENT, is_wanted=is_third)
            assert route.channel is offered[2]
            assert [each.open for each in offered] == [False, False, True]
            await route.channel.close()

    run(story())


def test_what_finding_raises_goes_through() -> None:
    async def find_places(_left: float) -> Sequence[TablePlace]:
        raise LookupError

    async def story() -> None:
        with pytest.raises(LookupError):
            await connect_with_retries(GUEST, find_places, PERSISTENT)

    run(story())


@pytest.mark.parametrize("wanted", [True, False])
@pytest.mark.parametrize("steps", range(0, 60, 4))
def test_a_cancellation_at_any_moment_leaves_nothing_open(steps: int, wanted: bool) -> None:
    """`run` fails if a socket or a task is left over."""

    async def story() -> None:
        async with serving() as (server, _):
            connecting = asyncio.create_task(
                connect_with_retries(
                    GUEST,
                    at(place(server.port)),
                    RetryPolicy(retried=ALL_FAULTS, attempt_seconds=60.0, pause_seconds=0.001),
                    is_wanted=lambda _channel: wanted,
                )
            )
            for _ in range(steps):
                await asyncio.sleep(0)
            connecting.cancel()
            await asyncio.wait((connecting,))
            if not connecting.cancelled():
                await connecting.result().channel.close()

    run(story())
