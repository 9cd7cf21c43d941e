"""Terms in the log: votes that elect a host, votes that do not, and what a new host signs."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.log.audit.audit import MAX_VOTE_PAIRS, prove_fork
from lanuno.log.faults import (
    AuditVerdict,
    Blame,
    BodyRefused,
    Check,
    Fault,
    HostFault,
    RefusalReason,
)
from lanuno.log.format import bodies, limits
from lanuno.log.format.bodies import HOST, Body, CloseReason, DropReason, SignedBody, sign_body
from lanuno.log.format.codec import encode
from lanuno.log.format.entries import Entry, EntryCore, sign_entry
from lanuno.log.format.votes import SignedVote, sign_vote
from lanuno.log.replay.replay import Replay, proven_equivocation
from lanuno.log.replay.terms import COUNTERS_PER_TERM, MAX_TERM_STEP, LogEnd, Term, majority
from lanuno.log.round import events
from lanuno.log.round.round_record import ProtocolPhase
from tests.harness.log_table.elections import elect, vote, votes
from tests.harness.log_table.log_table import LogTable, identity, new_table


@pytest.fixture(scope="module")
def midway() -> LogTable:
    """Four people, so that three votes decide; the first round of play has begun."""
    return new_table(4, salt=6).run(
        lambda each: each.replay.number == 1 and each.log.phase is ProtocolPhase.PLAY
    )


def refusal_of(table: LogTable, given: tuple[SignedVote, ...], candidate: int = 1) -> RefusalReason:
    before = (table.replay.seq, table.replay.state())
    with pytest.raises(BodyRefused) as refused:
        table.replay.elect(given, table.replay.times.ms, identity(candidate))
    assert before == (table.replay.seq, table.replay.state())
    return refused.value.refusal


def fault_of(table: LogTable, entry: Entry) -> HostFault:
    with pytest.raises(HostFault) as found:
        table.fork().replay.follow(entry)
    return found.value


def test_a_majority_is_more_than_half_of_the_owners() -> None:
    assert [majority(owners) for owners in range(1, 8)] == [1, 2, 2, 3, 3, 4, 4]


def test_a_new_host_goes_on_where_the_old_one_stopped(midway: LogTable) -> None:
    table = midway.fork()
    first = table.replay.seq
    assert table.replay.majority == 3
    assert elect(table) == [events.HostElected(1, 1)]
    replay = table.replay
    assert (replay.host, replay.term) == (1, 1)
    assert replay.terms == [Term(0, 0, 0), Term(1, first, 1)]
    assert replay.end == LogEnd(1, first + 1, replay.head)
    assert replay.hashes[-1] == replay.head
    assert replay.next_counter(HOST) == COUNTERS_PER_TERM + 1
    # The old host signs nothing more, not even with the new host's counters.
    assert (
        table.refusal(table.signed(HOST, bodies.TimeOut(0), by=identity(0)))
        is RefusalReason.BAD_SIGNATURE
    )
    low = table.signed(HOST, bodies.TimeOut(0), counter=40)
    assert table.refusal(low) is RefusalReason.STALE_COUNTER
    # It may now be dropped like any other seat, and the game continues.
    table.drop(0, DropReason.LOST)
    table.run()
    report = table.audit()
    assert (report.verdict, report.blame) == (AuditVerdict.VERIFIED, ())
    # Other nodes follow the log, without checking signatures again if they are trusted.
    again = Replay(table.genesis)
    for entry in table.entries:
        again.follow(entry, trusted=True)
    assert again.state() == replay.state()
    # A wrong signature is then not even read, so reading a node's journal is fast.
    core = msgspec.structs.replace(table.entries[0].read(), body_signature=bytes(64))
    unsigned = Entry(encode(core), bytes(64))
    Replay(table.genesis).follow(unsigned, trusted=True)
    with pytest.raises(HostFault):
        Replay(table.genesis).follow(unsigned)


def test_no_host_takes_counters_of_a_later_term(midway: LogTable) -> None:
    """The host of that term would be proven to have used them twice."""
    close = midway.close(CloseReason.INCOMPLETE)
    for counter in (COUNTERS_PER_TERM, 7 * COUNTERS_PER_TERM):
        later = midway.signed(HOST, close, counter=counter)
        assert midway.refusal(later) is RefusalReason.STALE_COUNTER
    last = midway.signed(HOST, close, counter=COUNTERS_PER_TERM - 1)
    assert midway.fork().append(last) == [events.LogClosed(CloseReason.INCOMPLETE)]


def test_no_majority_uses_up_the_terms(midway: LogTable) -> None:
    """Each election may advance the term by the limit, and the next one still follows."""
    table = midway.fork()
    for number in range(1, 4):
        far = votes(table, 1, 2, 3, term=number * MAX_TERM_STEP + 1)
        assert refusal_of(table, far) is RefusalReason.ILLEGAL
        elect(table, 1, number * MAX_TERM_STEP)
        table.add(HOST, bodies.Drop(2, DropReason.LOST))
        table.add(2, bodies.Return())
    last = table.replay.next_counter(HOST)
    assert last == 3 * MAX_TERM_STEP * COUNTERS_PER_TERM + 2
    assert last > 2**32
    replayed = Replay(table.genesis)
    for entry in table.entries:
        replayed.follow(entry)
    assert replayed.state() == table.replay.state()


def test_a_full_log_has_room_for_elections(
    midway: LogTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a host that fills the log and falls silent could never be replaced."""
    table = midway.fork()
    monkeypatch.setattr(limits, "MAX_ENTRIES", table.replay.seq + 1 + limits.ELECTIONS)
    assert table.refusal_of(HOST, bodies.Drop(3, DropReason.LOST)) is RefusalReason.FULL
    for term in range(1, limits.ELECTIONS + 1):
        elect(table, 1, term)
    assert refusal_of(table, votes(table, 1, 2, 3, term=limits.ELECTIONS + 1)) is RefusalReason.FULL
    table.add(HOST, table.close(CloseReason.TOO_LONG))
    assert table.replay.seq == limits.MAX_ENTRIES


