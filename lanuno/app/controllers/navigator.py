"""What the controllers of all screens share: the shown page, notices, announcements, the bridge.

Nothing here knows a particular screen. QML sees one object of this class, the `Application`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from operator import attrgetter
from typing import Final

from msgspec import Struct
from PySide6.QtCore import Property, QObject, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QWindow

from lanuno.app.bridge import Bridge
from lanuno.app.models.rows import Rows
from lanuno.app.texts import translate
from lanuno.store.paths import Home

_log = logging.getLogger(__name__)

PAGES: Final = (
    *("home", "host", "join", "room", "table", "result"),
    *("verifier", "history", "rules", "settings"),
)
MOST_SHOWN_NOTICES: Final = 4
MOST_BACK: Final = 16


class Notice(Struct, frozen=True):
    """A line that says what happened, why, and what to do; it disappears after it was seen."""

    id: int
    kind: str
    """`info`, `good` or `error`."""
    text: str
    of: str = ""
    """The page whose present moment it is about; "" if it matters on every page."""


class Navigator(QObject):
    """The page that is shown, and the notices and announcements beside it.

    For QML:
      page: str; open(page), back()
      notices: Rows of Notice (id, kind, text); dismiss(id)
      leaveQuestion: str - not empty while the user must confirm to leave the table (it says what
        happens to the other players); confirmLeave(), cancelLeave()
      botOffered: bool - whether a bot may play on instead; letBotPlay()
      announced(text, urgent): a text for the screen reader; `announce(text)`
      raised(): the window should come to the front
    """

    pageChanged = Signal()
    announced = Signal(str, bool)
    retranslated = Signal()
    """The language has changed, so all texts must be made again."""
    raised = Signal()
    """The window should come to the front."""
    leaveQuestionChanged = Signal()

    def __init__(self, home: Home, bridge: Bridge) -> None:
        """Show the first page."""
        super().__init__()
        self.home_folders = home
        self.bridge = bridge
        self.window: QWindow | None = None
        """The main window, once it exists."""
        self._page = PAGES[0]
        self._back_stack: list[str] = []
        self.pageChanged.connect(self._dismiss_others)
        self._notices = Rows(Notice, "id", self)
        self._notice_count = 0
        self._leave_question: Callable[[], str | None] = str
        self._bot_offered: Callable[[], bool] = bool
        self._after_leaving: Callable[[], None] | None = None
        self._question = ""
        self._is_asked = False
        """Whether the table is to be left as soon as the question is known, or not needed."""

    # ---- pages ------------------------------------------------------------------------------

    page = Property(str, attrgetter("_page"), notify=pageChanged)

    @Slot(str)
    def open(self, page: str) -> None:
        """Show a page; `back` leads to the previous one."""
        if page != self._page and page in PAGES:
            if page in self._back_stack:
                del self._back_stack[self._back_stack.index(page) :]
            else:
                self._back_stack = [*self._back_stack[-MOST_BACK:], self._page]
            self._page = page
            self.pageChanged.emit()

    def reset_to(self, page: str) -> None:
        """Show a page from which `back` leads to `home`."""
        self._back_stack = [] if page == PAGES[0] else [PAGES[0]]
        if page in PAGES:
            self._page = page
        self.pageChanged.emit()

    def forget(self, *pages: str, instead: str | None = None) -> None:
        """Remove pages from the way back. `instead`: the page that replaces them there."""
        led = dict.fromkeys(instead if page in pages else page for page in self._back_stack)
        self._back_stack = [page for page in led if page is not None]

    @Slot()
    def back(self) -> None:
        """Show the previous page, or ask first if that means leaving a table."""
        if self._question:
            self.cancelLeave()
        elif self._page in ("room", "table", "result"):
            self.ask_to_leave(lambda: None)
        elif self._back_stack:
            self._page = self._back_stack.pop()
            self.pageChanged.emit()

    # ---- leaving ----------------------------------------------------------------------------

    def set_leave_question(
        self, question: Callable[[], str | None], bot_offered: Callable[[], bool] = bool
    ) -> None:
        """Set the function that returns the question to ask before leaving.

        It returns "" for none, and None while that is not known: `recheck_question` follows then.
        `bot_offered` returns whether a bot may play on instead.
        """
        self._leave_question, self._bot_offered = question, bot_offered

    def ask_to_leave(self, then: Callable[[], None]) -> None:
        """Call `then` once the table may be left: immediately, or after the user has confirmed."""
        self._after_leaving = then
        self._is_asked = True
        self.recheck_question()

    def recheck_question(self) -> None:
        """Ask what is known now, or withdraw an open question if its text would be different now.

        The user must not agree to a text that they have not read.
        """
        if not (self._question or self._is_asked):
            return
        question = self._leave_question()
        if question is None:
            return
        if self._question and question != self._question:
            self.cancelLeave()
            self.notice(translate("Application", "What leaving means here has just changed."))
        elif question:
            self._is_asked = False
            self._set_question(question)
        else:
            self._leave()

    @Slot()
    def confirmLeave(self) -> None:
        """Leave the table. A withdrawn question still fades out, and is not confirmed by this."""
        if self._question:
            self._leave()

    def _leave(self) -> None:
        then, self._after_leaving = self._after_leaving, None
        self._is_asked = False
        self._set_question("")
        self.leaving.emit()
        if then is not None:
            then()

    @Slot()
    def cancelLeave(self) -> None:
        """Stay at the table."""
        self._after_leaving = None
        self._is_asked = False
        self._set_question("")

    @Slot()
    def letBotPlay(self) -> None:
        """Stay at the table, and let a bot play on."""
        if self._question and self._bot_offered():
            self.cancelLeave()
            self.bot_wanted.emit()

    bot_wanted = Signal()
    """A bot shall play on for the user."""
    leaving = Signal()
    """The user leaves the table of this session."""

    def _set_question(self, question: str) -> None:
        if question != self._question:
            self._question = question
            self.leaveQuestionChanged.emit()

    def _get_bot_offered(self) -> bool:
        return bool(self._question) and self._bot_offered()

    leaveQuestion = Property(str, attrgetter("_question"), notify=leaveQuestionChanged)
    botOffered = Property(bool, _get_bot_offered, notify=leaveQuestionChanged)

    # ---- announcements and notices ----------------------------------------------------------

    @Slot(str)
    def announce(self, text: str, urgent: bool = False) -> None:
        """Let a screen reader say this. All announcements are made here."""
        if not text:
            return
        self.announced.emit(text, urgent)
        if self.window is not None and QAccessible.isActive():
            event = QAccessibleAnnouncementEvent(self.window, text)
            politeness = QAccessible.AnnouncementPoliteness
            event.setPoliteness(politeness.Assertive if urgent else politeness.Polite)
            QAccessible.updateAccessibility(event)

    def notice(self, text: str, kind: str = "info", of: str = "") -> None:
        """Show a line, and announce it. The same line is not shown twice.

        A notice `of` a page is about the present moment there: it replaces the previous notice of
        that page, and disappears when another page is shown.
        """
        # The notice disappears after a while; the program's log keeps it for slow readers.
        _log.info("shown (%s): %s", kind, text)
        rows = [row for row in self._notices.rows if row.text != text and not (of and row.of == of)]
        self._notice_count += 1
        self._notices.show(
            [*rows[-(MOST_SHOWN_NOTICES - 1) :], Notice(self._notice_count, kind, text, of)]
        )
        self.announce(text, urgent=kind == "error")

    @Slot(int)
    def dismiss(self, number: int) -> None:
        """Remove a notice, because it was seen."""
        self._notices.show([row for row in self._notices.rows if row.id != number])

    def dismiss_of(self, page: str) -> None:
        """Remove the notice of a page, because its moment is over."""
        self._notices.show([row for row in self._notices.rows if row.of != page])

    def _dismiss_others(self) -> None:
        """Remove the notices of pages that are not shown any more."""
        rows = self._notices.rows
        here = [row for row in rows if row.of in ("", self._page)]
        if len(here) < len(rows):
            self._notices.show(here)

    def dismiss_all(self) -> None:
        """Remove all notices."""
        self._notices.show([])

    notices = Property(QObject, attrgetter("_notices"), constant=True)
