"""A second implementation of rounds, from the rules alone: it counts cards and knows no slots.

From the acts alone, the referee computes who has to decide what, the number of cards in each hand,
direction, colour, penalties, owing "UNO", turns and the end of a round, and whether an opened hand
was a bluff. It covers neither the legality of acts, nor leaving, nor table manners. A test plays
random rounds and compares engine and referee after every act.
"""

from __future__ import annotations

from collections.abc import Sequence

from lanuno.rules.cards import Card, Colour, Rank
from lanuno.rules.engine.actions import (
    Accept,
    Action,
    Catch,
    Challenge,
    Draw,
    Keep,
    NameColour,
    OpenHand,
    Play,
    RefuseShow,
    RefuseVerdict,
    SayUno,
    Show,
    Swap,
    Verdict,
)
from lanuno.rules.ruleset import Format, Ruleset, UnoRule, WildFour

Question = tuple[str, int] | None
COSTS = {Rank.DRAW_TWO: 2, Rank.WILD_FOUR: 4}


class Referee:
    """One round, from its starting card on."""

    def __init__(self, rules: Ruleset, seats: int, dealer: int, start: Card) -> None:
        self.rules = rules
        self.seats = seats
        self.step = 1
        """1 clockwise, -1 counter-clockwise."""
        self.held = [rules.hand_size] * seats
        self.pile = rules.deck - rules.hand_size * seats - 1
        self.discards = 1
        self.colour = start.colour
        self.owed: int | None = None
        self.pending = 0
        self.doubted: int | None = None
        """The player of a Wild Draw Four that can be challenged."""
        self.challenger = -1
        self.wanted: Colour | None = None
        """The colour before the last card."""
        self.left: list[Card] = []
        """The hand after that card."""
        self.turns = 0
        self.last_turn = rules.laps * seats if rules.format is Format.LAPS else 0
        self.passes = 0
        self.asked: Question = None
        self.ending: str | None = None
        self.out: int | None = None
        bluffing = rules.wild_four is WildFour.BLUFF and not rules.no_bluff
        self.challenges = bluffing
        self._start(start.rank, dealer)

    def _start(self, rank: Rank, dealer: int) -> None:
        first = self._after(dealer)
        if rank is Rank.WILD:
            self.asked = "COLOUR", first
        elif rank is Rank.DRAW_TWO:
            self._hit(first, rank)
        elif rank is Rank.SKIP:
            self._skip(first)
        elif rank is Rank.REVERSE:
            self.step = -1
            self._turn(dealer)
        else:
            self._turn(first)

    # Helpers

    def _after(self, seat: int) -> int:
        return (seat + self.step) % self.seats

    @property
    def _laps_played(self) -> bool:
        return bool(self.last_turn) and self.turns >= self.last_turn

    def _end(self, ending: str, out: int | None = None) -> None:
        self.ending, self.out = ending, out
        self.asked = self.owed = None

    def _turn(self, seat: int) -> None:
        if self._laps_played:
            self._end("LAPS")
        else:
            self.turns += 1
            self.asked = "TURN", seat

    def _skip(self, seat: int) -> None:
        self.turns += 1
        self._turn(self._after(seat))

    def _draw(self, seat: int, count: int) -> int:
        """Draw `count` cards, or as many as are left; return how many."""
        drawn = 0
        while drawn < count:
            if not self.pile:
                # All discards but the top one are shuffled; with one discard nothing is left.
                self.pile, self.discards = self.discards - 1, 1
            if not self.pile:
                break
            self.pile -= 1
            self.held[seat] += 1
            drawn += 1
        if drawn and self.owed == seat and self.held[seat] > 1:
            self.owed = None
        return drawn

    def _hit(self, seat: int, rank: Rank) -> None:
        self.pending += COSTS[rank]
        rules = self.rules
        passed_on = rules.stack_cross or (
            rules.stack_draw_two if rank is Rank.DRAW_TWO else rules.stack_wild_four
        )
        doubt = rank is Rank.WILD_FOUR and self.challenges
        if doubt or (passed_on and not self._laps_played):
            self.asked = "PENALTY", seat
        else:
            self._take(seat)

    def _take(self, seat: int) -> None:
        count, self.pending = self.pending, 0
        self._draw(seat, count)
        self._skip(seat)

    # Acts

    def act(self, seat: int, action: Action, faces: tuple[Card, ...], hand: Sequence[Card]) -> None:
        """Apply a legal act. `hand` is what the seat held before it."""
        if isinstance(action, Play):
            self.wanted = self.colour
            self.left = list(hand)
            self.left.remove(faces[action.card])
        match action:
            case Play():
                self._play(seat, action, faces[action.card])
            case Draw():
                self._draw_one(seat)
            case Keep():
                self._turn(self._after(seat))
            case NameColour(colour=colour):
                self.colour = Colour(colour)
                self._turn(seat)
            case SayUno():
                self.owed = None
            case Catch(seat=caught):
                self.owed = None
                self._draw(caught, self.rules.uno_penalty)
            case Accept():
                self._take(seat)
            case Challenge():
                assert self.doubted is not None
                self.challenger = seat
                self.asked = "SHOW", self.doubted
            case Show():
                self.asked = "VERDICT", self.challenger
            case RefuseShow():
                self._decide(guilty=True)
            case Verdict(guilty=guilty):
                self._decide(guilty=guilty)
            case RefuseVerdict():
                assert self.doubted is not None
                self.asked = "OPEN_HAND", self.doubted
            case OpenHand():
                self._decide(guilty=self._bluffed())
            case Swap(seat=other):
                self.held[seat], self.held[other] = self.held[other], self.held[seat]
                self.owed = None
                self._turn(self._after(seat))
            case _:
                raise AssertionError(f"not for this referee: {action}")

    def _punish(self, owed: int | None) -> None:
        """Punish a seat that still owes "UNO" when a turn begins."""
        if owed is not None and self.rules.uno is UnoRule.AUTOMATIC:
            self._draw(owed, self.rules.uno_penalty)

    def _draw_one(self, seat: int) -> None:
        nothing_left = self.pile == 0 and self.discards == 1
        owed, self.owed = self.owed, None
        self._punish(owed)
        if self._draw(seat, 1):
            self.passes = 0
            self.asked = "DRAWN", seat
            return
        self.passes += nothing_left
        if self.passes >= self.seats:
            self._end("BLOCKED")
        else:
            self._turn(self._after(seat))

    def _play(self, seat: int, action: Play, card: Card) -> None:
        owed, self.owed = self.owed, None
        if self.asked is not None and self.asked[0] == "PENALTY":
            self.turns += 1
        self.held[seat] -= 1
        self.discards += 1
        self.passes = 0
        self.colour = card.colour
        if action.colour is not None:
            self.colour = Colour(action.colour)
        if self.held[seat] == 1 and not action.uno:
            self.owed = seat
        fours = card.rank is Rank.WILD_FOUR and self.challenges and self.held[seat]
        self.doubted = seat if fours else None
        self._punish(owed)
        if self.held[seat] == 0:
            if card.rank in COSTS:
                self._draw(self._after(seat), self.pending + COSTS[card.rank])
                self.pending = 0
            self._end("OUT", seat)
        else:
            self._effect(seat, card.rank)

    def _effect(self, seat: int, rank: Rank) -> None:
        if rank is Rank.REVERSE:
            self.step = -self.step
        if self.rules.seven_zero and rank is Rank.SEVEN:
            self.asked = "QUESTION", seat
        elif rank in COSTS:
            self._hit(self._after(seat), rank)
        elif rank is Rank.SKIP or (rank is Rank.REVERSE and self.seats == 2):
            self._skip(self._after(seat))
        else:
            if self.rules.seven_zero and rank is Rank.ZERO:
                moved = {self._after(each): count for each, count in enumerate(self.held)}
                self.held = [moved[each] for each in range(self.seats)]
                self.owed = None
            self._turn(self._after(seat))

    def _bluffed(self) -> bool:
        return any(card.colour == self.wanted for card in self.left)

    def _decide(self, *, guilty: bool) -> None:
        assert self.doubted is not None
        count, self.pending = self.pending, 0
        if guilty:
            if self.owed == self.doubted:
                self.owed = None
            self._draw(self.doubted, count)
            self._turn(self.challenger)
        else:
            self._draw(self.challenger, count + self.rules.challenge_penalty)
            self._skip(self.challenger)
