"""`lanuno simulate`: play many rounds between bots on the rules engine alone, and show counts."""

from __future__ import annotations

import argparse
import secrets
import time

import msgspec

from lanuno.bots.simulated_dealer import CardsLost
from lanuno.bots.simulation import Simulation, SimulationError
from lanuno.cli.exits import ExitCode
from lanuno.cli.options import add_number, add_preset
from lanuno.cli.output import CommandOutput
from lanuno.cli.rule_choice import (
    changed_rules,
    choose_rules,
    use_saved,
    usual_seats,
    wrong_players,
)
from lanuno.client.texts import Texts
from lanuno.rules.cards import MAX_SEATS
from lanuno.rules.rulebook.scope import playable_seats
from lanuno.rules.ruleset import Format

USUAL_PLAYERS = 4
USUAL_ROUNDS = 100
MOST_SIMULATED_ROUNDS = 1_000_000
PROGRESS_SECONDS = 2.0
"""Seconds between two lines of progress."""


def add(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the arguments."""
    add_number(parser, text, "--players", "help.simulate.players", 2, MAX_SEATS)
    add_preset(parser, text)
    add_number(
        parser, text, "--rounds", "help.simulate.rounds", 1, MOST_SIMULATED_ROUNDS, USUAL_ROUNDS
    )
    add_number(parser, text, "--seed", "help.simulate.seed", 0, 2**53)


def run(args: argparse.Namespace, out: CommandOutput) -> ExitCode:
    """Play, and show the counts, even if the simulation was interrupted."""
    use_saved(args)
    # A whole tournament is more than one match; a simulation plays one of its tables.
    players = args.players or min(USUAL_PLAYERS, usual_seats(args.preset, USUAL_PLAYERS))
    ruleset = changed_rules(args.preset, args.settings)
    if ruleset.format is Format.ROTATION and players not in playable_seats(ruleset):
        raise wrong_players(ruleset, players)
    ruleset = choose_rules(args.preset, args.settings, players)
    seed = secrets.randbits(32) if args.seed is None else args.seed
    simulation = Simulation(ruleset, players, seed)
    began = shown_at = time.perf_counter()
    code = ExitCode.OK
    try:
        for tally in simulation.play(args.rounds):
            if time.perf_counter() - shown_at >= PROGRESS_SECONDS:
                shown_at = time.perf_counter()
                out.progress("simulate.progress", done=tally.rounds, rounds=args.rounds)
    except KeyboardInterrupt:
        out.error("error.interrupted")
        code = ExitCode.INTERRUPTED
    except (SimulationError, CardsLost) as error:
        # The game in which it happened is worth more than a traceback.
        round_number = simulation.tally.rounds + 1
        raise SimulationError(f"seed {seed}, round {round_number}: {error}") from error
    _show(out, simulation, seed, time.perf_counter() - began)
    return code


def _show(out: CommandOutput, simulation: Simulation, seed: int, seconds: float) -> None:
    tally = simulation.tally
    speed = round(tally.moves / seconds) if seconds else 0
    seats = list(zip(simulation.names, tally.wins, tally.rounds_won, tally.points, strict=True))
    out.result(
        preset=simulation.ruleset.preset,
        seed=seed,
        seats=[
            {"player": name, "wins": wins, "rounds_won": won, "points": points}
            for name, wins, won, points in seats
        ],
        **{
            name: value
            for name, value in msgspec.structs.asdict(tally).items()
            if isinstance(value, int)
        },
        seconds=round(seconds, 3),
        moves_per_second=speed,
    )
    out.line("simulate.seed", preset=simulation.ruleset.preset, seed=seed)
    out.line(
        "simulate.rounds",
        rounds=tally.rounds,
        matches=tally.matches,
        moves=tally.moves,
        speed=speed,
        longest=tally.longest,
    )
    for seat, (name, wins, won, points) in enumerate(seats, 1):
        out.line("simulate.seat", seat=seat, player=name, wins=wins, won=won, points=points)
    out.line("simulate.cards", reshuffles=tally.reshuffles, blocked=tally.blocked)
    out.line("simulate.challenges", won=tally.challenges_won, lost=tally.challenges_lost)
    out.line("simulate.uno", missed=tally.uno_missed, caught=tally.uno_caught)
    if tally.objections:
        out.line("simulate.objections", number=tally.objections)
    if tally.advice_punished or tally.advice_forgiven:
        out.line("simulate.advice", punished=tally.advice_punished, forgiven=tally.advice_forgiven)
