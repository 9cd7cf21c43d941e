"""What the host sends to whom; no peer holds entries that the host could sign again."""

from __future__ import annotations

from collections.abc import Sequence

from lanuno.log.format import bodies
from lanuno.log.format.bodies import CloseReason, DropReason
from lanuno.log.format.entries import Entry
from lanuno.table import messages
from lanuno.table.host.finality import Finality
from lanuno.table.host.subscribers import Subscribers
from lanuno.table.messages import Entries
from lanuno.table.outputs import Output, Send
from tests.harness.host_and_seats.simulated_lobby import disconnected, receivers, sent_to_peers
from tests.harness.host_and_seats.table_sim import SimPeer, TableSim
from tests.harness.host_and_seats.table_state import closed_as, host_role_of
from tests.harness.log_table.log_table import LogTable, new_table

SPECTATOR = 50
NOW = 1000.0


class SubscribedLog:
    """A growing log and its subscribers."""

    def __init__(self, owners: int) -> None:
        self.table: LogTable = new_table(owners)
        self.finality = Finality(self.table.replay)
        self.subscribers = Subscribers(self.table.replay, self.table.entries, self.finality)
        for seat in range(owners):
            self.subscribers.attach(seat, seat, 0)
        self.subscribers.watch(SPECTATOR, "eve", b"e" * 32)
        self.subscribers.fetch(SPECTATOR, 0, NOW)

    def say(self, author: int, payload: bodies.Payload) -> dict[int, int]:
        """Append an entry; return how many entries each receiver of a message then has."""
        self.table.add(author, payload)
        self.finality.entry_appended()
        return reached(self.subscribers.send_entries())

    def held_by(self, *seats: int) -> dict[int, int]:
        """Record that these seats have everything on disk."""
        for seat in seats:
            self.finality.acknowledge(seat, self.table.replay.seq)
        return reached(self.subscribers.send_entries())


def reached(out: Sequence[Output]) -> dict[int, int]:
    found: dict[int, int] = {}
    for output in out:
        if isinstance(output, Send) and isinstance(output.message, Entries):
            first, some = output.message.first, output.message.entries
            assert found.setdefault(output.link, first) == first, "nothing is left out"
            found[output.link] = first + len(some)
    return found


def listen(seat: int) -> bodies.Payload:
    return bodies.Listen(4000 + seat)


def test_three_owners_receive_an_entry_at_once_and_a_spectator_once_they_all_have_it() -> None:
    subscribed = SubscribedLog(3)
    assert subscribed.say(1, listen(1)) == {0: 1, 1: 1, 2: 1}
    assert subscribed.held_by(0, 1) == {}
    assert subscribed.held_by(2) == {SPECTATOR: 1}


def test_with_two_owners_a_spectator_receives_only_entries_on_both_disks() -> None:
    """The other owner restores entries that the host lost; else the host would sign others."""
    subscribed = SubscribedLog(2)
    assert subscribed.say(1, listen(1)) == {0: 1}
    assert subscribed.say(0, listen(0)) == {0: 2}
    assert subscribed.held_by(0) == {1: 2}, "the other one hears what the host cannot lose any more"
    assert subscribed.held_by(1) == {SPECTATOR: 2}
    assert sent_to_peers(subscribed.subscribers.fetch(SPECTATOR, 2, NOW), Entries) == [
        Entries(2, ())
    ]


def test_with_two_owners_a_spectator_fetches_only_entries_on_both_disks() -> None:
    subscribed = SubscribedLog(2)
    subscribed.say(1, listen(1))
    subscribed.held_by(0, 1)
    subscribed.say(0, listen(0))
    late = 51
    subscribed.subscribers.watch(late, "ada", b"a" * 32)
    [page] = sent_to_peers(subscribed.subscribers.fetch(late, 0, NOW), Entries)
    assert (page.first, len(page.entries)) == (0, 1)
    assert subscribed.held_by(0) == {1: 2}
    assert subscribed.held_by(1) == {late: 2, SPECTATOR: 2}


def test_a_host_alone_tells_what_is_on_its_own_disk() -> None:
    subscribed = SubscribedLog(2)
    subscribed.say(1, bodies.Leave())
    subscribed.say(bodies.HOST, bodies.Drop(1, DropReason.LEFT))
    assert subscribed.say(0, listen(0)) == {0: 3}, "a dropped owner is asked for nothing either"
    assert subscribed.held_by(0) == {1: 3, SPECTATOR: 3}


def test_an_owner_dropped_from_three_waits_with_the_spectators() -> None:
    """Two owners are left: from then on only the other one can restore a lost end."""
    subscribed = SubscribedLog(3)
    assert subscribed.say(2, bodies.Leave()) == {0: 1}
    assert subscribed.held_by(0) == {1: 1, 2: 1}, "an owner that leaves counts as holding it"
    assert subscribed.held_by(1) == {SPECTATOR: 1}
    assert subscribed.say(bodies.HOST, bodies.Drop(2, DropReason.LEFT)) == {0: 2}
    assert subscribed.say(1, listen(1)) == {0: 3}
    assert subscribed.held_by(0) == {1: 3}
    assert subscribed.held_by(1) == {2: 3, SPECTATOR: 3}


