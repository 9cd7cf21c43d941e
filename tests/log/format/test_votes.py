"""Votes: the signature of the voter, the bounds of the fields, and the length of honest votes."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.dealing.hashing import H
from lanuno.log.faults import Unreadable
from lanuno.log.format.bodies import SignedBody
from lanuno.log.format.codec import decode, encode
from lanuno.log.format.votes import MAX_VOTE, ElectionVote, SignedVote, sign_vote
from tests.harness.log_table.log_table import identity

KEY = bytes(32)
VOTE = ElectionVote(KEY, term=3, candidate=1, voter=2, last_term=1, count=90, head=H("head"))
VOTER = identity(2)


def test_a_vote_gives_back_what_the_voter_signed() -> None:
    signed = sign_vote(VOTE, VOTER)
    assert signed.read() == VOTE
    assert decode(encode(signed), SignedVote) == signed


def test_only_the_voter_has_signed_a_vote_and_only_as_it_is() -> None:
    signed = sign_vote(VOTE, VOTER)
    assert signed.signed_by(VOTER.public)
    assert not signed.signed_by(identity(1).public)
    other = encode(msgspec.structs.replace(VOTE, candidate=0))
    assert not SignedVote(other, signed.signature).signed_by(VOTER.public)


def test_a_signature_for_a_body_is_invalid_for_a_vote() -> None:
    data = encode(VOTE)
    as_body = SignedBody(data, VOTER.sign(H("body", data)))
    assert as_body.signed_by(VOTER.public)
    assert not SignedVote(data, as_body.signature).signed_by(VOTER.public)


def test_the_longest_honest_vote_fits() -> None:
    most = 2**32 - 1
    longest = sign_vote(ElectionVote(KEY, most, 9, 9, most, most, KEY), VOTER)
    assert len(longest.vote) <= MAX_VOTE
    assert decode(encode(longest), SignedVote).read() == longest.read()


@pytest.mark.parametrize(
    "wrong",
    [
        {"table": bytes(31)},
        {"term": 2**32},
        {"term": -1},
        {"candidate": 10},
        {"voter": 10},
        {"last_term": 2**32},
        {"count": -1},
        {"head": bytes(33)},
    ],
)
def test_values_out_of_bounds_are_unreadable(wrong: dict[str, object]) -> None:
    with pytest.raises(Unreadable):
        sign_vote(msgspec.structs.replace(VOTE, **wrong), VOTER).read()


def test_bytes_that_are_no_vote_are_unreadable() -> None:
    for data in (b"", b"\x90", encode(VOTE) + b"\x00", encode(VOTE)[:-1]):
        with pytest.raises(Unreadable):
            SignedVote(data, bytes(64)).read()
    for vote in (SignedVote(bytes(MAX_VOTE + 1), bytes(64)), SignedVote(b"", bytes(63))):
        with pytest.raises(Unreadable):
            decode(encode(vote), SignedVote)
