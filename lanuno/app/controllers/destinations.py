"""What is known of the table behind a link, a code or an address, before the user goes there.

For this, nothing is sent and no name is resolved. Each line names its source.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from lanuno.app.controllers.home import HomeController
from lanuno.app.controllers.known_people import KnownPeopleController
from lanuno.app.controllers.resumable import InterruptedTables
from lanuno.app.controllers.settings import SettingsController
from lanuno.app.texts import filled, isolated, texts, translate
from lanuno.client.places import TablePlace
from lanuno.log.format.names import clean_name
from lanuno.net.discovery.advert import LONGEST_TABLE, LONGEST_TABLE_BYTES
from lanuno.net.transport.adapters import scan
from lanuno.net.transport.nearness import Nearness, nearness

LONGEST_HOST: Final = 253
"""Limit for the name of a host, in letters (RFC 1035)."""

SHOWN_HOST: Final = 60
"""Letters shown of a longer host name: the end, because the last labels say whose it is."""

MOODS: Final = {Nearness.NETWORK: "good", Nearness.COMPUTER: "warn", Nearness.OTHER_ADAPTER: "warn"}
"""The style of the text about an address; "danger" for all other kinds."""


class Destination(Struct, frozen=True):
    """A table that the user may go to, in words."""

    table: str
    """The name of the table, and the source of that name."""
    host: str
    """The host of the table."""
    address: str
    near: str
    """Whether the address is on this network, and what that means."""
    mood: str
    """The style of `near`: good, warn, danger."""
    named: bool
    """Whether the name of the table is known."""


class Destinations:
    """Collects what the controllers of the pages know of a table."""

    def __init__(
        self,
        home: HomeController,
        interrupted_tables: InterruptedTables,
        known_people: KnownPeopleController,
        settings: SettingsController,
    ) -> None:
        """Ask nothing of the network."""
        self._home = home
        self._interrupted_tables = interrupted_tables
        self._known_people = known_people
        self._settings = settings

    def describe(self, place: TablePlace) -> Destination:
        """Return what is known of the table at this place now."""
        name, table = self._table_text(place)
        # A link has one address.
        near = nearness(place.hosts[0], scan(), self._settings.values.adapter)
        return Destination(
            table=table,
            host=self._host_text(place),
            address=_address_text(place),
            near=texts().member(near),
            mood=MOODS.get(near, "danger"),
            named=bool(name),
        )

    def _table_text(self, place: TablePlace) -> tuple[str, str]:
        """Return the name of the table, and a line about it."""
        mine = self._interrupted_tables.at_context(place.context)
        if mine is not None:
            name = _displayable(mine.name, LONGEST_TABLE, LONGEST_TABLE_BYTES)
            text = translate(
                "Destination",
                "{name}: you have a seat at this table. LanUNO looks for its players where they"
                " were last, not at this address.",
            )
            return name, filled(text, name=isolated(name or translate("Home", "A table")))
        seen = self._home.announced(place.context, place.fingerprint)
        name = "" if seen is None else _displayable(seen.name, LONGEST_TABLE, LONGEST_TABLE_BYTES)
        if name and seen is not None:
            text = translate(
                "Destination",
                "{name}, as it is announced on this network. Nobody has checked this name.",
            )
            warning = self._known_people.table_warning(name, seen.host, seen.fingerprint)
            return name, f"{filled(text, name=isolated(name))} {warning}".rstrip()
        return "", translate("Destination", "The name of this table is not known.")

    def _host_text(self, place: TablePlace) -> str:
        if place.fingerprint is None:
            return translate(
                "Destination",
                "The address does not say whose table it is: LanUNO will treat the computer that"
                " answers as the host.",
            )
        name = self._known_people.known.name_of(place.fingerprint)
        if name is not None:
            text = translate(
                "Destination",
                "You have played with this host before; the name was {name} then. The key is"
                " checked when you join.",
            )
            return filled(text, name=isolated(name))
        return translate("Destination", "You have not played with this host before.")


def _displayable(text: str, longest: int, longest_bytes: int) -> str:
    """Return text from outside if it may be shown, else ""."""
    return clean_name(text, longest, longest_bytes) or ""


def _address_text(place: TablePlace) -> str:
    host = _displayable(place.hosts[0], LONGEST_HOST, LONGEST_HOST) or translate(
        "Destination", "an address that cannot be shown"
    )
    if len(host) > SHOWN_HOST:
        host = "…" + host[-SHOWN_HOST:].lstrip(".")
    text = translate("Destination", "{address}, port {port}")
    return filled(text, port=str(place.port), address=isolated(host))
