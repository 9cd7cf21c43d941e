"""Pages of a log, and the entry from which a returning node has to continue."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from lanuno.log.format.entries import Entry
from lanuno.log.replay.replay import Replay
from lanuno.table import log_pages
from lanuno.table.log_pages import PAGE_ENTRIES, continues_at, log_page
from lanuno.table.messages import PAGE_BYTES, Entries, Fetch, Rejoin, to_bytes
from lanuno.table.outputs import Output, Send
from lanuno.table.replica.replica import Replica
from tests.harness.host_and_seats.small_table import SmallTable
from tests.harness.log_table.elections import signed_vote
from tests.harness.log_table.log_table import identity
from tests.harness.log_table.replaying import replayed


def _entry(size: int) -> Entry:
    return Entry(bytes(size), bytes(64))


def test_a_page_has_what_was_asked_for() -> None:
    entries = [_entry(10 + number) for number in range(20)]
    assert log_page(entries, 0) == tuple(entries)
    assert log_page(entries, 7) == tuple(entries[7:])
    assert log_page(entries, 7, 9) == tuple(entries[7:9])
    assert log_page(entries, 9, 9) == ()
    assert log_page(entries, 20) == ()
    assert log_page(entries, 25) == ()


def test_a_page_has_so_many_entries_at_the_most() -> None:
    entries = [_entry(1)] * (PAGE_ENTRIES + 5)
    # Small as they are, none of them is an entry: so many would not fit otherwise.
    assert PAGE_ENTRIES * (1 + 64 + 16) > PAGE_BYTES
    assert len(log_page(entries, 0)) == PAGE_BYTES // (1 + 64 + 16)
    assert len(log_page([Entry(b"", b"")] * (PAGE_ENTRIES + 5), 3)) == PAGE_ENTRIES


@pytest.mark.parametrize("size", [40, 1000, 7000, 40_000])
def test_a_page_fits_into_a_message_and_is_never_empty(size: int) -> None:
    entries = [_entry(size)] * 500
    found = log_page(entries, 0)
    assert found
    assert len(to_bytes(Entries(0, found))) < PAGE_BYTES + 16
    assert len(found) == PAGE_BYTES // (size + 80), "no smaller than it has to be"


def test_an_entry_larger_than_a_page_goes_alone() -> None:
    entries = [_entry(10), _entry(PAGE_BYTES), _entry(10)]
    assert log_page(entries, 0) == (entries[0],)
    assert log_page(entries, 1) == (entries[1],)


# ---- where to continue --------------------------------------------------------------------------


@cache
def _journal() -> tuple[SmallTable, tuple[Entry, ...]]:
    table = SmallTable(3, 1).run(lambda each: len(each.journal) > 30)
    return table, tuple(table.journal)


def _elected(replay: Replay, term: int, winner: int) -> Entry:
    votes = [signed_vote(replay, seat, winner, term) for seat in range(3)]
    return replay.elect(votes, replay.times.ms, identity(winner))[0]


def _grown(held: Sequence[Entry], *terms: tuple[int, int]) -> list[Entry]:
    """Extend a log with elections: the term and winner of each."""
    replay = replayed(_journal()[0].genesis, held)
    return [*held, *(_elected(replay, *each) for each in terms)]


def _said(entries: Sequence[Entry]) -> Rejoin:
    end = replayed(_journal()[0].genesis, entries).end
    return Rejoin(end.term, end.count, end.head, 0)


def _continues_at(ours: Sequence[Entry], theirs: Sequence[Entry]) -> int | None:
    return continues_at(replayed(_journal()[0].genesis, ours), _said(theirs))


def test_a_peer_with_a_part_of_the_log_continues_behind_it() -> None:
    _, log = _journal()
    assert _continues_at(log, log) == len(log)
    for count in (0, 1, 12, len(log) - 1):
        assert _continues_at(log, log[:count]) == count
    assert _continues_at((), ()) == 0


def test_a_peer_with_an_abandoned_fork_continues_where_a_term_began() -> None:
    _, log = _journal()
    ours = _grown(log[:20], (1, 1))
    assert _continues_at(ours, log[:20]) == 20
    assert _continues_at(ours, log[:21]) == 20
    assert _continues_at(ours, log) == 20
    assert _continues_at(ours, log[:19]) == 19
    later = _grown(log[:20], (1, 1), (2, 2))
    assert _continues_at(later, ours) == 21
    assert _continues_at(later, log) == 20, "of the first term that is lacking"


def test_a_peer_with_an_unknown_term_continues_before_that_term() -> None:
    _, log = _journal()
    ours, theirs = _grown(log[:25], (2, 1)), _grown(log[:20], (1, 2))
    assert _continues_at(ours, theirs) == 21, "it has less than that term begins behind"
    ours = _grown(log[:15], (2, 1))
    assert _continues_at(ours, theirs) == 15


def test_a_peer_with_an_impossible_log_end_gets_no_page() -> None:
    _, log = _journal()
    replay = replayed(_journal()[0].genesis, log)
    end = replay.end
    assert continues_at(replay, Rejoin(0, end.count + 1, end.head, 0)) is None
    assert continues_at(replay, Rejoin(0, end.count, bytes(32), 0)) is None
    assert continues_at(replay, Rejoin(3, end.count - 1, end.head, 0)) is None
    assert continues_at(replay, Rejoin(9, 0, bytes(32), 0)) == 0, (
        "a peer that holds nothing may begin"
    )


# ---- reading on, page by page -------------------------------------------------------------------


def _fetched(out: Sequence[Output]) -> list[int]:
    """Return the entry numbers from which the host's log is requested."""
    told = [each.message for each in out if isinstance(each, Send)]
    return [message.first for message in told if isinstance(message, Fetch)]


def _read_log(ours: Sequence[Entry], theirs: Sequence[Entry]) -> Replica:
    """Return a replica that held `theirs`, after it has read a log that holds `ours`."""
    replica = Replica(_journal()[0].genesis)
    replica.receive(Entries(0, tuple(theirs)))
    term = ours[-1].read().term
    first = _continues_at(ours, theirs)
    assert first is not None
    asked = [first, *_fetched(replica.connected())]
    while asked:
        first = asked.pop(0)
        found = log_page(ours, first)
        if found or replica.replay.term == term:  # else it has shown no votes
            asked += _fetched(replica.receive(Entries(first, found)))
    return replica


@pytest.mark.parametrize("parted", [8, 14, 25])
def test_pages_that_are_held_already_lead_to_where_two_ends_part(
    parted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This happens after two elections in a row, each won without the other's last entry."""
    monkeypatch.setattr(log_pages, "PAGE_BYTES", 4096)
    _, log = _journal()
    ours, theirs = _grown(log[:parted], (1, 1), (3, 1)), _grown(log[: parted + 1], (2, 0))
    assert len(log_page(ours, 0)) < len(ours)
    replica = _read_log(ours, theirs)
    assert replica.entries == ours
    assert replica.caught_up
