"""Checks what the adversaries of a simulated table can learn from the outputs of honest nodes.

Every output counts, also one for an end of the log that is given up later.

- Each secret that an honest seat derives is used on one list only, so that two answers never reveal
  what one of them hides.
- Before an honest node releases a secret, its disk holds the secret together with the entry that
  asks for it, which all owners have acknowledged. In the end that entry is in the node's log, or
  the node has stopped.
- An adversary that has received every message and holds the secrets of the dishonest seats
  (`closure.py`) cannot read the cards of an honest seat, except those that the log has opened to
  everybody or to a dishonest seat (`open_cards.py`).

`oracle.py` and `invariants.py` define what the log asks for, and when that is final.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from lanuno.dealing.deal import Deal, StepKind, permutation, take_step
from lanuno.dealing.escrow import split
from lanuno.dealing.identity import Identity
from lanuno.dealing.passes import PassStep
from lanuno.dealing.secrets import RoundSecrets
from lanuno.log.format.bodies import SignedBody
from lanuno.log.format.entries import Entry
from lanuno.log.replay.replay import Replay
from lanuno.table import outputs
from tests.harness.node_world.closure import Secrets
from tests.harness.node_world.errors import InvariantViolation
from tests.harness.node_world.open_cards import OpenCards, RoundCards
from tests.harness.node_world.oracle import Oracle
from tests.harness.node_world.world import SimulatedNode, World

LONG_LIST = 20
"""Two permutations of this length do not coincide by chance."""


class Knowledge:
    """The secrets that the honest nodes of one world have derived and released."""

    def __init__(self, world: World, oracle: Oracle) -> None:
        self._world = world
        self._oracle = oracle
        self.secrets = Secrets(
            {each.public for node in world.honest for each in node.config.identities}
        )
        self._questions: dict[object, object] = {}
        """For each derived value: the list on which it was used."""
        self._released: list[tuple[SimulatedNode, outputs.StoreRelease]] = []

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Record what is derived while the world runs."""
        with ExitStack() as patches:
            patches.enter_context(
                patch("lanuno.table.replica.seat_keys.take_step", self._take_step)
            )
            patches.enter_context(patch("lanuno.table.replica.seat_keys.split", self._split))
            patches.enter_context(self.secrets.listening())
            yield

    def look(self, node: SimulatedNode, output: outputs.Output) -> None:
        """Record an output of an honest node."""
        if isinstance(output, outputs.StoreStandIn):
            self.secrets.honest.add(Identity.from_seed(output.seed).public)
        elif isinstance(output, outputs.StoreRelease):
            self._released.append((node, output))
            final = min(node.running.replica.final_count, node.disk.durable)
            if output.count > final:
                why = f"for {output.count} entries, of which {final} are final by all that it heard"
                raise InvariantViolation(f"seat {output.seat} releases a secret {why}")

    def hear(self, signed: SignedBody) -> None:
        """Record a body that leaves an honest node."""
        self.secrets.hear(signed)

    def judge(self) -> None:
        """Raise an error if a released secret is still in use, or if a closed card can be read.

        A secret is still in use if the node's log lacks the entry for which it was released.
        """
        for node, release in self._released:
            if node.program is None or node.running.replica.stopped is not None:
                continue
            held = node.running.replay.hashes[release.count - 1 : release.count]
            if held != [release.head]:
                where = f"without entry {release.count - 1}, on which seat {release.seat} released"
                raise InvariantViolation(f"{node.number} goes on {where} a secret")
        self._read_cards()

    # ---- closed cards -------------------------------------------------------------------------

    def _read_cards(self) -> None:
        """Check each log of an honest node that is not the beginning of another."""
        live = [
            each
            for each in self._world.honest
            if each.program is not None
            and each.running.replica.stopped is None
            and each.running.replica.entries
        ]
        judged: set[bytes] = set()
        for node in sorted(live, key=lambda each: -each.running.replay.seq):
            entries = node.running.replica.entries
            if entries[-1].hash not in judged:
                judged.update(each.hash for each in entries)
                self._read_log(entries, [each for each in live if on_one_log(node, each)])

    def _read_log(self, entries: Sequence[Entry], live: Sequence[SimulatedNode]) -> None:
        """`live`: honest nodes that follow this log."""
        replay, cards = self._oracle.cards(entries)
        here = {each.public for node in live for each in node.config.identities}
        here |= {
            Identity.from_seed(seed).public
            for node in live
            for seed in node.disk.stand_ins.values()
        }
        ours = {
            opened: [seat for seat, key in found.identities.items() if key in here]
            for opened, found in cards.rounds.items()
        }
        known = self.secrets.known(
            [each for each in self.secrets.said if not _in_time(replay, cards, each.head, each.of)]
        )
        for opened, found in cards.rounds.items():
            if not _protected(found, ours[opened]):
                continue
            liars = [
                seat for seat, key in found.identities.items() if key not in self.secrets.honest
            ]
            allowed = found.opened_to(liars)
            for slot, point in found.points():
                holders = [seat for seat, hand in found.hands.items() if slot in hand]
                place = slot - next(deal.first_slot for deal in found.deals if slot in deal.slots)
                if slot in allowed or not known.reads(point) or known.was_moved(point, place):
                    continue
                if not holders or set(holders) & set(ours[opened]):
                    whose = f"of {holders}" if holders else "of the pile"
                    where = f"slot {slot} {whose} in round {found.record.number}"
                    raise InvariantViolation(f"{where} opens to those who may not read it")

    # ---- one secret, one list -----------------------------------------------------------------

    def _take_step(self, deal: Deal, secrets: RoundSecrets) -> PassStep:
        step = take_step(deal, secrets)
        self.secrets.step(deal, secrets, step)
        if not self.secrets.is_honest(secrets) or deal.expected is None:
            return step
        kind, _ = deal.expected
        values: list[object] = [*step.keys]
        if kind is StepKind.MASK and deal.size >= LONG_LIST:
            values.append(permutation(deal, secrets))
        for value in values:
            self._used(secrets, value, (kind, deal.number, deal.order, deal.input))
        return step

    def _split(
        self, secrets: RoundSecrets, to_seats: Sequence[int], box_keys: Sequence[bytes]
    ) -> tuple[bytes, ...]:
        shares = split(secrets, to_seats, box_keys)
        self.secrets.split(secrets, shares)
        for share in shares if self.secrets.is_honest(secrets) else ():
            self._used(secrets, share, (tuple(to_seats), tuple(box_keys)))
        return shares

    def _used(self, secrets: RoundSecrets, value: object, question: object) -> None:
        context = secrets.context
        asked = (context.table, context.open_hash, context.seat, question)
        if self._questions.setdefault(value, asked) != asked:
            raise InvariantViolation(f"seat {context.seat} uses one secret on two lists")


def on_one_log(node: SimulatedNode, other: SimulatedNode) -> bool:
    """Whether one log is a part of the other."""
    pairs = zip(node.running.replay.hashes, other.running.replay.hashes, strict=False)
    return all(one == two for one, two in pairs)


def _in_time(replay: Replay, cards: OpenCards, head: bytes, opened: bytes) -> bool:
    """Whether this log had made everything of a round public before a message was sent."""
    found = cards.rounds.get(opened)
    if found is None or found.ended is None:
        return False
    return head in replay.hashes[found.ended - 1 :]


def _protected(found: RoundCards, ours: Sequence[int]) -> bool:
    """Whether enough honest owners take part in a round.

    If seeds are in escrow, all others together hold the shares of any seat's seed. An honest owner
    who has left still protects them, because what was sealed to that owner stays closed.
    """
    owners = {found.record.owner_of(seat) for seat in ours}
    return len(owners) >= (2 if found.record.escrowed else 1)
