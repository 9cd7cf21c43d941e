"""A tournament as its logs tell it: which tables follow, what they are bound to, who leads.

A tournament is a genesis that all eight players signed, and fourteen tables, each a log of its own.
Which tables there are, who sits and hosts there, and what each is bound to follows from the genesis
and from the closed logs before; nobody decides it. Everybody who holds the logs computes the same.
Pure; finding the tables is the network's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from lanuno.dealing.hashing import H, u32
from lanuno.log.audit import Report, audit
from lanuno.log.bodies import CloseReason
from lanuno.log.faults import Unreadable, Verdict
from lanuno.log.genesis import LOBBY_ID_BYTES, Binding, Genesis, Roster
from lanuno.log.transcript import Transcript
from lanuno.rules import tournament as rules
from lanuno.rules.tournament import TABLES


@dataclass(frozen=True, slots=True)
class TournamentTable:
    """One table of one rotation, as everybody expects it."""

    rotation: int
    table: int
    players: tuple[int, ...]
    """Seats of the tournament's genesis, clockwise around this table. The first one hosts."""
    order: tuple[bytes, ...]
    """Their identities."""
    lobby: bytes
    """Id of the lobby, so that the players find it."""
    binding: Binding

    @property
    def host(self) -> bytes:
        """Identity of the host."""
        return self.order[0]


class Tournament:
    """The state of a tournament for anybody who holds its logs."""

    def __init__(self, genesis: Genesis) -> None:
        """Begin; raises `Unreadable` if that is not the genesis of a tournament."""
        self.genesis = genesis
        self.roster: Roster = genesis.read()
        if not self.roster.is_tournament:
            raise Unreadable("a table, and no tournament")
        self.results = rules.Tournament()
        """Rotation, points and tallies by player, players being seats of the genesis."""
        self.reports: dict[tuple[int, int], Report] = {}
        """What the audits of the closed tables said, by rotation and table."""
        self._before: tuple[bytes, ...] = ()
        self._closed: dict[int, bytes] = {}

    @property
    def id(self) -> bytes:
        """The id of the tournament, which its tables are bound to."""
        return self.genesis.table_id

    @property
    def rotation(self) -> int:
        """The rotation that is being played, from 0."""
        return self.results.rotation

    @property
    def over(self) -> bool:
        """Whether all rotations are played."""
        return self.results.over

    def table(self, number: int) -> TournamentTable:
        """A table of the present rotation; a `RulesError` if all is over."""
        players = self.results.tables()[number]
        lobby = H("tournament-table", self.id, u32(self.rotation), u32(number))
        return TournamentTable(
            self.rotation,
            number,
            players,
            tuple([self.roster.seats[player].identity for player in players]),
            lobby[:LOBBY_ID_BYTES],
            Binding(self.id, self.rotation, number, self._before),
        )

    def table_of(self, identity: bytes) -> TournamentTable:
        """The table at which a player sits in the present rotation."""
        return next(table for table in map(self.table, range(TABLES)) if identity in table.order)

    def missing(self) -> tuple[int, ...]:
        """The tables of the present rotation whose closed logs are not in yet."""
        if self.over:
            return ()
        return tuple([each for each in range(TABLES) if each not in self._closed])

    def add(
        self, transcript: Transcript, audited: Callable[[Transcript], Report] = audit
    ) -> Report | None:
        """Take the closed log of a table of the present rotation; its report, or None.

        None, and nothing changes, if it is not the log of a missing table of this rotation, played
        to its end by the right players under the right rules, and verified. `audited` gives its
        report, for a caller that has it already.
        """
        try:
            roster = transcript.genesis.read()
        except Unreadable:
            return None
        number = next((each for each in self.missing() if self._is(roster, each)), None)
        if number is None:
            return None
        report = audited(transcript)
        if report.verdict is not Verdict.VERIFIED or report.closed is not CloseReason.FINISHED:
            return None
        self.reports[self.rotation, number] = report
        self._closed[number] = transcript.entries[-1].hash
        complete = not self.missing()
        self.results.finish(number, report.scores)
        if complete:
            self._before = tuple([self._closed[each] for each in range(TABLES)])
            self._closed = {}
        return report

    def gather(
        self,
        transcripts: Iterable[Transcript],
        audited: Callable[[Transcript], Report] = audit,
        looking: Callable[[], object] = bool,
    ) -> None:
        """Take all logs that belong here, in whatever order they come.

        `audited`: see `add`. `looking`: called before each look at a log; it may end the work.
        """
        waiting = list(transcripts)
        while True:
            rest = []
            for each in waiting:
                looking()
                if self.add(each, audited) is None:
                    rest.append(each)
            if len(rest) == len(waiting):
                return
            waiting = rest

    def _is(self, roster: Roster, number: int) -> bool:
        """Whether a roster is that of a table of the present rotation."""
        wanted = self.table(number)
        return (
            roster.binding == wanted.binding
            and roster.lobby == wanted.lobby
            and roster.ruleset == self.roster.ruleset
            and tuple([seat.identity for seat in roster.seats]) == wanted.order
            and roster.seats[roster.host].identity == wanted.host
        )
