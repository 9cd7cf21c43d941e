"""The results of the parsers for the bytes in the fuzzer's corpus: a value, or which error.

The bytes represent input from strangers, other versions and broken disks. Error messages are for
developers and may be reworded; the type of the error must not change.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from lanuno.log.audit.audit import audit_bytes
from lanuno.log.format.bodies import Body, Payload
from lanuno.log.format.codec import decode, decode_with
from lanuno.log.format.entries import Entry, EntryCore
from lanuno.log.format.genesis import Genesis, check_roster, read_roster
from lanuno.log.format.names import clean_name
from lanuno.log.format.transcript import MAGIC, read
from lanuno.net.discovery.advert import decode_txt
from lanuno.net.discovery.beacon import BeaconTables
from lanuno.net.discovery.codes import read_code
from lanuno.net.discovery.table_link import parse_link
from lanuno.net.discovery.table_list import TableList
from lanuno.net.transport.framing import Decoder
from lanuno.net.transport.handshake import ClientSide, HostSide
from lanuno.store.app_state import read_app_state
from lanuno.store.journal import read_journal
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile
from lanuno.store.settings import load_settings
from lanuno.store.sidecar import Sidecar
from lanuno.store.table_metadata import load_metadata
from lanuno.table.messages import at_table, from_host, from_peer
from tests.fuzz.parsers import CORPUS
from tests.golden.formats import outcome
from tests.golden.tables import report_line
from tests.harness.log_table.log_table import identity

SOURCE = "192.0.2.1"
TABLE = b"t" * 32
LIMIT = 1024
_payloads: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(Payload)


def _frames(data: bytes) -> object:
    decoder = Decoder(LIMIT)
    found = decoder.feed(data)
    fault = decoder.fault
    return found, None if fault is None else fault.fault, decoder.unfinished


def _greeting(data: bytes) -> bytes:
    host = HostSide(identity(0), b"c" * 16, b"h" * 32, b"n" * 32)
    return host.receive(data[:-97]) + host.receive(data[-97:]) + host.peer


def _answer(data: bytes) -> object:
    return ClientSide(b"h" * 32, b"n" * 32).host(data)


def _genesis(data: bytes) -> object:
    return decode(data, Genesis).read()


def _roster(data: bytes) -> object:
    roster = read_roster(data)
    check_roster(roster)
    return roster


def _transcript(data: bytes) -> object:
    found = read(data)
    return len(found.entries), found.torn


def _beacon(data: bytes) -> object:
    heard = TableList()
    BeaconTables(heard).receive(data, SOURCE, 0.0)
    return dict(heard.tables)


def _typed(parse: Callable[[str], object]) -> Callable[[bytes], object]:
    return lambda data: parse(data.decode("utf-8", "replace"))


def _kept(
    place: Callable[[Home], Path], load: Callable[[Home], object]
) -> Callable[[bytes], object]:
    """Return a function that loads a file with the given bytes."""

    def fed(data: bytes) -> object:
        with tempfile.TemporaryDirectory(prefix="lanuno-golden-") as folder:
            home = Home.at(Path(folder) / "home")
            home.create()
            place(home).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            place(home).write_bytes(data)
            place(home).chmod(0o600)
            return load(home)

    return fed


def _sidecar(home: Home) -> object:
    with Sidecar(home.sidecar(TABLE)) as found:
        kept = (found.seeds(), found.votes(), found.bots(), found.stand_ins(), found.released())
        return kept, found.next_counter(0), found.torn is None


def _journal(home: Home) -> object:
    records, torn = read_journal(home.transcript(TABLE), MAGIC)
    return records, torn is None


READERS: dict[str, Callable[[bytes], object]] = {
    "answer": _answer,
    "arrangements": _kept(
        lambda home: home.table_metadata(TABLE), lambda home: load_metadata(home, TABLE)
    ),
    "at_table": at_table,
    "audit": lambda data: report_line(audit_bytes(data)),
    "beacon": _beacon,
    "body": lambda data: decode(data, Body),
    "code": _typed(read_code),
    "core": lambda data: decode(data, EntryCore),
    "entry": lambda data: decode(data, Entry),
    "frames": _frames,
    "from_host": from_host,
    "from_peer": from_peer,
    "genesis": _genesis,
    "greeting": _greeting,
    "journal": _kept(lambda home: home.transcript(TABLE), _journal),
    "link": _typed(parse_link),
    "name": _typed(clean_name),
    "payload": lambda data: decode_with(data[2:], _payloads),
    "profile": _kept(lambda home: home.profile, lambda home: load_profile(home).name),
    "remembered": _kept(lambda home: home.app_state, read_app_state),
    "roster": _roster,
    "settings": _kept(lambda home: home.settings, load_settings),
    "sidecar": _kept(lambda home: home.sidecar(TABLE), _sidecar),
    "transcript": _transcript,
    "txt": lambda data: decode_txt(data, (SOURCE,), 47474),
}
"""Readers by the folder of the corpus."""
LONGEST = 100
"""The longest value in letters that is shown in full; of a longer one, its start and a digest."""


def answers() -> Iterator[str]:
    """Yield one line for every stored file: its bytes and the result of reading them."""
    for folder in sorted(CORPUS.iterdir()):
        for file in sorted(folder.iterdir()):
            data = file.read_bytes()
            told = outcome(READERS[folder.name], data)
            if len(told) > LONGEST:
                told = f"{told[:40]}… {sha256(told.encode()).hexdigest()[:16]}"
            yield f"{folder.name}/{file.name} {sha256(data).hexdigest()[:8]} {told!a}"
