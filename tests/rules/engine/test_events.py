"""The events are complete: the public state can be derived from them alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lanuno.rules.cards import NO_COLOUR
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine import actions, events
from lanuno.rules.engine.events import DrawReason, GameEvent, RoundEnding
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import NO_CARD
from lanuno.rules.ruleset import Ruleset
from tests.harness.rounds.random_play import fitting, leavers, often, play_randomly, rulesets, seeds
from tests.harness.rounds.table_of_cards import CardTable, shuffling

EVENT_OF_ACT: dict[type, type] = {
    actions.Play: events.Played,
    actions.Keep: events.Kept,
    actions.NameColour: events.ColourNamed,
    actions.SayUno: events.UnoSaid,
    actions.Catch: events.UnoMissed,
    actions.Accept: events.Accepted,
    actions.Challenge: events.Challenged,
    actions.Show: events.Shown,
    actions.RefuseShow: events.ShowRefused,
    actions.Verdict: events.ChallengeDecided,
    actions.Swap: events.HandsMoved,
    actions.Object: events.Objected,
    actions.Accuse: events.Accused,
    actions.Vote: events.Voted,
    actions.OpenHand: events.OpenNeeded,
    actions.RefuseVerdict: events.VerdictRefused,
}
"""By act: its event. The event of a draw may come later or not at all."""


class Listener:
    """A listener that receives the events of a round and nothing else."""

    def __init__(self, ruleset: Ruleset, seats: int) -> None:
        self.deck = deck_tables(ruleset.deck)
        self.seats = list(range(seats))
        self.hands: dict[int, list[int]] = {}
        self.lying: list[tuple[int, int]] = []
        """The discards that are not being shuffled: slots and cards."""
        self.fallen: set[int] = set()
        """Slots of seats that left."""
        self.colour = NO_COLOUR
        self.before = NO_COLOUR
        """The colour before the last card."""
        self.clockwise = True
        self.player: int | None = None
        """The seat that played last."""
        self.on_turn: int | None = None
        self.turns = 0
        self.passing: int | None = None
        """The seat that found nothing to draw and has to pass."""
        self.owed: int | None = None
        self.pending: int | None = None
        """The seat that has to answer a penalty."""
        self.doubtful = False
        self.challenge: tuple[int, int] | None = None
        """A challenge that is not settled: (challenger, accused)."""
        self.opened: tuple[int, ...] = ()
        """A hand that is opened to everybody."""
        self.found: bool | None = None
        """Whether the opened hand was guilty."""
        self.accused: int | None = None
        self.votes: dict[int, bool] = {}
        self.pile = 0
        self.needs: list[int] = []
        self.readable: dict[int, int] = {}
        """By slot in a hand: the seat that may read it."""
        self.over: tuple[RoundEnding, int | None] | None = None
        self.shuffling = False
        self.recent: list[type] = []
        """The events since the last call."""

    def hear(self, event: GameEvent) -> None:
        """Update this state from one more event."""
        self.recent.append(type(event))
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", type(event).__name__).lower()
        handler: Callable[[Any], None] = getattr(self, f"_{name}")
        handler(event)

    def _shuffle_needed(self, event: events.ShuffleNeeded) -> None:
        self.shuffling = event.first_slot > 0
        self.pile = len(event.cards) + len(event.slots)
        self.lying = [each for each in self.lying if each[1] not in event.cards]

    def _reshuffled(self, event: events.Reshuffled) -> None:
        assert event.cards == self.pile
        assert self.shuffling
        self.shuffling = False

    def _open_needed(self, event: events.OpenNeeded) -> None:
        self.needs.append(event.need)
        if event.to is not None:
            assert set(event.slots) <= set(self.hands[event.to])
            self.readable.update(dict.fromkeys(event.slots, event.to))
        elif self.challenge is not None and set(event.slots) <= set(self._challenged_hand):
            self.opened = event.slots
        elif not set(event.slots) <= self.fallen:
            self.pile -= len(event.slots)

    def _dealt(self, event: events.Dealt) -> None:
        self.hands[event.seat] = list(event.slots)
        self.pile -= len(event.slots)

    def _starting_card_returned(self, event: events.StartingCardReturned) -> None:
        assert event.card not in self.deck.starting

    def _starting_card(self, event: events.StartingCard) -> None:
        self.lying.append((event.slot, event.card))
        self.colour = self.deck.colours[event.card]

    def _turn_started(self, event: events.TurnStarted) -> None:
        assert self.passing is None
        self.on_turn = event.seat
        self.turns += 1
        self.pending = None

    def _skipped(self, event: events.Skipped) -> None:
        self.turns += 1
        self.pending = None

    def _played(self, event: events.Played) -> None:
        hand = self.hands[event.seat]
        assert event.jumped == (event.seat != self._asked)
        if self.pending is not None:
            self.turns += 1
            self.pending = None
        hand.remove(event.slot)
        assert event.left == len(hand)
        self.player = event.seat
        self.lying.append((event.slot, event.card))
        self.before, self.colour = self.colour, self.deck.colours[event.card]
        if event.left == 1:
            self.owed = event.seat

    @property
    def _asked(self) -> int | None:
        return self.on_turn if self.pending is None else self.pending

    def _colour_named(self, event: events.ColourNamed) -> None:
        assert self.colour == NO_COLOUR
        self.colour = event.colour

    def _drew(self, event: events.Drew) -> None:
        self.hands[event.seat].extend(event.slots)
        self.pile -= len(event.slots)
        assert event.why is not DrawReason.TURN or event.seat == self.on_turn

    def _kept(self, event: events.Kept) -> None:
        assert event.seat == self.on_turn

    def _passed(self, event: events.Passed) -> None:
        assert event.seat == self.on_turn == self.passing
        self.passing = None

    def _nothing_to_draw(self, event: events.NothingToDraw) -> None:
        assert self.pile == 0
        assert event.missing
        if event.why is DrawReason.TURN:
            self.passing = event.seat

    def _direction_turned(self, event: events.DirectionTurned) -> None:
        assert event.clockwise != self.clockwise
        assert event.seat == self.player
        self.clockwise = event.clockwise

    def _penalty_pending(self, event: events.PenaltyPending) -> None:
        self.pending, self.doubtful = event.seat, event.challengeable

    def _accepted(self, event: events.Accepted) -> None:
        assert event.seat == self.pending

    def _challenged(self, event: events.Challenged) -> None:
        assert event.seat == self.pending
        assert self.doubtful
        assert set(event.slots) <= set(self.hands.get(event.accused, event.slots))
        self.challenge = event.seat, event.accused

    def _shown(self, event: events.Shown) -> None:
        assert (event.to, event.seat) == self.challenge

    def _show_refused(self, event: events.ShowRefused) -> None:
        assert self.challenge is not None
        assert event.seat == self.challenge[1]

    def _verdict_refused(self, event: events.VerdictRefused) -> None:
        assert self.challenge is not None
        assert event.seat == self.challenge[0]

    def _hand_opened(self, event: events.HandOpened) -> None:
        assert self.challenge is not None
        assert event.seat == self.challenge[1]
        assert event.slots == self.opened
        self.found = event.guilty

    @property
    def _challenged_hand(self) -> list[int]:
        return [] if self.challenge is None else self.hands.get(self.challenge[1], [])

    def _challenge_decided(self, event: events.ChallengeDecided) -> None:
        assert (event.seat, event.accused) == self.challenge
        assert self.found in (None, event.guilty)
        self.challenge = self.found = None

    def _uno_said(self, event: events.UnoSaid) -> None:
        assert event.seat == self.owed
        self.owed = None

    def _uno_missed(self, event: events.UnoMissed) -> None:
        self._no_longer_owed(event.seat)

    def _uno_lapsed(self, event: events.UnoLapsed) -> None:
        self._no_longer_owed(event.seat)

    def _no_longer_owed(self, seat: int) -> None:
        assert seat == self.owed
        self.owed = None

    def _hands_moved(self, event: events.HandsMoved) -> None:
        for giver, _, slots in event.moves:
            assert self.hands[giver] == list(slots)
        for _, receiver, slots in event.moves:
            self.hands[receiver] = list(slots)
            self.readable.update(dict.fromkeys(slots, receiver))

    def _objected(self, event: events.Objected) -> None:
        assert self.lying.pop() == (event.slot, event.card)
        self.hands[event.seat].append(event.slot)
        self.colour = self.before

    def _settled(self, event: events.Settled) -> None:
        assert self.lying[-1][0] not in self.hands.get(event.seat, ())

    def _accused(self, event: events.Accused) -> None:
        self.accused, self.votes = event.seat, {event.by: True}

    def _voted(self, event: events.Voted) -> None:
        self.votes[event.seat] = event.guilty

    def _vote_decided(self, event: events.VoteDecided) -> None:
        assert event.seat == self.accused
        self.accused = None

    def _seat_left(self, event: events.SeatLeft) -> None:
        assert self.hands.pop(event.seat, []) == list(event.slots)
        self.seats.remove(event.seat)
        self.fallen.update(event.slots)
        self.votes.pop(event.seat, None)

    def _round_over(self, event: events.RoundOver) -> None:
        self.over = event.ending, event.seat
        self.owed = self.accused = None


def agree(listener: Listener, table: CardTable) -> None:
    """Check that the state derived from events equals the public state."""
    game = table.round
    assert listener.seats == list(game.seats)
    assert listener.hands == game.hands
    for seat, hand in game.hands.items():
        assert {listener.readable[slot] for slot in hand} <= {seat}
    assert listener.clockwise == (game.direction > 0)
    assert listener.owed == game.uno_owed
    assert listener.turns == game.turns
    assert listener.needs == sorted(set(listener.needs))
    assert listener.over == (None if game.ending is None else (game.ending, game.out))
    played = [each for each in game.discard if each[0] not in listener.fallen]
    if game.ending is not RoundEnding.VOID:
        assert [each for each in listener.lying if each[0] not in listener.fallen] == played
    top = listener.lying[-1][1] if listener.lying else NO_CARD
    assert top == game.top
    if listener.on_turn is not None:
        assert listener.colour == game.colour
    if game.shuffle is None and not game.over:
        assert listener.pile == game.pile_end - game.pile_next
    running = game.accusation
    assert listener.accused == (None if running is None else running.accused)
    assert running is None or listener.votes == running.votes
    if game.decider is not None and game.phase.name == "TURN":
        assert listener.on_turn == game.decider
    if game.phase.name == "PENALTY":
        assert listener.pending == game.decider


@settings(max_examples=120)
@given(rulesets, st.integers(2, 6), seeds, often, leavers)
def test_the_public_state_follows_from_the_events(
    ruleset: Ruleset, seats: int, seed: int, hoarding: float, leaving: float
) -> None:
    rules = fitting(ruleset, seats)
    listener = Listener(rules, seats)
    table = CardTable(Round(rules, tuple(range(seats)), seed % seats), shuffling(seed))
    table.listener = listener.hear
    table.call("start")

    def check(table: CardTable) -> None:
        agree(listener, table)
        method, arguments = table.inputs[-1]
        if method == "act":
            expected = EVENT_OF_ACT.get(type(arguments[1]))
            assert expected is None or expected in listener.recent
        listener.recent.clear()

    play_randomly(table, seed, check, hoarding=hoarding, leaving=leaving)
