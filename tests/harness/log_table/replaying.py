"""Replays a log from its beginning without checking its signatures."""

from __future__ import annotations

from collections.abc import Sequence

from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis
from lanuno.log.replay.replay import Replay


def replayed(genesis: Genesis, entries: Sequence[Entry]) -> Replay:
    """Return the replay after these entries."""
    replay = Replay(genesis)
    for entry in entries:
        replay.follow(entry, trusted=True)
    return replay
