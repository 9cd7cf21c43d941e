"""Short codes to type instead of a link. A code holds only the address of a table. Pure.

A code is nine characters of Crockford's base32 alphabet in groups of three: the IPv4 address (32
bits), the port minus the default port (5 bits), and a check value (8 bits) that detects typing
mistakes. Unlike a link, a code does not identify the host, so players compare the safety hand.
"""

from __future__ import annotations

import unicodedata
from ipaddress import AddressValueError, IPv4Address
from typing import Final

from lanuno.dealing.hashing import H
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.listener import DEFAULT_PORT, PORTS_TRIED

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LETTERS: Final = 9
LONGEST: Final = 64
"""Limit for the characters of a typed code, with its separators."""
_LOOK_ALIKES: Final = str.maketrans("OIL", "011", "\N{MINUS SIGN}")
_SEPARATORS: Final = ("Pd", "Zs", "Cc", "Cf")
"""Dashes, spaces, line ends and invisible characters, as categories of Unicode."""


def write_code(address: str, port: int) -> str:
    """Return the code of an address. `NetError` (`ADDRESS`) if only a link can express it."""
    try:
        number = int(IPv4Address(address))
    except AddressValueError:
        raise NetError(NetFault.ADDRESS, "only IPv4 addresses have a code") from None
    if not 0 <= port - DEFAULT_PORT < PORTS_TRIED:
        raise NetError(NetFault.ADDRESS, "only the usual ports have a code")
    place = number * PORTS_TRIED + port - DEFAULT_PORT
    value = place << 8 | _check(place)
    letters = "".join(ALPHABET[value >> 5 * each & 31] for each in reversed(range(LETTERS)))
    return "-".join(letters[start : start + 3] for start in range(0, LETTERS, 3))


def read_code(text: str) -> tuple[str, int]:
    """Parse a typed code to address and port.

    Letters may be of any case and width, with any dashes and spaces; O is 0, I and L are 1.

    Raises `NetError` (`LINK`) if the code is invalid, most likely because of a typing mistake.
    """
    if len(text) > LONGEST:
        raise NetError(NetFault.LINK, "not a code")
    plain = unicodedata.normalize("NFKC", text).upper().translate(_LOOK_ALIKES)
    letters = "".join(each for each in plain if unicodedata.category(each) not in _SEPARATORS)
    if len(letters) != LETTERS or not set(letters) <= set(ALPHABET):
        raise NetError(NetFault.LINK, "not a code")
    value = 0
    for letter in letters:
        value = value << 5 | ALPHABET.index(letter)
    place, check = value >> 8, value & 0xFF
    if check != _check(place):
        raise NetError(NetFault.LINK, "a code with a typing mistake")
    number, step = divmod(place, PORTS_TRIED)
    return str(IPv4Address(number)), DEFAULT_PORT + step


def _check(place: int) -> int:
    return H("code", place.to_bytes(5, "big"))[0]
