"""The round that chooses the first dealer: one open card per seat, and the highest number deals.

`DealerRound` has the interface of `Round`, as far as a round without acts needs it. match/match.py
decides whether a match needs such a round.
"""

from __future__ import annotations

from collections.abc import Mapping

from lanuno.rules.cards import CardId, Seat, Slot
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine.actions import Action
from lanuno.rules.engine.events import (
    DealerChosen,
    DealerTie,
    Dealt,
    GameEvent,
    OpenNeeded,
    SeatLeft,
    ShuffleNeeded,
)
from lanuno.rules.engine.results import DealerResult
from lanuno.rules.engine.state import Public, RoundPhase
from lanuno.rules.errors import IllegalAction, RulesError
from lanuno.rules.refusals import ActRefusal
from lanuno.rules.ruleset import Ruleset

_NO_CARDS: Mapping[Slot, CardId] = {}


class DealerRound:
    """A round that gives each seat an open slot, and another to those tied for the highest card.

    Action and wild cards count 0. If the deck runs out over ties, which takes a very odd shuffle,
    the first of the tied seats deals. Treat the attributes as read-only.
    """

    decision = 0
    decider: Seat | None = None

    def __init__(self, ruleset: Ruleset, seats: tuple[Seat, ...]) -> None:
        if len(seats) < 2 or len(set(seats)) != len(seats):
            raise RulesError("a round needs two or more different seats")
        self.ruleset = ruleset
        self.deck = deck_tables(ruleset.deck)
        self.dealt_seats = seats
        self.seats = seats
        """The seats that may still become the dealer, clockwise."""
        self.dealer: Seat | None = None
        """The dealer; None until the cards have decided."""
        self.hands: dict[Seat, list[Slot]] = {seat: [] for seat in seats}
        self.face_up: dict[Slot, CardId] = {}
        self.shuffle: ShuffleNeeded | None = None
        self.opens: list[OpenNeeded] = []
        self.deal = 0
        self.need = 0
        self.next_slot: Slot = 0

    @property
    def phase(self) -> RoundPhase:
        """What the round waits for."""
        if self.dealer is not None:
            return RoundPhase.OVER
        if self.shuffle is not None:
            return RoundPhase.SHUFFLE
        return RoundPhase.OPEN if self.opens else RoundPhase.NEW

    @property
    def over(self) -> bool:
        """Whether the dealer has been chosen."""
        return self.dealer is not None

    def start(self) -> list[GameEvent]:
        """Begin the round: ask for a shuffle of the whole deck."""
        if self.deal:
            raise RulesError("the round has started")
        return self._ask_shuffle()

    def shuffled(self) -> list[GameEvent]:
        """Continue after the requested shuffle."""
        if self.shuffle is None:
            raise RulesError("no shuffle is awaited")
        self.shuffle = None
        return self._hand_out()

    def opened(self, slot: Slot, card: CardId) -> list[GameEvent]:
        """Record the card in a requested slot, and compare the cards once all are open."""
        if not 0 <= card < self.deck.size:
            raise RulesError("no such card")
        if not self.opens or slot not in self.opens[0].slots:
            raise RulesError("this slot was not asked for")
        needed = self.opens.pop()
        rest = tuple([each for each in needed.slots if each != slot])
        self.face_up[slot] = card
        if rest:
            self.opens.append(OpenNeeded(needed.need, rest, None))
            return []
        return self._compare()

    def act(self, seat: Seat, action: Action) -> list[GameEvent]:
        """Raise IllegalAction: no seat acts while the dealer is chosen."""
        raise IllegalAction(self.refusal(seat, action))

    def refusal(
        self,
        seat: Seat,
        _action: Action,
        _cards: Mapping[Slot, CardId] = _NO_CARDS,
    ) -> ActRefusal:
        """Return why this seat cannot act."""
        if seat not in self.dealt_seats:
            return ActRefusal.NOT_SEATED
        return ActRefusal.ROUND_OVER if self.over else ActRefusal.WRONG_MOMENT

    def legal(
        self,
        _seat: Seat,
        _cards: Mapping[Slot, CardId] = _NO_CARDS,
    ) -> tuple[Action, ...]:
        """Return an empty tuple: no act is legal."""
        return ()

    def drop(self, seat: Seat) -> list[GameEvent]:
        """Remove a leaver, who cannot become the dealer; ask again for a pending shuffle."""
        if seat not in self.seats or self.over:
            return []
        self.seats = tuple([each for each in self.seats if each != seat])
        events: list[GameEvent] = [SeatLeft(seat, ())]
        if len(self.seats) == 1:
            self.shuffle = None
            self.opens.clear()
            events += self._choose(self.seats[0])
        elif self.shuffle is not None:
            events += self._ask_shuffle()
        return events

    def reveal(self, _cards: Mapping[Slot, CardId] = _NO_CARDS) -> DealerResult:
        """Return the dealer. Raise RulesError if it is too early."""
        if self.dealer is None:
            raise RulesError("the round is not over")
        return DealerResult(self.dealer)

    def public_state(self) -> Public:
        """Return the whole state as nested tuples of ints and None."""
        shuffle = self.shuffle
        return (
            int(self.phase),
            self.seats,
            tuple([tuple(hand) for hand in self.hands.values()]),
            tuple(sorted(self.face_up.items())),
            None if shuffle is None else shuffle.deal,
            tuple([(each.need, each.slots) for each in self.opens]),
            self.deal,
            self.need,
            self.next_slot,
            self.dealer,
        )

    def _ask_shuffle(self) -> list[GameEvent]:
        self.shuffle = ShuffleNeeded(self.deal, tuple(range(self.deck.size)), (), 0)
        self.deal += 1
        return [self.shuffle]

    def _hand_out(self) -> list[GameEvent]:
        """Give the next slot to each seat still in question, all opened together."""
        first = self.next_slot
        if first + len(self.seats) > self.deck.size:
            return self._choose(self.seats[0])
        events: list[GameEvent] = []
        for slot, seat in enumerate(self.seats, first):
            self.hands[seat].append(slot)
            events.append(Dealt(seat, (slot,)))
        self.next_slot = first + len(self.seats)
        needed = OpenNeeded(self.need, tuple(range(first, self.next_slot)), None)
        self.need += 1
        self.opens.append(needed)
        return [*events, needed]

    def _compare(self) -> list[GameEvent]:
        """Choose the dealer once all cards of this draw are open, or let the tied draw again."""
        faces = self.deck.faces
        values = {
            seat: faces[self.face_up[self.hands[seat][-1]]].dealer_value for seat in self.seats
        }
        highest = max(values.values())
        self.seats = tuple([seat for seat in self.seats if values[seat] == highest])
        if len(self.seats) == 1:
            return self._choose(self.seats[0])
        return [DealerTie(self.seats), *self._hand_out()]

    def _choose(self, seat: Seat) -> list[GameEvent]:
        self.dealer = seat
        return [DealerChosen(seat)]
