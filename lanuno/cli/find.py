"""`lanuno find`: list the tables on this network."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
from collections import Counter

from lanuno.cli.exits import ExitCode
from lanuno.cli.network import REFRESH_SECONDS, network_failure
from lanuno.cli.options import add_network, seconds
from lanuno.cli.output import CommandOutput
from lanuno.cli.rule_title import rules_title
from lanuno.cli.running import Interruption
from lanuno.cli.running import run as run_loop
from lanuno.client.texts import Texts
from lanuno.net.discovery.directory import DirectoryEntry, TableDirectory
from lanuno.net.discovery.table_listener import listen_for_tables
from lanuno.net.errors import NetError
from lanuno.rules.house import house_names


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
    """Listen for a while, probe every table, list them."""
    try:
        found = run_loop(lambda stop: _find(args.seconds, args.adapter, stop))
    except NetError as error:
        raise network_failure(error) from None
    out.result(tables=[_fields(each) for each in found])
    if not found:
        out.line("find.none")
    names = Counter(each.advert.name for each in found)
    for each in found:
        advert = each.advert
        key = "find.table" if each.answer.reached else "find.silent"
        state = out.text.member(advert.state)
        out.line(
            key,
            name=advert.name,
            host=advert.host,
            preset=rules_title(out.text, advert.preset, advert.house.bit_count(), advert.changed),
            taken=advert.taken,
            seats=advert.seats,
            state=state,
            address=_shown(advert.addresses[0], advert.port),
        )
        if advert.house:
            out.line("find.house", names=", ".join(house_names(advert.house)) or "?")
        if names[advert.name] > 1:
            # Only the key tells them apart: anybody can open a table of any name.
            out.line("find.key", key=advert.fp)
    return ExitCode.OK


async def _find(time: float, adapter: str | None, stop: Interruption) -> list[DirectoryEntry]:
    """Listen until the time is over or the user stops it, and probe every table found."""
    over = asyncio.Event()
    stop.on_stop(over.set)
    async with await listen_for_tables(adapter=adapter) as listener:
        directory = TableDirectory(listener.host_probed)
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(time):
                    while not over.is_set():
                        directory.update(listener.tables)
                        with contextlib.suppress(TimeoutError):
                            await asyncio.wait_for(over.wait(), REFRESH_SECONDS)
            found = await directory.settle(listener.tables)
        finally:
            await directory.close()
    # Those that answer come first: any number of false announcements stays below them.
    return sorted(
        found.values(), key=lambda each: (not each.answer.reached, each.advert.name, each.advert.id)
    )


def _fields(each: DirectoryEntry) -> dict[str, object]:
    advert = each.advert
    return {
        "id": advert.id.hex(),
        "name": advert.name,
        "host": advert.host,
        "preset": advert.preset,
        "house_rules": list(house_names(advert.house)),
        "unknown_house_rules": advert.house.bit_count() - len(house_names(advert.house)),
        "changed_count": advert.changed,
        "seats": advert.seats,
        "taken": advert.taken,
        "state": advert.state.value,
        "pin": advert.pin,
        "version": advert.version,
        "address": advert.addresses[0],
        "port": advert.port,
        "fingerprint": advert.fp,
        "confirmed": each.answer.reached,
    }


def _shown(address: str, port: int) -> str:
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
