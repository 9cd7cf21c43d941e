"""An audit report as JSON fields, as lines for people, and as an exit code."""

from __future__ import annotations

from collections.abc import Sequence

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import CommandOutput
from lanuno.cli.rule_title import changed_fields
from lanuno.client.texts import Texts
from lanuno.log.audit.audit import Report
from lanuno.log.faults import AuditVerdict, Blame, Check, VoidReason
from lanuno.log.format.bodies import CloseReason
from lanuno.log.replay.course import Decided
from lanuno.log.round.round_audit import RoundReport, is_proof

EXIT_CODES = {
    AuditVerdict.VERIFIED: ExitCode.OK,
    AuditVerdict.INCOMPLETE: ExitCode.INCOMPLETE,
    AuditVerdict.CHANGED: ExitCode.UNREADABLE,
    AuditVerdict.UNREADABLE: ExitCode.UNREADABLE,
    AuditVerdict.CHEATING: ExitCode.CHEATING,
}
"""The exit code of each verdict; the worst verdict comes last."""


def worst(reports: Sequence[Report]) -> AuditVerdict:
    """Return the verdict that decides the exit code for several files."""
    return worst_verdict(*[report.verdict for report in reports])


def worst_verdict(*verdicts: AuditVerdict) -> AuditVerdict:
    """Return the worst of several verdicts, in the order of `EXIT_CODES`."""
    return max(verdicts, key=list(EXIT_CODES).index)


def seat_name(report: Report, seat: int | None) -> str | None:
    """Return the name of a seat in the roster; None for a seat that does not exist."""
    return None if seat is None or seat >= len(report.players) else report.players[seat]


def blame_fields(report: Report, blame: Blame) -> dict[str, object]:
    """Return one fault as JSON."""
    return {
        "player": seat_name(report, blame.seat),
        "fault": blame.fault.value,
        "round": blame.round,
        "entry": blame.entry,
    }


def report_fields(report: Report) -> dict[str, object]:
    """Return the report on one file as JSON, as in `lanuno verify --json`."""
    return {
        "verdict": report.verdict.value,
        "reason": report.reason,
        "table_id": report.table_id.hex(),
        "preset": report.preset,
        **changed_fields(report.ruleset),
        "players": list(report.players),
        "decided": None if report.decided is None else report.decided.value,
        "rounds": [
            {
                "round": each.round,
                "counted": each.round in report.counted,
                "void": None if each.void is None else each.void.name.lower(),
                "spoilers": [seat_name(report, seat) for seat in each.voided_by],
                "unrevealed": [seat_name(report, seat) for seat in each.unrevealed],
                "left_out": [seat_name(report, seat) for seat in each.left_out],
                "filled": [
                    {"player": seat_name(report, seat), "by": seat_name(report, owner)}
                    for seat, owner in each.filled
                ],
                "checks": [
                    {"name": check.name.value, "ok": check.ok, "detail": check.detail}
                    for check in each.checks
                ],
            }
            for each in report.rounds
        ],
        "blame": [blame_fields(report, blame) for blame in report.blame if is_proof(blame)],
        "noted": [blame_fields(report, blame) for blame in report.blame if not is_proof(blame)],
        "dropped": [
            {
                "player": seat_name(report, each.seat),
                "reason": each.reason.name.lower(),
                "signed": each.signed,
                "round": each.round,
                "entry": each.entry,
            }
            for each in report.dropped
        ],
        "clock": [
            {"player": seat_name(report, seat), "turns": turns} for seat, turns in report.clock
        ],
        "clock_acts": [
            {
                "player": seat_name(report, each.seat),
                "effect": each.effect.value,
                "round": each.round,
                "entry": each.entry,
            }
            for each in report.clock_acts
        ],
        "expelled": [seat_name(report, seat) for seat in report.expelled],
        "forfeited": None if report.forfeited is None else seat_name(report, report.forfeited[0]),
        "entries": report.entries,
        "closed": None if report.closed is None else report.closed.name.lower(),
        "scores": dict(zip(report.players, report.scores, strict=False)),
        "winner": winner_names(report),
        "attestations": report.attestations,
    }


def winner_names(report: Report) -> str | None:
    """Return the names of the winners of the match; None if it was not played to its end."""
    return ", ".join(report.players[seat] for seat in report.winners) or None


def round_name(text: Texts, number: int) -> str:
    """Return how a round is called; number 0 is the one that chooses the dealer."""
    return text("verify.round", number=number) if number else text("verify.dealer_round")


def show_report(out: CommandOutput, report: Report, *, briefly: bool = False) -> None:
    """Show a person the verdict in a sentence, its basis, then everything that is wrong.

    `briefly` leaves out the basis, and the round that chose the dealer unless something is wrong.
    """
    out.show(_headline(out, report))
    if report.verdict is AuditVerdict.CHANGED:
        _show_change(out, report)
    elif report.verdict is AuditVerdict.UNREADABLE or not report.players:
        why = report.reason if report.no_game is None else out.text.member(report.no_game)
        out.line("verify.why", why=why)
    if report.verdict is AuditVerdict.UNREADABLE or not report.players:
        return
    if report.verdict is AuditVerdict.VERIFIED and not briefly:
        show_decided(out, report.decided, on_hosts_word=report.on_hosts_word)
        _show_promises(out, report)
    for blame in filter(is_proof, report.blame):
        show_blame(out, report, blame)
    _show_absences(out, report)
    for each in report.rounds:
        if each.round > 0 or not (briefly and each.complete):
            _show_round(out, report, each)
    if report.scores:
        scores = ", ".join(
            f"{name} {score}" for name, score in zip(report.players, report.scores, strict=True)
        )
        out.line("verify.scores", scores=scores)
    winner = winner_names(report)
    if winner is not None:
        out.line("verify.winner", name=winner)
    if report.closed is CloseReason.TOO_LONG:
        out.line("verify.outgrown")


