"""Mistakes that somebody could make in the machines: the simulation has to find each of them.

Each is planted in the real code from outside. Beside it stands what is said when it is found, what
kind of trouble brings it out, and a seed that finds it; should the worlds of all seeds change with
the code, one of the next `WITHIN` finds it as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from unittest.mock import patch

from msgspec import structs

from lanuno.dealing.deal import Deal
from lanuno.log import duties as duty_kinds
from lanuno.log.bodies import Act, Payload
from lanuno.log.duties import Duty, DutyKind, duties
from lanuno.log.genesis import Genesis
from lanuno.log.replay import Replay
from lanuno.log.round_record import Phase
from lanuno.rules.actions import Draw
from lanuno.rules.engine import Round
from lanuno.table import chores
from lanuno.table.computer import Computer
from lanuno.table.election import Election, Standing, Step
from lanuno.table.member import Member
from lanuno.table.messages import Ack, AskVote, FromHost, FromPeer, Resume
from lanuno.table.outputs import Output, Sync, ToHost, ToLink
from lanuno.table.recall import Recall
from lanuno.table.session import Session
from tests.harness.adversaries.generated_host import GENERATED
from tests.harness.adversaries.lying_nodes import HOSTS
from tests.harness.node_world.disk import Disk
from tests.harness.node_world.faults import Plan

Plant = Callable[[], AbstractContextManager[object]]

WITHIN = 40
"""Seeds, counted from the one that is named, of which at least one finds the mistake."""


@dataclass(frozen=True)
class Planted:
    """One mistake."""

    name: str
    plant: Plant
    found: str
    """A word of what is said when it is found."""
    plan: Plan
    seed: int = 0


def _release_before_firm() -> AbstractContextManager[object]:
    """Secrets are published without waiting until what asks for them is firm."""
    honest = chores.Chores.begin

    def hasty(
        self: chores.Chores,
        replay: Replay,
        seat: int,
        sure: int,
        *,
        ready: bool,
        complains: Callable[[], bool] = bool,
        shares: Callable[[int], bool] = bool,
    ) -> list[Duty]:
        return honest(
            self, replay, seat, replay.seq, ready=ready, complains=complains, shares=shares
        )

    return patch.object(chores.Chores, "begin", hasty)


def _no_input() -> AbstractContextManager[object]:
    """The secrets of a step do not depend on the list that it works on."""
    return patch.object(Deal, "step_input", lambda deal, kind, seat: bytes(32))


def _early_key() -> AbstractContextManager[object]:
    """A seat publishes the key that only its own hand is opened with."""

    def too_many(replay: Replay) -> tuple[Duty, ...]:
        found, current = duties(replay), replay.round
        if current is None or current.phase is not Phase.PLAY or not found:
            return found
        return found + tuple(
            Duty(need.to, DutyKind.UNLOCK, current.number, need.number)
            for need in current.needs.values()
            if need.to is not None
        )

    return patch.object(chores, "duties", too_many)


def _no_fsync() -> AbstractContextManager[object]:
    """Entries are acknowledged before they are on the disk."""
    honest = Session.receive

    def hasty(self: Session, message: FromHost) -> list[Output]:
        out = honest(self, message)
        syncs = [each.count for each in out if isinstance(each, Sync)]
        return out + [ToHost(Ack(count)) for count in syncs]

    return patch.object(Session, "receive", hasty)


def _wrong_vote() -> AbstractContextManager[object]:
    """A vote is given to a log that is behind."""

    def anybody(self: Election, seat: int, asked: AskVote, now: float, standing: Standing) -> bool:
        return standing.term < asked.term and asked.term > self.promised

    return patch.object(Election, "_would_vote", anybody)


def _votes_twice() -> AbstractContextManager[object]:
    """Whoever has voted in a term votes again, for the next one who asks."""
    honest = Election.asked

    def asked(
        self: Election, seat: int, message: AskVote, now: float, standing: Standing
    ) -> list[Step]:
        if message.term == self.promised:
            self.promised, self._vote = message.term - 1, None
        return honest(self, seat, message, now, standing)

    return patch.object(Election, "asked", asked)


def _double_sign() -> AbstractContextManager[object]:
    """A host that starts again goes on in its old term, whatever of it was lost."""

    def goes_on(self: Member) -> list[Output]:
        out: list[Output] = []
        for session in self.sessions:
            out += self._of(session, session.begin())
        hosts = self.seat is not None and self.replay.host == self.seat and not self.over
        return out + (self._go_on_as_host() if hosts else self._seek())

    return patch.object(Member, "_come_back", goes_on)


def _lower_term() -> AbstractContextManager[object]:
    """Whoever has voted for another host goes on with this one as if it had not."""
    honest, to_host = Member._resume, Member._to_host

    def resume(self: Member) -> Resume:
        return structs.replace(honest(self), promised=0, vote=None)

    def says(self: Member, session: Session, message: FromPeer) -> list[Output]:
        if isinstance(message, Ack) and session is self.first and self.home is not None:
            return [ToLink(self.home, message)]
        return to_host(self, session, message)

    patches = ExitStack()
    patches.enter_context(patch.object(Computer, "_promised_more", False))
    patches.enter_context(patch.object(Member, "_resume", resume))
    patches.enter_context(patch.object(Member, "_to_host", says))
    return patches


def _counter_reused() -> AbstractContextManager[object]:
    """A program that starts again begins to count where its log ends."""
    honest = Disk.recall

    def careless(self: Disk, genesis: Genesis) -> Recall:
        found = honest(self, genesis)
        seats = {
            seat: replace(kept, bodies={}, next_counter=0) for seat, kept in found.seats.items()
        }
        return replace(found, seats=seats)

    return patch.object(Disk, "recall", careless)


def _stale_result() -> AbstractContextManager[object]:
    """What was computed for a deal that was given up is published for the next one."""

    def holds(self: chores.Job, replay: Replay) -> bool:
        return any(replace(self.duty, deal=each.deal) == each for each in duties(replay))

    return patch.object(chores.Job, "holds", holds)


def _released_and_forgotten() -> AbstractContextManager[object]:
    """What was released is not remembered by a program that starts again."""
    honest = Disk.recall

    def forgetful(self: Disk, genesis: Genesis) -> Recall:
        return replace(honest(self, genesis), released=None)

    return patch.object(Disk, "recall", forgetful)


def _early_escrow() -> AbstractContextManager[object]:
    """Seeds are put into escrow before the commitments are firm."""
    return patch("lanuno.log.duties._RELEASES", duty_kinds._RELEASES - {DutyKind.ESCROW})


def _untried_share() -> AbstractContextManager[object]:
    """A share is given as soon as it is asked for, whether its owner could be reached or not."""
    return patch.object(Session, "_reached", lambda session, seat: b"")


def _key_in_a_draw() -> AbstractContextManager[object]:
    """A seat that draws adds the last key of a card in its hand, which no rule looks at."""
    honest = Session._submit

    def submit(
        self: Session,
        payload: Payload,
        about: Sequence[Duty] = (),
        tries: int = 1,
        asked: int = 0,
    ) -> list[Output]:
        current = self.replay.round
        if isinstance(payload, Act) and isinstance(payload.action, Draw) and current is not None:
            assert isinstance(current.engine, Round)
            assert self.seat is not None
            key = self._keys.own_key(current.engine.hands[self.seat][0])
            payload = structs.replace(payload, proof=key)
        return honest(self, payload, about, tries, asked)

    return patch.object(Session, "_submit", submit)


CALM = Plan(honest=True)
HOSTED = Plan(honest=False, kind=GENERATED, things=0)
FALLING = Plan(honest=False, kind=GENERATED, owners=3, things=12, span=20.0, kinds=("kill",))
SHIFTED = Plan(honest=False, kind=next(each for each in HOSTS if "shifted" in each.name), things=0)
RIVALS = Plan(
    honest=True,
    owners=5,
    things=8,
    span=20.0,
    kinds=("the host is cut off", "the candidate is struck"),
)
POWER = Plan(honest=True, owners=5, things=14, span=8.0, kinds=("power", "ambush", "power"))
STRUCK = Plan(
    honest=True,
    owners=5,
    things=14,
    span=20.0,
    kinds=("the host is struck", "ambush", "the host is struck"),
)
GOING = Plan(honest=True, owners=6, things=3, span=2.0, work=2.0, kinds=("leave",))

PLANTED = (
    Planted("release before firm", _release_before_firm, "are firm by all that it heard", CALM),
    Planted("a secret without its input", _no_input, "one secret on two lists", SHIFTED),
    Planted("early key", _early_key, "nobody asks for", CALM, 25),
    Planted("forgotten fsync", _no_fsync, "acknowledges", CALM),
    Planted("wrong vote", _wrong_vote, "votes for a log that is behind", RIVALS, 3),
    Planted("vote twice", _votes_twice, "votes twice", RIVALS, 2),
    Planted("double sign", _double_sign, "firm entr", STRUCK, 9),
    Planted("lower-term acknowledgement", _lower_term, "acknowledges in term", RIVALS, 8),
    Planted("counter reused", _counter_reused, "two bodies", POWER, 9),
    Planted("no input, found by any host", _no_input, "one secret on two lists", HOSTED, 109),
    Planted("before firm, found by any host", _release_before_firm, "firm", HOSTED),
    Planted("released and forgotten", _released_and_forgotten, "goes on without", FALLING, 25),
    Planted("escrow before firm", _early_escrow, "not recorded on its disk", HOSTED, 3),
    Planted("share without a try", _untried_share, "not looked for", HOSTED, 3),
    Planted("last key in a draw", _key_in_a_draw, "may not read", HOSTED),
    Planted("stale compute result", _stale_result, "blames", GOING, 7),
)
