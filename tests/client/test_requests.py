"""The requests of a table session: valid PINs, and what they must not reveal."""

from __future__ import annotations

import pytest

from lanuno.client.requests import (
    BOT_NAMES,
    LONGEST_PIN,
    HostRequest,
    JoinRequest,
    clean_pin,
)
from lanuno.log.format.names import clean_name
from lanuno.rules.cards import MAX_SEATS
from lanuno.rules.ruleset import Ruleset


@pytest.mark.parametrize(
    ("typed", "pin"),
    [
        *(("0", "0"), ("4711", "4711"), ("q7X", "q7x"), (" 47  11 ", "47 11")),
        *(
            ("Mañana", "mañana"),
            ("man\u0303ana", "mañana"),
            ("Ｍango", "mango"),
            ("47-11", "47-11"),
        ),
        *((each * LONGEST_PIN, each * LONGEST_PIN) for each in ("a", "ป")),
    ],
)
def test_a_pin_is_a_word_or_a_number_however_it_is_typed(typed: str, pin: str) -> None:
    assert clean_pin(typed) == clean_pin(pin) == pin


@pytest.mark.parametrize("pin", ["", " ", "a" * (LONGEST_PIN + 1), "a\n", "\u202e4711", "\u200b"])
def test_other_text_is_no_pin(pin: str) -> None:
    assert clean_pin(pin) is None


def test_a_request_never_shows_its_pin() -> None:
    """Requests are logged, and shown in tracebacks."""
    host = HostRequest(name="Kitchen", ruleset=Ruleset(), seats=2, pin="q7Xyz")
    join = JoinRequest(table="Kitchen", pin="q7Xyz")
    for each in (host, join):
        assert "Kitchen" in repr(each)
        assert "q7Xyz" not in repr(each)


def test_every_bot_can_have_a_name_that_the_player_does_not_use() -> None:
    bots = MAX_SEATS - 1
    assert len({name.casefold() for name in BOT_NAMES}) == len(BOT_NAMES) > bots
    assert [clean_name(name) for name in BOT_NAMES] == list(BOT_NAMES)
