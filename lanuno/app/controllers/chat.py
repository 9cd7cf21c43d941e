"""Chat lines and reactions, in the waiting room and at the table. Plain text, isolated.

Each computer decides for itself whose lines it hides. The host of the table may also send
spectators away.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Sequence
from operator import attrgetter
from typing import Any, Final

from msgspec import Struct
from PySide6.QtCore import Property, QObject, Signal, Slot

from lanuno.app.bridge import Bridge
from lanuno.app.controllers.navigator import Navigator
from lanuno.app.models.rows import Rows
from lanuno.app.models.table_rows import ChatLine
from lanuno.app.texts import filled, isolated, sentence, texts, translate
from lanuno.client.session import TableSession
from lanuno.table.budget import Budget
from lanuno.table.messages import LONGEST_CHAT, MAX_SPECTATORS, Reaction
from lanuno.table.outputs import ChatReceived, ReactionSeen, Spectator

MOST_CHAT_LINES: Final = 200
ANNOUNCED_RATE: Final = 0.2
ANNOUNCED_BURST: Final = 3
"""Reactions of one player that a screen reader announces: a rate per second, and a burst. More
would delay the announcements of moves."""
SYMBOLS: Final = {
    Reaction.THUMBS_UP: "thumb",
    Reaction.LAUGH: "laugh",
    Reaction.OH_NO: "sad",
    Reaction.WOW: "wow",
    Reaction.HURRY: "hourglass",
    Reaction.WELL_PLAYED: "star",
}
"""The icon of each reaction."""


def reaction_word(reaction: Reaction) -> str:
    """Return the meaning of a reaction in words."""
    return sentence(texts().member(reaction))


class Speaker(Struct, frozen=True):
    """The player of a seat, as the chat knows it."""

    identity: bytes
    name: str
    bot: bool


class ChatController(QObject):
    """The chat, for QML.

    lines: Rows of ChatLine (id, seat, name, text, mine, watching); unread: int; open (rw bool: the
    chat is on the screen, so nothing is unread); longest: int; muted: list of seats; people [{key,
    name, muted}]: the other persons with a seat; spectators [{key, name, muted, here}]: the present
    ones, which only the host knows, and those who sent a line lately; hosting (bool): whether
    spectators can be sent away from here; watchable (bool): whether spectators are admitted;
    sentAway [{key, name}]: whom this host has sent away; reactions [{symbol, text}]: the reactions
    to choose from.

    Signal: reacted(seat, symbol, text): a player shows a reaction, which is not stored.
    Slots: say(text), react(index), setMuted(key, bool), sendAway(key, name), letIn(key),
    allowSpectators(bool).
    """

    changed = Signal()
    reacted = Signal(int, str, str)
    said = Signal(str)
    """The player sends this line."""

    def __init__(self, navigator: Navigator, bridge: Bridge) -> None:
        """Begin with an empty chat."""
        super().__init__(navigator)
        self._navigator = navigator
        self._bridge = bridge
        self.session: TableSession | None = None
        """The session at this table."""
        self._lines = Rows(ChatLine, "id", self)
        self._count = 0
        self._unread = 0
        self._open = False
        self.speakers: tuple[Speaker, ...] = ()
        """The players by seat."""
        self._muted: set[bytes] = set()
        """Identities, because people change seats and tables."""
        self._sent_away: dict[bytes, str] = {}
        """Whom this player has sent away from the table hosted here, with the name of that time."""
        self._announced = Budget[int](ANNOUNCED_RATE, ANNOUNCED_BURST)
        """The budget for announced reactions, by seat."""
        self._present_spectators: tuple[Spectator, ...] = ()
        """The present spectators, if this computer is the host."""
        self._recent_spectators: dict[bytes, Spectator] = {}
        """Spectators who sent chat lines, the latest last."""
        self._hosting = False
        self._watchable = True
        self.mine: int | None = None
        """This player's seat, once it is known."""
        self.my_name = ""
        self.said.connect(self._say)
        navigator.retranslated.connect(self.changed)

    def clear(self) -> None:
        """Forget everything, because another table begins."""
        self._lines.show([])
        self._unread, self._muted, self._recent_spectators = 0, set(), {}
        self.start_rematch()

    def start_rematch(self) -> None:
        """Clear the table but keep its lines and muted people: the same people play again."""
        self.mine, self.speakers = None, ()
        self._present_spectators, self._sent_away = (), {}
        self._announced = Budget(ANNOUNCED_RATE, ANNOUNCED_BURST)
        self._hosting, self._watchable, self.session = False, True, None
        self.changed.emit()

    def add_line(self, chat: ChatReceived) -> None:
        """Show a chat line."""
        spectator = chat.spectator
        if spectator is not None:
            self._recent_spectators.pop(spectator, None)
            self._recent_spectators[spectator] = Spectator(chat.name, spectator)
            if len(self._recent_spectators) > MAX_SPECTATORS:
                del self._recent_spectators[next(iter(self._recent_spectators))]
        if chat.seat in self._get_muted() or spectator in self._muted:
            self.changed.emit()
            return
        self._count += 1
        mine = chat.seat == self.mine if self.mine is not None else chat.name == self.my_name
        row = ChatLine(self._count, chat.seat, chat.name, chat.text, mine, chat.seat < 0)
        self._lines.show([*self._lines.rows[-(MOST_CHAT_LINES - 1) :], row])
        if not mine:
            self._unread += 0 if self._open else 1
            name = isolated(chat.name)
            if chat.seat < 0:
                name = filled(translate("Chat", "{name} (watching)"), name=name)
            self._navigator.announce(f"{name}: {isolated(chat.text)}")
        self.changed.emit()

    def show_reaction(self, shown: ReactionSeen) -> None:
        """Show a reaction. It lasts a moment, so it is dropped while another page is shown."""
        if shown.seat in self._get_muted() or self._navigator.property("page") != "table":
            return
        text = reaction_word(shown.reaction)
        self.reacted.emit(shown.seat, SYMBOLS[shown.reaction], text)
        if shown.seat != self.mine and self._announced.take(shown.seat, time.monotonic()):
            self._navigator.announce(f"{isolated(shown.name)}: {text}")

    def set_spectators(self, spectators: Sequence[Spectator]) -> None:
        """Set the spectators of the table hosted here."""
        self._present_spectators = tuple(spectators)
        self.changed.emit()

    def set_hosting(self, hosting: bool, watchable: bool | None = None) -> None:
        """Set whether this computer is the host, and whether spectators are admitted, if known."""
        news = (hosting, self._watchable if watchable is None else watchable)
        if news != (self._hosting, self._watchable):
            self._hosting, self._watchable = news
            self.changed.emit()

    def _run_on_session(self, work: Callable[[TableSession], Coroutine[Any, Any, object]]) -> None:
        if self.session is not None:
            self._bridge.run(work(self.session))

    @Slot(str)
    def say(self, text: str) -> None:
        """Send a line to everybody at the table."""
        if text.strip():
            self.said.emit(text.strip()[:LONGEST_CHAT])

    @Slot(int)
    def react(self, index: int) -> None:
        """Show a reaction to everybody at the table."""
        if self.mine is not None and 0 <= index < len(Reaction):
            self._run_on_session(lambda session: session.react(Reaction(index)))

    def _say(self, text: str) -> None:
        self._run_on_session(lambda session: session.say(text))

    @Slot(str, bool)
    def setMuted(self, key: str, muted: bool) -> None:
        """Hide the lines and reactions of this person from now on, or show them again."""
        (self._muted.add if muted else self._muted.discard)(bytes.fromhex(key))
        self.changed.emit()

    @Slot(str, str)
    def sendAway(self, key: str, name: str) -> None:
        """As host: send somebody away, who cannot come back unless let in."""
        identity = bytes.fromhex(key)
        bot = any(each.bot for each in self.speakers if each.identity == identity)

        def sent(possible: bool) -> None:
            if possible and not bot:
                self._sent_away[identity] = name
                self.changed.emit()

        if self.session is not None:
            self._bridge.run(self.session.send_away(identity), sent)

    @Slot(str)
    def letIn(self, key: str) -> None:
        """As host: let somebody sit or watch again who was sent away."""
        identity = bytes.fromhex(key)
        self._sent_away.pop(identity, None)
        self.changed.emit()
        self._run_on_session(lambda session: session.let_in(identity))

    @Slot(bool)
    def allowSpectators(self, allowed: bool) -> None:
        """As host: admit spectators, or send all away and admit none."""
        self._run_on_session(lambda session: session.allow_spectators(allowed))
        self.set_hosting(self._hosting, allowed)

    def set_speakers(self, speakers: Sequence[Speaker]) -> None:
        """Set the players of the seats."""
        if self.speakers != tuple(speakers):
            self.speakers = tuple(speakers)
            self.changed.emit()

    def _set_open(self, is_open: bool) -> None:
        self._open = is_open
        if is_open:
            self._unread = 0
        self.changed.emit()

    def _get_muted(self) -> list[int]:
        speakers = enumerate(self.speakers)
        return [seat for seat, speaker in speakers if speaker.identity in self._muted]

    def _get_people(self) -> list[dict[str, object]]:
        return [
            {
                "key": each.identity.hex(),
                "name": each.name,
                "muted": each.identity in self._muted,
            }
            for seat, each in enumerate(self.speakers)
            if not each.bot and seat != self.mine
        ]

    def _get_spectators(self) -> list[dict[str, object]]:
        here = {each.identity: each for each in self._present_spectators}
        return [
            {
                "key": each.identity.hex(),
                "name": each.name,
                "muted": each.identity in self._muted,
                "here": each.identity in here,
            }
            for each in (self._recent_spectators | here).values()
            if self.mine is not None or each.name != self.my_name
        ]

    def _get_sent_away(self) -> list[dict[str, str]]:
        return [{"key": key.hex(), "name": name} for key, name in self._sent_away.items()]

    def _get_reactions(self) -> list[dict[str, str]]:
        return [{"symbol": SYMBOLS[each], "text": reaction_word(each)} for each in Reaction]

    lines = Property(QObject, attrgetter("_lines"), constant=True)
    unread = Property(int, attrgetter("_unread"), notify=changed)
    open = Property(bool, attrgetter("_open"), _set_open, notify=changed)
    muted = Property(list, _get_muted, notify=changed)
    people = Property(list, _get_people, notify=changed)
    spectators = Property(list, _get_spectators, notify=changed)
    sentAway = Property(list, _get_sent_away, notify=changed)
    reactions = Property(list, _get_reactions, notify=changed)
    hosting = Property(bool, attrgetter("_hosting"), notify=changed)
    watchable = Property(bool, attrgetter("_watchable"), notify=changed)
    longest = Property(int, lambda _: LONGEST_CHAT, constant=True)
