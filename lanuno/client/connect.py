"""Connects to a table, and tries again for as long as a policy says. Asyncio; no Qt."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from random import SystemRandom
from typing import Final, NamedTuple

from lanuno.client.places import TablePlace
from lanuno.dealing.identity import Identity
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.connect import connect

ALL_FAULTS: Final = frozenset(NetFault)
"""For a policy that gives up after no error, only after a time."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How long connecting is tried again, and after which errors."""

    seconds: float = math.inf
    """After this time no further round of attempts begins."""
    retried: frozenset[NetFault]
    other_seconds: float = 0.0
    """Time to go on after the first error that is not in `retried`; 0: it is raised at once."""
    attempt_seconds: float | None = None
    """Limit for one attempt; one that takes longer counts as `NetFault.TIMEOUT`."""
    pause_seconds: float = 0.5
    """Between two rounds of attempts, on average."""


class Route(NamedTuple):
    """How a table was reached."""

    channel: Channel
    place: TablePlace


FindPlaces = Callable[[float], Awaitable[Sequence[TablePlace]]]
"""Finds the places to try next, best first; the argument is the number of seconds left."""


def _any_channel(_channel: Channel) -> bool:
    return True


async def connect_with_retries(
    identity: Identity,
    find_places: FindPlaces,
    policy: RetryPolicy,
    *,
    is_wanted: Callable[[Channel], bool] = _any_channel,
) -> Route:
    """Connect to the first place that answers with a wanted channel.

    Each round asks `find_places`, and tries each place in order. An unwanted channel is closed and
    counts as `NetFault.WRONG_TABLE`. Raises the last `NetError` once the time of the policy is
    over, and what `find_places` raises. A cancellation leaves no channel open.
    """
    clock = asyncio.get_running_loop().time
    until = clock() + policy.seconds
    chance = SystemRandom()
    last_error = NetError(NetFault.TIMEOUT, "no table was found in time")
    while True:
        for place in await find_places(max(0.0, until - clock())):
            try:
                # Nothing is awaited once the channel is here: a cancellation would lose it.
                return Route(await _connect(identity, place, policy, is_wanted), place)
            except NetError as error:
                if error.fault is not last_error.fault:
                    _log.info("no table at %s port %d: %s", place.hosts, place.port, error)
                last_error = error
            if last_error.fault not in policy.retried:
                until = min(until, clock() + policy.other_seconds)
            if clock() >= until:
                raise last_error
        # Not all at the same moment again: many may have seen the table appear.
        pause = policy.pause_seconds * (0.5 + chance.random())
        if clock() + pause >= until:
            raise last_error
        await asyncio.sleep(pause)


async def _connect(
    identity: Identity,
    place: TablePlace,
    policy: RetryPolicy,
    is_wanted: Callable[[Channel], bool],
) -> Channel:
    try:
        async with asyncio.timeout(policy.attempt_seconds):
            channel = await connect(
                place.hosts,
                place.port,
                identity,
                fingerprint=place.fingerprint,
                context=place.context,
            )
    except TimeoutError:
        raise NetError(NetFault.TIMEOUT, "the program there does not answer") from None
    if is_wanted(channel):
        return channel
    await channel.close()
    raise NetError(NetFault.WRONG_TABLE, "there is no next table")
