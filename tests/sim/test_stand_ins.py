"""Whole tables of partners that lose a player: a bot of the host fills the seat and plays on.

Each of these is played as pairs, which stay together, and with partners that change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace

from lanuno.log.audit.audit import audit
from lanuno.log.faults import AuditVerdict
from lanuno.log.format import bodies
from lanuno.log.format.bodies import CloseReason, DropReason
from lanuno.log.round import events
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine.round import Round
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.table import inputs
from tests.harness.node_world.invariants import InvariantChecker
from tests.harness.node_world.repeatable import repeatable
from tests.harness.node_world.world import SimulatedNode, World

PAIRS = Ruleset(hand_size=3, format=Format.PAIRS, grace_first_s=2, grace_total_s=30)
PARTNERS = replace(PAIRS, format=Format.PARTNERS)
ROUNDS = 4


class Table:
    """One table of partners in a simulated world."""

    def __init__(self, ruleset: Ruleset, owners: int = 4, *, bots: tuple[int, ...] = ()) -> None:
        self.world = World(owners, 5, ruleset=ruleset, rounds=ROUNDS, bots=bots)
        self.seats = self.world.nodes
        InvariantChecker(self.world)
        self.world.start()
        self.until(lambda: self.playing(0))

    def until(self, reached: Callable[[], bool]) -> None:
        """Run the world until a condition holds."""
        assert self.world.run(reached, most=self.world.now + 600.0), "that never came to be"

    def playing(self, number: int) -> bool:
        """Whether a player has to decide in a round of play, as a node sees it."""
        program = self.seats[number].program
        current = None if program is None else program.replay.round
        if current is None or current.number == 0 or current.phase is not ProtocolPhase.PLAY:
            return False
        return isinstance(current.engine, Round) and current.engine.decider is not None

    def filled(self, number: int) -> dict[int, int]:
        """Return the seats that bots fill during a round, and the owner of each bot."""
        program = self.seats[number].program
        return dict(program.replay.absence.filled) if program and self.playing(number) else {}

    def leave(self, number: int) -> None:
        """Let a player leave, and wait until the host's bot plays in the seat."""
        node = self.seats[number]
        self.world.do(node, node.running.step(inputs.LeaveRequested(), self.world.now))
        self.until(lambda: self.filled(0) == {number: 0})

    def come_back(self, number: int) -> None:
        """Let the player who left return and ask for the seat."""
        node = self.seats[number]
        self.world.crash(node)
        self.world.restart(node)
        self.until(lambda: node.running.replica.caught_up)

    def end(self, *away: int) -> SimulatedNode:
        """Play to the end; return a node that was there throughout."""
        here = [each for each in self.seats if each.number not in away]
        self.until(lambda: all(each.program is not None and each.running.over for each in here))
        report = audit(self.world.transcript(here[0]))
        assert (report.verdict, report.blame) == (AuditVerdict.VERIFIED, ())
        assert here[0].running.replay.closed in (CloseReason.STOPPED, CloseReason.FINISHED)
        return here[0]

    def authors(self, seat: int) -> Iterator[tuple[int, bytes]]:
        """Yield each commitment of a seat: its round, and the signing player, empty for a bot."""
        keys = {each.config.identities[0].public for each in self.seats}
        for entry in self.seats[0].disk.entries:
            signed = entry.read().signed_body
            body = signed.read()
            if body.author == seat and isinstance(body.payload, bodies.Commit):
                known = [key for key in keys if signed.signed_by(key)]
                yield body.round, known[0] if known else b""


@pytest.fixture(params=[PAIRS, PARTNERS], ids=["pairs", "partners"])
def ruleset(request: pytest.FixtureRequest) -> Iterator[Ruleset]:
    chosen = request.param
    assert isinstance(chosen, Ruleset)
    with repeatable(5):
        yield chosen


def test_a_bot_replaces_a_player_who_leaves_and_the_match_goes_on(ruleset: Ruleset) -> None:
    table = Table(ruleset)
    table.leave(3)
    replay = table.end(3).running.replay
    assert replay.dropped == {3: DropReason.LEFT}
    assert [each.counted for each in replay.summaries if each.number].count(True) == ROUNDS
    assert list(table.seats[0].disk.stand_ins) == [3]


def test_a_returning_player_has_the_seat_from_the_next_round_on(ruleset: Ruleset) -> None:
    table = Table(ruleset)
    table.leave(3)
    number = table.seats[0].running.replay.number
    table.come_back(3)
    replay = table.end().running.replay
    assert replay.dropped == {}
    own = table.seats[3].config.identities[0].public
    signed = dict(table.authors(3))
    assert signed[number] == b"", "the bot plays its round to the end"
    assert set(list(signed.values())[list(signed).index(number) + 1 :]) == {own}
    bot = table.seats[0].running.sessions[-1]
    assert bot.seat is None


def test_a_restarted_node_takes_its_seat_back_by_itself(ruleset: Ruleset) -> None:
    table = Table(ruleset)
    table.world.crash(table.seats[3])
    table.until(lambda: table.filled(0) == {3: 0})
    table.world.restart(table.seats[3])
    assert table.end().running.replay.dropped == {}


def test_the_bot_of_a_host_that_starts_again_goes_on_with_its_key(ruleset: Ruleset) -> None:
    table = Table(ruleset)
    table.leave(3)
    key = dict(table.seats[0].disk.stand_ins)
    table.world.crash(table.seats[0], power=True)
    table.world.after(0.3, lambda: table.world.restart(table.seats[0]))
    replay = table.end(3).running.replay
    assert replay.absence.filled == {3: 0}
    assert table.seats[0].disk.stand_ins == key
    assert all(not each.disk.stand_ins for each in table.seats[1:])


def test_a_host_that_dies_takes_its_bot_with_it_and_the_next_fills_both(ruleset: Ruleset) -> None:
    table = Table(ruleset)
    table.leave(3)
    table.world.crash(table.seats[0])
    table.until(lambda: len(table.filled(1)) == 2)
    host = table.seats[1].running.replay.host
    assert table.filled(1) == {0: host, 3: host}
    table.world.restart(table.seats[0])
    replay = table.end(3).running.replay
    assert replay.dropped == {3: DropReason.LEFT}
    assert replay.absence.filled == {3: host}


def test_a_host_that_dies_with_a_bot_of_its_own(ruleset: Ruleset) -> None:
    table = Table(ruleset, 3, bots=(0,))
    table.world.crash(table.seats[0])
    table.until(lambda: len(table.filled(1)) == 2)
    table.world.restart(table.seats[0])
    replay = table.end().running.replay
    assert (replay.dropped, replay.absence.filled) == ({}, {})
    assert any(isinstance(each, events.SeatFilled) for _, _, each in table.world.events)
