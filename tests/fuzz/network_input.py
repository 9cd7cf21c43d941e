"""Parsers of data received by discovery or typed by a person: adverts, links, codes, names."""

from __future__ import annotations

from collections.abc import Callable

from lanuno.log.faults import Unreadable
from lanuno.log.format.names import clean_name
from lanuno.net.discovery.advert import decode_txt, encode_txt
from lanuno.net.discovery.beacon import BeaconTables, datagram
from lanuno.net.discovery.codes import read_code, write_code
from lanuno.net.discovery.table_link import TableLink, parse_link
from lanuno.net.discovery.table_list import TableList
from lanuno.net.errors import NetError
from tests.fuzz.parser import Parser
from tests.harness.sockets.adverts import ADVERT, PORT, SOURCE

LINK = TableLink("192.0.2.1", PORT, b"i" * 16, "a" * 32)


def _txt(data: bytes) -> None:
    found = decode_txt(data, (SOURCE,), PORT)
    if found is None:
        raise Unreadable("no advert")
    assert decode_txt(encode_txt(found), (SOURCE,), PORT) == found
    assert clean_name(found.host) == found.host


def _beacon(data: bytes) -> None:
    heard = TableList()
    BeaconTables(heard).receive(data, SOURCE, 0.0)
    if not heard.tables:
        raise Unreadable("nothing was heard")
    (found,) = heard.tables.values()
    assert found.addresses == (SOURCE,)


def _typed(read: Callable[[str], object]) -> Callable[[bytes], None]:
    def feed(data: bytes) -> None:
        read(data.decode("utf-8", "replace"))

    return feed


def _link(text: str) -> None:
    link = parse_link(text)
    assert parse_link(str(link)) == link


def _code(text: str) -> None:
    place = read_code(text)
    assert read_code(write_code(*place)) == place


def _name(text: str) -> None:
    name = clean_name(text)
    if name is None:
        raise Unreadable("no name")
    assert clean_name(name) == name


PARSERS = (
    Parser("txt", _txt, (Unreadable,), lambda: [encode_txt(ADVERT)]),
    Parser("beacon", _beacon, (Unreadable,), lambda: [datagram(ADVERT)]),
    Parser("link", _typed(_link), (NetError,), lambda: [str(LINK).encode()]),
    Parser("code", _typed(_code), (NetError,), lambda: [write_code(SOURCE, PORT).encode()]),
    Parser("name", _typed(_name), (Unreadable,), lambda: ["Añá 🃏".encode()]),
)
