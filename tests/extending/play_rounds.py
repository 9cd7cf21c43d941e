"""Run in the changed copy: random rounds and rounds between bots with the new cards.

Asserts the effects of the cards. Prints how often each thing happened as one JSON object.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping

from lanuno.bots.player import Player
from lanuno.bots.simulated_dealer import check_cards
from lanuno.bots.simulation import Simulation
from lanuno.rules.cards import Rank
from lanuno.rules.engine.actions import Action, Keep, Play, Swap
from lanuno.rules.engine.events import HandsMoved, RoundEnding
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.ruleset import DrawnRule, DrawRule, Format, Manners, Ruleset, UnoRule, WildFour
from lanuno.rules.view import SeatView
from tests.harness.rounds.invariants import goes_on, knowledge_refuses, same_acts, whole_deck
from tests.harness.rounds.random_play import play_randomly
from tests.harness.rounds.table_of_cards import CardTable

DECK = 116
DISCARD_ALL = Rank["DISCARD_ALL"]
SWAP_HANDS = Rank["SWAP_HANDS"]

RULES: Mapping[str, Ruleset] = {
    "plain": Ruleset(deck=DECK, hand_size=3),
    "hands_move": Ruleset(deck=DECK, seven_zero=True, jump_in=True, stack_cross=True),
    "honour": Ruleset(deck=DECK, manners=Manners.HONOUR, advice=True, hand_size=4),
    "forced": Ruleset(
        deck=DECK,
        uno=UnoRule.AUTOMATIC,
        wild_four=WildFour.STRICTEST,
        draw=DrawRule.STUCK,
        drawn=DrawnRule.FORCED,
        draw_until_playable=True,
        hand_size=3,
    ),
    "laps": Ruleset(deck=DECK, format=Format.LAPS, laps=6),
}


class Effects:
    """Checks and counts the effects of the new cards after every input."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()
        self._before: CardTable | None = None

    def __call__(self, table: CardTable) -> None:
        before, self._before = self._before, table.copy()
        if before is not None and len(table.inputs) > len(before.inputs):
            method, arguments = table.inputs[-1]
            if method == "act":
                self._acted(before, table, *arguments)

    def _acted(self, before: CardTable, after: CardTable, seat: int, action: Action) -> None:
        was, now = before.round, after.round
        asked = was.phase is RoundPhase.QUESTION and was.actor == seat
        rank = Rank(was.deck.ranks[was.top])
        match action:
            case Play() if asked:
                assert rank is DISCARD_ALL
                self._laid_under(before, after, seat, action)
            case Play() if was.deck.ranks[action.card] in (DISCARD_ALL, SWAP_HANDS):
                name = Rank(was.deck.ranks[action.card]).name
                self.seen[f"played {name}"] += 1
                if now.hands[seat] and now.laid is None and not now.agenda:
                    assert (now.phase, now.actor) == (RoundPhase.QUESTION, seat)
                    self.seen[f"asked by {name}"] += 1
            case Keep() if asked:
                assert rank is DISCARD_ALL
                assert now.hands[seat] == was.hands[seat]
                assert now.over or now.stage is RoundPhase.TURN
                self.seen["kept"] += 1
            case Swap() if rank is SWAP_HANDS:
                assert now.hands[seat] == was.hands[action.seat]
                assert now.hands[action.seat] == was.hands[seat]
                assert any(isinstance(event, HandsMoved) for event in after.last)
                assert was.colour == now.colour
                self.seen["swapped"] += 1
            case _:
                pass

    def _laid_under(self, before: CardTable, after: CardTable, seat: int, action: Play) -> None:
        was, now = before.round, after.round
        faces = was.deck.faces
        assert faces[action.card].colour == faces[was.top].colour
        assert action.colour is None
        assert len(now.hands[seat]) == len(was.hands[seat]) - 1
        assert now.discard[-2:] == [(action.slot, action.card), was.discard[-1]]
        assert (now.top, now.colour, now.direction) == (was.top, was.colour, was.direction)
        assert (now.penalty, now.turns) == (was.penalty, was.turns)
        self.seen["laid under"] += 1
        self.seen["laid under, with an effect of its own"] += not faces[action.card].is_number
        if now.hands[seat]:
            assert (now.stage, now.actor) == (RoundPhase.QUESTION, seat)
            assert now.decision > was.decision
        else:
            assert (now.ending, now.out) == (RoundEnding.OUT, seat)
            self.seen["out by a card laid under"] += 1
        if len(now.hands[seat]) == 1:
            assert (now.uno_owed == seat) != action.uno
            self.seen["uno said" if action.uno else "uno owed"] += 1


def by_chance(ruleset: Ruleset, seats: int, seed: int, leaving: float) -> Counter[str]:
    """Play a round of random legal acts."""
    effects = Effects()

    def check(table: CardTable) -> None:
        effects(table)
        whole_deck(table)
        if table.round.ending is None and len(table.round.seats) == len(table.round.dealt_seats):
            check_cards(table.round, table.cards)
        goes_on(table)
        if len(table.inputs) % 5 == 0 or table.round.phase is RoundPhase.QUESTION:
            same_acts(table)
            knowledge_refuses(table)

    table = CardTable.deal(ruleset, seats, seed=seed)
    play_randomly(table, seed, check, leaving=leaving, playing=0.8)
    return effects.seen


class Watched:
    """A bot whose choices are counted."""

    def __init__(self, name: str, player: Player, seen: Counter[str]) -> None:
        self._name = name
        self._player = player
        self._seen = seen

    def choose(self, view: SeatView) -> Action | None:
        """Return the bot's choice and count it."""
        action = self._player.choose(view)
        if view.phase is RoundPhase.QUESTION and view.decider == view.seat and action is not None:
            self._seen[f"{self._name}: {view.question} {type(action).__name__}"] += 1
        return action


def between_bots(ruleset: Ruleset, rounds: int) -> Counter[str]:
    """Play rounds between bots of all kinds; the simulation checks that every act is legal."""
    seen: Counter[str] = Counter()
    simulation = Simulation(ruleset, 4, seed=1)
    simulation._players = [
        Watched(name, player, seen)
        for name, player in zip(simulation.names, simulation._players, strict=True)
    ]
    for _ in simulation.play(rounds):
        pass
    return seen


def main() -> None:
    """Play all rounds and print the counts."""
    chance = {
        name: sum(
            (by_chance(rules, 2 + seed % 4, seed, 0.01 * (seed % 2)) for seed in range(20)),
            Counter[str](),
        )
        for name, rules in RULES.items()
    }
    bots = {name: between_bots(rules, 25) for name, rules in RULES.items()}
    sys.stdout.write(json.dumps({"chance": chance, "bots": bots}))


if __name__ == "__main__":
    main()
