"""The page that opens a table: its name, preset, settings in plain words, seats, bots and guests.

The ruleset declares the settings, and checks which rules can be played.
"""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any, Final

import msgspec
from PySide6.QtCore import Property, QObject, Signal, Slot

from lanuno.app.controllers.app_state import SavedAppState
from lanuno.app.controllers.home import HomeController
from lanuno.app.controllers.navigator import Navigator
from lanuno.app.controllers.room import RoomController
from lanuno.app.controllers.session_controller import (
    SessionController,
    SessionOptions,
    SessionProblem,
)
from lanuno.app.controllers.settings import SettingsController
from lanuno.app.models.room_rows import RulesLine, SettingLine
from lanuno.app.models.rows import Rows
from lanuno.app.problem_texts import rules_refusal, store_problem
from lanuno.app.rule_texts import preset_name, preset_summary, rule_texts
from lanuno.app.setting_texts import (
    options,
    rules_title,
    setting_hint,
    setting_name,
    setting_problem,
    summary,
    value_text,
)
from lanuno.app.texts import texts, translate
from lanuno.client.requests import HostRequest, clean_pin
from lanuno.client.session import TableSession
from lanuno.log.format.genesis import unplayable
from lanuno.log.format.names import clean_name, look_alike
from lanuno.net.discovery.advert import LONGEST_TABLE, LONGEST_TABLE_BYTES
from lanuno.rules.cards import MAX_SEATS
from lanuno.rules.match.tournament import TOURNAMENT_PLAYERS
from lanuno.rules.presets import PRESETS
from lanuno.rules.rulebook.relevance import matters
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.rules.ruleset_changes import PLAYED, changes
from lanuno.rules.settings import SECTIONS, SETTINGS, Setting
from lanuno.store.app_state import TableWishes
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.rule_sets import (
    MOST_RULE_SETS,
    RuleSet,
    find_rule_set,
    open_rule_sets,
    rules_name,
    save_rule_sets,
    with_rule_set,
)
from lanuno.table.lobby.readiness import RulesRefusal, why_not_for

USUAL_SEATS: Final = 4


def seat_choices(rules: Ruleset) -> tuple[int, ...]:
    """Return the numbers of seats that these rules allow; eight for a tournament."""
    if rules.format is Format.ROTATION:
        return (TOURNAMENT_PLAYERS,)
    return tuple(
        seats
        for seats in range(2, MAX_SEATS + 1)
        if unplayable(msgspec.structs.replace(rules, hand_size=2, advice=False), seats) is None
    )


