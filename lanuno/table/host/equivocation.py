"""Proofs for the host role that a seat used one counter twice, or voted twice in one term.

Evidence only: the log decides what follows from it. An honest seat sends the same bytes again.
"""

from __future__ import annotations

from collections.abc import Sequence

from lanuno.log.faults import BodyRefused, RefusalReason, Unreadable
from lanuno.log.format.bodies import Body, Elect, Expose, ExposeVotes, SignedBody
from lanuno.log.format.entries import Entry
from lanuno.log.format.votes import SignedVote
from lanuno.log.replay.replay import Replay, proven_equivocation
from lanuno.log.replay.terms import double_vote

REMEMBERED_BODIES = 64
"""How many of a seat's last bodies are kept."""


class EquivocationDetector:
    """Remembers what the seats of one table have signed."""

    def __init__(self, replay: Replay) -> None:
        """Nothing was seen yet."""
        self.seen: dict[bytes, dict[int, SignedBody]] = {}
        """By identity, each with its own counters, then by counter."""
        self._replay = replay
        self._exposed: dict[int, int] = {}
        """By seat: the round in which it was last exposed; once is enough."""

    def contradicts_body(self, body: Body, signed: SignedBody) -> Expose | None:
        """The proof, if its author signed something else with the same counter before.

        Raises `BodyRefused` if that was proven in this round. Call `mark_exposed` once it is in the
        log.
        """
        public = self._replay.public_key(body.author)
        seen = self.seen.setdefault(public, {})
        before = seen.get(body.counter)
        if before is None:
            if signed.signed_by(public):
                seen[body.counter] = signed
                if len(seen) > REMEMBERED_BODIES:
                    del seen[min(seen)]
            return None
        if proven_equivocation(self._replay, before, signed) is None:
            return None
        if self._exposed.get(body.author) == self._replay.number:
            raise BodyRefused(RefusalReason.ALREADY_DONE, "exposed in this round")
        return Expose(before.body, before.signature, signed.body, signed.signature)

    def contradicts_vote(self, signed: SignedVote, entries: Sequence[Entry]) -> ExposeVotes | None:
        """The proof, if this vote contradicts one by which a host of this log was elected."""
        replay = self._replay
        try:
            term = signed.read().term
        except Unreadable:
            return None
        first = next((each.first for each in replay.terms[1:] if each.number == term), None)
        if first is None:
            return None
        elect = entries[first].read().signed_body.read().payload
        assert isinstance(elect, Elect)
        for known in elect.votes:
            if (
                double_vote(replay.absence.signed_roster, replay.table_id, known, signed)
                is not None
            ):
                return ExposeVotes(known, signed)
        return None

    def mark_exposed(self, seat: int) -> None:
        """The proof is in the log."""
        self._exposed[seat] = self._replay.number
