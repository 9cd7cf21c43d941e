"""The standing of a tournament as JSON fields, as lines for people, and as a report of its own."""

from __future__ import annotations

from lanuno.cli.output import CommandOutput
from lanuno.cli.report import show_decided
from lanuno.log.audit.audit import Report
from lanuno.log.faults import AuditVerdict
from lanuno.log.tournament import TournamentReplay


def tournament_report(tournament: TournamentReplay) -> Report:
    """Return the report on a tournament itself."""
    return Report(
        AuditVerdict.VERIFIED if tournament.over else AuditVerdict.INCOMPLETE,
        "all tables are verified" if tournament.over else "tables are missing",
        tournament.id,
        tuple([seat.name for seat in tournament.roster.seats]),
        (),
        (),
        0,
        tuple(tournament.results.totals),
        tournament.results.winners,
        preset=tournament.roster.ruleset.preset,
        decided=tournament.decided,
    )


def tournament_fields(tournament: TournamentReplay) -> dict[str, object]:
    """Return the tournament's tables and results as JSON."""
    names = [seat.name for seat in tournament.roster.seats]
    winners = [names[seat] for seat in tournament.results.winners]
    return {
        "verdict": "verified" if tournament.over else "incomplete",
        "decided": None if tournament.decided is None else tournament.decided.value,
        "tournament_id": tournament.id.hex(),
        "preset": tournament.roster.ruleset.preset,
        "players": names,
        "rotations": tournament.rotation,
        "tables": [
            {
                "rotation": rotation + 1,
                "table": table + 1,
                "table_id": report.table_id.hex(),
                "players": list(report.players),
                "verdict": report.verdict.value,
                "decided": None if report.decided is None else report.decided.value,
                "scores": dict(zip(report.players, report.scores, strict=True)),
                "entries": report.entries,
                "attestations": report.attestations,
            }
            for (rotation, table), report in sorted(tournament.reports.items())
        ],
        "scores": dict(zip(names, tournament.results.totals, strict=True)),
        "winner": ", ".join(winners) or None,
    }


def show_tournament(out: CommandOutput, tournament: TournamentReplay) -> None:
    """Show the standing of a tournament."""
    tables = len(tournament.reports)
    out.line("tournament.over" if tournament.over else "tournament.cut", tables=tables)
    claimed = any(each.on_hosts_word for each in tournament.reports.values())
    show_decided(out, tournament.decided, on_hosts_word=claimed)
    names = [seat.name for seat in tournament.roster.seats]
    ranking = sorted(zip(tournament.results.totals, names, strict=True), reverse=True)
    for points, name in ranking:
        out.line("tournament.standing", name=name, points=points)
    winners = ", ".join(names[seat] for seat in tournament.results.winners)
    if winners:
        out.line("verify.winner", name=winners)
