"""Watches a table as a spectator and shows on the terminal how it goes."""

from __future__ import annotations

import asyncio
import os
from contextlib import AsyncExitStack
from typing import Final

from lanuno.cli.console import ConsoleRenderer
from lanuno.cli.output import CommandOutput
from lanuno.dealing.identity import Identity
from lanuno.log.format.bodies import SignedBody
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis
from lanuno.net.discovery.table_listener import TableListener, listen_for_tables
from lanuno.net.errors import NetError
from lanuno.net.runtime.config import RuntimeConfig
from lanuno.net.runtime.lobby_guest import LobbyGuest
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.connect import connect
from lanuno.table.lobby.peer import Seating

RETRY_SECONDS: Final = 0.2
"""Seconds between two attempts to connect to the table."""


class DiscardedRecords:
    """Keeps nothing: a spectator of a demo has no game of its own."""

    def begin(self, genesis: Genesis) -> None:
        """The table has begun."""

    def entry(self, entry: Entry) -> None:
        """The next entry of the log."""

    def sync(self) -> None:
        """Nothing is kept."""

    def truncate(self, count: int) -> None:
        """Nothing is kept."""

    def secret(self, seat: int, opened: bytes, label: str, secret: bytes) -> None:
        """Nobody here has secrets."""

    def body(self, seat: int, counter: int, signed: SignedBody) -> None:
        """Nobody here signs."""

    def stand_in(self, seat: int, seed: bytes) -> None:
        """Nobody here is a host."""

    def vote(self, term: int, data: bytes) -> None:
        """Nobody here votes."""

    def release(self, seat: int, counter: int, count: int, head: bytes) -> None:
        """Nobody here has secrets."""

    def other_log(self, count: int, entries: tuple[Entry, ...]) -> None:
        """Nothing is kept."""

    def close(self) -> None:
        """Nothing more will come."""


async def spectate(table: str, adapter: str, out: CommandOutput) -> None:
    """Watch the table of this name to its end and show its rounds; cancel it to stop."""
    identity = Identity.from_seed(os.urandom(32))
    listener = await listen_for_tables(adapter=adapter)
    async with AsyncExitStack() as unless_reached:
        try:
            channel = await _reach(listener, table, identity)
            unless_reached.callback(channel.abort)
        finally:
            await listener.close()
        unless_reached.pop_all()
    seating = Seating(name="LanUNO", lobby=channel.context, host=channel.identity)
    config = RuntimeConfig(
        seats=(), records=DiscardedRecords(), entropy=os.urandom, search_seconds=0.0
    )
    renderer = ConsoleRenderer(out, moves=False)
    await LobbyGuest(channel, identity, seating, config, renderer, watch=True).run()


async def _reach(listener: TableListener, table: str, me: Identity) -> Channel:
    while True:
        for advert in tuple(listener.tables.values()):
            if advert.name != table:
                continue
            try:
                return await connect(
                    advert.addresses, advert.port, me, fingerprint=advert.fp, context=advert.id
                )
            except NetError:
                continue
        await asyncio.sleep(RETRY_SECONDS)
