"""Compare tests/vectors/log.json with the code, so the protocol cannot change unnoticed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec.msgpack import Decoder

from lanuno.dealing.hashing import H
from lanuno.dealing.identity import Identity
from lanuno.log.audit.audit import audit_bytes
from lanuno.log.faults import Unreadable
from lanuno.log.format.bodies import Payload
from lanuno.log.format.codec import decode, decode_with, encode
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import (
    Genesis,
    nonce_commitment,
    roster_digest,
    safety_hand,
    sign_roster,
)
from lanuno.log.format.transcript import MAGIC, write
from lanuno.log.replay.replay import Replay
from lanuno.rules.engine.actions import Action
from lanuno.rules.ruleset import Ruleset
from tests.log import vectors

FILE = Path(__file__).parent.parent / "vectors" / "log.json"
KNOWN: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))

ANY_PAYLOAD: Decoder[Payload] = Decoder(Payload)
ANY_ACTION: Decoder[Action] = Decoder(Action)
ANY_RULESET = Decoder(Ruleset)


@pytest.fixture(scope="module")
def genesis() -> Genesis:
    return decode(bytes.fromhex(KNOWN["genesis"]["genesis"]), Genesis)


def test_genesis(genesis: Genesis) -> None:
    known = KNOWN["genesis"]
    roster = genesis.read()
    assert genesis.roster.hex() == known["roster"]
    assert genesis.table_id.hex() == known["table_id"]
    assert roster_digest(genesis.roster).hex() == known["roster_digest"]
    for seat, info in enumerate(roster.seats):
        own = Identity.from_seed(bytes.fromhex(known["identity_seeds"][seat]))
        nonce = bytes.fromhex(known["nonces"][seat])
        assert own.public.hex() == info.identity.hex() == known["identities"][seat]
        assert nonce_commitment(own.public, nonce) == info.nonce
        assert info.nonce.hex() == known["nonce_commitments"][seat]
        assert sign_roster(genesis.roster, own).hex() == known["signatures"][seat]
        assert info.name == known["names"][seat]
    assert encode(roster.ruleset).hex() == known["ruleset"]
    hand = [[card.colour, card.rank] for card in safety_hand(genesis.table_id)]
    assert hand == known["safety_hand"]


def test_entries_and_states(genesis: Genesis) -> None:
    replay = Replay(genesis)
    names = set()
    for entry, known in zip(vectors.log_of(KNOWN), KNOWN["entries"], strict=True):
        replay.follow(entry)
        body = entry.read().signed_body.read()
        names.add(known["payload"])
        assert (entry.read().seq, body.author) == (known["seq"], known["author"])
        assert type(body.payload).__name__ == known["payload"]
        assert H("body", entry.read().body).hex() == known["body_digest"]
        assert entry.hash.hex() == known["hash"]
        assert encode(replay.public_state()).hex() == known["public"]
        assert replay.state().hex() == known["state"]
    assert names == {
        *("Open", "Commit", "Pass", "Unlock", "Act", "Reveal", "Attest", "Close"),
    }


def test_the_file_and_its_audit(genesis: Genesis) -> None:
    file = write(genesis, vectors.log_of(KNOWN))
    assert MAGIC.hex() == KNOWN["magic"]
    assert H("vector-file", file).hex() == KNOWN["file_digest"]
    report, known = audit_bytes(file), KNOWN["report"]
    assert report.verdict.value == known["verdict"] == "verified"
    assert list(report.scores) == known["scores"]
    assert list(report.winners) == known["winners"]
    assert report.entries == known["entries"] == len(KNOWN["entries"])
    assert report.attestations == known["attestations"]


@pytest.mark.parametrize("case", KNOWN["spoiled"], ids=lambda case: str(case["why"]))
def test_spoiled_logs(genesis: Genesis, case: dict[str, Any]) -> None:
    wrong = Entry(bytes.fromhex(case["core"]), bytes.fromhex(case["signature"]))
    entries = [*vectors.log_of(KNOWN)[: case["entries_before"]], wrong]
    report = audit_bytes(write(genesis, entries))
    accuses = any(seat is not None for seat, _, _ in case["blame"])
    assert report.verdict.value == case["verdict"] == ("cheating" if accuses else "changed")
    blame = [[each.seat, each.fault.value, each.entry] for each in report.blame]
    assert blame == case["blame"]


def test_encodings() -> None:
    for payload, case in zip(vectors.PAYLOADS, KNOWN["payloads"], strict=True):
        assert type(payload).__name__ == case["name"]
        assert encode(payload).hex() == case["encoding"]
        assert decode_with(bytes.fromhex(case["encoding"]), ANY_PAYLOAD) == payload
    for action, case in zip(vectors.ACTIONS, KNOWN["actions"], strict=True):
        assert type(action).__name__ == case["name"]
        assert encode(action).hex() == case["encoding"]
        assert decode_with(bytes.fromhex(case["encoding"]), ANY_ACTION) == action
    assert decode_with(bytes.fromhex(KNOWN["ruleset"]), ANY_RULESET) == Ruleset()


def test_the_vectors_contain_every_kind_of_payload_and_action() -> None:
    assert {type(each) for each in vectors.PAYLOADS} == set(get_args(Payload))
    assert {type(each) for each in vectors.ACTIONS} == set(get_args(Action))


def test_encodings_that_have_to_be_refused() -> None:
    for case in KNOWN["refused_actions"]:
        with pytest.raises(Unreadable):
            decode_with(bytes.fromhex(case["encoding"]), ANY_ACTION)


def test_the_command_makes_the_same_kinds_of_vectors() -> None:
    """The command may make another log today, but it must be as complete as the stored one."""
    made = vectors.make()
    assert made.keys() == KNOWN.keys()
    for name in ("payloads", "actions", "ruleset", "refused_actions", "genesis", "magic"):
        assert made[name] == KNOWN[name]
    assert [case["why"] for case in made["spoiled"]] == [case["why"] for case in KNOWN["spoiled"]]
