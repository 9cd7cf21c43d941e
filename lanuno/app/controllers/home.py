"""The first page: tables on this network, and everything that can be begun from here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from typing import Final

import msgspec
from msgspec.structs import replace
from PySide6.QtCore import Property, QObject, QTimer, Signal, Slot

from lanuno.app.bridge import BridgeJob
from lanuno.app.controllers.app_state import SavedAppState
from lanuno.app.controllers.known_people import KnownPeopleController
from lanuno.app.controllers.navigator import Navigator
from lanuno.app.controllers.resumable import InterruptedTables
from lanuno.app.controllers.session_controller import SessionController, SessionOptions
from lanuno.app.controllers.settings import SettingsController
from lanuno.app.controllers.visit import Visiting
from lanuno.app.models.room_rows import FoundTable
from lanuno.app.models.rows import Rows
from lanuno.app.problem_texts import net_problem
from lanuno.app.setting_texts import rules_title_of, summary_of
from lanuno.app.texts import filled, isolated, translate
from lanuno.client.find import (
    DiscoveredTable,
    DiscoveredTables,
    TableFinder,
    tables_like_others,
)
from lanuno.client.places import TablePlace
from lanuno.client.requests import HostRequest
from lanuno.client.session import TableSession
from lanuno.log.format.genesis import VERSION
from lanuno.net.discovery.advert import TableState
from lanuno.net.errors import NetFault
from lanuno.rules.house_bits import house_names
from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import Ruleset

MOST_BOTS: Final = 9
KEY_LETTERS: Final = 10
"""Letters of a host's key that are shown where several tables look alike."""
NOTHING_FOUND_MS: Final = 4000
"""How long nothing may be found before the page names possible causes."""