def test_the_longest_election_has_the_room_that_is_kept_for_it() -> None:
    table = new_table(10)
    far = 2**31
    table.replay.term = far
    given = votes(table, *range(10), term=far + 1)
    before = table.replay.size
    table.replay.elect(given, 0, identity(1))
    # Times, counts and numbers take more bytes in a long log.
    assert 1_500 < table.replay.size - before < limits.ELECTION_BYTES - 150


def test_votes_that_elect_no_host(midway: LogTable) -> None:
    table = midway
    end = table.replay.end
    good = votes(table, 1, 2, 3)
    for wrong, why in (
        (good[:2], RefusalReason.ILLEGAL),
        ((*good, good[0]), RefusalReason.NOT_A_SEAT),
        ((*good[:2], vote(table, 3, candidate=2)), RefusalReason.ILLEGAL),
        ((*good[:2], vote(table, 3, term=2)), RefusalReason.ILLEGAL),
        (votes(table, 1, 2, 3, term=0), RefusalReason.ILLEGAL),
        (votes(table, 1, 2, 3, term=MAX_TERM_STEP + 1), RefusalReason.ILLEGAL),
        ((*good[:2], vote(table, 3, count=end.count + 1)), RefusalReason.ILLEGAL),
        ((*good[:2], vote(table, 3, last_term=1)), RefusalReason.ILLEGAL),
        ((*good[:2], vote(table, 3, head=bytes(32))), RefusalReason.ILLEGAL),
        ((*good[:2], vote(table, 3, table=bytes(32))), RefusalReason.ILLEGAL),
        ((*good[:2], sign_vote(good[2].read(), identity(2))), RefusalReason.BAD_SIGNATURE),
        ((*good[:2], SignedVote(b"\x01", bytes(64))), RefusalReason.MALFORMED),
        ((*good[:2], vote(table, 9)), RefusalReason.NOT_A_SEAT),
    ):
        assert refusal_of(table, wrong) is why
    # An owner that holds less may vote for one that holds more.
    shorter = vote(table, 3, count=3, head=table.entries[2].hash)
    elect_with = table.fork()
    elect_with.replay.elect((*good[:2], shorter), elect_with.replay.times.ms, identity(1))
    # Only the candidate that they name can use them.
    assert refusal_of(table, good, candidate=2) is RefusalReason.BAD_SIGNATURE


