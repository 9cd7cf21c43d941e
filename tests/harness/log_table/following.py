"""A log read from its beginning, by somebody who trusts its signatures."""

from __future__ import annotations

from collections.abc import Sequence

from lanuno.log.entries import Entry
from lanuno.log.genesis import Genesis
from lanuno.log.replay import Replay


def followed(genesis: Genesis, entries: Sequence[Entry]) -> Replay:
    """What the log says behind these entries."""
    replay = Replay(genesis)
    for entry in entries:
        replay.follow(entry, trusted=True)
    return replay
