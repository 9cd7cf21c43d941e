"""Reading what a restarted program needs: the unfinished tables, and the state of one of them.

`TableRecords` continues the same files. Damaged files are reported and never changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from lanuno.dealing.identity import Identity
from lanuno.log.faults import HostFault, Unreadable
from lanuno.log.format.bodies import Close, SignedBody
from lanuno.log.format.codec import decode
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis, Roster
from lanuno.log.format.transcript import MAGIC
from lanuno.log.replay.replay import Replay
from lanuno.store.durable import files_in, refusals
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.journal import read_journal
from lanuno.store.paths import TRANSCRIPT_SUFFIX, Home
from lanuno.store.sidecar import Sidecar
from lanuno.table.recovery import RecoveredSeat, RecoveredState
from lanuno.table.released_secrets import Released

_BEGINNING = "its beginning: "


class UnfinishedTable(Struct, frozen=True):
    """A table at which this profile played and whose log is not closed here."""

    table_id: bytes
    path: Path
    """The path of the transcript."""
    names: tuple[str, ...]
    """The names of the players, in the order of the seats."""
    written: float
    """The time of the last write, in seconds since 1970."""
    roster: Roster
    """The seats, the rules, and the lobby id under which the table was announced at first."""
    closed: bool = False
    """Whether the log is closed: by this profile as its host, so that other nodes may lack the end,
    or at a table of a tournament that goes on."""

    @property
    def rotation(self) -> int:
        """The rotation of a tournament, from 0; 0 for any other table."""
        return 0 if self.roster.binding is None else self.roster.binding.rotation


class StoredTable(Struct, frozen=True):
    """The state of one table when its program ended."""

    state: RecoveredState
    bots: tuple[Identity, ...]
    """The bots that play on this computer, in the order of their seats."""


def unfinished_tables(
    home: Home,
    identity: bytes,
    report: Callable[[StoreError], object] | None = None,
    *,
    closed_since: float | None = None,
    rotation_since: float | None = None,
) -> tuple[UnfinishedTable, ...]:
    """Return the tables that a profile may resume, newest first.

    `closed_since` adds those that this profile has closed as their host since that time (seconds
    since 1970), because it may have been interrupted before all other nodes had the end of the log.
    `rotation_since` adds the last table of a tournament, if it was closed since that time: the
    other players may wait for this one.

    `report` receives the error for every table file that cannot be used; such a file is not
    changed. Raise `StoreError` NOT_READABLE if the folder itself cannot be read.
    """
    found = []
    for path in transcripts(home):
        try:
            table = _unfinished(home, identity, path, closed_since, rotation_since)
        except StoreError as error:
            if report is not None:
                report(error)
            continue
        if table is not None:
            found.append(table)
    matches: dict[bytes, UnfinishedTable] = {}
    for table in sorted(found, key=lambda table: table.rotation):
        binding = table.roster.binding
        matches[table.table_id if binding is None else binding.tournament] = table
    return tuple(sorted(matches.values(), key=lambda table: table.written, reverse=True))


def transcripts(home: Home) -> tuple[Path, ...]:
    """Return the files in the games folder that are named like transcripts.

    A missing folder has none. Raise `StoreError` NOT_READABLE.
    """
    return tuple(path for path in files_in(home.games) if path.name.endswith(TRANSCRIPT_SUFFIX))


def _unfinished(
    home: Home,
    identity: bytes,
    path: Path,
    closed_since: float | None,
    rotation_since: float | None,
) -> UnfinishedTable | None:
    records, _ = read_journal(path, MAGIC)
    if not records:
        return None  # the table never began: the program ended while creating the file
    with _parsing(path, _BEGINNING):
        genesis = decode(records[0], Genesis)
    if path != home.transcript(genesis.table_id):
        raise StoreError(FileProblem.FOREIGN, path, "not the name of its table")
    private = home.sidecar(genesis.table_id)
    closed = _closed(path, records)
    with refusals(path, FileProblem.NOT_READABLE):
        written = path.stat().st_mtime
    needed = closed_since is not None and written >= closed_since
    recent = rotation_since is not None and written >= rotation_since
    if (closed and not needed and not recent) or not _is_there(private):
        return None
    with _parsing(path, _BEGINNING):
        roster = genesis.read()
    if roster.is_tournament or identity not in {seat.identity for seat in roster.seats}:
        return None
    binding = roster.binding
    if binding is not None and _is_there(home.tournament_end(binding.tournament)):
        return None
    awaited = recent and binding is not None
    if closed and not needed and not awaited:
        return None
    replay = check_log(path, genesis, _entries(path, records))
    if closed and not awaited and replay.roster.seats[replay.host].identity != identity:
        return None
    names = tuple(seat.name for seat in roster.seats)
    return UnfinishedTable(genesis.table_id, path, names, written, roster, closed)


def _closed(path: Path, records: Sequence[bytes]) -> bool:
    """Whether the log is closed; a proof against the host may follow its end."""
    for record in records[1:][-2:]:
        (entry,) = _entries(path, (b"", record))
        try:
            if isinstance(entry.read().signed_body.read().payload, Close):
                return True
        except Unreadable:
            continue  # a proven fault of the host, see `check_log`
    return False


def _is_there(path: Path) -> bool:
    with refusals(path, FileProblem.NOT_READABLE):
        return path.exists()


@contextmanager
def _parsing(path: Path, part: str) -> Iterator[None]:
    """Report a part of a file as damaged if it cannot be read."""
    try:
        yield
    except Unreadable as error:
        raise StoreError(FileProblem.DAMAGED, path, f"{part}{error}") from None


def _entries(path: Path, records: Sequence[bytes]) -> tuple[Entry, ...]:
    found = []
    for number, record in enumerate(records[1:]):
        with _parsing(path, f"entry {number}: "):
            found.append(decode(record, Entry))
    return tuple(found)


def check_log(path: Path, genesis: Genesis, entries: Sequence[Entry]) -> Replay:
    """Return the replay of a journal of this profile.

    Raise `StoreError`: EVIDENCE if its last entry is validly signed and proves a fault of its host,
    which stopped the game; DAMAGED if the log is invalid for another reason.
    """
    with _parsing(path, _BEGINNING):
        replay = Replay(genesis)
    for number, entry in enumerate(entries):
        try:
            replay.follow(entry)
        except HostFault as fault:
            proof = fault.blame.seat is not None and number == len(entries) - 1
            problem = FileProblem.EVIDENCE if proof else FileProblem.DAMAGED
            raise StoreError(problem, path, f"entry {number}: {fault.blame.detail}") from None
    return replay


def read_table(home: Home, table_id: bytes) -> StoredTable:
    """Return everything stored about a table.

    Raise `StoreError`: DAMAGED if the content is invalid, EVIDENCE if a proof against the host
    stopped the game, FOREIGN if the file is named after another table, NOT_READABLE if the sidecar
    is gone, IN_USE if another program plays there, or any error of opening a file.
    """
    path = home.transcript(table_id)
    records, _ = read_journal(path, MAGIC)
    if not records:
        raise StoreError(FileProblem.DAMAGED, path, "nothing is in it")
    with _parsing(path, _BEGINNING):
        genesis = decode(records[0], Genesis)
    if genesis.table_id != table_id:
        raise StoreError(FileProblem.FOREIGN, path, "not the name of its table")
    with _parsing(path, _BEGINNING):
        roster = genesis.read()
    entries = _entries(path, records)
    check_log(path, genesis, entries)
    private = home.sidecar(table_id)
    if not _is_there(private):
        # A new sidecar would know no counters, and counters would be used twice.
        raise StoreError(FileProblem.NOT_READABLE, private, "it is not there")
    with Sidecar(private) as sidecar:
        stand_ins = {s: Identity.from_seed(seed) for s, seed in sidecar.stand_ins().items()}
        seeds, signed, votes = sidecar.seeds(), sidecar.signed(), dict(sidecar.votes())
        bots = [Identity.from_seed(seed) for seed in sidecar.bots()]
        bounds = {seat: sidecar.next_counter(seat) for seat in range(len(roster.seats))}
        last = sidecar.released()
    seats: dict[int, RecoveredSeat] = {}
    with _parsing(private, ""):
        for seat, bound in bounds.items():
            if bound or seat in seeds:
                kept = signed.get(seat, {}).items()
                sent = {counter: decode(data, SignedBody) for counter, data in kept}
                seats[seat] = RecoveredSeat(dict(seeds.get(seat, {})), sent, bound)
    here = {bot.public: bot for bot in bots}
    playing = tuple(here[seat.identity] for seat in roster.seats if seat.identity in here)
    released = None if last is None else Released(*last)
    recovered = RecoveredState(genesis, entries, seats, votes, released, stand_ins=stand_ins)
    return StoredTable(recovered, playing)