class HostController(QObject):
    """The page that opens a table, for QML.

      presets: Rows of RulesLine; preset
      tableName (rw; "": `usualName`), seats (rw), seatChoices [int], seatsMin, seatsMax, bots (rw),
      botsMax, pin (rw), spectators (rw), rounds (rw; 0: until the match is won), practice (rw:
      against bots alone, without network)
      tournament: bool (whether the rules are those of one, without bots and with fixed rotations)
      settings: Rows of SettingLine (key, section, sectionTitle, name, text, kind, value, minimum,
        maximum, choices, changed, hint); rulesChanged: bool (they differ from the preset)
      summary [str]; rulesTitle: str (the preset, and the number of changes); problem: str (why the
      table cannot be opened; "" if it can), problemField: str (where: "name", "pin", "seats",
      "practice" or the key of a setting); busy: bool
      saved: Rows of RulesLine (rules under a name); savedName: str (which of them are chosen)
      editing: bool (the rules of an open waiting room are edited)
    Slots: set(key, value), choosePreset(id), resetRules(), begin(), edit(), saveRules(name),
      chooseSaved(name), renameSaved(name, new), deleteSaved(name), isSaved(name),
      savedProblem(name, renamed)
    """

    changed = Signal()
    busyChanged = Signal()

    def __init__(
        self,
        navigator: Navigator,
        settings: SettingsController,
        sessions: SessionController,
        app_state: SavedAppState,
        home: HomeController,
        room: RoomController,
    ) -> None:
        """Begin with the choices that were made the last time."""
        super().__init__(navigator)
        self._navigator = navigator
        self._settings = settings
        self._sessions = sessions
        self._app_state = app_state
        self._home = home
        self._room = room
        self._wishes_before_editing: tuple[TableWishes, Ruleset, bool] | None = None
        """The user's choices as they were before the rules of an open waiting room are edited."""
        self._rule_sets: tuple[RuleSet, ...] = ()
        self._saved = Rows(RulesLine, "id", self)
        self._presets = Rows(RulesLine, "id", self)
        self._rows = Rows(SettingLine, "key", self)
        self._wishes = app_state.state.table or TableWishes()
        if self._wishes.preset not in PRESETS:
            self._wishes = TableWishes()
        self._rules = _ruleset(self._wishes)
        self._pin = ""
        self._practice = False
        self._busy = False
        self._fit_seats()
        settings.playerNameChanged.connect(self.changed)
        navigator.retranslated.connect(self._show)
        sessions.arrived.connect(self._clear_busy)
        sessions.busyChanged.connect(self._session_changed)
        navigator.pageChanged.connect(self._page_changed)
        self._rule_sets, problem = open_rule_sets(navigator.home_folders)
        if problem is not None:
            navigator.notice(store_problem(problem), "error")
        self._show()

    # ---- the user's choices -----------------------------------------------------------------

    def _set_wishes(self, **parts: Any) -> None:
        self._wishes = msgspec.structs.replace(self._wishes, **parts)
        self._fit_seats()
        self._show()

    def _fit_seats(self) -> None:
        """Fit seats and bots to the rules, as near as possible to the user's choice."""
        choices = seat_choices(self._rules) or (USUAL_SEATS,)
        wished = self._wishes.seats
        seats = min(choices, key=lambda each: (abs(each - wished), each))
        bots = 0 if self._is_tournament() else max(0, min(self._wishes.bots, seats - 1))
        self._wishes = msgspec.structs.replace(self._wishes, seats=seats, bots=bots)

    def _change(self, rules: Ruleset) -> None:
        self._rules = rules
        self._set_wishes(preset=rules.preset, rules=_differing(rules))

    @Slot(str, "QVariant")
    def set(self, key: str, value: Any) -> None:
        """Change a setting of the rules."""
        try:
            self._change(msgspec.structs.replace(self._rules, **{key: _typed(key, value)}))
        except (KeyError, ValueError, TypeError):
            self._show()

    @Slot(str)
    def choosePreset(self, preset: str) -> None:
        """Choose a preset. A second choice of it keeps the changes, unless they are saved rules."""
        if preset in PRESETS and (preset != self._rules.preset or self._get_saved_name()):
            self._change(PRESETS[preset])

    @Slot()
    def resetRules(self) -> None:
        """Set all settings to the values of the preset."""
        self._change(PRESETS[self._rules.preset])

    # ---- saved rules ------------------------------------------------------------------------

    @Slot(str, str, result=str)
    def savedProblem(self, name: str, renamed: str) -> str:
        """Return why rules cannot be saved under this name; "" if they can.

        The name may be that of other saved rules, which are then replaced.

        `renamed`: the rule set that gets this name; "" for a new one.
        """
        clean = rules_name(name)
        known = [preset_name(preset) for preset in PRESETS]
        if clean is None or any(look_alike(clean, each) for each in known):
            return translate(
                "Host", "Choose another name: 1 to 32 visible letters, and not that of a rulebook."
            )
        same = find_rule_set(self._rule_sets, clean)
        if renamed:
            if same is not None and same.name != renamed:
                return translate("Host", "Other rules have this name.")
        elif same is None and len(self._rule_sets) >= MOST_RULE_SETS:
            return translate(
                "Host", "%n sets of rules are saved: delete one first.", "", MOST_RULE_SETS
            )
        return ""

    @Slot(str, result=bool)
    def isSaved(self, name: str) -> bool:
        """Whether a rule set has this name already, which would be replaced."""
        return find_rule_set(self._rule_sets, name) is not None

    @Slot(str)
    def saveRules(self, name: str) -> None:
        """Save these rules under a name."""
        clean = rules_name(name)
        if clean is not None and not self.savedProblem(name, ""):
            self._keep(with_rule_set(self._rule_sets, RuleSet(clean, self._rules)))

    @Slot(str)
    def chooseSaved(self, name: str) -> None:
        """Choose the rules that are saved under this name."""
        found = find_rule_set(self._rule_sets, name)
        if found is not None:
            self._change(found.ruleset)

    @Slot(str, str)
    def renameSaved(self, name: str, new: str) -> None:
        """Give a rule set another name."""
        clean, found = rules_name(new), find_rule_set(self._rule_sets, name)
        if clean is not None and found is not None and not self.savedProblem(new, found.name):
            renamed = RuleSet(clean, found.ruleset)
            self._keep(tuple(renamed if each is found else each for each in self._rule_sets))

    @Slot(str)
    def deleteSaved(self, name: str) -> None:
        """Delete a rule set."""
        found = find_rule_set(self._rule_sets, name)
        self._keep(tuple(each for each in self._rule_sets if each is not found))

    def _keep(self, sets: tuple[RuleSet, ...]) -> None:
        try:
            save_rule_sets(self._navigator.home_folders, sets)
        except StoreError as error:
            # A set that this version cannot show has the name, so the check did not find it.
            why = store_problem(error)
            if error.problem is FileProblem.BAD_NAME:
                why = translate("Host", "Other rules have this name.")
            self._navigator.notice(why, "error")
            return
        self._rule_sets = sets
        self._show()

    # ---- the rules of an open waiting room --------------------------------------------------

    @Slot()
    def edit(self) -> None:
        """Edit the rules of the waiting room that this computer hosts."""
        state = self._room.state
        if (
            self._wishes_before_editing is not None
            or state is None
            or not self._room.view.can_change
        ):
            return
        self._wishes_before_editing = (self._wishes, self._rules, self._practice)
        self._practice = False
        rules = state.ruleset
        if rules.preset not in PRESETS:
            rules = msgspec.structs.replace(rules, preset="classic")
        self._wishes = msgspec.structs.replace(self._wishes, seats=state.capacity, bots=0)
        self._change(rules)
        self._navigator.open("host")

    def _page_changed(self) -> None:
        """Discard edited rules when another page is opened."""
        if self._navigator.property("page") not in ("host", "rules"):
            self._end_editing()

    def _end_editing(self) -> None:
        if self._wishes_before_editing is not None:
            self._wishes, self._rules, self._practice = self._wishes_before_editing
            self._wishes_before_editing = None
            self._show()

    def _apply(self) -> None:
        session = self._room.session
        if session is None:
            return
        rules, seats = self._rules, self._wishes.seats

        def done(why: RulesRefusal | None) -> None:
            if why is not None:
                self._navigator.notice(rules_refusal(why), "error")
                return
            if self._wishes_before_editing is not None:
                # The next table is opened with these rules, too.
                before = self._wishes_before_editing[0]
                wishes = msgspec.structs.replace(
                    before, preset=rules.preset, rules=_differing(rules), seats=seats
                )
                self._wishes_before_editing = (wishes, rules, self._wishes_before_editing[2])
                self._app_state.change(table=wishes)
                self._navigator.back()

        self._navigator.bridge.run(session.change_rules(rules, seats), done)

    # ---- opening ----------------------------------------------------------------------------

    @Slot()
    def begin(self) -> None:
        """Open the table, begin to practise, or apply the edited rules."""
        if self._find_problem()[1] or self._busy:
            return
        if self._wishes_before_editing is not None:
            self._apply()
            return
        wishes = self._wishes
        self._app_state.change(table=msgspec.structs.replace(wishes, asks_pin=bool(self._pin)))
        if self._practice:
            self._home.practise_by(self._rules, wishes.seats - 1, wishes.rounds)
            return
        plan = HostRequest(
            name=self._clean_name() or "",
            ruleset=self._rules,
            seats=wishes.seats,
            bots=wishes.bots,
            pin=clean_pin(self._pin) or "",
            spectators=wishes.spectators,
            rounds=None if self._is_tournament() else wishes.rounds,
            adapter=self._settings.values.adapter,
            port=self._settings.values.port,
            slow_clock=self._settings.values.slow_clock,
            avatar=self._settings.values.avatar,
            stays_for_rematch=True,
        )
        self._busy = True
        self.busyChanged.emit()
        self._sessions.start_session(
            partial(TableSession, self._navigator.home_folders, plan),
            SessionOptions(on_problem=self._failed),
        )

    def _failed(self, problem: SessionProblem) -> None:
        self._clear_busy()
        self._navigator.notice(problem.text, "error")

    def _clear_busy(self) -> None:
        if self._busy:
            self._busy = False
            self.busyChanged.emit()

    def _session_changed(self) -> None:
        if self._sessions.session is None:
            self._clear_busy()
            self._end_editing()

    # ---- what is shown ----------------------------------------------------------------------

    def _show(self) -> None:
        self._presets.show(
            [
                _rules_line(preset, preset_name(preset), preset_summary(preset), rules)
                for preset, rules in PRESETS.items()
            ]
        )
        self._saved.show([_saved_line(each) for each in self._rule_sets])
        self._rows.show(
            [
                _line(section, setting, self._rules)
                for section, settings in SECTIONS.items()
                for setting in settings
                if matters(setting.name, self._rules)
            ]
        )
        self.changed.emit()

    def _clean_name(self) -> str | None:
        return clean_name(
            self._wishes.name.strip() or self._get_usual_name(), LONGEST_TABLE, LONGEST_TABLE_BYTES
        )

    def _find_problem(self) -> tuple[str, str]:
        """Return why the table cannot be opened, and the field where it is: `problemField`."""
        wrong = unplayable(self._rules, self._wishes.seats)
        if self._wishes_before_editing is None:
            if self._clean_name() is None:
                return "name", translate(
                    "Host", "This name cannot be shown to others: use 1 to 32 visible letters."
                )
            if self._pin and clean_pin(self._pin) is None:
                return "pin", translate(
                    "Host", "A PIN is a word or a number: at most 32 visible characters."
                )
        if wrong is not None:
            return wrong.setting, setting_problem(wrong, self._wishes.seats, self._rules)
        if self._wishes_before_editing is not None:
            return self._problem_with_room()
        if self._is_tournament() and self._practice:
            return "practice", translate("Host", "A tournament is played by eight people: no bots.")
        return "", ""

    def _problem_with_room(self) -> tuple[str, str]:
        """Return why the players of the waiting room cannot play by these rules."""
        room = self._room.view
        bots = any(seat.bot for seat in room.seats)
        why = why_not_for(self._rules, self._wishes.seats, room.taken, bots=bots)
        return "seats" if why else "", "" if why is None else rules_refusal(why)

    def _is_tournament(self) -> bool:
        return self._rules.format is Format.ROTATION

    # ---- properties -------------------------------------------------------------------------

    def _set_name(self, name: str) -> None:
        if name != self._wishes.name:
            self._set_wishes(name=name[: 2 * LONGEST_TABLE])

    def _get_usual_name(self) -> str:
        return texts()("host.table", name=self._settings.property("playerName"))

    def _set_seats(self, seats: int) -> None:
        if seats != self._wishes.seats and 2 <= seats <= MAX_SEATS:
            self._set_wishes(seats=seats)

    def _get_seat_choices(self) -> list[int]:
        return list(seat_choices(self._rules))

    def _get_seats_min(self) -> int:
        return min(seat_choices(self._rules), default=USUAL_SEATS)

    def _get_seats_max(self) -> int:
        return max(seat_choices(self._rules), default=USUAL_SEATS)

    def _get_bots(self) -> int:
        return self._wishes.seats - 1 if self._practice else self._wishes.bots

    def _set_bots(self, bots: int) -> None:
        if bots != self._wishes.bots and 0 <= bots < MAX_SEATS:
            self._set_wishes(bots=bots)

    def _get_bots_max(self) -> int:
        return 0 if self._is_tournament() else self._wishes.seats - 1

    def _set_pin(self, pin: str) -> None:
        if pin != self._pin:
            self._pin = pin
            self.changed.emit()

    def _set_spectators(self, allowed: bool) -> None:
        if allowed != self._wishes.spectators:
            self._set_wishes(spectators=allowed)

    def _get_rounds(self) -> int:
        return self._wishes.rounds or 0

    def _set_rounds(self, rounds: int) -> None:
        if rounds != self._get_rounds() and rounds >= 0:
            self._set_wishes(rounds=rounds or None)

    def _set_practice(self, practice: bool) -> None:
        if practice != self._practice:
            self._practice = practice
            if practice and self._wishes.bots + 1 in seat_choices(self._rules):
                # As many bots as were asked for, rather than one on every seat.
                self._set_seats(self._wishes.bots + 1)
            self.changed.emit()

    def _get_summary(self) -> list[str]:
        return list(summary(self._rules, self._wishes.seats, self._wishes.rounds))

    def _get_changed(self) -> bool:
        return self._rules != PRESETS[self._rules.preset]

    def _get_title(self) -> str:
        return rules_title(self._rules.preset, changes(self._rules))

    def _get_saved_name(self) -> str:
        return next((each.name for each in self._rule_sets if each.ruleset == self._rules), "")

    def _get_editing(self) -> bool:
        return self._wishes_before_editing is not None

    presets = Property(QObject, attrgetter("_presets"), constant=True)
    settings = Property(QObject, attrgetter("_rows"), constant=True)
    preset = Property(str, attrgetter("_rules.preset"), notify=changed)
    tableName = Property(str, attrgetter("_wishes.name"), _set_name, notify=changed)
    usualName = Property(str, _get_usual_name, notify=changed)
    seats = Property(int, attrgetter("_wishes.seats"), _set_seats, notify=changed)
    seatChoices = Property(list, _get_seat_choices, notify=changed)
    seatsMin = Property(int, _get_seats_min, notify=changed)
    seatsMax = Property(int, _get_seats_max, notify=changed)
    bots = Property(int, _get_bots, _set_bots, notify=changed)
    botsMax = Property(int, _get_bots_max, notify=changed)
    pin = Property(str, attrgetter("_pin"), _set_pin, notify=changed)
    spectators = Property(bool, attrgetter("_wishes.spectators"), _set_spectators, notify=changed)
    rounds = Property(int, _get_rounds, _set_rounds, notify=changed)
    tournament = Property(bool, _is_tournament, notify=changed)
    practice = Property(bool, attrgetter("_practice"), _set_practice, notify=changed)
    summary = Property(list, _get_summary, notify=changed)
    rulesChanged = Property(bool, _get_changed, notify=changed)
    rulesTitle = Property(str, _get_title, notify=changed)
    saved = Property(QObject, attrgetter("_saved"), constant=True)
    savedName = Property(str, _get_saved_name, notify=changed)
    editing = Property(bool, _get_editing, notify=changed)
    problemField = Property(str, lambda self: self._find_problem()[0], notify=changed)
    problem = Property(str, lambda self: self._find_problem()[1], notify=changed)
    busy = Property(bool, attrgetter("_busy"), notify=busyChanged)


