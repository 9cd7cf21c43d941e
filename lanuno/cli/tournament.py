"""Shows a tournament: to one of its players, and for the demonstration."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import CommandOutput, Failure
from lanuno.cli.tournament_report import show_tournament, tournament_fields
from lanuno.client.tournament_run import TournamentRun
from lanuno.client.transcripts import save_transcripts
from lanuno.log.format.transcript import read
from lanuno.log.tournament import TournamentReplay
from lanuno.net.errors import NetError
from lanuno.store.errors import StoreError


def show_end(
    out: CommandOutput, played: TournamentRun, broken: NetError | None, save: Path | None
) -> ExitCode:
    """Show a player the end of a tournament. `save`: a folder for the transcripts.

    If they cannot be saved there, the exit code is FILES, but the result is shown all the same.
    """
    kept = played.files.path.parent
    code = ExitCode.OK if played.replay.over else ExitCode.INCOMPLETE
    if save is not None:
        try:
            kept = save_transcripts(played.files.transcripts, save)
        except StoreError as error:
            out.store_error(error)
            code = ExitCode.FILES
    out.result(**tournament_fields(played.replay), transcript=str(kept))
    if played.broken is not None:
        names, host = ", ".join(played.broken.names), played.broken.said_by
        out.error("tournament.broken", why=played.broken.words(out.text, names, host))
    elif broken is not None:
        out.error("tournament.broken", why=str(broken))
    show_tournament(out, played.replay)
    out.line("tournament.kept", folder=kept)
    return code


def rebuilt_tournament(home: Path) -> TournamentReplay | None:
    """Return the tournament in a home's games, rebuilt and audited from its files alone."""
    transcripts = [read(path.read_bytes()) for path in sorted((home / "games").glob("*.lanuno"))]
    for each in transcripts:
        if each.genesis.read().is_tournament:
            tournament = TournamentReplay(each.genesis)
            tournament.add_all(transcripts)
            return tournament
    return None


def show_demo(out: CommandOutput, homes: Sequence[Path], save: Path, seconds: float) -> ExitCode:
    """Show a whole tournament on this computer, as rebuilt from every player's files.

    Raises `Failure`, and `StoreError` if the transcripts cannot be saved.
    """
    tournaments = list(filter(None, map(rebuilt_tournament, homes)))
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
    save_transcripts(sorted((homes[0] / "games").glob("*.lanuno")), save)
    out.result(**fields, transcript=str(save), seconds=round(seconds, 1), copies=len(tournaments))
    show_tournament(out, first)
    out.line("demo.copies", number=len(tournaments))
    out.line("tournament.kept", folder=save)
    return ExitCode.OK if agreed and first.over else ExitCode.INCOMPLETE
