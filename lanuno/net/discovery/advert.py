"""The advert of a table, as a value and as the bytes of a TXT record.

Rule: pure. All external data is checked once, here; invalid bytes yield no advert. An advert is a
hint: only the handshake proves anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from lanuno.log.format.avatar import AVATARS
from lanuno.log.format.genesis import VERSION
from lanuno.log.format.names import LONGEST_NAME, LONGEST_NAME_BYTES, clean_name
from lanuno.net.errors import NetError, NetFault
from lanuno.rules.house_bits import MOST_HOUSE_RULES, house_bits
from lanuno.rules.presets import CLASSIC
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.ruleset_changes import changes

LONGEST_TABLE: Final = 32
LONGEST_TABLE_BYTES: Final = 128
MAX_TXT: Final = 1024
MAX_ITEMS: Final = 32
MAX_ADDRESSES: Final = 16
MOST_CHANGED: Final = 99
"""Upper bound of the changed settings in an advert. The game has fewer settings than this."""
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,8}")
_ID: Final = re.compile(r"(?:[0-9a-f]{2}){8,32}")
_FINGERPRINT: Final = re.compile(r"[a-z2-7]{32}")
_PRESET: Final = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,22}[a-z0-9])?")


class TableState(Enum):
    """What a newcomer can do at a table."""

    OPEN = "open"
    """Take a seat."""

    PLAYING = "playing"
    """Watch."""

    OVER = "over"
    """The match has ended; a rematch may follow."""

    SEEKING = "seeking"
    """Nothing. The sender is not a table, but a player who searches for a table in progress."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAdvert:
    """One table on the network, as it describes itself."""

    id: bytes
    """Lobby id before genesis, table id after it (8 to 32 bytes)."""

    name: str
    """The table's name, 1 to 32 code points of plain text."""

    host: str
    """The host's name, 1 to 20 code points of plain text."""

    fp: str
    """Fingerprint of the host's identity key."""

    preset: str
    """Name of the preset that the ruleset is based on: 1 to 24 of a-z, 0-9, - and _."""

    seats: int
    """Number of seats, 2 to 10."""

    taken: int
    """Number of occupied seats, 0 to `seats`."""

    state: TableState
    pin: bool
    """Whether the table has a PIN."""

    version: int = VERSION
    """Version of the protocol, from 1."""

    addresses: tuple[str, ...] = ()
    """Numeric addresses of both families; link-local ones with their scope if it is known."""

    port: int
    house: int = 0
    """The house rules added to the preset, as a bit set of `lanuno.rules.house_bits.house_bits`. A
    later version may set bits that this one does not know."""

    changed: int = 0
    """Number of other settings that differ from the preset."""

    avatar: int | None = None
    """The colour of the host, if it has chosen one."""

    update: int = field(default=0, compare=False)
    """Number of this change of the advert. Rises while the host runs."""


def with_rules(advert: TableAdvert, ruleset: Ruleset) -> TableAdvert:
    """Return an advert with the rules replaced by this ruleset.

    A preset name that no version accepts in an advert is replaced by that of the classic rules.
    `changes` compares every ruleset of an unknown name with them.
    """
    changed = changes(ruleset)
    return replace(
        advert,
        preset=ruleset.preset if _PRESET.fullmatch(ruleset.preset) else CLASSIC.preset,
        house=house_bits(changed.house),
        changed=len(changed.settings),
    )


