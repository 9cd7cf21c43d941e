"""Scenarios of the kind `round`: the players at the table, their cards, and their acts.

This module sets up such a round and carries out its lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from lanuno.rules.cards import NO_COLOUR, CardId, Colour, Seat, Slot
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine.actions import (
    Accept,
    Accuse,
    Action,
    Catch,
    Challenge,
    Draw,
    Keep,
    NameColour,
    Object,
    OpenHand,
    Play,
    RefuseShow,
    RefuseVerdict,
    SayUno,
    Show,
    Swap,
    Verdict,
    Vote,
)
from lanuno.rules.engine.events import Shown
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import NOBODY, RoundPhase
from lanuno.rules.errors import IllegalAction
from lanuno.rules.refusals import ActRefusal
from tests.harness.rounds.scenario_language.files import Scenario
from tests.harness.rounds.scenario_language.words import (
    NAMES,
    face_ids,
    listed,
    numbered,
    ruleset_from,
)
from tests.harness.rounds.table_of_cards import CardTable, Order, shuffling

_QUESTIONS = {
    "to name a colour": RoundPhase.COLOUR,
    "to play or draw": RoundPhase.TURN,
    "to play the drawn card or keep it": RoundPhase.DRAWN,
    "to answer the penalty": RoundPhase.PENALTY,
    "to show the hand": RoundPhase.SHOW,
    "to give a verdict": RoundPhase.VERDICT,
    "to open the hand": RoundPhase.OPEN_HAND,
    "to choose a hand": RoundPhase.QUESTION,
}


class RoundStage:
    """A round being played."""

    def __init__(self, scenario: Scenario) -> None:
        given = dict(scenario.given)
        self.ruleset = ruleset_from(given.pop("ruleset", {}))
        self.names = NAMES[: given.pop("players", 3)]
        self._used: set[CardId] = set()
        self.held = False
        self.decision = 0
        """The number of the decision before the last move."""
        dealer = self.seat(given.pop("dealer", self.names[-1]))
        start, pile = given.pop("start", "red 0"), given.pop("pile", "")
        left, rest = given.pop("draw_pile", None), given.pop("rest", None)
        deck = self._deck(dealer, start, pile, given.pop("hands", {}), left)
        game = Round(self.ruleset, tuple(range(len(self.names))), dealer)
        self.table = CardTable(game, self._order(deck, given.pop("reshuffled", [])))
        assert not given, f"unknown entries: {sorted(given)}"
        self.table.start()
        if left is not None:
            self.table.run_down(left, None if rest is None else self.seat(rest))

    @property
    def game(self) -> Round:
        """The round."""
        return self.table.round

    def seat(self, name: str) -> Seat:
        """Return the seat of a player by name."""
        return self.names.index(name)

    def _take(self, names: str) -> list[CardId]:
        found = []
        for name in listed(names):
            card = next(c for c in face_ids(name, self.ruleset.deck) if c not in self._used)
            self._used.add(card)
            found.append(card)
        return found

    def _deck(
        self, dealer: Seat, start: str, pile: str, held: dict[str, str], left: int | None
    ) -> list[CardId]:
        """Return the dealt cards, the starting card and the pile; other cards fill the hands.

        If the pile is to run down to `left` cards, the named ones are at its end.
        """
        count = len(self.names)
        size = self.ruleset.hand_size
        first, named = self._take(start), self._take(pile)
        hands = {self.seat(name): self._take(cards) for name, cards in held.items()}
        rest = [card for card in range(self.ruleset.deck) if card not in self._used]
        for seat in range(count):
            hand = hands.setdefault(seat, [])
            assert len(hand) <= size, f"{self.names[seat]} is dealt {size} cards"
            while len(hand) < size:
                hand.append(rest.pop(0))
        order = [(dealer + 1 + place) % count for place in range(count)]
        dealt = [hands[seat][place] for place in range(size) for seat in order]
        if left is None:
            return [*dealt, *first, *named, *rest]
        under = len(rest) + len(named) - left
        return [*dealt, *first, *rest[:under], *named, *rest[under:]]

    def _order(self, deck: list[CardId], reshuffled: list[str]) -> Order:
        """Return an order: first this deck, then reshuffled piles with the named cards on top."""
        shuffle = shuffling(1)
        piles = iter(reshuffled)
        fresh = True

        def order(cards: list[CardId]) -> list[CardId]:
            nonlocal fresh
            if fresh:
                fresh = False
                return deck
            cards = shuffle(cards)
            top: list[CardId] = []
            for name in listed(next(piles, "")):
                wanted = face_ids(name, self.ruleset.deck)
                there = [card for card in cards if card in wanted and card not in top]
                assert there, f"no {name} goes into this shuffle"
                top.append(there[0])
            return [*top, *(card for card in cards if card not in top)]

        return order

    def move(self, method: str, *arguments: Any) -> None:
        """Call a method of the table, which then serves the round's needs unless they are held."""
        self.decision = self.game.decision
        if self.held:
            self.table.last = self.table.call(method, *arguments)
        else:
            getattr(self.table, method)(*arguments)

    # Acts

    def play(self, seat: Seat, words: str) -> Play:
        """A card or "the drawn card", perhaps "naming blue", perhaps "saying UNO".

        "red 1 as red 6" names another card than the slot holds.
        """
        words, said, _ = words.partition(" saying UNO")
        words, _, colour = words.partition(" naming ")
        game = self.game
        hand = [(slot, self.table.cards[slot]) for slot in game.hands.get(seat, ())]
        words, _, claimed = words.partition(" as ")
        if words == "the drawn card":
            held = [(slot, card) for slot, card in hand if slot == game.drawn]
        else:
            named = face_ids(words, self.ruleset.deck)
            held = [(slot, card) for slot, card in hand if card in named]
            held = held or [(-1, named[0])]
        slot, card = held[0]
        if claimed == "a card of no deck":
            card = self.ruleset.deck
        elif claimed:
            card = face_ids(claimed, self.ruleset.deck)[0]
        return Play(slot, card, int(Colour[colour.upper()]) if colour else None, bool(said))

    def act(self, line: str) -> tuple[Seat, Action] | None:
        """Return the act that a line describes."""
        for pattern, build in _ACTS:
            match = pattern.fullmatch(line)
            if match is not None:
                name, *rest = match.groups()
                if name in self.names:
                    seat = self.seat(name)
                    return seat, build(self, seat, *rest)
        return None

    def listed(self, seat: Seat) -> tuple[Action, ...]:
        """Return the acts that the engine offers to this seat, given the cards it may see."""
        return self.game.legal(seat, self.seen_by(seat))

    def seen_by(self, seat: Seat) -> dict[Slot, CardId]:
        """Return the seat's hand, and the hand shown to it if it is to give a verdict."""
        seen = self.table.known_to(seat)
        if self.game.phase is RoundPhase.VERDICT and seat == self.game.decider:
            seen |= {slot: self.table.cards[slot] for slot in self.game.accused_hand}
        return seen

    def do(self, line: str) -> None:
        """Carry out one line; raise AssertionError, with the difference, if it does not hold."""
        act = self.act(line)
        if act is not None:
            fault = self.game.refusal(*act, self.table.cards)
            assert fault is None, f"refused: {fault.name}"
            assert act[1] in self.listed(act[0]), "allowed, but not listed"
            self.move("act", *act)
            return
        for pattern, check in _LINES:
            match = pattern.fullmatch(line)
            if match is not None:
                check(self, *match.groups())
                return
        raise AssertionError(f"not in the language of scenarios: {line}")


