"""One round as the log tells it, from its Open to its last attestation: the door to its rooms.

Here: which room a payload belongs to, and the entry hashes that later steps are bound to. What each
payload may do lives in `preparation.py`, `shuffling.py`, `acting.py`, `handing.py`, `recovery.py`
and `closing.py`. The rules of the game are the engine's (`lanuno.rules`), the algebra is
`lanuno.dealing`'s. Every method either refuses before it changes anything or takes effect
completely.
"""

from __future__ import annotations

from typing import assert_never

from lanuno.log import acting, bodies, closing, handing, preparation, recovery, shuffling
from lanuno.log.bodies import RoundPayload
from lanuno.log.events import Event
from lanuno.log.faults import BodyRefused, Fault, Refusal
from lanuno.log.round_record import Phase, RoundRecord


class RoundLog(RoundRecord):
    """The present round of a table, and what moves it."""

    def entry_is(self, entry_hash: bytes) -> None:
        """Learn the hash of the entry that was just taken: later steps are bound to some."""
        if not self.open_hash:
            self.open_hash = entry_hash
        self.drop_hashes.update(dict.fromkeys(self.lost - self.drop_hashes.keys(), entry_hash))
        if self.phase is Phase.ATTEST and not self.last_head:
            self.last_head = entry_hash

    def take(self, seat: int, payload: RoundPayload, entry: int, head: int) -> list[Event]:
        """Let a seat's payload take effect; raises `BodyRefused` and then has changed nothing.

        `entry`: the number of the entry that will hold it; `head`: that of the last entry that its
        author held.
        """
        if seat not in self.seats or seat in self.lost:
            raise BodyRefused(Refusal.NOT_A_SEAT, "does not play in this round")
        match payload:
            case bodies.Commit():
                return preparation.commit(self, seat, payload, entry)
            case bodies.Escrow():
                return preparation.escrow(self, seat, payload, entry)
            case bodies.Complain():
                return preparation.complain(self, seat, payload, entry)
            case bodies.Pass():
                return shuffling.take_pass(self, seat, payload, entry)
            case bodies.Unlock():
                return shuffling.unlock(self, seat, payload, entry)
            case bodies.Act():
                return acting.act(self, seat, payload, entry, head)
            case bodies.Halt():
                return closing.halt(self, seat, payload, entry)
            case bodies.Reveal():
                return closing.reveal(self, seat, payload, entry)
            case bodies.Attest():
                return closing.attest(self, seat, payload, entry, head)
            case bodies.Share():
                return recovery.share(self, seat, payload, entry)
            case bodies.HandOver():
                return handing.hand_over(self, seat, payload, entry)
            case _:
                assert_never(payload)

    def time_out(self, payload: bodies.TimeOut, entry: int) -> list[Event]:
        """The clock decides for whoever has to decide; raises `BodyRefused`."""
        return acting.time_out(self, payload, entry)

    def settle(self, payload: bodies.Settle, entry: int) -> list[Event]:
        """The time for objections or a vote is up; raises `BodyRefused`."""
        return handing.settle(self, payload, entry)

    def drop(self, seats: tuple[int, ...], entry: int, host: int | None) -> list[Event]:
        """Go on without the seats of one owner, whether they play in this round or not.

        `host`: whose word it is that they are gone; None if the owner has signed that it leaves.
        """
        if host is not None:
            self.dropped_by.update(dict.fromkeys(seats, host))
        return recovery.lose(self, seats, entry)

    def convict(self, fault: Fault, seat: int, entry: int, detail: str) -> list[Event]:
        """Note a fault that was proven outside the round's own steps; the round is void."""
        return closing.convict(self, fault, seat, entry, detail)
