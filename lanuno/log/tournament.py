"""The state of a tournament, derived from its logs: the next tables, their bindings, the scores.

A tournament is a genesis signed by all eight players, and fourteen tables with one log each. The
genesis and the closed logs of earlier rotations determine every table: its players, its host and
its binding. All nodes that hold the same logs therefore agree. Pure; `lanuno.net` finds the tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from lanuno.dealing.hashing import H, u32
from lanuno.log.audit.audit import Report, audit
from lanuno.log.faults import AuditVerdict, Unreadable
from lanuno.log.format.bodies import CloseReason
from lanuno.log.format.genesis import (
    LOBBY_ID_BYTES,
    NO_NONCE,
    Genesis,
    Roster,
    TournamentBinding,
)
from lanuno.log.format.transcript import Transcript
from lanuno.log.replay.course import Decided
from lanuno.rules.errors import RulesError
from lanuno.rules.match import tournament
from lanuno.rules.match.tournament import SCHEDULE, TABLES


class TournamentTable(Struct, frozen=True):
    """One table of one rotation, as the genesis and the closed logs determine it."""

    rotation: int
    table: int
    players: tuple[int, ...]
    """Seats of the tournament's genesis, clockwise around this table. The first of them hosts."""
    order: tuple[bytes, ...]
    """The identities of `players`, in the same order."""
    lobby: bytes
    """Id of the lobby, by which the players find it."""
    binding: TournamentBinding

    @property
    def host(self) -> bytes:
        """Identity of the host."""
        return self.order[0]


