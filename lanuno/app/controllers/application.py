"""The one object that QML sees: the stage, and a controller for each screen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import Property, QCoreApplication, QObject, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication

from lanuno import __version__
from lanuno.app.alerts import Alerts, PortalDesktop
from lanuno.app.bridge import Bridge
from lanuno.app.controllers.chat import ChatController
from lanuno.app.controllers.destinations import Destinations
from lanuno.app.controllers.history import HistoryController
from lanuno.app.controllers.home import HomeController, Ways
from lanuno.app.controllers.host import HostController
from lanuno.app.controllers.interruptions import Interruptions
from lanuno.app.controllers.invitation import InvitationController
from lanuno.app.controllers.join import JoinController
from lanuno.app.controllers.memory import Memory
from lanuno.app.controllers.playing import Playing, Screens
from lanuno.app.controllers.result import ResultController
from lanuno.app.controllers.room import RoomController
from lanuno.app.controllers.rules import RulesController
from lanuno.app.controllers.settings import SettingsController
from lanuno.app.controllers.stage import Stage
from lanuno.app.controllers.table import TableController
from lanuno.app.controllers.verifier import VerifierController
from lanuno.app.controllers.visiting import Visiting
from lanuno.app.reasons import no_socket
from lanuno.app.sound_output import SoundOutput
from lanuno.app.sounds import Sounds
from lanuno.app.translations import Translations
from lanuno.app.words import translate
from lanuno.store.errors import StoreError
from lanuno.store.paths import Home

LEAVE_MS: Final = 12_000
"""How long leaving a table may keep the program from ending."""


class Application(Stage):
    """`app` in QML: what `Stage` says, and

    version: str
    settings, verifier: the controllers of the screens
    crash: str - the report of a mistake of the program, "" if there was none; copyCrash(),
      dismissCrash()
    quit(): leaves what must be left, and ends
    """

    crashChanged = Signal()
    ended = Signal()
    """Nothing is left to be done, or it has taken too long: the program may end."""

    def __init__(self, home: Home, bridge: Bridge, pages: Path | None = None) -> None:
        """Make the controllers; nothing of the network is touched before `start`."""
        super().__init__(home, bridge, pages)
        self._crash = ""
        self._translations = Translations(self)
        self.preferences = SettingsController(self, self._translations)
        """The same as `settings`, for Python; so are the others."""
        self.talk = ChatController(self, bridge)
        self.table_screen = TableController(self, self.preferences)
        self.result_screen = ResultController(self)
        self.result_screen.hold_while(lambda: self.table_screen.holding, self.table_screen.released)
        self.room_screen = RoomController(self, bridge, self.talk)
        screens = Screens(self.room_screen, self.table_screen, self.result_screen, self.talk)
        self.playing = Playing(self, self.preferences, bridge, screens)
        self.memory = Memory(self)
        visiting = Visiting(self, self.playing, self.memory)
        interruptions = Interruptions(self, self.preferences, bridge, self.playing, self.memory)
        ways = Ways(self.playing, visiting, interruptions)
        self.first = HomeController(self, self.preferences, bridge, self.memory, ways)
        places = Destinations(self.first, interruptions, self.memory, self.preferences)
        self.door = JoinController(self, self.preferences, visiting, interruptions, places)
        self.asked = InvitationController(self, self.playing, self.door, places)
        """The same as `invitation`, for Python."""
        self.first.changed.connect(self.asked.look_again)
        self.opener = HostController(
            self, self.preferences, self.playing, self.memory, self.first, self.room_screen
        )
        self.result_screen.verifyWanted.connect(self._verify_game)
        self.rulebook = RulesController(self)
        self.checker = VerifierController(self)
        """The same as `verifier`, for Python."""
        self.past = HistoryController(self, self.checker)
        desktop = PortalDesktop(self)
        desktop.chosen.connect(self.raised)
        self.alerts = Alerts(self, self.preferences, desktop)
        self.output = SoundOutput(self)
        self.sounds = Sounds(self.preferences.percent, self.output)
        self._be_heard()

    def _be_heard(self) -> None:
        """Let sounds and the desktop tell of what happens at the table, too."""
        table = self.table_screen
        table.my_turn_began.connect(self.alerts.your_turn)
        table.my_turn_began.connect(self.sounds.turn)
        table.moved.connect(lambda kind, *_: self.sounds.moved(kind))
        table.clockChanged.connect(
            lambda: self.sounds.clock(
                table.property("clockLeft"), table.face.my_turn and not table.face.paused
            )
        )
        self.output.heardChanged.connect(lambda: self.preferences.hear(self.output.heard))
        self.preferences.device_wanted.connect(self.output.look)
        self.preferences.sample_wanted.connect(self.sounds.sample)
        program = QCoreApplication.instance()
        if isinstance(program, QGuiApplication):
            program.applicationStateChanged.connect(self.alerts.seen)
            program.applicationStateChanged.connect(self.asked.seen)

    def _get_version(self) -> str:
        return __version__

    def _get_settings(self) -> QObject:
        return self.preferences

    def _get_verifier(self) -> QObject:
        return self.checker

    def _get_home(self) -> QObject:
        return self.first

    def _get_host(self) -> QObject:
        return self.opener

    def _get_join(self) -> QObject:
        return self.door

    def _get_invitation(self) -> QObject:
        return self.asked

    def _get_room(self) -> QObject:
        return self.room_screen

    def _get_table(self) -> QObject:
        return self.table_screen

    def _get_result(self) -> QObject:
        return self.result_screen

    def _get_chat(self) -> QObject:
        return self.talk

    def _get_rules(self) -> QObject:
        return self.rulebook

    def _get_history(self) -> QObject:
        return self.past

    version = Property(str, _get_version, constant=True)
    settings = Property(QObject, _get_settings, constant=True)
    home = Property(QObject, _get_home, constant=True)
    host = Property(QObject, _get_host, constant=True)
    join = Property(QObject, _get_join, constant=True)
    invitation = Property(QObject, _get_invitation, constant=True)
    room = Property(QObject, _get_room, constant=True)
    table = Property(QObject, _get_table, constant=True)
    result = Property(QObject, _get_result, constant=True)
    chat = Property(QObject, _get_chat, constant=True)
    verifier = Property(QObject, _get_verifier, constant=True)
    rules = Property(QObject, _get_rules, constant=True)
    history = Property(QObject, _get_history, constant=True)

    # ---- beginning and ending ---------------------------------------------------------------

    def start(self) -> None:
        """Look at the network and the disk from now on."""
        self.first.start()

    def take(self, command: Sequence[str]) -> None:
        """Do what a start of the program wants: nothing more, `join` LINK, or `open` FILE."""
        self.raised.emit()
        match list(command):
            case ["join", link]:
                self.asked.ask(link)
            case ["open", file]:
                self.verify(Path(file))
            case _:
                pass

    def deaf(self, refused: Sequence[StoreError]) -> None:
        """Other starts of the program cannot reach this window."""
        self.notice(no_socket(refused), "error")

    def verify(self, file: Path) -> None:
        """Show a transcript in the verifier."""
        self.checker.open_file(file)
        self.open("verifier")

    def _verify_game(self) -> None:
        game = self.playing.game
        if game is not None:
            self.verify(game)

    @Slot()
    def quit(self) -> None:
        """End the program; a table that is left is asked about first."""
        self.ask_to_leave(self.end)

    def end(self) -> None:
        """End the program without asking; the table is left as one should."""
        self.playing.leave()
        if self.playing.sitting is not None:
            self.notice(translate("Application", "Leaving the table…"))
        self.playing.when_left(self.ended.emit)
        QTimer.singleShot(LEAVE_MS, self, self.ended.emit)

    def close(self) -> None:
        """Write down what is not written yet; nothing is received from the other thread now."""
        self.preferences.save_if_changed()
        self.checker.cancel()
        self.output.close()
        self.bridge.close()
        self._translations.fall_silent()

    # ---- mistakes of the program ------------------------------------------------------------

    def crashed(self, report: str) -> None:
        """Show a report that the user can copy. The first one is the cause."""
        if not self._crash:
            self._crash = report
            self.crashChanged.emit()

    def _get_crash(self) -> str:
        return self._crash

    crash = Property(str, _get_crash, notify=crashChanged)

    @Slot()
    def copyCrash(self) -> None:
        """To the clipboard."""
        QGuiApplication.clipboard().setText(self._crash)
        self.notice(translate("Application", "The report was copied."), "good")

    @Slot()
    def dismissCrash(self) -> None:
        """The user has seen it."""
        self._crash = ""
        self.crashChanged.emit()
