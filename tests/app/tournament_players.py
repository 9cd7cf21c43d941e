"""Bots without a window that join tournaments by the link of a table. No test here."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from concurrent.futures import Future
from random import Random

from lanuno.app.loop import LoopThread
from lanuno.bots.sensible import SensiblePlayer
from lanuno.client import session as client_session
from lanuno.client.tournament_run import TournamentRun
from lanuno.dealing.identity import Identity
from lanuno.net.discovery.table_link import parse_link
from lanuno.net.runtime.config import OwnSeat, PlayedSeat, RuntimeConfig
from lanuno.net.runtime.lobby_guest import LobbyGuest
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.connect import connect
from lanuno.table.lobby.peer import Seating
from tests.harness.sockets.tables import Memory, discarded_tournament

WAIT_SECONDS = 20.0
"""Seconds for which the players of a tournament wait for one another."""


class TournamentPlayers:
    """Players without a window, who join a table by its link and play by themselves."""

    def __init__(self) -> None:
        self._thread = LoopThread()
        self._thread.start()
        self._players: list[Future[None]] = []

    def come(self, link: str, names: Sequence[str]) -> None:
        """Let players with these names join."""
        self._players.append(self._thread.submit(join_all(link, names)))

    def close(self) -> None:
        """Wait until all players have finished; raise the error of any player."""
        try:
            for each in self._players:
                each.result(3 * WAIT_SECONDS)
        finally:
            self._thread.close()


async def join_all(link: str, names: Sequence[str]) -> None:
    """Join all, one after the other, because a host accepts few connections at a time."""
    place = parse_link(link)
    async with asyncio.TaskGroup() as playing:
        for name in names:
            me = Identity.from_seed(os.urandom(32))
            channel = await connect((place.host,), place.port, me, fingerprint=place.fingerprint)
            playing.create_task(play_tournament(channel, me, name))


async def play_tournament(channel: Channel, identity: Identity, name: str) -> None:
    """Play as one of them, from the waiting room to the end of the tournament."""
    config = RuntimeConfig(
        seats=(PlayedSeat(identity, None),), records=Memory(), entropy=os.urandom
    )
    seating = Seating(name=name, lobby=channel.context, host=channel.identity)
    peer = LobbyGuest(channel, identity, seating, config, lambda _event: None)
    await peer.run()
    assert peer.tournament is not None, (peer.ending, peer.refusal, peer.connection_error)
    player = SensiblePlayer(Random(name))
    run = TournamentRun(
        peer.tournament,
        OwnSeat(identity, name, player),
        discarded_tournament(),
        lambda _event: None,
        adapter="lo",
        pause=client_session.ROTATION_RESULT_SECONDS,
        wait_seconds=WAIT_SECONDS,
    )
    await run.run()
