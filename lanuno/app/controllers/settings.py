"""The user's settings. A change takes effect immediately, and is on disk a moment later."""

from __future__ import annotations

import logging
import platform
import sys
from operator import attrgetter
from typing import Any, Final

import msgspec
import PySide6
from PySide6.QtCore import Property, QObject, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication

from lanuno import __version__
from lanuno.app.controllers.navigator import Navigator
from lanuno.app.models.rows import camel
from lanuno.app.problem_texts import store_problem
from lanuno.app.texts import filled, isolated, translate
from lanuno.app.translations import Translations
from lanuno.bots.pace import PACES, BotPace
from lanuno.client.languages import languages, own_name
from lanuno.log.format.avatar import AVATARS
from lanuno.log.format.names import LONGEST_NAME, LONGEST_NAME_BYTES, clean_name, is_too_long
from lanuno.net.transport.adapters import scan
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.logfile import why_not_writable
from lanuno.store.profile import load_profile, rename
from lanuno.store.settings import Settings, open_settings, save_settings

_log = logging.getLogger(__name__)

SAVE_AFTER_MS: Final = 400
TEXT_SCALES: Final = (0.85, 1.0, 1.15, 1.3, 1.5)


def fitted_name(before: str, after: str) -> str:
    """Return the part of an edited name that fits: inserted text loses spaces, then its end."""
    if not is_too_long(after):
        return after
    most = min(len(before), len(after))
    head = next((at for at in range(most) if before[at] != after[at]), most)
    most -= head
    tail = next((at for at in range(most) if before[-1 - at] != after[-1 - at]), most)
    end = len(after) - tail
    # A letter may consist of several code points. Each one that is left out is one more attempt.
    put = " ".join(after[head:end].split())[: 4 * LONGEST_NAME_BYTES]
    kept = (after[:head] + put[:most] + after[end:] for most in range(len(put), -1, -1))
    return next((name for name in kept if not is_too_long(name)), before)


def _setting(kind: type, name: str, notify: Signal) -> Property:
    """Return a property by which QML reads and writes a setting."""

    def fget(self: SettingsController) -> Any:
        return self.shown(name)

    def fset(self: SettingsController, value: Any) -> None:
        self.change(name, value)

    return Property(kind, fget, fset, notify=notify)


