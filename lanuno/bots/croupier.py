"""The table's part of a round without any cryptography: shuffles, deals, opens, knows every card.

Here: `Croupier`, which answers what the engine asks for from a shuffled deck, and remembers which
seat was shown what. It also watches that no card is ever lost or twice there. Not here: players.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from lanuno.rules.cards import CardId, Seat, Slot
from lanuno.rules.dealer import DealerRound
from lanuno.rules.engine import Round
from lanuno.rules.events import Event, HandsMoved, OpenNeeded, Shown


class CardsLost(Exception):
    """Some card of the deck is missing or twice there: a mistake of the engine."""


class Croupier:
    """Serves one round. `cards` is the whole truth, `known` what each seat was let see of it."""

    def __init__(self, game: Round | DealerRound, chance: Random) -> None:
        """`chance`: where the order of every shuffle comes from."""
        self.game = game
        self._chance = chance
        self.cards: dict[Slot, CardId] = {}
        self.known: dict[Seat, dict[Slot, CardId]] = {seat: {} for seat in game.chairs}

    def start(self) -> list[Event]:
        """Start the round and serve it."""
        return self.serve(self.game.start())

    def serve(self, events: list[Event]) -> list[Event]:
        """Do what these events ask of the table until the round waits for its players.

        Returns them and all that followed. Raises `CardsLost`.
        """
        self._show(events)
        happened = list(events)
        while self.game.shuffle is not None or self.game.opens:
            if isinstance(self.game, Round):
                check_cards(self.game, self.cards)
            following = self._serve_once()
            self._show(following)
            happened += following
        return happened

    def _serve_once(self) -> list[Event]:
        shuffle = self.game.shuffle
        if shuffle is None:
            slot = self.game.opens[0].slots[0]
            return self.game.opened(slot, self.cards[slot])
        order = [*shuffle.cards, *(self.cards.pop(slot) for slot in shuffle.slots)]
        self._chance.shuffle(order)
        self.cards.update(enumerate(order, shuffle.first_slot))
        return self.game.shuffled()

    def _show(self, events: Iterable[Event]) -> None:
        """Let seats see what they are dealt, shown, or handed over."""
        for event in events:
            if isinstance(event, OpenNeeded):
                if event.to is not None:
                    self._let_see(event.to, event.slots)
            elif isinstance(event, Shown):
                self._let_see(event.to, event.slots)
            elif isinstance(event, HandsMoved):
                for _, owner, slots in event.moves:
                    self._let_see(owner, slots)

    def _let_see(self, seat: Seat, slots: Iterable[Slot]) -> None:
        seen = self.known[seat]
        for slot in slots:
            seen[slot] = self.cards[slot]


def check_cards(game: Round, cards: dict[Slot, CardId]) -> None:
    """Every card of the deck is somewhere exactly once; else `CardsLost`.

    In a hand, on the discard pile, in the draw pile or in the shuffle that is awaited, on the way
    face up from the draw pile or from the hand of somebody who left.
    """
    found = [card for _, card in game.discard]
    slots = [slot for hand in game.hands.values() for slot in hand] + game.falling
    if game.turning is not None:
        slots.append(game.turning)
    if game.shuffle is None:
        slots += range(game.pile_next, game.pile_end)
    else:
        found += game.shuffle.cards
        slots += game.shuffle.slots
    found += [cards[slot] for slot in slots]
    if len(found) != game.deck.size or len(set(found)) != len(found):
        raise CardsLost(f"{len(found)} cards, {len(set(found))} different ones")
