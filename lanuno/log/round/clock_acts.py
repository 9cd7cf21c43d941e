"""What the clock decided against the cards: acts that no distraction of a player explains away.

Only the host says that the time for an act was up, and it may have withheld the player's own act.
Once all hands are known, the log shows which of these acts took something from their player that
the cards gave: a challenge, or the last card. An act that ended the round is listed as well.
"""

from __future__ import annotations

from collections.abc import Mapping

from lanuno.log.round.round_audit import feed_engine
from lanuno.log.round.round_record import (
    Acted,
    ClockAct,
    ClockEffect,
    RoundRecord,
    ShuffleDone,
    SlotOpened,
)
from lanuno.rules.cards import CardId, Slot
from lanuno.rules.engine.actions import Accept, Draw, Play, RefuseShow
from lanuno.rules.engine.legality import guilty
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import NOBODY


def clock_acts(record: RoundRecord, cards: Mapping[Slot, CardId]) -> tuple[ClockAct, ...]:
    """Return the acts of the clock that decided something. `cards` are all cards of the round."""
    if not record.clock_turns:
        return ()
    found = []
    engine = record.new_engine()
    assert isinstance(engine, Round), "the clock plays in rounds of play only"
    engine.start()
    # The table only serves what the last of these asks for, such as a shuffle for a last draw.
    last = [each for each in record.inputs if not isinstance(each, SlotOpened | ShuffleDone)][-1]
    for taken in record.inputs:
        if isinstance(taken, Acted) and taken.by_clock:
            effect = _taken_from_player(engine, taken, cards)
            if effect is None and taken is last:
                effect = ClockEffect.END
            if effect is not None:
                found.append(ClockAct(taken.seat, record.number, taken.entry, effect))
        feed_engine(engine, taken)
    return tuple(found)


def _taken_from_player(
    engine: Round, acted: Acted, cards: Mapping[Slot, CardId]
) -> ClockEffect | None:
    """Return what the player could have had instead of this act, or None."""
    action = acted.action
    if isinstance(action, RefuseShow):
        return ClockEffect.CHALLENGE if guilty(engine, cards) is False else None
    if isinstance(action, Accept) and engine.accused != NOBODY and guilty(engine, cards):
        return ClockEffect.CHALLENGE
    if isinstance(action, Accept | Draw) and len(engine.hands[acted.seat]) == 1:
        legal = engine.legal(acted.seat, cards)
        return ClockEffect.LAST_CARD if any(isinstance(each, Play) for each in legal) else None
    return None
