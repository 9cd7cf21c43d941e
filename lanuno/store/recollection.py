"""What a program that starts again reads back: tables that were not finished, and all about one.

Reading only; `TableRecords` goes on with the same files. What is damaged is told, never changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lanuno.dealing.identity import Identity
from lanuno.log.bodies import Close, SignedBody
from lanuno.log.codec import decode
from lanuno.log.entries import Entry
from lanuno.log.faults import Unreadable
from lanuno.log.genesis import Genesis
from lanuno.log.transcript import MAGIC
from lanuno.store.errors import Problem, StoreError
from lanuno.store.journal import read_journal
from lanuno.store.paths import TRANSCRIPT_SUFFIX, Home
from lanuno.store.sidecar import Sidecar
from lanuno.table.recall import Recall, SeatRecall


@dataclass(frozen=True, slots=True)
class UnfinishedTable:
    """A table at which this profile played, and whose log is not closed here."""

    table_id: bytes
    path: Path
    """The transcript."""
    names: tuple[str, ...]
    """Of the seats, in their order."""
    written: float
    """When something was written last, in seconds since 1970."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """One table as it was left."""

    recall: Recall
    bots: tuple[Identity, ...]
    """The bots that are played on this computer, in the order of their seats."""


def unfinished(home: Home, identity: bytes) -> tuple[UnfinishedTable, ...]:
    """The tables that a profile may go on with, newest first; damaged files are passed over."""
    found = []
    for path in home.games.glob(f"*{TRANSCRIPT_SUFFIX}"):
        try:
            records, _ = read_journal(path, MAGIC)
            genesis = decode(records[0], Genesis) if records else None
            if genesis is None or path != home.transcript(genesis.table_id):
                continue
            roster = genesis.read()
            closed = len(records) > 1 and _is_close(records[-1])
        except (StoreError, Unreadable):
            continue
        seated = identity in {seat.identity for seat in roster.seats}
        if closed or not seated or not home.sidecar(genesis.table_id).exists():
            continue
        names = tuple(seat.name for seat in roster.seats)
        table = UnfinishedTable(genesis.table_id, path, names, path.stat().st_mtime)
        found.append(table)
    return tuple(sorted(found, key=lambda table: table.written, reverse=True))


def _is_close(record: bytes) -> bool:
    body = decode(record, Entry).read().signed_body.read()
    return isinstance(body.payload, Close)


def remember(home: Home, table_id: bytes) -> Remembered:
    """Everything that was kept of a table. Raises `StoreError`; DAMAGED if it makes no sense."""
    path = home.transcript(table_id)
    records, _ = read_journal(path, MAGIC)
    try:
        genesis = decode(records[0], Genesis)
        roster = genesis.read()
        entries = tuple(decode(record, Entry) for record in records[1:])
    except (IndexError, Unreadable) as error:
        raise StoreError(Problem.DAMAGED, path, str(error)) from None
    private = home.sidecar(table_id)
    if not private.exists():
        # A new one would know of no counter, and things would be signed twice.
        raise StoreError(Problem.NOT_READABLE, private, "it is not there")
    with Sidecar(private) as sidecar:
        seeds, signed, votes = sidecar.seeds(), sidecar.signed(), dict(sidecar.votes())
        bots = [Identity.from_seed(seed) for seed in sidecar.bots()]
        bounds = {seat: sidecar.next_counter(seat) for seat in range(len(roster.seats))}
    try:
        seats = {
            seat: SeatRecall(
                dict(seeds.get(seat, {})),
                {
                    counter: decode(data, SignedBody)
                    for counter, data in signed.get(seat, {}).items()
                },
                bound,
            )
            for seat, bound in bounds.items()
            if bound or seat in seeds
        }
    except Unreadable as error:
        raise StoreError(Problem.DAMAGED, home.sidecar(table_id), str(error)) from None
    here = {bot.public: bot for bot in bots}
    playing = tuple(here[seat.identity] for seat in roster.seats if seat.identity in here)
    return Remembered(Recall(genesis, entries, seats, votes), playing)
