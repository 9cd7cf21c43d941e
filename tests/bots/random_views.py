"""What the seats of some random rounds see, for every bot to choose from."""

from __future__ import annotations

from random import Random

from lanuno.bots.simulated_dealer import SimulatedDealer
from lanuno.rules.engine.actions import Accuse
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.round import Round
from lanuno.rules.match.match import Match
from lanuno.rules.ruleset import Manners, Ruleset
from lanuno.rules.view import SeatView, view

HONOUR = Ruleset(manners=Manners.HONOUR, advice=True, jump_in=True, stack_draw_two=True)


def views(ruleset: Ruleset, seats: int, seed: int) -> list[SeatView]:
    """Return the views of all seats in every state of a randomly played round."""
    chance = Random(seed)
    match = Match(ruleset, seats)
    game = Round(ruleset, tuple(range(seats)), 0)
    table = SimulatedDealer(game, chance)
    table.start()
    found: list[SeatView] = []
    for _ in range(150):
        if game.over:
            break
        now = [view(match, game, seat, table.known[seat]) for seat in game.seats]
        found += now
        acting = [seen for seen in now if any(not isinstance(a, Accuse) for a in seen.legal)]
        if not acting:
            table.serve(game.settle(Matter.CARD))
            continue
        seen = chance.choice(acting)
        action = chance.choice([a for a in seen.legal if not isinstance(a, Accuse)])
        assert seen.seat is not None
        table.serve(game.act(seen.seat, action))
    return found


EVERYWHERE = [
    seen
    for seed in range(6)
    for rules in (Ruleset(), HONOUR, Ruleset(hand_size=3))
    for seen in views(rules, 4, seed)
]
"""The views of all seats in every state of a few rounds, under three rulesets."""
