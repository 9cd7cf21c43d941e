"""Votes for a next host: who voted, for whom, and how much of the log the voter held.

Here: shapes and signatures. Not here: who may vote and whether a set of votes elects a host
(`replay/terms.py`), and when to ask for votes (`lanuno.table.succession`).
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from lanuno.dealing.hashing import H
from lanuno.dealing.identity import Identity, verify
from lanuno.log.format.codec import decode, encode, prepare

MAX_VOTE = 256
"""Bytes of a vote; an honest one is shorter."""

_Hash = Annotated[bytes, Meta(min_length=32, max_length=32)]
_Signature = Annotated[bytes, Meta(min_length=64, max_length=64)]
_Count = Annotated[int, Meta(ge=0, le=0xFFFFFFFF)]
_Seat = Annotated[int, Meta(ge=0, lt=10)]


class ElectionVote(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One owner's one vote of one term."""

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
    """Hash of the last of them; the table id if there is none."""


class SignedVote(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The exact bytes of a vote as its voter signed them."""

    vote: Annotated[bytes, Meta(max_length=MAX_VOTE)]
    signature: _Signature

    def read(self) -> ElectionVote:
        """Parse the bytes; raises `Unreadable`."""
        return decode(self.vote, ElectionVote)

    def signed_by(self, public: bytes) -> bool:
        """Whether the signature over exactly these bytes is that identity's."""
        return verify(public, self.signature, H("vote", self.vote))


def sign_vote(vote: ElectionVote, identity: Identity) -> SignedVote:
    """Encode once and sign."""
    data = encode(vote)
    return SignedVote(data, identity.sign(H("vote", data)))


prepare(ElectionVote, SignedVote)
