"""What the host tells whom, and that nobody holds what the host could sign again."""

from __future__ import annotations

from lanuno.log import bodies
from lanuno.log.bodies import CloseReason, DropReason
from lanuno.log.entries import Entry
from lanuno.table import messages
from lanuno.table.audience import Audience
from lanuno.table.firmness import Firmness
from lanuno.table.messages import Entries, Firm
from lanuno.table.outputs import Output, ToPeer
from tests.harness.host_and_seats.room import parted, receivers, told
from tests.harness.host_and_seats.table_sim import SimPeer, TableSim
from tests.harness.host_and_seats.table_state import closed_as, office
from tests.harness.log_table.log_table import LogTable, new_table

WATCHER = 50
NOW = 1000.0


class Hall:
    """A log that grows, and those who are told of it."""

    def __init__(self, owners: int) -> None:
        self.table: LogTable = new_table(owners)
        self.firm = Firmness(self.table.replay)
        self.audience = Audience(self.table.replay, self.table.entries, self.firm)
        for seat in range(owners):
            self.audience.attach(seat, seat, 0)
        self.audience.watch(WATCHER, "eve", b"e" * 32)
        self.audience.fetch(WATCHER, 0, NOW)

    def say(self, author: int, payload: bodies.Payload) -> dict[int, int]:
        """One more entry; how many entries whoever hears of any has then."""
        self.table.say(author, payload)
        self.firm.entry_taken()
        return reached(self.audience.spread())

    def held_by(self, *seats: int) -> dict[int, int]:
        """These have everything on disk."""
        for seat in seats:
            self.audience.acknowledge(seat, self.table.replay.seq)
        return reached(self.audience.tell_firm())


def reached(out: list[Output]) -> dict[int, int]:
    found: dict[int, int] = {}
    for output in out:
        if isinstance(output, ToPeer) and isinstance(output.message, Entries):
            first, some = output.message.first, output.message.entries
            assert found.setdefault(output.peer, first) == first, "nothing is left out"
            found[output.peer] = first + len(some)
    return found


def listen(seat: int) -> bodies.Payload:
    return bodies.Listen(4000 + seat)


def test_of_three_everybody_hears_of_an_entry_at_once() -> None:
    hall = Hall(3)
    assert hall.say(1, listen(1)) == {0: 1, 1: 1, 2: 1, WATCHER: 1}
    assert hall.held_by(0, 1) == {}


def test_of_two_a_watcher_hears_only_what_is_on_both_disks() -> None:
    """A host that lost its last entries would sign others in their places; the other gives them."""
    hall = Hall(2)
    assert hall.say(1, listen(1)) == {0: 1}
    assert hall.say(0, listen(0)) == {0: 2}
    assert hall.held_by(0) == {1: 2}, "the other one hears what the host cannot lose any more"
    assert hall.held_by(1) == {WATCHER: 2}
    assert told(hall.audience.fetch(WATCHER, 2, NOW), Entries) == [Entries(2, ())]


def test_of_two_a_watcher_pulls_no_more_than_that() -> None:
    hall = Hall(2)
    hall.say(1, listen(1))
    hall.held_by(0, 1)
    hall.say(0, listen(0))
    late = 51
    hall.audience.watch(late, "ada", b"a" * 32)
    [page] = told(hall.audience.fetch(late, 0, NOW), Entries)
    assert (page.first, len(page.entries)) == (0, 1)
    assert hall.held_by(0) == {1: 2}
    assert hall.held_by(1) == {late: 2, WATCHER: 2}


def test_a_host_alone_tells_what_is_on_its_own_disk() -> None:
    hall = Hall(2)
    hall.say(1, bodies.Leave())
    hall.say(bodies.HOST, bodies.Drop(1, DropReason.LEFT))
    assert hall.say(0, listen(0)) == {0: 3}, "whoever was dropped is asked for nothing either"
    assert hall.held_by(0) == {1: 3, WATCHER: 3}


def test_whoever_is_dropped_from_three_waits_with_the_watchers() -> None:
    """Two are left: from then on a lost end comes from the other one alone."""
    hall = Hall(3)
    assert hall.say(2, bodies.Leave()) == {0: 1}
    assert hall.held_by(0) == {1: 1, 2: 1, WATCHER: 1}, "whoever leaves counts as holding it"
    assert hall.held_by(1) == {}
    assert hall.say(bodies.HOST, bodies.Drop(2, DropReason.LEFT)) == {0: 2}
    assert hall.say(1, listen(1)) == {0: 3}
    assert hall.held_by(0) == {1: 3}
    assert hall.held_by(1) == {2: 3, WATCHER: 3}


def test_a_third_who_returns_counts_once_that_is_firm() -> None:
    hall = Hall(3)
    hall.say(2, bodies.Leave())
    hall.say(bodies.HOST, bodies.Drop(2, DropReason.LEFT))
    hall.held_by(0, 1)
    assert hall.say(2, bodies.Return()) == {0: 3}
    assert hall.held_by(0) == {1: 3}
    assert hall.held_by(1) == {2: 3, WATCHER: 3}
    assert hall.say(1, listen(1)) == {0: 4, 1: 4, 2: 4, WATCHER: 4}


