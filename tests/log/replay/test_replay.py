"""The log as a chain: who may sign what, what no honest host writes, and how a log ends."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from types import SimpleNamespace
from typing import cast

import msgspec
import pytest

from lanuno.dealing.hashing import H
from lanuno.dealing.identity import Identity
from lanuno.log.faults import Check, Fault, HostFault, RefusalReason, Unreadable
from lanuno.log.format import bodies, limits
from lanuno.log.format.bodies import (
    HOST,
    Body,
    CloseReason,
    DropReason,
    Payload,
    SignedBody,
    sign_body,
)
from lanuno.log.format.entries import Entry, sign_entry
from lanuno.log.format.genesis import Roster
from lanuno.log.replay.replay import Replay, open_payload, proven_equivocation
from lanuno.log.replay.terms import COUNTERS_PER_TERM, Term
from lanuno.log.round import events
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine.actions import Draw
from lanuno.rules.engine.results import DealerResult, RoundKind
from tests.harness.log_table.log_table import LogTable, identity, make_roster, new_table


def playing(table: LogTable) -> bool:
    """Whether a seat has to decide in a round of play."""
    current = table.replay.round
    return current is not None and current.number > 0 and current.engine.decider is not None


def test_a_table_of_these_tests_is_the_same_every_time() -> None:
    one, other = (new_table(4, salt=1).run(playing) for _ in range(2))
    assert one.entries == other.entries


def attesting(table: LogTable) -> bool:
    current = table.replay.round
    return current is not None and current.phase is ProtocolPhase.ATTEST


@pytest.fixture(scope="module")
def midway() -> LogTable:
    """Two players in the middle of a round of play."""
    return new_table(2).run(playing)


def everything(replay: Replay) -> bytes:
    """Return everything that a replay holds, to check that nothing has changed."""
    return pickle.dumps(vars(replay))


# ---- refusals of a host ---------------------------------------------------------------------


def check_refusal(table: LogTable, signed: SignedBody, why: RefusalReason) -> None:
    before = everything(table.replay)
    assert table.refusal(signed) is why
    assert everything(table.replay) == before


def test_bodies_that_fit_nowhere(midway: LogTable) -> None:
    table = midway
    leave = bodies.Leave()
    good = table.signed(1, leave)
    cases = [
        (SignedBody(b"\xc0", good.signature), RefusalReason.MALFORMED),
        (SignedBody(good.body + b"\x00", good.signature), RefusalReason.MALFORMED),
        (table.signed(1, leave, table=bytes(32)), RefusalReason.WRONG_TABLE),
        (table.signed(2, leave, by=identity(1)), RefusalReason.NOT_A_SEAT),
        (table.signed(254, leave, by=identity(1)), RefusalReason.NOT_A_SEAT),
        (table.signed(HOST, leave), RefusalReason.NOT_A_SEAT),
        (table.signed(0, bodies.Drop(1, DropReason.LOST)), RefusalReason.NOT_A_SEAT),
        (table.signed(1, leave, by=identity(0)), RefusalReason.BAD_SIGNATURE),
        (SignedBody(good.body, bytes(64)), RefusalReason.BAD_SIGNATURE),
        (table.signed(1, leave, counter=0), RefusalReason.STALE_COUNTER),
        (table.signed(1, leave, head=bytes(32)), RefusalReason.UNKNOWN_HEAD),
        (table.signed(1, leave, round_number=0), RefusalReason.WRONG_ROUND),
        (table.signed(1, leave, round_number=2), RefusalReason.WRONG_ROUND),
    ]
    for signed, why in cases:
        check_refusal(table, signed, why)
    table.fork().append(good)


def test_a_seat_cannot_say_more_than_an_honest_one_needs(midway: LogTable) -> None:
    long = bodies.Unlock(tuple(bodies.SlotKeyList(n, bytes(32 * 8)) for n in range(32)))
    signed = midway.signed(1, long)
    assert bodies.MAX_SEAT_BODY < len(signed.body) < bodies.MAX_BODY
    check_refusal(midway, signed, RefusalReason.MALFORMED)


def test_counters_may_jump_but_never_return(midway: LogTable) -> None:
    table = midway.fork()
    table.append(table.signed(1, bodies.Leave(), counter=1_000))
    again = table.signed(1, bodies.Halt(bodies.HaltReason.NO_CARD, None), counter=1_000)
    assert table.refusal(again) is RefusalReason.STALE_COUNTER
    assert table.replay.next_counter(1) == 1_001


def test_a_body_may_build_on_any_entry_of_the_log(midway: LogTable) -> None:
    for head in (midway.replay.table_id, midway.entries[0].hash, midway.replay.head):
        table = midway.fork()
        assert table.replay.knows(head)
        table.append(table.signed(1, bodies.Leave(), head=head))


def test_a_body_of_a_dropped_seat_is_refused(midway: LogTable) -> None:
    table = midway.fork()
    table.add(HOST, bodies.Drop(1, DropReason.LOST))
    assert table.refusal_of(1, bodies.Leave()) is RefusalReason.NOT_A_SEAT
    assert table.refusal_of(HOST, bodies.Drop(1, DropReason.LOST)) is RefusalReason.ALREADY_DONE


def test_a_drop_of_the_host_a_bot_or_no_seat_is_refused(midway: LogTable) -> None:
    for seat in (0, 2, 9):
        assert (
            midway.refusal_of(HOST, bodies.Drop(seat, DropReason.LOST)) is RefusalReason.NOT_A_SEAT
        )


def test_a_seat_signs_one_leave(midway: LogTable) -> None:
    table = midway.fork()
    assert table.add(1, bodies.Leave()) == [events.LeaveAnnounced(1)]
    assert table.refusal_of(1, bodies.Leave()) is RefusalReason.ALREADY_DONE
    assert table.replay.owners == (0,)
    assert table.replay.next_plan() is None


def test_nothing_follows_the_close(played: LogTable) -> None:
    assert played.replay.closed is CloseReason.STOPPED
    assert played.refusal_of(1, bodies.Leave()) is RefusalReason.CLOSED
    assert played.replay.next_plan() is None


def test_before_the_first_round_there_is_nothing_to_do() -> None:
    table = new_table(2)
    assert table.replay.between_rounds
    assert not table.replay.blamed
    assert table.refusal_of(1, bodies.Act(0, Draw(), b"")) is RefusalReason.NOT_NOW
    assert table.refusal_of(HOST, bodies.TimeOut(0)) is RefusalReason.NOT_NOW
    table.add(HOST, bodies.Drop(1, DropReason.LOST))
    assert table.replay.dropped == {1: DropReason.LOST}


def test_rounds_open_as_the_match_says(played: LogTable) -> None:
    table = new_table(2)
    plan = table.replay.next_plan()
    assert plan is not None
    right = open_payload(plan)
    for wrong in (
        msgspec.structs.replace(right, number=1),
        msgspec.structs.replace(right, kind=RoundKind.PLAY),
        msgspec.structs.replace(right, seats=(1, 0)),
        msgspec.structs.replace(right, seats=(0,)),
        msgspec.structs.replace(right, dealer=0),
    ):
        assert table.refusal_of(HOST, wrong) is RefusalReason.ILLEGAL
    table.add(HOST, right)
    assert table.refusal_of(HOST, right) is RefusalReason.NOT_NOW
    assert [each.number for each in played.replay.summaries] == [0, 1]


# ---- faults that a replica detects ----------------------------------------------------------


def fault_of(table: LogTable, entry: Entry) -> HostFault:
    with pytest.raises(HostFault) as caught:
        table.fork().replay.follow(entry)
    assert caught.value.blame.entry == table.replay.seq
    return caught.value


def test_a_replica_agrees_with_the_host(played: LogTable) -> None:
    copy = played.fork()
    assert copy.replay.state() == played.replay.state()
    assert copy.happened == played.happened
    assert everything(copy.replay) == everything(played.fork().replay)


Forge = Callable[[LogTable], Entry]


def by_another(table: LogTable) -> Entry:
    good = table.entry(table.signed(1, bodies.Leave()))
    return sign_entry(good.read(), identity(1))


def nobody_wrote(table: LogTable) -> Entry:
    good = table.entry(table.signed(1, bodies.Leave()))
    return Entry(good.core, bytes(64))


def no_entry(table: LogTable) -> Entry:
    del table
    core = b"\x91\x00"
    return Entry(core, identity(0).sign(H("entry", core)))


def changed(**what: object) -> Forge:
    return lambda table: table.entry(table.signed(1, bodies.Leave()), **what)


def body_of(make: Callable[[LogTable], SignedBody]) -> Forge:
    return lambda table: table.entry(make(table))


@pytest.mark.parametrize(
    ("forge", "seat", "fault", "check"),
    [
        (by_another, None, Fault.FORGED, Check.SIGNATURES),
        (nobody_wrote, None, Fault.FORGED, Check.SIGNATURES),
        (no_entry, 0, Fault.FORGED, Check.CHAIN),
        (changed(table=bytes(32)), None, Fault.FORGED, Check.CHAIN),
        (changed(term=1), None, Fault.FORGED, Check.CHAIN),
        (changed(seq=0), 0, Fault.EQUIVOCATION, Check.CHAIN),
        (changed(prev=bytes(32)), 0, Fault.EQUIVOCATION, Check.CHAIN),
        (changed(state=bytes(32)), 0, Fault.BAD_STATE, Check.STATES),
        (changed(body=b"\xc0"), 0, Fault.FORGED, Check.SIGNATURES),
        (changed(body_signature=bytes(64)), 0, Fault.FORGED, Check.SIGNATURES),
        (
            body_of(lambda table: table.signed(3, bodies.Leave(), by=identity(0))),
            0,
            Fault.BAD_ORDER,
            Check.MEMBERS,
        ),
        (
            body_of(lambda table: table.signed(1, bodies.Leave(), counter=0)),
            0,
            Fault.BAD_ORDER,
            Check.CHAIN,
        ),
        (
            body_of(lambda table: table.signed(1, bodies.Leave(), head=bytes(32))),
            0,
            Fault.BAD_ORDER,
            Check.CHAIN,
        ),
        (
            body_of(lambda table: table.signed(1, bodies.Leave(), round_number=0)),
            0,
            Fault.BAD_ORDER,
            Check.CHAIN,
        ),
        (
            body_of(lambda table: table.signed(1, bodies.Leave(), table=bytes(32))),
            0,
            Fault.BAD_ORDER,
            Check.CHAIN,
        ),
        (
            body_of(lambda table: table.signed(HOST, bodies.TimeOut(0))),
            0,
            Fault.BAD_ORDER,
            Check.RULES,
        ),
        (
            body_of(lambda table: table.signed(HOST, table.close(CloseReason.FINISHED))),
            0,
            Fault.BAD_ORDER,
            Check.RULES,
        ),
    ],
)
def test_an_entry_that_no_honest_host_writes_is_a_fault(
    midway: LogTable, forge: Forge, seat: int | None, fault: Fault, check: Check
) -> None:
    found = fault_of(midway, forge(midway))
    assert (found.blame.seat, found.blame.fault, found.check) == (seat, fault, check)


def test_an_honest_entry_is_followed(midway: LogTable) -> None:
    other = midway.fork()
    other.add(1, bodies.Leave())
    same = midway.fork().replay
    assert same.follow(other.entries[-1]) == [events.LeaveAnnounced(1)]
    assert (same.state(), same.head) == (other.replay.state(), other.replay.head)
    # The elapsed time is the host's word, provided that time does not go back.
    core = msgspec.structs.replace(other.entries[-1].read(), ms=77_000)
    later = midway.fork().replay
    later.follow(sign_entry(core, identity(0)))
    assert (later.state(), later.times.ms) == (other.replay.state(), 77_000)


# ---- equivocation ---------------------------------------------------------------------------


def two(table: LogTable, author: int = 1) -> tuple[SignedBody, SignedBody]:
    """Return two bodies of one author with the same counter."""
    payloads: tuple[bodies.Payload, bodies.Payload] = (
        bodies.Leave(),
        bodies.Halt(bodies.HaltReason.NO_CARD, None),
    )
    if author == HOST:
        payloads = (bodies.TimeOut(0), bodies.TimeOut(1))
    return table.signed(author, payloads[0]), table.signed(author, payloads[1])


def expose(first: SignedBody, second: SignedBody) -> bodies.Expose:
    return bodies.Expose(first.body, first.signature, second.body, second.signature)


def test_what_proves_equivocation(midway: LogTable) -> None:
    replay = midway.replay
    for author in (0, 1, HOST):
        seat = replay.host if author == HOST else author
        assert proven_equivocation(replay, *two(midway, author)) == seat
    first, second = two(midway)
    leave = bodies.Leave()
    for one, other in (
        (first, first),
        (first, SignedBody(first.body, second.signature)),
        (first, SignedBody(second.body, bytes(64))),
        (SignedBody(first.body, bytes(64)), second),
        (first, SignedBody(b"", second.signature)),
        (first, midway.signed(1, leave, counter=replay.next_counter(1) + 1)),
        (first, midway.signed(0, leave, counter=replay.next_counter(1))),
        (first, midway.signed(1, leave, table=bytes(32))),
        (midway.signed(1, leave, table=bytes(32)), second),
        (midway.signed(7, leave, by=identity(7)), midway.signed(7, leave, round_number=9)),
    ):
        assert proven_equivocation(replay, one, other) is None
        assert midway.refusal_of(HOST, expose(one, other)) is RefusalReason.ILLEGAL


@pytest.mark.parametrize("author", [0, 1, HOST])
def test_an_exposed_author_voids_the_round_and_is_named(midway: LogTable, author: int) -> None:
    table = midway.fork()
    happened = table.add(HOST, expose(*two(table, author)))
    seat = 0 if author == HOST else author
    found = [each.blame for each in happened if isinstance(each, events.FaultFound)]
    assert [(each.seat, each.fault) for each in found] == [(seat, Fault.EQUIVOCATION)]
    assert table.refusal_of(HOST, expose(*two(table, author))) is RefusalReason.ALREADY_DONE
    table.run()
    reason = CloseReason.FINISHED if seat else CloseReason.CHEATING
    assert table.replay.closed is reason
    assert table.replay.match.winners == ((0,) if seat else ())
    report = table.audit()
    assert [(each.seat, each.fault) for each in report.blame] == [(seat, Fault.EQUIVOCATION)]


def test_exposing_after_the_last_reveal_blames_no_attestation(midway: LogTable) -> None:
    """Attestations from before and after the exposure are both right."""
    table = midway.fork().run(attesting)
    table.add(0, table.attest(0))
    before = table.log.result
    table.add(HOST, expose(*two(table)))
    assert (before is None, table.log.result) == (False, None)
    table.add(1, table.attest(1))
    assert table.log.attests == {0: (), 1: (1,)}
    assert table.replay.summaries[-1].counted is False
    table.run()
    assert table.replay.closed is CloseReason.FINISHED
    blame = table.audit().blame
    assert [(each.seat, each.fault) for each in blame] == [(1, Fault.EQUIVOCATION)]


def test_an_attestation_that_crosses_an_exposure_blames_nobody_falsely(midway: LogTable) -> None:
    """The log that the author held counts, not the place where the host put the attestation."""
    table = midway.fork().run(attesting)
    crossing = table.signed(0, table.attest(0))
    table.add(HOST, expose(*two(table)))
    table.append(crossing)
    table.add(1, table.attest(1))
    assert table.log.attests == {0: (), 1: (1,)}
    assert table.replay.can_continue
    late = midway.fork().run(attesting)
    attest = late.attest(0)
    late.add(HOST, expose(*two(late)))
    late.add(0, attest)
    late.add(1, late.attest(1))
    assert not late.replay.can_continue, "a seat that held the proof has to attest it"


def test_exposing_between_rounds_ends_the_match(midway: LogTable) -> None:
    table = midway.fork().run(lambda each: each.replay.between_rounds)
    happened = table.add(HOST, expose(*two(table)))
    assert happened[1:] == [events.SeatExpelled(1, cheated=True)]
    assert (table.replay.can_continue, table.replay.blamed) == (True, True)
    assert table.refusal_of(HOST, expose(*two(table))) is RefusalReason.ALREADY_DONE
    table.run()
    report = table.audit()
    assert [(each.seat, each.fault) for each in report.blame] == [(1, Fault.EQUIVOCATION)]
    wrong = [check.name for check in report.rounds[-1].checks if not check.ok]
    assert wrong == [Check.SIGNATURES]


def test_exposing_before_the_first_round() -> None:
    table = new_table(2)
    table.add(HOST, expose(*two(table)))
    assert table.replay.next_plan() is None
    report = table.run().audit()
    assert [(each.seat, each.round) for each in report.blame] == [(1, 0)]


# ---- the end --------------------------------------------------------------------------------


def test_a_close_says_what_the_log_says(finished: LogTable) -> None:
    table = finished.fork(len(finished.entries) - 1)
    right = table.close(CloseReason.FINISHED)
    for wrong in (
        msgspec.structs.replace(right, scores=(*right.scores[:-1], 99)),
        msgspec.structs.replace(right, scores=right.scores[:-1]),
        msgspec.structs.replace(right, count=right.count + 1),
        msgspec.structs.replace(right, reason=CloseReason.STOPPED),
        msgspec.structs.replace(right, reason=CloseReason.CHEATING),
    ):
        assert table.refusal_of(HOST, wrong) is RefusalReason.ILLEGAL
    table.add(HOST, right)
    assert table.replay.closed is CloseReason.FINISHED


def test_a_log_can_be_broken_off_at_any_time(midway: LogTable) -> None:
    for reason in (CloseReason.FINISHED, CloseReason.STOPPED, CloseReason.CHEATING):
        assert midway.refusal_of(HOST, midway.close(reason)) is RefusalReason.ILLEGAL
    table = midway.fork()
    incomplete = CloseReason.INCOMPLETE
    assert table.add(HOST, table.close(incomplete)) == [events.LogClosed(incomplete)]


@pytest.mark.parametrize(
    ("limit", "room"),
    [("MAX_ENTRIES", limits.ROOM_ENTRIES), ("MAX_LOG_BYTES", limits.ROOM_BYTES)],
)
def test_a_log_is_too_long_only_where_it_is(
    midway: LogTable, monkeypatch: pytest.MonkeyPatch, limit: str, room: int
) -> None:
    """Otherwise a host could break a match off and give another reason."""
    table = midway.fork()
    close = table.close(CloseReason.TOO_LONG)
    assert table.refusal_of(HOST, close) is RefusalReason.ILLEGAL
    here = table.replay.seq if limit == "MAX_ENTRIES" else table.replay.size
    monkeypatch.setattr(limits, limit, here + room)
    assert table.refusal_of(HOST, close) is RefusalReason.ILLEGAL
    monkeypatch.setattr(limits, limit, here + room - 1)
    assert table.add(HOST, close) == [events.LogClosed(CloseReason.TOO_LONG)]


@pytest.mark.parametrize(
    ("limit", "value"),
    [
        ("MAX_ENTRIES", 41 + limits.ELECTIONS),
        ("MAX_LOG_BYTES", 32 * 1024 + 100 + limits.ELECTIONS * limits.ELECTION_BYTES),
    ],
)
def test_a_full_log_can_only_be_closed(
    midway: LogTable, monkeypatch: pytest.MonkeyPatch, limit: str, value: int
) -> None:
    monkeypatch.setattr(limits, limit, value)
    table = new_table(2)
    table.run(lambda each: each.replay.full)
    assert table.replay.seq == (40 if limit == "MAX_ENTRIES" else 1)
    assert table.refusal_of(1, bodies.Leave()) is RefusalReason.FULL
    assert fault_of(table, table.entry(table.signed(1, bodies.Leave()))).check is Check.CHAIN
    table.add(HOST, table.close(CloseReason.TOO_LONG))
    assert table.replay.closed is CloseReason.TOO_LONG


def test_rounds_count_once_all_have_attested(played: LogTable) -> None:
    closed = [each for each in played.happened if isinstance(each, events.RoundClosed)]
    assert [each.counted for each in closed] == [True, True]
    assert played.replay.match.rounds == 1
    kept = played.replay.summaries
    assert [each.attested for each in kept] == [(0, 1), (0, 1)]
    assert [each.kind for each in kept] == [RoundKind.DEALER, RoundKind.PLAY]
    assert [(each.counted, each.void) for each in kept] == [(True, None), (True, None)]


def test_a_round_is_void_if_a_seat_attests_a_fault(midway: LogTable) -> None:
    table = midway.fork().run(attesting)
    table.add(0, table.attest(0))
    table.add(1, bodies.Attest(table.log.reveal_hash, (0,)))
    assert table.replay.summaries[-1].counted is False
    assert table.replay.match.rounds == 0
    table.run()
    assert table.replay.closed is CloseReason.CHEATING


def test_seats_that_are_lost_are_not_waited_for() -> None:
    table = new_table(3).run(lambda each: each.replay.number == 1 and attesting(each))
    table.add(HOST, bodies.Drop(1, DropReason.LOST))
    table.add(HOST, bodies.Drop(2, DropReason.LOST))
    table.add(0, table.attest(0))
    assert table.replay.summaries[-1].counted
    table.run()
    assert table.replay.closed is CloseReason.FINISHED
    assert table.replay.match.winners == (0,)


def test_a_genesis_with_an_unreadable_roster_is_refused(played: LogTable) -> None:
    with pytest.raises(Unreadable):
        Replay(msgspec.structs.replace(played.genesis, roster=b""))


def test_the_dealer_follows_from_the_cards(played: LogTable) -> None:
    chosen = next(each for each in played.happened if isinstance(each, events.RoundClosed))
    assert isinstance(chosen.result, DealerResult)
    second = [each for each in played.happened if isinstance(each, events.RoundOpened)][1]
    assert second.dealer == chosen.result.dealer


# ---- one counter twice -----------------------------------------------------------------------

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
    players = SimpleNamespace(signed_roster=SIGNED)
    log = SimpleNamespace(table_id=TABLE, roster=roster, terms=TERMS, absence=players)
    seat = proven_equivocation(cast("Replay", log), first, second)
    assert proven_equivocation(cast("Replay", log), second, first) == seat
    return seat


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