def _differing(rules: Ruleset) -> dict[str, bool | int | str]:
    """Return the differences from the preset, in the form that is stored."""
    usual = PRESETS[rules.preset]
    return {
        key: int(getattr(rules, key))
        for key in PLAYED
        if getattr(rules, key) != getattr(usual, key)
    }


def _typed(key: str, value: Any) -> int:
    """Return a value in the type of the ruleset. Raises KeyError, ValueError or TypeError."""
    setting, number = SETTINGS[key], int(value)
    if setting.bounds is None:
        return setting.kind(number)
    low, high = setting.bounds
    if not low <= number <= high:
        raise ValueError(key)
    return number


def _ruleset(wishes: TableWishes) -> Ruleset:
    """Return the stored rules, without settings that are not valid any more."""
    rules = PRESETS[wishes.preset]
    for key, value in wishes.rules.items():
        if key in PLAYED:
            try:
                rules = msgspec.structs.replace(rules, **{key: _typed(key, value)})
            except (ValueError, TypeError):
                continue
    return rules


def _saved_line(each: RuleSet) -> RulesLine:
    title = rules_title(each.ruleset.preset, changes(each.ruleset))
    return _rules_line(each.name, each.name, title, each.ruleset)


def _rules_line(key: str, name: str, summary: str, rules: Ruleset) -> RulesLine:
    seats = seat_choices(rules) or (rules.seats_min, rules.seats_max)
    return RulesLine(key, name, summary, seats[0], seats[-1])


def _line(section: str, setting: Setting, rules: Ruleset) -> SettingLine:
    key = setting.name
    value = int(getattr(rules, key))
    chosen_from = options(setting, rules)
    kind = "bool" if setting.kind is bool else "choice" if chosen_from else "int"
    low, high = setting.bounds or (0, 1)
    name, text = setting_name(key), value_text(setting, value)
    return SettingLine(
        key=key,
        section=section,
        section_title=rule_texts().section(section),
        name=name,
        text=text,
        kind=kind,
        value=value,
        minimum=low,
        maximum=high,
        choices=tuple({"value": each, "text": value_text(setting, each)} for each in chosen_from),
        changed=value != int(getattr(PRESETS[rules.preset], key)),
        hint=setting_hint(key),
        accessible_name=f"{name}: {text}",
    )
