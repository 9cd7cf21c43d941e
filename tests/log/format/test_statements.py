"""Statements: the signature of the author, the bounds of the fields, and the longest honest one."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.dealing.hashing import H
from lanuno.log.faults import Unreadable
from lanuno.log.format.codec import decode, encode
from lanuno.log.format.statements import (
    MAX_STATEMENT,
    Acknowledgement,
    SignedStatement,
    sign_statement,
)
from lanuno.log.format.votes import SignedVote
from tests.harness.log_table.log_table import identity

KEY = bytes(32)
SAID = Acknowledgement(KEY, author=2, term=3, elected=H("elect"), count=90, head=H("head"))
AUTHOR = identity(2)


def test_a_statement_is_of_its_author_and_only_as_it_is() -> None:
    signed = sign_statement(SAID, AUTHOR)
    assert decode(encode(signed), SignedStatement).read() == SAID
    assert signed.signed_by(AUTHOR.public)
    assert not signed.signed_by(identity(1).public)
    other = encode(msgspec.structs.replace(SAID, count=91))
    assert not SignedStatement(other, signed.signature).signed_by(AUTHOR.public)
    assert not SignedVote(signed.statement, signed.signature).signed_by(AUTHOR.public)


def test_the_longest_honest_statement_fits() -> None:
    most = 2**32 - 1
    longest = sign_statement(Acknowledgement(KEY, 9, most, KEY, most, KEY), AUTHOR)
    assert len(longest.statement) <= MAX_STATEMENT
    assert decode(encode(longest), SignedStatement).read() == longest.read()


@pytest.mark.parametrize(
    "wrong",
    [
        {"table": bytes(31)},
        {"author": 10},
        {"term": -1},
        {"elected": bytes(33)},
        {"count": 2**32},
        {"head": bytes(31)},
    ],
)
def test_values_out_of_bounds_are_unreadable(wrong: dict[str, object]) -> None:
    with pytest.raises(Unreadable):
        SignedStatement(encode(msgspec.structs.replace(SAID, **wrong)), bytes(64)).read()
