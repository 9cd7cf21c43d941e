"""Who is missing at a table, and for how long the table waits for them. Sans I/O.

All moments are of the time that counts (`counted_time.py`), so nobody uses up grace time while too
few owners are in contact. Once that is over, and after the host's own program was paused, every
missing player has at least `AGAIN_SECONDS` to come back, however little grace time is left. What a
player gets that way beyond the rules' total is bounded: otherwise one player who comes and goes
could give another one who is away time without end.

Where two owners are left, the host cannot know whose network failed when the other one just falls
silent. Then no time drops anybody: once the grace time is over, the person at the host may end the
wait (`claim`). Such a silence is counted apart, so that it never takes from the grace time of a
connection that ended visibly.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from lanuno.log.bodies import DropReason
from lanuno.log.replay import Replay
from lanuno.table.firmness import Firmness

AGAIN_SECONDS = 15.0
"""Time in which everybody can come back after something that was nobody's fault."""

MOST_BEYOND = 60.0
"""Seconds in a match for which a player is waited for beyond the rules' total."""

CLAIM_SECONDS = 600.0
"""After these a host at which no person sits ends the wait by itself."""

MOST_SILENT = 3 * CLAIM_SECONDS
"""Seconds in a match for which such a host waits for one player who keeps falling silent."""


@dataclass(slots=True)
class _Loss:
    """A seat that the table waits for."""

    player: bytes
    """Who played it then."""
    since: float
    reason: DropReason
    quiet: bool
    """Whether nothing showed that the network works when the connection ended."""
    claimed: bool = False


class Grace:
    """Everybody who is missing at one table."""

    def __init__(self, replay: Replay, firm: Firmness, claim: float | None) -> None:
        """Nobody is. `claim`: seconds after which the host claims by itself; None: never."""
        self._replay = replay
        self._firm = firm
        self._claim = claim
        self._lost: dict[int, _Loss] = {}
        self._used: dict[bytes, float] = {}
        """Seconds of grace time that are gone, by identity."""
        self._silent: dict[bytes, float] = {}
        """The same for silences that may have been the host's own network."""
        self._waited: dict[bytes, float] = {}
        """How long such silences were, also behind their grace time."""
        self._again = -inf
        """When everybody who was missing got time to come back."""

    # ---- telling it -------------------------------------------------------------------------

    def lost(self, seat: int, at: float, reason: DropReason, *, quiet: bool = False) -> None:
        """A seat is missing from now on, or is still, for another reason."""
        if self._replay.absence.silenced(seat):
            return
        self._forget_former(seat)
        loss = self._lost.setdefault(seat, _Loss(self._player(seat), at, reason, quiet))
        if loss.reason is reason is DropReason.LOST:
            # It has had no connection since: what the end of that showed stays true.
            loss.quiet = loss.quiet and quiet
        elif loss.reason is not DropReason.ATTACK:
            loss.reason, loss.quiet = reason, quiet

    def back(self, seat: int, at: float) -> None:
        """A seat is back: what it has taken of its grace time is gone.

        Not so the time for which the table waited on although it had to no longer: the person at
        the host has not ended the wait, or the last drop was not firm and none could follow.
        """
        ends, loss = self._ends(seat), self._lost.pop(seat)
        taken, player = max(0.0, min(at, ends) - loss.since), loss.player
        if self._unclear(loss):
            self._silent[player] = self._silent.get(player, 0.0) + taken
            self._waited[player] = self._waited.get(player, 0.0) + at - loss.since
        else:
            self._used[player] = self._used.get(player, 0.0) + taken

    def forget_the_dropped(self) -> None:
        """Nobody waits for a seat that was dropped, or whose player has given it back."""
        for seat in tuple(self._lost):
            self._forget_former(seat)
            if self._replay.absence.silenced(seat):
                self._lost.pop(seat, None)

    def _forget_former(self, seat: int) -> None:
        """The absence of a bot that filled in does not make the seat's present player missing."""
        loss = self._lost.get(seat)
        if loss is not None and loss.player != self._player(seat):
            del self._lost[seat]

    def give_again(self, at: float) -> None:
        """Something that was nobody's fault is over: let everybody come back."""
        self._again = at

    def claim(self, at: float) -> None:
        """The person at the host ends the wait for those for whom that is possible."""
        for seat in self.claimable(at):
            self._lost[seat].claimed = True

    # ---- asking it --------------------------------------------------------------------------

    @property
    def seats(self) -> dict[int, DropReason]:
        """The seats that are missing, and why."""
        return {seat: loss.reason for seat, loss in self._lost.items()}

    def __contains__(self, seat: object) -> bool:
        return seat in self._lost

    def __bool__(self) -> bool:
        return bool(self._lost)

    @property
    def ends(self) -> float | None:
        """When the last grace time is over."""
        return max(map(self._ends, self._lost), default=None)

    def gone(self, at: float) -> tuple[int, DropReason] | None:
        """A seat that is waited for no longer."""
        for seat, loss in self._lost.items():
            drops = self._drops(seat)
            if drops is not None and at >= drops:
                return seat, loss.reason
        return None

    def claimable(self, at: float) -> tuple[int, ...]:
        """Seats for which the person at the host may end the wait."""
        return tuple(
            sorted(
                seat
                for seat, loss in self._lost.items()
                if self._unclear(loss) and not loss.claimed and at >= self._ends(seat)
            )
        )

    def moments(self, at: float) -> list[float]:
        """When something follows by time alone."""
        drops = [self._drops(seat) for seat in self._lost]
        ends = [self._ends(seat) for seat in self._lost]
        # What may be claimed by now was told; it follows from no later moment.
        return [each for each in drops if each is not None] + [each for each in ends if each > at]

    # ---- inside -----------------------------------------------------------------------------

    def _unclear(self, loss: _Loss) -> bool:
        """Whether nobody can know whose network failed."""
        return loss.quiet and loss.reason is DropReason.LOST and self._firm.among_two

    def _drops(self, seat: int) -> float | None:
        """When a seat is dropped; None if somebody has to say so."""
        loss, ends = self._lost[seat], self._ends(seat)
        if loss.claimed or not self._unclear(loss):
            return ends
        if self._claim is None:
            return None
        waited = self._waited.get(loss.player, 0.0)
        return max(ends, loss.since + min(self._claim, max(0.0, MOST_SILENT - waited)))

    def _ends(self, seat: int) -> float:
        """When the grace time of a seat is over."""
        loss = self._lost[seat]
        if loss.reason is DropReason.ATTACK:
            return loss.since
        rules, player = self._replay.roster.ruleset, loss.player
        total, unclear = float(rules.grace_total_s), self._unclear(loss)
        used = self._used.get(player, 0.0) + (self._silent.get(player, 0.0) if unclear else 0.0)
        ends = loss.since + max(0.0, min(float(rules.grace_first_s), total - used))
        if unclear or loss.since <= self._again + AGAIN_SECONDS:
            least = max(loss.since, self._again) + AGAIN_SECONDS
            ends = max(ends, min(least, loss.since + max(0.0, total + MOST_BEYOND - used)))
        return ends

    def _player(self, seat: int) -> bytes:
        """Whose grace time it is: a bot that fills in has its own."""
        return self._replay.roster.seats[seat].identity
