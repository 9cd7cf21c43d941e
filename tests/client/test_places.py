"""Places of tables as people write them: links, codes and addresses."""

from __future__ import annotations

import pytest

from lanuno.client.places import InvalidPlace, TablePlace, parse_place
from lanuno.net.discovery.codes import write_code
from tests.harness.sockets.adverts import TABLE


@pytest.mark.parametrize(
    ("where", "host", "port"),
    [
        ("127.0.0.1:1", "127.0.0.1", 1),
        ("[::1]:47474", "::1", 47474),
        ("[fe80::1%eth0]:65535", "fe80::1%eth0", 65535),
        ("a-name.local:47474", "a-name.local", 47474),
        (write_code("192.168.1.20", 47474), "192.168.1.20", 47474),
        # Without a port.
        ("192.168.1.20", "192.168.1.20", 47474),
        ("::1", "::1", 47474),
        ("[fe80::1%eth0]", "fe80::1%eth0", 47474),
        ("fe80::1%br-lan.7", "fe80::1%br-lan.7", 47474),
        ("[fe80::1%br-lan]:5", "fe80::1%br-lan", 5),
        ("a-name.local", "a-name.local", 47474),
        # As other programs and keyboards write them.
        (" \u201c127.0.0.1:1\u201d\n", "127.0.0.1", 1),
        ("\uff11\uff19\uff12.168\u30021.20\uff1a\uff15", "192.168.1.20", 5),
        ("\u0661\u0669\u0662.168.1.20", "192.168.1.20", 47474),
        # At the end of a sentence.
        ("a-name.local.", "a-name.local", 47474),
        ("(127.0.0.1:1).", "127.0.0.1", 1),
        (write_code("192.168.1.20", 47474) + "!", "192.168.1.20", 47474),
        *(
            (write_code("192.168.1.20", 47474).lower().replace("-", dash), "192.168.1.20", 47474)
            for dash in ("\u2013", "\u2011", "\u2212", "\uff0d", "\u00ad", " ", "\u00a0")
        ),
    ],
)
def test_addresses_and_codes(where: str, host: str, port: int) -> None:
    assert parse_place(where) == TablePlace((host,), port)


def test_links() -> None:
    fingerprint, table = "abcdefghijklmnopqrstuvwxyz234567", bytes(range(16))
    link = f"lanuno://[::1]:5/{table.hex()}#{fingerprint}"
    place = TablePlace(("::1",), 5, fingerprint, table)
    assert parse_place(link) == parse_place(link.upper()) == place
    for text in (
        f"<{link}>\r\n",
        f"\u00ab {link}\u200b \u00bb",
        f"\u3000\ufeff\u201e{link}\u201c,",
    ):
        assert parse_place(text) == place


@pytest.mark.parametrize(
    ("where", "looks_like_link"),
    [
        ("lanuno:x", True),
        ("LANUNO://", True),
        (f"lanuno://[::1]:5/{bytes(16).hex()}#{'a' * 31}", True),
        # Inside a link nothing is read as something else: a web page may have written it.
        (f"lanuno://[::1]:5/{bytes(16).hex()}\uff03{'a' * 32}", True),
        (f"lanuno://[::1]:5/{bytes(16).hex()}#\u200b{'a' * 32}", True),
        ("", False),
        ("lanuno", False),
        ("https://example.com", False),
        ("a b:1", False),
        ("127.0.0", False),
        ("1:2:3", False),
        ("[a-name.local]", False),
        ("[127.0.0.1]", False),
        ("\u201c\u00ab \u00bb\u201d", False),
        ("127.0.0.1:0", False),
        ("127.0.0.1:65536", False),
        ("AAA-AAA-AAB", False),
        (write_code("192.168.1.20", 47474) + " " * 60 + "and more", False),
        ("fe80::1%eth0:47474", False),
        ("::1%a b", False),
        ("[name]:5", False),
    ],
)
def test_anything_else_is_invalid(where: str, looks_like_link: bool) -> None:
    with pytest.raises(InvalidPlace) as caught:
        parse_place(where)
    assert caught.value.text == where
    assert caught.value.looks_like_link is looks_like_link


def test_the_place_of_an_advert() -> None:
    place = TablePlace(TABLE.addresses, TABLE.port, TABLE.fp, TABLE.id)
    assert TablePlace.of_advert(TABLE) == place
