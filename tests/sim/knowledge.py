"""What a simulated table lets its adversaries learn, judged from all that leaves honest computers.

Everything counts, also what is said on an end of the log that is given up later. Each secret that
an honest seat derives is used on one list only, so that two answers never show what one of them
hides. Each secret that it releases is recorded on its disk before, together with the entry that
asks for it; and in the end that entry is in the log that this computer holds, or the computer has
stopped. What the log asks for, and when that is firm, `oracle.py` and `invariants.py` say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from lanuno.dealing.deal import Deal, StepKind, permutation, take_step
from lanuno.dealing.escrow import split
from lanuno.dealing.passes import LockStep, Step
from lanuno.dealing.secrets import RoundSecrets
from lanuno.table import outputs
from tests.sim.broken import Broken
from tests.sim.world import Computer, World

LONG = 20
"""A permutation of so many cards does not come up twice by chance."""


class Knowledge:
    """What the honest computers of one world have derived and released."""

    def __init__(self, world: World, liars: AbstractSet[int]) -> None:
        """`liars`: seats of which nothing is expected."""
        self._world = world
        self._liars = liars
        self._questions: dict[object, object] = {}
        """For each derived value: what it was used on."""
        self._released: list[tuple[Computer, outputs.KeepRelease]] = []

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Record what is derived while the world runs."""
        with ExitStack() as patches:
            patches.enter_context(patch("lanuno.table.keyring.take_step", self._take_step))
            patches.enter_context(patch("lanuno.table.keyring.split", self._split))
            yield

    def look(self, computer: Computer, output: outputs.Output) -> None:
        """Something leaves an honest machine."""
        if isinstance(output, outputs.KeepRelease):
            self._released.append((computer, output))

    def judge(self) -> None:
        """Raise `Broken` if somebody goes on in a log without an entry that it released for."""
        for computer, release in self._released:
            if computer.member is None or computer.up.first.stopped is not None:
                continue
            held = computer.up.replay.hashes[release.count - 1 : release.count]
            if held != [release.head]:
                where = f"without entry {release.count - 1}, on which seat {release.seat} released"
                raise Broken(f"{computer.number} goes on {where} a secret")

    # ---- one secret, one list -----------------------------------------------------------------

    def _take_step(self, deal: Deal, secrets: RoundSecrets) -> Step:
        step = take_step(deal, secrets)
        if secrets.context.seat in self._liars or deal.expected is None:
            return step
        kind, _ = deal.expected
        values: list[object] = list(step.slot_keys) if isinstance(step, LockStep) else [step.public]
        if kind is StepKind.MASK and deal.size >= LONG:
            values.append(permutation(deal, secrets))
        for value in values:
            self._used(secrets, value, (kind, deal.number, deal.order, deal.input))
        return step

    def _split(
        self, secrets: RoundSecrets, to_seats: Sequence[int], box_keys: Sequence[bytes]
    ) -> tuple[bytes, ...]:
        shares = split(secrets, to_seats, box_keys)
        for share in shares if secrets.context.seat not in self._liars else ():
            self._used(secrets, share, (tuple(to_seats), tuple(box_keys)))
        return shares

    def _used(self, secrets: RoundSecrets, value: object, question: object) -> None:
        context = secrets.context
        asked = (context.table, context.open, context.seat, question)
        if self._questions.setdefault(value, asked) != asked:
            raise Broken(f"seat {context.seat} uses one secret on two lists")
