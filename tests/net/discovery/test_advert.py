"""Adverts as bytes: our own are decoded unchanged, and no bytes of a stranger do harm."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanuno.log.format.avatar import AVATARS
from lanuno.log.format.names import clean_name
from lanuno.net.discovery.advert import (
    LONGEST_TABLE,
    LONGEST_TABLE_BYTES,
    MAX_ADDRESSES,
    MAX_ITEMS,
    MAX_TXT,
    MOST_CHANGED,
    TableAdvert,
    TableState,
    decode_txt,
    encode_txt,
    read_items,
    with_rules,
)
from lanuno.net.errors import NetError, NetFault
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.house_bits import MOST_HOUSE_RULES
from lanuno.rules.presets import EXPRESS
from lanuno.rules.ruleset import Ruleset
from tests.harness.sockets import adverts

WHERE = ("192.168.1.5", "fe80::1%4")
TABLE = replace(adverts.TABLE, addresses=WHERE, update=7)
ITEMS = {
    "v": "1",
    "id": bytes(range(16)).hex(),
    "name": "Café de Ana",
    "host": "Ana",
    "fp": "abcdefghijklmnopqrstuvwxyz234567",
    "preset": "classic",
    "seats": "4",
    "taken": "1",
    "state": "open",
    "pin": "0",
    "n": "7",
}


def txt(items: dict[str, str | bytes]) -> bytes:
    raw = b""
    for key, value in items.items():
        data = value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")
        item = key.encode() + b"=" + data
        raw += bytes([len(item)]) + item
    return raw


def decode(items: dict[str, str | bytes]) -> TableAdvert | None:
    return decode_txt(txt(items), WHERE, 47474)


NAMES = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=16).filter(
    lambda name: clean_name(name) == name
)
SEATS = st.integers(2, 10).flatmap(lambda seats: st.tuples(st.just(seats), st.integers(0, seats)))
TABLES = st.builds(
    lambda seated, **rest: TableAdvert(seats=seated[0], taken=seated[1], **rest),
    SEATS,
    id=st.binary(min_size=8, max_size=32),
    name=NAMES,
    host=NAMES,
    fp=st.text("abcdefghijklmnopqrstuvwxyz234567", min_size=32, max_size=32),
    preset=st.from_regex(r"[a-z0-9]([a-z0-9_-]{0,10}[a-z0-9])?", fullmatch=True),
    state=st.sampled_from(TableState),
    pin=st.booleans(),
    version=st.integers(1, 999),
    addresses=st.just(WHERE),
    port=st.integers(1, 65_535),
    house=st.integers(0, (1 << MOST_HOUSE_RULES) - 1),
    changed=st.integers(0, MOST_CHANGED),
    avatar=st.none() | st.integers(0, AVATARS - 1),
    update=st.integers(0, 999_999_999),
)


@given(TABLES)
def test_an_advert_comes_back(table: TableAdvert) -> None:
    raw = encode_txt(table)
    back = decode_txt(raw, table.addresses, table.port)
    assert back == table
    assert back is not None
    assert back.update == table.update
    # The record must fit into one DNS packet together with the rest of the advert.
    assert len(raw) < 512


def test_the_bytes() -> None:
    assert encode_txt(TABLE) == txt(dict(ITEMS))
    assert decode(dict(ITEMS)) == TABLE


def test_what_differs_from_the_preset_is_said_in_numbers() -> None:
    rules = Ruleset(stack_draw_two=True, winner_deals=True, target=300, hand_size=5)
    table = with_rules(TABLE, rules)
    last = 1 << list(HOUSE_RULES).index("winner_deals")
    assert (table.preset, table.house, table.changed) == ("classic", 1 | last, 2)
    said: dict[str, str | bytes] = {**ITEMS, "house": str(1 | last), "changed": "2"}
    assert encode_txt(table) == txt(said)
    assert decode(dict(said)) == table
    # Older programs ignore the two keys. A table without changes leaves them out.
    assert with_rules(TABLE, EXPRESS).preset == "express"
    assert encode_txt(with_rules(table, Ruleset())) == txt(dict(ITEMS))


@pytest.mark.parametrize("preset", ["x" * 24, "x" * 25, "x" * 32, "My rules", "normale Regeln-"])
def test_a_table_is_announced_whatever_its_preset_is_called(preset: str) -> None:
    """A name that no version would read is left out: the changes are those to the classic rules."""
    table = with_rules(TABLE, Ruleset(preset=preset, winner_deals=True, target=300))
    assert table.preset == (preset if preset == "x" * 24 else "classic")
    assert (table.house, table.changed) == (1 << list(HOUSE_RULES).index("winner_deals"), 1)
    assert decode_txt(encode_txt(table), WHERE, 47474) == table


def test_a_house_rule_of_a_later_version_is_a_bit_more() -> None:
    table = decode({**ITEMS, "house": str(1 << MOST_HOUSE_RULES - 1)})
    assert table is not None
    assert table.house == 1 << MOST_HOUSE_RULES - 1


@given(st.binary(max_size=1500))
def test_any_bytes_are_an_advert_or_nothing(raw: bytes) -> None:
    assert decode_txt(raw, WHERE, 47474) is None


@given(st.dictionaries(st.sampled_from(sorted(ITEMS)), st.one_of(st.text(), st.binary())))
def test_any_values_are_an_advert_or_nothing(changes: dict[str, str | bytes]) -> None:
    items: dict[str, str | bytes] = dict(ITEMS)
    for key, value in changes.items():
        data = value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")
        items[key] = data[:200]
    table = decode(items)
    if table is not None:
        again = decode_txt(encode_txt(table), table.addresses, table.port)
        assert again == table
        for text in (table.name, table.host):
            assert clean_name(text, LONGEST_TABLE, LONGEST_TABLE_BYTES) == text


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("v", "0"),
        ("v", "01"),
        ("v", "-1"),
        ("v", "1.0"),
        ("v", "١"),
        ("v", "1000"),
        ("v", "9" * 200),
        ("id", "00"),
        ("id", "0" * 65),
        ("id", "ABCDEF0123456789"),
        ("id", "not hex, not hex"),
        ("name", ""),
        ("name", " "),
        ("name", "x" * 33),
        ("name", "evil\u202egnp"),
        ("name", "two\nlines"),
        ("name", "zero\u200bwidth"),
        ("name", "nul\x00"),
        ("name", "tag\U000e0041"),
        ("name", "\u3164"),
        ("name", "\u2800\u2800"),
        ("name", b"\xff\xfe"),
        ("name", b"\xed\xa0\x80"),
        ("host", "x" * 21),
        ("host", "\u202aAna"),
        ("fp", "short"),
        ("fp", "abcdefghijklmnopqrstuvwxyz234561"),
        ("preset", ""),
        ("preset", "<b>bold</b>"),
        ("preset", "x" * 25),
        ("seats", "1"),
        ("seats", "11"),
        ("seats", ""),
        ("taken", "5"),
        ("taken", "+1"),
        ("state", "Open"),
        ("state", "lost"),
        ("pin", "2"),
        ("pin", "yes"),
        ("n", "-1"),
        ("n", "1" * 10),
    ],
)
def test_bad_values_are_no_advert(key: str, value: str | bytes) -> None:
    assert decode({**ITEMS, key: value}) is None


@pytest.mark.parametrize("key", sorted(set(ITEMS) - {"n"}))
def test_every_key_must_be_there(key: str) -> None:
    assert decode({each: value for each, value in ITEMS.items() if each != key}) is None


def test_the_number_of_the_change_may_be_missing() -> None:
    table = decode({key: value for key, value in ITEMS.items() if key != "n"})
    assert table == TABLE
    assert table is not None
    assert table.update == 0


def test_names_are_normalised() -> None:
    table = decode({**ITEMS, "name": "  \uff23afe\u0301  "})
    assert table is not None
    assert table.name == "Café"


def test_unknown_keys_are_left_alone() -> None:
    assert decode({**ITEMS, "future": "x", "": "no key", "blank": b""}) == TABLE


def test_the_first_of_two_values_for_one_key_counts() -> None:
    assert decode_txt(txt(dict(ITEMS)) + txt({"NAME": "Other"}), WHERE, 47474) == TABLE


@pytest.mark.parametrize(
    "raw",
    [
        b"\x05abc",
        b"\x00" * (MAX_ITEMS + 1),
        b"\xff" * (MAX_TXT + 1),
    ],
)
def test_malformed_records(raw: bytes) -> None:
    assert read_items(raw) is None
    assert decode_txt(txt(dict(ITEMS)) + raw, WHERE, 47474) is None


def test_items_without_a_value_or_with_odd_keys_are_left_out() -> None:
    assert read_items(b"\x03abc\x04\xc3\xa9=1\x02=x\x03k=v") == {"k": b"v"}
    assert read_items(b"") == {}
    assert read_items(b"\x00") == {}


def test_an_advert_needs_an_address_and_a_valid_port() -> None:
    assert decode_txt(txt(dict(ITEMS)), (), 47474) is None
    assert decode_txt(txt(dict(ITEMS)), WHERE, 0) is None
    assert decode_txt(txt(dict(ITEMS)), WHERE, 65_536) is None
    many = tuple(f"10.0.0.{each}" for each in range(100))
    table = decode_txt(txt(dict(ITEMS)), many, 1)
    assert table is not None
    assert table.addresses == many[:MAX_ADDRESSES]


@pytest.mark.parametrize(
    "table",
    [
        replace(TABLE, name=""),
        replace(TABLE, name="x" * 300),
        replace(TABLE, name="\ud800"),
        replace(TABLE, host="two\nlines"),
        replace(TABLE, taken=5),
        replace(TABLE, seats=11),
        replace(TABLE, id=b""),
        replace(TABLE, fp="?"),
        replace(TABLE, port=0),
        replace(TABLE, update=-1),
    ],
)
def test_an_advert_that_no_program_would_accept_is_not_encoded(table: TableAdvert) -> None:
    with pytest.raises(NetError) as caught:
        encode_txt(table)
    assert caught.value.fault is NetFault.PROTOCOL
