"""What `host` and `bot` do when the waiting room was that of a tournament, and what they show."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom

from lanuno.bots.sensible import SensiblePlayer
from lanuno.cli.console import ConsoleRenderer
from lanuno.cli.exits import ExitCode
from lanuno.cli.outcome import save_transcript
from lanuno.cli.output import CommandOutput, Failure
from lanuno.cli.running import Interruption
from lanuno.cli.tournament_report import show_tournament, tournament_fields
from lanuno.client.tournament_breaks import TournamentBreak, TournamentBroken
from lanuno.client.tournament_run import Entrant, TournamentRun
from lanuno.log.format.genesis import Genesis
from lanuno.log.format.transcript import read
from lanuno.log.tournament import TournamentReplay
from lanuno.net.errors import NetError
from lanuno.store.paths import Home
from lanuno.store.profile import Profile
from lanuno.store.tournament_records import TournamentFiles


@dataclass(frozen=True, slots=True)
class TournamentOptions:
    """A tournament as far as this player has played it."""

    tournament: TournamentReplay
    files: TournamentFiles
    broken: TournamentBreak | NetError | None
    """Why it was not played to its end; None if it was, or if this player left."""


def tournament_entrant(profile: Profile, name: str, adapter: str | None) -> Entrant:
    """A player whose seat a program plays."""
    player = SensiblePlayer(SystemRandom())
    return Entrant(profile.identity, name, player, os.urandom, adapter)


async def play_tournament(
    genesis: Genesis,
    home: Home,
    me: Entrant,
    out: CommandOutput,
    stop: Interruption,
) -> TournamentOptions:
    """Play all rotations."""
    files = TournamentFiles(home, genesis)
    run = TournamentRun(genesis, me, files, ConsoleRenderer(out))
    stop.on_stop(run.leave)
    out.progress(
        "tournament.began", names=", ".join(each.name for each in run.tournament.roster.seats)
    )
    broken: TournamentBreak | NetError | None = None
    try:
        await run.run()
    except TournamentBroken as error:
        broken = error.broken
    except NetError as error:
        broken = error
    return TournamentOptions(run.tournament, files, broken)


def show_end(out: CommandOutput, played: TournamentOptions, save: Path | None) -> ExitCode:
    """Show the end of a tournament to one of its players. `save`: folder for the transcripts."""
    kept = played.files.path.parent
    if save is not None:
        save.mkdir(parents=True, exist_ok=True)
        for path in played.files.transcripts:
            save_transcript(path, save / path.name)
        kept = save
    out.result(**tournament_fields(played.tournament), transcript=str(kept))
    if isinstance(played.broken, TournamentBreak):
        why, names = played.broken.why, played.broken.names
        said = out.text.counted_member(why, len(names), names=", ".join(names))
        out.error("tournament.broken", why=said)
    elif played.broken is not None:
        out.error("tournament.broken", why=str(played.broken))
    show_tournament(out, played.tournament)
    out.line("tournament.kept", folder=kept)
    return ExitCode.OK if played.tournament.over else ExitCode.INCOMPLETE


def rebuilt_tournament(home: Path) -> TournamentReplay | None:
    """The tournament in the games of a home, rebuilt and audited from its files alone."""
    transcripts = [read(path.read_bytes()) for path in sorted((home / "games").glob("*.lanuno"))]
    for each in transcripts:
        if each.genesis.read().is_tournament:
            tournament = TournamentReplay(each.genesis)
            tournament.add_all(transcripts)
            return tournament
    return None


def show_demo(out: CommandOutput, homes: Sequence[Path], save: Path, seconds: float) -> ExitCode:
    """Show a whole tournament on this computer, as every player's own files tell it."""
    found = [rebuilt_tournament(home) for home in homes]
    tournaments = [each for each in found if each is not None]
    if not tournaments:
        raise Failure(ExitCode.NETWORK, "tournament.none")
    first = tournaments[0]
    agreed = len(tournaments) == len(homes) and all(
        each.results.public_state() == first.results.public_state() and each.id == first.id
        for each in tournaments
    )
    fields = tournament_fields(first)
    if not agreed:
        fields["verdict"] = "incomplete"
    save.mkdir(parents=True, exist_ok=True)
    for path in sorted((homes[0] / "games").glob("*.lanuno")):
        save_transcript(path, save / path.name)
    out.result(**fields, transcript=str(save), seconds=round(seconds, 1), copies=len(tournaments))
    show_tournament(out, first)
    out.line("demo.copies", number=len(tournaments))
    out.line("tournament.kept", folder=save)
    return ExitCode.OK if agreed and first.over else ExitCode.INCOMPLETE
