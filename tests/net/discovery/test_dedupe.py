"""Which adverts belong to one table, and which advert counts where they differ."""

from __future__ import annotations

from dataclasses import replace

from lanuno.net.discovery.advert import MAX_ADDRESSES, TableState
from lanuno.net.discovery.dedupe import merge_adverts, table_key
from tests.harness.sockets.adverts import TABLE

HERE = replace(TABLE, addresses=("10.0.0.1", "fe80::1", "10.1.0.1"))


def test_adverts_received_in_several_ways_are_one_table() -> None:
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


def test_adverts_with_different_fixed_fields_are_different_tables() -> None:
    for fake in FAKES:
        assert list(merge_adverts([fake, HERE]).values()) == [fake, HERE]
    assert list(merge_adverts([*FAKES, HERE]).values()) == [*FAKES, HERE]


def test_rules_that_a_host_changes_make_no_other_table() -> None:
    changed = replace(HERE, preset="express", house=3, changed=1, seats=6, update=9)
    assert table_key(changed) == table_key(HERE)
    assert list(merge_adverts([changed]).values()) == [changed]


def test_a_later_advert_does_not_replace_the_rules_of_the_first() -> None:
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


def test_the_most_inviting_state_of_a_table_counts() -> None:
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
