"""The list of games: an index over the folder of transcripts, built from them alone.

A row holds what its transcript says, so the file can be deleted and rebuilt. A row also keeps the
verdict of an audit, while the transcript stays unchanged. `statistics.py` counts over the rows.

Usage: create `History(home)`, show its `set_aside_reason`, then call `refresh()` (on another
thread, since it reads all new files) and `games`. If a method raises `StoreError` DAMAGED, the rows
are unusable: call `recover()`, then `refresh()`.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from lanuno.log.faults import AuditVerdict, Unreadable
from lanuno.log.format.transcript import MAGIC, MAX_FILE_BYTES, read
from lanuno.store import game_rows
from lanuno.store.database import Database
from lanuno.store.durable import files_in, read_bounded, refusals, sync_folder
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.game_record import GameRecord, read_game
from lanuno.store.game_rows import LONGEST_PAGE, SCHEMA, VERSION, Game, GamePage, GameQuery
from lanuno.store.paths import TRANSCRIPT_SUFFIX, Home, hold
from lanuno.system import files

MOST_GAMES = 100_000
"""The maximum number of files read from the folder, more than anybody can play in a lifetime."""

_TRANSCRIPT = re.compile(r"[0-9a-f]{64}" + re.escape(TRANSCRIPT_SUFFIX))


class History:
    """The open list of games of one home. Every method may raise `StoreError`."""

    def __init__(self, home: Home) -> None:
        """Open or create the list. An unusable file is set aside: see `set_aside_reason`."""
        self.home = home
        self._database = Database(home.history, SCHEMA, VERSION)

    @property
    def set_aside_reason(self) -> StoreError | None:
        """Why an earlier list was set aside; `refresh` rebuilds it."""
        return self._database.set_aside_reason

    # ---- keeping up with the folder -----------------------------------------------------------

    def refresh(self, progress: Callable[[int], None] | None = None) -> int:
        """Read the transcripts that are new or changed, newest first; remove those that are gone.

        Return how many files were read. The call may be interrupted at any moment and repeated.
        `progress` is called after each file with the number of those that are left.
        """
        there = self._files()
        known = self._known()
        gone = [name for name in known if name not in there]
        new = [name for name, state in there.items() if known.get(name) != state]
        new.sort(key=lambda name: there[name][1], reverse=True)
        self._forget(gone)
        for left, name in zip(reversed(range(len(new))), new, strict=True):
            self._index(name)
            if progress is not None:
                progress(left)
        return len(new)

    def rebuild(self) -> int:
        """Delete all rows and read them again. Verdicts of audits are lost."""
        with self._database.writing() as link:
            link.execute("DELETE FROM games")
            link.execute("DELETE FROM unusable")
        return self.refresh()

    def recover(self) -> None:
        """Set the list aside as damaged, and begin a new one."""
        self._database.replace(StoreError(FileProblem.DAMAGED, self._database.path))

    def add(self, table_id: bytes, verdict: AuditVerdict | None = None) -> None:
        """Read one game that is new or changed, and store the `verdict` of its audit, if any.

        A transcript that cannot be used is listed as such (`unusable`).
        """
        self._index(table_id.hex() + TRANSCRIPT_SUFFIX)
        if verdict is not None:
            with self._database.writing() as link:
                link.execute(
                    "UPDATE games SET verdict = ? WHERE table_id = ?", (verdict.value, table_id)
                )

    def _files(self) -> dict[str, tuple[int, int]]:
        """Return the size and time of every transcript in the folder, by name."""
        paths = [each for each in files_in(self.home.games) if _TRANSCRIPT.fullmatch(each.name)]
        found: dict[str, tuple[int, int]] = {}
        with refusals(self.home.games, FileProblem.NOT_READABLE):
            for path in paths[:MOST_GAMES]:
                with contextlib.suppress(FileNotFoundError):
                    status = path.stat()
                    found[path.name] = (status.st_size, status.st_mtime_ns)
        return found

    def _known(self) -> dict[str, tuple[int, int]]:
        found: dict[str, tuple[int, int]] = {}
        with self._database.reading() as link:
            for table, *state in link.execute("SELECT table_id, size, changed_ns FROM games"):
                found[table.hex() + TRANSCRIPT_SUFFIX] = (state[0], state[1])
            for name, *state in link.execute("SELECT file, size, changed_ns FROM unusable"):
                found[name] = (state[0], state[1])
        return found

    def _forget(self, names: Sequence[str]) -> None:
        if not names:
            return
        tables = [(_table_of(name),) for name in names]
        with self._database.writing() as link:
            link.executemany("DELETE FROM games WHERE table_id = ?", tables)
            link.executemany("DELETE FROM unusable WHERE file = ?", [(name,) for name in names])

    def _index(self, name: str) -> None:
        """Read one transcript and replace its rows."""
        path = self.home.games / name
        size = changed = 0
        try:
            with refusals(path, FileProblem.NOT_READABLE):
                status = path.stat()
            size, changed = status.st_size, status.st_mtime_ns
            record = _read(path)
        except StoreError as error:
            if not os.path.lexists(path):
                self._forget([name])
                return
            row = (name, size, changed, error.problem.name, error.detail)
            with self._database.writing() as link:
                link.execute("DELETE FROM games WHERE table_id = ?", (_table_of(name),))
                link.execute("INSERT OR REPLACE INTO unusable VALUES (?, ?, ?, ?, ?)", row)
            return
        if record is None:
            self._forget([name])
            return
        with self._database.writing() as link:
            game_rows.write_game(link, name, record, size, changed)

    # ---- reading ------------------------------------------------------------------------------

    def games(
        self, me: bytes, query: GameQuery | None = None, *, offset: int = 0, limit: int = 50
    ) -> GamePage:
        """Return the games that match a query, newest first; at most `LONGEST_PAGE` per call.

        `me` is the identity of the person who asks.
        """
        with self.reading() as link:
            return game_rows.game_page(link, self.home, me, query or GameQuery(), offset, limit)

    def game(self, table_id: bytes) -> Game | None:
        """Return one game, or None if it is not in the list."""
        with self.reading() as link:
            return game_rows.game_by_id(link, self.home, table_id)

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Read one consistent state. Raise DAMAGED for a row that this program did not write."""
        with self._database.reading() as link:
            try:
                yield link
            except (TypeError, ValueError, KeyError, msgspec.ValidationError) as error:
                raise StoreError(FileProblem.DAMAGED, self._database.path, str(error)) from error

    def unusable(self) -> tuple[StoreError, ...]:
        """Return the transcripts that cannot be used, each with the reason."""
        with self.reading() as link:
            rows = link.execute(
                "SELECT file, problem, detail FROM unusable ORDER BY file LIMIT ?", (LONGEST_PAGE,)
            ).fetchall()
            return tuple(
                StoreError(FileProblem[problem], self.home.games / name, detail)
                for name, problem, detail in rows
            )

    # ---- deleting -----------------------------------------------------------------------------

    def delete(self, table_id: bytes) -> None:
        """Delete a game for good: all its files in this home, and its rows.

        Raise IN_USE, and delete nothing, while the game is being played. Private files are deleted
        first and the transcript last: a partly deleted game stays in the list and can be deleted
        again.
        """
        path = self.home.transcript(table_id)
        with _held(path):
            for folder in (self.home.private, self.home.games):
                files = [each for each in files_in(folder) if table_id.hex() in each.name]
                with refusals(folder, FileProblem.NOT_WRITABLE):
                    for each in files:
                        if each != path:
                            each.unlink(missing_ok=True)
                if files:
                    sync_folder(folder)
            with refusals(path, FileProblem.NOT_WRITABLE):
                path.unlink(missing_ok=True)
        if self.home.games.is_dir():
            sync_folder(self.home.games)
        self._forget([path.name])

    def close(self) -> None:
        """Close the list."""
        self._database.close()


def _table_of(name: str) -> bytes:
    return bytes.fromhex(name.removesuffix(TRANSCRIPT_SUFFIX))


def _read(path: Path) -> GameRecord | None:
    """Return the game of a transcript, or None if its table never began."""
    data = read_bounded(path, MAX_FILE_BYTES)
    if data is None:
        raise StoreError(FileProblem.NOT_READABLE, path, "it is not there")
    if MAGIC.startswith(data):
        return None
    try:
        record = read_game(read(data))
    except Unreadable as error:
        raise StoreError(FileProblem.DAMAGED, path, str(error)) from None
    if record.table_id != _table_of(path.name):
        raise StoreError(FileProblem.FOREIGN, path, "not the name of its table")
    return record


@contextlib.contextmanager
def _held(path: Path) -> Iterator[None]:
    """Lock the transcript, if it exists, so that its table cannot be played in this context."""
    with refusals(path, FileProblem.NOT_WRITABLE):
        try:
            file = files.open_to_read(path, follow=False)
        except FileNotFoundError:
            file = -1
    try:
        if file >= 0:
            hold(file, path)
        yield
    finally:
        if file >= 0:
            os.close(file)
