"""How the same people play again: whoever was the host at the end opens the next table.

The others wait at the place where that host is, and look for it elsewhere. Pure but for looking at
what runs; no Qt.
"""

from __future__ import annotations

from lanuno.app.worker.hosting import Opening
from lanuno.app.worker.joining import Visit
from lanuno.app.worker.sitting import Sitting
from lanuno.dealing.identity import fingerprint


def rematch_of(
    sitting: Sitting, *, adapter: str | None, slow_clock: bool, avatar: int
) -> Opening | Visit | None:
    """What this computer has to do for it; None if nobody can know where."""
    driver = sitting.driver
    if driver is None or driver.member.seat is None:
        return None
    member, arranged = driver.member, driver.arrangements
    replay = member.replay
    roster = replay.roster
    pin = arranged.pin or ""
    if replay.host == member.seat:
        return Opening(
            name=arranged.name or roster.seats[member.seat].name,
            ruleset=roster.ruleset,
            seats=len(roster.seats),
            bots=sum(1 for seat in roster.seats if seat.bot),
            pin=pin,
            spectators=arranged.spectators,
            rounds=arranged.rounds,
            adapter=adapter,
            likely_port=arranged.port,
            slow_clock=slow_clock,
            avatar=avatar,
        )
    place = next((place for place in member.places if place.seat == replay.host), None)
    if place is None:
        return None
    return Visit(
        hosts=(place.address,),
        port=place.port,
        fingerprint=fingerprint(roster.seats[replay.host].identity),
        pin=pin,
        after=replay.table_id,
        adapter=adapter,
        slow_clock=slow_clock,
        avatar=avatar,
    )
