"""Who is away from the table, who comes back, and what that means for the match.

Here: dropped and leaving seats, the second leaving that voids a round, and the forfeit between two
people. Not here: what becomes of a round that loses a seat (`recovery.py`), and when the host drops
somebody (the table's clocks).
"""

from __future__ import annotations

from collections.abc import Collection

from lanuno.log import events
from lanuno.log.bodies import DropReason
from lanuno.log.events import Event
from lanuno.log.faults import BodyRefused, Refusal
from lanuno.rules.match import Match

VOIDING_LEAVES = 2
"""Whoever voids a round by leaving so often is out of the match."""


class Absence:
    """The attendance of one table. Attributes are for reading only."""

    def __init__(self, match: Match, owners: tuple[int, ...]) -> None:
        """Everybody is here. `owners`: for every seat, that of the person who owns it."""
        self.dropped: dict[int, DropReason] = {}
        """Seats that the host went on without, and why."""
        self.leaving: set[int] = set()
        """Seats that said that they leave."""
        self.voided: dict[int, int] = {}
        """How many rounds are void because a seat left."""
        self._match = match
        self._owners = owners
        self._forfeit: tuple[int, int] | None = None

    @property
    def here(self) -> tuple[int, ...]:
        """Owners who were not dropped; who is leaving is still among them."""
        return tuple(sorted(set(self._owners) - set(self.dropped)))

    @property
    def owners(self) -> tuple[int, ...]:
        """Owners who count: neither dropped nor leaving."""
        return tuple([seat for seat in self.here if seat not in self.leaving])

    def seats_of(self, owner: int) -> tuple[int, ...]:
        """An owner's own seat and those of its bots."""
        return tuple([seat for seat, of in enumerate(self._owners) if of == owner])

    def leave(self, seat: int) -> list[Event]:
        """A seat says that it leaves."""
        if seat in self.leaving:
            raise BodyRefused(Refusal.ALREADY_DONE)
        self.leaving.add(seat)
        return [events.SeatLeft(seat)]

    def drop(self, seat: int, reason: DropReason, host: int) -> tuple[int, ...]:
        """Go on without an owner and its bots; the seats that are dropped by it.

        The host itself can only be dropped where it leaves to a single other: then it forfeits.
        """
        if seat >= len(self._owners) or self._owners[seat] != seat:
            raise BodyRefused(Refusal.NOT_A_SEAT, "no person's seat")
        if seat in self.dropped:
            raise BodyRefused(Refusal.ALREADY_DONE)
        here = self.here
        if seat == host and (len(here) != 2 or seat not in self.leaving):
            raise BodyRefused(Refusal.NOT_A_SEAT, "the host")
        gone = tuple([each for each in self.seats_of(seat) if each not in self.dropped])
        self.dropped.update(dict.fromkeys(gone, reason))
        self.leaving.difference_update(gone)
        if len(here) == 2:
            winner = next(each for each in here if each != seat)
            self._forfeit = (seat, winner)
        return gone

    def come_back(self, seat: int, between_rounds: bool) -> list[Event]:
        """A dropped seat plays again from the next round on."""
        if seat not in self.dropped or seat not in self._match.playing or self._match.over:
            raise BodyRefused(Refusal.NOT_NOW, "no seat to take again")
        if self._owners[seat] in self.dropped and self._owners[seat] != seat:
            raise BodyRefused(Refusal.NOT_NOW, "a bot comes back with its owner")
        del self.dropped[seat]
        if between_rounds:
            self.settle()
        return [events.SeatReturned(seat)]

    def round_void(self, lost: Collection[int]) -> list[Event]:
        """A round is void because these seats left."""
        happened: list[Event] = []
        for seat in sorted(lost):
            self.voided[seat] = self.voided.get(seat, 0) + 1
            if self.voided[seat] >= VOIDING_LEAVES and seat in self._match.playing:
                self._match.expel(seat)
                happened.append(events.SeatExpelled(seat))
        return happened

    def settle(self) -> list[Event]:
        """Between two rounds: tell the match who plays the next one."""
        match = self._match
        happened: list[Event] = []
        if self._forfeit is not None and not match.over:
            loser, winner = self._forfeit
            match.forfeit(self.seats_of(winner))
            happened.append(events.Forfeited(loser, winner))
        self._forfeit = None
        for seat in match.playing:
            if seat in self.dropped:
                match.leave(seat)
            else:
                match.come_back(seat)
        return happened

    def public(self) -> tuple[object, ...]:
        """The whole state as nested tuples, canonical."""
        return (
            tuple(sorted((seat, int(why)) for seat, why in self.dropped.items())),
            tuple(sorted(self.leaving)),
            tuple(sorted(self.voided.items())),
            self._forfeit,
        )
