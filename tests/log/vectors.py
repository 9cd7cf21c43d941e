"""Generate the log vectors: `python -m tests.log.vectors > tests/vectors/log.json`.

The file lets a second implementation of the log check itself. It holds one short log, byte by byte,
with every hash and every public state; the same log spoiled in ways that must be named; the
encoding of one value of every kind; and encodings that must be refused. All bytes are lower-case
hexadecimal. Generate the file again only when the version of the protocol changes: the tests that
read it keep the protocol from changing unnoticed.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import Any

import msgspec

from lanuno.dealing.hashing import H, u32
from lanuno.log.audit.audit import audit_bytes
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, Body, CloseReason, DropReason, HaltReason, Payload
from lanuno.log.format.codec import encode
from lanuno.log.format.entries import Entry, EntryCore, sign_entry
from lanuno.log.format.genesis import nonce_commitment, roster_digest, safety_hand
from lanuno.log.format.transcript import MAGIC, write
from lanuno.log.format.votes import SignedVote
from lanuno.log.replay.replay import Replay
from lanuno.rules.engine import actions
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.results import RoundKind
from lanuno.rules.ruleset import Format, Ruleset
from tests.harness.log_table.log_table import LogTable, identity, new_table, nonce

SALT = 2


def short_log() -> LogTable:
    """Two players, from genesis to close. No box is sealed, so the log is always the same."""
    table = new_table(2, Ruleset(hand_size=2, format=Format.SINGLE), salt=SALT).run()
    assert not table.log.shown
    return table


def genesis_vectors(table: LogTable) -> dict[str, Any]:
    genesis, roster = table.genesis, table.replay.roster
    return {
        "identity_seeds": [H("test-player", u32(seat)).hex() for seat in range(2)],
        "identities": [identity(seat).public.hex() for seat in range(2)],
        "names": [seat.name for seat in roster.seats],
        "lobby": roster.lobby.hex(),
        "ruleset": encode(roster.ruleset).hex(),
        "nonces": [nonce(seat, SALT).hex() for seat in range(2)],
        "nonce_commitments": [
            nonce_commitment(identity(seat).public, nonce(seat, SALT)).hex() for seat in range(2)
        ],
        "roster": genesis.roster.hex(),
        "roster_digest": roster_digest(genesis.roster).hex(),
        "signatures": [signature.hex() for signature in genesis.signatures],
        "genesis": encode(genesis).hex(),
        "table_id": genesis.table_id.hex(),
        "safety_hand": [[card.colour, card.rank] for card in safety_hand(genesis.table_id)],
    }


def entry_vectors(table: LogTable) -> list[dict[str, Any]]:
    replay, found = Replay(table.genesis), []
    for entry in table.entries:
        core = entry.read()
        body = core.signed_body.read()
        replay.follow(entry)
        found.append(
            {
                "seq": core.seq,
                "author": body.author,
                "payload": type(body.payload).__name__,
                "body_digest": H("body", core.body).hex(),
                "core": entry.core.hex(),
                "signature": entry.signature.hex(),
                "hash": entry.hash.hex(),
                "public": encode(replay.public_state()).hex(),
                "state": core.state.hex(),
            }
        )
    return found


Spoil = Callable[[EntryCore], EntryCore]


def spoiled_logs(table: LogTable) -> list[dict[str, Any]]:
    """Return the beginning of the log with a spoiled last entry, and the fault that it proves."""

    def body(**changes: Any) -> Spoil:
        def spoil(core: EntryCore) -> EntryCore:
            said: Body = msgspec.structs.replace(core.signed_body.read(), **changes)
            signed = bodies.sign_body(said, identity(0 if said.author == HOST else said.author))
            return msgspec.structs.replace(core, body=signed.body, body_signature=signed.signature)

        return spoil

    def core(**changes: Any) -> Spoil:
        return lambda right: msgspec.structs.replace(right, **changes)

    cases: list[tuple[str, int, int, Spoil]] = [
        ("the player's signature is missing", 1, 0, core(body_signature=bytes(64))),
        ("the body is none", 1, 0, core(body=b"\xc0")),
        ("another state", 1, 0, core(state=bytes(32))),
        ("does not follow the entry before", 1, 0, core(prev=bytes(32))),
        ("stands in another place", 1, 0, core(seq=2)),
        ("of another table", 1, 0, core(table=bytes(32))),
        ("not signed by the host", 1, 1, core()),
        ("a body that builds on an unknown entry", 1, 0, body(head=bytes(32))),
        ("a body of another round", 1, 0, body(round=1)),
        ("a body of another table", 1, 0, body(table=bytes(32))),
        ("a counter used before", 3, 0, body(counter=0)),
        ("a seat's payload in the host's name", 1, 0, body(author=HOST)),
        (
            "not the round that follows",
            0,
            0,
            body(payload=bodies.Open(1, RoundKind.PLAY, (0, 1), 0)),
        ),
        ("a step that is not due", 1, 0, body(payload=bodies.Reveal(bytes(32), bytes(32)))),
        ("a key nothing can be sealed to", 1, 0, weak_key),
    ]
    found = []
    for why, at, signer, spoil in cases:
        wrong = sign_entry(spoil(table.entries[at].read()), identity(signer))
        report = audit_bytes(write(table.genesis, [*table.entries[:at], wrong]))
        found.append(
            {
                "why": why,
                "entries_before": at,
                "core": wrong.core.hex(),
                "signature": wrong.signature.hex(),
                "verdict": report.verdict.value,
                "blame": [[blame.seat, blame.fault.value, blame.entry] for blame in report.blame],
            }
        )
    return found


def weak_key(core: EntryCore) -> EntryCore:
    """Commit to a key of small order: the commitment's author is to blame, not the host."""
    said: Body = core.signed_body.read()
    assert isinstance(said.payload, bodies.Commit)
    payload = msgspec.structs.replace(said.payload, view_key=bytes(32))
    signed = bodies.sign_body(msgspec.structs.replace(said, payload=payload), identity(said.author))
    wrong = msgspec.structs.replace(core, body=signed.body, body_signature=signed.signature)
    table = short_log().fork(core.seq)
    entry, _ = table.replay.append(signed, core.ms, identity(0))
    return msgspec.structs.replace(wrong, state=entry.read().state)