def _other(build: Callable[[Seat], Action]) -> Callable[[RoundStage, Seat, str], Action]:
    return lambda stage, seat, name: build(stage.seat(name))


def _plain(action: Action) -> Callable[[RoundStage, Seat], Action]:
    return lambda stage, seat: action


_ACTS: list[tuple[re.Pattern[str], Callable[..., Action]]] = [
    (re.compile(r"(\w+) plays (.+)"), RoundStage.play),
    (re.compile(r"(\w+) draws"), _plain(Draw())),
    (re.compile(r"(\w+) keeps the card"), _plain(Keep())),
    (
        re.compile(r"(\w+) names (\w+)"),
        lambda stage, seat, colour: NameColour(int(Colour[colour.upper()])),
    ),
    (re.compile(r"(\w+) says UNO"), _plain(SayUno())),
    (re.compile(r"(\w+) catches (\w+)"), _other(Catch)),
    (re.compile(r"(\w+) accepts"), _plain(Accept())),
    (re.compile(r"(\w+) challenges"), _plain(Challenge())),
    (re.compile(r"(\w+) shows the hand"), _plain(Show())),
    (re.compile(r"(\w+) refuses to show"), _plain(RefuseShow())),
    (re.compile(r"(\w+) says guilty"), _plain(Verdict(True))),
    (re.compile(r"(\w+) says innocent"), _plain(Verdict(False))),
    (re.compile(r"(\w+) gives no verdict"), _plain(RefuseVerdict())),
    (re.compile(r"(\w+) opens the hand"), _plain(OpenHand())),
    (re.compile(r"(\w+) swaps hands with (\w+)"), _other(Swap)),
    (re.compile(r"(\w+) objects"), _plain(Object())),
    (re.compile(r"(\w+) accuses (\w+)"), _other(Accuse)),
    (re.compile(r"(\w+) votes yes"), _plain(Vote(True))),
    (re.compile(r"(\w+) votes no"), _plain(Vote(False))),
]


# All other lines


