"""Shows two forked copies of one table's log, as lines and as JSON fields."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lanuno.cli.output import CommandOutput
from lanuno.cli.report import player_name, winner_names
from lanuno.log.audit.audit import Report
from lanuno.store.verification import ForkedCopies


def fork_fields(
    files: Sequence[Path], reports: Sequence[Report], apart: ForkedCopies
) -> dict[str, object]:
    """Return two copies that fork, as JSON."""
    both = (apart.first, apart.second)
    return {
        "table_id": reports[apart.first].table_id.hex(),
        "entry": apart.fork.entry,
        "copies": [
            {
                "file": str(files[each]),
                "verdict": reports[each].verdict.value,
                "closed": reports[each].closed is not None,
                "winner": winner_names(reports[each]),
            }
            for each in both
        ],
        "suspected": [
            {
                "player": player_name(reports[apart.first], each.seat),
                "voted_in": str(files[both[each.copy]]),
                "entry": each.entry,
                "claimed": each.claimed,
                "held": each.held,
                "shown_in": str(files[both[1 - each.copy]]),
                "shown_by": each.shown,
            }
            for each in apart.fork.contradictions
        ],
    }


def show_fork(
    out: CommandOutput, files: Sequence[Path], reports: Sequence[Report], apart: ForkedCopies
) -> None:
    """Show which copies fork and where, the verdict on each copy alone, and the suspects."""
    both = (apart.first, apart.second)
    closed = all(reports[each].closed is not None for each in both)
    out.line(
        "verify.apart_closed" if closed else "verify.apart",
        first=files[apart.first],
        second=files[apart.second],
        entry=apart.fork.entry,
    )
    for each in both:
        report = reports[each]
        winner = winner_names(report)
        verdict = out.text.member(report.verdict, entries=report.entries)
        key = "verify.alone" if winner is None else "verify.alone_winner"
        out.line(key, file=files[each], verdict=verdict, name=winner or "")
    out.line("verify.undecided")
    for denial in apart.fork.contradictions:
        out.line(
            "verify.suspected",
            name=player_name(reports[apart.first], denial.seat) or "",
            file=files[both[denial.copy]],
            entry=denial.entry,
            claimed=denial.claimed,
            other=files[both[1 - denial.copy]],
            shown=denial.shown,
            held=denial.held,
        )
    if apart.fork.contradictions:
        out.line("verify.suspected_only")
