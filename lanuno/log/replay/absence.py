"""Absent and returning players, and the consequences for the match.

This module tracks dropped, leaving and expelled seats, bots in empty seats, the second leaving that
voids a round, and the forfeit between the last two owners. `round/seed_recovery.py` decides what
happens to a round that loses a seat, and `lanuno.table.host.clocks` when the host drops a player.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from lanuno.dealing.identity import check_public, verify
from lanuno.log.faults import BodyRefused, RefusalReason
from lanuno.log.format.bodies import DropReason, FillIn, fill_in_digest
from lanuno.log.format.genesis import Roster, SeatInfo, owner_seats
from lanuno.log.round import events
from lanuno.log.round.events import LogEvent
from lanuno.rules.match.formats import FORMATS
from lanuno.rules.match.match import Match

VOIDING_LEAVES = 2
"""An owner is expelled from the match when this many void rounds count against it.

Where only a host says that an owner was missing, and the owner was reachable or owed no more than
its seeds, the void round counts for that owner and that host together. From this many rounds of
both kinds on, the owner cannot return while that host is the host.
"""


class Absence:
    """The present and absent players of one table. Attributes are for reading only."""

    def __init__(self, match: Match, roster: Roster) -> None:
        """Start with all seats present."""
        self.signed_roster = roster
        """The roster as signed at genesis."""
        self.roster = roster
        """The players now: a bot that fills in replaces the player who left."""
        self.dropped: dict[int, DropReason] = {}
        """Seats that the host dropped, and why; also while a bot fills in."""
        self.leaving: set[int] = set()
        """Seats that signed a Leave and have not been dropped yet."""
        self.filled: dict[int, int] = {}
        """Seats that a bot fills, and the owner on whose node the bot runs."""
        self.voided_rounds: dict[int, int] = {}
        """By owner: the number of void rounds that count against it."""
        self.disputed_drops: dict[tuple[int, int], int] = {}
        """By (owner, host): the number of void rounds about which the two contradict each other."""
        self.sitting_out: set[int] = set()
        """Owners for whom a void round counts, also with a host, until a round of play counts."""
        self._match = match
        self._first_owners = owner_seats(roster)
        self._people = frozenset(self._first_owners)
        self._forfeit: tuple[int, int] | None = None

    # ---- who is here ------------------------------------------------------------------------

    @property
    def people(self) -> frozenset[int]:
        """The seats of persons, whether present or not."""
        return self._people

    @property
    def present_owners(self) -> tuple[int, ...]:
        """Owners who have not been dropped, including those who are leaving."""
        return tuple(sorted(self._people - set(self.dropped)))

    @property
    def owners(self) -> tuple[int, ...]:
        """Owners who count: neither dropped nor leaving."""
        return tuple([seat for seat in self.present_owners if seat not in self.leaving])

    @property
    def owner_seats(self) -> tuple[int, ...]:
        """For every seat, the seat of the person on whose node it is played."""
        return tuple([self.filled.get(seat, of) for seat, of in enumerate(self._first_owners)])

    def owner_of(self, seat: int) -> int:
        """Return the seat of the person on whose node a seat is played."""
        return self.filled.get(seat, self._first_owners[seat])

    def seats_of(self, owner: int) -> tuple[int, ...]:
        """Return an owner's seat and those of its bots, including bots that fill in."""
        return tuple([seat for seat, of in enumerate(self.owner_seats) if of == owner])

    def original_seats(self, owner: int) -> tuple[int, ...]:
        """Return an owner's seat, then the seats that its bots have had since genesis."""
        bots = [seat for seat, of in enumerate(self._first_owners) if of == owner != seat]
        return (owner, *bots)

    def may_not_sign(self, seat: int) -> bool:
        """Whether a seat may sign nothing but its Return.

        True if its player has been dropped or, while a bot fills in, the owner of that bot.
        """
        return self.filled.get(seat, seat) in self.dropped

    def is_gone(self, seat: int) -> bool:
        """Whether nothing is expected of a seat: it may not sign, and is no present owner's.

        An owner that has returned counts while a bot plays its seat, even if that bot is gone.
        """
        return self.may_not_sign(seat) and seat not in self.present_owners

    # ---- going ------------------------------------------------------------------------------

    def leave(self, seat: int) -> list[LogEvent]:
        """Note that a person has signed a Leave."""
        if seat not in self._people:
            raise BodyRefused(RefusalReason.NOT_A_SEAT, "a bot leaves with its owner")
        if seat in self.dropped:
            raise BodyRefused(RefusalReason.NOT_A_SEAT, "this seat was dropped")
        if seat in self.leaving:
            raise BodyRefused(RefusalReason.ALREADY_DONE)
        self.leaving.add(seat)
        return [events.LeaveAnnounced(seat)]

    def drop(self, seat: int, reason: DropReason, host: int) -> tuple[int, ...]:
        """Drop an owner and its bots; return the seats that nobody plays any more.

        If a bot of this owner fills in for a player who has returned, the bot stops and the player
        stays. If a player is dropped again while a bot still fills in, its seat is not empty. The
        host itself can be dropped only after it has signed a Leave, with exactly one other owner
        present; it then forfeits the match.
        """
        if seat not in self._people:
            raise BodyRefused(RefusalReason.NOT_A_SEAT, "not a person's seat")
        if seat in self.dropped:
            raise BodyRefused(RefusalReason.ALREADY_DONE)
        if reason is DropReason.LEFT and seat not in self.leaving:
            raise BodyRefused(RefusalReason.NOT_NOW, "this player has not signed a Leave")
        here = self.present_owners
        if seat == host and (len(here) != 2 or seat not in self.leaving):
            raise BodyRefused(RefusalReason.NOT_A_SEAT, "the host cannot be dropped")
        gone = tuple([each for each in self.seats_of(seat) if not self.may_not_sign(each)])
        self.dropped = {**dict.fromkeys(self.original_seats(seat), reason), **self.dropped}
        self.leaving.discard(seat)
        if len(here) == 2:
            winner = next(each for each in here if each != seat)
            if set(self.original_seats(winner)) & set(self._match.playing):
                self._forfeit = (seat, winner)
        return gone

    def expel(self, seat: int, *, cheated: bool) -> list[LogEvent]:
        """Remove a seat from the match for good."""
        return [events.SeatExpelled(seat, cheated)] if self._match.expel(seat) else []

    def convict(self, seat: int) -> list[LogEvent]:
        """Expel the cheating player of a seat; if a bot fills in, expel the bot's owner.

        The seat is then empty again, and the caller must call `settle` next.
        """
        owner = self.filled.pop(seat, None)
        if owner is not None:
            self._set_player(seat, self.signed_roster.seats[seat])
        return self.expel(seat if owner is None else owner, cheated=True)

    def round_void(
        self, voided_by: Collection[int], disputed_drops: Collection[tuple[int, int]] = ()
    ) -> list[LogEvent]:
        """Count a void round against owners, or against a host and owners that it dropped."""
        happened: list[LogEvent] = []
        for pair in disputed_drops:
            self.disputed_drops[pair] = self.disputed_drops.get(pair, 0) + 1
        self.sitting_out.update(voided_by, (owner for owner, _ in disputed_drops))
        for owner in sorted(voided_by):
            self.voided_rounds[owner] = self.voided_rounds.get(owner, 0) + 1
            if self.voided_rounds[owner] >= VOIDING_LEAVES:
                for seat in self.original_seats(owner):
                    happened += self.expel(seat, cheated=False)
        return happened

    # ---- coming -----------------------------------------------------------------------------

    def return_blocked(self, owner: int, host: int) -> bool:
        """Whether an owner may not return while this host is the host.

        Either the host or the owner is wrong, and no log can show which. The block ensures that a
        host cannot expel reachable players by dropping them, and that a player who withholds its
        steps cannot make more rounds void.
        """
        disputed = self.disputed_drops.get((owner, host), 0)
        return disputed + self.voided_rounds.get(owner, 0) >= VOIDING_LEAVES

    def return_seat(self, seat: int, host: int, *, between_rounds: bool) -> list[LogEvent]:
        """Let a dropped seat play again in later rounds.

        An owner that made a round void sits out the round that replaces it. Otherwise it would gain
        a second deal. The same holds for an owner that its host dropped, although the host may be
        wrong: otherwise a player would gain by silence, and a host can let anybody miss a round.
        """
        if seat not in self.dropped or seat not in self._match.playing or self._match.over:
            raise BodyRefused(RefusalReason.NOT_NOW, "this seat cannot return")
        owner = self._first_owners[seat]
        if owner != seat and owner in self.dropped:
            raise BodyRefused(RefusalReason.NOT_NOW, "a bot returns with its owner")
        if self._forfeit is not None:
            raise BodyRefused(RefusalReason.NOT_NOW, "the match is forfeited")
        if self.return_blocked(owner, host):
            raise BodyRefused(RefusalReason.NOT_NOW, "not while this host is the host")
        del self.dropped[seat]
        if between_rounds:
            self.settle()
        return [events.SeatReturned(seat)]

    def fill_in(self, payload: FillIn, table: bytes, host: int) -> list[LogEvent]:
        """Let a bot on the host's node play an empty seat whose partner cannot play alone."""
        seat = payload.seat
        if not FORMATS[self.signed_roster.ruleset.format].teams or self._match.over:
            raise BodyRefused(RefusalReason.NOT_NOW, "the match needs no bot")
        if seat not in self.dropped or seat in self.filled or seat not in self._match.playing:
            raise BodyRefused(RefusalReason.NOT_NOW, "not an empty seat")
        known = {each.identity for each in (*self.signed_roster.seats, *self.roster.seats)}
        owner = self.signed_roster.seats[host].identity
        digest = fill_in_digest(table, seat, payload.identity, owner)
        if payload.identity in known or not check_public(payload.identity):
            raise BodyRefused(RefusalReason.ILLEGAL, "not a new and acceptable identity")
        if not verify(payload.identity, payload.signature, digest):
            raise BodyRefused(RefusalReason.BAD_SIGNATURE, "the bot did not agree")
        self.filled[seat] = host
        bot = msgspec.structs.replace(
            self.signed_roster.seats[seat],
            identity=payload.identity,
            owner=owner,
            bot=True,
            slow_clock=False,
        )
        self._set_player(seat, bot)
        self.settle()
        return [events.SeatFilled(seat, host)]

    def _set_player(self, seat: int, info: SeatInfo) -> None:
        """Change the player of a seat."""
        seats = tuple([info if each == seat else old for each, old in enumerate(self.roster.seats)])
        self.roster = msgspec.structs.replace(self.roster, seats=seats)

    # ---- between two rounds -----------------------------------------------------------------

    def settle(self) -> list[LogEvent]:
        """Between two rounds: update the match with the seats that play the next round."""
        match = self._match
        happened: list[LogEvent] = []
        if self._forfeit is not None and not match.over:
            loser, winner = self._forfeit
            # Seats of other players in which a bot of the winner fills in do not win.
            match.forfeit(self.original_seats(winner))
            happened.append(events.Forfeited(loser, winner))
        self._forfeit = None
        for seat, owner in tuple(self.filled.items()):
            if seat not in self.dropped or owner in self.dropped:
                del self.filled[seat]
                self._set_player(seat, self.signed_roster.seats[seat])
        here = [seat for seat in match.playing if not self.may_not_sign(seat)]
        dealt = [seat for seat in here if self.owner_of(seat) not in self.sitting_out]
        # A match with partners needs everybody, and one owner alone would know all cards.
        owners = {self.owner_of(seat) for seat in dealt}
        if FORMATS[self.signed_roster.ruleset.format].teams or len(owners) < 2:
            dealt = here
        for seat in match.playing:
            if seat in dealt:
                match.come_back(seat)
            else:
                match.leave(seat)
        return happened

    def public_state(self) -> tuple[object, ...]:
        """Return the whole state as canonical nested tuples."""
        return (
            tuple(sorted((seat, int(why)) for seat, why in self.dropped.items())),
            tuple(sorted(self.leaving)),
            tuple(
                (seat, owner, self.roster.seats[seat].identity)
                for seat, owner in sorted(self.filled.items())
            ),
            (
                *sorted(self.voided_rounds.items()),
                *((*pair, rounds) for pair, rounds in sorted(self.disputed_drops.items())),
            ),
            tuple(sorted(self.sitting_out)),
            self._forfeit,
        )
