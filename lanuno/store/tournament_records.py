"""What one player stores of a tournament: its genesis, and a transcript of every table.

`TournamentFiles` makes the records of the tables; `table_records.py` writes them.
"""

from __future__ import annotations

from pathlib import Path

from lanuno.log.format.genesis import Genesis
from lanuno.log.format.transcript import write
from lanuno.store.durable import write_private
from lanuno.store.paths import Home
from lanuno.store.table_records import TableRecords


class TournamentFiles:
    """The files of one tournament. Every method may raise `StoreError`."""

    def __init__(self, home: Home, genesis: Genesis) -> None:
        """Write the genesis, to which all tables are bound."""
        self._home = home
        self._made: list[TableRecords] = []
        self.path: Path = home.transcript(genesis.table_id)
        """The path of the genesis, stored as a transcript without entries."""
        write_private(self.path, write(genesis, ()))

    @property
    def transcripts(self) -> tuple[Path, ...]:
        """The paths of the genesis and of every table begun so far."""
        tables = [each.path for each in self._made if each.path is not None]
        return (self.path, *tables)

    def played(self) -> TableRecords:
        """Return records for the table of this player: transcript and secrets."""
        return self._make(TableRecords(self._home))

    def watched(self) -> TableRecords:
        """Return records for the log of the other table, without secrets."""
        return self._make(TableRecords(self._home, private=False))

    def _make(self, records: TableRecords) -> TableRecords:
        self._made.append(records)
        return records
