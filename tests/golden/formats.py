"""Bytes that other versions of the program and other computers read.

Sample values of every message, body and file in their encoding, and the results of reading
truncated or changed bytes; adverts, links and codes; the files of a home; logs with their stories.
"""

from __future__ import annotations

import dataclasses
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from random import Random
from types import UnionType
from typing import Any, get_args
from unittest.mock import patch

import msgspec
from msgspec.structs import replace

from lanuno.dealing.identity import Identity, fingerprint
from lanuno.log.audit.audit import audit_bytes, prove_fork
from lanuno.log.audit.copies import find_fork
from lanuno.log.audit.story import build_story
from lanuno.log.faults import AuditVerdict, Unreadable
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, CloseReason, Payload, SignedBody
from lanuno.log.format.codec import decode_with, encode
from lanuno.log.format.entries import Entry, EntryCore
from lanuno.log.format.genesis import VERSION as ROSTER_VERSION
from lanuno.log.format.genesis import (
    Genesis,
    Roster,
    SeatInfo,
    TournamentBinding,
    encode_roster,
    nonce_commitment,
    sign_roster,
)
from lanuno.log.format.transcript import Transcript, read
from lanuno.log.format.votes import ElectionVote, SignedVote, sign_vote
from lanuno.log.replay.course import Decided
from lanuno.log.tournament import TournamentReplay, TournamentTable
from lanuno.net.discovery.advert import TableAdvert, TableState, decode_txt, encode_txt, with_rules
from lanuno.net.discovery.beacon import datagram, self_test_datagram
from lanuno.net.discovery.codes import read_code, write_code
from lanuno.net.discovery.invitations import invitations
from lanuno.net.discovery.table_link import TableLink, parse_link
from lanuno.net.errors import Goodbye, NetError, NetFault
from lanuno.net.transport.framing import HEARTBEAT_FRAME, farewell_frame, message_frame
from lanuno.net.transport.handshake import ClientSide, HandshakeRefusal, HostSide, refusal_message
from lanuno.rules.engine.actions import Action
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.match.tournament import TOURNAMENT_PLAYERS
from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.store import game_rows
from lanuno.store.app_state import AppState, load_app_state, save_app_state
from lanuno.store.database import Database
from lanuno.store.errors import StoreError
from lanuno.store.game_record import GameRecord, PlayerRecord, read_game
from lanuno.store.game_rows import SCHEMA, VERSION, GameFilter, GameQuery
from lanuno.store.history import History
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile, rename
from lanuno.store.recovery import read_table, unfinished_tables
from lanuno.store.rule_sets import RuleSet, open_rule_sets, save_rule_sets
from lanuno.store.settings import Settings, open_settings, save_settings
from lanuno.store.sidecar import Sidecar
from lanuno.store.statistics import statistics
from lanuno.store.table_metadata import load_metadata, save_metadata
from lanuno.store.table_records import TableRecords
from lanuno.table import messages
from lanuno.table.metadata import TableMetadata
from tests.golden.canonical import name_of, text
from tests.golden.recording import Golden
from tests.golden.samples import beyond, sample
from tests.golden.tables import report_line
from tests.harness.log_table.log_table import (
    LogTable,
    identity,
    make_genesis,
    make_roster,
    new_table,
    nonce,
)

SAMPLES = 8
SPOILT = 6
"""The number of changed encodings of each sample."""
DAY = 86_400

Told = Callable[[bytes], object]


def outcome(function: Callable[..., object], *given: object) -> str:
    """Return the result or the error of a call, without the error's message."""
    try:
        return text(function(*given))
    except (Unreadable, NetError, StoreError, msgspec.MsgspecError) as error:
        kinds = (getattr(error, name, None) for name in ("fault", "problem", "no_game"))
        return f"{name_of(type(error))} {text([each for each in kinds if each is not None])}"


def _spoilt(data: bytes, chance: Random) -> Iterator[bytes]:
    for _ in range(SPOILT):
        start = chance.randrange(len(data))
        match chance.randrange(4):
            case 0:
                yield data[:start]
            case 1:
                yield (
                    data[:start]
                    + bytes([data[start] ^ 1 << chance.randrange(8)])
                    + data[start + 1 :]
                )
            case 2:
                yield data[:start] + chance.randbytes(1) + data[start:]
            case _:
                yield data + chance.randbytes(1)