def test_a_dropped_owner_cannot_vote_or_be_elected(midway: LogTable) -> None:
    table = midway.fork()
    table.drop(3)
    assert refusal_of(table, votes(table, 1, 2, 3)) is RefusalReason.NOT_A_SEAT
    assert refusal_of(table, votes(table, 1, 2, candidate=3), 3) is RefusalReason.NOT_A_SEAT
    elect(table, 1, 1, 1, 2)
    two = new_table(2)
    assert refusal_of(two, votes(two, 0)) is RefusalReason.ILLEGAL
    elect(two, 0, 1, 0, 1)


def test_no_peer_follows_a_term_that_nobody_voted_for(midway: LogTable) -> None:
    table = midway.fork()
    elect(table)
    entry = table.entries[-1]
    core: EntryCore = entry.read()
    body: Body = core.signed_body.read()
    assert isinstance(body.payload, bodies.Elect)
    few = msgspec.structs.replace(body, payload=bodies.Elect(body.payload.votes[:2]))
    signed = sign_body(few, identity(1))
    leave = table.signed(1, bodies.Leave())
    for changed, check in (
        (sign_entry(core, identity(2)), Check.SIGNATURES),
        (sign_entry(msgspec.structs.replace(core, term=2), identity(1)), Check.CHAIN),
        (
            sign_entry(
                msgspec.structs.replace(core, body=signed.body, body_signature=signed.signature),
                identity(1),
            ),
            Check.CHAIN,
        ),
        (
            sign_entry(
                msgspec.structs.replace(core, body=leave.body, body_signature=leave.signature),
                identity(1),
            ),
            Check.CHAIN,
        ),
        (sign_entry(msgspec.structs.replace(core, body=b"\x90"), identity(1)), Check.CHAIN),
        (sign_entry(msgspec.structs.replace(core, prev=bytes(32)), identity(1)), Check.CHAIN),
        (sign_entry(msgspec.structs.replace(core, seq=core.seq + 1), identity(1)), Check.CHAIN),
    ):
        found = fault_of(midway, changed)
        assert (found.blame.seat, found.blame.fault) == (None, Fault.FORGED)
        assert found.check is check
    # If an election appears in an entry of the old term, the old host is to blame.
    same = sign_entry(msgspec.structs.replace(core, term=0), identity(0))
    found = fault_of(midway, same)
    assert (found.blame.seat, found.blame.fault) == (0, Fault.BAD_ORDER)


def test_another_entry_with_a_number_of_this_term_is_equivocation(midway: LogTable) -> None:
    table = midway.fork()
    core = msgspec.structs.replace(table.entries[4].read(), ms=1)
    with pytest.raises(HostFault) as found:
        table.replay.follow(sign_entry(core, identity(0)))
    assert found.value.blame.fault is Fault.EQUIVOCATION
    # The same entry once more is only in the wrong place.
    assert fault_of(midway, midway.entries[4]).blame.fault is Fault.FORGED


def test_two_votes_in_one_term_are_proof(midway: LogTable) -> None:
    table = midway.fork()
    one, two = vote(table, 2), vote(table, 2, candidate=3)
    for first, second in (
        (one, one),
        (one, vote(table, 2, count=1)),
        (one, vote(table, 2, candidate=3, term=2)),
        (one, vote(table, 3, candidate=3)),
        (one, vote(table, 2, candidate=3, table=bytes(32))),
        (one, SignedVote(two.vote, bytes(64))),
    ):
        assert table.refusal_of(HOST, bodies.ExposeVotes(first, second)) is RefusalReason.ILLEGAL
    happened = table.add(HOST, bodies.ExposeVotes(one, two))
    assert isinstance(happened[0], events.FaultFound)
    assert table.refusal_of(HOST, bodies.ExposeVotes(one, two)) is RefusalReason.ALREADY_DONE
    table.run()
    assert [(each.seat, each.fault) for each in table.audit().blame] == [(2, Fault.DOUBLE_VOTE)]
    assert 2 not in table.replay.match.playing


