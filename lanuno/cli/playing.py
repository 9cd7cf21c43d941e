"""What `host`, `bot` and `--resume` share: playing a session and showing how it ended."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from pathlib import Path

from lanuno.bots.pace import BOTS_ONLY_PACE, PACES
from lanuno.cli.console import ConsoleRenderer
from lanuno.cli.exits import ExitCode
from lanuno.cli.hand_notes import HandNotes
from lanuno.cli.interruption import Interruption
from lanuno.cli.interruption import run as run_loop
from lanuno.cli.network import known_people, network_failure, several_tables, table_failure
from lanuno.cli.output import CommandOutput, Failure
from lanuno.cli.report import EXIT_CODES, report_fields, rounds_played, show_report
from lanuno.cli.tournament import show_end
from lanuno.client.find import SeveralTables, TableNotFound
from lanuno.client.requests import JoinRequest, SessionRequest
from lanuno.client.session import SessionResult, TableSession
from lanuno.client.transcripts import audit_file, save_transcript
from lanuno.net.errors import NetError
from lanuno.net.runtime.endings import TableEnding
from lanuno.store.errors import StoreError
from lanuno.store.trace_file import trace_to
from lanuno.table.messages import LobbyRefusal


def play(args: argparse.Namespace, request: SessionRequest, out: CommandOutput) -> ExitCode:
    """Play until the session is over, and show how it ended. Ctrl-C leaves the table.

    `args`: home, bot_speed, note_hand, trace, and save (a file, or a tournament's folder). Raises
    `Failure`, `StoreError`.
    """
    wanted = request.table if isinstance(request, JoinRequest) else ""
    renderer = ConsoleRenderer(out, known_people(args.home), wanted)
    notes = HandNotes(args.note_hand, renderer)
    session = TableSession(args.home, request, notes, snapshots=False)
    session.bot_pace = PACES.get(args.bot_speed, BOTS_ONLY_PACE)
    notes.runtime = lambda: session.runtime
    try:
        with trace_to(args.trace) as trace:
            session.trace = trace
            result = _run(session, out)
    except TableNotFound as error:
        raise table_failure(error) from None
    except SeveralTables as error:
        raise several_tables(error, out) from None
    except NetError as error:
        if session.tournament is None:
            raise network_failure(error) from None
        return show_end(out, session.tournament, error, args.save)
    if session.tournament is not None:
        return show_end(out, session.tournament, None, args.save)
    return _show(args, result, renderer, out)


def _run(session: TableSession, out: CommandOutput) -> SessionResult:
    """Run a session, and leave its table when the user asks to stop."""

    async def main(stop: Interruption) -> SessionResult:
        stop.leave_on_stop(out, session.leave, lambda: session.at_table)
        request = session.request
        if isinstance(request, JoinRequest) and request.place is None:
            out.progress("bot.looking", table=request.table)
        return await session.run()

    return run_loop(main)


def _show(
    args: argparse.Namespace, result: SessionResult, renderer: ConsoleRenderer, out: CommandOutput
) -> ExitCode:
    interrupted = result.leave_requested
    if result.ending is TableEnding.TURNED_AWAY and not interrupted:
        # `is None` matters: the refusal FULL is 0.
        why = LobbyRefusal.HOST_LEFT if result.refusal is None else result.refusal
        raise Failure(ExitCode.NETWORK, f"lobby.{why.name.lower()}")
    if result.transcript is None:
        raise KeyboardInterrupt
    if result.ending is TableEnding.LOST and not interrupted:
        out.error("table.lost")
    code = show_outcome(out, result.transcript, args.save, renderer.notices)
    return ExitCode.INTERRUPTED if interrupted and code is ExitCode.INCOMPLETE else code


_log = logging.getLogger(__name__)


def show_outcome(
    out: CommandOutput, transcript: Path, save: Path | None, notices: Sequence[dict[str, object]]
) -> ExitCode:
    """Audit the transcript that was just written, save a copy if asked, and show the result.

    `notices`: events at the table besides the game, for the JSON output. If the copy cannot be
    saved, the exit code is FILES, but the result is shown all the same.
    """
    report = audit_file(transcript)
    blamed = [f"; {each.fault.value} by seat {each.seat}" for each in report.blame]
    _log.info("checked %s: %s%s", transcript, report.verdict.value, "".join(blamed))
    kept, code = transcript, EXIT_CODES[report.verdict]
    if save is not None:
        try:
            kept = save_transcript(transcript, save)
        except StoreError as error:
            out.store_error(error)
            code = ExitCode.FILES
    fields = report_fields(report)
    fields["rounds"] = rounds_played(report)
    out.result(**fields, transcript=str(kept), notices=list(notices))
    show_report(out, report)
    out.line("table.kept", file=kept)
    return code
