"""`lanuno find`: list the tables on this network."""

from __future__ import annotations

import argparse
from collections import Counter

from lanuno.cli.exits import ExitCode
from lanuno.cli.interruption import run as run_loop
from lanuno.cli.network import address_text, network_failure, table_fields
from lanuno.cli.options import add_network, seconds
from lanuno.cli.output import CommandOutput
from lanuno.client.find import find_tables
from lanuno.client.rule_texts import title_with_changes
from lanuno.client.texts import Texts
from lanuno.net.errors import NetError
from lanuno.rules.house_bits import house_names


def add(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the arguments."""
    parser.add_argument(
        "--seconds",
        type=seconds(text, 0.1, 3600),
        default=3.0,
        metavar=text("metavar.seconds"),
        help=text("help.find.seconds"),
    )
    add_network(parser, text)


def run(args: argparse.Namespace, out: CommandOutput) -> ExitCode:
    """Listen for some time, probe every table, and list them."""
    try:
        found = run_loop(
            lambda stop: find_tables(args.adapter, args.seconds, lambda: stop.requested)
        )
    except NetError as error:
        raise network_failure(error) from None
    out.result(tables=[table_fields(each) for each in found])
    if not found:
        out.line("find.none")
    names = Counter(each.name for each in found)
    for each in found:
        key = "find.table" if each.answered else "find.silent"
        state = out.text.member(each.state)
        out.line(
            key,
            name=each.name,
            host=each.host,
            preset=title_with_changes(out.text, each.preset, each.house.bit_count(), each.changed),
            taken=each.taken,
            seats=each.seats,
            state=state,
            address=address_text(each),
        )
        if each.house:
            out.line("find.house", names=", ".join(house_names(each.house)) or "?")
        if names[each.name] > 1:
            # Only the key distinguishes them, because anybody can open a table of any name.
            out.line("find.key", key=each.fingerprint)
    return ExitCode.OK
