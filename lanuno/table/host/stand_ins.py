"""Stand-ins: bots of this node that play empty seats whose partners cannot do without. Sans I/O.

This module decides which seat to fill, makes the key and the consent of its bot, and begins the
bot's session once the log has seated it. Other modules decide when the host role asks (`role.py`),
what a filled seat means in the log (`lanuno.log.replay.absence`), and how a bot plays
(`lanuno.bots`).

A node has one bot with one permanent key for each seat, because its signed bodies and their
counters are kept by seat. The key is on disk before any peer sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from lanuno.dealing.identity import Identity
from lanuno.dealing.sealing import Seal
from lanuno.log.format.bodies import FillIn, fill_in_digest
from lanuno.log.replay.replay import Replay
from lanuno.rules.match.formats import FORMATS
from lanuno.table.lobby.peer import Entropy
from lanuno.table.outputs import HostOutput, StoreStandIn
from lanuno.table.recovery import RecoveredSeat, RecoveredState
from lanuno.table.replica.replica import Replica
from lanuno.table.replica.seat import SeatSession

SEED_BYTES = 32

NewKey = Callable[[], tuple[bytes, Identity]]
"""The type of a maker of keys: it returns the private seed, to be stored, and the identity."""


def key_from(entropy: Entropy) -> tuple[bytes, Identity]:
    """Make the key of a bot. Return its private seed, to be stored, and the identity."""
    seed = entropy(SEED_BYTES)
    return seed, Identity.from_seed(seed)


class StandIns:
    """The bots with which one node fills empty seats."""

    def __init__(
        self,
        entropy: Entropy,
        recovered: RecoveredState | None = None,
        sealer: Seal | None = None,
        new_key: NewKey | None = None,
    ) -> None:
        """Start without bots, or with those whose keys are in the recovered state.

        `sealer`: see `SeatSession`. `new_key` makes the key of a bot; None: from the entropy.
        """
        self._entropy = entropy
        self._new_key = new_key or partial(key_from, entropy)
        self._sealer = sealer
        self._bots: dict[int, Identity] = {} if recovered is None else dict(recovered.stand_ins)
        self._recovered: Mapping[int, RecoveredSeat] = {} if recovered is None else recovered.seats
        self._sessions: dict[int, SeatSession] = {}

    def __repr__(self) -> str:
        return f"StandIns({sorted(self._bots)}, <secret>)"

    def fill(self, replay: Replay) -> tuple[list[HostOutput], FillIn] | None:
        """As host: return a bot for the first empty seat, and what to store before announcing it.

        Returns None if no seat needs a bot.
        """
        seat = empty_seat(replay)
        if seat is None:
            return None
        keep: list[HostOutput] = []
        bot = self._bots.get(seat)
        if bot is None:
            seed, bot = self._new_key()
            self._bots[seat] = bot
            keep.append(StoreStandIn(seat, seed))
        owner = replay.absence.signed_roster.seats[replay.host].identity
        digest = fill_in_digest(replay.table_id, seat, bot.public, owner)
        return keep, FillIn(seat, bot.public, bot.sign(digest))

    def recovered_sessions(self, replica: Replica) -> list[SeatSession]:
        """Begin the sessions of recovered bots, before the replica reads its journal."""
        return [self._begin_session(seat, replica) for seat in sorted(self._bots)]

    def newly_seated(self, replica: Replica) -> list[SeatSession]:
        """Begin the sessions of bots that the log has seated since the last call."""
        return [
            self._begin_session(seat, replica)
            for seat, bot in sorted(self._bots.items())
            if seat not in self._sessions
            and replica.replay.roster.seats[seat].identity == bot.public
        ]

    def _begin_session(self, seat: int, replica: Replica) -> SeatSession:
        bot = self._bots[seat]
        session = SeatSession(
            replica, bot, self._entropy, self._recovered, stand_in=True, sealer=self._sealer
        )
        self._sessions[seat] = session
        return session


def empty_seat(replay: Replay) -> int | None:
    """Return the first seat that a bot must play before a round can open; None if there is none.

    It is never a seat of the host's own node: its players return automatically, and two identities
    of one node must not sign for one seat.
    """
    match, absence = replay.match, replay.absence
    if not FORMATS[match.ruleset.format].teams or match.over or not replay.between_rounds:
        return None
    for seat in match.playing:
        if absence.may_not_sign(seat) and seat not in absence.original_seats(replay.host):
            return seat
    return None
