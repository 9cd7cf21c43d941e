"""Which half-open connection gets a place, and which makes room: the bookkeeping alone."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from lanuno.net.transport import half_open
from lanuno.net.transport.half_open import HalfOpenConnections, HandshakeStage, PendingConnection
from lanuno.net.transport.limits import Limits

LIMITS = Limits(
    queue_places=4,
    half_open=4,
    half_open_each=2,
    reserved=2,
    turn=0.5,
    handshakes=1e-6,
    handshakes_at_once=100,
)
SEATED = "192.168.1.5"


def arrive(
    there: HalfOpenConnections, *addresses: str, whole: bool = True, now: float = 0.0
) -> list[PendingConnection]:
    """Add connections from these addresses in order, and remove those that must make room."""
    came = []
    for address in addresses:
        connection, last = there.arrive(address, now, spoke=whole, whole=whole)
        came.append(connection)
        if last is not None:
            there.remove(last)
    return came


def waits(there: HalfOpenConnections) -> list[str]:
    """Return the addresses of the connections whose handshake has not begun."""
    return [each.address for each in there._connections if each.stage is not HandshakeStage.MEETING]


def turns(there: HalfOpenConnections, now: float) -> tuple[list[str], list[str]]:
    """Return the addresses whose handshake begins now, and those dropped for them."""
    begin, end = there.admit(now)
    return [each.address for each in begin], [each.address for each in end]


def test_the_oldest_silent_connection_of_the_most_crowded_network_makes_room() -> None:
    there = HalfOpenConnections(LIMITS)
    arrive(there, "10.0.0.9", whole=False)
    arrive(there, "10.0.0.1", "10.0.0.1", now=1.0)
    arrive(there, "10.0.0.1", whole=False, now=2.0)
    arrive(there, "10.0.0.2", now=3.0)
    assert waits(there) == ["10.0.0.9", "10.0.0.1", "10.0.0.1", "10.0.0.2"]
    arrive(there, "10.0.0.3", now=4.0)
    assert waits(there) == ["10.0.0.9", "10.0.0.1", "10.0.0.2", "10.0.0.3"]
    # All networks are equally crowded, so the connection without a ClientHello is dropped.
    arrive(there, "10.0.0.4", now=5.0)
    assert waits(there) == ["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"]
    assert there.shed(5.0) is not None
    assert len(there) == 4


def test_a_new_connection_has_a_moment_for_its_client_hello() -> None:
    there = HalfOpenConnections(LIMITS)
    arrive(there, *["10.0.0.1"] * 4)
    arrive(there, "10.0.0.1", whole=False, now=0.1)
    assert [each.stage for each in there._connections] == [HandshakeStage.WAITING] * 3 + [
        HandshakeStage.SILENT
    ]
    arrive(there, "10.0.0.1", now=0.3)
    assert [each.stage for each in there._connections].count(HandshakeStage.SILENT) == 1
    arrive(there, "10.0.0.1", now=0.6)
    assert [each.stage for each in there._connections] == [HandshakeStage.WAITING] * 4


def test_addresses_of_one_ipv6_network_are_counted_together() -> None:
    there = HalfOpenConnections(LIMITS)
    arrive(there, *(f"2001:db8::{each}" for each in range(1, 4)), "2001:db8:0:1::1")
    arrive(there, "2001:db8:0:2::1")
    assert waits(there) == ["2001:db8::2", "2001:db8::3", "2001:db8:0:1::1", "2001:db8:0:2::1"]
    assert turns(there, 0.0)[0] == [
        "2001:db8::2",
        "2001:db8:0:1::1",
        "2001:db8:0:2::1",
        "2001:db8::3",
    ]


def test_strangers_never_take_the_places_of_a_seated_players_address() -> None:
    there = HalfOpenConnections(LIMITS)
    there.reserve(["::ffff:192.168.1.5", "fe80::5"])
    arrive(there, *(f"10.0.0.{each}" for each in range(1, 9)), now=0.0)
    assert len(turns(there, 0.0)[0]) == 4
    arrive(there, *(f"10.0.1.{each}" for each in range(1, 9)), now=0.0)
    arrive(there, SEATED, "fe80::5%2")
    # No connection is dropped for them, and they use no place of the strangers.
    assert turns(there, 0.1) == ([SEATED, "fe80::5"], [])
    arrive(there, SEATED, SEATED, SEATED)
    assert waits(there).count(SEATED) == 2
    assert turns(there, 0.2) == ([SEATED], [])
    # Connections from the same address compete: the oldest is dropped once its time is over.
    assert turns(there, 0.3) == ([], [])
    begin, end = turns(there, 0.65)
    assert (begin[0], end[0]) == (SEATED, SEATED)
    assert begin.count(SEATED) == end.count(SEATED) == 1


def test_an_address_that_is_no_longer_known_counts_as_a_strangers() -> None:
    there = HalfOpenConnections(replace(LIMITS, handshakes_at_once=1))
    there.reserve([SEATED])
    arrive(there, SEATED, SEATED)
    assert turns(there, 0.0) == ([SEATED], [])
    there.reserve([])
    # It arrived while its address was reserved, so it keeps its place, but uses the common budget.
    assert turns(there, 0.0) == ([SEATED], [])
    arrive(there, SEATED)
    assert not there.admit(0.0)[0]


def test_a_seat_that_is_left_and_taken_again_renews_no_handshakes() -> None:
    there = HalfOpenConnections(replace(LIMITS, handshakes_at_once=1))
    begun = 0
    for _ in range(5):
        there.reserve([SEATED])
        [seated] = arrive(there, SEATED)
        begun += len(turns(there, 0.0)[0])
        there.remove(seated)
        there.reserve([])
    assert begun == 1


def test_the_addresses_of_seated_players_share_their_handshakes_and_take_turns() -> None:
    """The attack: one player with many seats, or a host that reports many addresses as players'."""
    limits = replace(LIMITS, reserved=32, reserved_handshakes=10.0, handshakes_at_once=20)
    there = HalfOpenConnections(limits)
    flooders = [f"10.0.0.{each}" for each in range(1, 10)]
    there.reserve([*flooders, SEATED])
    begun = []
    for tick in range(1, 501):
        now = tick / 50
        arrive(there, *flooders, now=now)
        if tick == 400:
            arrive(there, SEATED, now=now)
        begin, _ = there.admit(now)
        begun += [(each.address, now) for each in begin]
        for each in begin:
            there.remove(each)
    assert len(begun) <= 20 + 10 * 10
    [turn] = [now for address, now in begun if address == SEATED]
    assert turn <= 8.0 + 2 / 10


