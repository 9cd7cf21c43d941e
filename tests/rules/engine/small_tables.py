"""Small tables with known hands, and acts by the short names of cards ("r7", "bs", "w4")."""

from __future__ import annotations

from msgspec.structs import replace

from lanuno.rules.cards import CardId, Colour, Seat
from lanuno.rules.engine.actions import Action, Play
from lanuno.rules.engine.events import GameEvent, OpenNeeded
from lanuno.rules.ruleset import Ruleset
from tests.harness.rounds.table_of_cards import CardTable, card, stacked

FULL = {0: "b1 b2 b3", 1: "y1 y2 y3", 2: "g1 g2 g3"}
"""Hands of three cards none of which fits a red card above 3."""


def small_table(
    hands: dict[Seat, str] | None = None,
    start: str = "r5",
    pile: str = "",
    *,
    rules: Ruleset | None = None,
    seats: int = 3,
) -> CardTable:
    """Return a table on which seat 0 begins, with as many cards per hand as the first hand names.

    Hands that are not given are those of `FULL`, or their first cards.
    """
    held = FULL | (hands or {})
    size = len(held[0].split())
    dealt = {seat: " ".join(held.get(seat, "").split()[:size]) for seat in range(seats)}
    deck = stacked(dealt, start, pile, order=tuple(range(seats)), size=size)
    return CardTable.deal(replace(rules or Ruleset(), hand_size=size), seats, deck=deck)


def play_of(
    table: CardTable, seat: Seat, name: str, colour: Colour | None = None, *, uno: bool = False
) -> Play:
    """Return the play of a card in this hand."""
    face = table.round.deck.faces[card(name)]
    slot = next(
        slot
        for slot in table.round.hands[seat]
        if table.round.deck.faces[table.cards[slot]] == face
    )
    return Play(slot, table.cards[slot], None if colour is None else int(colour), uno)


def lay(
    table: CardTable, seat: Seat, name: str, colour: Colour | None = None, *, uno: bool = False
) -> list[GameEvent]:
    """Play a card of this hand and return the events."""
    return table.act(seat, play_of(table, seat, name, colour, uno=uno))


def playable(table: CardTable, seat: Seat) -> set[CardId]:
    """Return the cards that this seat may lay now."""
    acts = table.round.legal(seat, table.known_to(seat))
    return {act.card for act in acts if isinstance(act, Play)}


def judged(table: CardTable, seat: Seat, act: Action) -> tuple[object, object]:
    """Return why an act is refused by public information, and with the hand of the seat known."""
    game = table.round
    return game.refusal(seat, act), game.refusal(seat, act, table.known_to(seat))


def seen(events: list[GameEvent]) -> list[GameEvent]:
    """Return the events without the requests to open slots."""
    return [event for event in events if not isinstance(event, OpenNeeded)]
