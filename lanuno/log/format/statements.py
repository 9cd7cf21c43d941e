"""What an owner signs about the log, outside the log: how much of it is on its own disk.

This module defines shapes and signatures. `lanuno.table.acknowledgements` decides what counts.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from lanuno.dealing.hashing import H
from lanuno.dealing.identity import Identity, verify
from lanuno.log.format.bodies import Count, Hash, SeatNumber, Signature
from lanuno.log.format.codec import decode, encode, prepare

MAX_STATEMENT = 256
"""Limit in bytes of an encoded statement; honest statements are shorter."""


class Acknowledgement(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """An owner has these entries on its disk."""

    table: Hash
    author: SeatNumber
    term: Count
    """Term of the last of these entries."""
    elected: Hash
    """Hash of the entry that began this term; the table id in the first term."""
    count: Count
    """Number of entries."""
    head: Hash
    """Hash of the last of them."""


class SignedStatement(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The exact bytes of a statement as its author signed them."""

    statement: Annotated[bytes, Meta(max_length=MAX_STATEMENT)]
    signature: Signature

    def read(self) -> Acknowledgement:
        """Parse the bytes; raises `Unreadable` if they are not a statement."""
        return decode(self.statement, Acknowledgement)

    def signed_by(self, public: bytes) -> bool:
        """Whether this identity made the signature over exactly these bytes."""
        return verify(public, self.signature, H("acknowledgement", self.statement))


def sign_statement(statement: Acknowledgement, identity: Identity) -> SignedStatement:
    """Encode a statement and sign it."""
    data = encode(statement)
    return SignedStatement(data, identity.sign(H("acknowledgement", data)))


prepare(Acknowledgement, SignedStatement)
