"""A changed transcript is never verified, and no change makes the audit fail.

An attacker without keys changes any byte, range or record. The host can sign everything again, but
not what the players signed.
"""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from lanuno.log.audit.audit import Report, audit_bytes
from lanuno.log.faults import AuditVerdict, BodyRefused, Fault
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, Body, SignedBody, sign_body
from lanuno.log.format.codec import encode
from lanuno.log.format.entries import Entry, EntryCore, sign_entry
from lanuno.log.format.transcript import LENGTH_BYTES, MAGIC, record, write
from lanuno.log.replay.replay import Replay
from lanuno.log.round.round_audit import is_proof
from tests.harness.log_table.log_table import LogTable, identity, new_table
from tests.log.conftest import SINGLE

HOW = ("flip", "delete", "swap", "repeat", "cut", "insert", "zero")


@pytest.fixture(scope="module")
def victim() -> LogTable:
    """The transcript to tamper with: two players, up to the end of the match."""
    table = new_table(2, SINGLE, salt=2).run()
    assert table.audit().verdict is AuditVerdict.VERIFIED
    return table


def never_verified(data: bytes) -> Report:
    report = audit_bytes(data)
    assert report.verdict in (
        AuditVerdict.CHANGED,
        AuditVerdict.INCOMPLETE,
        AuditVerdict.UNREADABLE,
    )
    assert all(blame.seat is None for blame in report.blame), report.blame
    assert not any(map(is_proof, report.blame))
    return report


def tampered(data: bytes, how: str, chance: Random) -> bytes:
    """Change a byte range so that the bytes differ."""
    while True:
        start = chance.randrange(len(data))
        end = min(len(data), start + chance.choice((1, 1, 2, 4, 33, 64, 700, 9_000)))
        piece = data[start:end]
        match how:
            case "flip":
                mask = chance.randbytes(1) * len(piece)
                piece = bytes(a ^ b for a, b in zip(piece, mask, strict=True))
            case "delete":
                piece = b""
            case "swap":
                piece = piece[len(piece) // 2 :] + piece[: len(piece) // 2]
            case "repeat":
                piece += piece
            case "cut":
                end = len(data)
                piece = b""
            case "insert":
                piece = chance.randbytes(chance.choice((1, 4, 33))) + piece
            case _:
                piece = bytes(len(piece))
        changed = data[:start] + piece + data[end:]
        if changed != data:
            return changed


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("seed", range(2))
def test_any_byte_range(victim: LogTable, how: str, seed: int) -> None:
    chance = Random(f"{how} {seed}")
    for _ in range(18):
        never_verified(tampered(victim.file, how, chance))


def test_every_byte_of_the_framing_and_of_both_ends(victim: LogTable) -> None:
    """The bytes are the magic number, the genesis, all record lengths and the last record."""
    data, places = victim.file, set(range(len(MAGIC)))
    place = last = len(MAGIC)
    while place < len(data):
        places |= set(range(place, place + LENGTH_BYTES))
        last = place
        place += LENGTH_BYTES + int.from_bytes(data[place : place + LENGTH_BYTES], "big")
    chance = Random(7)
    genesis = len(MAGIC) + LENGTH_BYTES
    places |= set(chance.sample(range(genesis, genesis + len(encode(victim.genesis))), 40))
    for at in sorted(places):
        never_verified(data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :])
    for at in chance.sample(range(last, len(data)), 25):
        never_verified(data[:at] + bytes([data[at] ^ 0x40]) + data[at + 1 :])


def flipped(data: bytes, at: int, bit: int) -> bytes:
    return data[:at] + bytes([data[at] ^ (1 << bit)]) + data[at + 1 :]


def test_one_bit_of_any_part_makes_a_changed_file_and_no_accusation(victim: LogTable) -> None:
    """The bits belong to the genesis or an entry; a changed length could look like a cut file."""
    data, chance = victim.file, Random(14)
    place, valid_records = len(MAGIC), 0
    while place < len(data):
        start = place + LENGTH_BYTES
        end = start + int.from_bytes(data[place:start], "big")
        for at in (start, chance.randrange(start, end)):
            report = never_verified(flipped(data, at, chance.randrange(8)))
            assert (report.verdict, report.no_game) == (AuditVerdict.CHANGED, None), at
            assert report.entries == max(0, valid_records - 1), "everything before it is checked"
        place, valid_records = end, valid_records + 1
    assert valid_records == len(victim.entries) + 1