class HomeController(QObject):
    """The first page, for QML.

      tables: Rows of FoundTable; searching: bool; status: str (what is being done while nothing is
        found, and possible causes); blocked: str ("" or why the search cannot work, or only
        by beacons)
      interrupted: Rows of InterruptedTable (id, name, text)
      joining: bool, joiningName: str, joinError: str, pinWanted: str (id of the table that asks for
        its PIN, "" if none); pinWarning: str (that this table may not be the known one)
    Slots: join(id, pin), watch(id, pin), cancelJoin() (which also removes the error),
      practise(bots), goOn(id), forget(id), retry(), hold(held)
    """

    changed = Signal()
    joiningChanged = Signal()

    def __init__(
        self,
        navigator: Navigator,
        settings: SettingsController,
        app_state: SavedAppState,
        sessions: SessionController,
        visiting: Visiting,
        interrupted_tables: InterruptedTables,
        known_people: KnownPeopleController,
    ) -> None:
        """Search for nothing before `start`."""
        super().__init__(navigator)
        self._navigator = navigator
        self._settings = settings
        self._app_state = app_state
        self._sessions = sessions
        self._visiting = visiting
        self._interrupted_tables = interrupted_tables
        self._known_people = known_people
        self._tables = Rows(FoundTable, "id", self)
        self._found = DiscoveredTables()
        self._discovery: BridgeJob[None] | None = None
        self._started = False
        self._held = False
        self._just_started = True
        self._nothing_found_timer = QTimer(self)
        self._nothing_found_timer.setSingleShot(True)
        self._nothing_found_timer.setInterval(NOTHING_FOUND_MS)
        self._nothing_found_timer.timeout.connect(self._nothing_found)
        settings.adapterChanged.connect(self._adapter_changed)
        sessions.busyChanged.connect(self._update_discovery)
        visiting.changed.connect(self.joiningChanged)
        visiting.changed.connect(self._update_discovery)
        interrupted_tables.changed.connect(self._show_tables)
        known_people.changed.connect(self._show_tables)
        navigator.retranslated.connect(self._show_tables)
        navigator.pageChanged.connect(self._page_changed)

    # ---- looking ----------------------------------------------------------------------------

    def start(self) -> None:
        """Search for tables from now on, whenever no session is running."""
        self._started = True
        self._interrupted_tables.refresh()
        self._update_discovery()

    def _update_discovery(self) -> None:
        # The search continues during a visit, so that the list stays visible.
        wanted = self._started and (self._sessions.session is None or self._visiting.busy)
        if wanted and self._discovery is None:
            self._start_discovery()
        elif not wanted and self._discovery is not None:
            self._stop_discovery()

    def _start_discovery(self) -> None:
        own_job: list[BridgeJob[None]] = []

        def receive(found: DiscoveredTables) -> None:
            if own_job and own_job[0] is self._discovery:
                self._found = found
                self._show_tables()

        finder = TableFinder(
            adapter=self._settings.values.adapter, places=self._app_state.state.places
        )
        job = self._discovery = self._navigator.bridge.run(
            finder.run(self._navigator.bridge.back(receive))
        )
        own_job.append(job)
        self._just_started = True
        self._nothing_found_timer.start()
        self._show_tables()

    def _stop_discovery(self) -> None:
        job, self._discovery = self._discovery, None
        if job is not None:
            job.cancel()
        self._nothing_found_timer.stop()
        self._found = DiscoveredTables()
        self._show_tables()

    def _nothing_found(self) -> None:
        self._just_started = False
        self.changed.emit()

    def _adapter_changed(self) -> None:
        if self._discovery is not None:
            self.retry()

    def _page_changed(self) -> None:
        """Remove the error of a visit when its page is left."""
        self._held = False
        if self._navigator.property("page") != self._visiting.page:
            self._visiting.forget()

    @Slot()
    def retry(self) -> None:
        """Search again from the beginning."""
        self._stop_discovery()
        self._interrupted_tables.refresh()
        self._update_discovery()

    def _show_tables(self) -> None:
        same = tables_like_others(self._found.tables)
        # The list of interrupted tables, above, already contains these.
        above = {
            found.id: found.state
            for found in self._found.tables
            if self._interrupted_tables.lists(found.id)
        }
        self._interrupted_tables.mark_announced(above)
        # A host that waits for a rematch is still found at its last address, without an advert.
        ended = self._sessions.ended_tables
        rows = [
            self._row(found, same_name=found.key in same)
            for found in self._found.tables
            if found.id not in above and (found.name or found.id not in ended)
        ]
        self._tables.show(self._in_place(rows) if self._held else rows)
        self.changed.emit()

    def _in_place(self, rows: Sequence[FoundTable]) -> list[FoundTable]:
        """Return the rows so that none shown moves: new ones follow, and others stay, as gone."""
        left = {row.id: row for row in rows}
        kept = [left.pop(row.id) if row.id in left else _gone(row) for row in self._tables.rows]
        return [*kept, *left.values()]

    @Slot(bool)
    def hold(self, held: bool) -> None:
        """Keep the rows of the tables in their places, as long as the pointer is over them."""
        self._held = held
        self._show_tables()

    def _row(self, found: DiscoveredTable, *, same_name: bool) -> FoundTable:
        mine = self._interrupted_tables.at_context(found.id) is not None
        same_version = found.version in (VERSION, 0)
        has_free_seats = found.name == "" or found.taken < found.seats
        is_open = found.state is TableState.OPEN
        text = self._text(
            found, mine=mine, same_version=same_version, has_free_seats=has_free_seats
        )
        warning = self._known_people.table_warning(found.name, found.host, found.fingerprint)
        if same_name or warning:
            # Only the key tells them apart: anybody can open a table of any name.
            text = f"{text} · {isolated(found.fingerprint[:KEY_LETTERS])}"
        name = found.name or filled(
            translate("Home", "A table of {name}"), name=isolated(found.host)
        )
        joinable = found.answered and same_version and ((is_open and has_free_seats) or mine)
        parts = [isolated(name), text]
        title, sentences = _rules_texts(found) if found.preset else ("", ())
        if found.preset:
            parts.insert(1, title)
        if found.pin:
            parts.append(translate("Home", "with a PIN"))
        if warning:
            parts.append(warning)
        return FoundTable(
            id=found.key,
            name=name,
            host=found.host,
            avatar=-1 if found.avatar is None else found.avatar,
            preset=found.preset,
            rules_title=title,
            rules=sentences,
            seats=found.seats,
            taken=found.taken,
            state=found.state.value,
            locked=found.pin,
            joinable=joinable,
            can_watch=found.answered
            and same_version
            and found.state is not TableState.OVER
            and not mine,
            mine=mine,
            trouble=found.fault is not None or not same_version,
            gone=False,
            text=text,
            warning=warning,
            accessible_name=", ".join(parts),
        )

    def _text(
        self, found: DiscoveredTable, *, mine: bool, same_version: bool, has_free_seats: bool
    ) -> str:
        if not same_version or found.fault is NetFault.VERSION:
            return net_problem(NetFault.VERSION)
        if found.fault is not None:
            return net_problem(found.fault, found.port)
        if not found.answered:
            return translate("Home", "Asking its host…")
        if mine:
            return translate("Home", "You have a seat at this table: continue playing")
        if not found.name:
            return translate("Home", "Found at the last address of this host")
        if found.state is TableState.OVER:
            return translate("Home", "The match is over")
        if found.state is TableState.PLAYING:
            return translate("Home", "A match of %n players is being played", "", found.taken)
        if not has_free_seats:
            return translate("Home", "All seats are taken")
        return translate("Home", "%n seats are free", "", found.seats - found.taken)

    # ---- going there ------------------------------------------------------------------------

    def announced(self, context: bytes | None, fingerprint: str | None) -> DiscoveredTable | None:
        """Return the advert of this host's table, preferably one whose host has answered, or None.

        None, too, if the table is announced under several names, because none can be trusted.
        """
        found = [
            each
            for each in self._found.tables
            if (each.id, each.fingerprint) == (context, fingerprint) and each.name
        ]
        if len({each.name for each in found}) != 1:
            return None
        return max(found, key=lambda each: each.answered)

    def _table_by_key(self, key: str) -> DiscoveredTable | None:
        return next((each for each in self._found.tables if each.key == key), None)

    @Slot(str, str)
    def join(self, table: str, pin: str) -> None:
        """Take a seat at a table, or resume one at which this player has a seat."""
        self._visit(table, pin, watch=False)

    @Slot(str, str)
    def watch(self, table: str, pin: str) -> None:
        """Watch a table."""
        self._visit(table, pin, watch=True)

    def _visit(self, key: str, pin: str, *, watch: bool) -> None:
        found = self._table_by_key(key)
        if found is None:
            self._navigator.notice(translate("Home", "This table has just been closed."), "error")
            return
        mine = self._interrupted_tables.at_context(found.id)
        if mine is not None and not watch:
            self._interrupted_tables.resume(mine, found)
            return
        name = found.name or found.host
        table = (found.id, found.fingerprint)
        # A typed PIN is for the table that asked, which this line of the list may not be by now.
        pin = pin.strip() if table == self._visiting.asked_by else ""
        pin = pin or self._visiting.pins.pin_of(table)
        if found.pin and not pin:
            self._visiting.ask_pin(key, name, table)
            return
        place = TablePlace(found.addresses, found.port, found.fingerprint, found.id)
        self._visiting.begin(place, pin=pin, watch=watch, name=name, key=key)

    @Slot()
    def cancelJoin(self) -> None:
        """Break off the visit."""
        self._visiting.cancel()

    @Slot(str)
    def goOn(self, table: str) -> None:
        """Resume an interrupted table."""
        chosen = self._interrupted_tables.by_id(table)
        if chosen is not None:
            there = [each for each in self._found.tables if chosen.is_at(each.id)]
            found = max(there, key=lambda each: each.answered, default=None)
            self._interrupted_tables.resume(chosen, found)

    @Slot(str)
    def forget(self, table: str) -> None:
        """Do not ask about an interrupted table again; it stays in the history."""
        self._interrupted_tables.forget(table)

    # ---- practice ---------------------------------------------------------------------------

    @Slot(int)
    def practise(self, bots: int) -> None:
        """Play by the classic rules against this number of bots, without a network."""
        self.practise_by(PRESETS["classic"], max(1, min(MOST_BOTS, bots)))

    def practise_by(self, ruleset: Ruleset, bots: int, rounds: int | None = None) -> None:
        """Play by these rules against this number of bots, without a network.

        `rounds`: after how many rounds the match ends; None to play it to its end.
        """
        # No other person waits for the player, so there is no clock.
        rules = msgspec.structs.replace(ruleset, turn_clock_s=0)
        name = translate("Home", "Practice")
        plan = HostRequest(
            name=name,
            ruleset=rules,
            seats=bots + 1,
            bots=bots,
            rounds=rounds,
            practice=True,
            avatar=self._settings.values.avatar,
        )
        self._sessions.start_session(
            partial(TableSession, self._navigator.home_folders, plan),
            SessionOptions(
                page="table", again=partial(self.practise_by, ruleset, bots, rounds), alone=True
            ),
        )

    # ---- properties -------------------------------------------------------------------------

    def _get_searching(self) -> bool:
        return self._discovery is not None and self._found.fault is None

    def _get_status(self) -> str:
        if self._discovery is None or self._get_blocked() or self._found.tables:
            return ""
        if self._just_started:
            return translate("Home", "Looking for tables on this network…")
        adapter = self._settings.values.adapter
        text = translate(
            "Home",
            "No table can be seen now. Both computers must be on the same network; a firewall or a"
            " guest network may hide tables. Open one yourself, or join by link or code.",
        )
        if adapter:
            only = translate("Home", "Only the adapter {name} is searched: see Settings.")
            text = f"{text} {filled(only, name=isolated(adapter))}"
        return text

    def _get_blocked(self) -> str:
        fault = self._found.fault or self._found.multicast_fault
        return "" if fault is None else net_problem(fault)

    def _is_current_page(self) -> bool:
        return self._visiting.page == "home"

    def _get_joining(self) -> bool:
        return self._is_current_page() and self._visiting.busy

    def _get_joining_name(self) -> str:
        return self._visiting.name if self._is_current_page() else ""

    def _get_join_error(self) -> str:
        return self._visiting.error if self._is_current_page() else ""

    def _get_pin_wanted(self) -> str:
        return self._visiting.pin_wanted if self._is_current_page() else ""

    def _get_pin_warning(self) -> str:
        wanted = self._get_pin_wanted()
        return next((row.warning for row in self._tables.rows if row.id == wanted), "")

    tables = Property(QObject, attrgetter("_tables"), constant=True)
    interrupted = Property(QObject, attrgetter("_interrupted_tables.rows"), constant=True)
    searching = Property(bool, _get_searching, notify=changed)
    status = Property(str, _get_status, notify=changed)
    blocked = Property(str, _get_blocked, notify=changed)
    joining = Property(bool, _get_joining, notify=joiningChanged)
    joiningName = Property(str, _get_joining_name, notify=joiningChanged)
    joinError = Property(str, _get_join_error, notify=joiningChanged)
    pinWanted = Property(str, _get_pin_wanted, notify=joiningChanged)
    pinWarning = Property(str, _get_pin_warning, notify=joiningChanged)


def _gone(row: FoundTable) -> FoundTable:
    """Return the row of a table that is listed no longer."""
    text = translate("Home", "No longer here")
    return replace(
        row,
        joinable=False,
        can_watch=False,
        trouble=True,
        gone=True,
        text=text,
        accessible_name=f"{isolated(row.name)}, {text}",
    )


def _rules_texts(found: DiscoveredTable) -> tuple[str, tuple[str, ...]]:
    """Return a table's rules in one line, and in sentences if anything is changed."""
    house = found.house.bit_count()
    title = rules_title_of(found.preset, house, found.changed)
    if not house and not found.changed:
        return title, ()
    names = house_names(found.house)
    return title, summary_of(found.preset, names, house - len(names), found.changed)
