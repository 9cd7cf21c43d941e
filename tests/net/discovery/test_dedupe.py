"""Which adverts belong to one table, and how many false ones affect the list."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace

from lanuno.net.discovery.advert import MAX_ADDRESSES, TableAdvert, TableState
from lanuno.net.discovery.dedupe import merge_adverts, table_key
from lanuno.net.discovery.mdns_browse import MAX_TABLES, TableList
from tests.harness.sockets.adverts import TABLE

HERE = replace(TABLE, addresses=("10.0.0.1", "fe80::1", "10.1.0.1"))


def test_what_is_heard_in_several_ways_is_one_table() -> None:
    beacons = [replace(HERE, addresses=(each,)) for each in ("10.1.0.1", "10.0.0.1", "10.2.0.1")]
    (joined,) = merge_adverts([HERE, *beacons]).values()
    assert replace(joined, addresses=HERE.addresses) == HERE
    assert joined.addresses == ("10.0.0.1", "10.1.0.1", "10.2.0.1", "fe80::1")


FAKES = (
    replace(HERE, id=bytes(8)),
    replace(HERE, fp="z" * 32),
    replace(HERE, name="Another"),
    replace(HERE, host="Eva"),
    replace(HERE, port=1),
    replace(HERE, pin=True),
    replace(HERE, version=2),
)


def test_what_a_table_never_changes_makes_another_one() -> None:
    for fake in FAKES:
        assert list(merge_adverts([fake, HERE]).values()) == [fake, HERE]
    assert list(merge_adverts([*FAKES, HERE]).values()) == [*FAKES, HERE]


def test_rules_that_a_host_changes_make_no_other_table() -> None:
    changed = replace(HERE, preset="express", house=3, changed=1, seats=6, update=9)
    assert table_key(changed) == table_key(HERE)
    assert list(merge_adverts([changed]).values()) == [changed]


def test_a_later_word_about_rules_does_not_take_the_place_of_the_hosts() -> None:
    lie = replace(HERE, preset="flip", house=511, changed=9, seats=2, taken=0)
    (joined,) = merge_adverts([HERE, lie]).values()
    assert (joined.preset, joined.house, joined.changed) == (HERE.preset, 0, 0)
    assert joined.seats == HERE.seats
    full = replace(HERE, taken=HERE.seats, addresses=())
    (joined,) = merge_adverts([replace(lie, taken=2), full]).values()
    assert (joined.seats, joined.taken) == (2, 2), "never more players than seats"


def test_a_false_number_of_seats_that_is_heard_first_makes_no_table_full() -> None:
    for taken in (2, HERE.seats - 1):
        here = replace(HERE, taken=taken)
        (joined,) = merge_adverts([replace(HERE, seats=2, taken=2), here]).values()
        assert joined.taken < joined.seats, "the table looks full"


def test_a_table_is_as_open_as_anybody_says() -> None:
    """A stranger's false advert must not keep anybody out; the host is asked, and knows better."""
    others = [
        replace(HERE, state=TableState.OVER),
        replace(HERE, state=TableState.PLAYING),
        replace(HERE, taken=4),
        replace(HERE, state=TableState.SEEKING),
    ]
    for order in ([*others, HERE], [HERE, *others]):
        assert list(merge_adverts(order).values()) == [HERE]


def test_no_number_of_false_addresses_pushes_out_the_real_one() -> None:
    many = replace(HERE, addresses=tuple(f"10.9.0.{each}" for each in range(MAX_ADDRESSES)))
    (joined,) = merge_adverts([many, HERE]).values()
    assert len(joined.addresses) == MAX_ADDRESSES
    assert joined.addresses.index(HERE.addresses[0]) == 1


# Many tables.


def another(address: str) -> TableAdvert:
    """Return a new table announced by the computer at this address."""
    return replace(TABLE, id=secrets.token_bytes(16), addresses=(address,))


def full(address: Callable[[int], str]) -> TableList:
    """Return a list with `MAX_TABLES` tables, so without room for another."""
    heard = TableList()
    for number in range(MAX_TABLES):
        heard.put(f"fake {number}", another(address(number)))
    assert len(heard.tables) == MAX_TABLES
    return heard


def test_one_computer_that_announces_many_takes_places_from_itself_alone() -> None:
    heard = full(lambda _: "10.0.0.66")
    for number in range(10):
        heard.put(f"real {number}", another(f"10.0.0.{number}"))
    heard.put("one fake more", another("10.0.0.66"))
    assert len(heard.tables) == MAX_TABLES
    assert "one fake more" not in heard.tables
    assert {f"real {number}" for number in range(10)} <= heard.tables.keys()
    # The computer's oldest tables are kept.
    assert {f"fake {number}" for number in range(MAX_TABLES - 10)} <= heard.tables.keys()


def test_those_that_answered_are_given_up_last() -> None:
    heard = full(lambda _: "10.0.0.66")
    last = heard.tables[f"fake {MAX_TABLES - 1}"]
    heard.host_probed(table_key(last), answered=True)
    heard.put("real", another("10.0.0.1"))
    assert {"real", f"fake {MAX_TABLES - 1}"} <= heard.tables.keys()
    assert f"fake {MAX_TABLES - 2}" not in heard.tables
    # But other computers still get places, because the crowded one has clearly more tables.
    for each in tuple(heard.tables.values()):
        heard.host_probed(table_key(each), answered=True)
    heard.put("second", another("10.0.0.2"))
    assert {"real", "second"} <= heard.tables.keys()


def test_those_that_do_not_answer_make_room() -> None:
    heard = full(lambda number: f"10.0.1.{number}")
    heard.put("real", another("10.0.0.1"))
    assert "real" not in heard.tables
    for number in (7, 3):
        heard.host_probed(table_key(heard.tables[f"fake {number}"]), answered=False)
    heard.put("real", another("10.0.0.1"))
    assert "real" in heard.tables
    assert "fake 3" not in heard.tables
    assert "fake 7" in heard.tables
    # No state is kept for a table that is gone, nor for an unknown one.
    heard.host_probed("nothing", answered=False)
    heard.drop("fake 7")
    assert heard._host_reached == {}
