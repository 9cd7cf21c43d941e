"""Random rulesets and random rounds under a seed, for property tests.

This module has hypothesis strategies and a driver that lets all seats do anything legal. Each test
passes the check of what must hold meanwhile.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
from hypothesis import strategies as st

from lanuno.rules.cards import Seat
from lanuno.rules.decks import DECKS, deck_tables
from lanuno.rules.engine.actions import (
    Accept,
    Accuse,
    Action,
    Catch,
    Challenge,
    Draw,
    Keep,
    NameColour,
    Object,
    OpenHand,
    Play,
    RefuseShow,
    RefuseVerdict,
    SayUno,
    Show,
    Swap,
    Verdict,
    Vote,
)
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.ruleset import (
    DrawnRule,
    DrawRule,
    Format,
    Manners,
    Ruleset,
    UnoRule,
    WildFour,
)
from tests.harness.rounds.table_of_cards import CardTable

MOVES = 200
"""The number of inputs after which a random round is abandoned; its seats do not aim to end it."""

seeds = st.integers(0, 2**32)
often = st.sampled_from([0.0, 0.6, 0.95])
leavers = st.sampled_from([0.0, 0.0, 0.02, 0.1])

rulesets = st.builds(
    Ruleset,
    deck=st.sampled_from(tuple(DECKS)),
    format=st.sampled_from([Format.POINTS, Format.POINTS, Format.LAPS, Format.PAIRS]),
    laps=st.integers(1, 12),
    hand_size=st.sampled_from([2, 3, 7, 7, 10, 20]),
    wild_four=st.sampled_from(WildFour),
    uno=st.sampled_from(UnoRule),
    draw=st.sampled_from(DrawRule),
    drawn=st.sampled_from(DrawnRule),
    uno_penalty=st.integers(1, 4),
    manners=st.sampled_from([Manners.ENFORCED, Manners.ENFORCED, Manners.HONOUR]),
    advice=st.booleans(),
    **dict.fromkeys(HOUSE_RULES, st.booleans()),
)
"""Any mixture of settings that change a round."""

plain_rulesets = st.builds(
    Ruleset,
    deck=st.sampled_from(tuple(DECKS)),
    wild_four=st.sampled_from(WildFour),
    uno=st.sampled_from(UnoRule),
    draw=st.sampled_from(DrawRule),
    drawn=st.sampled_from(DrawnRule),
)
"""Mixtures of the settings in which the presets differ, without house rules."""


def fitting(ruleset: Ruleset, seats: int) -> Ruleset:
    """Return the ruleset with hands small enough for this number of seats."""
    size = min(ruleset.hand_size, (len(deck_tables(ruleset.deck).starting) - 1) // seats)
    return msgspec.structs.replace(ruleset, hand_size=size)


def everybodys_acts(table: CardTable) -> list[tuple[Seat, Action]]:
    """Return all legal acts of all seats, each knowing its own hand."""
    game = table.round
    return [
        (seat, action) for seat in game.seats for action in game.legal(seat, table.known_to(seat))
    ]


def thinkable(table: CardTable, seat: int) -> list[Action]:
    """Return every act worth trying, legal or not, of a seat that knows its hand."""
    game = table.round
    slots = [*game.hands.get(seat, ())]
    others = [slot for hand in game.hands.values() for slot in hand if slot not in slots][:1]
    plays = [
        Play(slot, table.cards[slot], colour, uno)
        for slot in slots + others
        for colour in (None, 0, 1, 2, 3, 4)
        for uno in (False, True)
    ]
    seats = [*game.dealt_seats, 10]
    return [
        *plays,
        *(Draw(), Keep(), SayUno(), Accept(), Challenge(), Show(), RefuseShow(), Object()),
        *(Verdict(False), Verdict(True), Vote(False), Vote(True), OpenHand(), RefuseVerdict()),
        *(NameColour(colour) for colour in (-1, 0, 1, 2, 3, 4)),
        *(kind(other) for kind in (Catch, Swap, Accuse) for other in seats),
    ]


def play_randomly(
    table: CardTable,
    seed: int,
    check: Callable[[CardTable], None],
    *,
    hoarding: float = 0.0,
    leaving: float = 0.0,
    playing: float = 0.5,
    moves: int = MOVES,
) -> None:
    """Play, and call `check` after every input, including those of the table.

    `hoarding`: the probability of preferring a draw or a keep, which empties the draw pile;
    `playing`: of preferring a play; `leaving`: of a seat leaving.
    """
    chance = random.Random(seed)
    game = table.round
    check(table)
    for _ in range(moves):
        if game.over:
            return
        if game.shuffle is not None or game.opens:
            waiting = [each for each in everybodys_acts(table) if chance.random() < 0.5]
            if chance.random() < leaving:
                table.call("drop", chance.choice(game.seats))
            elif waiting:
                table.act_unserved(*chance.choice(waiting))
            else:
                table.serve_once()
        elif chance.random() < leaving:
            table.call("drop", chance.choice(game.dealt_seats))
        elif game.accusation is not None and chance.random() < 0.1:
            table.call("settle", Matter.VOTE)
        elif game.stage is RoundPhase.OBJECTION and chance.random() < 0.5:
            table.call("settle", Matter.CARD)
        else:
            acts = everybodys_acts(table)
            if not acts:
                assert game.stage is RoundPhase.OBJECTION, f"nobody can act in {game.phase.name}"
                table.call("settle", Matter.CARD)
            else:
                table.act_unserved(*choose(acts, chance, hoarding, playing))
        check(table)


def choose(
    acts: list[tuple[Seat, Action]], chance: random.Random, hoarding: float, playing: float
) -> tuple[Seat, Action]:
    """Return one of these acts. All kinds of act are equally likely, but for the preferences."""
    if chance.random() < hoarding:
        kept = [each for each in acts if isinstance(each[1], Draw | Keep)]
        if kept:
            return chance.choice(kept)
    # A hand full of wild cards must not crowd out everything else.
    kinds = sorted({type(action).__name__ for _, action in acts})
    kind = chance.choice(kinds)
    if "Play" in kinds and chance.random() < playing:
        kind = "Play"
    return chance.choice([each for each in acts if type(each[1]).__name__ == kind])
