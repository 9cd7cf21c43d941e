"""What `host` and `bot` show when a table is over: their own audit, and the transcript's path."""

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
