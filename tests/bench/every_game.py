"""`python -m tests.bench.every_game`: every preset with every number of players, many rounds each.

A long run that prints one line per game and the sum. It finds games that violate a rule of the
engine or never end. It measures no promise, so it is not a part of `python -m tests.bench`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from lanuno.bots.simulation import Simulation, Tally
from lanuno.rules.presets import PRESETS
from lanuno.rules.rulebook.scope import playable_seats

ROUNDS = 2000
LINE = "{:14} {:>5} {:>7} {:>8} {:>9} {:>8} {:>8} {:>8} {:>9} {:>11} {:>11}"
HEAD = ("preset", "seats", "rounds", "matches", "moves", "moves/s")
COUNTS = ("longest", "blocked", "shuffles", "+4 won:lost", "uno no:hit")


def numbers(tally: Tally) -> dict[str, int]:
    """Return the counts for the whole table."""
    return {name: value for name, value in asdict(tally).items() if isinstance(value, int)}


def line(name: str, seats: int, count: Mapping[str, int], seconds: float) -> str:
    """Return a row for one game or for all of them."""
    return LINE.format(
        name,
        seats or "",
        count["rounds"],
        count["matches"],
        count["moves"],
        round(count["moves"] / seconds),
        count["longest"],
        count["blocked"],
        count["reshuffles"],
        f"{count['challenges_won']}:{count['challenges_lost']}",
        f"{count['uno_missed']}:{count['uno_caught']}",
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Play all games; raise if one cannot be played to its end."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.every_game", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    print(f"seed {given.seed}", file=sys.stderr)
    print(LINE.format(*HEAD, *COUNTS))
    games = 0
    everything: Counter[str] = Counter()
    began = time.perf_counter()
    for name, ruleset in PRESETS.items():
        for seats in playable_seats(ruleset):
            started = time.perf_counter()
            simulation = Simulation(ruleset, seats, given.seed)
            for _ in simulation.play(given.rounds):
                pass
            count = numbers(simulation.tally)
            print(line(name, seats, count, time.perf_counter() - started), flush=True)
            games += 1
            longest = max(everything["longest"], count["longest"])
            everything.update(count)
            everything["longest"] = longest
    print(line(f"all {games}", 0, everything, time.perf_counter() - began))
    return 0


if __name__ == "__main__":
    sys.exit(main())
