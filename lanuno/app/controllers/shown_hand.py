"""A challenged hand that lies open in the window for some seconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lanuno.app.move_texts import qml_card
from lanuno.client.snapshot import TableSnapshot


@dataclass(frozen=True, slots=True)
class ShownHandPanel:
    """The challenged hand of another seat. It closes early if its cards are hidden again."""

    number: int
    """The number of the round: in the next one the same slots hold other cards."""
    seat: int
    slots: tuple[int, ...]
    to_all: bool
    """Whether everybody sees the hand; otherwise only this player does."""
    ends: float
    """When it closes, by `time.monotonic`."""

    def as_qml(self, snapshot: TableSnapshot | None, now: float) -> dict[str, Any]:
        """Return what QML shows: {open, name, seat, toAll, cards, seconds}."""
        if snapshot is None or snapshot.view is None:
            return {"open": False}
        cards = [
            qml_card(held.slot, held.face)
            for seat, held in snapshot.view.seen
            if seat == self.seat and held.slot in self.slots
        ]
        return {
            "open": bool(cards),
            "seat": self.seat,
            "name": snapshot.people[self.seat].name,
            "toAll": self.to_all,
            "cards": cards,
            "seconds": max(0.0, self.ends - now),
        }