def _encoded(kinds: Sequence[type[msgspec.Struct]], decoders: Sequence[Told]) -> Iterator[str]:
    """Yield samples of these structs as bytes, and the results of reading changed bytes."""
    for at, kind in enumerate(kinds):
        yield name_of(kind)
        for number in range(SAMPLES):
            data = encode(sample(kind, number, f"{at}"))
            yield data.hex()
            chance = Random(f"{at} {number}")
            for each in (data, *_spoilt(data, chance)):
                yield from (outcome(read_as, each) for read_as in decoders)
        for value in beyond(kind, f"{at}"):
            yield from (outcome(read_as, encode(value)) for read_as in decoders)


def _by_tag(kinds: UnionType) -> list[type[msgspec.Struct]]:
    return sorted(get_args(kinds), key=lambda kind: kind.__struct_config__.tag)


def _messages() -> Iterator[str]:
    decoders = (messages.from_peer, messages.from_host, messages.at_table)
    yield from _encoded(_by_tag(messages.FromPeer), decoders)
    yield from _encoded(_by_tag(messages.FromHost), decoders)


def _decoder(kind: Any) -> Told:
    made: msgspec.msgpack.Decoder[object] = msgspec.msgpack.Decoder(kind)
    return lambda data: decode_with(data, made)


def _log_values() -> Iterator[str]:
    yield from _encoded(_by_tag(bodies.Payload), (_decoder(bodies.Payload),))
    yield from _encoded(_by_tag(Action), (_decoder(Action),))
    shapes = (
        bodies.Body,
        bodies.SignedBody,
        EntryCore,
        Entry,
        Genesis,
        Roster,
        SeatInfo,
        TournamentBinding,
    )
    for kind in (*shapes, ElectionVote, SignedVote, Ruleset):
        yield from _encoded((kind,), (_decoder(kind),))
    yield text(sign_vote(ElectionVote(b"t" * 32, 3, 1, 2, 0, 7, b"h" * 32), identity(2)))
    table, head = b"t" * 32, b"h" * 32
    yield bodies.fill_in_digest(table, 1, identity(1).public, identity(0).public).hex()
    yield bodies.presence_digest(table, 1, head).hex()


def _geneses() -> Iterator[str]:
    """Yield the bytes of each preset, alone and in a signed genesis."""
    for name, ruleset in PRESETS.items():
        yield f"{name} {encode(ruleset).hex()}"
        for house in HOUSE_RULES:
            yield f"{name} {house} {encode(_changed(ruleset, **{house: True})).hex()}"
        for players in range(ruleset.seats_min, ruleset.seats_max + 1):
            roster = make_roster(players, ruleset, bots={players - 1: 0})
            genesis = make_genesis(roster)
            yield f"{players} {encode_roster(roster).hex()}"
            yield f"{encode(genesis).hex()} {genesis.table_id.hex()}"
            yield outcome(genesis.read)


def _changed(ruleset: Ruleset, **settings: object) -> Ruleset:
    changed: Ruleset = msgspec.structs.replace(ruleset, **settings)
    return changed


ADVERT = TableAdvert(
    id=bytes(range(16)),
    name="Cocina 🃏",
    host="Ana",
    fp=fingerprint(Identity.from_seed(bytes(32)).public),
    preset="classic",
    seats=4,
    taken=1,
    state=TableState.OPEN,
    pin=False,
    version=2,
    addresses=("192.0.2.7", "2001:db8::7", "fe80::1%eth0", "198.51.100.1"),
    port=47474,
    update=3,
)


def _adverts() -> Iterator[str]:
    """Yield the adverts of tables, and invitations to them."""
    adverts = [with_rules(ADVERT, ruleset) for ruleset in PRESETS.values()]
    adverts += [with_rules(ADVERT, _changed(PRESETS["duel"], **{n: True})) for n in HOUSE_RULES]
    adverts.append(with_rules(ADVERT, _changed(PRESETS["express"], target=90, turn_clock_s=0)))
    adverts += [
        dataclasses.replace(ADVERT, state=state, pin=True, update=0) for state in TableState
    ]
    adverts += [
        dataclasses.replace(ADVERT, port=port, id=bytes(32)) for port in (1, 47475, 47505, 65535)
    ]
    for number, advert in enumerate(adverts):
        record = encode_txt(advert)
        yield record.hex()
        chance = Random(f"advert {number}")
        for data in (record, *_spoilt(record, chance)):
            yield text(decode_txt(data, advert.addresses, advert.port))
        yield datagram(advert).hex()
        yield datagram(advert, here=False).hex()
        yield text(invitations(advert))
    yield self_test_datagram(b"12345678").hex()
    for wrong in ({"seats": 11}, {"taken": 9}, {"name": ""}, {"host": "x" * 21}, {"port": 0}):
        yield outcome(_encoded_advert, wrong)


