"""The option `--resume`: resumes an interrupted table of this profile, as host or not.

The log decides which node is the host, so `host` and `bot` resume in the same way.
`lanuno.client.resume` finds the tables; a session resumes one.
"""

from __future__ import annotations

import argparse
import time
from random import SystemRandom
from typing import Final

from lanuno.bots.sensible import SensiblePlayer
from lanuno.cli.exits import ExitCode
from lanuno.cli.output import CommandOutput, Failure
from lanuno.cli.playing import play
from lanuno.client.resume import Interrupted, ResumeRequest, find_resumable
from lanuno.client.texts import Texts
from lanuno.store.paths import Home
from lanuno.store.profile import Profile, load_profile

JUST_NOW = 120.0
"""Seconds after the end of a table in which others may still ask for its last entries."""

SIGNED_OPTIONS: Final = {
    "--table": "table",
    "--name": "name",
    "--seats": "seats",
    "--bots": "bots",
    "--pin": "pin",
    "--rounds": "rounds",
    "--preset": "preset",
    "--rules": "saved",
    "--set": "settings",
}
"""The options about a table or a seat, and the names of their values. `bot` has only some."""


def add_resume(parser: argparse._ActionsContainer, text: Texts) -> None:
    """Define the option that resumes an interrupted table: --resume."""
    parser.add_argument(
        "--resume", nargs="?", const="", metavar=text("metavar.table"), help=text("help.resume")
    )


def resume(args: argparse.Namespace, out: CommandOutput) -> ExitCode:
    """Resume a table, for `host --resume` and `bot --resume`.

    Refuses options about the table, because all players have signed them.
    """
    for option, name in SIGNED_OPTIONS.items():
        if getattr(args, name, None):
            raise Failure(ExitCode.USAGE, "resume.options", option=option)
    profile = load_profile(args.home)
    with args.home.locked():
        chosen = choose_interrupted(out, args.home, profile, args.resume)
    request = ResumeRequest(
        chosen=chosen,
        player=SensiblePlayer(SystemRandom()),
        adapter=args.adapter,
        port=getattr(args, "port", None),
    )
    return play(args, request, out)


def choose_interrupted(
    out: CommandOutput, home: Home, profile: Profile, wanted: str
) -> Interrupted:
    """Return the interrupted table that `wanted` names; "" means the only one.

    If there is none, a table that this profile closed in the last `JUST_NOW` seconds also counts.
    Raises `Failure` (USAGE) if no table or more than one matches, and `StoreError` if the only
    reason is a file that cannot be used.
    """
    resumable = find_resumable(home, profile, time.time() - JUST_NOW)
    every, damaged = resumable.tables, resumable.damaged
    tables = [each for each in every if not each.table.closed]
    found = [each for each in tables if not wanted or each.matches(wanted)]
    over = [each for each in every if each.table.closed and each.matches(wanted or each.name)]
    if damaged and not found and not over:
        raise damaged[0]
    for error in damaged:
        out.progress(f"store.{error.problem.name.lower()}", path=error.path)
    if len(found) == 1:
        return found[0]
    if not found and over:
        return over[0]
    out.result(tables=[_fields(each) for each in found or tables])
    for each in found or tables:
        names = ", ".join(each.table.names)
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(each.table.written))
        table = each.name or "?"
        out.progress("resume.table", id=each.shown_id, table=table, names=names, when=when)
    if found:
        raise Failure(ExitCode.USAGE, "resume.which")
    if tables:
        raise Failure(ExitCode.USAGE, "resume.unknown", table=wanted)
    raise Failure(ExitCode.USAGE, "resume.none")


def _fields(each: Interrupted) -> dict[str, object]:
    return {
        "id": each.id.hex(),
        "name": each.name,
        "players": list(each.table.names),
        "written": round(each.table.written),
    }
