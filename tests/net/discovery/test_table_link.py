"""Links have one spelling, which parses to the same link."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanuno.net.discovery.table_link import MAX_LINK, TableLink, parse_link
from lanuno.net.errors import NetError, NetFault

FP = "abcdefghijklmnopqrstuvwxyz234567"
ID = bytes(range(16))
GOOD = f"lanuno://192.168.1.5:47474/{ID.hex()}#{FP}"

LABEL = st.from_regex(r"[a-z]([a-z0-9-]{0,20}[a-z0-9])?", fullmatch=True)
HOSTS = st.one_of(
    st.integers(0, 2**32 - 1).map(lambda number: str(IPv4Address(number))),
    st.integers(0, 2**128 - 1)
    .map(IPv6Address)
    .map(lambda address: str(address.ipv4_mapped or address)),
    st.lists(LABEL, min_size=1, max_size=4).map(".".join),
)
LINKS = st.builds(
    TableLink,
    host=HOSTS,
    port=st.integers(1, 65_535),
    id=st.binary(min_size=8, max_size=32),
    fingerprint=st.text("abcdefghijklmnopqrstuvwxyz234567", min_size=32, max_size=32),
)


@given(LINKS)
def test_a_link_comes_back(link: TableLink) -> None:
    text = str(link)
    assert parse_link(text) == link
    assert parse_link(f"  {text.upper()}\n") == link
    assert str(link) == text
    assert len(text) <= MAX_LINK


@given(st.text(max_size=200))
def test_any_text_is_a_link_or_refused(text: str) -> None:
    try:
        link = parse_link(text)
    except NetError as error:
        assert error.fault is NetFault.LINK
    else:
        assert parse_link(str(link)) == link


@given(st.integers(0, len(GOOD) - 1), st.characters())
def test_a_changed_letter_gives_another_link_or_none(where: int, letter: str) -> None:
    text = GOOD[:where] + letter + GOOD[where + 1 :]
    try:
        link = parse_link(text)
    except NetError as error:
        assert error.fault is NetFault.LINK
    else:
        assert str(link) == text.lower()


def test_a_table_link_contains_host_port_table_id_and_fingerprint() -> None:
    assert str(TableLink("192.168.1.5", 47474, ID, FP)) == GOOD
    assert str(TableLink("fd00::1", 47474, ID, FP)) == GOOD.replace("192.168.1.5", "[fd00::1]")
    assert str(TableLink("box.lan", 80, ID, FP)) == f"lanuno://box.lan:80/{ID.hex()}#{FP}"


def test_a_mapped_address_is_spelled_alike_on_every_python() -> None:
    """Python 3.13 writes such an address in another way than those before it."""
    for text in ("::ffff:192.168.1.5", "::ffff:c0a8:105"):
        assert parse_link(GOOD.replace("192.168.1.5", f"[{text}]")) == parse_link(GOOD)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "lanuno://",
        GOOD.replace("lanuno", "http"),
        GOOD.replace("47474", "0"),
        GOOD.replace("47474", "65536"),
        GOOD.replace("47474", "047474"),
        GOOD.replace(":47474", ""),
        GOOD.replace("192.168.1.5", "192.168.1.256"),
        GOOD.replace("192.168.1.5", "192.168.1"),
        GOOD.replace("192.168.1.5", "192.168.001.005"),
        GOOD.replace("192.168.1.5", "[192.168.1.5]"),
        GOOD.replace("192.168.1.5", "fd00::1"),
        GOOD.replace("192.168.1.5", "[fd00::1::2]"),
        GOOD.replace("192.168.1.5", "[fe80::1%25eth0]"),
        GOOD.replace("192.168.1.5", "ana@192.168.1.5"),
        GOOD.replace("192.168.1.5", "-box"),
        GOOD.replace("192.168.1.5", "box..lan"),
        GOOD.replace("192.168.1.5", "b" * 64),
        GOOD.replace("192.168.1.5", ".".join(["b" * 60] * 5)),
        GOOD.replace("192.168.1.5", "bóx"),
        GOOD.replace(ID.hex(), ID.hex()[:14]),
        GOOD.replace(ID.hex(), ID.hex()[1:]),
        GOOD.replace(ID.hex(), "00" * 33),
        GOOD.replace("#", "?"),
        GOOD[:-1],
        GOOD[:-1] + "1",
        GOOD + "a",
        GOOD + "\n" + GOOD,
        GOOD + " " * MAX_LINK + "x",
    ],
)
def test_text_that_is_no_link_is_refused(text: str) -> None:
    with pytest.raises(NetError) as caught:
        parse_link(text)
    assert caught.value.fault is NetFault.LINK


@pytest.mark.parametrize(
    "link",
    [
        TableLink("192.168.1.5", 0, ID, FP),
        TableLink("", 1, ID, FP),
        TableLink("fe80::1%eth0", 1, ID, FP),
        TableLink("Box", 1, ID, FP),
        TableLink("FD00::1", 1, ID, FP),
        TableLink("x", 1, b"", FP),
        TableLink("x", 1, ID, "short"),
    ],
)
def test_links_that_nobody_could_read_are_not_written(link: TableLink) -> None:
    with pytest.raises(NetError) as caught:
        str(link)
    assert caught.value.fault is NetFault.LINK
