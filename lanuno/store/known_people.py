"""The people with whom this player has signed a game, and the tables of those games.

Read from the beginning of the transcripts, and stored nowhere else. Sharing a waiting room is not
enough: a roster is signed by all its players, so a name in it was confirmed by its key.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from heapq import nlargest
from pathlib import Path

from msgspec import Struct

from lanuno.dealing.identity import fingerprint
from lanuno.log.faults import Unreadable
from lanuno.log.format.genesis import Roster
from lanuno.log.format.names import look_alike
from lanuno.log.format.transcript import LENGTH_BYTES, MAGIC, MAX_RECORD_BYTES, salvage
from lanuno.store.durable import read_bounded, refusals
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile
from lanuno.store.recovery import transcripts
from lanuno.store.table_metadata import load_metadata

MOST_GAMES = 500
"""Limit for the games that are read, newest first."""
MOST_KNOWN = 200
"""Limit for the names of people, and for those of tables."""

_BEGINNING = len(MAGIC) + LENGTH_BYTES + MAX_RECORD_BYTES


class KnownName(Struct, frozen=True):
    """A name, and the key that had it in a game."""

    name: str
    """Text from outside."""
    fingerprint: str


class KnownPeople(Struct, frozen=True):
    """Who is known, by name and key. Newest first."""

    people: tuple[KnownName, ...] = ()
    tables: tuple[KnownName, ...] = ()
    """Names of tables, with the keys of their players: each may have become the host."""
    me: str = ""
    """The fingerprint of this player, who never looks like another one."""

    def name_of(self, key: str) -> str | None:
        """Return the last name of the person with this key, or None if no game was signed."""
        return next((each.name for each in self.people if each.fingerprint == key), None)

    def person_like(self, name: str, key: str) -> str:
        """Return the name of a known person that looks like this one but has another key, or ""."""
        return self._other_key(self.people, name, key)

    def table_like(self, name: str, key: str) -> str:
        """Return the name of a known table that looks like this one, of another key, or ""."""
        return self._other_key(self.tables, name, key)

    def _other_key(self, known: Iterable[KnownName], name: str, key: str) -> str:
        alike = [each for each in known if look_alike(each.name, name)]
        if not alike or key == self.me or any(each.fingerprint == key for each in alike):
            return ""
        return alike[0].name


def load_known_people(home: Home) -> KnownPeople:
    """Return who is known in this home; files that cannot be read are left out.

    A home without games stays as it is. Raise `StoreError` if the folder or the profile cannot be
    read.
    """
    written = {}
    for path in transcripts(home):
        with refusals(path, FileProblem.NOT_READABLE), suppress(FileNotFoundError):
            written[path] = path.stat().st_mtime
    if not written:
        return KnownPeople()
    me = load_profile(home).identity.public
    people: dict[KnownName, None] = {}
    tables: dict[KnownName, None] = {}
    for path in nlargest(MOST_GAMES, written, key=written.__getitem__):
        with suppress(StoreError, Unreadable):
            table_id, roster = _roster(home, path)
            if all(seat.identity != me for seat in roster.seats):
                continue
            metadata = load_metadata(home, table_id)
            for seat in roster.seats:
                if seat.bot:
                    continue
                key = fingerprint(seat.identity)
                if seat.identity != me:
                    people[KnownName(seat.name, key)] = None
                if metadata is not None and metadata.name:
                    tables[KnownName(metadata.name, key)] = None
    return KnownPeople(tuple(people)[:MOST_KNOWN], tuple(tables)[:MOST_KNOWN], fingerprint(me))


def _roster(home: Home, path: Path) -> tuple[bytes, Roster]:
    """Return the id and the roster of a transcript, with all signatures checked."""
    data = read_bounded(path, _BEGINNING, beginning=True) or b""
    genesis = salvage(data).genesis
    if path != home.transcript(genesis.table_id):
        raise Unreadable("not the name of its table")
    return genesis.table_id, genesis.read()
