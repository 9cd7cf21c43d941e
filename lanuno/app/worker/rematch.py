"""How the same people play again: what a computer does once it is known which one opens the table.

That one opens its table where it was reached before, with the same rules and seats; the others wait
there, and look for it elsewhere. Pure but for looking at what runs; no Qt.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from lanuno.app.worker.hosting import Opening
from lanuno.app.worker.joining import JoinedTable, Visit
from lanuno.app.worker.sitting import Sitting
from lanuno.dealing.identity import fingerprint
from lanuno.table.lobby_peer import Expected


def rematch_of(
    sitting: Sitting,
    opener: int,
    here: Collection[int] = (),
    *,
    adapter: str | None,
    slow_clock: bool,
    avatar: int,
) -> Opening | Visit | None:
    """What this computer has to do for it; None if nobody can know where.

    `opener`: the seat whose person opens the table. `here`: seats of those who could play again;
    the seats of others are nobody's.
    """
    driver = sitting.driver
    if driver is None:
        return None
    member, arranged = driver.member, driver.arrangements
    replay = member.replay
    roster, signed = replay.roster, replay.absence.signed
    back = {*here, opener}
    # A bot that filled the chair of somebody who is back leaves it again.
    seats = [
        signed.seats[number] if number in back else seat for number, seat in enumerate(roster.seats)
    ]
    identity = seats[opener].identity
    if member.seat is None:
        if not isinstance(sitting, JoinedTable) or sitting.host_identity != identity:
            return None  # spectators are not told where other computers are
        visit, there = sitting.visit, fingerprint(identity)
        return replace(visit, fingerprint=there, context=None, after=replay.table_id)
    pin = arranged.pin or ""
    if opener == member.seat:
        return Opening(
            name=arranged.name or seats[member.seat].name,
            ruleset=roster.ruleset,
            seats=len(seats),
            bots=sum(1 for seat in seats if seat.bot),
            pin=pin,
            spectators=arranged.spectators,
            rounds=arranged.rounds,
            kept=tuple(
                b"" if seat.bot else seat.identity
                for number, seat in enumerate(seats)
                if seat.bot or number in back
            ),
            expected=tuple(seat.name for seat in seats if not seat.bot),
            again=True,
            adapter=adapter,
            likely_port=arranged.port,
            slow_clock=slow_clock,
            avatar=avatar,
        )
    place = next((place for place in member.places if place.seat == opener), None)
    if place is None:
        return None
    return Visit(
        hosts=(place.address,),
        port=place.port,
        fingerprint=fingerprint(identity),
        pin=pin,
        after=replay.table_id,
        expected=Expected(roster.ruleset, arranged.rounds, len(seats)),
        adapter=adapter,
        slow_clock=slow_clock,
        avatar=avatar,
    )
