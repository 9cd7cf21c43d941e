"""The end of a closed log, from whoever holds it: its host may be gone before all have heard of it.

Whoever holds a closed log hands what is lacking to everybody who asks to be let in. That proves
nothing about who hands it on, so it is followed beside our own log, checked as every entry is, and
counts only if it leads to the close, of our own term or a later one, and passes over nothing that
is firm. A computer that is in contact with a host, or rules, hears of the end there.

Holding the close makes nothing firm: whoever takes it so acknowledges nothing. It may be that a
majority elects another host behind the entry before; then that host's log ends otherwise, as it
would for whoever had heard the close from the host itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lanuno.table.claims import MOST_PAGES, Patience
from lanuno.table.messages import Copy
from lanuno.table.other_ends import LookAt, Newer, OtherEnds, OwnEnd
from lanuno.table.outputs import Peer


@dataclass(slots=True)
class _Reading:
    """One log whose close is looked for."""

    asked: int
    """From this entry on."""
    ends: OtherEnds = field(default_factory=lambda: OtherEnds(to_close=True))
    pages: int = 0


class Closings:
    """What others hand on of a closed log, and how far it was checked."""

    def __init__(self) -> None:
        """Nobody has handed on anything."""
        self._readings: dict[Peer, _Reading] = {}
        self._patience = Patience()

    def forget(self, link: Peer) -> None:
        """Nothing more comes over a link."""
        self._readings.pop(link, None)

    def take(
        self, link: Peer, seat: int, own: OwnEnd, said: Copy, now: float
    ) -> LookAt | Newer | None:
        """What the next entries mean that a seat's computer hands on, asked or not.

        `Newer`: with these entries the log is closed. `LookAt`: more is to be asked for. None:
        they lead nowhere.
        """
        reading = self._readings.get(link)
        if reading is None or reading.asked != said.first:
            # To read a log that leads nowhere costs its sender less than us.
            if not self._patience.allows(seat, now):
                return None
            reading = self._readings[link] = _Reading(said.first)
        found = reading.ends.compare(own, said.first, said.entries)
        reading.pages += 1
        if isinstance(found, LookAt) and reading.pages < MOST_PAGES:
            reading.asked = found.first
            return found
        del self._readings[link]
        return found if isinstance(found, Newer) and found.term >= own.replay.term else None
