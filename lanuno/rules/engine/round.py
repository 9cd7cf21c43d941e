"""One round of the game, from the shuffle to the revealed hands.

`Round` is the only interface of the engine. The rules themselves are in the modules that it calls,
one part in each.

The engine never picks a card at random and has no clock. It asks for what it needs
(`ShuffleNeeded`, `OpenNeeded`), the table answers, and acts are judged in the order in which they
arrive.

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

from lanuno.rules.cards import CardId, Seat, Slot
from lanuno.rules.engine import choices, legality
from lanuno.rules.engine.act_handlers import carry_out
from lanuno.rules.engine.actions import Action
from lanuno.rules.engine.agenda import run_agenda
from lanuno.rules.engine.effects import start_with
from lanuno.rules.engine.events import GameEvent, OpenNeeded, RoundEnding
from lanuno.rules.engine.leaving import discard_open_card, leave
from lanuno.rules.engine.manners import Matter, settle
from lanuno.rules.engine.pile import ask_shuffle, deal_hands, pile_shuffled
from lanuno.rules.engine.results import RoundResult
from lanuno.rules.engine.rules_in_force import rules_in_force
from lanuno.rules.engine.state import NOBODY, AgendaStep, RoundPhase, RoundState
from lanuno.rules.errors import IllegalAction, RulesError
from lanuno.rules.refusals import ActRefusal
from lanuno.rules.ruleset import Ruleset

_NO_CARDS: Mapping[Slot, CardId] = {}
# Looked up once: `over` is read at every move.
_OVER = RoundPhase.OVER


class Round(RoundState):
    """The public state of one round and the rules that change it. Mutable.

    `seats` are the players, clockwise; `dealer` is one of them. state.py documents the attributes;
    treat them as read-only.
    """

    __slots__ = ()

    def __init__(self, ruleset: Ruleset, seats: tuple[Seat, ...], dealer: Seat) -> None:
        if len(seats) < 2 or len(set(seats)) != len(seats) or dealer not in seats:
            raise RulesError("a round needs two or more different seats, the dealer among them")
        super().__init__(rules_in_force(ruleset), seats, dealer)
        self.set_seats(seats)

    # What the round waits for

    @property
    def phase(self) -> RoundPhase:
        """What the round waits for, the table included."""
        if self.shuffle is not None:
            return RoundPhase.SHUFFLE
        return RoundPhase.OPEN if self.opens else self.stage

    @property
    def decider(self) -> Seat | None:
        """The seat that has to decide; None while the table is awaited or every seat may object."""
        return None if self.shuffle is not None or self.opens else self.actor

    @property
    def over(self) -> bool:
        """Whether the round has ended."""
        return self.stage is _OVER

    # The table's part

    def start(self) -> list[GameEvent]:
        """Begin the round: ask for a shuffle of the whole deck."""
        if self.stage is not RoundPhase.NEW or self.deal:
            raise RulesError("the round has started")
        events: list[GameEvent] = []
        ask_shuffle(self, tuple(range(self.deck.size)), (), events)
        return events

    def shuffled(self) -> list[GameEvent]:
        """Continue after the requested shuffle."""
        shuffle = self.shuffle
        if shuffle is None:
            raise RulesError("no shuffle is awaited")
        events: list[GameEvent] = []
        pile_shuffled(self, shuffle, events)
        if not self.hands:
            deal_hands(self, events)
            self.agenda.append((AgendaStep.TURN_UP, NOBODY, 0, 0))
        run_agenda(self, events)
        return events

    def opened(self, slot: Slot, card: CardId) -> list[GameEvent]:
        """Continue with the card in a slot that was to be opened face up."""
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
        events: list[GameEvent] = []
        if slot == self.starting_slot:
            self.starting_slot = None
            start_with(self, slot, card, events)
        elif slot in self.leaver_slots:
            discard_open_card(self, slot, card)
        else:
            # A card of a challenged hand: it stays in the hand and is public.
            self.face_up[slot] = card
        run_agenda(self, events)
        return events

    def settle(self, matter: Matter) -> list[GameEvent]:
        """End the time for objections or votes. Raise IllegalAction if no such matter is open."""
        if self.shuffle is not None or self.opens:
            raise IllegalAction(ActRefusal.WAITING)
        events: list[GameEvent] = []
        settle(self, matter, events)
        run_agenda(self, events)
        return events

    def drop(self, seat: Seat) -> list[GameEvent]:
        """Take a leaver out of the round; see leaving.py. Do nothing if the seat does not play."""
        events: list[GameEvent] = []
        leave(self, seat, events)
        run_agenda(self, events)
        return events

    # The seats' part

    def act(self, seat: Seat, action: Action) -> list[GameEvent]:
        """Carry out an act. Raise IllegalAction if public information makes it illegal."""
        fault = legality.refusal(self, seat, action, _NO_CARDS)
        if fault is not None:
            raise IllegalAction(fault)
        events: list[GameEvent] = []
        carry_out(self, seat, action, events)
        return events

    def refusal(
        self, seat: Seat, action: Action, cards: Mapping[Slot, CardId] = _NO_CARDS
    ) -> ActRefusal | None:
        """Return why the act is illegal, given the hidden cards that the caller knows, or None.

        See legality.py. Judge acts of the clock without hidden cards: running out of time is no
        fault.
        """
        return legality.refusal(self, seat, action, cards)

    def legal(self, seat: Seat, cards: Mapping[Slot, CardId] = _NO_CARDS) -> tuple[Action, ...]:
        """Return all legal acts of the seat, given the hidden cards that the caller knows."""
        return choices.legal(self, seat, cards)

    def clock_action(self, cards: Mapping[Slot, CardId] = _NO_CARDS) -> Action:
        """Return what the clock does for the decider. Raise RulesError if no seat has to decide."""
        seat = self.decider
        if seat is None:
            raise RulesError("nobody has to decide")
        return choices.clock_action(self, seat, cards)

    # The end

    def reveal(self, cards: Mapping[Slot, CardId]) -> RoundResult:
        """Return the result. Raise RulesError if the round is not over or a hand is not known."""
        ending = self.ending
        if ending is None:
            raise RulesError("the round is not over")
        points = self.deck.points
        held = self.hands | self.left_hands
        try:
            hands = {
                seat: [points[cards[slot]] for slot in held.get(seat, ())]
                for seat in self.dealt_seats
            }
        except (KeyError, IndexError) as missing:
            raise RulesError("a hand is not revealed") from missing
        totals = {seat: sum(hand) for seat, hand in hands.items()}
        return RoundResult(
            ending=ending,
            seats=self.dealt_seats,
            winners=self._winners(ending, totals),
            points=tuple(totals.values()),
            cards=tuple([len(hand) for hand in hands.values()]),
            left=tuple([seat for seat in self.dealt_seats if seat not in self.seats]),
        )

    def _winners(self, ending: RoundEnding, points: dict[Seat, int]) -> tuple[Seat, ...]:
        if ending is RoundEnding.OUT or ending is RoundEnding.VOID:
            return () if self.out is None else (self.out,)
        if ending is RoundEnding.BLOCKED:
            lowest = min(points[seat] for seat in self.seats)
            best = tuple([seat for seat in self.seats if points[seat] == lowest])
            return best if len(best) == 1 else ()
        fewest = min((len(self.hands[seat]), points[seat]) for seat in self.seats)
        return tuple(
            [seat for seat in self.seats if (len(self.hands[seat]), points[seat]) == fewest]
        )