def test_a_returned_third_owner_counts_once_its_return_is_final() -> None:
    subscribed = SubscribedLog(3)
    subscribed.say(2, bodies.Leave())
    subscribed.say(bodies.HOST, bodies.Drop(2, DropReason.LEFT))
    subscribed.held_by(0, 1)
    assert subscribed.say(2, bodies.Return()) == {0: 3}
    assert subscribed.held_by(0) == {1: 3}
    assert subscribed.held_by(1) == {2: 3}
    assert subscribed.held_by(2) == {SPECTATOR: 3}
    assert subscribed.say(1, listen(1)) == {0: 4, 1: 4, 2: 4}


def test_a_long_backlog_goes_in_pages_also_when_it_is_let_go_at_once() -> None:
    subscribed = SubscribedLog(2)
    table = subscribed.table
    table.run()
    subscribed.finality.entry_appended()
    assert SPECTATOR not in reached(subscribed.subscribers.send_entries())
    for seat in (0, 1):
        subscribed.finality.acknowledge(seat, table.replay.seq)
    pages = sent_to_peers(subscribed.subscribers.send_entries(), Entries, SPECTATOR)
    assert len(pages) > 1
    assert [entry for page in pages for entry in page.entries] == table.entries
    assert all(len(messages.to_bytes(page)) < 64 * 1024 for page in pages)


def test_the_same_news_are_one_message() -> None:
    """A driver encodes each message once."""
    subscribed = SubscribedLog(4)
    subscribed.table.add(1, listen(1))
    subscribed.finality.entry_appended()
    news = sent_to_peers(subscribed.subscribers.send_entries(), Entries)
    assert len(news) == 4
    assert len({id(each) for each in news}) == 1


def test_a_newer_link_takes_the_place_of_an_older_one() -> None:
    subscribed = SubscribedLog(3)
    subscribed.say(1, listen(1))
    assert disconnected(subscribed.subscribers.attach(7, 1, 0)) == {1}
    assert subscribed.subscribers.seat_of(1) is None
    assert subscribed.subscribers.seat_of(7) == 1
    assert subscribed.subscribers.seats == {0, 1, 2}
    assert subscribed.say(0, listen(0)) == {0: 2, 2: 2}, "it has not asked for the first yet"
    assert sent_to_peers(subscribed.subscribers.fetch(7, 0, NOW), Entries) == [
        Entries(0, tuple(subscribed.table.entries))
    ]
    assert 7 in subscribed.say(2, listen(2))
    assert subscribed.subscribers.remove(7) == 1
    assert subscribed.subscribers.remove(7) is None
    assert subscribed.subscribers.watch(0, "me", b"m" * 32) == []
    assert (
        subscribed.subscribers.fetch(99, 0, NOW) == subscribed.subscribers.fetch(0, 99, NOW) == []
    )


def test_places_are_told_when_they_change() -> None:
    subscribed = SubscribedLog(3)
    assert subscribed.subscribers.place(1, "", 5) == []
    assert subscribed.subscribers.place(9, "10.0.0.9", 5) == []
    assert subscribed.subscribers.place(1, "10.0.0.1", 0) == []
    out = subscribed.subscribers.place(1, "10.0.0.1", 5)
    assert receivers(out, messages.PeerAddresses) == {0, 1, 2}
    assert sent_to_peers(out, messages.PeerAddresses, 2)[0].places == (
        messages.PeerAddress(1, "10.0.0.1", 5),
    )
    assert subscribed.subscribers.place(1, "10.0.0.1", 5) == []
    subscribed.say(1, listen(1))
    [said] = sent_to_peers(
        subscribed.subscribers.place(2, "10.0.0.2", 6), messages.PeerAddresses, 0
    )
    assert said.places == (
        messages.PeerAddress(1, "10.0.0.1", 4001),
        messages.PeerAddress(2, "10.0.0.2", 6),
    )
    # Repeated hellos on one link give no peer anything to store.
    for port in range(7, 10):
        assert subscribed.subscribers.attach(2, 2, 1) == []
        assert (
            subscribed.subscribers.place(2, "10.0.0.2", port)
            == subscribed.subscribers.send_addresses()
            == []
        )
    subscribed.subscribers.attach(7, 2, 1)
    [said] = sent_to_peers(
        subscribed.subscribers.place(7, "10.0.0.3", 8), messages.PeerAddresses, 0
    )
    assert said.places[-1] == messages.PeerAddress(2, "10.0.0.3", 8), (
        "another link is another matter"
    )


def test_with_two_owners_a_spectator_is_never_ahead_of_the_disks() -> None:
    sim = TableSim(2, 3, spectators=2)
    ahead: list[int] = []

    def hears(peer: SimPeer, _: Entry) -> None:
        # The host signs no entry in the place of a close that is on its own disk.
        if peer in sim.spectators and host_role_of(sim).replay.closed is None:
            ahead.append(len(peer.journal) - host_role_of(sim).final_count)

    sim.on_entry = hears
    sim.run_until(lambda: sim.host_role is not None)
    sim.admit_spectators()
    sim.run()
    assert closed_as(sim) is CloseReason.STOPPED
    assert ahead
    assert max(ahead) <= 0
    assert all(peer.journal == sim.journal for peer in sim.spectators), (
        "in the end they hear it all"
    )
