"""How a request to join reaches its table: by place, by name, or as the next table of a host."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Sequence
from contextlib import AsyncExitStack
from functools import partial
from random import SystemRandom
from typing import Final

from msgspec.structs import replace

from lanuno.client.connect import ALL_FAULTS, RetryPolicy, Route, connect_with_retries
from lanuno.client.find import TableFinder, TableNotFound
from lanuno.client.places import TablePlace
from lanuno.client.requests import JoinRequest
from lanuno.client.resume import Interrupted, ResumeRequest
from lanuno.dealing.identity import Identity, fingerprint
from lanuno.log.format.genesis import Genesis
from lanuno.net.discovery.advert import TableAdvert, TableState
from lanuno.net.discovery.network_context import NetworkContext
from lanuno.net.errors import NetError, NetFault
from lanuno.net.runtime.prove_pin import prove_pin
from lanuno.net.runtime.search_deadline import usual_search_seconds
from lanuno.net.transport.channel import Channel
from lanuno.table.messages import LobbyRefusal, PeerAddress

BUSY_FAULTS: Final = frozenset(
    {NetFault.TLS, NetFault.LOST, NetFault.CLOSED, NetFault.TIMEOUT, NetFault.FULL}
)
"""Errors from a host to which many nodes connect at the same moment; a retry may work."""

STALE_FAULTS: Final = frozenset({NetFault.UNREACHABLE, NetFault.WRONG_TABLE})
"""Errors from an announced address whose table has since begun or closed."""

NOT_READY_FAULTS: Final = (
    BUSY_FAULTS | STALE_FAULTS | {NetFault.REFUSED, NetFault.PROTOCOL, NetFault.IDENTITY}
)
"""Errors while a host has not opened its next table: its last one may still be open, or another
program may listen at its address."""

ATTEMPT_SECONDS: Final = 5.0
"""Limit for one attempt at a table of a name. Another program may lead to the host's table, prove
its key, and then pass nothing on."""
OTHER_SECONDS: Final = 3.0
"""Time for the real table of a name to appear after another one has failed."""

SUCCESSOR_ATTEMPT_SECONDS: Final = 4.0
"""Limit for one attempt at a table whose host was lost. Its last advert may still be around."""

REMATCH_POLICY: Final = RetryPolicy(seconds=60.0, retried=NOT_READY_FAULTS, attempt_seconds=4.0)
"""The host of a rematch opens its table within a minute. Until then another program may listen at
its address without ever answering."""


MOST_PIN_TABLES: Final = 5
"""Tables of one name that may test a PIN."""

_log = logging.getLogger(__name__)


class PinRefused(Exception):
    """A host has not proved that it knows the PIN."""

    def __init__(self, why: LobbyRefusal, route: Route) -> None:
        """`route` led to the host; its channel is closed."""
        super().__init__(why.name)
        self.why = why
        self.route = route


async def reach(
    request: JoinRequest, me: Identity, interrupted: Sequence[Interrupted]
) -> Route | ResumeRequest:
    """Connect to the table, or return how to resume it if it is one of the `interrupted` ones.

    Resuming applies to a table that is being played and to one that is not announced. If the
    request has a PIN, host and guest have proved it to each other. Raises `NetError`,
    `SeveralTables`, `TableNotFound`, `PinRefused`.
    """
    if request.after is not None:
        async with AsyncExitStack() as unless_reached:
            route = await _reach_next_table(request, me, request.after)
            unless_reached.push_async_callback(route.channel.close)
            await _prove(request, me, route)
            unless_reached.pop_all()
        return route
    try:
        return await _reach_table(request, me, interrupted)
    except _OwnSeatFound as found:
        return found.request


async def _prove(request: JoinRequest, me: Identity, route: Route) -> None:
    """Let host and guest prove the PIN of the request, if any, to each other.

    Raises `NetError`, `PinRefused`.
    """
    why = await prove_pin(route.channel, me.public, request.pin) if request.pin else None
    if why is not None:
        raise PinRefused(why, route)


class _OwnSeatFound(Exception):
    """This profile already has a seat at the table."""

    def __init__(self, request: ResumeRequest) -> None:
        super().__init__()
        self.request = request


def _resume(
    request: JoinRequest, chosen: Interrupted, owner_place: PeerAddress | None
) -> _OwnSeatFound:
    return _OwnSeatFound(
        ResumeRequest(
            chosen=chosen,
            player=request.player,
            owner_place=owner_place,
            adapter=request.adapter,
            stays_for_rematch=request.stays_for_rematch,
        )
    )


async def _reach_table(
    request: JoinRequest, me: Identity, interrupted: Sequence[Interrupted]
) -> Route:
    _log.debug("looking for a table, for %.0f s at most", request.seconds)
    clock = asyncio.get_running_loop().time
    until = clock() + request.seconds
    policy = RetryPolicy(retried=BUSY_FAULTS)
    if request.place is None:
        # Anybody may have announced a table that fails otherwise; the real one may still appear.
        policy = replace(
            policy,
            retried=BUSY_FAULTS | STALE_FAULTS,
            other_seconds=OTHER_SECONDS,
            attempt_seconds=ATTEMPT_SECONDS,
        )
    refused: dict[str, NetError | PinRefused] = {}
    """How hosts failed the proof of the PIN, by fingerprint, the latest one last."""
    async with AsyncExitStack() as unless_reached:
        async with TableFinder(adapter=request.adapter) as finder:
            if request.place is None:
                await finder.listen()
            find_places = partial(_find_places, finder, request, interrupted, refused)
            while True:
                policy = replace(policy, seconds=max(0.0, until - clock()))
                try:
                    route = await connect_with_retries(me, find_places, policy)
                except (NetError, TableNotFound) as error:
                    raise next(reversed(refused.values()), error) from None
                unless_reached.push_async_callback(route.channel.close)
                for each in interrupted:
                    if each.is_at(route.channel.context):
                        owner = each.owner_at(route.place, route.channel.identity)
                        raise _resume(request, each, owner)
                try:
                    await _prove(request, me, route)
                    break
                except (NetError, PinRefused) as error:
                    # Anybody may have announced this table of the name: go on to others.
                    _log.info("no proof of the PIN at %s: %s", route.channel.address, error)
                    refused[fingerprint(route.channel.identity)] = error
                    tests = sum(map(_may_have_tested, refused.values()))
                    if request.place or tests >= MOST_PIN_TABLES or clock() >= until:
                        raise
                await unless_reached.aclose()
        unless_reached.pop_all()
    return route


def _may_have_tested(error: NetError | PinRefused) -> bool:
    return isinstance(error, NetError) or error.why is LobbyRefusal.WRONG_PIN


async def _find_places(
    finder: TableFinder,
    request: JoinRequest,
    interrupted: Sequence[Interrupted],
    refused: Collection[str],
    seconds: float,
) -> Sequence[TablePlace]:
    """Return where the table may be. Raises `_OwnSeatFound`, and what `find_by_name` raises."""
    places = [] if request.place is None else [request.place]
    if request.place is None:
        by_name = [each for each in interrupted if each.matches(request.table)]
        try:
            places = await finder.find_by_name(
                request.table,
                seconds,
                {each.id for each in by_name},
                watch=request.watch,
                # The PIN finds out which one it is.
                one_only=not request.pin,
                without=refused,
            )
        except (TableNotFound, NetError):
            if not by_name:
                raise
            raise _resume(request, by_name[0], None) from None
    for place in places:
        for each in interrupted:
            if place.context is not None and each.is_at(place.context):
                raise _resume(request, each, each.owner_at(place))
    # Vary the first one: a place may refuse every connection.
    return SystemRandom().sample(places, len(places))


async def _reach_next_table(request: JoinRequest, me: Identity, after: bytes) -> Route:
    """Reach the host's next table, where its last table was or where the next one is announced.

    Another program may have taken the old port in between; the host then uses a new one.
    """
    known = request.place
    assert known is not None

    def is_next_table(advert: TableAdvert) -> bool:
        own_key = advert.fp == known.fingerprint
        return own_key and advert.id != after and advert.state is TableState.OPEN

    async def find_places(_seconds: float) -> Sequence[TablePlace]:
        found = search.result() if search.done() else None
        return (known if found is None else replace(known, hosts=found.addresses, port=found.port),)

    def is_wanted(channel: Channel) -> bool:
        return channel.context != after

    search = asyncio.create_task(
        NetworkContext(request.adapter).find(REMATCH_POLICY.seconds, is_next_table)
    )
    async with AsyncExitStack() as unless_reached:
        try:
            route = await connect_with_retries(me, find_places, REMATCH_POLICY, is_wanted=is_wanted)
            unless_reached.callback(route.channel.abort)
        finally:
            search.cancel()
            await asyncio.wait((search,))
        unless_reached.pop_all()
    return route


async def reach_successor(request: JoinRequest, me: Identity, genesis: Genesis) -> Route:
    """Reach a table again that was watched, under whichever owner is its host by now.

    Gives up after the time for which its players look for a host. Raises `NetError`, `PinRefused`.
    """
    roster = genesis.read()
    owners = {fingerprint(seat.owner) for seat in roster.seats}

    def is_table(advert: TableAdvert) -> bool:
        plays = advert.id == genesis.table_id and advert.state is TableState.PLAYING
        return plays and advert.fp in owners

    async def find_places(_seconds: float) -> Sequence[TablePlace]:
        return finder.find_proven(is_table)

    policy = RetryPolicy(
        seconds=usual_search_seconds(roster.ruleset),
        retried=ALL_FAULTS,
        attempt_seconds=SUCCESSOR_ATTEMPT_SECONDS,
    )
    async with AsyncExitStack() as unless_reached:
        async with TableFinder(adapter=request.adapter) as finder:
            await finder.listen()
            route = await connect_with_retries(me, find_places, policy)
            unless_reached.push_async_callback(route.channel.close)
        await _prove(request, me, route)
        unless_reached.pop_all()
    return route
