"""Scenarios of the kind `dealer`: each player turns a card to choose the first round's dealer.

This module sets up such a round and carries out its lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from lanuno.rules.cards import Seat
from lanuno.rules.engine.actions import Draw
from lanuno.rules.engine.dealer import DealerRound
from lanuno.rules.engine.events import DealerTie
from lanuno.rules.engine.state import RoundPhase
from tests.harness.rounds.scenario_language.files import Scenario
from tests.harness.rounds.scenario_language.words import NAMES, face_ids, listed, ruleset_from
from tests.harness.rounds.table_of_cards import CardTable


class DealerStage:
    """A round that chooses the dealer."""

    def __init__(self, scenario: Scenario) -> None:
        given = dict(scenario.given)
        ruleset = ruleset_from(given.pop("ruleset", {}))
        self.names = NAMES[: given.pop("players", 3)]
        top: list[int] = []
        for name in listed(given.pop("cards")):
            top.append(next(card for card in face_ids(name, ruleset.deck) if card not in top))
        deck = [*top, *(card for card in range(ruleset.deck) if card not in top)]
        self.held = given.pop("slowly", False)
        self.game = DealerRound(ruleset, tuple(range(len(self.names))))
        self.table = CardTable(self.game, lambda _: deck.copy())
        assert not given, f"unknown entries: {sorted(given)}"
        if self.held:
            self.table.events += self.table.call("start")
        else:
            self.table.start()

    def seat(self, name: str) -> Seat:
        """Return the seat of a player by name."""
        return self.names.index(name)

    def do(self, line: str) -> None:
        """Carry out one line; raise AssertionError, with the difference, if it does not hold."""
        for pattern, check in _LINES:
            match = pattern.fullmatch(line)
            if match is not None:
                check(self, *match.groups())
                return
        raise AssertionError(f"not in the language of scenarios: {line}")


def _next_step(stage: DealerStage) -> None:
    stage.table.events += stage.table.serve_once()


def _leaves(stage: DealerStage, name: str) -> None:
    stage.table.events += stage.table.call("drop", stage.seat(name))


def _deals(stage: DealerStage, name: str) -> None:
    assert stage.game.over, "nobody deals yet"
    assert stage.game.reveal().dealer == stage.seat(name), stage.game.dealer


def _nobody_yet(stage: DealerStage) -> None:
    assert not stage.game.over


def _tie(stage: DealerStage, names: str) -> None:
    ties = [event.seats for event in stage.table.events if isinstance(event, DealerTie)]
    expected = tuple(stage.seat(name) for name in listed(names))
    assert expected in ties, f"the ties were {ties}"


def _open_cards(stage: DealerStage, name: str, count: str) -> None:
    assert len(stage.game.hands[stage.seat(name)]) == int(count)


def _shuffling(stage: DealerStage) -> None:
    assert stage.game.phase is RoundPhase.SHUFFLE, stage.game.phase.name


def _refused(stage: DealerStage, reason: str, name: str) -> None:
    refusal = stage.game.refusal(stage.seat(name), Draw())
    assert refusal.name == reason, refusal.name


_LINES: list[tuple[re.Pattern[str], Callable[..., None]]] = [
    (re.compile(r"the table goes on"), _next_step),
    (re.compile(r"(\w+) leaves"), _leaves),
    (re.compile(r"refused, (\w+): (\w+) draws"), _refused),
    (re.compile(r"expect (\w+) to deal"), _deals),
    (re.compile(r"expect no dealer yet"), _nobody_yet),
    (re.compile(r"expect a tie between (.+)"), _tie),
    (re.compile(r"expect (\w+) with (\d+) open cards?"), _open_cards),
    (re.compile(r"expect a shuffle"), _shuffling),
]
