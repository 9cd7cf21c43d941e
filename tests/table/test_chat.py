"""Chat and reactions: what the host passes on, and what a node shows of a host's messages."""

from __future__ import annotations

from lanuno.log.format.genesis import SeatInfo
from lanuno.table import budget, chat, messages
from lanuno.table.chat import ChatBudget, checked_reaction
from lanuno.table.messages import Reaction


def test_everybody_says_so_much_and_all_spectators_together_too() -> None:
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


def test_only_so_many_speakers_are_remembered() -> None:
    talk = ChatBudget()
    for number in range(10 * chat.REMEMBERED_SPEAKERS):
        talk.takes(number.to_bytes(32, "big"), 0.0, watches=True)
    assert len(talk._each) == chat.REMEMBERED_SPEAKERS


def test_a_bot_shows_nothing_whatever_its_host_says() -> None:
    bot = SeatInfo("Ada", bytes(32), bytes(32), True, False, bytes(32))
    assert checked_reaction(messages.Reacted(0, Reaction.WOW), [bot]) == []
