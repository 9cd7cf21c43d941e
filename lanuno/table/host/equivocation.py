"""Proofs for the host role that a seat used one counter twice, or voted twice in one term.

This is evidence only: the log decides what follows from it. An honest seat that repeats a counter
or a term sends the same bytes again.
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
"""Number of bodies kept per identity: those with the highest counters."""


class EquivocationDetector:
    """The bodies that the seats of one table have signed, to detect contradictions."""

    def __init__(self, replay: Replay) -> None:
        """Start without bodies."""
        self.seen: dict[bytes, dict[int, SignedBody]] = {}
        """By identity, which has its own counters, then by counter."""
        self._replay = replay
        self._exposed: dict[int, int] = {}
        """By seat: the last round in which it was exposed. Once per round is enough."""

    def contradicts_body(self, body: Body, signed: SignedBody) -> Expose | None:
        """Return the proof if the author signed a different body with the same counter before.

        Raises `BodyRefused` if the seat has been exposed in this round already. Call `mark_exposed`
        once the proof is in the log.
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
        """Return the proof if this vote contradicts one that elected a host of this log."""
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
            roster = replay.absence.signed_roster
            if double_vote(roster, replay.table_id, known, signed) is not None:
                return ExposeVotes(known, signed)
        return None

    def mark_exposed(self, seat: int) -> None:
        """Note that the proof against a seat is in the log."""
        self._exposed[seat] = self._replay.number