def test_strangers_take_turns_by_network_and_then_by_address() -> None:
    there = HalfOpenConnections(replace(LIMITS, queue_places=50, half_open=50, half_open_each=50))
    first = arrive(there, "2001:db8::1", "2001:db8:0:1::1")
    assert turns(there, 0.0)[0] == ["2001:db8::1", "2001:db8:0:1::1"]
    for each in first:
        there.remove(each)
    arrive(there, "2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", "10.0.0.1", now=1.0)
    assert turns(there, 1.0)[0] == ["10.0.0.1", "2001:db8::2", "2001:db8:0:1::1", "2001:db8::1"]


def test_a_connection_that_had_time_for_a_handshake_makes_room() -> None:
    there = HalfOpenConnections(LIMITS)
    arrive(there, "10.0.0.1", "10.0.0.1")
    assert turns(there, 0.0) == (["10.0.0.1"] * 2, [])
    arrive(there, "10.0.0.1", now=0.1)
    arrive(there, "10.0.0.2", "10.0.0.3", now=0.2)
    # The limit of one address is reached; other addresses still get in.
    assert turns(there, 0.2) == (["10.0.0.2", "10.0.0.3"], [])
    arrive(there, "10.0.0.4", now=0.3)
    assert turns(there, 0.3) == ([], [])
    begin, end = turns(there, 0.5)
    assert (begin, end) == (["10.0.0.4", "10.0.0.1"], ["10.0.0.1", "10.0.0.1"])


def test_times_are_over() -> None:
    there = HalfOpenConnections(LIMITS)
    there.reserve([SEATED])
    silent, seated = arrive(there, "10.0.0.1", SEATED, whole=False)
    begun, _ = there.arrive("10.0.0.2", 0.0, spoke=True, whole=False)
    (waiting,) = arrive(there, "10.0.0.3")
    waiting_before = there.waiting
    assert there.partial == [begun]
    assert there.expired(0.9) == []
    assert there.expired(1.0) == [silent]
    assert there.expired(5.0) == [silent, seated, begun, waiting]
    there.admit(5.0)
    assert there.expired(500.0) == [silent, seated, begun]
    for each in (silent, seated, begun):
        there.remove(each)
    assert (waiting_before, there.waiting) == (True, False)
    assert there.shed(5.0) is None


def test_many_addresses_take_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(half_open, "MOST_REMEMBERED", 3)
    there = HalfOpenConnections(LIMITS)
    for number in range(1, 9):
        for each in arrive(there, f"10.0.0.{number}"):
            assert turns(there, 0.0) == ([f"10.0.0.{number}"], [])
            there.remove(each)
    assert list(there._networks) == list(there._addresses) == ["10.0.0.6", "10.0.0.7", "10.0.0.8"]


@pytest.mark.parametrize("addresses", [1, 40])
@pytest.mark.parametrize("rate", [60, 200, 1000])
def test_a_flood_of_greetings_from_its_own_network_keeps_no_newcomer_out(
    rate: int, addresses: int
) -> None:
    """The attacker is in the same /64 as everybody in the room, and completes no handshake."""
    there = HalfOpenConnections(Limits())
    came = list[PendingConnection]()
    in_time = list[PendingConnection]()
    for number in range(8 * rate):
        now = number / rate
        arrive(there, f"fe80::bad:{number % addresses:x}%2", now=now)
        # A newcomer arrives each second. In the last seconds the flood runs on without new ones.
        if now >= 3.0 + len(came) and len(came) < 4:
            came += arrive(there, f"fe80::{len(came) + 1}%2", now=now)
        for each in there.admit(now)[0]:
            if each in came:
                in_time.append(each)
                there.remove(each)
        for each in there.expired(now):
            there.remove(each)
    assert in_time == came


def test_the_most_crowded_address_of_a_network_makes_room_in_the_handshake() -> None:
    there = HalfOpenConnections(replace(LIMITS, half_open_each=3))
    arrive(there, "fe80::1%2", "fe80::bad%2", "fe80::bad%2")
    assert len(turns(there, 0.0)[0]) == 3
    arrive(there, "fe80::2%2")
    assert turns(there, 0.6) == (["fe80::2"], ["fe80::bad"])
