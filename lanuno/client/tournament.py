"""A tournament, as far as one of its players has played it."""

from __future__ import annotations

from dataclasses import dataclass

from lanuno.client.events import TournamentStanding
from lanuno.client.tournament_breaks import TournamentBreak
from lanuno.log.format.genesis import avatars
from lanuno.log.tournament import TournamentReplay
from lanuno.rules.match.tournament import SCHEDULE
from lanuno.store.tournament_records import TournamentFiles


@dataclass(slots=True)
class PlayedTournament:
    """The verified tables of a tournament, their files, and why it was broken off, if it was."""

    replay: TournamentReplay
    files: TournamentFiles
    me: bytes
    """Identity of this player."""
    broken: TournamentBreak | None = None

    def standing(self, *, awaiting_other_table: bool = False) -> TournamentStanding:
        """Return the present standing of the tournament."""
        seats = self.replay.roster.seats
        colours = avatars(seats)
        return TournamentStanding(
            names=tuple(seat.name for seat in seats),
            avatars=tuple(colours[seat.identity] for seat in seats),
            totals=tuple(self.replay.results.totals),
            mine=next(n for n, seat in enumerate(seats) if seat.identity == self.me),
            rotation=self.replay.rotation,
            rotations=len(SCHEDULE),
            winners=tuple(self.replay.results.winners),
            awaiting_other_table=awaiting_other_table,
            broken=self.broken,
        )
