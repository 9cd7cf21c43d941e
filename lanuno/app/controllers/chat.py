"""What people say, in the waiting room and at the table. Shown as plain text, isolated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Property, QObject, Signal, Slot

from lanuno.app.controllers.stage import Stage
from lanuno.app.models.rows import Rows
from lanuno.app.models.table_rows import ChatLine
from lanuno.app.words import isolated
from lanuno.app.worker.follower import ChatSaid
from lanuno.table.messages import LONGEST_CHAT

MOST_LINES: Final = 200


@dataclass(frozen=True, slots=True)
class Speaker:
    """Somebody with a seat."""

    identity: bytes
    name: str
    bot: bool


class ChatController(QObject):
    """For QML: lines: Rows of ChatLine (id, seat, name, text, mine); unread: int; open (rw bool: it
    is on the screen, so nothing is unread); longest: int; muted: list of seats; people [{seat,
    name, muted}]: everybody else who may say something.

    Slots: say(text), setMuted(seat, bool).
    """

    changed = Signal()
    said = Signal(str)
    """The player wants to say this."""

    def __init__(self, stage: Stage) -> None:
        """Nothing was said."""
        super().__init__(stage)
        self._stage = stage
        self._lines = Rows(ChatLine, "id", self)
        self._count = 0
        self._unread = 0
        self._open = False
        self._speakers: tuple[Speaker, ...] = ()
        """By seat."""
        self._muted: set[bytes] = set()
        """By identity: people change places, and tables."""
        self.mine: int | None = None
        """The own seat, once there is one."""
        self.my_name = ""

    def clear(self) -> None:
        """Another table."""
        self._lines.show([])
        self._unread, self._muted, self.mine = 0, set(), None
        self._speakers = ()
        self.changed.emit()

    def hear(self, chat: ChatSaid) -> None:
        """Somebody said something."""
        if chat.seat in self._get_muted():
            return
        self._count += 1
        mine = chat.seat == self.mine if self.mine is not None else chat.name == self.my_name
        row = ChatLine(self._count, chat.seat, chat.name, chat.text, mine)
        self._lines.show([*self._lines.rows[-(MOST_LINES - 1) :], row])
        if not mine:
            self._unread += 0 if self._open else 1
            self._stage.announce(f"{isolated(chat.name)}: {isolated(chat.text)}")
        self.changed.emit()

    @Slot(str)
    def say(self, text: str) -> None:
        """Say something to everybody at the table."""
        if text.strip():
            self.said.emit(text.strip()[:LONGEST_CHAT])

    @Slot(int, bool)
    def setMuted(self, seat: int, muted: bool) -> None:
        """Do not show what this seat says from now on."""
        if 0 <= seat < len(self._speakers):
            identity = self._speakers[seat].identity
            (self._muted.add if muted else self._muted.discard)(identity)
            self.changed.emit()

    @property
    def knows_people(self) -> bool:
        """Whether it was told who sits where."""
        return bool(self._speakers)

    def meet(self, speakers: Sequence[Speaker]) -> None:
        """Who sits where now."""
        if self._speakers != tuple(speakers):
            self._speakers = tuple(speakers)
            self.changed.emit()

    def _get_lines(self) -> QObject:
        return self._lines

    def _get_unread(self) -> int:
        return self._unread

    def _get_open(self) -> bool:
        return self._open

    def _set_open(self, is_open: bool) -> None:
        self._open = is_open
        if is_open:
            self._unread = 0
        self.changed.emit()

    def _get_muted(self) -> list[int]:
        speakers = enumerate(self._speakers)
        return [seat for seat, speaker in speakers if speaker.identity in self._muted]

    def _get_people(self) -> list[dict[str, object]]:
        return [
            {"seat": seat, "name": each.name, "muted": each.identity in self._muted}
            for seat, each in enumerate(self._speakers)
            if not each.bot and seat != self.mine
        ]

    def _get_longest(self) -> int:
        return LONGEST_CHAT

    lines = Property(QObject, _get_lines, constant=True)
    unread = Property(int, _get_unread, notify=changed)
    open = Property(bool, _get_open, _set_open, notify=changed)
    muted = Property(list, _get_muted, notify=changed)
    people = Property(list, _get_people, notify=changed)
    longest = Property(int, _get_longest, constant=True)
