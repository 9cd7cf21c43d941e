"""`lanuno doctor`: what may keep this computer from finding tables, and what to do about it."""

from __future__ import annotations

import argparse
import platform
from importlib import metadata

from lanuno import __version__
from lanuno.cli.exits import ExitCode
from lanuno.cli.options import add_network
from lanuno.cli.output import Output
from lanuno.cli.running import run as run_loop
from lanuno.cli.texts import Texts
from lanuno.net.checkup import Finding, Health, What, check_up
from lanuno.store.logfile import why_not_writable

PARTS = ("PySide6-Essentials", "zeroconf", "cryptography", "coincurve", "msgspec")
"""Whose versions matter to whoever is asked for help."""

SIGNS = {Health.GOOD: "ok", Health.HINT: "! ", Health.BAD: "X "}
"""Not a colour: the output may go anywhere."""


def add(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the arguments."""
    add_network(parser, text)


def run(args: argparse.Namespace, out: Output) -> ExitCode:
    """Look, and tell what was found, the worst of it again at the end."""
    out.progress("doctor.looking")
    # Ctrl-C breaks the looking off like any command.
    findings = run_loop(lambda stop: stop.unless_asked(check_up(args.adapter)))
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
    for each in (*bad, *hints):
        advice = _advice(each, out)
        if advice:
            out.show(f"-> {advice}")
    if unwritable:
        out.show(f"-> {out.text('doctor.advice.no_log', file=args.home.log)}")
    out.line("doctor.bad" if bad else "doctor.good")
    return ExitCode.NETWORK if bad else ExitCode.OK


def _versions() -> dict[str, str]:
    found = {"LanUNO": __version__, "Python": platform.python_version()}
    found[platform.system() or "system"] = platform.release()
    for name in PARTS:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "-"
    return found


def _said(finding: Finding, out: Output) -> str:
    return out.text.member(finding.what, **finding.values)


def _advice(finding: Finding, out: Output) -> str:
    key = _ADVICE.get(finding.what)
    return "" if key is None else out.text(key, **finding.values)


_ADVICE = {
    What.ALONE: "doctor.advice.alone",
    What.DISCONNECTED: "doctor.advice.alone",
    What.NO_ADAPTER: "doctor.advice.no_adapter",
    What.SKIPPED_VIRTUAL: "doctor.advice.virtual",
    What.NO_MULTICAST: "doctor.advice.no_multicast",
    What.NO_BROADCAST: "doctor.advice.no_broadcast",
    What.NOT_REACHED: "doctor.advice.not_reached",
    What.PORT_TAKEN: "doctor.advice.port_taken",
    What.BEACON_TAKEN: "doctor.advice.beacon_taken",
    What.NO_IPV4: "doctor.advice.no_ipv4",
    What.FIREWALL_UFW: "doctor.advice.ufw",
    What.FIREWALL_FIREWALLD: "doctor.advice.firewalld",
    What.FIREWALL_WINDOWS: "doctor.advice.windows",
    What.FIREWALL_MACOS: "doctor.advice.macos",
}


def _fields(finding: Finding, out: Output) -> dict[str, object]:
    return {
        "what": finding.what.value,
        "health": finding.health.value,
        **finding.values,
        "text": _said(finding, out),
        "advice": _advice(finding, out),
    }