class TournamentReplay:
    """The state of a tournament that follows from its genesis and its closed logs."""

    def __init__(self, genesis: Genesis) -> None:
        """Start from a genesis; raises `Unreadable` if it is not that of a tournament."""
        self.genesis = genesis
        self.roster: Roster = genesis.read()
        if not self.roster.is_tournament:
            raise Unreadable("the genesis of a table, not of a tournament")
        self.results = tournament.Tournament()
        """Rotation, points and tallies by player; a player is a seat of the genesis."""
        self.reports: dict[tuple[int, int], Report] = {}
        """Reports on the closed tables, by (rotation, table)."""
        self._previous_closes: tuple[bytes, ...] = ()
        self._closed: dict[int, bytes] = {}

    @property
    def id(self) -> bytes:
        """The id of the tournament, to which its tables are bound."""
        return self.genesis.table_id

    @property
    def rotation(self) -> int:
        """The present rotation, from 0."""
        return self.results.rotation

    @property
    def over(self) -> bool:
        """Whether all rotations have been played."""
        return self.results.over

    @property
    def decided(self) -> Decided | None:
        """What decided the tables played so far: absence if it decided any; None before the first.

        The points of all tables count, so an absence at one of them changes the ranking.
        """
        if not self.reports:
            return None
        absent = any(each.decided is Decided.ABSENCE for each in self.reports.values())
        return Decided.ABSENCE if absent else Decided.CARDS

    def table(self, number: int) -> TournamentTable:
        """Return a table of the present rotation; raises `RulesError` after the last rotation."""
        if self.over:
            raise RulesError("the tournament is over")
        return self._table(TournamentBinding(self.id, self.rotation, number, self._previous_closes))

    def table_of(self, identity: bytes) -> TournamentTable:
        """Return the table at which a player sits in the present rotation."""
        return next(table for table in map(self.table, range(TABLES)) if identity in table.order)

    def roster_of(self, table: TournamentTable) -> Roster:
        """Return the roster of a table, as all players agreed to it by signing the tournament.

        The nonces are an exception: they are those of the tournament.
        """
        return replace(
            self.roster,
            lobby=table.lobby,
            host=0,
            seats=tuple([self.roster.seats[player] for player in table.players]),
            binding=table.binding,
            rounds=None,
            spectators=True,
        )

    def expects(self, roster: Roster) -> bool:
        """Whether a roster is that of a table of the present rotation, after the logs so far."""
        tables = () if self.over else tuple([self.table(number) for number in range(TABLES)])
        wanted = [_without_nonces(self.roster_of(table)) for table in tables]
        return _without_nonces(roster) in wanted

    def missing(self) -> tuple[int, ...]:
        """Return the tables of the present rotation whose closed logs have not been added."""
        if self.over:
            return ()
        return tuple([each for each in range(TABLES) if each not in self._closed])

    def add(
        self, transcript: Transcript, audited: Callable[[Transcript], Report] = audit
    ) -> Report | None:
        """Add the closed log of a table of the present rotation and return its report.

        Return None and change nothing unless it is the verified log of a missing table of this
        rotation, played to its end by the right players under the right rules. `audited` returns
        the report on a transcript; a caller that already has the report can pass it this way.
        """
        found = self._closed_table(transcript, audited)
        if found is None:
            return None
        number, report = found
        self._take(number, report, transcript)
        return report

    def add_all(
        self,
        transcripts: Iterable[Transcript],
        audited: Callable[[Transcript], Report] = audit,
        before_each: Callable[[], object] = bool,
    ) -> None:
        """Add all logs that belong to this tournament, in any order.

        Of logs of one table that end differently, only that counts to which the players of a later
        table have signed theirs. For `audited` see `add`. `before_each` is called before each log
        is checked; it may stop the work by raising.
        """
        logs: list[Transcript] = []
        bound: set[bytes] = set()
        for each in transcripts:
            before_each()
            binding = self._binding_of(each)
            if binding is not None:
                logs.append(each)
                bound.update(binding.before)
        added = True
        while added:
            ends: list[dict[bytes, tuple[Report, Transcript]]] = [{} for _ in range(TABLES)]
            for each in logs:
                before_each()
                closed = self._closed_table(each, audited)
                if closed is not None:
                    ends[closed[0]].setdefault(each.entries[-1].hash, (closed[1], each))
            added = False
            for number, found in enumerate(ends):
                sure = found if len(found) == 1 else found.keys() & bound
                if len(sure) == 1:
                    self._take(number, *found[next(iter(sure))])
                    added = True

    def _table(self, binding: TournamentBinding) -> TournamentTable:
        """Return the table with this binding, whatever it says of the rotation before."""
        rotation, number = binding.rotation, binding.table
        players = SCHEDULE[rotation][number]
        order = tuple([self.roster.seats[player].identity for player in players])
        lobby = H("tournament-table", self.id, u32(rotation), u32(number))[:LOBBY_ID_BYTES]
        return TournamentTable(rotation, number, players, order, lobby, binding)

    def _binding_of(self, transcript: Transcript) -> TournamentBinding | None:
        """Return the binding of a log, if its roster is the one of a table of this tournament.

        The binding may name any closes of the rotation before.
        """
        try:
            roster = transcript.genesis.read()
        except Unreadable:
            return None
        binding = roster.binding
        if binding is None or binding.tournament != self.id:
            return None
        if binding.rotation >= len(SCHEDULE) or binding.table >= TABLES:
            return None
        wanted = self.roster_of(self._table(binding))
        return binding if _without_nonces(roster) == _without_nonces(wanted) else None

    def _closed_table(
        self, transcript: Transcript, audited: Callable[[Transcript], Report]
    ) -> tuple[int, Report] | None:
        """Return the missing table of this rotation that a log is of, and its report."""
        binding = self._binding_of(transcript)
        if binding is None or binding.table not in self.missing():
            return None
        if (binding.rotation, binding.before) != (self.rotation, self._previous_closes):
            return None
        report = audited(transcript)
        if report.verdict is not AuditVerdict.VERIFIED or report.closed is not CloseReason.FINISHED:
            return None
        return binding.table, report

    def _take(self, number: int, report: Report, transcript: Transcript) -> None:
        """Count a table of this rotation."""
        self.reports[self.rotation, number] = report
        self._closed[number] = transcript.entries[-1].hash
        complete = not self.missing()
        self.results.finish(number, report.scores)
        if complete:
            self._previous_closes = tuple([self._closed[each] for each in range(TABLES)])
            self._closed = {}


def _without_nonces(roster: Roster) -> Roster:
    return replace(roster, seats=tuple([replace(seat, nonce=NO_NONCE) for seat in roster.seats]))
