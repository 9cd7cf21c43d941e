"""Two copies of one log that fork, and the votes that contradict the other copy."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from msgspec.structs import replace

from lanuno.log.audit.copies import ContradictingVote, CopyFork, find_fork
from lanuno.log.faults import AuditVerdict
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, CloseReason, Elect
from lanuno.log.format.entries import Entry, sign_entry
from lanuno.log.format.genesis import Genesis
from lanuno.log.format.votes import SignedVote
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.ruleset import Format, Ruleset
from tests.harness.log_table.elections import elect, vote, votes
from tests.harness.log_table.log_table import LogTable, identity, new_table

SINGLE = Ruleset(hand_size=2, format=Format.SINGLE)


@pytest.fixture(scope="module")
def begun() -> LogTable:
    """Three people in the first round of play: the end from which the copies fork."""
    return new_table(3, SINGLE, salt=1).run(
        lambda each: each.replay.number == 1 and each.log.phase is ProtocolPhase.PLAY
    )


@pytest.fixture(scope="module")
def played(begun: LogTable) -> LogTable:
    """The match that these three played to its end."""
    return begun.fork().run()


@pytest.fixture(scope="module")
def again(begun: LogTable) -> LogTable:
    """The other ending: two of them elect a host at the old end and play without the third."""
    table = begun.fork()
    elect(table, 1, 1, 1, 2)
    table.drop(0)
    return table.run()


def parted(first: LogTable, second: LogTable | Sequence[Entry]) -> CopyFork | None:
    entries = second.entries if isinstance(second, LogTable) else second
    return find_fork((first.genesis, first.entries), (first.genesis, entries))


def test_two_endings_name_those_who_voted_against_what_they_held(
    begun: LogTable, played: LogTable, again: LogTable
) -> None:
    assert (played.audit().verdict, again.audit().verdict) == (AuditVerdict.VERIFIED,) * 2
    assert played.audit().winners != again.audit().winners
    old = begun.replay.seq
    found = parted(played, again)
    assert found is not None
    assert found.entry == old
    assert [(each.seat, each.copy, each.term, each.entry) for each in found.contradictions] == [
        (1, 1, 1, old),
        (2, 1, 1, old),
    ]
    for each in found.contradictions:
        assert each.claimed == old < each.held <= len(played.entries)
        signed = played.entries[each.shown].read().signed_body
        assert signed.signed_by(identity(each.seat).public)
        head = played.entries[each.held - 1].hash
        assert signed.read().head == head
    other_way = parted(again, played)
    assert other_way is not None
    assert [(each.seat, each.copy) for each in other_way.contradictions] == [(1, 0), (2, 0)]


def test_the_voters_of_an_honest_election_are_not_named(played: LogTable) -> None:
    """The old host continued alone after the entries that the other owners held."""
    held = len(played.entries) - 6
    others = played.fork(held)
    elect(others, 1, 1, 1, 2)
    others.drop(0)
    others.run()
    alone = played.fork(held)
    alone.add(HOST, alone.close(CloseReason.INCOMPLETE))
    assert parted(alone, others) == CopyFork(held, ())


def test_only_signed_entries_of_one_table_are_a_fork(begun: LogTable, played: LogTable) -> None:
    assert parted(begun, played) is None
    assert parted(played, played) is None
    stranger = new_table(3, salt=2)
    assert find_fork((begun.genesis, begun.entries), (stranger.genesis, stranger.entries)) is None
    unsigned = Genesis(begun.genesis.roster, (), begun.genesis.nonces)
    other = [*begun.entries[:-1], played.entries[-1]]
    assert find_fork((unsigned, begun.entries), (unsigned, other)) is None


def test_an_owner_that_signed_nothing_further_is_not_named(
    begun: LogTable, again: LogTable
) -> None:
    """Only seat 1 has signed anything that shows that it held more."""
    table = begun.fork()
    head = table.entries[-1].hash
    table.add(1, bodies.Listen(4_000))
    table.append(table.signed(2, bodies.Listen(4_001), head=head))
    table.add(1, bodies.Listen(4_002))
    table.add(HOST, table.close(CloseReason.INCOMPLETE))
    old = begun.replay.seq
    assert parted(table, again) == CopyFork(
        old, (ContradictingVote(1, 1, 1, old, old, old + 2, old + 2),)
    )


def test_a_host_that_denies_its_own_entries(begun: LogTable) -> None:
    old = begun.replay.seq
    first, second = begun.fork(), begun.fork()
    first.add(HOST, first.close(CloseReason.INCOMPLETE))
    elect(second, 1, 1, 0, 1)
    assert parted(first, second) == CopyFork(
        old, (ContradictingVote(0, 1, 1, old, old, old + 1, old),)
    )


def test_a_vote_that_denies_an_earlier_vote(begun: LogTable) -> None:
    """An owner's later vote claims less of the log than its earlier vote."""
    old = begun.replay.seq
    first, second = begun.fork(), begun.fork()
    first.add(0, bodies.Listen(4_000))
    elect(first, 1, 1, 1, 2)
    elect(second, 2, 2, 1, 2)
    vote_1, vote_2 = (ContradictingVote(seat, 1, 2, old, old, old + 1, old + 1) for seat in (1, 2))
    # Seat 1 has also signed the first entry of its term.
    assert parted(first, second) == CopyFork(old, (replace(vote_1, held=old + 2), vote_2))


