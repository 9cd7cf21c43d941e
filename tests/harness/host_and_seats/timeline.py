"""A log with its clock: when each body was appended, and what was due before and after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lanuno.log.format.bodies import HOST, Body, Payload
from lanuno.log.replay.replay import Replay
from lanuno.rules.engine.round import Round
from tests.harness.host_and_seats.table_sim import TableSim


@dataclass(frozen=True)
class TimedEntry:
    """One entry, and the state of the table before it."""

    seconds: float
    """Seconds since genesis."""
    author: int
    payload: Payload
    body: Body
    owed: int | None
    """The seat that owed "UNO"."""
    owed_since: float
    decision: int | None
    decided_by: int | None
    phase: str
    """The phase of the game; empty between rounds and while no cards are played."""
    waited: float
    """Seconds since the decision, or its seat, changed."""

    @property
    def by_host(self) -> bool:
        """Whether the host signed it."""
        return self.author == HOST


def timeline(sim: TableSim) -> list[TimedEntry]:
    """Return the whole log of a simulation."""
    return list(_moments(sim))


def timed_entries_of(sim: TableSim, kind: type) -> list[TimedEntry]:
    """Return the entries of one kind."""
    return [moment for moment in timeline(sim) if isinstance(moment.payload, kind)]


def _moments(sim: TableSim) -> Iterator[TimedEntry]:
    assert sim.host_role is not None
    replay = Replay(sim.host_role.replay.genesis)
    owed: int | None = None
    owed_since = since = 0.0
    before: tuple[int, int | None] | None = None
    for entry in sim.journal:
        core = entry.read()
        body = core.signed_body.read()
        seconds = core.ms / 1000
        engine = None if replay.round is None else replay.round.engine
        game = engine if isinstance(engine, Round) else None
        yield TimedEntry(
            seconds,
            body.author,
            body.payload,
            body,
            owed,
            owed_since,
            None if game is None else game.decision,
            None if game is None else game.decider,
            "" if game is None else game.phase.name,
            seconds - since,
        )
        replay.follow(entry)
        engine = None if replay.round is None else replay.round.engine
        game = engine if isinstance(engine, Round) else None
        now = None if game is None else game.uno_owed
        if now != owed:
            owed, owed_since = now, seconds
        decision = None if game is None else (game.decision, game.decider)
        if decision != before:
            before, since = decision, seconds
