"""Counters of bodies: which are used, whose they are, and what proves that one was used twice."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.dealing.hashing import H
from lanuno.dealing.identity import Identity
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, MAX_COUNTER, Body, Payload, SignedBody, sign_body
from lanuno.log.format.genesis import Roster
from lanuno.log.replay.counters import Counters, used_twice
from lanuno.log.replay.terms import COUNTERS_PER_TERM, Term
from tests.harness.log_table.log_table import identity, make_roster

TABLE = H("table")
SIGNED = make_roster(4)
BOT = identity(77)
TERMS = (Term(0, 0, 0), Term(5, 30, 2))
LEAVE, RETURN = bodies.Leave(), bodies.Return()


def with_bot(seat: int = 3) -> Roster:
    """Return the roster while a bot fills in at a seat."""
    seats = list(SIGNED.seats)
    seats[seat] = msgspec.structs.replace(seats[seat], identity=BOT.public)
    return msgspec.structs.replace(SIGNED, seats=tuple(seats))


def said(
    author: int, payload: Payload, by: Identity, counter: int = 7, table: bytes = TABLE
) -> SignedBody:
    return sign_body(Body(table, 1, author, counter, TABLE, payload), by)


def judged(first: SignedBody, second: SignedBody, roster: Roster = SIGNED) -> int | None:
    """Return the verdict about two bodies, which does not depend on their order."""
    seat = used_twice(TABLE, SIGNED, roster, TERMS, first, second)
    assert used_twice(TABLE, SIGNED, roster, TERMS, second, first) == seat
    return seat


# ---- the next counter ------------------------------------------------------------------------


def test_a_counter_follows_the_highest_that_was_used() -> None:
    counters, key = Counters(SIGNED), identity(1).public
    assert counters.next(1, key) == 0
    counters.use(1, key, 40)
    assert (counters.next(1, key), counters.next(2, identity(2).public)) == (41, 0)
    counters.use(1, key, MAX_COUNTER)
    assert counters.next(1, key) == MAX_COUNTER + 1


def test_a_bot_uses_up_no_counters_of_the_absent_player() -> None:
    counters = Counters(SIGNED)
    counters.use(3, identity(3).public, 5)
    counters.use(3, BOT.public, MAX_COUNTER)
    assert counters.next(3, identity(3).public) == 6
    assert counters.next(3, BOT.public) == MAX_COUNTER + 1
    assert counters.next(3, identity(78).public) == 0


def test_all_hosts_share_the_counters_of_the_host_role() -> None:
    """The counters of the role and those of the seat of the host are separate."""
    counters = Counters(SIGNED)
    counters.use(HOST, identity(0).public, 9)
    assert counters.next(HOST, identity(2).public) == 10
    assert counters.next(0, identity(0).public) == 0


def test_the_public_state_names_an_identity_only_for_bots() -> None:
    """Its order does not depend on the order of use."""
    uses = [(1, identity(1).public, 3), (3, BOT.public, 8), (3, identity(3).public, 2)]
    states = []
    for order in (uses, uses[::-1]):
        counters = Counters(SIGNED)
        for use in order:
            counters.use(*use)
        states.append(counters.public_state())
    assert states[0] == states[1] == ((1, 3), (3, 2), (3, BOT.public, 8))


# ---- one counter twice -----------------------------------------------------------------------


def test_two_bodies_of_a_seat_with_one_counter_name_it() -> None:
    assert judged(said(1, LEAVE, identity(1)), said(1, RETURN, identity(1))) == 1


def test_bodies_that_are_equal_or_of_different_counters_prove_nothing() -> None:
    first = said(1, LEAVE, identity(1))
    assert judged(first, first) is None
    assert judged(first, said(1, RETURN, identity(1), counter=8)) is None
    assert judged(first, said(2, RETURN, identity(2))) is None


@pytest.mark.parametrize("author", [1, HOST])
def test_a_body_that_its_author_did_not_sign_for_this_table_proves_nothing(author: int) -> None:
    key = identity(0 if author == HOST else author)
    first = said(author, LEAVE, key)
    assert judged(first, said(author, RETURN, key)) is not None
    assert judged(first, said(author, RETURN, identity(3))) is None
    assert judged(first, said(author, RETURN, key, table=bytes(32))) is None
    assert judged(first, SignedBody(b"\x90", first.signature)) is None


def test_an_author_without_a_seat_is_not_named() -> None:
    assert judged(said(4, LEAVE, identity(4)), said(4, RETURN, identity(4))) is None


def test_a_counter_of_the_host_role_names_the_host_of_its_term() -> None:
    """A counter belongs to the term that begins at or before it."""

    def twice(counter: int, by: int) -> int | None:
        first, second = (bodies.TimeOut(decision) for decision in (1, 2))
        return judged(
            said(HOST, first, identity(by), counter), said(HOST, second, identity(by), counter)
        )

    later = 5 * COUNTERS_PER_TERM
    assert twice(COUNTERS_PER_TERM - 1, by=0) == 0
    assert twice(later, by=2) == 2
    assert twice(later + COUNTERS_PER_TERM - 1, by=2) == 2
    # Nobody was the host of these terms, or the signer was not the host of that term.
    assert twice(COUNTERS_PER_TERM, by=0) is None
    assert twice(later + COUNTERS_PER_TERM, by=2) is None
    assert twice(later, by=0) is None


def test_the_player_of_a_seat_is_the_bot_that_fills_in() -> None:
    """Bodies of the absent player are not proof against the seat while a bot plays it."""
    bot = said(3, LEAVE, BOT), said(3, RETURN, BOT)
    person = said(3, LEAVE, identity(3)), said(3, RETURN, identity(3))
    assert (judged(*bot, with_bot()), judged(*person, with_bot())) == (3, None)
    assert (judged(*bot), judged(*person)) == (None, 3)
    assert judged(person[0], bot[1], with_bot()) is None


def test_a_host_keeps_its_key_while_a_bot_fills_in_at_its_seat() -> None:
    """A former host may be absent; what it signed as the host still names it."""
    first, second = (said(HOST, bodies.TimeOut(each), identity(0)) for each in (1, 2))
    assert judged(first, second, with_bot(0)) == 0
