"""The waiting room, whoever hosts it: who is there, what is played, and how others come in."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Final

import segno
from PySide6.QtCore import Property, QObject, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication

from lanuno.app.bridge import Bridge
from lanuno.app.controllers.chat import ChatController, Speaker
from lanuno.app.controllers.fields import told
from lanuno.app.controllers.stage import Stage
from lanuno.app.models.room_rows import RoomSeat
from lanuno.app.models.rows import Rows
from lanuno.app.moves import shown
from lanuno.app.setting_words import rules_news, rules_title, summary
from lanuno.app.words import isolated, translate
from lanuno.app.worker.follower import Opened
from lanuno.app.worker.sitting import Sitting
from lanuno.app.worker.snapshot import PAIRED
from lanuno.log.genesis import Genesis, avatars, may_begin, safety_hand
from lanuno.rules.changes import changes
from lanuno.rules.ruleset import Format
from lanuno.rules.tournament import PLAYERS
from lanuno.table.lobby_peer import Offer
from lanuno.table.messages import LobbyPhase, LobbySeat, LobbyState

READ_MS: Final = 1000
"""How long changed rules have to be shown before a click on "ready" agrees to them."""
MOST_NEWS: Final = 3
"""Changes that are named; the list of all is one click away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomFace:
    """The values of one moment, named as the properties."""

    table_name: str = ""
    rules: tuple[str, ...] = ()
    rules_title: str = ""
    can_change: bool = False
    hosting: bool = False
    seated: bool = False
    capacity: int = 0
    taken: int = 0
    ready: bool = False
    can_answer: bool = False
    can_start: bool = False
    starting: bool = False
    pairs: bool = False
    pin: bool = False
    watching: int = 0
    status: str = ""
    seats: tuple[RoomSeat, ...] = field(default_factory=tuple)


