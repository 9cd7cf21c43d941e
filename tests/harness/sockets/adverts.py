"""The adverts of the tests' tables."""

from __future__ import annotations

from typing import Final

from lanuno.net.discovery.advert import TableAdvert, TableState

TABLE: Final = TableAdvert(
    id=bytes(range(16)),
    name="Café de Ana",
    host="Ana",
    fp="abcdefghijklmnopqrstuvwxyz234567",
    preset="classic",
    seats=4,
    taken=1,
    state=TableState.OPEN,
    pin=False,
    version=1,
    addresses=("127.0.0.1",),
    port=47474,
)

SOURCE = "192.0.2.1"

PORT = 47474

ADVERT = TableAdvert(
    id=b"i" * 16,
    name="Cocina 🃏",
    host="Ana",
    fp="a" * 32,
    preset="classic",
    seats=4,
    taken=1,
    state=TableState.OPEN,
    pin=True,
    version=1,
    addresses=(SOURCE,),
    port=PORT,
)
