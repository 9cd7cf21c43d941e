"""The one object that QML sees: the navigator, with a controller for each screen.

The controllers of screens that open from the first page, and that nothing else needs, are loaded
with their screen: the first page comes sooner.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Property, QCoreApplication, QObject, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication

from lanuno import __version__
from lanuno.app.alerts import Alerts, PortalDesktop
from lanuno.app.bridge import Bridge
from lanuno.app.card_faces import RANKS
from lanuno.app.controllers.app_state import SavedAppState
from lanuno.app.controllers.chat import ChatController
from lanuno.app.controllers.destinations import Destinations
from lanuno.app.controllers.home import HomeController
from lanuno.app.controllers.host import HostController
from lanuno.app.controllers.invitation import InvitationController
from lanuno.app.controllers.join import JoinController
from lanuno.app.controllers.known_people import KnownPeopleController
from lanuno.app.controllers.navigator import Navigator
from lanuno.app.controllers.result import ResultController
from lanuno.app.controllers.resumable import InterruptedTables
from lanuno.app.controllers.room import RoomController
from lanuno.app.controllers.session_controller import Screens, SessionController
from lanuno.app.controllers.settings import SettingsController
from lanuno.app.controllers.table import TableController
from lanuno.app.controllers.visit import Visiting
from lanuno.app.problem_texts import no_socket
from lanuno.app.sound_output import SoundOutput
from lanuno.app.sounds import Sounds
from lanuno.app.texts import translate
from lanuno.app.translations import Translations
from lanuno.store.errors import StoreError
from lanuno.store.paths import Home

if TYPE_CHECKING:
    from lanuno.app.controllers.history import HistoryController
    from lanuno.app.controllers.rules import RulesController
    from lanuno.app.controllers.verifier import VerifierController

LEAVE_MS: Final = 12_000
"""How long leaving a table may delay the end of the program."""


class Application(Navigator):
    """`app` in QML: the members of `Navigator`, and

    version: str
    settings, verifier, home, host, join, invitation, room, table, result, chat, rules, history: the
      controllers of the screens
    crash: str - the report of a mistake of the program, "" if there was none; copyCrash(),
      dismissCrash()
    ranks: [{text, icon, wild}] - the print on cards, by rank
    quit(): leaves the table if there is one, and ends the program
    """

    crashChanged = Signal()
    ended = Signal()
    """Everything is done, or it has taken too long: the program may end."""

    def __init__(self, home: Home, bridge: Bridge) -> None:
        """Create the controllers. The network is not used before `start`."""
        super().__init__(home, bridge)
        self._crash = ""
        self._translations = Translations(self)
        self.settings_controller = SettingsController(self, self._translations)
        """The same as `settings`, for Python. The other controllers have such a name, too."""
        self.chat_controller = ChatController(self, bridge)
        self.table_controller = TableController(self, self.settings_controller)
        self.result_controller = ResultController(self)
        self.result_controller.wait_while(
            lambda: self.table_controller.shows_round_end, self.table_controller.released
        )
        self.table_controller.wait_for_score(
            self.result_controller.holds, self.result_controller.went_on
        )
        self.known_people = KnownPeopleController(self)
        self.room_controller = RoomController(self, bridge, self.chat_controller, self.known_people)
        screens = Screens(
            self.room_controller,
            self.table_controller,
            self.result_controller,
            self.chat_controller,
        )
        self.session_controller = SessionController(self, self.settings_controller, bridge, screens)
        self.session_controller.ended.connect(lambda _transcript: self.known_people.refresh())
        self.app_state = SavedAppState(self)
        visiting = Visiting(self, self.settings_controller, self.session_controller, self.app_state)
        interrupted_tables = InterruptedTables(
            self, self.settings_controller, self.session_controller, self.app_state
        )
        self.home_controller = HomeController(
            self,
            self.settings_controller,
            self.app_state,
            self.session_controller,
            visiting,
            interrupted_tables,
            self.known_people,
        )
        destinations = Destinations(
            self.home_controller, interrupted_tables, self.known_people, self.settings_controller
        )
        self.join_controller = JoinController(self, visiting, interrupted_tables, destinations)
        self.invitation_controller = InvitationController(
            self, self.session_controller, self.join_controller, destinations
        )
        """The same as `invitation`, for Python."""
        self.home_controller.changed.connect(self.invitation_controller.refresh)
        self.known_people.changed.connect(self.invitation_controller.describe_again)
        self.known_people.changed.connect(self.join_controller.refresh)
        self.host_controller = HostController(
            self,
            self.settings_controller,
            self.session_controller,
            self.app_state,
            self.home_controller,
            self.room_controller,
        )
        self.result_controller.verifyWanted.connect(self._verify_game)
        desktop = PortalDesktop(self)
        desktop.chosen.connect(self.raised)
        self.alerts = Alerts(self, self.settings_controller, desktop)
        self.output = SoundOutput(self)
        self.sounds = Sounds(self.settings_controller.percent, self.output)
        self._connect_signals()

    @cached_property
    def rules_controller(self) -> RulesController:
        """The same as `rules`, for Python."""
        from lanuno.app.controllers.rules import RulesController

        return RulesController(self)

    @cached_property
    def verifier_controller(self) -> VerifierController:
        """The same as `verifier`, for Python."""
        from lanuno.app.controllers.verifier import VerifierController

        return VerifierController(self)

    @cached_property
    def history_controller(self) -> HistoryController:
        """The same as `history`, for Python."""
        from lanuno.app.controllers.history import HistoryController

        return HistoryController(self, self.verifier_controller)

    def _connect_signals(self) -> None:
        """Connect the table's signals to sounds and desktop notifications."""
        table = self.table_controller
        table.my_turn_began.connect(self.alerts.your_turn)
        table.my_turn_began.connect(self.sounds.turn)
        table.moved.connect(lambda kind, *_: self.sounds.moved(kind))
        table.clockChanged.connect(
            lambda: self.sounds.clock(
                table.property("clockLeft"), table.view.my_turn and not table.view.paused
            )
        )
        self.output.heardChanged.connect(
            lambda: self.settings_controller.set_sound_heard(self.output.can_be_heard)
        )
        self.settings_controller.device_wanted.connect(self.output.check_device)
        self.settings_controller.sample_wanted.connect(self.sounds.sample)
        program = QCoreApplication.instance()
        if isinstance(program, QGuiApplication):
            program.applicationStateChanged.connect(self.alerts.application_state_changed)
            program.applicationStateChanged.connect(
                self.invitation_controller.application_state_changed
            )

    version = Property(str, lambda _: __version__, constant=True)
    settings = Property(QObject, attrgetter("settings_controller"), constant=True)
    home = Property(QObject, attrgetter("home_controller"), constant=True)
    host = Property(QObject, attrgetter("host_controller"), constant=True)
    join = Property(QObject, attrgetter("join_controller"), constant=True)
    invitation = Property(QObject, attrgetter("invitation_controller"), constant=True)
    room = Property(QObject, attrgetter("room_controller"), constant=True)
    table = Property(QObject, attrgetter("table_controller"), constant=True)
    result = Property(QObject, attrgetter("result_controller"), constant=True)
    chat = Property(QObject, attrgetter("chat_controller"), constant=True)
    verifier = Property(QObject, attrgetter("verifier_controller"), constant=True)
    rules = Property(QObject, attrgetter("rules_controller"), constant=True)
    history = Property(QObject, attrgetter("history_controller"), constant=True)

    # ---- start and end ----------------------------------------------------------------------

    def start(self) -> None:
        """Begin to search for tables on the network and on the disk."""
        self.known_people.refresh()
        self.home_controller.start()

    def run_command(self, command: Sequence[str]) -> None:
        """Run the command of a start of the program: none, `join` LINK, or `open` FILE."""
        self.raised.emit()
        match list(command):
            case ["join", link]:
                self.invitation_controller.ask(link)
            case ["open", file]:
                self.verify(Path(file))
            case _:
                pass

    def report_no_socket(self, refused: Sequence[StoreError]) -> None:
        """Show that other starts of the program cannot reach this window."""
        self.notice(no_socket(refused), "error")

    def verify(self, file: Path) -> None:
        """Open a transcript in the verifier."""
        self.verifier_controller.open_file(file)
        self.open("verifier")

    def _verify_game(self) -> None:
        game = self.session_controller.game_file
        if game is not None:
            self.verify(game)

    @Slot()
    def quit(self) -> None:
        """End the program; ask first if that means leaving a table."""
        self.ask_to_leave(self.end)

    def end(self) -> None:
        """End the program without a question. The table is left in an orderly way."""
        self.session_controller.leave()
        if self.session_controller.session is not None:
            self.notice(translate("Application", "Leaving the table…"))
        self.session_controller.when_left(self.ended.emit)
        QTimer.singleShot(LEAVE_MS, self, self.ended.emit)

    def close(self) -> None:
        """Save what is not on disk yet, and receive nothing more from the other thread."""
        self.settings_controller.save_if_changed()
        if "verifier_controller" in vars(self):
            self.verifier_controller.cancel()
        self.output.close()
        self.bridge.close()
        self._translations.remove()

    # ---- mistakes of the program ------------------------------------------------------------

    def crashed(self, report: str) -> None:
        """Show a report that the user can copy. Only the first is shown: it is the cause."""
        if not self._crash:
            self._crash = report
            self.crashChanged.emit()

    crash = Property(str, attrgetter("_crash"), notify=crashChanged)
    ranks = Property(list, lambda _: RANKS, constant=True)

    @Slot()
    def copyCrash(self) -> None:
        """Copy the report to the clipboard."""
        QGuiApplication.clipboard().setText(self._crash)
        self.notice(translate("Application", "The report was copied."), "good")

    @Slot()
    def dismissCrash(self) -> None:
        """Close the report."""
        self._crash = ""
        self.crashChanged.emit()
