"""A replica: what it appends, acknowledges and gives up, when it stops, and what readers hear."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from msgspec import structs

from lanuno.log.faults import Fault, HostFault
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, CloseReason
from lanuno.log.format.codec import encode
from lanuno.log.format.entries import Entry
from lanuno.log.round.events import LogEvent
from lanuno.table import messages
from lanuno.table.messages import Entries, Fetch
from lanuno.table.outputs import (
    TO_HOST,
    AppendEntry,
    EntriesOnDisk,
    HostDoubted,
    NodeStopped,
    SeatOutput,
    Send,
    StoreGenesis,
    StoreOtherEnd,
    SyncJournal,
    TruncateJournal,
    ViewChanged,
)
from lanuno.table.released_secrets import Released
from lanuno.table.replica.replica import Replica
from tests.harness.log_table.elections import elect
from tests.harness.log_table.log_table import LogTable, new_table

COUNT = 12


@cache
def played() -> LogTable:
    """Return a table in its first round, with 12 entries."""
    return new_table(4).run(lambda table: len(table.entries) == COUNT)


@cache
def elected() -> LogTable:
    """Return a table that lost the last two entries to an election."""
    table = played().fork(COUNT - 2)
    elect(table)
    return table


class Listening:
    """A reader that notes its calls in a list shared with other readers."""

    def __init__(self, name: str, calls: list[str], out: Sequence[SeatOutput] = ()) -> None:
        self.name, self.calls, self.out = name, calls, out

    def _note(self, call: str) -> list[SeatOutput]:
        self.calls.append(f"{self.name} {call}")
        return []

    def note_entry(self, happened: Sequence[LogEvent]) -> None:
        self._note("note")

    def after_entry(self) -> list[SeatOutput]:
        return self._note("after")

    def proceed(self) -> list[SeatOutput]:
        self._note("proceed")
        return [*self.out]

    def caught_up_again(self) -> list[SeatOutput]:
        return self._note("caught up")

    def body_refused(self, message: messages.BodyRefusal) -> list[SeatOutput]:
        return self._note(f"refused {message.counter}")

    def before_rewind(self) -> None:
        self._note("before rewind")

    def start_over(self, happened: Sequence[LogEvent]) -> None:
        self._note("start over")

    def read_again(self) -> None:
        self._note("read again")


def replica_of(count: int = 0, last: Released | None = None) -> Replica:
    """Return a replica whose journal has the first `count` entries."""
    replica = Replica(played().genesis, last)
    replica.read_journal(played().entries[:count])
    return replica


def caught_up(count: int = COUNT, last: Released | None = None) -> Replica:
    """Return a replica that has caught up with a host that holds `count` entries."""
    replica = replica_of(count, last)
    replica.connected()
    replica.receive(Entries(count, ()))
    assert replica.caught_up
    return replica


def page(first: int, last: int = COUNT, table: LogTable | None = None) -> Entries:
    return Entries(first, tuple((table or played()).entries[first:last]))


def with_state(entry: Entry) -> Entry:
    """Return an entry that claims another state, without the host's signature."""
    return Entry(encode(structs.replace(entry.read(), state=bytes(32))), bytes(64))


# ---- beginning and catching up ------------------------------------------------------------------


def test_a_new_replica_stores_its_genesis_and_one_with_a_journal_syncs_it() -> None:
    genesis = played().genesis
    assert replica_of().begin() == [StoreGenesis(genesis), ViewChanged()]
    assert replica_of(5).begin() == [StoreGenesis(genesis), ViewChanged(), SyncJournal(5, 0)]


def test_a_connected_replica_fetches_page_after_page_until_an_empty_one() -> None:
    replica = replica_of(3)
    assert replica.connected() == [Send(TO_HOST, Fetch(3))]
    out = replica.receive(page(3, 8))
    assert out[-1] == Send(TO_HOST, Fetch(8))
    assert [each.entry for each in out if isinstance(each, AppendEntry)] == played().entries[3:8]
    states = [replica.caught_up]
    assert replica.receive(page(8))[-1] == Send(TO_HOST, Fetch(COUNT))
    replica.receive(Entries(COUNT, ()))
    states.append(replica.caught_up)
    assert states == [False, True]
    assert replica.replay.head == played().replay.head


def test_new_entries_are_appended_once_each_before_the_sync() -> None:
    replica = caught_up(10)
    out = replica.receive(page(8))
    kinds = [type(each) for each in out]
    assert [each.entry for each in out if isinstance(each, AppendEntry)] == played().entries[10:]
    assert kinds.index(SyncJournal) > max(
        place for place, kind in enumerate(kinds) if kind is AppendEntry
    )
    assert SyncJournal(COUNT, 0) in out
    assert replica.receive(page(8)) == []
    assert replica.entries == played().entries


# ---- what is final, on disk, and releasable -----------------------------------------------------


def test_only_final_entries_on_disk_are_releasable() -> None:
    replica = caught_up()
    assert replica.releasable_count == 0
    replica.certified(7)
    assert (replica.final_count, replica.releasable_count) == (7, 0)
    replica.synced(SyncJournal(5, 0))
    assert replica.releasable_count == 5
    replica.synced(SyncJournal(COUNT, 0))
    assert replica.releasable_count == 7


