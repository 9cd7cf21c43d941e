"""`lanuno find`: list the tables on this network."""

from __future__ import annotations

import argparse

from lanuno.cli.exits import ExitCode
from lanuno.cli.interruption import run as run_loop
from lanuno.cli.network import address_text, known_people, network_failure, table_fields
from lanuno.cli.options import add_network, seconds
from lanuno.cli.output import CommandOutput
from lanuno.client.find import DiscoveredTable, find_tables, tables_like_others
from lanuno.client.rule_texts import title_with_changes
from lanuno.client.texts import Texts, member_key
from lanuno.net.errors import NetError, NetFault
from lanuno.rules.house_bits import house_names
from lanuno.store.known_people import KnownPeople


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
    tables = found.tables
    fault = found.multicast_fault
    known = known_people(args.home)
    others = {each.key: _other_key_than(each, known) for each in tables}
    out.result(
        tables=[table_fields(each) | {"other_key_than": others[each.key]} for each in tables],
        multicast_fault=None if fault is None else fault.value,
    )
    taken = fault is NetFault.MULTICAST_PORT
    if taken:
        out.line("net.multicast_port")
    if not tables:
        out.line("find.none_by_broadcast" if taken else "find.none")
    same = tables_like_others(tables)
    for each in tables:
        state = out.text.member(each.state)
        out.line(
            _key(each),
            why=_why(each, out),
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
        other = others[each.key]
        if other is not None:
            out.line("find.other_key", name=other)
        if each.key in same or other is not None:
            # Only the key distinguishes them, because anybody can open a table of any name.
            out.line("find.key", key=each.fingerprint)
    return ExitCode.OK


def _other_key_than(table: DiscoveredTable, known: KnownPeople) -> str | None:
    """Return the known table or host that this one looks like, but with another key."""
    key = table.fingerprint
    return known.table_like(table.name, key) or known.person_like(table.host, key) or None


def _key(table: DiscoveredTable) -> str:
    """Return the id of a table's line. Only silence hints at a firewall."""
    if table.answered:
        return "find.table"
    return "find.silent" if table.fault in (None, NetFault.TIMEOUT) else "find.failed"


def _why(table: DiscoveredTable, out: CommandOutput) -> str:
    return (
        ""
        if table.fault is None
        else out.text(f"window.{member_key(table.fault)}", port=table.port)
    )