def test_what_was_signed_in_a_later_term_may_follow_the_vote(begun: LogTable) -> None:
    """An owner that voted in term 1 may still follow another host of term 2."""
    first, second = begun.fork(), begun.fork()
    elect(first, 2, 2, 0, 2)
    first.add(1, bodies.Listen(4_000))
    first.add(1, bodies.Listen(4_001))
    elect(second, 1, 1, 1, 2)
    found = parted(first, second)
    assert found is not None
    assert found.contradictions == ()


def test_a_return_in_the_old_term_does_not_contradict_a_vote(begun: LogTable) -> None:
    """A seat dropped after its vote may read on in the old term, and its Return shows only that."""
    table = new_table(4, salt=3).run(
        lambda each: each.replay.number == 1 and each.log.phase is ProtocolPhase.PLAY
    )
    first, second = table.fork(), table.fork()
    first.drop(3)
    first.add(3, bodies.Return())
    elect(second, 1, 1, 1, 2, 3)
    assert parted(first, second) == CopyFork(table.replay.seq, ())


def test_only_what_the_voter_signed_is_held_against_it(begun: LogTable, played: LogTable) -> None:
    old = begun.replay.seq
    # Votes that nobody cast, or that nobody can read.
    for given in (
        SignedVote(vote(begun, 2).vote, bytes(64)),
        SignedVote(b"nonsense", bytes(64)),
        vote(begun, 9),
    ):
        elect_entry = _with_votes(begun, (vote(begun, 1), given))
        found = parted(played, [*begun.entries, elect_entry])
        assert found is not None
        assert [each.seat for each in found.contradictions] == [1]
    # Bodies of a seat that another identity signed, such as a bot that fills in.
    table = begun.fork()
    entries = list(table.entries)
    for number in range(2):
        bot = table.signed(1, bodies.Listen(4_000 + number), by=identity(7))
        entry = table.entry(bot, seq=old + number, prev=entries[-1].hash)
        entries.append(entry)
    bot = table.signed(1, bodies.Listen(4_009), by=identity(7), head=entries[-1].hash)
    elect_entry = _with_votes(begun, votes(begun, 1, 2))
    assert parted(table_of(table, entries), [*begun.entries, elect_entry]) == CopyFork(old, ())


def table_of(table: LogTable, entries: list[Entry]) -> LogTable:
    other = LogTable(table.genesis)
    other.entries = entries
    return other


def _with_votes(at: LogTable, given: tuple[SignedVote, ...]) -> Entry:
    """Return the first entry of a term with these votes, which may be invalid."""
    signed = at.signed(HOST, Elect(given), by=identity(1))
    core = msgspec.structs.replace(at.entry(signed).read(), term=1)
    return sign_entry(core, identity(1))


def test_entries_behind_an_unreadable_one_are_ignored(begun: LogTable, played: LogTable) -> None:
    old = begun.replay.seq
    broken = Entry(b"", bytes(64))
    elect_entry = _with_votes(begun, votes(begun, 1, 2))
    assert parted(played, [*begun.entries, broken, elect_entry]) == CopyFork(old, ())


def test_progress_is_reported(played: LogTable, again: LogTable) -> None:
    steps: list[tuple[int, int]] = []
    logs = (played.genesis, played.entries), (again.genesis, again.entries)
    assert find_fork(*logs, lambda done, total: steps.append((done, total))) == find_fork(*logs)
    total = len(played.entries) + len(again.entries)
    assert {each for _, each in steps} == {total}
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)
    assert steps[-1][0] == total
