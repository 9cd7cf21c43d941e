"""The first page: tables on this network, and everything that can be begun from here."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Final

import msgspec
from PySide6.QtCore import Property, QObject, QTimer, Signal, Slot

from lanuno.app.bridge import Bridge, Job
from lanuno.app.controllers.interruptions import Interruptions
from lanuno.app.controllers.memory import Memory
from lanuno.app.controllers.playing import Playing
from lanuno.app.controllers.settings import SettingsController
from lanuno.app.controllers.stage import Stage
from lanuno.app.controllers.visiting import Visiting
from lanuno.app.models.room_rows import FoundTable
from lanuno.app.models.rows import Rows
from lanuno.app.reasons import net_problem
from lanuno.app.setting_words import rules_title_of, summary_of
from lanuno.app.words import isolated, translate
from lanuno.app.worker.discovery import Discovery, Sighting, Sightings
from lanuno.app.worker.joining import Visit
from lanuno.app.worker.practice import Practice, PracticeTable
from lanuno.log.genesis import VERSION
from lanuno.net.errors import Fault
from lanuno.net.txt import TableState
from lanuno.rules.house import house_names
from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import Ruleset

MOST_BOTS: Final = 9
KEY_LETTERS: Final = 10
"""So much of a host's key is shown where several tables have one name."""
QUIET_MS: Final = 4000
"""How long nothing may be found before the page says what may be in the way."""


@dataclass(frozen=True, slots=True)
class Ways:
    """How one comes to a table from the first page."""

    playing: Playing
    visiting: Visiting
    interruptions: Interruptions


