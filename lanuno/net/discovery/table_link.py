"""Invitations as text: `lanuno://host:port/id#fingerprint`. Pure.

Rule: each link has one spelling. A parsed link formats to the same text.
"""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Final

from msgspec import Struct

from lanuno.net.errors import NetError, NetFault

SCHEME: Final = "lanuno"
MAX_LINK: Final = 512
_LINK: Final = re.compile(
    r"lanuno://(?P<host>\[[0-9a-f:.]+\]|[a-z0-9.-]+):(?P<port>[1-9][0-9]{0,4})"
    r"/(?P<id>(?:[0-9a-f]{2}){8,32})#(?P<fp>[a-z2-7]{32})"
)
_LABEL: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_MAX_HOST: Final = 253


class TableLink(Struct, frozen=True):
    """The address of a table, its id, and the identity of its host."""

    host: str
    """Numeric address (IPv6 without brackets and scope) or lower-case host name."""

    port: int
    id: bytes
    """Lobby or table id (8 to 32 bytes)."""

    fingerprint: str
    """Fingerprint of the host's identity key. The client's handshake rejects any other host."""

    def __str__(self) -> str:
        """Return the text of this link. `NetError` (`LINK`) if it has no valid spelling."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        text = f"{SCHEME}://{host}:{self.port}/{self.id.hex()}#{self.fingerprint}"
        if parse_link(text) != self:
            raise NetError(NetFault.LINK, "not a link that can be parsed")
        return text


def parse_link(text: str) -> TableLink:
    """Parse a link that was typed, scanned or clicked, ignoring surrounding spaces.

    Letters may be of either case, because QR codes and people vary it. Raises `NetError` (`LINK`)
    for every other deviation from the one spelling.
    """
    plain = text.strip(" \t\r\n")
    if len(plain) > MAX_LINK or not plain.isascii():
        raise NetError(NetFault.LINK, "not a link")
    match = _LINK.fullmatch(plain.lower())
    if match is None:
        raise NetError(NetFault.LINK, "not a link to a table")
    port = int(match["port"])
    if port > 65535:
        raise NetError(NetFault.LINK, "no such port")
    return TableLink(_host(match["host"]), port, bytes.fromhex(match["id"]), match["fp"])


def _host(text: str) -> str:
    try:
        if text.startswith("["):
            address = IPv6Address(text[1:-1])
            # Versions of Python differ in how they write a mapped address.
            return str(address.ipv4_mapped or address)
        if text.replace(".", "").isdigit():
            return str(IPv4Address(text))
    except AddressValueError:
        raise NetError(NetFault.LINK, "not an address") from None
    if len(text) > _MAX_HOST or not all(_LABEL.fullmatch(label) for label in text.split(".")):
        raise NetError(NetFault.LINK, "not a host name")
    return text