def _encoded_advert(changes: dict[str, Any]) -> bytes:
    return encode_txt(dataclasses.replace(ADVERT, **changes))


def _invitations() -> Iterator[str]:
    """Yield links and codes as the program writes them and as users type them."""
    for host in ("192.0.2.1", "2001:db8::1", "mesa.local", "-bad", "0.0.0.0", "255.255.255.255"):
        for port in (1, 47474, 47490, 47505, 47506, 65535):
            link = TableLink(host, port, bytes(range(16)), "a2" * 16)
            yield outcome(str, link)
            yield outcome(write_code, host, port)
    good = str(TableLink("192.0.2.1", 47474, bytes(range(16)), "a2" * 16))
    code = write_code("192.0.2.1", 47474)
    typed = (good, good.upper(), f" {good}\n", good + "x", good[:-1], good.replace("#", "/"), "")
    for each in (*typed, "lanuno://", "http://192.0.2.1/"):
        yield outcome(parse_link, each)
    spoken = (code, code.lower(), code.replace("-", " "), code.replace("0", "O"), code[:-1])
    wrong = [code[:at] + letter + code[at + 1 :] for at in range(len(code)) for letter in "A7"]
    for each in (*spoken, *wrong):
        yield outcome(read_code, each)


def _connections() -> Iterator[str]:
    """Yield frames, and every message of a handshake."""
    yield HEARTBEAT_FRAME.hex()
    yield message_frame(b"hola", 64).hex()
    for size in (0, 65):
        yield outcome(message_frame, bytes(size), 64)
    yield from (f"{each.name} {farewell_frame(each).hex()}" for each in Goodbye)
    certificate, nonce = b"c" * 32, b"n" * 32
    host = HostSide(identity(0), b"lobby of a test!", certificate, nonce)
    client = ClientSide(certificate, nonce, fingerprint=fingerprint(identity(0).public))
    said = [client.hello()]
    said.append(host.receive(said[-1]))
    found = client.host(said[-1])
    said.append(client.auth(identity(1)))
    said.append(host.receive(said[-1]))
    client.welcome(said[-1])
    yield from (each.hex() for each in said)
    yield f"{text(found)} {found.fingerprint} {host.peer.hex()}"
    for code in HandshakeRefusal:
        refusal = refusal_message(code)
        other = ClientSide(certificate, nonce)
        yield f"{refusal.hex()} {outcome(other.host, refusal)}"
    yield text(list(NetFault))
    chance = Random("handshake")
    for data in said[:2]:
        for spoilt in _spoilt(data, chance):
            new = HostSide(identity(0), b"lobby of a test!", certificate, nonce)
            yield outcome(new.receive, spoilt)
            other = ClientSide(certificate, nonce)
            yield outcome(other.host, spoilt)


# ---- files ----------------------------------------------------------------------------------


