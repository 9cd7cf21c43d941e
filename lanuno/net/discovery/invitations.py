"""Links and codes for a player who does not see a table in the list. Pure."""

from __future__ import annotations

from contextlib import suppress

from lanuno.net.discovery.advert import TableAdvert
from lanuno.net.discovery.codes import write_code
from lanuno.net.discovery.table_link import TableLink
from lanuno.net.errors import NetError


def invitations(advert: TableAdvert) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return links and codes for each usable address, IPv4 first because people can read it."""
    # An address with a scope is meaningful on this computer only.
    addresses = [each for each in advert.addresses if "%" not in each]
    addresses.sort(key=lambda each: ":" in each)
    ways = [invitations_to(each, advert.port, advert.id, advert.fp) for each in addresses]
    return (
        tuple(link for links, _ in ways for link in links),
        tuple(code for _, codes in ways for code in codes),
    )


def invitations_to(
    address: str, port: int, table: bytes, fingerprint: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the link and the code of one address, if it has them. Neither contains a PIN."""
    links: list[str] = []
    codes: list[str] = []
    with suppress(NetError):
        links.append(str(TableLink(address, port, table, fingerprint)))
    with suppress(NetError):
        codes.append(write_code(address, port))
    return tuple(links), tuple(codes)