def _refused(stage: RoundStage, hand: str | None, reason: str, line: str) -> None:
    act = stage.act(line)
    assert act is not None, f"not an act: {line}"
    game, cards = stage.game, stage.table.cards
    live = game.refusal(*act)
    if hand is None:
        assert live is not None, "everybody would let it pass"
        assert live.name == reason, f"refused for {live.name}"
        try:
            game.act(*act)
        except IllegalAction as fault:
            assert fault.refusal is live
    else:
        assert live is None, f"refused by everybody for {live.name}"
        known = game.refusal(*act, cards)
        assert known is ActRefusal[reason], f"with all hands known: {known}"
        # The acting seat can tell from its own view that the act is wrong.
        assert game.refusal(*act, stage.seen_by(act[0])) is known
    assert act[1] not in stage.listed(act[0]), "listed all the same"


def _unchecked(stage: RoundStage, line: str) -> None:
    act = stage.act(line)
    assert act is not None, f"not an act: {line}"
    assert stage.game.refusal(*act, stage.table.cards) is not None, "it is allowed"
    stage.move("act", *act)


def _clock(stage: RoundStage, times: str | None, known: str | None) -> None:
    for _ in range(int(times or 1)):
        decider = stage.game.decider
        assert decider is not None, "nobody has to decide"
        hand = stage.table.known_to(decider) if known else {}
        stage.move("act", decider, stage.game.clock_action(hand))


def _settle(stage: RoundStage, matter: Matter) -> None:
    stage.move("settle", matter)


def _hold(stage: RoundStage) -> None:
    stage.held = True


def _let_go(stage: RoundStage) -> None:
    stage.held = False
    stage.table.serve()


def _shuffle(stage: RoundStage) -> None:
    assert stage.game.phase is RoundPhase.SHUFFLE, f"the phase is {stage.game.phase.name}"


def _opening(stage: RoundStage) -> None:
    assert stage.game.phase is RoundPhase.OPEN, f"the phase is {stage.game.phase.name}"


def _shuffles(stage: RoundStage, count: str) -> None:
    assert stage.game.deal == int(count), f"there were {stage.game.deal}"


def _question(stage: RoundStage, name: str, question: str) -> None:
    game = stage.game
    decider = None if game.decider is None else stage.names[game.decider]
    assert decider == name, f"it is {decider}"
    assert game.phase is _QUESTIONS[question], f"the phase is {game.phase.name}"


def _nobody(stage: RoundStage) -> None:
    assert stage.game.decider is None, f"it is seat {stage.game.decider}"


def _objections(stage: RoundStage) -> None:
    assert stage.game.phase is RoundPhase.OBJECTION, f"the phase is {stage.game.phase.name}"


def _dealt(stage: RoundStage, names: str) -> None:
    order = [stage.seat(name) for name in listed(names)]
    for seat, slots in stage.game.hands.items():
        assert all(slot % len(order) == order.index(seat) for slot in slots), f"seat {seat}"


def _count(stage: RoundStage, name: str, count: str) -> None:
    names = stage.names if name == "everybody" else (name,)
    for each in names:
        held = stage.table.hand(stage.seat(each))
        assert len(held) == int(count), f"{each} holds {len(held)} cards"


def _holds(stage: RoundStage, name: str, cards: str) -> None:
    faces = deck_tables(stage.ruleset.deck).faces
    held = [faces[card] for card in stage.table.hand(stage.seat(name))]
    wanted = [faces[face_ids(part, stage.ruleset.deck)[0]] for part in listed(cards)]
    assert sorted(map(repr, held)) == sorted(map(repr, wanted)), f"{name} holds {held}"


def _colour(stage: RoundStage, colour: str) -> None:
    now = stage.game.colour
    assert now != NO_COLOUR, "no colour is named"
    assert Colour(now).name == colour.upper(), Colour(now).name


def _top(stage: RoundStage, card: str) -> None:
    assert stage.game.top in face_ids(card, stage.ruleset.deck), stage.game.top


def _discards(stage: RoundStage, cards: str) -> None:
    faces = deck_tables(stage.ruleset.deck).faces
    lie = [faces[card] for _, card in stage.game.discard]
    wanted = [faces[face_ids(part, stage.ruleset.deck)[0]] for part in listed(cards)]
    assert lie == wanted, lie


def _direction(stage: RoundStage, counter: str | None) -> None:
    assert stage.game.direction == (-1 if counter else 1)


def _owes(stage: RoundStage, name: str) -> None:
    owed = stage.game.uno_owed
    expected = None if name == "nobody" else stage.seat(name)
    assert owed == expected, f"it is seat {owed}"


def _penalty(stage: RoundStage, count: str) -> None:
    assert stage.game.penalty == int(count), f"it is {stage.game.penalty}"


def _challenge(stage: RoundStage, negation: str | None) -> None:
    assert (stage.game.accused == NOBODY) == bool(negation)


