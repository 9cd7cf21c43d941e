"""Entries: the host's signature, the hash that names an entry, and the bounds of the fields."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from lanuno.dealing.hashing import H
from lanuno.log.faults import Unreadable
from lanuno.log.format import bodies
from lanuno.log.format.bodies import MAX_BODY, Body, SignedBody, sign_body
from lanuno.log.format.codec import decode, encode
from lanuno.log.format.entries import Entry, EntryCore, sign_entry
from tests.harness.log_table.log_table import identity

HOST_KEY, AUTHOR = identity(0), identity(1)
KEY = bytes(32)
BODY = sign_body(Body(KEY, 0, 1, 0, KEY, bodies.Leave()), AUTHOR)
CORE = EntryCore(
    table=KEY,
    term=0,
    seq=7,
    prev=H("previous"),
    body=BODY.body,
    body_signature=BODY.signature,
    state=H("state"),
    ms=1_000,
)


def test_an_entry_gives_back_what_the_host_signed() -> None:
    entry = sign_entry(CORE, HOST_KEY)
    assert entry.read() == CORE
    assert entry.read().signed_body == BODY
    assert entry.read().signed_body.signed_by(AUTHOR.public)
    assert decode(encode(entry), Entry) == entry


def test_only_the_host_has_signed_an_entry_and_only_as_it_is() -> None:
    entry = sign_entry(CORE, HOST_KEY)
    assert entry.signed_by(HOST_KEY.public)
    assert not entry.signed_by(AUTHOR.public)
    later = sign_entry(msgspec.structs.replace(CORE, ms=1_001), HOST_KEY)
    assert not Entry(entry.core, later.signature).signed_by(HOST_KEY.public)
    assert not Entry(later.core, entry.signature).signed_by(HOST_KEY.public)


def test_a_signature_for_a_body_is_invalid_for_an_entry() -> None:
    """Otherwise a host that is also a player could be given an entry that it never wrote."""
    core = encode(CORE)
    as_body = SignedBody(core, HOST_KEY.sign(H("body", core)))
    assert as_body.signed_by(HOST_KEY.public)
    assert not Entry(core, as_body.signature).signed_by(HOST_KEY.public)


def test_the_hash_covers_all_but_the_signature_of_the_host() -> None:
    entry = sign_entry(CORE, HOST_KEY)
    assert entry.hash == H("entry", entry.core)
    assert sign_entry(CORE, AUTHOR).hash == entry.hash
    changed: list[dict[str, Any]] = [
        {"table": H("other")},
        {"term": 1},
        {"seq": 8},
        {"prev": H("other")},
        {"body": BODY.body + b"\x00"},
        {"body_signature": bytes(64)},
        {"state": H("other")},
        {"ms": 1_001},
    ]
    assert [set(each) for each in changed] == [{name} for name in EntryCore.__struct_fields__]
    hashes = {sign_entry(msgspec.structs.replace(CORE, **each), HOST_KEY).hash for each in changed}
    assert len(hashes | {entry.hash}) == len(changed) + 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"table": bytes(31)},
        {"term": 2**32},
        {"seq": -1},
        {"prev": bytes(33)},
        {"body": bytes(MAX_BODY + 1)},
        {"body_signature": bytes(63)},
        {"state": b""},
        {"ms": -1},
        {"ms": 2**48},
    ],
)
def test_values_out_of_bounds_are_unreadable(wrong: dict[str, object]) -> None:
    entry = sign_entry(msgspec.structs.replace(CORE, **wrong), HOST_KEY)
    with pytest.raises(Unreadable):
        entry.read()


def test_the_largest_values_fit_into_an_entry() -> None:
    core = EntryCore(KEY, 2**32 - 1, 2**32 - 1, KEY, bytes(MAX_BODY), bytes(64), KEY, 2**48 - 1)
    entry = sign_entry(core, HOST_KEY)
    assert decode(encode(entry), Entry).read() == core


def test_bytes_that_are_no_entry_are_unreadable() -> None:
    for core in (b"", b"\x90", encode(CORE) + b"\x00", encode(CORE)[:-1]):
        with pytest.raises(Unreadable):
            Entry(core, bytes(64)).read()
    with pytest.raises(Unreadable):
        decode(encode(Entry(bytes(40_001), bytes(64))), Entry)