def test_nothing_is_final_before_the_replica_has_caught_up() -> None:
    replica = replica_of(COUNT)
    replica.connected()
    assert replica.certified(COUNT) == []
    assert replica.final_count == 0


def test_the_final_count_never_falls() -> None:
    replica = caught_up(9)
    for count in (9, 4):
        replica.certified(count)
        assert replica.final_count == 9


def test_a_sync_is_acknowledged_once() -> None:
    replica = caught_up()
    assert replica.synced(SyncJournal(9, 0)) == [EntriesOnDisk(9)]
    for done in (SyncJournal(9, 0), SyncJournal(8, 0), SyncJournal(COUNT + 1, 0)):
        assert replica.synced(done) == []
    assert replica.on_disk == 9


def test_a_sync_from_before_a_truncation_does_not_count() -> None:
    replica = caught_up()
    replica.synced(SyncJournal(COUNT, 0))
    replica.disconnected()
    replica.connected()
    out = replica.receive(page(COUNT - 2, table=elected()))
    assert TruncateJournal(COUNT - 2) in out
    assert replica.on_disk == COUNT - 2
    assert replica.synced(SyncJournal(COUNT - 1, 0)) == []
    assert replica.on_disk == COUNT - 2
    replica.synced(SyncJournal(COUNT - 1, 1))
    assert replica.on_disk == COUNT - 1


def test_entries_on_disk_are_acknowledged_only_after_catching_up() -> None:
    """Before that the host may not have this end of the log."""
    replica = replica_of(COUNT)
    replica.connected()
    assert replica.synced(SyncJournal(COUNT, 0)) == []
    assert EntriesOnDisk(COUNT) in replica.receive(Entries(COUNT, ()))


# ---- readers ------------------------------------------------------------------------------------


def test_all_readers_note_an_entry_before_any_of_them_acts_on_it() -> None:
    replica, calls = caught_up(10), list[str]()
    for name in ("a", "b"):
        replica.attach(Listening(name, calls))
    replica.receive(page(10))
    entry = ["a note", "b note", "a after", "b after"]
    assert calls == [*entry, *entry, "a proceed", "b proceed"]


def test_readers_begin_again_when_an_end_of_the_log_is_given_up() -> None:
    replica, calls = replica_of(COUNT), list[str]()
    for name in ("a", "b"):
        replica.attach(Listening(name, calls))
    replica.connected()
    replica.receive(page(COUNT - 2, table=elected()))
    begun = calls.index("a start over")
    assert calls[:begun] == ["a before rewind", "b before rewind"]
    assert calls[begun : begun + 2] == ["a start over", "b start over"]
    assert calls.index("a note") < calls.index("a read again") < calls.index("a after")
    assert replica.entries == elected().entries


def test_the_requests_of_a_reader_come_after_its_entries() -> None:
    replica, wanted = caught_up(10), Send(TO_HOST, messages.Say("here"))
    replica.attach(Listening("a", [], [wanted]))
    out = replica.receive(page(10))
    appended = [place for place, each in enumerate(out) if isinstance(each, AppendEntry)]
    assert len(appended) == 2
    assert max(appended) < out.index(wanted)


def test_a_refusal_of_a_body_reaches_every_reader() -> None:
    replica, calls = caught_up(), list[str]()
    for name in ("a", "b"):
        replica.attach(Listening(name, calls))
    replica.receive(messages.BodyRefusal(1, 7, "illegal", ""))
    assert calls == ["a refused 7", "b refused 7"]


# ---- faults -------------------------------------------------------------------------------------


def test_an_entry_that_no_honest_host_writes_stops_the_replica_and_is_kept() -> None:
    replica = caught_up(10)
    lie = with_state(played().entries[10])
    out = replica.receive(Entries(10, (lie,)))
    assert out[0] == AppendEntry(lie)
    [stopped] = out[1:]
    assert isinstance(stopped, NodeStopped)
    assert stopped.blame == replica.stopped
    assert not stopped.given_up
    assert replica.replay.seq == 10
    assert replica.receive(page(10)) == []
    assert replica.connected() == []


def test_a_sender_that_is_not_proven_to_be_the_host_cannot_stop_the_replica() -> None:
    replica = caught_up(10)
    replica.host_is_known = bool
    lie = Entries(10, (with_state(played().entries[10]),))
    assert replica.receive(lie) == [HostDoubted()]
    assert replica.stopped is None
    assert replica.entries == played().entries[:10]
    replica.receive(page(10))
    assert replica.replay.head == played().replay.head


def test_a_gap_stops_a_replica_that_has_caught_up_and_no_other() -> None:
    replica = caught_up(8)
    [stopped] = replica.receive(page(10))
    assert isinstance(stopped, NodeStopped)
    assert (stopped.blame.seat, stopped.blame.fault) == (None, Fault.BAD_ORDER)
    catching_up = replica_of(8)
    catching_up.connected()
    assert catching_up.receive(page(10)) == []
    assert catching_up.stopped is None


