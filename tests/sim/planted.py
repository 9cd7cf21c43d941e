"""Mistakes that a developer could make in the state machines: the simulation must find each one.

Each mistake is planted in the real code from outside. It is listed with a word of the failure
message, the kind of trouble that exposes it, and a seed that finds it. If code changes shift the
worlds of all seeds, one of the next `WITHIN` seeds finds it as well.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from unittest.mock import patch

from msgspec import structs
from msgspec.structs import replace

from lanuno.dealing.deal import Deal
from lanuno.log.format.bodies import Act, Payload
from lanuno.log.format.genesis import Genesis
from lanuno.log.format.statements import Acknowledgement
from lanuno.log.replay import due_steps
from lanuno.log.replay.due_steps import AutomaticStep, AutomaticStepKind, automatic_steps
from lanuno.log.replay.replay import Replay
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine.actions import Draw
from lanuno.rules.engine.round import Round
from lanuno.table.acknowledgements import Acknowledgements
from lanuno.table.messages import AtTable, Rejoin, RequestVote
from lanuno.table.node import Node
from lanuno.table.outputs import EntriesOnDisk, Output, SyncJournal
from lanuno.table.recovery import RecoveredState
from lanuno.table.replica import automatic_steps as own_steps
from lanuno.table.replica.replica import Replica
from lanuno.table.replica.seat import SeatSession
from lanuno.table.roles import Following, Pledged
from lanuno.table.succession.election import ElectionView, Voter, VoterOutput
from tests.harness.adversaries.generated_host import GENERATED
from tests.harness.adversaries.lying_nodes import LYING_HOSTS
from tests.harness.node_world.disk import Disk
from tests.harness.node_world.faults import Plan

Plant = Callable[[], AbstractContextManager[object]]

WITHIN = 40
"""The number of seeds, starting at the named one, of which at least one finds the mistake."""


@dataclass(frozen=True)
class PlantedMistake:
    """A mistake, and how to find it."""

    name: str
    plant: Plant
    found: str
    """A word of the failure message."""
    plan: Plan
    seed: int = 0


def _release_before_final() -> AbstractContextManager[object]:
    """Secrets are published before the entry that asks for them is final."""
    honest = own_steps.AutomaticSteps.begin

    def hasty(
        self: own_steps.AutomaticSteps,
        replay: Replay,
        seat: int,
        sure: int,
        *,
        able: Callable[[AutomaticStep], bool],
        complains: Callable[[], bool] = bool,
    ) -> list[AutomaticStep]:
        return honest(self, replay, seat, replay.seq, able=able, complains=complains)

    return patch.object(own_steps.AutomaticSteps, "begin", hasty)


def _no_input() -> AbstractContextManager[object]:
    """The secrets of a step do not depend on the list that it works on."""
    return patch.object(Deal, "step_input", lambda deal, kind, seat: bytes(32))


def _early_key() -> AbstractContextManager[object]:
    """A seat publishes its key for a card in its own hand."""

    def too_many(replay: Replay) -> tuple[AutomaticStep, ...]:
        found, current = automatic_steps(replay), replay.round
        if current is None or current.phase is not ProtocolPhase.PLAY or not found:
            return found
        return found + tuple(
            AutomaticStep(need.to, AutomaticStepKind.UNLOCK, current.number, need.number)
            for need in current.needs.values()
            if need.to is not None
        )

    return patch.object(own_steps, "automatic_steps", too_many)


def _no_fsync() -> AbstractContextManager[object]:
    """Entries are acknowledged before they are on the disk."""
    honest = Replica.receive

    def hasty(self: Replica, message: AtTable) -> Sequence[Output]:
        out = honest(self, message)
        syncs = [each.count for each in out if isinstance(each, SyncJournal)]
        return out + [EntriesOnDisk(count) for count in syncs]

    return patch.object(Replica, "receive", hasty)


def _any_log_counts() -> AbstractContextManager[object]:
    """An acknowledgement counts in a log that has other entries."""

    def counts(replay: Replay, said: Acknowledgement) -> bool:
        return said.term == replay.term and said.count <= replay.seq

    return patch("lanuno.table.acknowledgements._counts", counts)


def _majority_certifies() -> AbstractContextManager[object]:
    """Entries are final once a majority of the owners has acknowledged them."""

    def certified(self: Acknowledgements, replay: Replay) -> int:
        counts = sorted((self.count_of(replay, owner) for owner in replay.owners), reverse=True)
        return counts[replay.majority - 1] if counts else 0

    return patch.object(Acknowledgements, "certified", certified)


def _wrong_vote() -> AbstractContextManager[object]:
    """A voter votes for a candidate with an outdated log."""

    def anybody(
        self: Voter, seat: int, asked: RequestVote, now: float, standing: ElectionView
    ) -> bool:
        return standing.term < asked.term and asked.term > self.promised

    return patch.object(Voter, "_would_vote", anybody)


def _votes_twice() -> AbstractContextManager[object]:
    """An owner votes a second time in a term, for the next candidate that asks."""
    honest = Voter.vote_requested

    def asked(
        self: Voter, seat: int, message: RequestVote, now: float, standing: ElectionView
    ) -> list[VoterOutput]:
        if message.term == self.promised:
            self.promised, self.vote = message.term - 1, None
        return honest(self, seat, message, now, standing)

    return patch.object(Voter, "vote_requested", asked)


def _double_sign() -> AbstractContextManager[object]:
    """A restarted host continues in its old term even if it lost part of it."""

    def goes_on(self: Node) -> Sequence[Output]:
        out = self._route_seats(self.replica.begin())
        hosts = self.seat is not None and self.replay.host == self.seat and not self.over
        return out + (self._host_again() if hosts else self._locate_host())

    return patch.object(Node, "_begin_again", goes_on)


def _lower_term() -> AbstractContextManager[object]:
    """An owner that voted for another host keeps following this one as if it had not."""
    honest, acknowledge = Node._rejoin_message, Node._acknowledge

    def resume(self: Node) -> Rejoin:
        return structs.replace(honest(self), promised=0, vote=None)

    def says(self: Node, count: int) -> Sequence[Output]:
        role = self.role
        if isinstance(role, Pledged):
            self.role = Following(role.host)
        out = acknowledge(self, count)
        self.role = role
        return out

    patches = ExitStack()
    patches.enter_context(patch.object(Node, "_has_promised_above", lambda node, term: False))
    patches.enter_context(patch.object(Node, "_rejoin_message", resume))
    patches.enter_context(patch.object(Node, "_acknowledge", says))
    return patches


def _counter_reused() -> AbstractContextManager[object]:
    """A restarted program resumes its counter at the end of its log."""
    honest = Disk.recovered

    def careless(self: Disk, genesis: Genesis) -> RecoveredState:
        found = honest(self, genesis)
        seats = {
            seat: dataclasses.replace(kept, bodies={}, next_counter=0)
            for seat, kept in found.seats.items()
        }
        return replace(found, seats=seats)

    return patch.object(Disk, "recovered", careless)


def _stale_result() -> AbstractContextManager[object]:
    """A result computed for an abandoned deal is published for the next one."""

    def holds(self: own_steps.RunningJob, replay: Replay) -> bool:
        return any(replace(self.step, deal=each.deal) == each for each in automatic_steps(replay))

    return patch.object(own_steps.RunningJob, "holds", holds)


def _released_and_forgotten() -> AbstractContextManager[object]:
    """A restarted program forgets what it released."""
    honest = Disk.recovered

    def forgetful(self: Disk, genesis: Genesis) -> RecoveredState:
        return replace(honest(self, genesis), released=None)

    return patch.object(Disk, "recovered", forgetful)


def _early_escrow() -> AbstractContextManager[object]:
    """Seeds are put into escrow before the commitments are final."""
    return patch(
        "lanuno.log.replay.due_steps._RELEASES_NOTHING",
        (*due_steps._RELEASES_NOTHING, AutomaticStepKind.ESCROW),
    )


def _untried_share() -> AbstractContextManager[object]:
    """A share is released as soon as it is requested, without an attempt to reach its owner."""
    return patch.object(SeatSession, "_presence_of", lambda session, seat: b"")


def _key_in_a_draw() -> AbstractContextManager[object]:
    """A drawing seat adds the last key of a card in its hand, which no rule checks."""
    honest = SeatSession._submit

    def submit(
        self: SeatSession,
        payload: Payload,
        about: Sequence[AutomaticStep] = (),
        tries: int = 1,
        asked: int = 0,
    ) -> Sequence[Output]:
        current = self.replay.round
        if isinstance(payload, Act) and isinstance(payload.action, Draw) and current is not None:
            assert isinstance(current.engine, Round)
            assert self.seat is not None
            key = self._keys.own_key(current.engine.hands[self.seat][0])
            payload = structs.replace(payload, proof=key)
        return honest(self, payload, about, tries, asked)

    return patch.object(SeatSession, "_submit", submit)


CALM = Plan(honest=True)
HOSTED = Plan(honest=False, adversary=GENERATED, fault_count=0)
HOSTED_OF_THREE = dataclasses.replace(HOSTED, owners=3)
FALLING = Plan(
    honest=False,
    adversary=GENERATED,
    owners=3,
    fault_count=12,
    fault_seconds=20.0,
    faults=("kill",),
)
SHIFTED = Plan(
    honest=False,
    adversary=next(each for each in LYING_HOSTS if "shifted" in each.name),
    fault_count=0,
)
RIVALS = Plan(
    honest=True,
    owners=5,
    fault_count=8,
    fault_seconds=20.0,
    faults=("the host is cut off", "the candidate crashes"),
)
POWER = Plan(
    honest=True,
    owners=5,
    fault_count=14,
    fault_seconds=8.0,
    faults=("power", "targeted crash", "power"),
)
STRUCK = Plan(
    honest=True,
    owners=5,
    fault_count=14,
    fault_seconds=20.0,
    faults=("the host crashes", "targeted crash", "the host crashes"),
)
GOING = Plan(
    honest=True, owners=6, fault_count=3, fault_seconds=2.0, work_seconds=2.0, faults=("leave",)
)

PLANTED = (
    PlantedMistake(
        "release before final", _release_before_final, "are final by all that it heard", CALM
    ),
    PlantedMistake("a secret without its input", _no_input, "one secret on two lists", SHIFTED),
    PlantedMistake("early key", _early_key, "nobody asks for", CALM, 25),
    PlantedMistake("forgotten fsync", _no_fsync, "acknowledges", CALM),
    PlantedMistake("any log counts", _any_log_counts, "does not acknowledge", HOSTED),
    PlantedMistake("a majority certifies", _majority_certifies, "does not acknowledge", CALM),
    PlantedMistake("wrong vote", _wrong_vote, "votes for a log that is behind", RIVALS, 3),
    PlantedMistake("vote twice", _votes_twice, "votes twice", RIVALS, 2),
    PlantedMistake("double sign", _double_sign, "final entr", STRUCK, 9),
    PlantedMistake("lower-term acknowledgement", _lower_term, "acknowledges in term", RIVALS, 8),
    PlantedMistake("counter reused", _counter_reused, "two bodies", POWER, 9),
    PlantedMistake(
        "no input, found by any host", _no_input, "one secret on two lists", HOSTED_OF_THREE, 17
    ),
    PlantedMistake("before final, found by any host", _release_before_final, "final", HOSTED),
    PlantedMistake(
        "released and forgotten", _released_and_forgotten, "goes on without", FALLING, 25
    ),
    PlantedMistake("escrow before final", _early_escrow, "not recorded on its disk", HOSTED, 3),
    PlantedMistake("share without a try", _untried_share, "not looked for", HOSTED, 3),
    PlantedMistake("last key in a draw", _key_in_a_draw, "may not read", HOSTED),
    PlantedMistake("stale compute result", _stale_result, "blames", GOING, 75),
)
