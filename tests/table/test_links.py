"""The peers that a node reaches, and those that it tries to reach and how often."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from lanuno.table.links import DIRECT_TRY_SECONDS, MOST_STRANGERS, TRY_SECONDS, Links, Peer
from lanuno.table.messages import HostIs, PeerAddress
from lanuno.table.outputs import Connect, Output


def _link(seat: int | None, address: str = "") -> Peer:
    return Peer(seat, address)


def _seats(todo: Sequence[Output]) -> list[int]:
    assert all(isinstance(each, Connect) for each in todo)
    return [each.seat for each in todo if isinstance(each, Connect)]


def test_the_newest_link_to_somebody_counts() -> None:
    contacts = Links()
    for peer, seat in [(1, 2), (2, None), (3, 2), (4, 0)]:
        contacts.link_up(peer, _link(seat))
    assert contacts.link_of(2) == 3
    assert contacts.link_of(0) == 4
    assert contacts.link_of(1) is None
    assert contacts.seats == {0, 2}


def test_the_known_addresses_of_the_owners() -> None:
    contacts = Links()
    assert contacts.addresses == frozenset()
    contacts.set_places([PeerAddress(1, "10.0.0.1", 5), PeerAddress(2, "fe80::2%7", 5)])
    contacts.link_up(1, _link(1, "10.0.0.9"))
    contacts.link_up(2, _link(None, "10.0.0.66"))
    assert contacts.addresses == {"10.0.0.1", "10.0.0.9", "fe80::2"}
    # At most two addresses are kept per peer, however often it connects from another one.
    contacts.link_up(3, _link(1, "10.0.0.10"))
    assert contacts.addresses == {"10.0.0.1", "10.0.0.10", "fe80::2"}


def test_unreached_owners_have_no_link_or_undelivered_mail() -> None:
    contacts = Links()
    contacts.link_up(1, _link(2))
    contacts.post(4, HostIs(1, 1))
    assert contacts.unreached([3, 2, 1, 0], 0) == (1, 3, 4)
    assert contacts.unreached([], None) == (4,)
    contacts.clear_mail()
    assert contacts.unreached([], None) == ()


def test_only_the_newest_waiting_message_is_delivered_and_only_once() -> None:
    contacts = Links()
    contacts.post(2, HostIs(1, 1))
    contacts.post(2, HostIs(2, 1))
    contacts.post(3, HostIs(3, 3))
    assert contacts.link_up(7, _link(None)) is None
    assert contacts.link_up(8, _link(2)) == HostIs(2, 1)
    assert contacts.link_up(9, _link(2)) is None
    assert contacts.link_up(10, _link(3)) == HostIs(3, 3)


def test_nobody_is_dialled_twice_at_once_or_too_often() -> None:
    contacts = Links()
    assert contacts.next_try([1]) == 0.0
    assert _seats(contacts.dial((1, 2), {}, 10.0)) == [1, 2]
    assert contacts.next_try([1, 2]) is None, "both are being dialled"
    assert contacts.dial((1, 2), {}, 100.0) == []
    contacts.connect_failed(1)
    assert contacts.next_try([1, 2]) == 10.0 + TRY_SECONDS
    assert contacts.dial((1, 2), {}, 10.0 + TRY_SECONDS - 0.01) == []
    assert _seats(contacts.dial((1, 2), {}, 10.0 + TRY_SECONDS)) == [1]
    contacts.link_up(5, _link(2))
    assert contacts.next_try([1, 2]) == 10.0 + TRY_SECONDS, "a link ends the dialling"
    assert contacts.may_try(2, 50.0)
    assert not contacts.may_try(2, 50.5)
    assert contacts.may_try(3, 50.5)
    assert contacts.next_try([2, 3]) == 50.0 + TRY_SECONDS
    assert contacts.next_try([]) is None


def test_each_possible_place_of_an_owner_is_dialled_once() -> None:
    contacts = Links()
    contacts.link_up(1, _link(2, "10.0.0.2"))
    contacts.places = {
        2: PeerAddress(2, "10.0.0.9", 47474),
        3: PeerAddress(3, "10.0.0.3", 47474),
    }
    ports = {2: 5000, 4: 6000}
    dials = [each for each in contacts.dial((2, 3, 4), ports, 0.0) if isinstance(each, Connect)]
    places = {each.seat: each.places for each in dials}
    assert places == {
        2: (("10.0.0.9", 5000), ("10.0.0.2", 5000), ("10.0.0.9", 47474)),
        3: (("10.0.0.3", 47474),),
        4: (),
    }
    assert contacts.known_places(ports) == (
        PeerAddress(2, "10.0.0.9", 5000),
        PeerAddress(3, "10.0.0.3", 47474),
    )


def test_the_address_of_a_link_is_combined_with_the_port_of_the_log() -> None:
    contacts = Links()
    contacts.link_up(1, _link(2, "10.0.0.2"))
    contacts.link_up(2, _link(3))
    assert contacts.known_places({}) == ()
    assert contacts.known_places({2: 5000, 3: 5001}) == (PeerAddress(2, "10.0.0.2", 5000),)
    contacts.places = {2: PeerAddress(2, "10.0.0.2", 5000)}
    [dial] = contacts.dial((2,), {2: 5000}, 0.0)
    assert isinstance(dial, Connect)
    assert dial.places == (("10.0.0.2", 5000),)


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("192.168.1.7", True),
        ("fe80::1%eth0", True),
        ("2001:db8::1", True),
        ("spy.example.org", False),
        ("localhost", False),
        ("", False),
        ("192.168.1", False),
    ],
)
def test_a_host_cannot_make_a_node_look_up_names(address: str, kept: bool) -> None:
    contacts = Links()
    contacts.set_places([PeerAddress(1, "10.0.0.1", 5), PeerAddress(2, address, 6)])
    assert [place.seat for place in contacts.known_places({})] == ([1, 2] if kept else [1])
    contacts.set_places([])
    assert contacts.known_places({}) == (), "the newest word counts"


def _crowded(seats: list[int | None], used: set[int]) -> list[int]:
    """Connect links of these seats in order; return the links that have to end, in order."""
    contacts, ended = Links(), list[int]()
    for peer, seat in enumerate(seats):
        contacts.link_up(peer, _link(seat))
        for gone in contacts.surplus_links(peer, used.__contains__):
            del contacts.links[gone]
            ended.append(gone)
    return ended


def test_a_scope_is_valid_on_the_computer_that_states_it() -> None:
    contacts = Links()
    contacts.set_places([PeerAddress(1, "fe80::1%12", 5)])
    assert contacts.places == {1: PeerAddress(1, "fe80::1", 5)}
    # Where it was met by this node itself, over its own adapter.
    contacts.link_up(1, _link(1, "fe80::1%3"))
    assert contacts.known_places({1: 5}) == (PeerAddress(1, "fe80::1", 5),)
    assert ("fe80::1%3", 5) in contacts._places_of(1, {1: 5})


def test_no_node_takes_the_places_of_all_others() -> None:
    assert _crowded([1, 2, 1, 2], set()) == []
    assert _crowded([1, 1, 1, 1], set()) == [0, 1]
    assert _crowded([1, 2, 1, 1], set()) == [0]
    assert _crowded([1, 1, 1, 1], {0}) == [1]
    assert _crowded([1, 1, 1], {0, 1, 2}) == [], "whatever is in use stays"


def test_strangers_take_no_places_but_to_watch() -> None:
    strangers: list[int | None] = [None] * (MOST_STRANGERS + 3)
    assert _crowded(strangers, set()) == [0, 1, 2]
    assert _crowded(strangers, {0, 1, 2}) == []
    assert _crowded([0, 1, 2, *strangers, 3], set()) == [3, 4, 5]


def test_the_address_with_most_links_of_strangers_loses_its_oldest_link() -> None:
    contacts, ended = Links(), list[int]()
    for peer in range(3 * MOST_STRANGERS):
        contacts.link_up(peer, _link(None, "10.0.0.1" if peer in (0, 3) else "10.0.0.2"))
        for gone in contacts.surplus_links(peer, lambda _: False):
            del contacts.links[gone]
            ended.append(gone)
    assert ended == [1, 2, *range(4, 2 * MOST_STRANGERS + 2)]
    assert len(contacts.links) == MOST_STRANGERS


def test_a_host_that_repeats_an_address_makes_nobody_connect_more_often() -> None:
    """It could aim its guests at a third computer; to take the address back renews nothing."""
    contacts = Links()
    there = PeerAddress(1, "192.0.2.1", 25)
    dialled = []
    for now in range(100):
        contacts.set_places([])
        assert contacts.connect_directly((0, 1), 0, {}, now - 0.5) == []
        contacts.set_places([there])
        if contacts.connect_directly((0, 1), 0, {}, float(now)):
            dialled.append(now)
            contacts.connect_failed(1)
    pause = round(DIRECT_TRY_SECONDS)
    assert dialled == [0, pause, 3 * pause, 7 * pause, 15 * pause]
    soon = contacts.next_direct_try
    assert soon is not None
    assert soon > now


@pytest.mark.parametrize(("seconds", "moments"), [(2, [0, 5, 15, 35]), (13, [0, 13, 26, 39])])
def test_only_a_link_that_lasts_renews_the_pause_between_attempts(
    seconds: int, moments: list[int]
) -> None:
    """Otherwise a node that ends each link after a moment would be connected to all the time."""
    contacts = Links()
    contacts.set_places([PeerAddress(1, "192.0.2.1", 25)])
    dialled: list[int] = []
    for now in range(40):
        if dialled and now == dialled[-1] + seconds:
            contacts.links.pop(len(dialled))
        if contacts.connect_directly((0, 1), 0, {}, float(now)):
            dialled.append(now)
            contacts.link_up(len(dialled), _link(1, "192.0.2.1"))
    assert dialled == moments
