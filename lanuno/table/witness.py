"""What the office remembers of the seats' last bodies, to prove that one counter was used twice.

Evidence only: what becomes of it is the log's business. An honest seat sends the same bytes again.
"""

from __future__ import annotations

from lanuno.log.bodies import Body, Expose, SignedBody
from lanuno.log.faults import BodyRefused, Refusal
from lanuno.log.replay import Replay, proven_equivocation

REMEMBERED_BODIES = 64
"""How many of a seat's last bodies are kept."""


class Witness:
    """Remembers what the seats of one table have signed."""

    def __init__(self, replay: Replay) -> None:
        """Nothing was seen yet."""
        self.seen: dict[int, dict[int, SignedBody]] = {}
        """By seat, then by counter."""
        self._replay = replay
        self._exposed: dict[int, int] = {}
        """By seat: the round in which it was last exposed; once is enough."""

    def twice(self, body: Body, signed: SignedBody) -> Expose | None:
        """The proof, if its author signed something else with the same counter before.

        Raises `BodyRefused` if that was proven in this round. Call `exposed` once it is in the log.
        """
        seen = self.seen.setdefault(body.author, {})
        before = seen.get(body.counter)
        if before is None:
            if signed.signed_by(self._replay.public_key(body.author)):
                seen[body.counter] = signed
                if len(seen) > REMEMBERED_BODIES:
                    del seen[min(seen)]
            return None
        if proven_equivocation(self._replay, before, signed) is None:
            return None
        if self._exposed.get(body.author) == self._replay.number:
            raise BodyRefused(Refusal.ALREADY_DONE, "exposed in this round")
        return Expose(before.body, before.signature, signed.body, signed.signature)

    def exposed(self, seat: int) -> None:
        """The proof is in the log."""
        self._exposed[seat] = self._replay.number