class HomeController(QObject):
    """For QML:

      tables: Rows of FoundTable; searching: bool; status: str (what is being done while nothing is
        found, and what may be in the way); blocked: str ("" or why nothing can be heard at all)
      interrupted: Rows of InterruptedTable (id, name, text)
      joining: bool, joiningName: str, joinError: str, pinWanted: str (id of the table whose PIN is
        asked for, "" if none)
      practiceBots (rw): how many bots one practises against, 1…9
    Slots: join(id, pin), watch(id, pin), cancelJoin() (also: forget the error), practise(bots),
      goOn(id), forget(id), retry()
    """

    practiceBotsChanged = Signal()
    changed = Signal()
    joiningChanged = Signal()

    def __init__(
        self,
        stage: Stage,
        settings: SettingsController,
        bridge: Bridge,
        memory: Memory,
        ways: Ways,
    ) -> None:
        """Nothing is looked for before `start`."""
        super().__init__(stage)
        self._stage = stage
        self._settings = settings
        self._bridge = bridge
        self._memory = memory
        self._playing = ways.playing
        self._visiting = ways.visiting
        self._interruptions = ways.interruptions
        self._tables = Rows(FoundTable, "id", self)
        self._seen = Sightings()
        self._looking: Job[None] | None = None
        self._wanted = False
        self._patient = True
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(QUIET_MS)
        self._quiet.timeout.connect(self._long_quiet)
        settings.practiceBotsChanged.connect(self.practiceBotsChanged)
        settings.adapterChanged.connect(self._another_adapter)
        ways.playing.busyChanged.connect(self._look_or_not)
        ways.visiting.changed.connect(self.joiningChanged)
        ways.visiting.changed.connect(self._look_or_not)
        ways.interruptions.changed.connect(self._show)
        stage.retranslated.connect(self._show)
        stage.pageChanged.connect(self._turned)

    # ---- looking ----------------------------------------------------------------------------

    def start(self) -> None:
        """Look for tables from now on, whenever nothing is played."""
        self._wanted = True
        self._interruptions.look()
        self._look_or_not()

    def _look_or_not(self) -> None:
        # On the way to a table the list stays as it is.
        wanted = self._wanted and (self._playing.sitting is None or self._visiting.busy)
        if wanted and self._looking is None:
            self._look()
        elif not wanted and self._looking is not None:
            self._stop()

    def _look(self) -> None:
        looking: list[Job[None]] = []

        def hear(seen: Sightings) -> None:
            if looking and looking[0] is self._looking:
                self._seen = seen
                self._show()

        discovery = Discovery(
            self._bridge.back(hear),
            adapter=self._settings.kept.adapter,
            places=self._memory.kept.places,
        )
        job = self._looking = self._bridge.run(discovery.run())
        looking.append(job)
        self._patient = True
        self._quiet.start()
        self._show()

    def _stop(self) -> None:
        looking, self._looking = self._looking, None
        if looking is not None:
            looking.cancel()
        self._quiet.stop()
        self._seen = Sightings()
        self._show()

    def _long_quiet(self) -> None:
        self._patient = False
        self.changed.emit()

    def _another_adapter(self) -> None:
        if self._looking is not None:
            self.retry()

    def _turned(self) -> None:
        """What went wrong on a page is forgotten with it."""
        if self._stage.property("page") != self._visiting.page:
            self._visiting.forget()

    @Slot()
    def retry(self) -> None:
        """Look again from the beginning."""
        self._stop()
        self._interruptions.look()
        self._look_or_not()

    def _show(self) -> None:
        names = Counter(seen.name for seen in self._seen.tables if seen.name)
        # The list of interrupted tables, above, has these already.
        above = [seen.id for seen in self._seen.tables if self._interruptions.lists(seen.id)]
        self._interruptions.mark_played(above)
        rows = [
            self._row(seen, twin=names[seen.name] > 1)
            for seen in self._seen.tables
            if seen.id not in above
        ]
        self._tables.show(rows)
        self.changed.emit()

    def _row(self, seen: Sighting, *, twin: bool) -> FoundTable:
        mine = self._interruptions.at(seen.id) is not None
        same = seen.version in (VERSION, 0)
        free = seen.name == "" or seen.taken < seen.seats
        is_open = seen.state is TableState.OPEN
        text = self._text(seen, mine=mine, same=same, free=free)
        if twin:
            # Only the key tells them apart: anybody can open a table of any name.
            text = f"{text} · {isolated(seen.fingerprint[:KEY_LETTERS])}"
        name = seen.name or translate("Home", "A table of {name}").replace(
            "{name}", isolated(seen.host)
        )
        joinable = seen.answered and same and ((is_open and free) or mine)
        parts = [isolated(name), text]
        title, sentences = _rules(seen) if seen.preset else ("", ())
        if seen.preset:
            parts.insert(1, title)
        if seen.pin:
            parts.append(translate("Home", "with a PIN"))
        return FoundTable(
            id=seen.key,
            name=name,
            host=seen.host,
            preset=seen.preset,
            rules_title=title,
            rules=sentences,
            seats=seen.seats,
            taken=seen.taken,
            state=seen.state.value,
            locked=seen.pin,
            joinable=joinable,
            can_watch=seen.answered and same and seen.state is not TableState.OVER and not mine,
            mine=mine,
            trouble=seen.fault is not None or not same,
            text=text,
            accessible_name=", ".join(parts),
        )

    def _text(self, seen: Sighting, *, mine: bool, same: bool, free: bool) -> str:
        if not same or seen.fault is Fault.VERSION:
            return net_problem(Fault.VERSION)
        if seen.fault is not None:
            return net_problem(seen.fault, seen.port)
        if not seen.answered:
            return translate("Home", "Asking its host…")
        if mine:
            return translate("Home", "You have a seat at this table: continue playing")
        if not seen.name:
            return translate("Home", "Found at the last address of this host")
        if seen.state is TableState.OVER:
            return translate("Home", "The match is over")
        if seen.state is TableState.PLAYING:
            return translate("Home", "%n players are playing", "", seen.taken)
        if not free:
            return translate("Home", "All seats are taken")
        return translate("Home", "%n seats are free", "", seen.seats - seen.taken)

    # ---- going there ------------------------------------------------------------------------

    def announced(self, context: bytes | None, fingerprint: str | None) -> Sighting | None:
        """What is announced of this table of this host, the answered first; None if nothing is.

        Where one table is announced under several names none of them says anything.
        """
        seen = [
            each
            for each in self._seen.tables
            if (each.id, each.fingerprint) == (context, fingerprint) and each.name
        ]
        if len({each.name for each in seen}) != 1:
            return None
        return max(seen, key=lambda each: each.answered)

    def _sighting(self, key: str) -> Sighting | None:
        return next((each for each in self._seen.tables if each.key == key), None)

    @Slot(str, str)
    def join(self, table: str, pin: str) -> None:
        """Take a seat at a table, or the own one again."""
        self._go(table, pin, watch=False)

    @Slot(str, str)
    def watch(self, table: str, pin: str) -> None:
        """Watch a table."""
        self._go(table, pin, watch=True)

    def _go(self, key: str, pin: str, *, watch: bool) -> None:
        seen = self._sighting(key)
        if seen is None:
            self._stage.notice(translate("Home", "This table has just been closed."), "error")
            return
        mine = self._interruptions.at(seen.id)
        if mine is not None and not watch:
            self._interruptions.go_on(mine, seen)
            return
        name = seen.name or seen.host
        table = (seen.id, seen.fingerprint)
        # What was typed is for the table that asked, whatever this line of the list is by now.
        pin = pin.strip() if table == self._visiting.asked_by else ""
        pin = pin or self._visiting.pins.of(table)
        if seen.pin and not pin:
            self._visiting.ask_pin(key, name, table)
            return
        visit = Visit(
            hosts=seen.addresses,
            port=seen.port,
            fingerprint=seen.fingerprint,
            context=seen.id,
            pin=pin,
            watch=watch,
            adapter=self._settings.kept.adapter,
            slow_clock=self._settings.kept.slow_clock,
            avatar=self._settings.kept.avatar,
        )
        self._visiting.go(visit, name=name, key=key)

    @Slot()
    def cancelJoin(self) -> None:
        """Do not go there after all."""
        self._visiting.cancel()

    @Slot(str)
    def goOn(self, table: str) -> None:
        """Go on with an interrupted table."""
        chosen = self._interruptions.by_id(table)
        if chosen is not None:
            there = [each for each in self._seen.tables if chosen.is_at(each.id)]
            seen = max(there, key=lambda each: each.answered, default=None)
            self._interruptions.go_on(chosen, seen)

    @Slot(str)
    def forget(self, table: str) -> None:
        """Do not ask about an interrupted table again; it stays in the history."""
        self._interruptions.forget(table)

    # ---- practice ---------------------------------------------------------------------------

    @Slot(int)
    def practise(self, bots: int) -> None:
        """Play against so many bots, by the classic rules, without a network."""
        self.practise_by(PRESETS["classic"], max(1, min(MOST_BOTS, bots)))

    def practise_by(self, ruleset: Ruleset, bots: int) -> None:
        """The same by these rules."""
        # Nobody waits for the player: there is no clock.
        rules = msgspec.structs.replace(ruleset, turn_clock_s=0)
        name = translate("Home", "Practice")
        plan = Practice(rules, bots, name, avatar=self._settings.kept.avatar)
        self._playing.sit(
            partial(PracticeTable, self._stage.home_folders, plan),
            page="table",
            again=partial(self.practise_by, ruleset, bots),
            alone=True,
        )

    # ---- properties -------------------------------------------------------------------------

    def _get_bots(self) -> int:
        return self._settings.kept.practice_bots

    def _set_bots(self, bots: int) -> None:
        self._settings.put("practice_bots", bots)

    def _get_tables(self) -> QObject:
        return self._tables

    def _get_interrupted(self) -> QObject:
        return self._interruptions.rows

    def _get_searching(self) -> bool:
        return self._looking is not None and self._seen.fault is None

    def _get_status(self) -> str:
        if self._looking is None or self._seen.fault is not None or self._seen.tables:
            return ""
        if self._patient:
            return translate("Home", "Looking for tables on this network…")
        adapter = self._settings.kept.adapter
        text = translate(
            "Home",
            "No table was found yet. Both computers must be on the same network; a firewall or a"
            " guest network may hide tables. Open one yourself, or join by link or code.",
        )
        if adapter:
            only = translate("Home", "Only the adapter {name} is searched: see Settings.")
            text = f"{text} {only.replace('{name}', isolated(adapter))}"
        return text

    def _get_blocked(self) -> str:
        return "" if self._seen.fault is None else net_problem(self._seen.fault)

    def _here(self) -> bool:
        return self._visiting.page == "home"

    def _get_joining(self) -> bool:
        return self._here() and self._visiting.busy

    def _get_joining_name(self) -> str:
        return self._visiting.name if self._here() else ""

    def _get_join_error(self) -> str:
        return self._visiting.error if self._here() else ""

    def _get_pin_wanted(self) -> str:
        return self._visiting.pin_wanted if self._here() else ""

    practiceBots = Property(int, _get_bots, _set_bots, notify=practiceBotsChanged)
    tables = Property(QObject, _get_tables, constant=True)
    interrupted = Property(QObject, _get_interrupted, constant=True)
    searching = Property(bool, _get_searching, notify=changed)
    status = Property(str, _get_status, notify=changed)
    blocked = Property(str, _get_blocked, notify=changed)
    joining = Property(bool, _get_joining, notify=joiningChanged)
    joiningName = Property(str, _get_joining_name, notify=joiningChanged)
    joinError = Property(str, _get_join_error, notify=joiningChanged)
    pinWanted = Property(str, _get_pin_wanted, notify=joiningChanged)


def _rules(seen: Sighting) -> tuple[str, tuple[str, ...]]:
    """What a table says of its rules: in a line, and in sentences if anything is changed."""
    house = seen.house.bit_count()
    title = rules_title_of(seen.preset, house, seen.changed)
    if not house and not seen.changed:
        return title, ()
    names = house_names(seen.house)
    return title, summary_of(seen.preset, names, house - len(names), seen.changed)
