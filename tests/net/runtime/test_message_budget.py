"""Rate limits for one peer: which messages share a bucket, and how large each bucket is."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from lanuno.log.format import bodies
from lanuno.log.format.bodies import SignedBody
from lanuno.log.format.genesis import VERSION
from lanuno.net.runtime.message_budget import (
    ANSWERS_BURST,
    ANSWERS_RATE,
    SHOWN_CHAT_BURST,
    SHOWN_CHAT_RATE,
    SHOWN_REACTIONS_BURST,
    SHOWN_REACTIONS_RATE,
    STEPS_BURST,
    STEPS_RATE,
    STRANGERS_BURST,
    STRANGERS_RATE,
    MessageBudget,
)
from lanuno.net.transport.limits import DEFAULT
from lanuno.table import messages
from lanuno.table.budget import LONGEST_WAIT_SECONDS
from lanuno.table.messages import AtTable, Reaction
from tests.harness.log_table.log_table import LogTable, new_table

HASH = bytes(32)
NOW = 100.0


@pytest.fixture(scope="module")
def played() -> LogTable:
    """Return a finished table, whose log has bodies of all kinds."""
    return new_table(2).run()


def bodies_of(played: LogTable, *, acts: bool) -> SignedBody:
    """Return a body of the log: an act of a player, or an automatic step."""
    found = (each.read().signed_body for each in played.entries)
    return next(each for each in found if isinstance(each.read().payload, bodies.Act) is acts)


BY_HAND: list[AtTable] = [
    messages.Say("hello"),
    messages.React(Reaction.WOW),
    messages.ReadsScore(3, reading=True),
    messages.PlayAgain(),
    messages.Watch(VERSION, "eve"),
    messages.Join(VERSION, "eve", HASH, HASH, False, False),
    messages.RevealNonce(HASH),
    messages.TakeSeat(1),
]
STEPS: list[AtTable] = [
    messages.Ready(bytes(64)),
    messages.Statements(()),
    messages.Fetch(1),
    messages.Rejoin(0, 0, HASH, 0),
    messages.RequestLog(1),
    messages.HostIs(1, 0),
]


@dataclass
class OfPeer:
    """The budget of one key."""

    whole: MessageBudget
    plays: bool
    key: bytes = HASH

    def take(self, message: AtTable, now: float) -> bool:
        delay = self.whole.charge(self.key, message, now, plays=self.plays)
        return delay is not None and delay <= 1e-9

    def allows_display(self, message: AtTable, now: float) -> bool:
        return self.whole.allows_display(self.key, message, now)


def taken(budget: OfPeer, message: AtTable, now: float, most: int = 10_000) -> int:
    """Return how many of these messages are within the budget at one moment."""
    for number in range(most):
        if not budget.take(message, now):
            return number
    return most


def budget(*, plays: bool = True) -> OfPeer:
    return OfPeer(MessageBudget(), plays)


@pytest.mark.parametrize("message", BY_HAND, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize("plays", [True, False])
def test_a_person_has_twenty_messages_a_second(message: AtTable, plays: bool) -> None:
    peer = budget(plays=plays)
    assert taken(peer, message, NOW) == DEFAULT.burst
    assert taken(peer, message, NOW + 1.0) == DEFAULT.rate


@pytest.mark.parametrize("message", STEPS, ids=lambda each: type(each).__name__)
@pytest.mark.parametrize(
    ("plays", "burst", "rate"),
    [(True, STEPS_BURST, STEPS_RATE), (False, STRANGERS_BURST, STRANGERS_RATE)],
)
def test_a_player_has_many_more_automatic_steps_than_a_stranger(
    message: AtTable, plays: bool, burst: int, rate: float
) -> None:
    peer = budget(plays=plays)
    assert taken(peer, message, NOW) == burst
    assert taken(peer, message, NOW + 1.0) == rate - 1, "one more has waited for its turn"
    assert STRANGERS_BURST < STEPS_BURST


def test_all_messages_of_one_kind_share_a_bucket() -> None:
    peer = budget()
    assert all(peer.take(BY_HAND[number % len(BY_HAND)], NOW) for number in range(DEFAULT.burst))
    assert not any(peer.take(message, NOW) for message in BY_HAND)
    # Automatic steps, which a slow player's program still has to make, have a bucket of their own.
    assert all(peer.take(STEPS[number % len(STEPS)], NOW) for number in range(STEPS_BURST))
    assert not any(peer.take(message, NOW) for message in STEPS)


def test_no_key_uses_up_the_budget_of_another() -> None:
    eve = budget()
    assert taken(eve, messages.Statements(()), NOW) == STEPS_BURST
    assert taken(OfPeer(eve.whole, True, b"a" * 32), messages.Statements(()), NOW) == STEPS_BURST


def test_strangers_who_have_gone_leave_no_long_wait() -> None:
    """Each of them was charged for a message that it did not stay for."""
    whole = MessageBudget()
    for number in range(10_000):
        whole.charge(number.to_bytes(32, "big"), messages.Fetch(0), NOW, plays=False)
    delay = whole.charge(HASH, messages.Ready(None), NOW, plays=False)
    assert delay is not None
    assert 0.0 < delay <= LONGEST_WAIT_SECONDS
    assert taken(OfPeer(whole, False), messages.Fetch(0), NOW + 4.0) > 0


def test_an_act_counts_as_a_persons_and_a_dealing_step_does_not(played: LogTable) -> None:
    act = messages.Submit(bodies_of(played, acts=True))
    step = messages.Submit(bodies_of(played, acts=False))
    assert taken(budget(), act, NOW) == DEFAULT.burst
    assert taken(budget(), step, NOW) == STEPS_BURST


def test_an_unreadable_body_counts_as_an_act(played: LogTable) -> None:
    """Otherwise a peer could send far more garbage than acts."""
    signed = bodies_of(played, acts=True)
    garbage = SignedBody(b"\xc1", signed.signature)
    assert taken(budget(), messages.Submit(garbage), NOW) == DEFAULT.burst


@pytest.mark.parametrize(
    ("message", "burst", "rate"),
    [
        (messages.Said("Ana", 0, "hello"), SHOWN_CHAT_BURST, SHOWN_CHAT_RATE),
        (messages.Reacted(0, Reaction.WOW), SHOWN_REACTIONS_BURST, SHOWN_REACTIONS_RATE),
        (messages.RematchState((0,), (), None), ANSWERS_BURST, ANSWERS_RATE),
    ],
    ids=lambda each: type(each).__name__,
)
def test_a_host_cannot_flood_the_screen(message: AtTable, burst: int, rate: float) -> None:
    peer = budget()
    shown = sum(peer.allows_display(message, NOW) for _ in range(burst + 50))
    assert shown == burst
    shown = sum(peer.allows_display(message, NOW + 1.0) for _ in range(burst))
    assert shown == rate
    # Neither another kind of message nor the game itself is affected.
    others: list[AtTable] = [
        messages.Said("Ana", 0, "hello"),
        messages.Reacted(0, Reaction.WOW),
        messages.RematchState((0,), (), None),
        messages.Entries(0, ()),
    ]
    allowed = [peer.allows_display(each, NOW + 1.0) for each in others]
    assert allowed == [type(each) is not type(message) for each in others]
