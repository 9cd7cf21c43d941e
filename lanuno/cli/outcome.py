"""What `host`, `bot` and `demo` show when a table is over: their own audit, and the log's file."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import CommandOutput
from lanuno.cli.report import EXIT_CODES, report_fields, rounds_played, show_report
from lanuno.client.transcripts import audit_file, save_transcript
from lanuno.store.errors import StoreError

_log = logging.getLogger(__name__)


def show_outcome(
    out: CommandOutput, transcript: Path, save: Path | None, notices: Sequence[dict[str, object]]
) -> ExitCode:
    """Audit the transcript that was just written, save a copy if asked to, and tell.

    `notices`: what happened to the table besides the game, for a program that reads it.

    A copy that cannot be saved is an error (FILES), but the game is told all the same.
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
