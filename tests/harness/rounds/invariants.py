"""Invariants of every state of every round, with any rules and any seat leaving.

These functions check a table; `random_play.py` plays it.
"""

from __future__ import annotations

from lanuno.rules.engine.events import RoundEnding
from lanuno.rules.engine.state import NO_CARD, RoundPhase
from tests.harness.rounds.random_play import everybodys_acts, thinkable
from tests.harness.rounds.table_of_cards import CardTable


def all_cards(table: CardTable) -> list[int]:
    """Return all cards: in hands, draw pile, discard pile, a shuffle, or the hand of a leaver."""
    game = table.round
    cards = table.cards
    slots = [slot for hand in game.hands.values() for slot in hand] + game.leaver_slots
    found = [card for _, card in game.discard]
    if game.starting_slot is not None:
        slots.append(game.starting_slot)
    if game.shuffle is not None:
        found += game.shuffle.cards
        slots += game.shuffle.slots
    else:
        slots += range(game.pile_next, game.pile_end)
    return sorted(found + [cards[slot] for slot in slots])


def whole_deck(table: CardTable) -> None:
    """Every card is in one place only, under its true name, unless leaving ended the round."""
    game = table.round
    if game.ending is not RoundEnding.VOID and len(game.seats) > 1:
        assert all_cards(table) == list(range(game.deck.size))
        assert all(table.cards[slot] == card for slot, card in game.discard)
        assert all(table.cards[slot] == card for slot, card in game.face_up.items())
        assert game.top == NO_CARD or game.discard[-1][1] == game.top


def same_acts(table: CardTable) -> None:
    """The acts listed as legal are exactly those that are not refused."""
    game = table.round
    for seat in game.dealt_seats:
        known = table.known_to(seat)
        right = {a for a in thinkable(table, seat) if game.refusal(seat, a, known) is None}
        listed = game.legal(seat, known)
        assert len(set(listed)) == len(listed)
        assert set(listed) == right


def goes_on(table: CardTable) -> None:
    """The decider has a legal act when all cards are known; a timeout also has one with none."""
    game = table.round
    decider = game.decider
    if game.over:
        assert decider is None
        assert everybodys_acts(table) == []
    elif game.phase in (RoundPhase.SHUFFLE, RoundPhase.OPEN, RoundPhase.OBJECTION):
        assert decider is None
    else:
        assert decider in game.hands
        assert decider in game.seats
        assert game.legal(decider, table.cards)
        assert game.refusal(decider, game.clock_action()) is None
        assert game.refusal(decider, game.clock_action(table.cards)) is None


def knowledge_refuses(table: CardTable) -> None:
    """Knowing more cards can only make more acts illegal, never fewer."""
    game = table.round
    for seat in game.seats:
        for action in thinkable(table, seat):
            if game.refusal(seat, action, table.known_to(seat)) is not None:
                assert game.refusal(seat, action, table.cards) is not None
            else:
                assert game.refusal(seat, action) is None
