"""How a request to join reaches its table: by place, by name, or as the next table of a host."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from random import SystemRandom
from typing import Final

from lanuno.client.connect import RetryPolicy, Route, connect_with_retries
from lanuno.client.find import TableFinder, TableNotFound
from lanuno.client.places import TablePlace
from lanuno.client.requests import JoinRequest
from lanuno.client.resume import Interrupted, ResumeRequest
from lanuno.dealing.identity import Identity
from lanuno.net.discovery.advert import TableAdvert, TableState
from lanuno.net.discovery.network_context import NetworkContext
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.channel import Channel
from lanuno.table.messages import PeerAddress

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

REMATCH_POLICY: Final = RetryPolicy(seconds=60.0, retried=NOT_READY_FAULTS, attempt_seconds=4.0)
"""The host of a rematch opens its table within a minute. Until then another program may listen at
its address without ever answering."""


_log = logging.getLogger(__name__)


async def reach(
    request: JoinRequest, me: Identity, interrupted: Sequence[Interrupted]
) -> Route | ResumeRequest:
    """Connect to the table, or return how to resume it if it is one of the `interrupted` ones.

    Resuming applies to a table that is being played and to one that is not announced. Raises
    `NetError`, `SeveralTables`, `TableNotFound`.
    """
    if request.after is not None:
        return await _reach_next_table(request, me, request.after)
    try:
        return await _reach_table(request, me, interrupted)
    except _OwnSeatFound as found:
        return found.request


class _OwnSeatFound(Exception):
    """This profile already has a seat at the table."""

    def __init__(self, request: ResumeRequest) -> None:
        super().__init__()
        self.request = request


async def _reach_table(
    request: JoinRequest, me: Identity, interrupted: Sequence[Interrupted]
) -> Route:
    def resume(chosen: Interrupted, owner_place: PeerAddress | None) -> _OwnSeatFound:
        return _OwnSeatFound(
            ResumeRequest(
                chosen=chosen,
                player=request.player,
                owner_place=owner_place,
                adapter=request.adapter,
                stays_for_rematch=request.stays_for_rematch,
            )
        )

    async def find_places(seconds: float) -> Sequence[TablePlace]:
        places = [] if request.place is None else [request.place]
        if request.place is None:
            by_name = [each for each in interrupted if each.matches(request.table)]
            try:
                places = await finder.find_by_name(
                    request.table, seconds, {each.id for each in by_name}, watch=request.watch
                )
            except (TableNotFound, NetError):
                if not by_name:
                    raise
                raise resume(by_name[0], None) from None
        for place in places:
            for each in interrupted:
                if place.context is not None and each.is_at(place.context):
                    raise resume(each, each.owner_at(place))
        # Vary the first one: a place may refuse every connection.
        return SystemRandom().sample(places, len(places))

    _log.debug("looking for a table, for %.0f s at most", request.seconds)
    policy = RetryPolicy(seconds=request.seconds, retried=BUSY_FAULTS)
    if request.place is None:
        # Anybody may have announced a table that fails otherwise; the real one may still appear.
        policy = replace(
            policy,
            retried=BUSY_FAULTS | STALE_FAULTS,
            other_seconds=OTHER_SECONDS,
            attempt_seconds=ATTEMPT_SECONDS,
        )
    async with AsyncExitStack() as unless_reached:
        async with TableFinder(adapter=request.adapter) as finder:
            if request.place is None:
                await finder.listen()
            route = await connect_with_retries(me, find_places, policy)
            unless_reached.push_async_callback(route.channel.close)
        for each in interrupted:
            if each.is_at(route.channel.context):
                raise resume(each, each.owner_at(route.place, route.channel.identity))
        unless_reached.pop_all()
    return route


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
