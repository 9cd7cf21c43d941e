"""Votes for the next host: voter, candidate, and how much of the log the voter held.

This module defines shapes and signatures. `replay/terms.py` decides who may vote and whether a set
of votes elects a host; `lanuno.table.succession` decides when to ask for votes.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from lanuno.dealing.hashing import H
from lanuno.dealing.identity import Identity, verify
from lanuno.log.format.codec import decode, encode, prepare

MAX_VOTE = 256
"""Limit in bytes of an encoded vote; honest votes are shorter."""

_Hash = Annotated[bytes, Meta(min_length=32, max_length=32)]
_Signature = Annotated[bytes, Meta(min_length=64, max_length=64)]
_Count = Annotated[int, Meta(ge=0, le=0xFFFFFFFF)]
_Seat = Annotated[int, Meta(ge=0, lt=10)]


class ElectionVote(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The vote of one owner in one term."""

    table: _Hash
    term: _Count
    """The term in which the candidate would be the host."""
    candidate: _Seat
    voter: _Seat
    last_term: _Count
    """Term of the last entry that the voter holds."""
    count: _Count
    """Number of entries that the voter holds."""
    head: _Hash
    """Hash of the last of these entries; the table id if the voter holds none."""


class SignedVote(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The exact bytes of a vote as its voter signed them."""

    vote: Annotated[bytes, Meta(max_length=MAX_VOTE)]
    signature: _Signature

    def read(self) -> ElectionVote:
        """Parse the bytes; raises `Unreadable` if they are not a vote."""
        return decode(self.vote, ElectionVote)

    def signed_by(self, public: bytes) -> bool:
        """Whether this identity made the signature over exactly these bytes."""
        return verify(public, self.signature, H("vote", self.vote))


def sign_vote(vote: ElectionVote, identity: Identity) -> SignedVote:
    """Encode a vote and sign it."""
    data = encode(vote)
    return SignedVote(data, identity.sign(H("vote", data)))


prepare(ElectionVote, SignedVote)
