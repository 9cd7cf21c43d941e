"""Where a table is, as a person writes it and as its host announces it. Pure."""

from __future__ import annotations

import contextlib
import re
import unicodedata
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final, Self

from lanuno.net.discovery.advert import TableAdvert
from lanuno.net.discovery.codes import read_code
from lanuno.net.discovery.table_link import SCHEME, parse_link
from lanuno.net.errors import NetError
from lanuno.net.transport.listener import DEFAULT_PORT

_ADDRESS: Final = re.compile(
    r"(?:\[(?P<six>[0-9A-Fa-f:.%\w]+)\]|(?P<host>[^:\[\]\s]+)):(?P<port>[0-9]{1,5})"
)
_HOST_NAME: Final = re.compile(r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*\.[A-Za-z][0-9A-Za-z-]*")
"""A name with a dot: without a port, a word alone could be a mistyped code."""
_ZERO_WIDTH: Final = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
_DASHES: Final = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043"), "-")
_AROUND: Final = (
    " \t\r\n\f\v'\"`\u00b4<>()\u00ab\u00bb\u2018\u2019\u201a\u201c\u201d\u201e\u2039\u203a"
)
"""What programs and people put around a link or an address."""


@dataclass(frozen=True, slots=True)
class TablePlace:
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

    Ignores quotes and spaces around it, invisible characters in it, and the width and kind of its
    letters and dashes. An address without a port means the default port.
    """
    text = unicodedata.normalize("NFKC", where.translate(_ZERO_WIDTH)).translate(_DASHES)
    text = text.strip(_AROUND)
    if text.lower().startswith(SCHEME + ":"):
        try:
            link = parse_link(text)
        except NetError:
            raise InvalidPlace(where, looks_like_link=True) from None
        return TablePlace((link.host,), link.port, link.fingerprint, link.id)
    with contextlib.suppress(NetError):
        host, port = read_code(text)
        return TablePlace((host,), port)
    match = _ADDRESS.fullmatch(text)
    if match is not None and 0 < int(match["port"]) < 65536:
        return TablePlace((match["six"] or match["host"],), int(match["port"]))
    bare = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    if match is None and (_HOST_NAME.fullmatch(bare) or _is_numeric(bare)):
        return TablePlace((bare,), DEFAULT_PORT)
    raise InvalidPlace(where, looks_like_link=False)


def _is_numeric(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