def test_an_owner_sets_its_port_and_a_bot_cannot(midway: LogTable) -> None:
    table = new_table(3, bots={2: 1})
    assert table.add(1, bodies.Listen(4_000)) == []
    assert table.refusal_of(1, bodies.Listen(4_000)) is RefusalReason.ALREADY_DONE
    assert table.refusal_of(2, bodies.Listen(4_000)) is RefusalReason.NOT_A_SEAT
    table.add(1, bodies.Listen(4_001))
    assert table.replay.ports == {1: 4_001}


def test_bodies_of_an_earlier_term_blame_its_host(midway: LogTable) -> None:
    table = midway.fork()
    old = [table.signed(HOST, bodies.TimeOut(number), counter=9) for number in (0, 1)]
    elect(table)
    assert proven_equivocation(table.replay, *old) == 0
    unheard = [
        table.signed(HOST, bodies.TimeOut(number), counter=7 * COUNTERS_PER_TERM)
        for number in (0, 1)
    ]
    assert proven_equivocation(table.replay, *unheard) is None


def test_two_stories_of_a_later_host(midway: LogTable) -> None:
    table = midway.fork()
    elect(table)
    other = table.fork()
    table.drop(3)
    other.drop(2)
    blame = prove_fork((table.genesis, table.entries), (other.genesis, other.entries))
    assert blame is not None
    assert (blame.seat, blame.fault) == (1, Fault.EQUIVOCATION)


def test_two_elections_of_one_term_prove_a_double_vote(midway: LogTable) -> None:
    table, other = midway.fork(), midway.fork()
    elect(table, 1, 1, 0, 1, 3)
    elect(other, 2, 1, 0, 2, 3)

    def found(*entries: Entry) -> Blame | None:
        copy = (midway.genesis, [*midway.entries, *entries])
        return prove_fork((table.genesis, table.entries), copy)

    seq, truth = midway.replay.seq, other.entries[-1]
    named = found(truth)
    assert named is not None
    assert (named.fault, named.entry) == (Fault.DOUBLE_VOTE, seq)
    assert named.seat in (0, 3)
    # Both hold one log, or the votes are of other terms, or prove nothing.
    assert found(table.entries[-1]) is None
    later = midway.fork()
    elect(later, 2, 2, 0, 2, 3)
    assert found(later.entries[-1]) is None

    def said(*given: SignedVote) -> Entry:
        words = bodies.Elect(given)
        body = Body(midway.replay.table_id, 1, HOST, COUNTERS_PER_TERM, midway.replay.head, words)
        return entry_of(truth, sign_body(body, identity(2)))

    forged = SignedVote(vote(midway, 3, 2).vote, bytes(64))
    unread = SignedVote(b"nonsense", bytes(64))
    right = vote(midway, 3, 2)
    assert found(said(unread)) is None
    assert found(said(forged)) is None
    assert found(said(forged), Entry(b"", bytes(64)), said(right)) == Blame(
        3, Fault.DOUBLE_VOTE, 0, seq + 2, "two votes in one term"
    )
    # A file full of votes that prove nothing causes only bounded work.
    assert found(*[said(forged)] * MAX_VOTE_PAIRS, said(right)) is None


def entry_of(like: Entry, signed: SignedBody) -> Entry:
    """Return a copy of an entry with this body in it."""
    core = like.read()
    changed = msgspec.structs.replace(core, body=signed.body, body_signature=signed.signature)
    return sign_entry(changed, identity(2))


def test_a_host_proven_to_cheat_ends_the_table_and_a_former_one_does_not(midway: LogTable) -> None:
    table = midway.fork()
    former = [table.signed(HOST, bodies.TimeOut(number), counter=9) for number in (0, 1)]
    proof = bodies.Expose(former[0].body, former[0].signature, former[1].body, former[1].signature)
    elect(table)
    table.add(HOST, proof)
    table.run(lambda each: each.replay.between_rounds)
    assert table.replay.can_continue
    assert table.replay.match.playing == (1, 2, 3)
    still = midway.fork()
    still.add(HOST, proof)
    still.run(lambda each: each.replay.between_rounds)
    assert not still.replay.can_continue
