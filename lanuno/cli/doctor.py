"""`lanuno doctor`: find what keeps this computer from finding tables, and advise what to do."""

from __future__ import annotations

import argparse
import platform
from importlib import metadata

from lanuno import __version__
from lanuno.cli.exits import ExitCode
from lanuno.cli.interruption import run as run_loop
from lanuno.cli.network import place_of
from lanuno.cli.options import add_network
from lanuno.cli.output import CommandOutput
from lanuno.client.places import TablePlace
from lanuno.client.texts import Texts
from lanuno.net.diagnostics.doctor import Finding, FindingKind, Health, check_place, run_checks
from lanuno.store.logfile import why_not_writable

PARTS = ("PySide6-Essentials", "zeroconf", "cryptography", "coincurve", "msgspec")
"""Packages whose versions help to diagnose a problem."""

SIGNS = {Health.GOOD: "ok", Health.HINT: "! ", Health.BAD: "X "}
"""Signs instead of colours, because the output may go to a file."""


def add(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the arguments."""
    parser.add_argument(
        "where", nargs="?", metavar=text("metavar.where"), help=text("help.doctor.where")
    )
    add_network(parser, text)


def run(args: argparse.Namespace, out: CommandOutput) -> ExitCode:
    """Run the checks, and show the findings, then advice on the bad ones and the hints."""
    place = None if args.where is None else place_of(args.where)
    out.progress("doctor.looking" if place is None else "doctor.asking")
    # Ctrl-C stops the checks as it stops any command.
    findings = run_loop(lambda stop: stop.unless_stopped(_checks(args.adapter, place)))
    if findings is None:
        return ExitCode.INTERRUPTED
    versions = _versions()
    unwritable = why_not_writable(args.home)
    bad = [each for each in findings if each.health is Health.BAD]
    hints = [each for each in findings if each.health is Health.HINT]
    out.result(
        versions=versions,
        findings=[_fields(each, out) for each in findings],
        log={"file": str(args.home.log), "writable": not unwritable, "why": unwritable},
        healthy=not bad,
    )
    out.line("doctor.versions", versions=", ".join(f"{k} {v}" for k, v in versions.items()))
    for each in findings:
        out.show(f"{SIGNS[each.health]} {_said(each, out)}")
    if unwritable:
        out.show(f"{SIGNS[Health.HINT]} {out.text('doctor.no_log', why=unwritable)}")
    else:
        out.show(f"{SIGNS[Health.GOOD]} {out.text('doctor.log', file=args.home.log)}")
    advice = [_advice(each, out) for each in (*bad, *hints)]
    for line in dict.fromkeys(filter(None, advice)):
        out.show(f"-> {line}")
    if unwritable:
        out.show(f"-> {out.text('doctor.advice.no_log', file=args.home.log)}")
    if place is None:
        out.line("doctor.bad" if bad else "doctor.good")
    return ExitCode.NETWORK if bad else ExitCode.OK


async def _checks(adapter: str | None, place: TablePlace | None) -> tuple[Finding, ...]:
    if place is None:
        return await run_checks(adapter)
    found = await check_place(
        place.hosts, place.port, fingerprint=place.fingerprint, context=place.context
    )
    return (found,)


def _versions() -> dict[str, str]:
    found = {"LanUNO": __version__, "Python": platform.python_version()}
    found[platform.system() or "system"] = platform.release()
    for name in PARTS:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "-"
    return found


def _said(finding: Finding, out: CommandOutput) -> str:
    return out.text.member(finding.kind, **_words(finding, out))


def _words(finding: Finding, out: CommandOutput) -> dict[str, str]:
    """Return the values of a finding, with `taker`, who has a port, in words."""
    values = finding.values
    if "command" not in values:
        return values
    if values["pid"]:
        key = "doctor.taker.program"
    else:
        key = "doctor.taker.user" if values["user"] else "doctor.taker.unknown"
    return values | {"taker": out.text(key, **values)}


def _advice(finding: Finding, out: CommandOutput) -> str:
    key = _ADVICE.get(finding.kind)
    if key is None:
        return ""
    said = out.text(key, **_words(finding, out))
    if "command" in finding.values and not finding.values["pid"]:
        return f"{said} {out.text('doctor.advice.who', **finding.values)}"
    return said


_ADVICE = {
    FindingKind.ALONE: "doctor.advice.alone",
    FindingKind.DISCONNECTED: "doctor.advice.alone",
    FindingKind.NO_ADAPTER: "doctor.advice.no_adapter",
    FindingKind.SKIPPED_VIRTUAL: "doctor.advice.virtual",
    FindingKind.NO_MULTICAST: "doctor.advice.no_multicast",
    FindingKind.MULTICAST_UNUSABLE: "doctor.advice.multicast_unusable",
    FindingKind.MULTICAST_TAKEN: "doctor.advice.multicast_taken",
    FindingKind.ADDRESS_UNUSABLE: "doctor.advice.address_unusable",
    FindingKind.INCOMING_UNKNOWN: "doctor.advice.incoming_unknown",
    FindingKind.PLACE_REFUSED: "doctor.advice.place_refused",
    FindingKind.PLACE_SILENT: "doctor.advice.place_silent",
    FindingKind.PLACE_UNREACHABLE: "doctor.advice.place_unreachable",
    FindingKind.PLACE_FOREIGN: "doctor.advice.place_foreign",
    FindingKind.NO_BROADCAST: "doctor.advice.no_broadcast",
    FindingKind.NOT_REACHED: "doctor.advice.not_reached",
    FindingKind.PORT_TAKEN: "doctor.advice.port_taken",
    FindingKind.BEACON_TAKEN: "doctor.advice.beacon_taken",
    FindingKind.NO_IPV4: "doctor.advice.no_ipv4",
    FindingKind.FIREWALL_UFW: "doctor.advice.ufw",
    FindingKind.FIREWALL_FIREWALLD: "doctor.advice.firewalld",
    FindingKind.FIREWALL_WINDOWS: "doctor.advice.windows",
    FindingKind.FIREWALL_MACOS: "doctor.advice.macos",
}


def _fields(finding: Finding, out: CommandOutput) -> dict[str, object]:
    return {
        "what": finding.kind.value,
        "health": finding.health.value,
        **finding.values,
        "text": _said(finding, out),
        "advice": _advice(finding, out),
    }
