"""Votes for a next host: who voted, for whom, and how much of the log the voter held.

Only shapes and signatures live here. Who may vote, and what a set of votes is worth, `terms.py`
decides; when to ask for votes is the table's business.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from lanuno.dealing.hashing import H
from lanuno.dealing.identity import Identity, verify
from lanuno.log.codec import decode, encode

MAX_VOTE = 256
"""Bytes of a vote; an honest one is shorter."""

_Hash = Annotated[bytes, Meta(min_length=32, max_length=32)]
_Signature = Annotated[bytes, Meta(min_length=64, max_length=64)]
_Count = Annotated[int, Meta(ge=0, le=0xFFFFFFFF)]
_Seat = Annotated[int, Meta(ge=0, lt=10)]


class Vote(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One owner's one vote of one term."""

    table: _Hash
    term: _Count
    """The term that the candidate would rule."""
    candidate: _Seat
    voter: _Seat
    last_term: _Count
    """Term of the last entry that the voter holds."""
    count: _Count
    """How many entries the voter holds."""
    head: _Hash
    """Hash of the last of them; the table id if there is none."""


class SignedVote(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The exact bytes of a vote as its voter signed them."""

    vote: Annotated[bytes, Meta(max_length=MAX_VOTE)]
    signature: _Signature

    def read(self) -> Vote:
        """Parse the bytes; raises `Unreadable`."""
        return decode(self.vote, Vote)

    def signed_by(self, public: bytes) -> bool:
        """Whether the signature over exactly these bytes is that identity's."""
        return verify(public, self.signature, H("vote", self.vote))


def sign_vote(vote: Vote, identity: Identity) -> SignedVote:
    """Encode once and sign."""
    data = encode(vote)
    return SignedVote(data, identity.sign(H("vote", data)))
