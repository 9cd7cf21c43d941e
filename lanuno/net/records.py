"""What a driver needs from whoever keeps a table on disk. The files are `lanuno.store`'s."""

from __future__ import annotations

from typing import Protocol

from lanuno.log.bodies import SignedBody
from lanuno.log.entries import Entry
from lanuno.log.genesis import Genesis
from lanuno.table import outputs
from lanuno.table.outputs import Output


class Records(Protocol):
    """Keeps what one computer must not lose of one table."""

    def begin(self, genesis: Genesis) -> None:
        """The table has begun, or goes on; it may be said twice."""

    def entry(self, entry: Entry) -> None:
        """The next entry of the log, or the one that broke it; survives this program."""

    def sync(self) -> None:
        """Every entry so far survives a loss of power when this returns; called on a thread."""

    def cut(self, count: int) -> None:
        """The log goes on behind its first `count` entries; what followed is set aside."""

    def secret(self, seat: int, opened: bytes, label: str, secret: bytes) -> None:
        """A seed, before its commitment is sent."""

    def body(self, seat: int, counter: int, signed: SignedBody) -> None:
        """Own signed bytes, before they are sent."""

    def bot(self, seat: int, seed: bytes) -> None:
        """The key of a bot that fills a chair, before it is used."""

    def vote(self, term: int, data: bytes) -> None:
        """An own vote, before it is sent."""

    def release(self, seat: int, counter: int, count: int, head: bytes) -> None:
        """A body is about to release a secret for the last of `count` entries."""

    def other_end(self, count: int, entries: tuple[Entry, ...]) -> None:
        """Entries that others have behind the first `count` of the log: to be set aside."""

    def close(self) -> None:
        """Nothing more will come."""


def keep(records: Records, output: Output) -> bool:
    """Keep what a machine wants to be kept; False if that is not what it wants."""
    match output:
        case outputs.KeepEntry():
            records.entry(output.entry)
        case outputs.KeepSecret():
            records.secret(output.seat, output.open, output.label, output.secret)
        case outputs.KeepBody():
            records.body(output.seat, output.counter, output.signed)
        case outputs.KeepBot():
            records.bot(output.seat, output.seed)
        case outputs.KeepVote():
            records.vote(output.term, output.data)
        case outputs.KeepGenesis():
            records.begin(output.genesis)
        case outputs.CutEntries():
            records.cut(output.count)
        case outputs.KeepRelease():
            records.release(output.seat, output.counter, output.count, output.head)
        case outputs.KeepOtherEnd():
            records.other_end(output.count, output.entries)
        case _:
            return False
    return True
