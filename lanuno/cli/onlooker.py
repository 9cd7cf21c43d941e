"""Watches a table as anybody on the network may, to tell a person how it goes."""

from __future__ import annotations

import asyncio
import os
from contextlib import AsyncExitStack
from typing import Final

from lanuno.cli.narrator import Narrator
from lanuno.cli.output import Output
from lanuno.dealing.identity import Identity
from lanuno.log.bodies import SignedBody
from lanuno.log.entries import Entry
from lanuno.log.genesis import Genesis
from lanuno.net.channel import Channel
from lanuno.net.client import connect
from lanuno.net.errors import NetError
from lanuno.net.lookout import Lookout, look_out
from lanuno.net.setup import Setup
from lanuno.net.table_peer import TablePeer
from lanuno.table.lobby_peer import Seating

RETRY: Final = 0.2
"""Seconds between two looks for the table, and two tries to get in."""


class Unrecorded:
    """Keeps nothing: whoever only looks on has no game of their own."""

    def begin(self, genesis: Genesis) -> None:
        """The table has begun."""

    def entry(self, entry: Entry) -> None:
        """The next entry of the log."""

    def sync(self) -> None:
        """Nothing is kept."""

    def cut(self, count: int) -> None:
        """Nothing is kept."""

    def secret(self, seat: int, opened: bytes, label: str, secret: bytes) -> None:
        """Nobody here has secrets."""

    def body(self, seat: int, counter: int, signed: SignedBody) -> None:
        """Nobody here signs."""

    def bot(self, seat: int, seed: bytes) -> None:
        """Nobody here is a host."""

    def vote(self, term: int, data: bytes) -> None:
        """Nobody here votes."""

    def release(self, seat: int, counter: int, count: int, head: bytes) -> None:
        """Nobody here has secrets."""

    def other_end(self, count: int, entries: tuple[Entry, ...]) -> None:
        """Nothing is kept."""

    def close(self) -> None:
        """Nothing more will come."""


async def look_on(table: str, adapter: str, out: Output) -> None:
    """Follow the table of this name to its end and tell its rounds; cancel it to stop looking."""
    identity = Identity.from_seed(os.urandom(32))
    lookout = await look_out(adapter=adapter)
    async with AsyncExitStack() as unless_reached:
        try:
            channel = await _reach(lookout, table, identity)
            unless_reached.callback(channel.abort)
        finally:
            await lookout.close()
        unless_reached.pop_all()
    seating = Seating(name="LanUNO", lobby=channel.context, host=channel.identity)
    setup = Setup(seats=(), records=Unrecorded(), entropy=os.urandom, patience=0.0)
    narrator = Narrator(out, moves=False)
    await TablePeer(channel, identity, seating, setup, narrator, watch=True).run()


async def _reach(lookout: Lookout, table: str, me: Identity) -> Channel:
    while True:
        for advert in tuple(lookout.tables.values()):
            if advert.name != table:
                continue
            try:
                return await connect(
                    advert.addresses, advert.port, me, fingerprint=advert.fp, context=advert.id
                )
            except NetError:
                continue
        await asyncio.sleep(RETRY)
