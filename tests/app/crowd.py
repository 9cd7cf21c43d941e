"""Players without a window, for tournaments of the tests: programs that come by a table's link."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from random import Random

from lanuno.app.loop import LoopThread
from lanuno.app.worker import tourney
from lanuno.bots.sensible import SensiblePlayer
from lanuno.dealing.identity import Identity
from lanuno.net.channel import Channel
from lanuno.net.client import connect
from lanuno.net.links import parse_link
from lanuno.net.records import Records
from lanuno.net.setup import PlayedSeat, Setup
from lanuno.net.table_peer import TablePeer
from lanuno.net.tournament_breaks import TournamentBroken
from lanuno.net.tournament_run import Entrant, TournamentRun
from lanuno.table.lobby_peer import Seating
from tests.harness.sockets.tables import Memory

PATIENCE = 20.0
"""Seconds for which they wait for one another."""


class Crowd:
    """Players without a window, who come to a table by its link and play on their own."""

    def __init__(self) -> None:
        self._thread = LoopThread()
        self._thread.start()
        self._playing: list[Future[None]] = []

    def come(self, link: str, names: Sequence[str]) -> None:
        """Let these sit down."""
        self._playing.append(self._thread.submit(arrive(link, names)))

    def close(self) -> None:
        """Wait until all have gone; raises what went wrong with any of them."""
        try:
            for each in self._playing:
                each.result(3 * PATIENCE)
        finally:
            self._thread.close()


async def arrive(link: str, names: Sequence[str]) -> None:
    """All of them; one after the other through the door, which takes few at a time."""
    place = parse_link(link)
    async with asyncio.TaskGroup() as playing:
        for name in names:
            me = Identity.from_seed(os.urandom(32))
            channel = await connect((place.host,), place.port, me, fingerprint=place.fingerprint)
            playing.create_task(attend(channel, me, name))


async def attend(channel: Channel, identity: Identity, name: str) -> None:
    """One of them, from the waiting room to the end of the tournament."""
    setup = Setup(seats=(PlayedSeat(identity, None),), records=Memory(), entropy=os.urandom)
    seating = Seating(name=name, lobby=channel.context, host=channel.identity)
    peer = TablePeer(channel, identity, seating, setup, lambda _event: None)
    await peer.run()
    assert peer.tournament is not None, (peer.ending, peer.refusal, peer.broken)
    player = SensiblePlayer(Random(name))
    entrant = Entrant(
        identity, name, player, os.urandom, "lo", tourney.LOOK_SECONDS, patience=PATIENCE
    )
    run = TournamentRun(peer.tournament, entrant, Nowhere(), lambda _event: None)
    with suppress(TournamentBroken):
        await run.run()


class Nowhere:
    """Keeps nothing."""

    def played(self) -> Records:
        return Memory()

    def watched(self) -> Records:
        return Memory()