def _content(folder: Path) -> Iterator[str]:
    """Yield every file below a folder: its name, its permissions and its bytes."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".sqlite3", ".lock") or path.name.endswith(("-wal", "-shm")):
            continue
        mode = path.stat().st_mode & 0o777
        data = b"" if path.is_dir() else path.read_bytes()
        shown = (
            data.decode("utf-8", "backslashreplace")
            if path.suffix == ".json"
            else sha256(data).hexdigest()
        )
        yield f"{path.relative_to(folder)} {mode:o} {len(data)} {shown}"


def _in_home(use: Callable[[Home], Iterator[str]]) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="lanuno-golden-") as folder:
        home = Home.at(Path(folder) / "home")
        home.create()
        yield from use(home)
        yield from _content(home.data)


def _random_bytes(length: int) -> bytes:
    return bytes(range(1, length + 1))


def _trouble(error: StoreError | None) -> str:
    return "none" if error is None else f"{error.problem.name} {error.path.name}"


def _profile_name(home: Home) -> str:
    return load_profile(home).name


def _profiles(home: Home) -> Iterator[str]:
    with patch("getpass.getuser", return_value="ana"):
        profile = load_profile(home, _random_bytes)
    yield f"{profile.name} {profile.identity.public.hex()}"
    yield home.identity.read_bytes().decode()
    yield rename(home, "  Añá\u3000🃏 ")
    yield load_profile(home).name
    for name in ("", "x" * 21, "a\u202eb"):
        yield outcome(rename, home, name)
    for data in (b"", b"{", b'{"name": 7}', b'{"name": "Eva", "more": 1}', b"\xff"):
        home.profile.write_bytes(data)
        yield outcome(_profile_name, home)
    rename(home, "Ana")
    home.identity.write_bytes(b"something else\n")
    yield outcome(_profile_name, home)


def _settings(home: Home) -> Iterator[str]:
    save_settings(home, Settings())
    yield home.settings.read_text("utf-8")
    for number in range(SAMPLES):
        save_settings(home, sample(Settings, number, "settings"))
        yield home.settings.read_text("utf-8")
        yield text(open_settings(home)[0])
    for data in (
        b'{"language": "en", "later": {"a": [1]}, "port": 47474}',
        b'{"language": "fr", "port": 70000, "volume": 11}',
        b'{"version": 99, "volume": 12}',
        b"[]",
        b"\xff",
    ):
        home.settings.write_bytes(data)
        settings, error = open_settings(home)
        yield f"{text(settings)} {_trouble(error)}"
        save_settings(home, msgspec.structs.replace(settings, volume=5))
        yield home.settings.read_text("utf-8")


def _memory(home: Home) -> Iterator[str]:
    for number in range(SAMPLES):
        remembered: AppState = sample(AppState, number, "remembered")
        save_app_state(home, remembered)
        yield home.app_state.read_text("utf-8")
        found, trouble = load_app_state(home)
        yield f"{text(found)} {_trouble(trouble)}"
    rules = [RuleSet(f"Mesa de {name}", ruleset) for name, ruleset in PRESETS.items()]
    rules += [RuleSet(name, _changed(PRESETS["express"], **{name: True})) for name in HOUSE_RULES]
    rules.append(RuleSet("viernes ñ", _changed(Ruleset(), format=Format.LAPS, laps=3, uno=1)))
    save_rule_sets(home, rules)
    yield home.rule_sets.read_text("utf-8")
    yield text(open_rule_sets(home)[0])
    for data in (
        b'{"version": 1, "rule_sets": [{"name": "a", "preset": "later", "settings": {}}]}',
        b'{"version": 1, "rule_sets": [{"name": "a", "preset": "duel", "settings": {"x": 1}}]}',
        b'{"version": 9, "rule_sets": []}',
        b"{",
    ):
        home.rule_sets.write_bytes(data)
        found_sets, trouble = open_rule_sets(home)
        yield f"{text(found_sets)} {_trouble(trouble)}"
    for number in range(SAMPLES):
        table = bytes([number]) * 32
        save_metadata(home, table, sample(TableMetadata, number, "arrangements"))
        yield home.table_metadata(table).read_text("utf-8")
        yield text(load_metadata(home, table))


def _table_files(home: Home) -> Iterator[str]:
    """Yield transcript and sidecar of a table, an abandoned end, and the results of reading."""
    table = new_table(3, bots={2: 0}, rounds=2).run()
    genesis, entries = table.genesis, table.entries
    records = TableRecords(home, bots=(b"b" * 32,))
    records.begin(genesis)
    for number, entry in enumerate(entries[:40]):
        records.entry(entry)
        if number % 7 == 0:
            records.secret(0, entry.hash, "round", bytes([number]) * 32)
            records.body(0, number, entry.read().signed_body)
    records.vote(
        1, encode(sign_vote(ElectionVote(b"t" * 32, 1, 0, 0, 0, 7, b"h" * 32), identity(0)))
    )
    records.stand_in(1, b"s" * 32)
    records.release(0, 300, 12, entries[11].hash)
    records.body(0, 400, entries[3].read().signed_body)
    records.other_log(20, tuple(entries[25:29]))
    records.truncate(30)
    for entry in entries[30:-3]:
        records.entry(entry)
    records.close()
    yield home.sidecar(genesis.table_id).read_bytes().hex()
    yield from _content(home.games)
    with Sidecar(home.sidecar(genesis.table_id)) as sidecar:
        yield text(sidecar.seeds())
        yield text({seat: dict(signed) for seat, signed in sidecar.signed().items()})
        yield text([sidecar.votes(), sidecar.bots(), sidecar.stand_ins(), sidecar.released()])
        yield text([sidecar.next_counter(seat) for seat in range(4)])
    os.utime(home.transcript(genesis.table_id), (DAY, DAY))
    (found,) = unfinished_tables(home, identity(0).public)
    yield text(found)
    yield text(unfinished_tables(home, identity(5).public))
    recovered = read_table(home, genesis.table_id)
    yield text(recovered)
    with home.transcript(genesis.table_id).open("ab") as file:
        file.write(b"\x00\x00\x01")
    again = TableRecords(home, resumed=True)
    again.begin(genesis)
    for entry in entries[-3:]:
        again.entry(entry)
    again.close()
    os.utime(home.transcript(genesis.table_id), (DAY, DAY))
    yield text(unfinished_tables(home, identity(0).public))
    yield text(unfinished_tables(home, identity(0).public, closed_since=DAY - 1))
    yield from _content(home.games)


def _player(seat: int, won: bool) -> PlayerRecord:
    public = identity(seat).public
    name = f"Ñandú {seat}"
    return PlayerRecord(seat, name, public, public, seat > 2, 10 * seat, won, seat, seat == 1)


def _history(home: Home) -> Iterator[str]:
    """Yield the list of games: its tables, the rows of fixed games, and the statistics."""
    base = Database(home.history, SCHEMA, VERSION)
    with base.writing() as link:
        for day in range(12):
            record = GameRecord(
                day.to_bytes(32, "big"),
                list(PRESETS)[day % 11],
                list(Format)[day % 9],
                tuple(_player(seat, seat == day % 3) for seat in range(2 + day % 4)),
                day,
                100 + day,
                1_000 * day,
                (*CloseReason, None)[day % 6],
                tournament=b"T" * 32 if day == 7 else None,
                decided=Decided.CARDS,
            )
            changed = (day + 1) * DAY * 10**9
            game_rows.write_game(link, record.table_id.hex() + ".lanuno", record, 100, changed)
            if day % 5 == 1:
                verdict = list(AuditVerdict)[day % len(AuditVerdict)].value
                link.execute(
                    "UPDATE games SET verdict = ? WHERE table_id = ?", (verdict, record.table_id)
                )
    base.close()
    yield from _database(home.history)
    history = History(home)
    me = identity(0).public
    try:
        for show in GameFilter:
            found = history.games(me, GameQuery(show=show))
            yield f"{found.total} {text([(each.record, each.ended) for each in found.games])}"
        yield text(history.games(me, GameQuery(text="ÑAN", preset="duel")).total)
        yield text(statistics(history, me))
        table = new_table(2).run()
        path = home.transcript(table.genesis.table_id)
        path.write_bytes(table.file)
        broken = path.with_name("0" * 64 + ".lanuno")
        broken.write_bytes(table.file[:200])
        for each in (path, broken):
            each.chmod(0o600)
            os.utime(each, (DAY, DAY))
        yield text(history.refresh())
        yield text([_trouble(each) for each in history.unusable()])
        game = history.game(table.genesis.table_id)
        assert game is not None
        yield f"{text(game.record)} {game.ended} {text(game.verdict)}"
    finally:
        history.close()
    yield from _database(home.history)


def _database(path: Path) -> Iterator[str]:
    with closing(sqlite3.connect(path)) as link:
        names = []
        for kind, name, sql in link.execute(
            "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
        ):
            yield f"{kind} {name} {sql}"
            names += [name] if kind == "table" else []
        yield text(link.execute("PRAGMA user_version").fetchall())
        for name in names:
            if name != "unusable":
                yield from map(text, link.execute(f"SELECT * FROM {name} ORDER BY 1, 2"))
        # The reason why a file is unusable is a message, which may be reworded.
        yield from map(text, link.execute("SELECT file, size, problem FROM unusable"))


# ---- logs -----------------------------------------------------------------------------------

LOGS = ((2, "classic"), (3, "masters"), (4, "partners"), (5, "express"), (3, "deck112"))


def _logs() -> Iterator[str]:
    """Yield the transcripts of handmade logs: their bytes, their rows, and their stories."""
    for players, preset in LOGS:
        table = new_table(players, _changed(PRESETS[preset], hand_size=2, seats_max=10)).run()
        data = table.file
        yield f"{len(data)} {sha256(data).hexdigest()}"
        yield text(read_game(read(data)))
        entries = audit_bytes(data).entries
        story = build_story(read(data), entries)
        for told in story.rounds:
            yield text(told)
        half = table.fork(len(table.entries) // 2)
        other = _other(half)
        mine = (table.genesis, table.entries)
        yield text(find_fork(mine, (other.genesis, other.entries)))
        blame = prove_fork(mine, (other.genesis, other.entries))
        yield text(None if blame is None else replace(blame, detail=""))
        # Only the last entry differs from what was signed.
        yield report_line(audit_bytes(data[:-1] + bytes([data[-1] ^ 1])))


def _other(table: LogTable) -> LogTable:
    """Return the same table with three different acts."""
    usual, left = table.choose, [3]

    def choose(log: LogTable, seat: int, acts: tuple[Action, ...]) -> Action:
        left[0] -= 1
        return acts[-1] if left[0] >= 0 else usual(log, seat, acts)

    table.choose = choose
    return table.run()


class _Seated(LogTable):
    """A table of a tournament, whose seats are not players 0, 1, 2, …"""

    players: tuple[int, ...] = ()

    @property
    def host(self) -> Identity:
        return identity(self.players[self.replay.roster.host])

    def signed(self, author: int, payload: Payload, **said: Any) -> SignedBody:
        seat = self.replay.roster.host if author == HOST else author
        return super().signed(author, payload, by=identity(self.players[seat]), **said)


def _tournament() -> Iterator[str]:
    """Yield genesis, tables, bindings, logs and points of a whole tournament."""
    rules = _changed(PRESETS["tournament"], hand_size=2, hands=1)
    tournament = TournamentReplay(make_genesis(make_roster(TOURNAMENT_PLAYERS, rules)))
    yield encode(tournament.genesis).hex()
    while not tournament.over:
        tables = [tournament.table(number) for number in tournament.missing()]
        for table in tables:
            yield text(table)
            transcript = _table_of_tournament(rules, table)
            yield f"{len(transcript.entries)} {transcript.entries[-1].hash.hex()}"
            report = tournament.add(transcript)
            assert report is not None
            yield report_line(report)
            yield text(tournament.results.public_state())
    yield text(tournament.results.winners)


def _table_of_tournament(rules: Ruleset, table: TournamentTable) -> Transcript:
    people = [(player, identity(player).public) for player in table.players]
    seats = tuple(
        SeatInfo(
            f"p{player}",
            public,
            public,
            bot=False,
            slow_clock=False,
            nonce=nonce_commitment(public, nonce(player)),
        )
        for player, public in people
    )
    roster = Roster(ROSTER_VERSION, table.lobby, 0, rules, seats, table.binding)
    data = encode_roster(roster)
    signatures = tuple(sign_roster(data, identity(player)) for player in table.players)
    genesis = Genesis(data, signatures, tuple(nonce(player) for player in table.players))
    log = _Seated(genesis)
    log.players = table.players
    log.run()
    return Transcript(genesis, tuple(log.entries), torn=False)


KINDS_OF_BYTES: dict[str, Callable[[], Iterator[str]]] = {
    "messages": _messages,
    "log-values": _log_values,
    "geneses": _geneses,
    "adverts": _adverts,
    "invitations": _invitations,
    "connections": _connections,
    "profiles": lambda: _in_home(_profiles),
    "settings": lambda: _in_home(_settings),
    "memory": lambda: _in_home(_memory),
    "table-files": lambda: _in_home(_table_files),
    "history": lambda: _in_home(_history),
    "logs": _logs,
    "tournament": _tournament,
}

FORMATS = Golden(
    "formats",
    tuple(KINDS_OF_BYTES),
    lambda case: KINDS_OF_BYTES[case](),
    tested=len(KINDS_OF_BYTES) - 1,
)
