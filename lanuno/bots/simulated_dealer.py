"""Deals a round without cryptography, as one object that shuffles, opens and knows every card.

Here: `SimulatedDealer`, which answers the engine's requests from a shuffled deck and records which
cards each seat has seen. It also checks that no card is lost or duplicated. Not here: players.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from lanuno.rules.cards import CardId, Seat, Slot
from lanuno.rules.engine.dealer import DealerRound
from lanuno.rules.engine.events import GameEvent, HandsMoved, OpenNeeded, Shown
from lanuno.rules.engine.round import Round


class CardsLost(Exception):
    """A card of the deck is missing or duplicated, which is a bug in the engine."""


class SimulatedDealer:
    """Serves one round. `cards`: the card in each slot. `known`: the cards each seat has seen."""

    def __init__(self, game: Round | DealerRound, chance: Random) -> None:
        """`chance`: the source of every shuffle."""
        self.game = game
        self._chance = chance
        self.cards: dict[Slot, CardId] = {}
        self.known: dict[Seat, dict[Slot, CardId]] = {seat: {} for seat in game.dealt_seats}

    def start(self) -> list[GameEvent]:
        """Start the round, serve its first requests and return the events."""
        return self.serve(self.game.start())

    def serve(self, events: list[GameEvent]) -> list[GameEvent]:
        """Answer the requests in these events until the round waits for its players.

        Returns these events and all that follow from them. Raises `CardsLost`.
        """
        self._show_cards(events)
        happened = list(events)
        while self.game.shuffle is not None or self.game.opens:
            if isinstance(self.game, Round):
                check_cards(self.game, self.cards)
            following = self._serve_once()
            self._show_cards(following)
            happened += following
        return happened

    def _serve_once(self) -> list[GameEvent]:
        shuffle = self.game.shuffle
        if shuffle is None:
            slot = self.game.opens[0].slots[0]
            return self.game.opened(slot, self.cards[slot])
        order = [*shuffle.cards, *(self.cards.pop(slot) for slot in shuffle.slots)]
        self._chance.shuffle(order)
        self.cards.update(enumerate(order, shuffle.first_slot))
        return self.game.shuffled()

    def _show_cards(self, events: Iterable[GameEvent]) -> None:
        """Record the cards that seats are dealt, shown or handed."""
        for event in events:
            if isinstance(event, OpenNeeded):
                if event.to is not None:
                    self._show_slots(event.to, event.slots)
            elif isinstance(event, Shown):
                self._show_slots(event.to, event.slots)
            elif isinstance(event, HandsMoved):
                for _, owner, slots in event.moves:
                    self._show_slots(owner, slots)

    def _show_slots(self, seat: Seat, slots: Iterable[Slot]) -> None:
        seen = self.known[seat]
        for slot in slots:
            seen[slot] = self.cards[slot]


def check_cards(game: Round, cards: dict[Slot, CardId]) -> None:
    """Raise `CardsLost` unless every card of the deck is in exactly one place.

    The places are: a hand, the discard pile, the draw pile, a pending shuffle, and the slots that
    are being opened (the starting card, or the hand of a seat that left).
    """
    found = [card for _, card in game.discard]
    slots = [slot for hand in game.hands.values() for slot in hand] + game.leaver_slots
    if game.starting_slot is not None:
        slots.append(game.starting_slot)
    if game.shuffle is None:
        slots += range(game.pile_next, game.pile_end)
    else:
        found += game.shuffle.cards
        slots += game.shuffle.slots
    found += [cards[slot] for slot in slots]
    if len(found) != game.deck.size or len(set(found)) != len(found):
        raise CardsLost(f"{len(found)} cards, {len(set(found))} of them different")