def test_a_long_backlog_goes_in_pages_also_when_it_is_let_go_at_once() -> None:
    hall = Hall(2)
    table = hall.table
    table.run()
    hall.firm.entry_taken()
    assert WATCHER not in reached(hall.audience.spread())
    for seat in (0, 1):
        hall.audience.acknowledge(seat, table.replay.seq)
    pages = told(hall.audience.tell_firm(), Entries, WATCHER)
    assert len(pages) > 1
    assert [entry for page in pages for entry in page.entries] == table.entries
    assert all(len(messages.to_bytes(page)) < 64 * 1024 for page in pages)


def test_the_same_news_are_one_message() -> None:
    """A driver encodes each message once."""
    hall = Hall(4)
    hall.table.say(1, listen(1))
    hall.firm.entry_taken()
    news = told(hall.audience.spread(), Entries)
    assert len(news) == 5
    assert len({id(each) for each in news}) == 1


def test_a_newer_link_takes_the_place_of_an_older_one() -> None:
    hall = Hall(3)
    hall.say(1, listen(1))
    assert parted(hall.audience.attach(7, 1, 0)) == {1}
    assert hall.audience.seat_of(1) is None
    assert hall.audience.seat_of(7) == 1
    assert hall.audience.seats == {0, 1, 2}
    assert hall.say(0, listen(0)) == {0: 2, 2: 2, WATCHER: 2}, "it has not asked for the first yet"
    assert told(hall.audience.fetch(7, 0, NOW), Entries) == [Entries(0, tuple(hall.table.entries))]
    assert 7 in hall.say(2, listen(2))
    assert hall.audience.left(7) == 1
    assert hall.audience.left(7) is None
    assert hall.audience.watch(0, "me", b"m" * 32) == []
    assert hall.audience.fetch(99, 0, NOW) == hall.audience.fetch(0, 99, NOW) == []


def test_acknowledging_more_than_there_is_means_nothing() -> None:
    hall = Hall(3)
    hall.say(1, listen(1))
    for seat in range(3):
        hall.audience.acknowledge(seat, 2)
    assert hall.audience.acknowledged == {0: 0, 1: 0, 2: 0}
    assert hall.audience.tell_firm() == []
    hall.audience.acknowledge(1, 1)
    hall.audience.acknowledge(1, 0)
    hall.audience.acknowledge(WATCHER, 1)
    assert hall.audience.acknowledged == {0: 0, 1: 1, 2: 0}
    hall.audience.acknowledge(0, 1)
    assert receivers(hall.audience.tell_firm(), Firm) == {0, 1, 2, WATCHER}


def test_places_are_told_when_they_change() -> None:
    hall = Hall(3)
    assert hall.audience.place(1, "", 5) == []
    assert hall.audience.place(9, "10.0.0.9", 5) == []
    assert hall.audience.place(1, "10.0.0.1", 0) == []
    out = hall.audience.place(1, "10.0.0.1", 5)
    assert receivers(out, messages.Whereabouts) == {0, 1, 2}
    assert told(out, messages.Whereabouts, 2)[0].places == (messages.Place(1, "10.0.0.1", 5),)
    assert hall.audience.place(1, "10.0.0.1", 5) == []
    hall.say(1, listen(1))
    [said] = told(hall.audience.place(2, "10.0.0.2", 6), messages.Whereabouts, 0)
    assert said.places == (messages.Place(1, "10.0.0.1", 4001), messages.Place(2, "10.0.0.2", 6))
    # Whoever says hello again and again on one link gives nobody anything to write down.
    for port in range(7, 10):
        assert hall.audience.attach(2, 2, 1) == []
        assert hall.audience.place(2, "10.0.0.2", port) == hall.audience.tell_places() == []
    hall.audience.attach(7, 2, 1)
    [said] = told(hall.audience.place(7, "10.0.0.3", 8), messages.Whereabouts, 0)
    assert said.places[-1] == messages.Place(2, "10.0.0.3", 8), "another link is another matter"


def test_of_two_no_watcher_is_ever_ahead_of_the_disks() -> None:
    sim = TableSim(2, 3, watchers=2)
    ahead: list[int] = []

    def hears(peer: SimPeer, _: Entry) -> None:
        # Nothing is signed in the place of a close that is on the host's own disk.
        if peer in sim.watching and office(sim).replay.closed is None:
            ahead.append(len(peer.kept) - office(sim).firm)

    sim.on_entry = hears
    sim.run_until(lambda: sim.sequencer is not None)
    sim.watch()
    sim.run()
    assert closed_as(sim) is CloseReason.STOPPED
    assert ahead
    assert max(ahead) <= 0
    assert all(peer.kept == sim.journal for peer in sim.watching), "in the end they hear it all"
