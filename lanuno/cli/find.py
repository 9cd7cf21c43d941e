"""`lanuno find`: list the tables on this network."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
from collections import Counter

from lanuno.cli.exits import ExitCode
from lanuno.cli.network import LOOK_AGAIN, listen_for_tables, network_failure
from lanuno.cli.options import add_network, seconds
from lanuno.cli.output import Output
from lanuno.cli.running import Interruption
from lanuno.cli.running import run as run_loop
from lanuno.cli.texts import Texts
from lanuno.net.asking import Asking
from lanuno.net.errors import NetError
from lanuno.net.txt import TableAdvert


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


def run(args: argparse.Namespace, out: Output) -> ExitCode:
    """Listen for a while, ask every table whether it is there, list them."""
    try:
        found = run_loop(args.home, lambda stop: _find(args.seconds, args.adapter, stop))
    except NetError as error:
        raise network_failure(error) from None
    out.result(tables=[_fields(advert, address) for advert, address in found])
    if not found:
        out.line("find.none")
    names = Counter(advert.name for advert, _ in found)
    for advert, address in found:
        key = "find.table" if address is not None else "find.silent"
        state = out.text.member(advert.state)
        out.line(
            key,
            name=advert.name,
            host=advert.host,
            preset=advert.preset,
            taken=advert.taken,
            seats=advert.seats,
            state=state,
            address=_shown(address or advert.addresses[0], advert.port),
        )
        if names[advert.name] > 1:
            # Only the key tells them apart: anybody can open a table of any name.
            out.line("find.key", key=advert.fp)
    return ExitCode.OK


async def _find(
    time: float, adapter: str | None, stop: Interruption
) -> list[tuple[TableAdvert, str | None]]:
    """Look until the time is over or the user has seen enough, asking whoever is heard of."""
    over = asyncio.Event()
    stop.then(over.set)
    asking = Asking()
    try:
        async with await listen_for_tables(adapter) as lookout:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(time):
                    while not over.is_set():
                        asking.ask(lookout.tables)
                        for key, address in asking.answers.items():
                            lookout.asked(key, answered=address is not None)
                        with contextlib.suppress(TimeoutError):
                            await asyncio.wait_for(over.wait(), LOOK_AGAIN)
            tables = lookout.tables
        found = await asking.settle(tables)
    finally:
        await asking.close()
    # Those that answer first: however many others were announced, they push nobody down.
    return sorted(found, key=lambda each: (each[1] is None, each[0].name, each[0].id))


def _fields(advert: TableAdvert, address: str | None) -> dict[str, object]:
    return {
        "id": advert.id.hex(),
        "name": advert.name,
        "host": advert.host,
        "preset": advert.preset,
        "seats": advert.seats,
        "taken": advert.taken,
        "state": advert.state.value,
        "pin": advert.pin,
        "version": advert.version,
        "address": address or advert.addresses[0],
        "port": advert.port,
        "fingerprint": advert.fp,
        "confirmed": address is not None,
    }


def _shown(address: str, port: int) -> str:
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
