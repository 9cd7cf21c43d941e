"""Entries: what the host signs. One entry holds one signed body and its place in the chain."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated

from msgspec import Meta, Struct

from lanuno.dealing.hashing import H
from lanuno.dealing.identity import Identity, verify
from lanuno.log.format.bodies import BodyBytes, Count, Hash, Signature, SignedBody
from lanuno.log.format.codec import decode, encode, prepare


class EntryCore(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Everything in an entry except the host's signature."""

    table: Hash
    term: Count
    """Number of this host's term; it grows with each succession."""
    seq: Count
    """Number of the entry: 0 for the first one after genesis."""
    prev: Hash
    """Hash of the previous entry; the table id for the first one."""
    body: BodyBytes
    body_signature: Signature
    state: Hash
    """Hash of the whole public state after this entry."""
    ms: Annotated[int, Meta(ge=0, le=0xFFFFFFFFFFFF)]
    """Milliseconds since genesis by the host's clock. They never fall; time-outs depend on them."""

    @property
    def signed_body(self) -> SignedBody:
        """The body with its author's signature."""
        return SignedBody(self.body, self.body_signature)


class Entry(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, dict=True):
    """The exact bytes of an entry as the host signed them."""

    core: Annotated[bytes, Meta(max_length=40_000)]
    signature: Signature

    @cached_property
    def hash(self) -> bytes:
        """The hash by which the entry is named; it covers all but the host's signature."""
        return H("entry", self.core)

    def read(self) -> EntryCore:
        """Parse the bytes; raises `Unreadable` if they are not an entry."""
        return decode(self.core, EntryCore)

    def signed_by(self, public: bytes) -> bool:
        """Whether this identity made the signature over exactly these bytes."""
        return verify(public, self.signature, self.hash)


def sign_entry(core: EntryCore, host: Identity) -> Entry:
    """Encode an entry and sign it as the host."""
    data = encode(core)
    return Entry(data, host.sign(H("entry", data)))


prepare(Entry, EntryCore)
