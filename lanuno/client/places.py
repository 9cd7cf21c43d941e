"""Where a table is, as a person writes it and as its host announces it. Pure."""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass
from typing import Final, Self

from lanuno.net.discovery.advert import TableAdvert
from lanuno.net.discovery.codes import read_code
from lanuno.net.discovery.table_link import SCHEME, parse_link
from lanuno.net.errors import NetError

_ADDRESS: Final = re.compile(
    r"(?:\[(?P<six>[0-9A-Fa-f:.%\w]+)\]|(?P<host>[^:\[\]\s]+)):(?P<port>[0-9]{1,5})"
)


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
    """Return the place that a link, a code or an address names. Raises `InvalidPlace`."""
    if where.lower().startswith(SCHEME + ":"):
        try:
            link = parse_link(where)
        except NetError:
            raise InvalidPlace(where, looks_like_link=True) from None
        return TablePlace((link.host,), link.port, link.fingerprint, link.id)
    with contextlib.suppress(NetError):
        host, port = read_code(where)
        return TablePlace((host,), port)
    match = _ADDRESS.fullmatch(where)
    if match is None or not 0 < int(match["port"]) < 65536:
        raise InvalidPlace(where, looks_like_link=False)
    return TablePlace((match["six"] or match["host"],), int(match["port"]))
