"""What happens to a table if owners leave now, or do not come back. Pure.

`leave_effect` lets the log apply the Leave to a copy, so that the rules which answer here are those
that will decide.
"""

from __future__ import annotations

from enum import Enum, auto

from msgspec import Struct

from lanuno.log.replay.replay import Replay
from lanuno.log.round import events
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine.results import RoundKind
from lanuno.table.host.stand_ins import empty_seat


class RoundFate(Enum):
    """What becomes of the present round if an owner leaves."""

    NONE = auto()
    """No round of play is under way."""
    CONTINUES = auto()
    VOID = auto()
    COUNTS = auto()
    """It is over already, and its result stays."""


class LeaveEffect(Struct, frozen=True, kw_only=True):
    """What happens if one or more owners leave now."""

    round: RoundFate = RoundFate.NONE
    continues: bool = False
    """Whether the match continues without them."""
    winners: tuple[int, ...] = ()
    """The seats that win the match because they leave."""
    remaining: tuple[int, ...] = ()
    """The other owners who are present."""
    bot: bool = False
    """Whether a bot of the host plays a seat from the next round on."""
    expelled: bool = False
    """Whether one of them is out of the match for good."""
    hands_over: bool = False
    """Whether another owner becomes the host."""


def leave_effect(replay: Replay, *owners: int) -> LeaveEffect | None:
    """Return what happens if owners leave now; None if one does not count at this table.

    The same happens if they are dropped because they do not come back.
    """
    if not {*owners} <= {*replay.owners} or replay.closed is not None:
        return None
    remaining = tuple([seat for seat in replay.owners if seat not in owners])
    if not remaining:
        return LeaveEffect()
    after = replay.copy()
    expelled = [
        each.seat for each in after.suppose_left(*owners) if isinstance(each, events.SeatExpelled)
    ]
    winners = () if replay.match.over else after.match.winners
    bot = empty_seat(after) is not None
    fate = _fate(replay, after)
    # While a round is under way, either it continues or only its audit decides what follows.
    plays_on = bot or not after.between_rounds or after.next_plan() is not None
    return LeaveEffect(
        round=fate,
        continues=plays_on and not winners,
        winners=winners,
        remaining=remaining,
        bot=bot,
        expelled=not {*owners}.isdisjoint(expelled),
        hands_over=replay.host in owners and len(remaining) > 1,
    )


def _fate(before: Replay, after: Replay) -> RoundFate:
    now, then = before.round, after.round
    if now is None or then is None or now.void is not None or before.between_rounds:
        return RoundFate.NONE
    if now.kind is RoundKind.DEALER:
        return RoundFate.NONE
    if then.void is not None:
        return RoundFate.VOID
    over = now.phase > ProtocolPhase.PLAY or then.engine.over
    return RoundFate.COUNTS if over else RoundFate.CONTINUES
