"""What commands that use the network share: places, names and PINs, and their error messages."""

from __future__ import annotations

import logging
from typing import Final

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import CommandOutput, Failure
from lanuno.client.find import DiscoveredTable, NotFoundReason, SeveralTables, TableNotFound
from lanuno.client.places import InvalidPlace, TablePlace, parse_place
from lanuno.client.requests import clean_pin
from lanuno.log.format.names import clean_name
from lanuno.net.discovery.advert import LONGEST_TABLE, LONGEST_TABLE_BYTES
from lanuno.net.discovery.invitations import invitations_to
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.addresses import with_port
from lanuno.rules.house_bits import house_names
from lanuno.store.errors import StoreError
from lanuno.store.known_people import KnownPeople, load_known_people
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile

_log = logging.getLogger(__name__)

_NOT_FOUND: Final = {
    NotFoundReason.UNKNOWN: "bot.not_found",
    NotFoundReason.FULL: "lobby.full",
    NotFoundReason.STARTED: "lobby.started",
}
"""The message for each reason."""
_MOST_SHOWN: Final = 10
"""The most tables of one name that are named: a stranger may open any number."""


def known_people(home: Home) -> KnownPeople:
    """Return who is known from games in a home; nobody if its files cannot be read."""
    try:
        return load_known_people(home)
    except StoreError as error:
        _log.warning("known people are not read: %s", error)
        return KnownPeople()


def network_failure(error: NetError) -> Failure:
    """Return a network error as a message for the user."""
    return Failure(ExitCode.NETWORK, f"net.{error.fault.name.lower()}", detail=error.detail)


def table_failure(error: TableNotFound) -> Failure:
    """Return the message for a table that was not found by its name."""
    key = _NOT_FOUND[error.reason]
    if error.reason is NotFoundReason.UNKNOWN and error.multicast_fault is NetFault.MULTICAST_PORT:
        key = "bot.not_found_port"
    return Failure(ExitCode.NETWORK, key, table=error.name)


def several_tables(error: SeveralTables, out: CommandOutput) -> Failure:
    """Print each table of one name, with --json as `find` does; return the message.

    One line each, because a host's name could imitate the next one.
    """
    out.result(tables=[table_fields(each) for each in error.tables])
    for each in error.tables[:_MOST_SHOWN]:
        out.progress("network.way", way=_way(each), host=each.host)
    return Failure(ExitCode.NETWORK, "error.several_tables", table=error.name)


def _way(found: DiscoveredTable) -> str:
    """Return the link of a table, or its address if a link cannot express that."""
    links, _ = invitations_to(found.addresses[0], found.port, found.id, found.fingerprint)
    return links[0] if links else address_text(found)


def address_text(found: DiscoveredTable) -> str:
    """Return the first address of a table, as people type it."""
    return with_port(found.addresses[0], found.port)


def table_fields(found: DiscoveredTable) -> dict[str, object]:
    """Return a table as JSON."""
    return {
        "id": found.id.hex(),
        "name": found.name,
        "host": found.host,
        "preset": found.preset,
        "house_rules": list(house_names(found.house)),
        "unknown_house_rules": found.house.bit_count() - len(house_names(found.house)),
        "changed_count": found.changed,
        "seats": found.seats,
        "taken": found.taken,
        "state": found.state.value,
        "pin": found.pin,
        "version": found.version,
        "address": found.addresses[0],
        "port": found.port,
        "fingerprint": found.fingerprint,
        "confirmed": found.answered,
        "fault": None if found.fault is None else found.fault.value,
    }


def place_of(where: str) -> TablePlace:
    """Return the place that a link, a code or an address names. Raises `Failure` (USAGE)."""
    try:
        return parse_place(where)
    except InvalidPlace as error:
        key = "error.link" if error.looks_like_link else "error.where"
        raise Failure(ExitCode.USAGE, key, value=where) from None


def player_name(asked: str | None, home: Home) -> str:
    """Return the name asked for, else the name in the profile of a home.

    Raises `Failure` (USAGE), before anything is written, if the name may not be shown. Raises
    `StoreError`.
    """
    name = None if asked is None else clean_name(asked)
    if asked is not None and name is None:
        raise Failure(ExitCode.USAGE, "store.bad_name")
    return name or load_profile(home).name


def table_name(asked: str) -> str:
    """Return the name of a table as announced. Raises `Failure` (USAGE) if it may not be shown."""
    name = clean_name(asked, LONGEST_TABLE, LONGEST_TABLE_BYTES)
    if name is None:
        raise Failure(ExitCode.USAGE, "error.table_name")
    return name


def checked_pin(asked: str) -> str:
    """Return the PIN asked for, or "" for none. Raises `Failure` (USAGE) if it is invalid."""
    pin = clean_pin(asked) if asked else ""
    if pin is None:
        raise Failure(ExitCode.USAGE, "error.pin")
    return pin
