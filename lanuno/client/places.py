"""Where a table is, as a person writes it and as its host announces it. Pure."""

from __future__ import annotations

import contextlib
import re
import unicodedata
from ipaddress import IPv4Address, IPv6Address
from typing import Final, Self

from msgspec import Struct

from lanuno.net.discovery.advert import TableAdvert
from lanuno.net.discovery.codes import read_code
from lanuno.net.discovery.table_link import SCHEME, parse_link
from lanuno.net.errors import NetError
from lanuno.net.transport.listener import DEFAULT_PORT

_SIX: Final = r"[0-9A-Fa-f:.]+(?:%[\w.-]+)?"
"""An IPv6 address, possibly with the adapter that leads to it."""
_ADDRESS: Final = re.compile(
    rf"(?:\[(?P<six>{_SIX})\]|(?P<host>[^:\[\]\s]+)):(?P<port>[0-9]{{1,5}})"
)
_HOST_NAME: Final = re.compile(r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*\.[A-Za-z][0-9A-Za-z-]*")
"""A name with a dot: a word without one and without a port is most likely a mistyped code."""
_AROUND: Final = ("Cc", "Cf", "Pe", "Pf", "Pi", "Ps", "Zs")
"""Spaces, quotes, brackets and invisible characters, as categories of Unicode."""
_MARKS: Final = frozenset("<>'\"`\u00b4.,;!?\u2026\u3002")
"""Further characters that people and programs use as quotes, and those that end a sentence."""
_KEPT: Final = frozenset("[]\uff3b\uff3d\u202a\u202b\u202c\u202d\u202e")
"""Brackets, which are part of an address, and what turns the direction of the letters around."""


class TablePlace(Struct, frozen=True):
    """Where a table is, and what is known about it in advance."""

    hosts: tuple[str, ...]
    port: int
    fingerprint: str | None = None
    context: bytes | None = None

    @classmethod
    def of_advert(cls, advert: TableAdvert) -> Self:
        """Return the place that an advert names."""
        return cls(advert.addresses, advert.port, advert.fp, advert.id)


class InvalidPlace(ValueError):
    """A text that is not a link, a code or an address."""

    def __init__(self, text: str, *, looks_like_link: bool) -> None:
        """`looks_like_link`: whether the text begins like a link."""
        super().__init__(text)
        self.text = text
        self.looks_like_link = looks_like_link


def parse_place(where: str) -> TablePlace:
    """Return the place that a link, a code or an address names. Raises `InvalidPlace`.

    Spaces, quotes, the end of a sentence and invisible characters around it do not matter. Inside,
    a link is read as it is; the characters of an address may be as wide as East Asian keyboards
    type them, and its digits of any script. An address without a port means the default port.
    """
    text = _unwrapped(where)
    if text.lower().startswith(SCHEME + ":"):
        try:
            link = parse_link(text)
        except NetError:
            raise InvalidPlace(where, looks_like_link=True) from None
        return TablePlace((link.host,), link.port, link.fingerprint, link.id)
    with contextlib.suppress(NetError):
        host, port = read_code(text)
        return TablePlace((host,), port)
    text = "".join(map(_narrow, text))
    match = _ADDRESS.fullmatch(text)
    if match is not None and 0 < int(match["port"]) < 65536:
        return TablePlace((match["six"] or match["host"],), int(match["port"]))
    alone = _host_alone(text)
    if alone is None:
        raise InvalidPlace(where, looks_like_link=False)
    return TablePlace((alone,), DEFAULT_PORT)


def _unwrapped(text: str) -> str:
    """Return a text without the spaces, marks and invisible characters around it."""
    inner = [
        at
        for at, each in enumerate(text)
        if each in _KEPT or (each not in _MARKS and unicodedata.category(each) not in _AROUND)
    ]
    return text[inner[0] : inner[-1] + 1] if inner else ""


def _narrow(letter: str) -> str:
    """Return the ASCII form of a full-width character, of a digit, or of an ideographic stop."""
    if "\uff01" <= letter <= "\uff5e":
        return chr(ord(letter) - 0xFEE0)
    digit = unicodedata.decimal(letter, None)
    return "." if letter == "\u3002" else letter if digit is None else str(digit)


def _host_alone(text: str) -> str | None:
    """Return the host that an address without a port names."""
    if _HOST_NAME.fullmatch(text):
        return text
    six = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    for kind, host in ((IPv4Address, text), (IPv6Address, six)):
        with contextlib.suppress(ValueError):
            kind(host)
            return host if re.fullmatch(_SIX, host) else None
    return None