def encode_txt(advert: TableAdvert) -> bytes:
    """Encode an advert as a TXT record. `NetError` (`PROTOCOL`) if a browser would reject it."""
    texts = {
        "v": str(advert.version),
        "id": advert.id.hex(),
        "name": advert.name,
        "host": advert.host,
        "fp": advert.fp,
        "preset": advert.preset,
        "seats": str(advert.seats),
        "taken": str(advert.taken),
        "state": advert.state.value,
        "pin": str(int(advert.pin)),
        "n": str(advert.update),
    }
    # Zero values are left out; most tables have them.
    texts |= {"house": str(advert.house)} if advert.house else {}
    texts |= {"changed": str(advert.changed)} if advert.changed else {}
    texts |= {} if advert.avatar is None else {"avatar": str(advert.avatar)}
    items = [f"{key}={value}".encode("utf-8", "replace") for key, value in texts.items()]
    longest = max(len(item) for item in items)
    raw = b"".join(len(item).to_bytes(1, "big") + item for item in items) if longest < 256 else b""
    if decode_txt(raw, advert.addresses, advert.port) != advert:
        raise NetError(NetFault.PROTOCOL, "an advert that every browser would reject")
    return raw


def decode_txt(raw: bytes, addresses: tuple[str, ...], port: int) -> TableAdvert | None:
    """Decode the advert in a TXT record. Return None if any part is invalid."""
    items = read_items(raw)
    if items is None or not addresses or not 1 <= port <= 65535:
        return None
    items = {"n": b"0", "house": b"0", "changed": b"0"} | items
    try:
        seats = _number(items, "seats", 2, 10)
        return TableAdvert(
            id=bytes.fromhex(_match(items, "id", _ID)),
            name=_name(items, "name", LONGEST_TABLE, LONGEST_TABLE_BYTES),
            host=_name(items, "host", LONGEST_NAME, LONGEST_NAME_BYTES),
            fp=_match(items, "fp", _FINGERPRINT),
            preset=_match(items, "preset", _PRESET),
            seats=seats,
            taken=_number(items, "taken", 0, seats),
            state=TableState(_text(items, "state")),
            pin=bool(_number(items, "pin", 0, 1)),
            version=_number(items, "v", 1, 999),
            addresses=addresses[:MAX_ADDRESSES],
            port=port,
            house=_number(items, "house", 0, (1 << MOST_HOUSE_RULES) - 1),
            changed=_number(items, "changed", 0, MOST_CHANGED),
            avatar=_number(items, "avatar", 0, AVATARS - 1) if "avatar" in items else None,
            update=_number(items, "n", 0, 999_999_999),
        )
    except ValueError:
        return None


def read_items(raw: bytes) -> dict[str, bytes] | None:
    """Parse the key=value items of a TXT record (RFC 6763, 6). Return None if it is malformed.

    As the RFC requires, keys are lower-cased, the first of two equal keys counts, and items without
    a value or with a key that is not printable ASCII are skipped.
    """
    if len(raw) > MAX_TXT:
        return None
    items: dict[str, bytes] = {}
    for count, item in enumerate(_strings(raw)):
        if item is None or count >= MAX_ITEMS:
            return None
        key, equals, value = item.partition(b"=")
        if key and equals and all(0x20 <= byte <= 0x7E for byte in key):
            items.setdefault(key.decode("ascii").lower(), value)
    return items


def _strings(raw: bytes) -> Iterator[bytes | None]:
    """Yield the length-prefixed strings of a TXT record, and None for a truncated one."""
    start = 0
    while start < len(raw):
        end = start + 1 + raw[start]
        yield raw[start + 1 : end] if end <= len(raw) else None
        start = end


# Readers of one item. Each raises `ValueError` if the item is missing or invalid.


def _text(items: Mapping[str, bytes], key: str) -> str:
    return items.get(key, b"").decode("utf-8", "strict")


def _name(items: Mapping[str, bytes], key: str, longest: int, longest_bytes: int) -> str:
    name = clean_name(_text(items, key), longest, longest_bytes)
    if name is None:
        raise ValueError(key)
    return name


def _match(items: Mapping[str, bytes], key: str, pattern: re.Pattern[str]) -> str:
    text = _text(items, key)
    if pattern.fullmatch(text) is None:
        raise ValueError(key)
    return text


def _number(items: Mapping[str, bytes], key: str, least: int, most: int) -> int:
    number = int(_match(items, key, _NUMBER))
    if not least <= number <= most:
        raise ValueError(key)
    return number
