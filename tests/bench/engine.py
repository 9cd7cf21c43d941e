"""The engine compared with RLCard's UNO core: random legal moves per second, in one process.

Both drivers do the same: deal, then list the legal moves of the seat on turn, choose one at random
and play it, until the round is over. RLCard is not a dependency, not even of the tests, because it
needs numpy, which is many times the size of this project. If RLCard is missing, the row says how to
install it.
"""

from __future__ import annotations

import importlib
import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from lanuno.rules.engine.actions import Draw
from lanuno.rules.engine.round import Round
from lanuno.rules.presets import CLASSIC
from lanuno.rules.ruleset import Ruleset
from tests.bench.row import Row

SECONDS = 0.5
REPEATS = 6
ADVICE = (
    "rlcard is not here: python3 -m venv /tmp/rl && /tmp/rl/bin/pip install rlcard msgspec "
    "&& /tmp/rl/bin/python -m tests.bench engine"
)


def our_round(ruleset: Ruleset, seats: int, chance: random.Random) -> int:
    """Play one round of random legal moves, with the table's part; return the number of moves."""
    game = Round(ruleset, tuple(range(seats)), 0)
    cards: dict[int, int] = {}
    moves = 0
    game.start()
    while not game.over:
        shuffle = game.shuffle
        if shuffle is not None:
            order = [*shuffle.cards, *map(cards.__getitem__, shuffle.slots)]
            chance.shuffle(order)
            cards.update(enumerate(order, shuffle.first_slot))
            game.shuffled()
            continue
        if game.opens:
            slot = game.opens[0].slots[0]
            game.opened(slot, cards[slot])
            continue
        seat = game.actor
        if seat is None:
            break
        acts = game.legal(seat, cards)
        # RLCard's players draw only when they cannot play. Ours may always draw, which would make
        # rounds longer.
        act = acts[int(chance.random() * len(acts))]
        if isinstance(act, Draw) and len(acts) > 1:
            act = acts[0]
        game.act(seat, act)
        moves += 1
    return moves


def their_round(game: Any, chance: random.Random) -> int:
    """Play one game of RLCard's core with random legal moves; return the number of moves."""
    state, _ = game.init_game()
    moves = 0
    while not game.is_over():
        acts = state["legal_actions"]
        state, _ = game.step(acts[int(chance.random() * len(acts))])
        moves += 1
    return moves


def moves_per_second(play: Callable[[], int]) -> float:
    """Play for a while and return the moves per second of CPU time."""
    moves = 0
    begin = time.process_time()
    while (spent := time.process_time() - begin) < SECONDS:
        moves += play()
    return moves / spent


def run() -> list[Row]:
    """Measure two and four seats; the two engines alternate, and the best run of each counts."""
    try:
        their: Any = importlib.import_module("rlcard.games.uno")
    except ImportError:
        return [Row("random legal moves a second", None, 1, ADVICE, at_least=True)]
    rows = []
    for seats in (2, 4):
        chance = random.Random(1)
        game = their.Game(num_players=seats)
        theirs = ours = 0.0
        for _ in range(REPEATS):
            theirs = max(theirs, moves_per_second(partial(their_round, game, chance)))
            ours = max(ours, moves_per_second(partial(our_round, CLASSIC, seats, chance)))
        note = f"{ours:,.0f} moves/s, rlcard {theirs:,.0f}"
        what = f"random legal moves a second, {seats} seats"
        rows.append(Row(what, ours / theirs, 1, note, at_least=True))
    return rows
