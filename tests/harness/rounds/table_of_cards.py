"""A table played by a seeded deck: it shuffles, deals and opens the cards that the engine requests.

`CardTable` drives a `Round` or a `DealerRound` without any crypto and knows every card. Its deck
can be stacked. It asserts nothing about the rules.

    >>> from lanuno.rules.ruleset import Ruleset
    >>> table = CardTable.deal(Ruleset(), seats=3, seed=7)
    >>> table.round.decider is not None
    True
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from typing import Any

from lanuno.rules.cards import CardId, Colour, Rank, Seat, Slot
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine.actions import Action
from lanuno.rules.engine.dealer import DealerRound
from lanuno.rules.engine.events import GameEvent
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.round import Round
from lanuno.rules.ruleset import Ruleset

Input = tuple[str, tuple[Any, ...]]
Order = Callable[[list[CardId]], list[CardId]]
"""Takes the cards of a shuffle and returns them from the top of the new pile to its bottom."""

_COLOURS = {"r": Colour.RED, "y": Colour.YELLOW, "g": Colour.GREEN, "b": Colour.BLUE}
_SYMBOLS = {"s": Rank.SKIP, "v": Rank.REVERSE, "+2": Rank.DRAW_TWO}


def shuffling(seed: int) -> Order:
    """Return a seeded shuffle; every call continues the same stream."""
    stream = random.Random(seed)

    def order(cards: list[CardId]) -> list[CardId]:
        stream.shuffle(cards)
        return cards

    return order


def card(name: str, deck: int = 108, nth: int = 0) -> CardId:
    """The card with a short name: "r7", "bs" skip, "gv" reverse, "y+2", "w", "w4"."""
    colour: Colour | None = None
    if name == "w":
        rank = Rank.WILD
    elif name == "w4":
        rank = Rank.WILD_FOUR
    else:
        colour = _COLOURS[name[0]]
        rank = _SYMBOLS.get(name[1:]) or Rank(int(name[1:]))
    found = [
        each
        for each, face in enumerate(deck_tables(deck).faces)
        if face.colour == colour and face.rank == rank
    ]
    return found[nth]


def cards(names: str | Iterable[str], deck: int = 108) -> list[CardId]:
    """Return different cards with these names; a repeated name means the next copy."""
    seen: Counter[str] = Counter()
    found = []
    for name in names.split() if isinstance(names, str) else names:
        found.append(card(name, deck, seen[name]))
        seen[name] += 1
    return found


def stacked(
    hands: Mapping[Seat, str],
    start: str,
    pile: str = "",
    *,
    order: tuple[Seat, ...],
    size: int = 7,
    deck: int = 108,
) -> list[CardId]:
    """A deck that deals these hands and starting card, `pile` next, the rest in canonical order.

    `order` is the order of dealing, from the dealer's left. A hand that names fewer than `size`
    cards is filled up, from the end of the canonical order, with cards nobody named.
    """
    wanted = [*start.split(), *pile.split()]
    for seat in order:
        wanted += hands.get(seat, "").split()
    ids = cards(wanted, deck)
    starting, ids = ids[: len(start.split())], ids[len(start.split()) :]
    following, ids = ids[: len(pile.split())], ids[len(pile.split()) :]
    rest = [each for each in range(deck) if each not in {*starting, *following, *ids}]
    dealt: dict[Seat, list[CardId]] = {}
    for seat in order:
        count = len(hands.get(seat, "").split())
        dealt[seat], ids = ids[:count], ids[count:]
        while len(dealt[seat]) < size:
            dealt[seat].append(rest.pop())
    return [
        *[dealt[seat][place] for place in range(size) for seat in order],
        *starting,
        *following,
        *rest,
    ]


class CardTable:
    """A round and the truth about its slots. `cards` is everything, as the audit knows it."""

    def __init__(self, game: Round | DealerRound, order: Order) -> None:
        self.game = game
        self.order = order
        self.cards: dict[Slot, CardId] = {}
        self.events: list[GameEvent] = []
        """Everything that happened."""
        self.last: list[GameEvent] = []
        """The events of the last act."""
        self.listener: Callable[[GameEvent], None] | None = None
        """Called with every event as it happens; a copy of this table has none."""
        self.inputs: list[Input] = []
        """Every call that moved the round: the name of the method and its arguments."""

    @classmethod
    def deal(
        cls,
        ruleset: Ruleset,
        seats: int | tuple[Seat, ...] = 3,
        *,
        seed: int = 0,
        deck: list[CardId] | None = None,
        dealer: Seat | None = None,
    ) -> CardTable:
        """A round that is dealt and opened; the last seat deals unless `dealer` is given.

        With `deck` the first shuffle gives exactly that order and later ones are seeded.
        """
        seats = tuple(range(seats)) if isinstance(seats, int) else seats
        table = cls(
            Round(ruleset, seats, seats[-1] if dealer is None else dealer), _first(deck, seed)
        )
        table.start()
        return table

    @classmethod
    def choose_dealer(
        cls, ruleset: Ruleset, seats: int, *, seed: int = 0, deck: list[CardId] | None = None
    ) -> CardTable:
        """A finished round that chose the dealer."""
        table = cls(DealerRound(ruleset, tuple(range(seats))), _first(deck, seed))
        table.start()
        return table

    @property
    def round(self) -> Round:
        """The round, where it is one that is played."""
        assert isinstance(self.game, Round)
        return self.game

    def start(self) -> list[GameEvent]:
        """Start, and serve the table's needs."""
        return self._served(self.call("start"))

    def act(self, seat: Seat, action: Action) -> list[GameEvent]:
        """Act, and serve the table's needs."""
        return self._served(self.call("act", seat, action))

    def act_unserved(self, seat: Seat, action: Action) -> list[GameEvent]:
        """Act, and leave the table's needs for `serve`."""
        self.last = self.call("act", seat, action)
        self.events += self.last
        return self.last

    def drop(self, seat: Seat) -> list[GameEvent]:
        """Let a seat leave; serve the table's needs."""
        return self._served(self.call("drop", seat))

    def settle(self, matter: Matter) -> list[GameEvent]:
        """End the time for objections or votes; serve the table's needs."""
        return self._served(self.call("settle", matter))

    def call(self, method: str, *arguments: Any) -> list[GameEvent]:
        """Call a method of the round and, if it did not raise, write the call down."""
        events: list[GameEvent] = getattr(self.game, method)(*arguments)
        self.inputs.append((method, arguments))
        if self.listener is not None:
            for event in events:
                self.listener(event)
        return events

    def serve(self) -> list[GameEvent]:
        """Serve the table's needs."""
        return self._served([])

    def serve_once(self) -> list[GameEvent]:
        """Do one shuffle or open one card."""
        if self.game.shuffle is not None:
            shuffle = self.game.shuffle
            back = [self.cards.pop(slot) for slot in shuffle.slots]
            for place, each in enumerate(self.order([*shuffle.cards, *back])):
                self.cards[shuffle.first_slot + place] = each
            return self.call("shuffled")
        slot = self.game.opens[0].slots[0]
        return self.call("opened", slot, self.cards[slot])

    def known_to(self, seat: Seat) -> dict[Slot, CardId]:
        """The seat's own hand."""
        return {slot: self.cards[slot] for slot in self.round.hands.get(seat, ())}

    def hand(self, seat: Seat) -> list[CardId]:
        """The seat's cards."""
        return [self.cards[slot] for slot in self.round.hands[seat]]

    def slot_of(self, seat: Seat, held: CardId) -> Slot:
        """Where in its hand the seat holds this card."""
        return next(slot for slot in self.round.hands[seat] if self.cards[slot] == held)

    def run_down(self, left: int, holder: Seat | None) -> None:
        """Leave `left` cards in the draw pile: `holder` gets the rest, or they are discarded.

        The inputs do not record this.
        """
        game = self.round
        gone = range(game.pile_next, game.pile_end - left)
        game.pile_next = gone.stop
        if holder is None:
            game.discard[:0] = [(slot, self.cards[slot]) for slot in gone]
            game.face_up.update(game.discard)
            return
        game.hands[holder].extend(gone)
        if game.rules.hands_move:
            game.first_owner.update(dict.fromkeys(gone, holder))

    def copy(self) -> CardTable:
        """An independent copy, except that both continue one stream of shuffles."""
        other = CardTable(deepcopy(self.game), self.order)
        other.cards = self.cards.copy()
        other.inputs = self.inputs.copy()
        return other

    def _served(self, events: list[GameEvent]) -> list[GameEvent]:
        while self.game.shuffle is not None or self.game.opens:
            events = events + self.serve_once()
        self.events += events
        self.last = events
        return events


def _first(deck: list[CardId] | None, seed: int) -> Order:
    shuffle = shuffling(seed)
    waiting = [] if deck is None else [deck]

    def order(ids: list[CardId]) -> list[CardId]:
        if waiting and len(waiting[0]) == len(ids):
            return waiting.pop()
        return shuffle(ids)

    return order
