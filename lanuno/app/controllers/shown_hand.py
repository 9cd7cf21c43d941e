"""The moment of a challenge in the window: the hand, and then what was found in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from lanuno.app.move_texts import Names, qml_card
from lanuno.app.texts import filled, translate
from lanuno.client.snapshot import TableSnapshot
from lanuno.rules.engine import events


class ShownHandPanel(Struct, frozen=True):
    """A challenged hand and the verdict. It closes early if the cards are hidden again."""

    number: int
    """The number of the round: in the next one the same slots hold other cards."""
    seat: int
    """The accused."""
    slots: tuple[int, ...]
    """The cards that this player was shown; empty for everybody else."""
    to_all: bool
    """Whether everybody sees the hand; otherwise only this player does."""
    ends: float
    """When it closes, by `time.monotonic`."""
    challenger: int = -1
    verdict: str = ""
    """What was found, and who draws; "" until it is known."""

    def as_qml(self, snapshot: TableSnapshot | None, names: Names | None) -> dict[str, Any]:
        """Return what QML shows: {open, seat, title, verdict, toAll, cards}."""
        if snapshot is None or snapshot.view is None or names is None:
            return {"open": False}
        cards = [
            qml_card(held.slot, held.face)
            for seat, held in snapshot.view.seen
            if seat == self.seat and held.slot in self.slots
        ]
        if not cards:
            title = translate("Moves", "{name} challenges {other}")
            title = filled(title, name=names(self.challenger), other=names(self.seat))
        elif self.to_all:
            title = translate("Table", "Everybody sees this: the hand of {name}")
            title = filled(title, name=names(self.seat))
        else:
            title = translate("Table", "Only you see this: the hand of {name}")
            title = filled(title, name=names(self.seat))
        return {
            "open": bool(cards or self.verdict),
            "seat": self.seat,
            "title": title,
            "verdict": self.verdict,
            "toAll": self.to_all,
            "cards": cards,
        }


def decided_challenge(happened: Sequence[object]) -> events.ChallengeDecided | None:
    """Return the challenge that these events decide, unless play has gone on since."""
    decided = None
    for event in happened:
        match event:
            case events.ChallengeDecided():
                decided = event
            case events.Played() | events.RoundOver():
                decided = None
            case _:
                pass
    return decided


def verdict_text(
    decided: events.ChallengeDecided,
    happened: Sequence[object],
    before: TableSnapshot | None,
    names: Names,
) -> str:
    """Return what was found, and who draws how many cards. `before`: with the pending penalty."""
    seat = decided.accused if decided.guilty else decided.seat
    cards = _cards_drawn(decided, happened, before)
    refused = any(isinstance(event, events.ShowRefused) for event in happened)
    if seat == names.mine:
        if refused:
            text = translate("Table", "Hand not shown: you draw %n cards", "", cards)
        elif decided.guilty:
            text = translate("Table", "Bluff: you draw %n cards", "", cards)
        else:
            text = translate("Table", "No bluff: you draw %n cards", "", cards)
        return text
    if refused:
        text = translate("Table", "Hand not shown: {name} draws %n cards", "", cards)
    elif decided.guilty:
        text = translate("Table", "Bluff: {name} draws %n cards", "", cards)
    else:
        text = translate("Table", "No bluff: {name} draws %n cards", "", cards)
    return filled(text, name=names(seat))


def _cards_drawn(
    decided: events.ChallengeDecided, happened: Sequence[object], before: TableSnapshot | None
) -> int:
    """Return how many cards the loser draws, as far as there are any."""
    missing = sum(event.missing for event in happened if isinstance(event, events.NothingToDraw))
    if before is not None and before.view is not None and before.view.penalty:
        extra = 0 if decided.guilty else before.ruleset.challenge_penalty
        return before.view.penalty + extra - missing
    return sum(
        len(event.slots)
        for event in happened
        if isinstance(event, events.Drew)
        and event.why in (events.DrawReason.CHALLENGED, events.DrawReason.CHALLENGE_LOST)
    )