def _shown(stage: RoundStage, name: str) -> None:
    shown = [event for event in stage.table.last if isinstance(event, Shown)]
    assert [event.to for event in shown] == [stage.seat(name)], shown


def _seen_by_all(stage: RoundStage, cards: str, name: str) -> None:
    hand = stage.game.hands[stage.seat(name)]
    faces = deck_tables(stage.ruleset.deck).faces
    seen = [faces[stage.game.face_up[slot]] for slot in hand if slot in stage.game.face_up]
    wanted = [faces[face_ids(part, stage.ruleset.deck)[0]] for part in listed(cards)]
    assert sorted(map(repr, seen)) == sorted(map(repr, wanted)), f"all see {seen}"


def _vote(stage: RoundStage, negation: str | None) -> None:
    assert (stage.game.accusation is None) == bool(negation)


def _pile(stage: RoundStage, count: str) -> None:
    left = stage.game.pile_end - stage.game.pile_next
    assert left == int(count), f"it holds {left}"


def _turns(stage: RoundStage, count: str) -> None:
    assert stage.game.turns == int(count), f"there were {stage.game.turns}"


def _new_decision(stage: RoundStage) -> None:
    assert stage.game.decision > stage.decision, f"it is still {stage.decision}"


def _over(stage: RoundStage, ending: str) -> None:
    assert stage.game.phase is RoundPhase.OVER, f"the phase is {stage.game.phase.name}"
    assert stage.game.ending is not None
    assert stage.game.ending.name == ending.upper(), stage.game.ending.name


def _winners(stage: RoundStage, names: str) -> None:
    result = stage.game.reveal(stage.table.cards)
    winners = [stage.names[seat] for seat in result.winners] or ["nobody"]
    assert winners == listed(names), winners


def _left(stage: RoundStage, names: str) -> None:
    left = [stage.names[seat] for seat in stage.game.reveal(stage.table.cards).left]
    assert left == listed(names), left


def _points(stage: RoundStage, points: str) -> None:
    result = stage.game.reveal(stage.table.cards)
    found = dict(zip((stage.names[seat] for seat in result.seats), result.points, strict=True))
    assert found == numbered(points), found


_LINES: list[tuple[re.Pattern[str], Callable[..., None]]] = [
    (re.compile(r"refused( by the audit)?, (\w+): (.+)"), _refused),
    (re.compile(r"nobody sees it: (.+)"), _unchecked),
    (re.compile(r"the clock runs out(?: (\d+) times)?(, the hand being known)?"), _clock),
    (re.compile(r"nobody objects in time"), lambda stage: _settle(stage, Matter.CARD)),
    (re.compile(r"the vote closes"), lambda stage: _settle(stage, Matter.VOTE)),
    (re.compile(r"(\w+) leaves"), lambda stage, name: stage.move("drop", stage.seat(name))),
    (re.compile(r"hold the shuffle|hold the cards"), _hold),
    (re.compile(r"let the shuffle go on|let the cards be opened"), _let_go),
    (re.compile(r"expect a shuffle"), _shuffle),
    (re.compile(r"expect cards to be opened"), _opening),
    (re.compile(r"expect (\d+) shuffles? so far"), _shuffles),
    (re.compile(r"expect objections to be possible"), _objections),
    (re.compile(r"expect (\w+) (to (?!have left|see ).+)"), _question),
    (re.compile(r"expect nobody asked"), _nobody),
    (re.compile(r"expect cards dealt in the order (.+)"), _dealt),
    (re.compile(r"expect (\w+) with (\d+) cards?"), _count),
    (re.compile(r"expect (\w+) holding (.+)"), _holds),
    (re.compile(r"expect colour (\w+)"), _colour),
    (re.compile(r"expect top card (.+)"), _top),
    (re.compile(r"expect discards (.+)"), _discards),
    (re.compile(r"expect play (counter-)?clockwise"), _direction),
    (re.compile(r"expect (\w+) owing UNO"), _owes),
    (re.compile(r"expect (\d+) cards pending"), _penalty),
    (re.compile(r"expect (no )?challenge possible"), _challenge),
    (re.compile(r"expect the hand shown to (\w+) alone"), _shown),
    (re.compile(r"expect everybody to see (.+) in the hand of (\w+)"), _seen_by_all),
    (re.compile(r"expect (no )?vote running"), _vote),
    (re.compile(r"expect (\d+) cards? in the draw pile"), _pile),
    (re.compile(r"expect (\d+) turns? counted"), _turns),
    (re.compile(r"expect a new decision"), _new_decision),
    (re.compile(r"expect the round over: (\w+)"), _over),
    (re.compile(r"expect winner (.+)"), _winners),
    (re.compile(r"expect (.+) to have left"), _left),
    (re.compile(r"expect points (.+)"), _points),
]