# ---- whole records --------------------------------------------------------------------------


def records(table: LogTable) -> list[bytes]:
    return [encode(table.genesis), *map(encode, table.entries)]


def framed(parts: list[bytes]) -> bytes:
    return MAGIC + b"".join(record(part) for part in parts)


def test_records_deleted_repeated_and_swapped(victim: LogTable) -> None:
    parts = records(victim)
    assert framed(parts) == victim.file
    for at in range(len(parts)):
        never_verified(framed(parts[:at] + parts[at + 1 :]))
    for at in range(0, len(parts), 3):
        never_verified(framed([*parts[: at + 1], *parts[at:]]))
        other = (at + 1 + at // 2) % len(parts)
        if other != at:
            swapped = list(parts)
            swapped[at], swapped[other] = parts[other], parts[at]
            never_verified(framed(swapped))
    never_verified(framed(parts[::-1]))
    never_verified(framed(parts[:1] + parts[:0:-1]))


def test_records_of_another_table_of_the_same_players(victim: LogTable) -> None:
    other = new_table(2, SINGLE, salt=6).run()
    mine, theirs = records(victim), records(other)
    for at in range(0, min(len(mine), len(theirs)), 4):
        never_verified(framed([*mine[:at], theirs[at], *mine[at + 1 :]]))
        never_verified(framed([*mine[:at], theirs[at], *mine[at:]]))
    for at in (1, 10, len(mine) // 2, len(mine) - 1):
        never_verified(framed(mine[:at] + theirs[at:]))
        never_verified(framed(theirs[:at] + mine[at:]))


def test_the_same_bytes_framed_in_another_way(victim: LogTable) -> None:
    parts = records(victim)
    for at in (0, 1, 5, len(parts) - 2):
        never_verified(framed([*parts[:at], parts[at] + parts[at + 1], *parts[at + 2 :]]))
        half = len(parts[at]) // 2
        never_verified(framed([*parts[:at], parts[at][:half], parts[at][half:], *parts[at + 1 :]]))
        never_verified(framed([*parts[:at], b"", *parts[at:]]))
        never_verified(framed([*parts[:at], parts[at] + b"\x00", *parts[at + 1 :]]))
    never_verified(victim.file + MAGIC)
    never_verified(victim.file + victim.file)


# ---- with a proof in the file ------------------------------------------------------------------


@pytest.mark.parametrize("how", HOW)
def test_bytes_after_a_proof_do_not_revoke_it(victim: LogTable, how: str) -> None:
    """Unsigned bytes do not excuse a signed fault before them."""
    entries = list(victim.entries)
    place = len(entries) // 2
    lie = msgspec.structs.replace(entries[place].read(), state=bytes(32))
    proof = write(victim.genesis, [*entries[:place], sign_entry(lie, identity(0))])
    chance = Random(how)
    files = [
        proof + victim.file[-300:],
        proof + record(b"\xc1"),
        proof + b"\xff" * 9,
        proof + tampered(victim.file[len(proof) :], how, chance),
    ]
    for data in files:
        report = audit_bytes(data)
        assert report.verdict is AuditVerdict.CHEATING
        assert [(each.seat, each.fault, each.entry) for each in report.blame] == [
            (0, Fault.BAD_STATE, place)
        ]


def test_bytes_after_the_close_do_not_revoke_a_proof(victim: LogTable) -> None:
    """A match continued without the cheat and was closed; bytes that nobody signed follow."""
    table = new_table(3, SINGLE, salt=5)
    while table.replay.between_rounds:
        table.step()
    first, second = (
        table.signed(2, each, counter=900) for each in (bodies.Leave(), bodies.Listen(9))
    )
    table.add(HOST, bodies.Expose(first.body, first.signature, second.body, second.signature))
    table.run()
    proven = audit_bytes(table.file)
    assert proven.verdict is AuditVerdict.CHEATING
    for more in (b"\x00", record(b"more"), table.file[-400:], record(encode(table.entries[-1]))):
        report = audit_bytes(table.file + more)
        assert (report.verdict, report.blame) == (AuditVerdict.CHEATING, proven.blame)


# ---- by a dishonest host --------------------------------------------------------------------


def signed_anew(table: LogTable, cores: list[EntryCore]) -> bytes:
    """Return a transcript of these entries, renumbered, chained and signed with the host's key.

    States are those that a peer would compute, as far as the log can be followed.
    """
    host, replay = identity(table.replay.host), Replay(table.genesis)
    entries: list[Entry] = []
    prev, follows = table.replay.table_id, True
    for number, core in enumerate(cores):
        if follows:
            try:
                done, _ = replay.append(core.signed_body, core.ms, host)
                entries.append(done)
                prev = done.hash
                continue
            except BodyRefused:
                follows = False
        entries.append(sign_entry(msgspec.structs.replace(core, seq=number, prev=prev), host))
        prev = entries[-1].hash
    return write(table.genesis, entries)


def cores_of(table: LogTable) -> list[EntryCore]:
    return [entry.read() for entry in table.entries]


def caught(table: LogTable, cores: list[EntryCore]) -> Report:
    report = audit_bytes(signed_anew(table, cores))
    assert report.verdict is AuditVerdict.CHEATING
    assert {blame.seat for blame in report.blame} == {table.replay.host}
    return report


def test_signing_unchanged_entries_anew_gives_the_same_file(victim: LogTable) -> None:
    assert signed_anew(victim, cores_of(victim)) == victim.file


def test_a_host_that_changes_what_a_player_said(victim: LogTable) -> None:
    """One bit of one body changes and everything is signed again: the player's signature fails."""
    chance = Random(3)
    for at, core in enumerate(cores_of(victim)):
        if core.signed_body.read().author == HOST or at % 2:
            continue
        body = bytearray(core.body)
        body[chance.randrange(len(body))] ^= 1 << chance.randrange(8)
        cores = cores_of(victim)
        cores[at] = msgspec.structs.replace(core, body=bytes(body))
        report = caught(victim, cores)
        assert [blame.entry for blame in report.blame] == [at]
        assert report.blame[0].fault in (Fault.FORGED, Fault.BAD_ORDER)


def test_a_host_that_signs_for_a_player(victim: LogTable) -> None:
    def by_the_host(core: EntryCore, payload: bodies.Payload | None) -> EntryCore:
        said: Body = core.signed_body.read()
        said = msgspec.structs.replace(said, payload=payload or said.payload)
        signed: SignedBody = sign_body(said, identity(victim.replay.host))
        return msgspec.structs.replace(core, body=signed.body, body_signature=signed.signature)

    for at, core in enumerate(cores_of(victim)):
        if core.signed_body.read().author != 1 or at % 2:
            continue
        for payload in (None, bodies.Leave()):
            cores = cores_of(victim)
            cores[at] = by_the_host(core, payload)
            assert caught(victim, cores).blame[0].fault is Fault.FORGED


def test_a_host_that_leaves_something_out_or_changes_the_past(victim: LogTable) -> None:
    """Bodies that players signed later name the entries that they held."""
    last = max(
        at for at, core in enumerate(cores_of(victim)) if core.signed_body.read().author != HOST
    )
    for at in range(0, last, 4):
        cores = cores_of(victim)
        caught(victim, cores[:at] + cores[at + 1 :])
        cores[at], cores[at + 1] = cores[at + 1], cores[at]
        caught(victim, cores)
        later = cores_of(victim)
        later[at] = msgspec.structs.replace(later[at], ms=later[at].ms + 1)
        caught(victim, later)


def test_a_host_that_says_another_state(victim: LogTable) -> None:
    for at in range(0, len(victim.entries), 7):
        entries = list(victim.entries)
        core = msgspec.structs.replace(entries[at].read(), state=bytes(32))
        entries[at] = sign_entry(core, identity(0))
        report = audit_bytes(write(victim.genesis, entries))
        assert [(blame.seat, blame.fault, blame.entry) for blame in report.blame] == [
            (0, Fault.BAD_STATE, at)
        ]