class SettingsController(QObject):
    """Settings, for QML (all but the last group can be read and written; one signal each).

      language: one of `languages`, "" (the system's)
      theme: "system", "light", "dark"
      textScale: real 0.85…1.5                       motion: real 0…1 (0 = reduced)
      sound, hints, slowClock, notifications, reactions: bool
      sorting: "colour", "value", "hand"
      botSpeed: "slow", "normal", "fast"             autoKeep, autoDraw, autoAccept: bool
      practiceBots: int 1…9 (bots in a practice game)
      playerName: str   avatar: int 0…avatars-1      adapter: str ("" = every real one)
      dark: bool (whether the present theme is dark)
      languages, languageNames: list[str], one for each: "es", "Español"
      avatars: int, textScales: list[real], adapters: list[str], dataFolder: str
      volume: int 0…100   soundState: "on", "muted", "none" (there is no device)
      newcomer: bool (no player has used this computer before)
    Slots: copyDiagnostics(), openDataFolder(), refreshAdapters(), met() (the player has seen the
      name), fittedName(before, after) -> str, nameProblem(name) -> str,
      toggleSound(), lookForSound(), hearSound() (one sound, to judge the volume).
    """

    languageChanged = Signal()
    themeChanged = Signal()
    textScaleChanged = Signal()
    motionChanged = Signal()
    soundChanged = Signal()
    volumeChanged = Signal()
    soundStateChanged = Signal()
    device_wanted = Signal()
    sample_wanted = Signal()
    hintsChanged = Signal()
    slowClockChanged = Signal()
    notificationsChanged = Signal()
    reactionsChanged = Signal()
    sortingChanged = Signal()
    avatarChanged = Signal()
    botSpeedChanged = Signal()
    autoKeepChanged = Signal()
    autoDrawChanged = Signal()
    autoAcceptChanged = Signal()
    practiceBotsChanged = Signal()
    adapterChanged = Signal()
    playerNameChanged = Signal()
    adaptersChanged = Signal()
    darkChanged = Signal()
    newcomerChanged = Signal()

    def __init__(self, navigator: Navigator, translations: Translations) -> None:
        """Load them; values that cannot be read are reported and replaced by their defaults."""
        super().__init__(navigator)
        self._navigator = navigator
        self._translations = translations
        self.values = Settings()
        """The present settings."""
        self._name = ""
        self._newcomer = not navigator.home_folders.profile.exists()
        self._heard = True
        self._adapters: list[str] = []
        self._save_timer = QTimer(self)
        self._save_timer.setSingleShot(True)
        self._save_timer.setInterval(SAVE_AFTER_MS)
        self._save_timer.timeout.connect(self.save)
        self.values, damaged = open_settings(navigator.home_folders)
        unnamed: StoreError | None = None
        # Until the player chooses a colour, the key gives one.
        own = 0
        try:
            profile = load_profile(navigator.home_folders)
        except StoreError as error:
            unnamed = error
        else:
            self._name, own = profile.name, profile.identity.public[0] % AVATARS
        if self.values.avatar is None:
            self.values = msgspec.structs.replace(self.values, avatar=own)
        self.apply_language()
        if damaged is not None:
            navigator.notice(_set_aside(damaged), "error")
        if unnamed is not None:
            navigator.notice(store_problem(unnamed), "error")
        QGuiApplication.styleHints().colorSchemeChanged.connect(self.darkChanged)

    # ---- values -----------------------------------------------------------------------------

    def shown(self, name: str) -> Any:
        """Return a setting as QML sees it: "" if it is not set."""
        value = getattr(self.values, name)
        # The file may come from a version with more languages.
        unknown = name == "language" and value not in languages()
        return "" if value is None or unknown else value

    def change(self, name: str, value: Any) -> None:
        """Change a setting. An invalid value is ignored."""
        if self.shown(name) == value:
            return
        given = None if value == "" and name in ("language", "adapter") else value
        if name == "language" and given is not None and given not in languages():
            _log.warning("there is no language %r", given)
            return
        try:
            changed = msgspec.convert(
                msgspec.to_builtins(self.values) | {name: given}, Settings, strict=False
            )
        except msgspec.ValidationError:
            _log.warning("%r is no value for the setting %s", value, name)
            return
        self.values = changed
        if name == "language":
            self.apply_language()
        getattr(self, f"{camel(name)}Changed").emit()
        if name in ("sound", "volume"):
            self.soundStateChanged.emit()
        if name == "theme":
            self.darkChanged.emit()
        self._save_timer.start()

    @Slot()
    def save(self) -> None:
        """Write the settings to disk now."""
        self._save_timer.stop()
        try:
            save_settings(self._navigator.home_folders, self.values)
        except StoreError as error:
            self._navigator.notice(store_problem(error), "error")

    def save_if_changed(self) -> None:
        """Write the settings if a change is not on disk yet."""
        if self._save_timer.isActive():
            self.save()

    def apply_language(self) -> None:
        """Install the language that is set, and have all texts made again."""
        self._translations.install(self.values.language or "")
        self._navigator.retranslated.emit()

    language = _setting(str, "language", languageChanged)
    theme = _setting(str, "theme", themeChanged)
    textScale = _setting(float, "text_scale", textScaleChanged)
    motion = _setting(float, "motion", motionChanged)
    sound = _setting(bool, "sound", soundChanged)
    volume = _setting(int, "volume", volumeChanged)
    hints = _setting(bool, "hints", hintsChanged)
    slowClock = _setting(bool, "slow_clock", slowClockChanged)
    notifications = _setting(bool, "notifications", notificationsChanged)
    reactions = _setting(bool, "reactions", reactionsChanged)
    sorting = _setting(str, "sorting", sortingChanged)
    avatar = _setting(int, "avatar", avatarChanged)
    botSpeed = _setting(str, "bot_speed", botSpeedChanged)
    autoKeep = _setting(bool, "auto_keep", autoKeepChanged)
    autoDraw = _setting(bool, "auto_draw", autoDrawChanged)
    autoAccept = _setting(bool, "auto_accept", autoAcceptChanged)
    practiceBots = _setting(int, "practice_bots", practiceBotsChanged)
    adapter = _setting(str, "adapter", adapterChanged)

    @property
    def bot_pace(self) -> BotPace:
        """The speed of bots that is set."""
        return PACES[self.values.bot_speed]

    # ---- the name ---------------------------------------------------------------------------

    def _set_name(self, name: str) -> None:
        if name == self._name:
            return
        try:
            self._name = rename(self._navigator.home_folders, name)
        except StoreError as error:
            self._navigator.notice(store_problem(error), "error")
        self.playerNameChanged.emit()

    @Slot(str, str, result=str)
    def fittedName(self, before: str, after: str) -> str:
        """Return the part of an edited name that fits, by the limits of a stored name."""
        return fitted_name(before, after)

    @Slot(str, result=str)
    def nameProblem(self, name: str) -> str:
        """Return why this cannot be the name; "" if it can, or if nothing is typed."""
        if is_too_long(name):
            told = translate(
                "Settings", "A name has at most {number} letters (of some scripts fewer)."
            )
            return filled(told, number=str(LONGEST_NAME))
        if name.strip() and clean_name(name) is None:
            return store_problem(
                StoreError(FileProblem.BAD_NAME, self._navigator.home_folders.profile)
            )
        return ""

    playerName = Property(str, attrgetter("_name"), _set_name, notify=playerNameChanged)

    newcomer = Property(bool, attrgetter("_newcomer"), notify=newcomerChanged)

    @Slot()
    def met(self) -> None:
        """Note that the player has seen the name under which the other players see them."""
        self._newcomer = False
        self.newcomerChanged.emit()

    # ---- derived values ---------------------------------------------------------------------

    def _get_dark(self) -> bool:
        if self.values.theme != "system":
            return self.values.theme == "dark"
        return QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark

    def _get_data_folder(self) -> str:
        return str(self._navigator.home_folders.data)

    def _get_sound_state(self) -> str:
        if self.percent() == 0:
            return "muted"
        return "on" if self._heard else "none"

    dark = Property(bool, _get_dark, notify=darkChanged)
    avatars = Property(int, lambda _: AVATARS, constant=True)
    textScales = Property(list, lambda _: TEXT_SCALES, constant=True)
    adapters = Property(list, attrgetter("_adapters"), notify=adaptersChanged)
    dataFolder = Property(str, _get_data_folder, constant=True)
    soundState = Property(str, _get_sound_state, notify=soundStateChanged)
    languages = Property(list, lambda _: languages(), constant=True)
    languageNames = Property(list, lambda _: list(map(own_name, languages())), constant=True)

    # ---- sound ------------------------------------------------------------------------------

    def percent(self) -> int:
        """Return the volume that the user has set, 0 if sound is off."""
        return self.values.volume if self.values.sound else 0

    def set_sound_heard(self, heard: bool) -> None:
        """Set whether there is a sound device."""
        self._heard = heard
        self.soundStateChanged.emit()

    @Slot()
    def toggleSound(self) -> None:
        """Switch audible sound off; otherwise switch sound on, at an audible volume."""
        wanted = self.percent() == 0
        if wanted and self.values.volume == 0:
            self.change("volume", Settings().volume)
        self.change("sound", wanted)

    @Slot()
    def lookForSound(self) -> None:
        """Look for a sound device, if sound is on."""
        if self.percent() > 0:
            self.device_wanted.emit()

    @Slot()
    def hearSound(self) -> None:
        """Play a sound by which the user judges the volume."""
        self.sample_wanted.emit()

    @Slot()
    def refreshAdapters(self) -> None:
        """Find the present network adapters."""
        found = [adapter.name for adapter in scan()]
        kept = self.values.adapter
        if kept is not None and kept not in found:
            found.append(kept)
        if found != self._adapters:
            self._adapters = found
            self.adaptersChanged.emit()

    @Slot()
    def openDataFolder(self) -> None:
        """Show the data folder in the system's file manager."""
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._navigator.home_folders.data)))

    @Slot()
    def copyDiagnostics(self) -> None:
        """Copy what a developer asks for first to the clipboard. It contains nothing private."""
        lines = [
            f"LanUNO {__version__}",
            f"Python {sys.version.split()[0]}, PySide6 {PySide6.__version__}",
            f"{platform.system()} {platform.release()}, {QGuiApplication.platformName()}",
            f"settings: {msgspec.json.encode(self.values).decode()}",
            f"log: {self._navigator.home_folders.log}",
            f"log can be written: {why_not_writable(self._navigator.home_folders) or 'yes'}",
        ]
        QGuiApplication.clipboard().setText("\n".join(lines))
        self._navigator.notice(
            translate("Settings", "The diagnostics were copied: paste them where they are needed."),
            "good",
        )


def _set_aside(error: StoreError) -> str:
    """Return what was done about a settings file with errors."""
    if error.problem not in (FileProblem.DAMAGED, FileProblem.FOREIGN, FileProblem.TOO_LARGE):
        return store_problem(error)
    told = translate(
        "Settings",
        "{path} was damaged or comes from a newer version. LanUNO uses what it could read; the"
        " old file is kept beside it.",
    )
    return filled(told, path=isolated(str(error.path)))
