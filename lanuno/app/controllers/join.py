"""Joining a table by a link, a short code, or an address."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from msgspec.structs import asdict, replace
from PySide6.QtCore import Property, QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication

from lanuno.app.controllers.destinations import Destination, Destinations
from lanuno.app.controllers.navigator import Navigator
from lanuno.app.controllers.resumable import InterruptedTables
from lanuno.app.controllers.visit import Visiting
from lanuno.app.pins import TableKey
from lanuno.app.problem_texts import net_problem
from lanuno.app.texts import translate
from lanuno.client.places import InvalidPlace, TablePlace, parse_place
from lanuno.net.errors import NetFault

LONGEST_LINK = 600


class JoinController(QObject):
    """The page to join by link, code or address, for QML.

      text (rw): link, code or address; pin (rw); pinKnown: bool (an empty field sends
        the PIN that opened this table before); valid: bool; problem: str (why the text cannot be
        read; "" while it is empty); busy: bool; error: str; pinWanted: bool
      where: the fields of `Destination` for the text, as a map; empty if the text is not valid
    Slots: join(), watch(), cancel(), paste()
    """

    textChanged = Signal()
    pinChanged = Signal()
    busyChanged = Signal()

    def __init__(
        self,
        navigator: Navigator,
        visiting: Visiting,
        interrupted_tables: InterruptedTables,
        destinations: Destinations,
    ) -> None:
        """Begin with an empty text."""
        super().__init__(navigator)
        self._navigator = navigator
        self._visiting = visiting
        self._interrupted_tables = interrupted_tables
        self._destinations = destinations
        self._text = ""
        self._pin = ""
        self._asked_by: TableKey | None = None
        """The table that asked for the PIN, if the typed text does not name one."""
        self._place: TablePlace | None = None
        self._invalid: InvalidPlace | None = None
        """Why the typed text is not a place."""
        self._where: Destination | None = None
        visiting.changed.connect(self._visit_changed)
        visiting.arrived.connect(self._forget_pin)
        navigator.retranslated.connect(self.refresh)
        navigator.pageChanged.connect(self.refresh)

    def follow(self, link: str) -> None:
        """Show a link that the user has agreed to follow, and follow it."""
        self._navigator.open("join")
        self._set_text(link)
        self.join()

    @Slot()
    def paste(self) -> None:
        """Paste the text from the clipboard."""
        self._set_text(QGuiApplication.clipboard().text().strip())

    @Slot()
    def join(self) -> None:
        """Take a seat at the table."""
        self._visit(watch=False)

    @Slot()
    def watch(self) -> None:
        """Watch the table."""
        self._visit(watch=True)

    @Slot()
    def cancel(self) -> None:
        """Break off the visit."""
        self._visiting.cancel()

    def _visit(self, *, watch: bool) -> None:
        place = self._place
        if place is None:
            return
        mine = self._interrupted_tables.at_context(place.context)
        if mine is not None and not watch:
            self._interrupted_tables.resume(mine)
            return
        table = self._table()
        context, fingerprint = place.context, place.fingerprint
        pin = self._pin.strip()
        if table is not None:
            pin = pin or self._visiting.pins.pin_of(table)
            if pin:
                # Typed for the table that asked: another one at that address must not get it.
                context, fingerprint = table
        place = replace(place, fingerprint=fingerprint, context=context)
        self._visiting.begin(place, pin=pin, watch=watch, name=place.hosts[0], key=self._text)

    def _table(self) -> TableKey | None:
        """Return which table the text means, as far as that is known."""
        place = self._place
        if place is not None and place.context is not None and place.fingerprint is not None:
            return place.context, place.fingerprint
        return self._asked_by

    def _visit_changed(self) -> None:
        if self._get_pin_wanted():
            self._asked_by = self._visiting.asked_by
        self.busyChanged.emit()

    def _forget_pin(self) -> None:
        """Clear the PIN: it was for one table, and was used or is not wanted any more."""
        self._asked_by = None
        self._set_pin("")

    def refresh(self) -> None:
        """Describe the destination again: the language, the network or who is known has changed."""
        place = self._place
        self._where = None if place is None else self._destinations.describe(place)
        self.textChanged.emit()

    def _set_text(self, text: str) -> None:
        text = text[:LONGEST_LINK]
        if text == self._text:
            return
        self._text = text
        self._place = self._invalid = None
        try:
            self._place = parse_place(text.strip())
        except InvalidPlace as error:
            self._invalid = error
        self._visiting.forget()
        self._forget_pin()
        self.refresh()

    def _set_pin(self, pin: str) -> None:
        if pin != self._pin:
            self._pin = pin
            self.pinChanged.emit()

    def _get_valid(self) -> bool:
        return self._place is not None

    def _get_problem(self) -> str:
        if self._invalid is None or not self._text.strip():
            return ""
        if self._invalid.looks_like_link:
            return net_problem(NetFault.LINK)
        return translate("Join", "This is neither a link nor a code nor an address.")

    def _get_where(self) -> dict[str, Any]:
        return {} if self._where is None else asdict(self._where)

    def _get_pin_known(self) -> bool:
        return bool(self._visiting.pins.pin_of(self._table()))

    def _is_current_page(self) -> bool:
        return self._visiting.page == "join"

    def _get_busy(self) -> bool:
        return self._is_current_page() and self._visiting.busy

    def _get_error(self) -> str:
        return self._visiting.error if self._is_current_page() else ""

    def _get_pin_wanted(self) -> bool:
        return self._is_current_page() and bool(self._visiting.pin_wanted)

    text = Property(str, attrgetter("_text"), _set_text, notify=textChanged)
    pin = Property(str, attrgetter("_pin"), _set_pin, notify=pinChanged)
    valid = Property(bool, _get_valid, notify=textChanged)
    problem = Property(str, _get_problem, notify=textChanged)
    where = Property(dict, _get_where, notify=textChanged)
    pinKnown = Property(bool, _get_pin_known, notify=textChanged)
    busy = Property(bool, _get_busy, notify=busyChanged)
    error = Property(str, _get_error, notify=busyChanged)
    pinWanted = Property(bool, _get_pin_wanted, notify=busyChanged)
