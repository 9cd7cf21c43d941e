"""Who is away from the table, who comes back, and what that means for the match.

Here: dropped, leaving and expelled seats, bots in empty chairs, the second leaving that voids a
round, and the forfeit between two people. Not here: what becomes of a round that loses a seat
(`recovery.py`), and when the host drops somebody (the table's clocks).
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from lanuno.dealing.identity import check_public, verify
from lanuno.log import events
from lanuno.log.bodies import DropReason, FillIn, fill_in_digest
from lanuno.log.events import Event
from lanuno.log.faults import BodyRefused, Refusal
from lanuno.log.genesis import Roster, SeatInfo, owner_seats
from lanuno.rules.formats import FORMATS
from lanuno.rules.match import Match

VOIDING_LEAVES = 2
"""A player whose leaving has made this many rounds void is out of the match.

A player who was there although the same host dropped it in this many rounds does not come back
while that host is the host.
"""


class Absence:
    """The attendance of one table. Attributes are for reading only."""

    def __init__(self, match: Match, roster: Roster) -> None:
        """Everybody is here."""
        self.signed = roster
        """Who sat where at genesis."""
        self.roster = roster
        """Who plays what now: bots that fill in are in it, in the place of those who left."""
        self.dropped: dict[int, DropReason] = {}
        """Seats that the host went on without, and why; also while a bot fills in."""
        self.leaving: set[int] = set()
        """Seats that said that they leave."""
        self.filled: dict[int, int] = {}
        """Seats that a bot fills, and the owner on whose computer it runs."""
        self.voided: dict[int, int] = {}
        """By owner: how many rounds are void because of its leaving."""
        self.denied: dict[tuple[int, int], int] = {}
        """By owner and host: how many are void because it was there when that host dropped it."""
        self._match = match
        self._first_owners = owner_seats(roster)
        self._people = frozenset(self._first_owners)
        self._forfeit: tuple[int, int] | None = None

    # ---- who is here ------------------------------------------------------------------------

    @property
    def here(self) -> tuple[int, ...]:
        """Owners who were not dropped; who is leaving is still among them."""
        return tuple(sorted(self._people - set(self.dropped)))

    @property
    def owners(self) -> tuple[int, ...]:
        """Owners who count: neither dropped nor leaving."""
        return tuple([seat for seat in self.here if seat not in self.leaving])

    @property
    def owner_seats(self) -> tuple[int, ...]:
        """For every seat, that of the person on whose computer it is played."""
        return tuple([self.filled.get(seat, of) for seat, of in enumerate(self._first_owners)])

    def owner_of(self, seat: int) -> int:
        """The seat of the person on whose computer a seat is played."""
        return self.filled.get(seat, self._first_owners[seat])

    def seats_of(self, owner: int) -> tuple[int, ...]:
        """An owner's own seat and those of its bots, bots that fill in included."""
        return tuple([seat for seat, of in enumerate(self.owner_seats) if of == owner])

    def own(self, owner: int) -> tuple[int, ...]:
        """An owner's seat, then those that its bots have had from the beginning."""
        bots = [seat for seat, of in enumerate(self._first_owners) if of == owner != seat]
        return (owner, *bots)

    def silenced(self, seat: int) -> bool:
        """Whether nothing that is signed for a seat is taken, but for its return.

        Whoever plays it is gone: its own player, or the owner of the bot that fills in.
        """
        return self.filled.get(seat, seat) in self.dropped

    # ---- going ------------------------------------------------------------------------------

    def leave(self, seat: int) -> list[Event]:
        """A person says that they leave."""
        if seat not in self._people:
            raise BodyRefused(Refusal.NOT_A_SEAT, "a bot leaves with its owner")
        if seat in self.dropped:
            raise BodyRefused(Refusal.NOT_A_SEAT, "this seat was dropped")
        if seat in self.leaving:
            raise BodyRefused(Refusal.ALREADY_DONE)
        self.leaving.add(seat)
        return [events.SeatLeft(seat)]

    def drop(self, seat: int, reason: DropReason, host: int) -> tuple[int, ...]:
        """Go on without an owner and its bots; the seats that nobody plays any more.

        A bot that fills in for somebody who is back stops with its owner, and who is back stays.
        Whoever is dropped again while a bot still fills in leaves no chair empty. The host itself
        can only be dropped where it leaves to a single other: then it forfeits.
        """
        if seat not in self._people:
            raise BodyRefused(Refusal.NOT_A_SEAT, "no person's seat")
        if seat in self.dropped:
            raise BodyRefused(Refusal.ALREADY_DONE)
        if reason is DropReason.LEFT and seat not in self.leaving:
            raise BodyRefused(Refusal.NOT_NOW, "has not said that it leaves")
        here = self.here
        if seat == host and (len(here) != 2 or seat not in self.leaving):
            raise BodyRefused(Refusal.NOT_A_SEAT, "the host")
        gone = tuple([each for each in self.seats_of(seat) if not self.silenced(each)])
        self.dropped = {**dict.fromkeys(self.own(seat), reason), **self.dropped}
        self.leaving.discard(seat)
        if len(here) == 2:
            winner = next(each for each in here if each != seat)
            if set(self.own(winner)) & set(self._match.playing):
                self._forfeit = (seat, winner)
        return gone

    def expel(self, seat: int, *, cheated: bool) -> list[Event]:
        """A seat is out of the match for good."""
        return [events.SeatExpelled(seat, cheated)] if self._match.expel(seat) else []

    def convict(self, seat: int) -> list[Event]:
        """Whoever plays a seat has cheated and is out: where a bot fills in that is its owner.

        The seat is then as empty as before; `settle` has to follow.
        """
        owner = self.filled.pop(seat, None)
        if owner is not None:
            self._seat(seat, self.signed.seats[seat])
        return self.expel(seat if owner is None else owner, cheated=True)

    def round_void(
        self, spoilers: Collection[int], denied: Collection[tuple[int, int]] = ()
    ) -> list[Event]:
        """A round is void because these owners left, or were there and were dropped by a host."""
        happened: list[Event] = []
        for pair in denied:
            self.denied[pair] = self.denied.get(pair, 0) + 1
        for owner in sorted(spoilers):
            self.voided[owner] = self.voided.get(owner, 0) + 1
            if self.voided[owner] >= VOIDING_LEAVES:
                for seat in self.own(owner):
                    happened += self.expel(seat, cheated=False)
        return happened

    # ---- coming -----------------------------------------------------------------------------

    def keeps_away(self, owner: int, host: int) -> bool:
        """Whether an owner does not come back while this host is the host.

        One of the two is wrong, and no log can tell which: a host that drops whom it likes expels
        nobody, and a player that does nothing makes no more rounds void.
        """
        return self.denied.get((owner, host), 0) >= VOIDING_LEAVES

    def come_back(self, seat: int, host: int, *, between_rounds: bool) -> list[Event]:
        """A dropped seat plays again from the next round on."""
        if seat not in self.dropped or seat not in self._match.playing or self._match.over:
            raise BodyRefused(Refusal.NOT_NOW, "no seat to take again")
        owner = self._first_owners[seat]
        if owner != seat and owner in self.dropped:
            raise BodyRefused(Refusal.NOT_NOW, "a bot comes back with its owner")
        if self._forfeit is not None:
            raise BodyRefused(Refusal.NOT_NOW, "the match is given up")
        if self.keeps_away(owner, host):
            raise BodyRefused(Refusal.NOT_NOW, "not while this host is the host")
        del self.dropped[seat]
        if between_rounds:
            self.settle()
        return [events.SeatReturned(seat)]

    def fill_in(self, payload: FillIn, table: bytes, host: int) -> list[Event]:
        """A bot on the host's computer plays an empty seat whose partner needs somebody."""
        seat = payload.seat
        if not FORMATS[self.signed.ruleset.format].teams or self._match.over:
            raise BodyRefused(Refusal.NOT_NOW, "the match goes on without")
        if seat not in self.dropped or seat in self.filled or seat not in self._match.playing:
            raise BodyRefused(Refusal.NOT_NOW, "no empty seat")
        known = {each.identity for each in (*self.signed.seats, *self.roster.seats)}
        owner = self.signed.seats[host].identity
        digest = fill_in_digest(table, seat, payload.identity, owner)
        if payload.identity in known or not check_public(payload.identity):
            raise BodyRefused(Refusal.ILLEGAL, "not an identity of its own")
        if not verify(payload.identity, payload.signature, digest):
            raise BodyRefused(Refusal.BAD_SIGNATURE, "the bot did not agree")
        self.filled[seat] = host
        bot = msgspec.structs.replace(
            self.signed.seats[seat],
            identity=payload.identity,
            owner=owner,
            bot=True,
            slow_clock=False,
        )
        self._seat(seat, bot)
        self.settle()
        return [events.SeatFilled(seat, host)]

    def _seat(self, seat: int, info: SeatInfo) -> None:
        """Change who plays a seat."""
        seats = tuple([info if each == seat else old for each, old in enumerate(self.roster.seats)])
        self.roster = msgspec.structs.replace(self.roster, seats=seats)

    # ---- between two rounds -----------------------------------------------------------------

    def settle(self) -> list[Event]:
        """Between two rounds: tell the match who plays the next one."""
        match = self._match
        happened: list[Event] = []
        if self._forfeit is not None and not match.over:
            loser, winner = self._forfeit
            # Not for somebody else, whose chair a bot of the winner fills.
            match.forfeit(self.own(winner))
            happened.append(events.Forfeited(loser, winner))
        self._forfeit = None
        for seat, owner in tuple(self.filled.items()):
            if seat not in self.dropped or owner in self.dropped:
                del self.filled[seat]
                self._seat(seat, self.signed.seats[seat])
        for seat in match.playing:
            if self.silenced(seat):
                match.leave(seat)
            else:
                match.come_back(seat)
        return happened

    def public(self) -> tuple[object, ...]:
        """The whole state as nested tuples, canonical."""
        return (
            tuple(sorted((seat, int(why)) for seat, why in self.dropped.items())),
            tuple(sorted(self.leaving)),
            tuple(
                (seat, owner, self.roster.seats[seat].identity)
                for seat, owner in sorted(self.filled.items())
            ),
            (
                *sorted(self.voided.items()),
                *((*pair, rounds) for pair, rounds in sorted(self.denied.items())),
            ),
            self._forfeit,
        )
