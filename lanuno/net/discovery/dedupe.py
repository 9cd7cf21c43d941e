"""Merge the adverts of one table, and decide which advert counts where they differ.

Anybody can announce anything under any table's id and key. So adverts belong to one table only if
they agree in everything that a table never changes. A false advert is then listed beside the
genuine one, and can neither hide, replace nor rename it. The handshake shows which is genuine.
Within one table all announced addresses are tried.

A host may change rules and seats while people wait, so two adverts of one table may differ in
those. The first advert counts, so that a later false one changes nothing. But a table is shown as
full only if no advert has a free seat.
Rule: pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from itertools import chain, zip_longest
from typing import Final

from lanuno.net.discovery.advert import MAX_ADDRESSES, TableAdvert, TableState

_INVITING: Final = (TableState.OVER, TableState.PLAYING, TableState.OPEN)
"""Table states, least inviting first. `SEEKING` is left out, because it is not a table."""


def table_key(advert: TableAdvert) -> str:
    """Return a key of everything that a table never changes. All adverts of a table share it."""
    never = (advert.fp, advert.port, advert.name, advert.host, advert.pin, advert.version)
    return f"{advert.id.hex()}-{sha256(repr(never).encode('utf-8', 'replace')).hexdigest()[:16]}"


def merge_adverts(adverts: Iterable[TableAdvert]) -> dict[str, TableAdvert]:
    """Merge adverts into tables by `table_key`, in the order of the adverts."""
    groups: dict[str, list[TableAdvert]] = {}
    for advert in adverts:
        groups.setdefault(table_key(advert), []).append(advert)
    return {key: _joined(group) for key, group in groups.items()}


def _joined(group: list[TableAdvert]) -> TableAdvert:
    """Merge the adverts of one table. Of different states, the most inviting one counts."""
    if len(group) == 1:
        return group[0]
    # Interleave them, so that no advert displaces the first addresses of another.
    rows = zip_longest(*(each.addresses for each in group))
    addresses = dict.fromkeys(each for each in chain.from_iterable(rows) if each is not None)
    first, best = group[0], max(group, key=_inviting)
    roomy = (
        first if best.taken < first.seats else max(group, key=lambda each: each.seats - each.taken)
    )
    return replace(
        best,
        addresses=tuple(addresses)[:MAX_ADDRESSES],
        preset=first.preset,
        house=first.house,
        changed=first.changed,
        seats=roomy.seats,
        taken=min(best.taken, roomy.seats),
    )


def _inviting(advert: TableAdvert) -> tuple[int, int]:
    state = _INVITING.index(advert.state) if advert.state in _INVITING else -1
    return state, -advert.taken
