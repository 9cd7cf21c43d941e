"""Which seats are missing at a table, and for how long the table waits for them. Sans I/O.

All times are in counted time (`counted_time.py`), so no owner uses up grace time while there is no
quorum. When the quorum is back, and after a pause of the host's own program, every missing player
has at least `RETURN_SECONDS` to return, however little grace time is left. The time that a player
gets in this way beyond the total of the rules is bounded. Otherwise one player who comes and goes
could give an absent one unlimited time.

Where two owners are left and the other one is merely silent, the host cannot know whose network
failed. Then it drops no seat by time alone: once the grace time is over, the person at the host may
end the wait (`claim`). Such silences are counted separately, so that they never reduce the grace
time for connections that ended visibly.
"""

from __future__ import annotations

from math import inf

from msgspec import Struct

from lanuno.log.format.bodies import DropReason
from lanuno.log.replay.replay import Replay
from lanuno.table.host.finality import Finality

RETURN_SECONDS = 15.0
"""Time for every missing player to return after an interruption that was no player's fault."""

MOST_BEYOND = 60.0
"""At most this many seconds in a match to wait for a player beyond the total of the rules."""

CLAIM_SECONDS = 600.0
"""Time after which a host without a person ends the wait automatically."""

MOST_SILENT = 3 * CLAIM_SECONDS
"""At most this many seconds in a match for such a host to wait for one player's silences."""


class _Loss(Struct):
    """A seat that the table waits for."""

    player: bytes
    """Identity of the seat's player when the wait began."""
    since: float
    reason: DropReason
    quiet: bool
    """Whether the connection ended without any sign that the network works."""
    claimed: bool = False


