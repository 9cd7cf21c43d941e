"""The request by which a computer takes part in a rematch, once the opener is known.

The next table is a waiting room like any other, in which the seats are those of the match before.
The opener opens it at its previous address. The other computers connect there, and also look for it
at other addresses. No Qt.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection

from msgspec.structs import replace

from lanuno.client.places import TablePlace
from lanuno.client.requests import BOT_NAMES, HostRequest, JoinRequest
from lanuno.client.session import TableSession
from lanuno.dealing.identity import fingerprint


def rematch_plans(
    session: TableSession,
    opener: int,
    here: Collection[int] = (),
    *,
    adapter: str | None,
    slow_clock: bool,
    avatar: int | None,
) -> list[HostRequest | JoinRequest]:
    """Return how this computer hosts or joins the rematch, and what to try if nobody opens it.

    First the table of the seat `opener`, then those of all other people in the order of their
    seats, from the host on. All players try them in this order, so that they meet. `here`: the
    seats whose players are there.
    """
    runtime = session.runtime
    if runtime is None:
        return []
    replay = runtime.node.replay
    people = [number for number, seat in enumerate(replay.roster.seats) if not seat.bot]
    after = [seat for seat in people if seat >= replay.host and seat not in replay.dropped]
    before = [seat for seat in people if seat < replay.host and seat not in replay.dropped]
    plans = (_rematch_of(session, each, here) for each in dict.fromkeys((opener, *after, *before)))
    return [
        dataclasses.replace(each, adapter=adapter, slow_clock=slow_clock, avatar=avatar)
        for each in plans
        if each is not None
    ]


def _rematch_of(
    session: TableSession, opener: int, here: Collection[int]
) -> HostRequest | JoinRequest | None:
    """Return how this computer hosts or joins the rematch; None if the address is not known.

    `opener`: the seat whose player opens the table. All seats of people who are not `here` become
    free.
    """
    runtime = session.runtime
    if runtime is None:
        return None
    member, arranged = runtime.node, runtime.metadata
    replay = member.replay
    roster, signed = replay.roster, replay.absence.signed_roster
    back = {*here, opener}
    # A bot that filled a seat gives it back if its player has returned.
    seats = [
        signed.seats[number] if number in back else seat for number, seat in enumerate(roster.seats)
    ]
    identity = seats[opener].identity
    if member.seat is None:
        request, reached = session.request, session.host_place
        is_host = session.host_identity == identity
        if not isinstance(request, JoinRequest) or reached is None or not is_host:
            return None  # spectators do not receive the addresses of other computers
        there = replace(reached, fingerprint=fingerprint(identity), context=None)
        return dataclasses.replace(request, place=there, after=replay.table_id)
    pin = arranged.pin or ""
    if opener == member.seat:
        return HostRequest(
            name=arranged.name or seats[member.seat].name,
            ruleset=roster.ruleset,
            seats=len(seats),
            bots=sum(1 for seat in seats if seat.bot),
            pin=pin,
            spectators=arranged.spectators,
            rounds=arranged.rounds,
            bot_names=(*(seat.name for seat in seats if seat.bot), *BOT_NAMES),
            order=tuple(
                b"" if seat.bot else seat.identity
                for number, seat in enumerate(seats)
                if seat.bot or number in back
            ),
            awaited=tuple(seat.name for seat in seats if not seat.bot),
            expected=signed,
            stays_for_rematch=True,
            likely_port=arranged.port,
        )
    place = next((place for place in member.places if place.seat == opener), None)
    if place is None:
        return None
    return JoinRequest(
        place=TablePlace((place.address,), place.port, fingerprint(identity)),
        pin=pin,
        after=replay.table_id,
        stays_for_rematch=True,
        expected=signed,
    )