class RoomController(QObject):
    """For QML:

      tableName, rules [str], rulesTitle (the preset, and how much is changed), canChange (as host:
      the rules), canAnswer (whether a click on "ready" counts now), hosting, seated, capacity,
      taken, ready (mine), canStart, starting, pin (bool), watching (int: how many), status,
      pairs (bool: partners sit opposite)
      seats: Rows of RoomSeat, one for every place, empty ones too
      link, code: str; qr: rows of truth values, one for each line of modules
      safetyHand [{slot, colour, rank}] ([] before the table begins), safetyText, openHandsText
    Slots: setReady(bool), sit(seat) (change places: where `canSit`), addBot(), removeBot(seat),
      kick(seat), mute(seat, bool), begin(), moveUp(seat), copyLink(), copyCode(), leave()
    """

    changed = Signal()
    placeChanged = Signal()
    safetyChanged = Signal()

    def __init__(self, stage: Stage, bridge: Bridge, chat: ChatController) -> None:
        """Nobody is there."""
        super().__init__(stage)
        self._stage = stage
        self._bridge = bridge
        self._chat = chat
        self.face = RoomFace()
        self.sitting: Sitting | None = None
        """What sits in this room."""
        self.playing = False
        """Whether the game has begun."""
        self._seats = Rows(RoomSeat, "seat", self)
        self._state: LobbyState | None = None
        self._place: Opened | None = None
        self._qr: list[list[bool]] = []
        self._safety: list[dict[str, int]] = []
        self._news = ""
        self._reading = QTimer(self)
        self._reading.setSingleShot(True)
        self._reading.setInterval(READ_MS)
        self._reading.timeout.connect(self._again)
        stage.retranslated.connect(self._again)
        chat.changed.connect(self._again)

    @property
    def state(self) -> LobbyState | None:
        """The waiting room as it was told last."""
        return self._state

    def clear(self) -> None:
        """Another table."""
        self._state = self._place = self.sitting = None
        self.playing = False
        self._qr, self._safety, self._news = [], [], ""
        self._reading.stop()
        self.face = RoomFace()
        self._seats.show([])
        for signal in (self.changed, self.placeChanged, self.safetyChanged):
            signal.emit()

    def show(self, state: LobbyState) -> None:
        """The waiting room as it is now."""
        before, self._state = self._state, state
        self._chat.meet([Speaker(seat.identity, seat.name, seat.bot) for seat in state.seats])
        self._chat.hosts(self.sitting is not None and self.sitting.hosts, state.spectators)
        self._compare(before, state)
        self._again()
        here = {seat.identity: seat.name for seat in state.seats}
        there = {} if before is None else {seat.identity: seat.name for seat in before.seats}
        for identity in here.keys() - there.keys():
            if before is not None:
                text = translate("Room", "{name} sits down")
                self._stage.announce(text.replace("{name}", isolated(here[identity])))
        for identity in there.keys() - here.keys():
            text = translate("Room", "{name} has left")
            self._stage.announce(text.replace("{name}", isolated(there[identity])))

    def _compare(self, before: LobbyState | None, state: LobbyState) -> None:
        """Tell people that the host has changed the rules or the number of seats."""
        if before is None or _offer(before) == _offer(state):
            if self._is_ready(state):
                self._news = ""
            return
        said = list(rules_news(before.ruleset, state.ruleset))
        if before.capacity != state.capacity:
            said.append(translate("Room", "%n seats", "", state.capacity))
        more = len(said) - MOST_NEWS
        if more > 0:
            said[MOST_NEWS:] = [translate("Room", "%n more changes", "", more)]
        what = "; ".join(said) or rules_title(state.ruleset.preset, changes(state.ruleset))
        if self.sitting is not None and self.sitting.hosts:
            text = translate(
                "Room", "The rules were changed: everybody is asked again whether they are ready."
            )
            self._stage.notice(text, of="room")
            return
        text = translate("Room", "The host changed the rules: {what}.")
        self._news = text.replace("{what}", what)
        # A click that was meant for what stood there before must not agree to this.
        self._reading.start()
        if self._stage.property("page") == "room":
            self._stage.announce(self._news, urgent=True)
        else:
            self._stage.notice(self._news, of="room")

    def _is_ready(self, state: LobbyState) -> bool:
        return any(seat.ready for seat in state.seats if seat.identity == self._me())

    def opened(self, place: Opened) -> None:
        """The door is open: how others come in."""
        self._place = place
        self._qr = []
        if place.links:
            code = segno.make(place.links[0], error="l")
            self._qr = [[bool(dark) for dark in row] for row in code.matrix]
        self.placeChanged.emit()

    def began(self, genesis: Genesis) -> None:
        """The game begins: the safety hand is known."""
        self.playing = True
        self._safety = [shown(-1, card) for card in safety_hand(genesis.table_id)]
        self.safetyChanged.emit()

    # ---- what is shown ----------------------------------------------------------------------

    def _again(self) -> None:
        state = self._state
        if state is None:
            return
        sitting = self.sitting
        me = None if sitting is None else sitting.identity
        mine = next((seat for seat in state.seats if seat.identity == me), None)
        hosting = sitting is not None and sitting.hosts
        playable = may_begin(state.ruleset, len(state.seats), state.capacity)
        # The host does not say "ready", but begins the game.
        others_ready = all(seat.ready for seat in state.seats if not self._is_host(seat))
        self.face = RoomFace(
            table_name=state.table,
            rules=summary(state.ruleset),
            rules_title=rules_title(state.ruleset.preset, changes(state.ruleset)),
            can_change=hosting and state.phase is LobbyPhase.OPEN,
            hosting=hosting,
            seated=mine is not None,
            capacity=state.capacity,
            taken=len(state.seats),
            ready=mine is not None and mine.ready,
            can_answer=not self._reading.isActive(),
            can_start=hosting and playable and others_ready and state.phase is LobbyPhase.OPEN,
            starting=state.phase is not LobbyPhase.OPEN,
            pairs=_in_pairs(state),
            pin=state.pin,
            watching=state.watching,
            status=self._status(state, playable=playable),
            seats=tuple(self._seat(state, place, me) for place in range(state.capacity)),
        )
        self._seats.show(self.face.seats)
        self.changed.emit()

    def _status(self, state: LobbyState, *, playable: bool) -> str:
        if state.phase is not LobbyPhase.OPEN:
            return translate("Room", "Everybody signs the players and the rules: the game begins.")
        if self._news:
            if not any(seat.identity == self._me() for seat in state.seats):
                return self._news
            again = translate("Room", "Say again that you are ready.")
            return self._stage.texts((self._news, again))
        free = state.capacity - len(state.seats)
        # The host does not say "ready", but begins the game.
        host = next((seat for seat in state.seats if self._is_host(seat)), None)
        waiting = sum(1 for seat in state.seats if not seat.ready and seat is not host)
        if free:
            text = translate(
                "Room", "%n seats are free; the game begins when all are taken", "", free
            )
            if playable:
                text = translate(
                    "Room",
                    "%n seats are free; the game begins when all are taken, or when the host"
                    " begins it",
                    "",
                    free,
                )
            return text
        if waiting:
            return translate("Room", "Waiting for %n players to be ready", "", waiting)
        if host is None or host.identity == self._me():
            return translate("Room", "Everybody is ready: you can begin.")
        text = translate("Room", "Everybody is ready: {name} can begin.")
        return text.replace("{name}", isolated(host.name))

    def _me(self) -> bytes | None:
        return None if self.sitting is None else self.sitting.identity

    def _seat(self, state: LobbyState, place: int, me: bytes | None) -> RoomSeat:
        half = state.capacity // 2
        team = place % half if _in_pairs(state) and state.capacity > 2 else -1
        if place >= len(state.seats):
            text = translate("Room", "Free seat")
            return RoomSeat(
                place, "", False, False, False, False, False, "", team, 0, False, False, text
            )
        seat = state.seats[place]
        seated = any(each.identity == me for each in state.seats)
        owner = "" if not seat.bot else _name_of(state, seat.owner)
        parts = [isolated(seat.name)]
        if seat.bot:
            parts.append(translate("Room", "bot"))
        parts.append(
            translate("Room", "ready") if seat.ready else translate("Room", "not ready yet")
        )
        return RoomSeat(
            seat=place,
            name=seat.name,
            taken=True,
            bot=seat.bot,
            me=seat.identity == me,
            host=self._is_host(seat),
            ready=seat.ready,
            owner=owner,
            team=team,
            avatar=avatars(state.seats)[seat.identity],
            muted=place in self._chat.property("muted"),
            can_sit=seated
            and seat.identity != me
            and state.phase is LobbyPhase.OPEN
            and (seat.bot or not seat.ready),
            accessible_name=", ".join(parts),
        )

    def _is_host(self, seat: LobbySeat) -> bool:
        return self.sitting is not None and seat.identity == self.sitting.host_identity

    # ---- what the user does -----------------------------------------------------------------

    def _ask(self, work: Callable[[Sitting], Coroutine[Any, Any, object]]) -> None:
        if self.sitting is not None:
            self._bridge.run(work(self.sitting))

    @Slot(bool)
    def setReady(self, ready: bool) -> None:
        """This player may begin, or not yet: for the rules that the window shows now."""
        if self._state is not None and not (ready and self._reading.isActive()):
            shown = _offer(self._state)
            self._ask(lambda sitting: sitting.ready(ready, shown))

    @Slot(int)
    def sit(self, seat: int) -> None:
        """Take this place in exchange for one's own, unless somebody is ready there."""
        if self._state is None or not 0 <= seat < len(self._state.seats):
            return
        there = self._state.seats[seat]
        if there.ready and not there.bot:
            text = translate("Room", "{name} is ready and keeps this seat.")
            self._stage.notice(text.replace("{name}", isolated(there.name)))
        else:
            self._ask(lambda sitting: sitting.take_seat(seat))

    @Slot(int)
    def kick(self, seat: int) -> None:
        """As host: send somebody away."""
        self._ask(lambda sitting: sitting.kick(seat))

    @Slot()
    def addBot(self) -> None:
        """As host: let another bot sit down."""
        self._ask(lambda sitting: sitting.add_bot())

    @Slot(int)
    def removeBot(self, seat: int) -> None:
        """As host: send a bot away."""
        self.kick(seat)

    @property
    def has_guests(self) -> bool:
        """Whether anybody but this player and bots is here."""
        return any(not (row.bot or row.me) for row in self.face.seats if row.taken) or bool(
            self.face.watching
        )

    @Slot(int, bool)
    def mute(self, seat: int, muted: bool) -> None:
        """Do not show what this seat says."""
        self._chat.setMuted(seat, muted)

    @Slot()
    def begin(self) -> None:
        """As host: begin with those who are here."""
        self._ask(lambda sitting: sitting.begin())

    @Slot(int)
    def moveUp(self, seat: int) -> None:
        """As host: this seat changes places with the one before it, so that partners can sit."""
        self._ask(lambda sitting: sitting.move_up(seat))

    @Slot()
    def copyLink(self) -> None:
        """To the clipboard."""
        QGuiApplication.clipboard().setText(self._get_link())
        self._stage.notice(translate("Room", "The link was copied."), "good")

    @Slot()
    def copyCode(self) -> None:
        """To the clipboard."""
        QGuiApplication.clipboard().setText(self._get_code())
        self._stage.notice(translate("Room", "The code was copied."), "good")

    @Slot()
    def leave(self) -> None:
        """Go, after asking where that sends others home."""
        self._stage.ask_to_leave(lambda: None)

    # ---- properties -------------------------------------------------------------------------

    def _get_seats(self) -> QObject:
        return self._seats

    def _get_link(self) -> str:
        return self._place.links[0] if self._place is not None and self._place.links else ""

    def _get_code(self) -> str:
        return self._place.codes[0] if self._place is not None and self._place.codes else ""

    def _get_qr(self) -> list[list[bool]]:
        return self._qr

    def _get_safety(self) -> list[dict[str, int]]:
        return self._safety

    def _get_safety_text(self) -> str:
        return translate(
            "Room",
            "Say these eight cards aloud: if everybody sees the same ones, nobody is pretending"
            " to be one of you.",
        )

    def _get_open_hands_text(self) -> str:
        return translate(
            "Room", "After each round all hands are shown, so that everybody can check the shuffle."
        )

    seats = Property(QObject, _get_seats, constant=True)
    link = Property(str, _get_link, notify=placeChanged)
    code = Property(str, _get_code, notify=placeChanged)
    qr = Property(list, _get_qr, notify=placeChanged)
    safetyHand = Property(list, _get_safety, notify=safetyChanged)
    safetyText = Property(str, _get_safety_text, notify=changed)
    openHandsText = Property(str, _get_open_hands_text, notify=changed)
    tableName = told(str, "table_name", changed)
    rulesTitle = told(str, "rules_title", changed)
    canChange = told(bool, "can_change", changed)
    canAnswer = told(bool, "can_answer", changed)
    rules = told(list, "rules", changed)
    hosting = told(bool, "hosting", changed)
    seated = told(bool, "seated", changed)
    capacity = told(int, "capacity", changed)
    taken = told(int, "taken", changed)
    ready = told(bool, "ready", changed)
    canStart = told(bool, "can_start", changed)
    starting = told(bool, "starting", changed)
    pairs = told(bool, "pairs", changed)
    pin = told(bool, "pin", changed)
    watching = told(int, "watching", changed)
    status = told(str, "status", changed)


def _offer(state: LobbyState) -> Offer:
    return state.ruleset, state.capacity


def _in_pairs(state: LobbyState) -> bool:
    """Whether who sits where decides about partners; in a tournament everybody is everybody's."""
    rules = state.ruleset
    whole = rules.format is Format.ROTATION and state.capacity == PLAYERS
    return rules.format in PAIRED and not whole


def _name_of(state: LobbyState, identity: bytes) -> str:
    return next((seat.name for seat in state.seats if seat.identity == identity), "")