def test_nothing_is_appended_after_the_close() -> None:
    table = played().fork()
    table.add(HOST, table.close(CloseReason.INCOMPLETE))
    later = table.entry(table.signed(0, bodies.Listen(4000)))
    replica = Replica(table.genesis)
    replica.read_journal(table.entries)
    replica.connected()
    replica.receive(Entries(len(table.entries), ()))
    for first in (len(table.entries), len(table.entries) + 3):
        assert not [
            each
            for each in replica.receive(Entries(first, (later,)))
            if isinstance(each, AppendEntry | NodeStopped)
        ]
    assert replica.entries == table.entries


def test_a_journal_that_ends_with_evidence_stops_the_replica_again() -> None:
    lie = with_state(played().entries[10])
    replica = Replica(played().genesis)
    replica.read_journal([*played().entries[:10], lie])
    out = replica.begin()
    assert isinstance(out[-1], NodeStopped)
    assert out[-1].blame == replica.stopped
    assert not any(isinstance(each, SyncJournal) for each in out)


def test_a_journal_with_an_invalid_entry_before_its_end_is_refused() -> None:
    lie = with_state(played().entries[10])
    with pytest.raises(HostFault):
        Replica(played().genesis).read_journal([*played().entries[:10], lie, lie])


# ---- what was released --------------------------------------------------------------------------


def released(count: int) -> Released:
    return Released(count, played().entries[count - 1].hash)


def test_an_end_with_a_release_or_a_final_entry_is_not_given_up() -> None:
    final = caught_up()
    final.certified(COUNT - 1)
    for replica in (final, caught_up(COUNT, released(COUNT - 1))):
        assert replica.binding_count == COUNT - 1
        replica.disconnected()
        replica.connected()
        [other, stopped] = replica.receive(page(COUNT - 2, table=elected()))
        assert other == StoreOtherEnd(COUNT - 2, tuple(elected().entries[-1:]))
        assert isinstance(stopped, NodeStopped)
        assert stopped.given_up
        assert replica.entries == played().entries, "the own log stays as it is"


def test_a_host_that_lacks_a_released_entry_is_not_followed() -> None:
    replica = replica_of(COUNT - 1, released(COUNT))
    assert not replica.holds_released
    replica.connected()
    [stopped] = replica.receive(Entries(COUNT - 1, ()))
    assert isinstance(stopped, NodeStopped)
    assert stopped.given_up
    assert not replica.caught_up


def test_a_released_entry_that_the_host_still_has_completes_the_log() -> None:
    replica = replica_of(COUNT - 1, released(COUNT))
    replica.connected()
    replica.receive(page(COUNT - 1))
    replica.receive(Entries(COUNT, ()))
    assert replica.holds_released
    assert replica.caught_up


def test_another_entry_in_the_place_of_a_release_is_set_aside_and_not_appended() -> None:
    replica = replica_of(COUNT - 2, released(COUNT - 1))
    replica.connected()
    out = replica.receive(page(COUNT - 2, table=elected()))
    assert [type(each) for each in out] == [StoreOtherEnd, NodeStopped]
    assert replica.entries == played().entries[: COUNT - 2]


def test_a_journal_with_another_entry_in_the_place_of_a_release_stops_the_replica() -> None:
    replica = Replica(played().genesis, released(COUNT - 1))
    replica.read_journal(elected().entries)
    assert replica.stopped is not None
    [*_, stopped] = replica.begin()
    assert stopped == NodeStopped(replica.stopped, given_up=True)


# ---- the end of a closed log --------------------------------------------------------------------


def closed_fork() -> LogTable:
    table = elected().fork()
    table.add(HOST, table.close(CloseReason.INCOMPLETE))
    return table


def test_the_end_of_a_closed_log_replaces_entries_that_were_not_final() -> None:
    table = closed_fork()
    replica = replica_of(COUNT)
    out = replica.take_closed_end(COUNT - 2, tuple(table.entries[COUNT - 2 :]))
    assert out[0] == TruncateJournal(COUNT - 2)
    assert replica.entries == table.entries
    assert replica.replay.closed is not None


def test_the_end_of_a_closed_log_without_a_released_entry_is_set_aside() -> None:
    table = closed_fork()
    rest = tuple(table.entries[COUNT - 2 :])
    replica = replica_of(COUNT, released(COUNT - 1))
    out = replica.take_closed_end(COUNT - 2, rest)
    assert out[0] == StoreOtherEnd(COUNT - 2, rest)
    assert isinstance(out[1], NodeStopped)
    assert out[1].given_up
    assert replica.replay.closed is None
    assert replica.take_closed_end(COUNT - 2, rest) == [], "it has stopped"


def test_a_closed_log_that_ends_before_a_released_entry_stops_the_replica() -> None:
    table = played().fork(8)
    elect(table)
    table.add(HOST, table.close(CloseReason.INCOMPLETE))
    replica = replica_of(8, released(COUNT))
    out = replica.take_closed_end(8, tuple(table.entries[8:]))
    assert replica.stopped is not None
    assert out[-1] == NodeStopped(replica.stopped, given_up=True)
