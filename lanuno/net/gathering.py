"""Which adverts are of one table, and whose word counts where they differ.

Whoever likes can announce anything under any table's id and key. So adverts are of one table only
if they agree in everything that a table never changes: a false one stands beside the real one and
can neither hide it, nor replace it, nor give it another name. Which of them is real is told by the
handshake; where it is the same, all addresses that were heard are tried.

A host may change rules and seats while people wait, so two adverts of one table may differ in them.
The advert that was heard first counts, so that a later false one changes nothing; but a table is
shown as full only if no advert has a free seat.

Law: pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from itertools import chain, zip_longest
from typing import Final

from lanuno.net.txt import MAX_ADDRESSES, TableAdvert, TableState

_INVITING: Final = (TableState.OVER, TableState.PLAYING, TableState.OPEN)
"""The later, the more can be done at a table that is said to be so. `SEEKING` is no table."""


def key_of(advert: TableAdvert) -> str:
    """Names a table by all that it never changes: two adverts of one table have the same."""
    never = (
        *(advert.fp, advert.port, advert.name, advert.host),
        *(advert.pin, advert.version),
    )
    return f"{advert.id.hex()}-{sha256(repr(never).encode('utf-8', 'replace')).hexdigest()[:16]}"


def gather(adverts: Iterable[TableAdvert]) -> dict[str, TableAdvert]:
    """The tables that these adverts are of, by `key_of`; those heard first come first."""
    groups: dict[str, list[TableAdvert]] = {}
    for advert in adverts:
        groups.setdefault(key_of(advert), []).append(advert)
    return {key: _joined(group) for key, group in groups.items()}


def _joined(group: list[TableAdvert]) -> TableAdvert:
    """One table. Whoever says that less can be done there is not believed: its host knows."""
    if len(group) == 1:
        return group[0]
    # Each may add addresses, and none push those of another out of the first tries.
    rows = zip_longest(*(each.addresses for each in group))
    addresses = dict.fromkeys(each for each in chain.from_iterable(rows) if each is not None)
    first, best = group[0], max(group, key=_inviting)
    roomy = first if best.taken < first.seats else max(group, key=_free)
    return replace(
        best,
        addresses=tuple(addresses)[:MAX_ADDRESSES],
        preset=first.preset,
        house=first.house,
        changed=first.changed,
        seats=roomy.seats,
        taken=min(best.taken, roomy.seats),
    )


def _free(advert: TableAdvert) -> int:
    return advert.seats - advert.taken


def _inviting(advert: TableAdvert) -> tuple[int, int]:
    state = _INVITING.index(advert.state) if advert.state in _INVITING else -1
    return state, -advert.taken
