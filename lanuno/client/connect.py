"""Connects to a table, and retries for as long as a policy allows. Asyncio; no Qt."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Sequence
from random import SystemRandom
from typing import Final, NamedTuple

from msgspec import Struct

from lanuno.client.places import TablePlace
from lanuno.dealing.identity import Identity
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.connect import connect

ALL_FAULTS: Final = frozenset(NetFault)
"""For a policy that gives up only when its time is over, whatever the error."""

_log = logging.getLogger(__name__)


class RetryPolicy(Struct, frozen=True, kw_only=True):
    """How long connecting is retried, and after which errors."""

    seconds: float = math.inf
    """No new round of attempts begins after this time."""
    retried: frozenset[NetFault]
    other_seconds: float = 0.0
    """Time to continue after the first error not in `retried`; 0 raises it immediately."""
    attempt_seconds: float | None = None
    """Limit for one attempt. A longer attempt counts as `NetFault.TIMEOUT`."""
    pause_seconds: float = 0.5
    """Average pause between two rounds of attempts."""


class Route(NamedTuple):
    """A connection to a table, and the place where it was reached."""

    channel: Channel
    place: TablePlace


FindPlaces = Callable[[float], Awaitable[Sequence[TablePlace]]]
"""Returns the places to try next, best first. The argument is the number of seconds left."""


async def connect_with_retries(
    identity: Identity,
    find_places: FindPlaces,
    policy: RetryPolicy,
    *,
    is_wanted: Callable[[Channel], bool] = lambda _channel: True,
) -> Route:
    """Connect to the first place that answers with a wanted channel.

    Each round calls `find_places` and tries each place in order. An unwanted channel is closed and
    counts as `NetFault.WRONG_TABLE`. Raises the last `NetError` once the policy's time is over, and
    any exception of `find_places`. Cancellation leaves no channel open.
    """
    clock = asyncio.get_running_loop().time
    until = clock() + policy.seconds
    last_error = NetError(NetFault.TIMEOUT, "no table was found in time")
    while True:
        for place in await find_places(max(0.0, until - clock())):
            try:
                # Await nothing after this: a cancellation would lose the open channel.
                return Route(await _connect(identity, place, policy, is_wanted), place)
            except NetError as error:
                if error.fault is not last_error.fault:
                    _log.info("no table at %s port %d: %s", place.hosts, place.port, error)
                else:
                    _log.debug("again no table at %s port %d", place.hosts, place.port)
                last_error = error
            if last_error.fault not in policy.retried:
                until = min(until, clock() + policy.other_seconds)
            if clock() >= until:
                raise last_error
        # Spread the retries: many clients may have seen the table appear at the same moment.
        pause = policy.pause_seconds * (0.5 + SystemRandom().random())
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
        raise NetError(NetFault.TIMEOUT, "no answer from this address in time") from None
    if is_wanted(channel):
        return channel
    await channel.close()
    raise NetError(NetFault.WRONG_TABLE, "this is not the wanted table")