def show_blame(out: CommandOutput, report: Report, blame: Blame) -> None:
    """Show one proven fault: who, what and where."""
    fault, name = out.text.member(blame.fault), seat_name(report, blame.seat)
    where = round_name(out.text, blame.round)
    out.line("verify.blame", name=name, fault=fault, round=where, entry=blame.entry)


def show_decided(out: CommandOutput, decided: Decided | None, *, on_hosts_word: bool) -> None:
    """Show what decided a match or a tournament, if anything did."""
    if decided is not None:
        absence = decided is Decided.ABSENCE
        out.line("verify.decided_absence" if absence else "verify.decided_cards")
        if absence and on_hosts_word:
            out.line("verify.hosts_word")


def _headline(out: CommandOutput, report: Report) -> str:
    if report.broken_from:
        key = "verify.incomplete_round"
        if report.verdict is AuditVerdict.CHANGED:
            key = "verify.changed_end_round" if report.at_end else "verify.changed_round"
        return out.text(key, round=report.broken_from, entries=report.entries)
    if report.at_end:
        return out.text("verify.changed_end", entry=report.entries)
    return out.text.member(report.conclusion, entries=report.entries)


def _show_change(out: CommandOutput, report: Report) -> None:
    """Show up to which entry the file is unchanged, and what the user can do."""
    if report.players:
        out.line("verify.changed_or_stopped" if report.at_end else "verify.changed_from")
    out.line("verify.ask_for_copy")


def _show_promises(out: CommandOutput, report: Report) -> None:
    """Show what was checked in the rounds that count, or that no round counts."""
    if not report.counted:
        out.line("verify.plain_nothing")
        return
    if any(each.void is not None for each in report.rounds):
        out.line("verify.plain_counted")
    counted = [each for each in report.rounds if each.round in report.counted]
    everybody = not any(each.left_out for each in counted)
    out.line("verify.plain_seeds" if everybody else "verify.plain_seeds_of_those_there")
    out.line("verify.plain_shuffles")
    out.line("verify.plain_cards" if not report.clock else "verify.plain_cards_clock")


def _show_absences(out: CommandOutput, report: Report) -> None:
    """Show absences, for which the only evidence is a statement of the host or the player."""
    for drop in report.dropped:
        key = "verify.dropped_signed" if drop.signed else "verify.dropped_said"
        name, why = seat_name(report, drop.seat), out.text.member(drop.reason)
        out.line(key, name=name, why=why, round=round_name(out.text, drop.round))
    for seat in report.expelled:
        out.line("verify.expelled", name=seat_name(report, seat))
    if report.forfeited is not None:
        loser, winner = (seat_name(report, seat) for seat in report.forfeited)
        out.line("verify.forfeited", name=loser, winner=winner)
    for seat, turns in report.clock:
        out.show(out.text.count("verify.clock", turns, name=seat_name(report, seat)))
    for act in report.clock_acts:
        name, what = seat_name(report, act.seat), out.text.member(act.effect)
        out.line("verify.clock_act", name=name, what=what, round=act.round, entry=act.entry)


def _show_round(out: CommandOutput, report: Report, each: RoundReport) -> None:
    where = round_name(out.text, each.round)
    if each.void is not None:
        why = out.text.member(each.void)
        names = ", ".join(seat_name(report, seat) or "" for seat in each.voided_by)
        left = bool(names) and each.void is VoidReason.LOST
        key = "verify.round_void_left" if left else "verify.round_void"
        out.line(key, round=where, why=why, names=names)
        if names and not left:
            out.line("verify.round_counts_against", round=where, names=names)
    for seat, owner in each.filled:
        name, by = seat_name(report, seat), seat_name(report, owner)
        out.line("verify.round_filled", round=where, name=name, owner=by)
    # Where the log breaks off, the players had no chance to reveal their seeds.
    if each.unrevealed and report.closed is not None:
        hidden = ", ".join(seat_name(report, seat) or "" for seat in each.unrevealed)
        out.line("verify.round_unrevealed", round=where, names=hidden)
    wrong = [
        out.text.member(check.name)
        for check in each.checks
        if not (check.ok or (each.void is not None and check.name is Check.SCORES))
    ]
    if wrong:
        wrong_for_sure = report.verdict is AuditVerdict.CHANGED or any(map(is_proof, each.blame))
        key = "verify.round_wrong" if wrong_for_sure else "verify.round_unproven"
        out.line(key, round=where, checks="; ".join(wrong))
    elif each.round == report.broken_from:
        out.line("verify.round_broken", round=where)
    elif each.void is None:
        out.line("verify.round_right", round=where, checks=len(each.checks))


def rounds_played(report: Report) -> int:
    """Return the number of rounds played. The round that chooses the dealer is number 0."""
    return sum(1 for each in report.rounds if each.round > 0)
