"""Players that act on what the screen shows: they play any card that fits, or else draw.

One uses the mouse, the other the keyboard alone. Both know only what a screen reader announces.
"""

from __future__ import annotations

import re
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

from lanuno.store.app_state import AppState, TableWishes, save_app_state
from lanuno.store.paths import Home
from lanuno.store.settings import Settings, save_settings
from tests.harness.screens.screen import Item, Screen, ScreenContents

PLACE = re.compile(r", (\d+) of (\d+)$")
COLOURS = ("Red", "Yellow", "Green", "Blue")
REPEAT_SECONDS = 3.0
"""Seconds after which a player tries again if nothing has happened."""
LONGEST_ROUND = 200.0
"""Seconds after which a round counts as stuck."""


def question(seen: ScreenContents) -> list[Item]:
    """Return the answers to the open question, the one that agrees first; [] without a question."""
    for number, item in enumerate(seen.items):
        if item.role == "Dialog":
            return [each for each in seen.items[number:] if each.role == "Button"]
    return []


def hand(seen: ScreenContents) -> list[Item]:
    """Return the cards of this player's hand, from left to right."""
    return [item for item in seen.items if item.role == "Button" and PLACE.search(item.name)]


def best(answers: list[Item], cards: list[Item]) -> Item:
    """Return the most frequent colour of the hand, or the answer that agrees."""
    if answers[0].name not in COLOURS:
        return answers[0]
    return max(answers[:4], key=lambda each: sum(each.name in card.name for card in cards))


class Player(ABC):
    """Does one thing at a time."""

    def __init__(self, screen: Screen) -> None:
        """Start with nothing done."""
        self.screen = screen
        self.acts = 0
        self._before: object = None
        self._since = 0.0

    def step(self) -> ScreenContents:
        """Look at the screen, act if anything is new, and return what was seen."""
        seen = self.screen.look()
        if seen.page != "table":
            return seen
        answers = question(seen)
        cards = hand(seen)
        fits = [card for card in cards if ", playable" in card.name]
        focus = seen.focused
        now = (
            tuple(each.name for each in answers),
            tuple(each.name for each in cards),
            None if focus is None else focus.name,
        )
        if now == self._before and time.monotonic() < self._since + REPEAT_SECONDS:
            return seen  # it was pressed, and the screen has not caught up
        if answers:
            self.answer(seen, best(answers, cards))
        elif fits:
            uno = seen.find("Say UNO", role="Button")
            if len(cards) == 2 and uno is not None:
                self.say_uno(uno)
            self.play(seen, cards, fits[0])
        elif keep := seen.find("Keep", role="Button"):
            self.keep(keep)
        elif draw := seen.find("Draw", role="Button"):
            self.draw(draw)
        else:
            return seen
        self.acts += 1
        self._before, self._since = now, time.monotonic()
        return seen

    @abstractmethod
    def answer(self, seen: ScreenContents, chosen: Item) -> None:
        """Give this answer to the question."""

    @abstractmethod
    def say_uno(self, button: Item) -> None:
        """Say "UNO" with the next card."""

    @abstractmethod
    def play(self, seen: ScreenContents, cards: list[Item], chosen: Item) -> None:
        """Play this card."""

    @abstractmethod
    def keep(self, button: Item) -> None:
        """Keep the drawn card."""

    @abstractmethod
    def draw(self, button: Item) -> None:
        """Draw a card."""


class MousePlayer(Player):
    """A player that clicks."""

    def answer(self, seen: ScreenContents, chosen: Item) -> None:
        self.screen.click_at(chosen.middle)

    def say_uno(self, button: Item) -> None:
        self.screen.click_at(button.middle)

    def play(self, seen: ScreenContents, cards: list[Item], chosen: Item) -> None:
        # No other card covers its left strip.
        self.screen.click_at(chosen.edge)

    def keep(self, button: Item) -> None:
        self.screen.click_at(button.middle)

    def draw(self, button: Item) -> None:
        self.screen.click_at(button.middle)


class KeyPlayer(Player):
    """A player that presses keys."""

    def answer(self, seen: ScreenContents, chosen: Item) -> None:
        if chosen.name in COLOURS:
            self.screen.keys(str(COLOURS.index(chosen.name) + 1))
        else:
            self.screen.keys("a")

    def say_uno(self, button: Item) -> None:
        self.screen.keys("u")

    def play(self, seen: ScreenContents, cards: list[Item], chosen: Item) -> None:
        """Move to the card with the arrow keys, from the card that has the focus."""
        here = next((n for n, card in enumerate(cards) if card.focused), None)
        if here is None:
            self.screen.keys("Left")
            return
        way = cards.index(chosen) - here
        self.screen.keys(*["Right" if way > 0 else "Left"] * abs(way), "Return")

    def keep(self, button: Item) -> None:
        self.screen.keys("k")

    def draw(self, button: Item) -> None:
        self.screen.keys("d")


def moved_in(
    folder: Path, motion: float = 1.0, *, one_round: bool = False, adapter: str | None = "lo"
) -> Path:
    """Prepare the folders of a player: loopback is the network, and hands have three cards.

    `adapter`: another network; None for all. `one_round`: the last table was a short match of two
    seats. Return the folder.
    """
    home = Home.at(folder)
    save_settings(home, Settings(adapter=adapter, language="en", practice_bots=1, motion=motion))
    # The app opens a table with the rules of the last one.
    rules: dict[str, bool | int | str] = {"hand_size": 3}
    short = TableWishes(rules=rules)
    if one_round:
        short = TableWishes(preset="masters-short", seats=2, rules=rules)
    save_app_state(home, AppState(table=short))
    return folder


def enter_name(shown: Screen, name: str) -> None:
    """Answer the first question of a new profile."""
    shown.click("Your name", role="EditableText")
    shown.keys("ctrl+a")
    shown.type(name)
    shown.click("That’s me", role="Button")


def play_a_round(players: Sequence[Player]) -> None:
    """Let the players act until all of them see the result."""
    end = time.monotonic() + LONGEST_ROUND
    while {player.step().page for player in players} != {"result"}:
        assert time.monotonic() < end, players[0].screen.look().words
        time.sleep(0.05)