class AbsenceTimer:
    """The missing seats of one table, and when the wait for each of them is over."""

    def __init__(self, replay: Replay, finality: Finality, claim: float | None) -> None:
        """`claim`: seconds after which the host claims automatically; None if it never does."""
        self._replay = replay
        self._finality = finality
        self._claim = claim
        self._lost: dict[int, _Loss] = {}
        self._used: dict[bytes, float] = {}
        """Seconds of grace time used up, by identity."""
        self._silent: dict[bytes, float] = {}
        """The same for silences that may be the fault of the host's own network."""
        self._waited_seconds: dict[bytes, float] = {}
        """The full length of such silences, including the time after the grace time."""
        self._again = -inf
        """When all missing players last got new time to return."""

    # ---- inputs -----------------------------------------------------------------------------

    def lost(self, seat: int, at: float, reason: DropReason, *, quiet: bool = False) -> None:
        """A seat is missing from now on, or is still missing, for this reason."""
        if self._replay.absence.is_gone(seat):
            return
        self._forget_former(seat)
        loss = self._lost.setdefault(seat, _Loss(self._player(seat), at, reason, quiet))
        if loss.reason is reason is DropReason.LOST:
            # It has had no connection since, so an earlier sign of a working network still holds.
            loss.quiet = loss.quiet and quiet
        elif loss.reason is not DropReason.ATTACK:
            loss.reason, loss.quiet = reason, quiet

    def returned(self, seat: int, at: float) -> None:
        """A seat is back."""
        self._end_wait(seat, at)

    def forget_the_dropped(self, at: float) -> None:
        """Stop waiting for seats that were dropped, or whose bot has given them back.

        What a dropped seat was waited for is charged as well. Otherwise a player who returns again
        and again would be waited for each time in full.
        """
        for seat in tuple(self._lost):
            self._forget_former(seat)
            if seat in self._lost and self._replay.absence.is_gone(seat):
                self._end_wait(seat, at)

    def _end_wait(self, seat: int, at: float) -> None:
        """Stop waiting for a seat, and charge its absence to its grace time.

        Time after the end of the grace time is not charged. The table waited longer because the
        person at the host had not ended the wait, or because an earlier change of owners had to
        become final before a drop.
        """
        ends, loss = self._ends(seat), self._lost.pop(seat)
        taken, player = max(0.0, min(at, ends) - loss.since), loss.player
        if self._cause_unclear(loss):
            self._silent[player] = self._silent.get(player, 0.0) + taken
            self._waited_seconds[player] = self._waited_seconds.get(player, 0.0) + at - loss.since
        else:
            self._used[player] = self._used.get(player, 0.0) + taken

    def _forget_former(self, seat: int) -> None:
        """Forget the absence of a seat's former player: the present one is not missing."""
        loss = self._lost.get(seat)
        if loss is not None and loss.player != self._player(seat):
            del self._lost[seat]

    def restart(self, at: float) -> None:
        """An interruption that was no player's fault is over: give all new time to return."""
        self._again = at

    def claim(self, at: float) -> None:
        """End the wait for the claimable seats, as the person at the host decided."""
        for seat in self.claimable(at):
            self._lost[seat].claimed = True

    # ---- questions --------------------------------------------------------------------------

    @property
    def seats(self) -> dict[int, DropReason]:
        """The missing seats, with the reasons."""
        return {seat: loss.reason for seat, loss in self._lost.items()}

    def __contains__(self, seat: object) -> bool:
        return seat in self._lost

    def __bool__(self) -> bool:
        return bool(self._lost)

    @property
    def ends(self) -> float | None:
        """When the last grace time is over; None if no seat is missing."""
        return max(map(self._ends, self._lost), default=None)

    def gone(self, at: float) -> tuple[int, DropReason] | None:
        """Return a seat to drop because its wait is over, and the reason; None if there is none."""
        for seat, loss in self._lost.items():
            drops = self._drops(seat)
            if drops is not None and at >= drops:
                return seat, loss.reason
        return None

    def claimable(self, at: float) -> tuple[int, ...]:
        """Return the seats for which the person at the host may end the wait."""
        return tuple(
            sorted(
                seat
                for seat, loss in self._lost.items()
                if self._cause_unclear(loss) and not loss.claimed and at >= self._ends(seat)
            )
        )

    def moments(self, at: float) -> list[float]:
        """Return the times at which a seat becomes claimable or is dropped by time alone."""
        drops = [self._drops(seat) for seat in self._lost]
        ends = [self._ends(seat) for seat in self._lost]
        # Seats that are claimable already have been reported and need no later time.
        return [each for each in drops if each is not None] + [each for each in ends if each > at]

    # ---- computation ------------------------------------------------------------------------

    def _cause_unclear(self, loss: _Loss) -> bool:
        """Whether it cannot be known whose network failed."""
        return loss.quiet and loss.reason is DropReason.LOST and self._finality.among_two

    def _drops(self, seat: int) -> float | None:
        """Return when a seat is dropped; None if the person at the host has to decide."""
        loss, ends = self._lost[seat], self._ends(seat)
        if loss.claimed or not self._cause_unclear(loss):
            return ends
        if self._claim is None:
            return None
        waited = self._waited_seconds.get(loss.player, 0.0)
        return max(ends, loss.since + min(self._claim, max(0.0, MOST_SILENT - waited)))

    def _ends(self, seat: int) -> float:
        """Return when the grace time of a seat is over."""
        loss = self._lost[seat]
        if loss.reason is DropReason.ATTACK:
            return loss.since
        rules, player = self._replay.roster.ruleset, loss.player
        total, unclear = float(rules.grace_total_s), self._cause_unclear(loss)
        used = self._used.get(player, 0.0) + (self._silent.get(player, 0.0) if unclear else 0.0)
        ends = loss.since + max(0.0, min(float(rules.grace_first_s), total - used))
        if unclear or loss.since <= self._again + RETURN_SECONDS:
            least = max(loss.since, self._again) + RETURN_SECONDS
            ends = max(ends, min(least, loss.since + max(0.0, total + MOST_BEYOND - used)))
        return ends

    def _player(self, seat: int) -> bytes:
        """Return the identity to which grace time is charged. A stand-in has its own."""
        return self._replay.roster.seats[seat].identity
