"""Chat and reactions: what the host passes on, and what a node shows of a host's messages."""

from __future__ import annotations

from itertools import count

import pytest

from lanuno.log.format.genesis import SeatInfo
from lanuno.table import budget, messages
from lanuno.table.chat import (
    LONGEST_SHOWN,
    ChatBudget,
    checked_chat,
    checked_reaction,
    displayable_line,
    is_name_taken,
)
from lanuno.table.messages import Reaction
from lanuno.table.outputs import ChatReceived, ReactionSeen, Spectator


def test_chat_is_limited_for_each_player_and_for_all_spectators_together() -> None:
    talk = ChatBudget()
    player = b"p" * 32
    assert sum(talk.takes(player, 0.0, watches=False) for _ in range(50)) == budget.CHAT_BURST
    crowd = [number.to_bytes(32, "big") for number in range(20)]
    said = [who for _ in range(50) for who in crowd if talk.takes(who, 0.0, watches=True)]
    assert len(said) == budget.SPECTATORS_CHAT_BURST
    assert max(said.count(who) for who in crowd) <= budget.CHAT_BURST
    assert talk.takes(player, 1.0, watches=False), "players are heard whatever the others say"
    more = [who for _ in range(50) for who in crowd if talk.takes(who, 10.0, watches=True)]
    assert len(more) == budget.SPECTATORS_CHAT_BURST


def test_one_spectator_says_no_more_than_a_player() -> None:
    talk, eve = ChatBudget(), b"e" * 32
    assert sum(talk.takes(eve, 0.0, watches=True) for _ in range(50)) == budget.CHAT_BURST
    assert sum(talk.takes(eve, 9.5, watches=True) for _ in range(50)) == budget.CHAT_BURST


def test_a_new_key_for_every_line_does_not_renew_the_budget_of_its_address() -> None:
    talk = ChatBudget()
    keys = (number.to_bytes(32, "big") for number in count())

    def lines(address: str, now: float) -> int:
        return sum(
            talk.takes(next(keys), now, watches=False, address=address) for _ in range(1_000)
        )

    assert lines("10.0.0.1", 0.0) == budget.ADDRESS_CHAT_BURST
    assert lines("10.0.0.1", 5.0) == 5 * budget.ADDRESS_CHAT_RATE
    assert lines("10.0.0.2", 5.0) == budget.ADDRESS_CHAT_BURST, "another address has its own"
    # New addresses do not help either, and the host itself is always heard.
    often = sum(lines(f"10.0.1.{number}", 5.0) for number in range(9))
    assert often <= budget.SPECTATORS_CHAT_BURST
    assert talk.takes(b"h" * 32, 5.0, watches=False)


def test_a_family_behind_one_address_is_heard() -> None:
    """Four people greet each other with three lines each, and then one of them speaks at a time."""
    talk, family = ChatBudget(), [bytes([number]) * 32 for number in range(4)]

    def heard(who: bytes, now: float) -> bool:
        return talk.takes(who, now, watches=False, address="192.168.1.1")

    assert all(heard(who, 0.0) for _ in range(3) for who in family)
    assert all(heard(family[second % 4], float(second)) for second in range(1, 600))


# ---- what a node shows of a host's messages -----------------------------------------------------

EVE = b"e" * 32
SEATS = [
    SeatInfo("Ada", b"a" * 32, b"a" * 32, False, False, bytes(32)),
    SeatInfo("Bot", b"b" * 32, b"a" * 32, True, False, bytes(32)),
]


def test_a_players_line_is_shown_under_the_name_of_the_seat() -> None:
    heard = checked_chat(messages.Said("somebody else", 0, "  hi   you "), SEATS)
    assert heard == [ChatReceived("Ada", 0, "hi you")]


def test_a_spectators_line_is_shown_with_the_spectators_identity() -> None:
    heard = checked_chat(messages.Said(" Eve ", -1, "hi", EVE), SEATS)
    assert heard == [ChatReceived("Eve", -1, "hi", EVE)]


@pytest.mark.parametrize(
    "lie",
    [
        messages.Said("Ada", 2, "hi"),
        messages.Said("Ada", 0, "a\u202eb"),
        messages.Said("Ada", 0, "   "),
        messages.Said("Ada", 0, "hi", EVE),
        messages.Said("Eve", -1, "hi"),
        messages.Said("E\u202eve", -1, "hi", EVE),
        messages.Said("x" * (LONGEST_SHOWN + 1), -1, "hi", EVE),
        messages.Said("Eve", -1, "a\nb", EVE),
        messages.Said("ADA", -1, "hi", EVE),
        messages.Said("\u0410d\u0430", -1, "hi", EVE),
        messages.Said("Eve", -1, "hi", b"a" * 32),
    ],
)
def test_a_line_that_no_honest_host_passes_on_is_not_shown(lie: messages.Said) -> None:
    assert checked_chat(lie, SEATS) == []


def test_a_reaction_is_shown_for_the_seat_of_a_person_only() -> None:
    seen = checked_reaction(messages.Reacted(0, Reaction.WOW), SEATS)
    assert seen == [ReactionSeen("Ada", 0, Reaction.WOW)]
    for seat in (1, 2):
        assert checked_reaction(messages.Reacted(seat, Reaction.WOW), SEATS) == []


# ---- what a host passes on ----------------------------------------------------------------------


def test_reactions_are_limited_for_each_seat_on_its_own() -> None:
    talk = ChatBudget()
    for seat in (0, 1):
        shown = [talk.shows(seat, 0.0) for _ in range(budget.REACTION_BURST + 1)]
        assert shown == [True] * budget.REACTION_BURST + [False]
    assert talk.shows(0, 1 / budget.REACTION_RATE)
    assert not talk.shows(0, 1 / budget.REACTION_RATE)


def test_a_line_has_at_most_300_characters_without_invisible_ones() -> None:
    assert displayable_line("x" * messages.LONGEST_CHAT) == "x" * messages.LONGEST_CHAT
    assert displayable_line("x" * (messages.LONGEST_CHAT + 1)) is None
    # Four bytes each: the limit in bytes is no lower than that in characters.
    assert displayable_line("\U0001f0cf" * messages.LONGEST_CHAT) is not None
    assert displayable_line("a\u200bb") is None


def test_a_name_is_taken_by_another_spectator_only() -> None:
    spectators = [Spectator("Eve", EVE)]
    assert is_name_taken("Eve", b"f" * 32, spectators)
    assert is_name_taken("\u0415ve", b"f" * 32, spectators), "a Cyrillic letter looks the same"
    assert not is_name_taken("Eve", EVE, spectators)
    assert not is_name_taken("Eva", b"f" * 32, spectators)
