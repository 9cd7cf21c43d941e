"""Mistakes that somebody could make in the machines: the simulation has to find each of them.

Mistakes of an election that need two candidates at one moment (a forgotten vote, an acknowledgement
of a lower term) are found by the search of all histories in `tests/table/election_model.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from unittest.mock import patch

from lanuno.log.genesis import Genesis
from lanuno.table import chores
from lanuno.table.election import Election, Standing
from lanuno.table.messages import Ack, AskVote, FromHost
from lanuno.table.outputs import Output, Sync, ToHost
from lanuno.table.recall import Recall
from lanuno.table.session import Session
from tests.sim.disk import Disk

Plant = Callable[[], AbstractContextManager[object]]


def _early_key() -> AbstractContextManager[object]:
    """Secrets are published without waiting until what asks for them is firm."""
    return patch.object(chores, "RELEASES", frozenset())


def _no_fsync() -> AbstractContextManager[object]:
    """Entries are acknowledged before they are on the disk."""
    honest = Session.receive

    def hasty(self: Session, message: FromHost) -> list[Output]:
        out = honest(self, message)
        syncs = [each.count for each in out if isinstance(each, Sync)]
        return out + [ToHost(Ack(count)) for count in syncs]

    return patch.object(Session, "receive", hasty)


def _wrong_vote() -> AbstractContextManager[object]:
    """A vote is given to a log that is behind."""

    def anybody(self: Election, seat: int, asked: AskVote, standing: Standing) -> bool:
        return standing.term < asked.term and asked.term > self.promised

    return patch.object(Election, "_would_vote", anybody)


def _double_sign() -> AbstractContextManager[object]:
    """A program that starts again begins to count where its log ends."""
    honest = Disk.recall

    def careless(self: Disk, genesis: Genesis) -> Recall:
        found = honest(self, genesis)
        seats = {
            seat: replace(kept, bodies={}, next_counter=0) for seat, kept in found.seats.items()
        }
        return replace(found, seats=seats)

    return patch.object(Disk, "recall", careless)


PLANTED: dict[str, tuple[Plant, str]] = {
    "early key": (_early_key, "publishes a secret"),
    "forgotten fsync": (_no_fsync, "acknowledges"),
    "wrong vote": (_wrong_vote, ""),
    "double sign": (_double_sign, "two bodies"),
}
"""By name: the mistake, and a word of what is said when it is found."""
