"""The interface of this package: one round of a log, from its Open to its last attestation.

This module passes each payload of a seat to the module that handles it (`preparation.py`,
`shuffling.py`, `acting.py`, `hand_transfer.py`, `seed_recovery.py` or `closing.py`), and keeps the
entry hashes to which later steps are bound. The rules of the game are in `lanuno.rules`, the
algebra in `lanuno.dealing`. Every method either refuses before it changes anything or takes effect
completely.
"""

from __future__ import annotations

from typing import assert_never

from lanuno.log.faults import BodyRefused, RefusalReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import RoundPayload
from lanuno.log.round import acting, closing, hand_transfer, preparation, seed_recovery, shuffling
from lanuno.log.round.events import LogEvent
from lanuno.log.round.round_record import ProtocolPhase, RoundRecord


class RoundLog(RoundRecord):
    """The present round of a table, with the methods that change it."""

    def note_entry_hash(self, entry_hash: bytes) -> None:
        """Note the hash of the entry that was just applied, if later steps are bound to it."""
        if not self.open_hash:
            self.open_hash = entry_hash
        self.drop_hashes.update(dict.fromkeys(self.lost - self.drop_hashes.keys(), entry_hash))
        if self.phase is ProtocolPhase.ATTEST and not self.reveal_hash:
            self.reveal_hash = entry_hash

    def take(self, seat: int, payload: RoundPayload, entry: int, head: int) -> list[LogEvent]:
        """Apply a seat's payload. Changes nothing if it raises `BodyRefused`.

        `entry` is the number of the entry that will hold the payload, `head` the number of the last
        entry that its author held.
        """
        if seat not in self.seats or seat in self.lost:
            raise BodyRefused(RefusalReason.NOT_A_SEAT, "does not play in this round")
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
                return seed_recovery.share(self, seat, payload, entry)
            case bodies.HandOver():
                return hand_transfer.hand_over(self, seat, payload, entry)
            case _:
                assert_never(payload)

    def drop(self, seats: tuple[int, ...], entry: int, host: int | None) -> list[LogEvent]:
        """Continue without the seats of one owner, whether or not they play in this round.

        `host` is the host that claims that they are gone; None if the owner signed a Leave.
        """
        if host is not None:
            self.dropped_by.update(dict.fromkeys(seats, host))
        return seed_recovery.lose_seats(self, seats, entry)
