"""Tests of the words that depend on the current language."""

from __future__ import annotations

import time

import pytest

from lanuno.app.controllers.application import Application
from lanuno.app.texts import (
    card_name,
    colour_name,
    current_language,
    filled,
    isolated,
    listed,
    moment,
    sentence,
    texts,
)
from lanuno.client.languages import languages
from lanuno.rules.cards import Card, Colour, Rank


@pytest.mark.parametrize(
    ("language", "red", "seven", "wild"),
    [("en", "red", "red 7", "Wild Draw Four"), ("es", "rojo", "7 rojo", "Comodín toma cuatro")],
)
def test_cards_and_colours_have_names(
    app: Application, language: str, red: str, seven: str, wild: str
) -> None:
    app.settings_controller.change("language", language)
    assert current_language() == language
    assert colour_name(Colour.RED) == colour_name(int(Colour.RED)) == red
    assert card_name(Card(Colour.RED, Rank.SEVEN)) == seven
    assert card_name(Card(None, Rank.WILD_FOUR)) == wild


@pytest.mark.parametrize("language", languages())
def test_no_two_cards_have_one_name(app: Application, language: str) -> None:
    app.settings_controller.change("language", language)
    coloured = [Card(colour, rank) for colour in Colour for rank in Rank]
    names = {card_name(card) for card in coloured}
    assert len(names) == len(coloured)


def test_a_change_of_the_language_changes_the_messages(app: Application) -> None:
    app.settings_controller.change("language", "en")
    english = texts()
    app.settings_controller.change("language", "es")
    assert texts().member(Colour.RED) == "rojo"
    app.settings_controller.change("language", "en")
    assert texts() is english


@pytest.mark.parametrize(
    ("language", "one", "two", "three"),
    [
        ("en", "Ann", "Ann and Ben", "Ann, Ben, and Cleo"),
        ("es", "Ann", "Ann y Ben", "Ann, Ben y Cleo"),
    ],
)
def test_names_are_listed_as_the_language_does(
    app: Application, language: str, one: str, two: str, three: str
) -> None:
    app.settings_controller.change("language", language)
    names = ["Ann", "Ben", "Cleo"]
    assert [listed(names[:count]) for count in range(4)] == ["", one, two, three]


@pytest.mark.parametrize(
    ("text", "capital"),
    [("red 7", "Red 7"), ("écarlate", "Écarlate"), ("Wild Two", "Wild Two"), ("", "")],
)
def test_a_sentence_begins_with_a_capital_and_keeps_the_others(text: str, capital: str) -> None:
    assert sentence(text) == capital


def test_placeholders_are_filled_in_one_pass() -> None:
    assert filled("{a} and {b}, {a}", a="1", b="2") == "1 and 2, 1"
    assert filled("{a} and {b}", a="{b}", b="{a}") == "{b} and {a}"
    assert filled("{a} and {c}", a=r"\1") == r"\1 and {c}"


def test_a_name_from_outside_is_isolated() -> None:
    """A name in another direction must not reorder the sentence around it."""
    assert isolated("فاطمة") == "\u2068فاطمة\u2069"


@pytest.mark.parametrize(
    ("language", "said"), [("en", "21 Nov 2026, 10:05"), ("es", "21 nov 2026, 10:05")]
)
def test_a_moment_is_local_time(app: Application, language: str, said: str) -> None:
    app.settings_controller.change("language", language)
    local = time.mktime((2026, 11, 21, 10, 5, 59, 0, 0, -1))
    assert moment(local + 0.9) == said
