"""Somebody who plays by what is on the screen: whatever fits is laid, else a card is drawn.

Two ways to do it: with the mouse, and with the keyboard alone. Neither knows more than a screen
reader says.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from tests.window.screen import Item, Screen, Seen

PLACE = re.compile(r", (\d+) of (\d+)$")
HAND = "Your hand"


def question(seen: Seen) -> list[Item]:
    """The answers to the question that is open, first the one that agrees; none is open: []."""
    for number, item in enumerate(seen.items):
        if item.role == "Dialog":
            return [each for each in seen.items[number:] if each.role == "Button"]
    return []


def hand(seen: Seen) -> list[Item]:
    """The own cards, from left to right."""
    return [item for item in seen.items if item.role == "Button" and PLACE.search(item.name)]


class Player(ABC):
    """Does one thing at a time."""

    def __init__(self, screen: Screen) -> None:
        """Nothing is done yet."""
        self.screen = screen
        self.acts = 0
        self._before: object = None

    def step(self) -> Seen:
        """Look, and do what is to be done, if anything is new; what was seen."""
        seen = self.screen.look()
        if seen.page != "table":
            return seen
        answers = question(seen)
        cards = hand(seen)
        fits = [card for card in cards if ", playable" in card.name]
        now = (tuple(each.name for each in answers), tuple(each.name for each in cards))
        if now == self._before:
            # It was pressed and nothing has changed yet; a slow machine is no mistake.
            self._before = None
            return seen
        if answers:
            self.answer(seen, answers[0])
        elif fits:
            if len(cards) == 2 and seen.find("Say UNO", role="Button"):
                self.say_uno(seen)
            self.play(seen, cards, fits[0])
        elif seen.find("Keep", role="Button"):
            self.keep(seen)
        elif seen.find("Draw", role="Button"):
            self.draw(seen)
        else:
            return seen
        self.acts += 1
        self._before = now
        return seen

    @abstractmethod
    def answer(self, seen: Seen, chosen: Item) -> None:
        """Give this answer to the question."""

    @abstractmethod
    def say_uno(self, seen: Seen) -> None:
        """With the next card."""

    @abstractmethod
    def play(self, seen: Seen, cards: list[Item], chosen: Item) -> None:
        """Lay this card."""

    @abstractmethod
    def keep(self, seen: Seen) -> None:
        """Keep what was drawn."""

    @abstractmethod
    def draw(self, seen: Seen) -> None:
        """Draw a card."""


class MousePlayer(Player):
    """Clicks."""

    def answer(self, seen: Seen, chosen: Item) -> None:
        self.screen.click_at(chosen.middle)

    def say_uno(self, seen: Seen) -> None:
        self.screen.click("Say UNO", role="Button")

    def play(self, seen: Seen, cards: list[Item], chosen: Item) -> None:
        # Its left strip is the part that no other card covers.
        self.screen.click_at(chosen.edge)

    def keep(self, seen: Seen) -> None:
        self.screen.click("Keep", role="Button")

    def draw(self, seen: Seen) -> None:
        self.screen.click("Draw", role="Button")


class KeyPlayer(Player):
    """Presses keys."""

    def answer(self, seen: Seen, chosen: Item) -> None:
        if chosen.name in ("Red", "Yellow", "Green", "Blue"):
            self.screen.keys(str(("Red", "Yellow", "Green", "Blue").index(chosen.name) + 1))
        else:
            self.screen.keys("a")

    def say_uno(self, seen: Seen) -> None:
        self.screen.keys("u")

    def play(self, seen: Seen, cards: list[Item], chosen: Item) -> None:
        """To the card with the arrows, as far as it is from where the keyboard is."""
        here = next((n for n, card in enumerate(cards) if card.focused), None)
        if here is None:
            self.screen.keys("Left")
            self._before = None
            return
        way = cards.index(chosen) - here
        self.screen.keys(*["Right" if way > 0 else "Left"] * abs(way), "Return")

    def keep(self, seen: Seen) -> None:
        self.screen.keys("k")

    def draw(self, seen: Seen) -> None:
        self.screen.keys("d")
