"""What one player stores of a tournament: its genesis, and a transcript of every table.

`TournamentFiles` makes the records of the tables; `table_records.py` writes them. A program that
was interrupted finds the tournament again with `stored_tournament`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from lanuno.log.faults import Unreadable
from lanuno.log.format.genesis import Genesis
from lanuno.log.format.transcript import MAX_FILE_BYTES, Transcript, salvage, write
from lanuno.store.durable import files_in, read_bounded, write_private
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import TRANSCRIPT_SUFFIX, Home
from lanuno.store.table_metadata import save_metadata
from lanuno.store.table_records import TableRecords
from lanuno.table.metadata import TableMetadata


class StoredTournament(Struct, frozen=True):
    """The transcripts of a tournament in a home. They are not verified."""

    genesis: Genesis
    path: Path
    """The path of the genesis."""
    tables: tuple[tuple[Path, Transcript], ...]


class TournamentFiles:
    """The files of one tournament. Every method may raise `StoreError`."""

    def __init__(self, home: Home, genesis: Genesis, earlier: Sequence[Path] = ()) -> None:
        """Write the genesis, to which all tables are bound.

        `earlier`: the transcripts of the tables before, if the tournament is resumed.
        """
        self._home = home
        self._id = genesis.table_id
        self._earlier = tuple(earlier)
        self._made: list[TableRecords] = []
        self.path: Path = home.transcript(self._id)
        """The path of the genesis, stored as a transcript without entries."""
        write_private(self.path, write(genesis, ()))

    @property
    def transcripts(self) -> tuple[Path, ...]:
        """The paths of the genesis and of every table begun so far."""
        tables = [each.path for each in self._made if each.path is not None]
        return (self.path, *self._earlier, *tables)

    def played(self, *, resumed: bool = False) -> TableRecords:
        """Return records for the table of this player: transcript and secrets."""
        return self._make(TableRecords(self._home, resumed=resumed))

    def watched(self) -> TableRecords:
        """Return records for the log of the other table, without secrets."""
        return self._make(TableRecords(self._home, private=False))

    def save_metadata(self, table: bytes, metadata: TableMetadata) -> None:
        """Save the metadata of this player's table, for a restart."""
        save_metadata(self._home, table, metadata)

    def end(self) -> None:
        """Note that the tournament does not go on: no table of it is resumed any more."""
        write_private(self._home.tournament_end(self._id), b"")

    def _make(self, records: TableRecords) -> TableRecords:
        self._made.append(records)
        return records


def stored_tournament(home: Home, tournament: bytes) -> StoredTournament:
    """Return what a home holds of a tournament; slow.

    Raise `StoreError` NO_TOURNAMENT without its genesis. Other files that cannot be read are left
    out.
    """
    path = home.transcript(tournament)
    try:
        found = _transcript(path)
    except Unreadable as error:
        raise StoreError(FileProblem.NO_TOURNAMENT, path, str(error)) from None
    if found is None or found.genesis.table_id != tournament:
        raise StoreError(FileProblem.NO_TOURNAMENT, path, "not the genesis of the tournament")
    tables = []
    # A log that was watched goes on in a file beside the first one if its host has lost entries.
    for each in files_in(home.games):
        try:
            table = _transcript(each) if TRANSCRIPT_SUFFIX in each.name else None
            binding = None if table is None else table.genesis.read().binding
        except (Unreadable, StoreError):
            continue
        if table is not None and binding is not None and binding.tournament == tournament:
            tables.append((each, table))
    return StoredTournament(found.genesis, path, tuple(tables))


def _transcript(path: Path) -> Transcript | None:
    data = read_bounded(path, MAX_FILE_BYTES)
    return None if data is None else salvage(data)