HASH, KEY, BOX = bytes(range(32)), bytes(range(32, 64)), bytes(80)

PAYLOADS: tuple[Payload, ...] = (
    bodies.Open(1, RoundKind.PLAY, (0, 2, 1), 2),
    bodies.Open(0, RoundKind.DEALER, (0, 1), None),
    bodies.Commit(HASH, HASH, (KEY, HASH, KEY), KEY),
    bodies.Escrow((BOX, BOX, BOX), (HASH, HASH, HASH)),
    bodies.Complain(3, KEY),
    bodies.Pass(0, 3, b"\x02" * 66, b"\x03" * 33),
    bodies.Unlock((bodies.SlotKeyList(4, KEY), bodies.SlotKeyList(5, KEY + KEY))),
    bodies.Act(7, actions.Draw(), b""),
    bodies.Reveal(HASH, HASH),
    bodies.Attest(HASH, (1,)),
    bodies.Halt(HaltReason.BAD_SEAL, 2),
    bodies.Halt(HaltReason.REACHABLE, 2, bytes(64)),
    bodies.Leave(),
    bodies.Expose(b"\x01", bytes(64), b"\x02", bytes(64)),
    bodies.Drop(3, DropReason.SILENT),
    bodies.TimeOut(300),
    bodies.Close(CloseReason.FINISHED, (500, -1, 70_000), 1_234),
    bodies.Settle(Matter.VOTE),
    bodies.HandOver(1, BOX),
    bodies.Share(3, KEY),
    bodies.Return(),
    bodies.FillIn(2, KEY, bytes(64)),
    bodies.Elect((SignedVote(b"\x01", bytes(64)),)),
    bodies.Listen(47_474),
    bodies.ExposeVotes(SignedVote(b"\x01", bytes(64)), SignedVote(b"\x02", bytes(64))),
)

ACTIONS: tuple[actions.Action, ...] = (
    actions.Play(21, 107, 3, uno=True),
    actions.Play(0, 0),
    actions.Draw(),
    actions.Keep(),
    actions.NameColour(2),
    actions.SayUno(),
    actions.Catch(9),
    actions.Accept(),
    actions.Challenge(),
    actions.Show(),
    actions.RefuseShow(),
    actions.Verdict(guilty=True),
    actions.Swap(1),
    actions.Object(),
    actions.Accuse(4),
    actions.Vote(guilty=False),
    actions.OpenHand(),
    actions.RefuseVerdict(),
)

REFUSED: tuple[tuple[str, str], ...] = (
    ("trailing byte", "950103 0dc0c200"),
    ("cut short", "950103 0dc0"),
    ("a field too many", "960103 0dc0c2c0"),
    ("a default left out", "930103 0d"),
    ("an unknown tag", "9163"),
    ("a number in more bytes than it needs", "9501cc03 0dc0c2"),
    ("a list in more bytes than it needs", "dc00050103 0dc0c2"),
    ("a float", "9501ca40400000 0dc0c2"),
    ("a number for a bool", "950103 0dc000"),
    ("a string for a number", "9501a133 0dc0c2"),
    ("a map", "850103 0dc0c2 0103 0dc0c2"),
    ("an extension", "d40100"),
)


def make() -> dict[str, Any]:
    """Return the whole file as one JSON value."""
    table = short_log()
    report = table.audit()
    return {
        "version": "lanuno/1",
        "magic": MAGIC.hex(),
        "genesis": genesis_vectors(table),
        "entries": entry_vectors(table),
        "file_digest": H("vector-file", table.file).hex(),
        "report": {
            "verdict": report.verdict.value,
            "scores": list(report.scores),
            "winners": list(report.winners),
            "entries": report.entries,
            "attestations": report.attestations,
        },
        "spoiled": spoiled_logs(table),
        "payloads": [
            {"name": type(each).__name__, "encoding": encode(each).hex()} for each in PAYLOADS
        ],
        "actions": [
            {"name": type(each).__name__, "encoding": encode(each).hex()} for each in ACTIONS
        ],
        "ruleset": encode(Ruleset()).hex(),
        "refused_actions": [
            {"why": why, "encoding": text.replace(" ", "")} for why, text in REFUSED
        ],
    }


def log_of(known: dict[str, Any]) -> list[Entry]:
    """Return the entries of a file of vectors."""
    return [
        Entry(bytes.fromhex(each["core"]), bytes.fromhex(each["signature"]))
        for each in known["entries"]
    ]


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m tests.log.vectors", description=__doc__).parse_args()
    print(json.dumps(make(), indent=1))  # noqa: T201 - it is a command
