"""One round of the game, from the shuffle to the revealed hands.

Here: `Round`, the only door to the engine, and what the table tells it. Not here: the rules
themselves; each of the modules it calls holds one part of them.

The engine never draws a card and knows no clock. It says what it needs (`ShuffleNeeded`,
`OpenNeeded`), the table answers, and acts are judged in the order in which they come.

>>> from lanuno.rules.ruleset import Ruleset
>>> game = Round(Ruleset(), seats=(0, 1, 2), dealer=2)
>>> game.start()[0].first_slot
0
>>> [type(event).__name__ for event in game.shuffled()][-1], game.phase.name
('OpenNeeded', 'OPEN')
>>> seven_of_red = 13
>>> game.opened(21, seven_of_red)[-1]
TurnStarted(seat=0)
"""

from __future__ import annotations

from collections.abc import Mapping

from lanuno.rules import choices, legality
from lanuno.rules.actions import Action
from lanuno.rules.acts import carry_out
from lanuno.rules.agenda import run
from lanuno.rules.cards import CardId, Seat, Slot
from lanuno.rules.challenge import lies_in_hand
from lanuno.rules.effects import start_with
from lanuno.rules.errors import IllegalAction, RulesError
from lanuno.rules.events import Ending, Event, OpenNeeded
from lanuno.rules.leaving import leave, lies_open
from lanuno.rules.manners import Matter, settle
from lanuno.rules.pile import ask_shuffle, deal_hands, pile_shuffled
from lanuno.rules.refusals import Refusal
from lanuno.rules.results import RoundResult
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.state import NOBODY, Phase, RoundState, Step

_NOTHING: Mapping[Slot, CardId] = {}


class Round(RoundState):
    """The public state of one round and the rules that move it. Mutable; `copy()` is cheap.

    `seats` are those who play, clockwise; `dealer` is one of them. Attributes are documented in
    state.py and are for reading only.
    """

    __slots__ = ()

    def __init__(self, ruleset: Ruleset, seats: tuple[Seat, ...], dealer: Seat) -> None:
        if len(seats) < 2 or len(set(seats)) != len(seats) or dealer not in seats:
            raise RulesError("a round needs two or more different seats, the dealer among them")
        super().__init__(ruleset, seats, dealer)
        self.seat_order(seats)

    # What the round waits for

    @property
    def phase(self) -> Phase:
        """What the round waits for, the table's part included."""
        if self.shuffle is not None:
            return Phase.SHUFFLE
        return Phase.OPEN if self.opens else self.stage

    @property
    def decider(self) -> Seat | None:
        """Who has to decide; None while the table is awaited or everybody may object."""
        return None if self.shuffle is not None or self.opens else self.actor

    @property
    def over(self) -> bool:
        """Whether the round has ended."""
        return self.stage is Phase.OVER

    # The table's part

    def start(self) -> list[Event]:
        """Begin: asks for the shuffle of the whole deck."""
        if self.stage is not Phase.NEW or self.deal:
            raise RulesError("the round has started")
        events: list[Event] = []
        ask_shuffle(self, tuple(range(self.deck.size)), (), events)
        return events

    def shuffled(self) -> list[Event]:
        """The shuffle asked for is done."""
        shuffle = self.shuffle
        if shuffle is None:
            raise RulesError("no shuffle is awaited")
        events: list[Event] = []
        pile_shuffled(self, shuffle, events)
        if not self.hands:
            deal_hands(self, events)
            self.agenda.append((Step.TURN_UP, NOBODY, 0, 0))
        run(self, events)
        return events

    def opened(self, slot: Slot, card: CardId) -> list[Event]:
        """A slot asked for face up holds this card."""
        if not 0 <= card < self.deck.size:
            raise RulesError("no such card")
        for index, needed in enumerate(self.opens):
            if slot in needed.slots:
                rest = tuple([each for each in needed.slots if each != slot])
                self.opens[index : index + 1] = (
                    [OpenNeeded(needed.need, rest, None)] if rest else []
                )
                break
        else:
            raise RulesError("this slot was not asked for")
        events: list[Event] = []
        if slot == self.turning:
            self.turning = None
            start_with(self, slot, card, events)
        elif slot in self.falling:
            lies_open(self, slot, card)
        else:
            lies_in_hand(self, slot, card)
        run(self, events)
        return events

    def settle(self, matter: Matter) -> list[Event]:
        """Time for objections or votes is up; IllegalAction if nothing of the kind is open."""
        if self.shuffle is not None or self.opens:
            raise IllegalAction(Refusal.WAITING)
        events: list[Event] = []
        settle(self, matter, events)
        run(self, events)
        return events

    def drop(self, seat: Seat) -> list[Event]:
        """This seat leaves the round; see leaving.py. Nothing happens if it does not play."""
        events: list[Event] = []
        leave(self, seat, events)
        run(self, events)
        return events

    # The seats' part

    def act(self, seat: Seat, action: Action) -> list[Event]:
        """Do an act that is legal as far as everybody can see; else IllegalAction."""
        fault = legality.refusal(self, seat, action, _NOTHING)
        if fault is not None:
            raise IllegalAction(fault)
        events: list[Event] = []
        carry_out(self, seat, action, events)
        return events

    def refusal(
        self, seat: Seat, action: Action, cards: Mapping[Slot, CardId] = _NOTHING
    ) -> Refusal | None:
        """Why the act is illegal, given the hidden cards that the asker knows; see legality.py.

        Acts of the clock are judged without hidden cards: running out of time is no fault.
        """
        return legality.refusal(self, seat, action, cards)

    def legal(self, seat: Seat, cards: Mapping[Slot, CardId] = _NOTHING) -> tuple[Action, ...]:
        """All legal acts of the seat, given the hidden cards that the asker knows."""
        return choices.legal(self, seat, cards)

    def time_out(self, cards: Mapping[Slot, CardId] = _NOTHING) -> Action:
        """What the clock does for the decider; a RulesError if nobody has to decide."""
        seat = self.decider
        if seat is None:
            raise RulesError("nobody has to decide")
        return choices.time_out(self, seat, cards)

    # The end

    def reveal(self, cards: Mapping[Slot, CardId]) -> RoundResult:
        """The result, once every hand is known; a RulesError if it is too early or one is not."""
        ending = self.ending
        if ending is None:
            raise RulesError("the round is not over")
        points = self.deck.points
        try:
            hands = {
                seat: [points[cards[slot]] for slot in self.hands.get(seat, ())]
                for seat in self.chairs
            }
        except (KeyError, IndexError) as missing:
            raise RulesError("a hand is not revealed") from missing
        totals = {seat: sum(hand) for seat, hand in hands.items()}
        return RoundResult(
            ending=ending,
            seats=self.chairs,
            winners=self._winners(ending, totals),
            points=tuple(totals.values()),
            cards=tuple([len(hand) for hand in hands.values()]),
            left=tuple([seat for seat in self.chairs if seat not in self.seats]),
        )

    def _winners(self, ending: Ending, points: dict[Seat, int]) -> tuple[Seat, ...]:
        if ending is Ending.OUT or ending is Ending.VOID:
            return () if self.out is None else (self.out,)
        if ending is Ending.BLOCKED:
            lowest = min(points[seat] for seat in self.seats)
            best = tuple([seat for seat in self.seats if points[seat] == lowest])
            return best if len(best) == 1 else ()
        fewest = min((len(self.hands[seat]), points[seat]) for seat in self.seats)
        return tuple(
            [seat for seat in self.seats if (len(self.hands[seat]), points[seat]) == fewest]
        )
