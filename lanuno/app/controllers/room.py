"""The waiting room, for the host and its guests: players, rules, links and codes."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from operator import attrgetter
from typing import Any, Final

from msgspec import Struct
from PySide6.QtCore import Property, QObject, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication

from lanuno.app.bridge import Bridge
from lanuno.app.controllers.chat import ChatController, Speaker
from lanuno.app.controllers.fields import view_properties
from lanuno.app.controllers.known_people import KnownPeopleController
from lanuno.app.controllers.navigator import Navigator
from lanuno.app.models.room_rows import RoomSeat
from lanuno.app.models.rows import Rows
from lanuno.app.move_texts import qml_card
from lanuno.app.setting_texts import rules_news, rules_title, summary
from lanuno.app.texts import filled, isolated, listed, sentence, texts, translate
from lanuno.client.requests import HostRequest, JoinRequest
from lanuno.client.room_changes import (
    OF_PEOPLE,
    OF_TERMS,
    RoomChange,
    length_text,
    room_changes,
    watching_text,
)
from lanuno.client.session import TableSession
from lanuno.client.snapshot import PAIRED
from lanuno.dealing.identity import fingerprint
from lanuno.log.format.genesis import (
    Genesis,
    Roster,
    SeatInfo,
    avatars,
    may_begin,
    safety_hand,
)
from lanuno.log.format.names import look_alike
from lanuno.net.transport.limits import remember
from lanuno.rules.match.tournament import is_tournament
from lanuno.rules.ruleset import Format
from lanuno.rules.ruleset_changes import changes
from lanuno.table.lobby.readiness import terms
from lanuno.table.messages import LobbyPhase, LobbySeat, LobbyState

COMPARING_SECONDS: Final = 8.0
"""How long the safety hand is shown at least before the table, unless a click goes on."""
ANSWER_DELAY_MS: Final = 1000
"""How long a changed room has to be visible before a click on "ready" or "begin" agrees to it."""
MOST_NAMES: Final = 64
"""Names of players whose keys are remembered while this player is in the room."""
MOST_NEWS: Final = 3
"""Limit for the changes that are named; one click shows all rules."""


class RoomView(Struct, frozen=True, kw_only=True):
    """The values of one moment. Those that are not rows are properties for QML."""

    table_name: str = ""
    rules: tuple[str, ...] = ()
    rules_title: str = ""
    can_change: bool = False
    can_add_bots: bool = False
    hosting: bool = False
    seated: bool = False
    capacity: int = 0
    taken: int = 0
    ready: bool = False
    awaiting: bool = False
    can_answer: bool = False
    can_start: bool = False
    starting: bool = False
    pairs: bool = False
    pin: bool = False
    watching: int = 0
    status: str = ""
    rounds: str = ""
    spectators: str = ""
    seats: tuple[RoomSeat, ...] = ()


class RoomController(QObject):
    """The waiting room, for QML.

      tableName, rules [str], rulesTitle (the preset, and the number of changes), canChange (as
      host: the rules), canAddBots, canAnswer (whether a click on "ready" counts now), hosting,
      seated, capacity, taken, ready (this player), awaiting (whether the match before begins again
      by itself once everybody is back), canStart, starting, pin (bool), watching (int: number of
      spectators), status (also what has changed since this player was ready), pairs (bool: partners
      sit opposite each other), rounds (how long the match lasts), spectators (who may watch)
      seats: Rows of RoomSeat, one for every place, including empty ones
      link, code: str; qr: rows of truth values, one for each line of modules
      safetyHand [{slot, colour, rank}] ([] before the table begins), safetyText, openHandsText
      comparing: whether the room still shows the safety hand, while the cards are dealt already
    Slots: setReady(bool), sit(seat) (exchange places, if `canSit`), addBot(), begin(), moveUp(key),
      copyLink(), copyCode(), goOn() (to the table: the safety hand was compared)
    """

    changed = Signal()
    placeChanged = Signal()
    safetyChanged = Signal()
    comparingChanged = Signal()
    compared = Signal()
    """The safety hand was shown for long enough, so the table may be shown."""

    def __init__(
        self,
        navigator: Navigator,
        bridge: Bridge,
        chat: ChatController,
        known_people: KnownPeopleController,
    ) -> None:
        """Begin with an empty room."""
        super().__init__(navigator)
        self._navigator = navigator
        self._bridge = bridge
        self._chat = chat
        self._known_people = known_people
        self.view = RoomView()
        self.session: TableSession | None = None
        """The session of this room."""
        self.playing = False
        """Whether the game has begun."""
        self._seats = Rows(RoomSeat, "seat", self)
        self.state: LobbyState | None = None
        """The newest state of the waiting room."""
        self._link = self._code = ""
        self._qr: list[list[bool]] = []
        self._safety: list[dict[str, int]] = []
        self._agreed: LobbyState | Roster | None = None
        """The room for which this player was ready last, or the match before a rematch."""
        self._first: LobbyState | None = None
        self._keys: dict[str, bytes] = {}
        """The first key that was shown with each name of a person, also of those who left."""
        self._ready_timer = QTimer(self)
        self._ready_timer.setSingleShot(True)
        self._ready_timer.setInterval(ANSWER_DELAY_MS)
        self._ready_timer.timeout.connect(self._refresh)
        self._comparing = self._has_cards = False
        self.comparing_seconds = COMPARING_SECONDS
        """How long the safety hand is shown at least; 0: not at all."""
        self._comparing_timer = QTimer(self)
        self._comparing_timer.setSingleShot(True)
        self._comparing_timer.timeout.connect(self._go_on_with_cards)
        navigator.retranslated.connect(self._refresh)
        chat.changed.connect(self._refresh)
        known_people.changed.connect(self._refresh)

    def clear(self) -> None:
        """Forget everything, because another table begins."""
        self.state = self.session = self._agreed = self._first = None
        self._keys = {}
        self._link = self._code = ""
        self.playing = False
        self._qr, self._safety = [], []
        self._ready_timer.stop()
        self.stop_comparing()
        self.view = RoomView()
        self._seats.show([])
        for signal in (self.changed, self.placeChanged, self.safetyChanged):
            signal.emit()

    def show(self, state: LobbyState) -> None:
        """Show the newest state of the waiting room."""
        before, self.state = self.state, state
        self._chat.set_speakers(
            [Speaker(seat.identity, seat.name, seat.bot) for seat in state.seats]
        )
        self._chat.set_hosting(self.session is not None and self.session.hosts, state.spectators)
        if before is None:
            self._first = state
            request = None if self.session is None else self.session.request
            if isinstance(request, HostRequest | JoinRequest):
                self._agreed = request.expected
                self._remember_keys(() if self._agreed is None else self._agreed.seats)
        self._remember_keys(state.seats)
        mine = self._my_seat(state)
        if mine is not None and mine.ready:
            self._agreed = state
        self._refresh()
        if before is not None and terms(before) != terms(state):
            self._announce_changes(before, state)

    def _announce_changes(self, before: LobbyState, state: LobbyState) -> None:
        """Say what has changed. A click that was meant for the room before must not agree to it."""
        hosting = self.session is not None and self.session.hosts
        by_host = self._changes_by_host(before, state)
        people = [each for each in room_changes(before, state) if each.id not in OF_TERMS]
        for each in people:
            if each.id == "room.key":
                continue  # it is the warning of the seat
            said, quiet = each.words(texts()), each.id in OF_PEOPLE
            self._navigator.announce(sentence(said), urgent=not quiet)
        there = {(seat.name, seat.identity) for seat in before.seats}
        new = [seat for seat in state.seats if (seat.name, seat.identity) not in there]
        for warning in filter(None, [self._warning(state, seat) for seat in new]):
            self._navigator.announce(warning, urgent=True)
        self._ready_timer.start()
        self._refresh()
        if hosting:
            if by_host:
                text = translate("Room", "The rules were changed: everybody has to be ready again.")
                self._navigator.notice(text, of="room")
            return
        if by_host and self._navigator.property("page") == "room":
            self._navigator.announce(by_host, urgent=True)
        elif by_host:
            self._navigator.notice(by_host, of="room")

    def _changes_by_host(self, before: LobbyState | Roster, state: LobbyState) -> str:
        """Return what the host has changed, in a sentence; "" for nothing."""
        said = list(rules_news(before.ruleset, state.ruleset))
        said += [each.words(texts()) for each in room_changes(before, state) if each.id in OF_TERMS]
        more = len(said) - MOST_NEWS
        if more > 0:
            said[MOST_NEWS:] = [translate("Room", "%n more changes", "", more)]
        if not said and before.ruleset != state.ruleset:
            said = [rules_title(state.ruleset.preset, changes(state.ruleset))]
        if not said:
            return ""
        text = translate("Room", "The host changed the rules: {what}.")
        return filled(text, what="; ".join(said))

    def _news(self, state: LobbyState) -> str:
        """Return what has changed since this player was ready, or was at the match before."""
        before = self._agreed or self._first
        if before is None:
            return ""
        by_host = self._changes_by_host(before, state)
        if self._agreed is None:
            # A player who has not been ready yet sees the people anyway, and the host its changes.
            return "" if self.session is not None and self.session.hosts else by_host
        people = [each for each in room_changes(before, state) if each.id not in OF_TERMS]
        said = [sentence(each.words(texts())) + "." for each in people]
        more = len(said) - MOST_NEWS
        if more > 0:
            said[MOST_NEWS:] = [sentence(translate("Room", "%n more changes", "", more)) + "."]
        news = " ".join([*said, by_host] if by_host else said)
        if news and isinstance(self._agreed, Roster):
            return f"{translate('Room', 'Not as in the match before:')} {news}"
        return news

    def set_invitation(self, links: tuple[str, ...], codes: tuple[str, ...]) -> None:
        """Show the first link, the first code, and the link as a QR code."""
        self._link, self._code = next(iter(links), ""), next(iter(codes), "")
        self._qr = []
        if links:
            import segno  # only a host's room shows a QR code

            modules = segno.make(self._link, error="l").matrix
            self._qr = [[bool(dark) for dark in row] for row in modules]
        self.placeChanged.emit()

    def begin_table(self, genesis: Genesis) -> None:
        """Begin the game: the safety hand is known now."""
        self.playing = True
        self._safety = [qml_card(-1, card) for card in safety_hand(genesis.compared_id)]
        self.safetyChanged.emit()

    # ---- comparing the safety hand ----------------------------------------------------------

    def compare(self, people: int) -> bool:
        """Show the safety hand in the room until the first card is dealt; False: not here.

        `people`: how many have signed the roster; one alone has nobody to compare with.
        """
        in_room = self._navigator.property("page") == "room"
        if people > 1 and in_room and self.comparing_seconds > 0:
            self._comparing, self._has_cards = True, False
            self._comparing_timer.start(round(self.comparing_seconds * 1000))
            self.comparingChanged.emit()
        return self._comparing

    def cards_dealt(self) -> None:
        """Note that the first card is dealt, so that the table has something to show."""
        self._has_cards = True
        self._go_on_with_cards()

    def _go_on_with_cards(self) -> None:
        if self._has_cards and not self._comparing_timer.isActive():
            self.goOn()

    @Slot()
    def goOn(self) -> None:
        """Show the table now."""
        if self._comparing:
            self.stop_comparing()
            self.compared.emit()

    def stop_comparing(self) -> None:
        """Show the safety hand no more."""
        self._comparing_timer.stop()
        if self._comparing:
            self._comparing = False
            self.comparingChanged.emit()

    # ---- what is shown ----------------------------------------------------------------------

    def _refresh(self) -> None:
        state = self.state
        if state is None:
            return
        mine = self._my_seat(state)
        hosting = self.session is not None and self.session.hosts
        playable = may_begin(state.ruleset, len(state.seats), state.capacity)
        # The host begins the game instead of saying "ready".
        others_ready = all(seat.ready for seat in state.seats if not self._is_host(seat))
        can_answer = not self._ready_timer.isActive()
        self.view = RoomView(
            table_name=state.table,
            rules=summary(state.ruleset, state.capacity, state.rounds),
            rules_title=rules_title(state.ruleset.preset, changes(state.ruleset)),
            can_change=hosting and state.phase is LobbyPhase.OPEN,
            can_add_bots=hosting and state.ruleset.format is not Format.ROTATION,
            hosting=hosting,
            seated=mine is not None,
            capacity=state.capacity,
            taken=len(state.seats),
            ready=mine is not None and mine.ready,
            awaiting=bool(self._awaited(state)),
            can_answer=can_answer,
            can_start=hosting
            and playable
            and others_ready
            and can_answer
            and state.phase is LobbyPhase.OPEN,
            starting=state.phase is not LobbyPhase.OPEN,
            pairs=_in_pairs(state),
            pin=state.pin,
            watching=state.watching,
            status=self._status(state, playable=playable, others_ready=others_ready),
            rounds=sentence(length_text(state).words(texts())) + ".",
            spectators=sentence(watching_text(allowed=state.spectators).words(texts())) + ".",
            seats=tuple(self._seat(state, place) for place in range(state.capacity)),
        )
        self._seats.show(self.view.seats)
        self.changed.emit()

    def _status(self, state: LobbyState, *, playable: bool, others_ready: bool) -> str:
        if state.phase is not LobbyPhase.OPEN:
            return translate("Room", "Everybody signs the players and the rules: the game begins.")
        awaited = self._awaited(state)
        if awaited:
            text = translate(
                "Room",
                "{names} are missing. Once everybody is back, the same match begins by itself.",
                "",
                len(awaited),
            )
            text = filled(text, names=listed([isolated(name) for name in awaited]))
            without = self._without_waiting(others_ready=others_ready) if playable else ""
            return f"{text} {without}".strip()
        news, mine = self._news(state), self._my_seat(state)
        if mine is not None and not self._is_host(mine):
            again = translate("Room", "Say again that you are ready.")
            return f"{news} {again}" if news else self._who_is_awaited(state, playable=playable)
        return f"{news} {self._who_is_awaited(state, playable=playable)}".strip()

    def _without_waiting(self, *, others_ready: bool) -> str:
        """Return what this player can do to play without those who are missing."""
        if self.session is None or not self.session.hosts:
            return translate("Room", "Choose “Play now” if you do not want to wait.")
        if others_ready:
            return translate("Room", "You can also begin now.")
        return translate(
            "Room", "You can also begin as soon as the others do not want to wait either."
        )

    def _awaited(self, state: LobbyState) -> list[str]:
        """Return who is missing for a rematch, if nothing else differs from the match before."""
        if not isinstance(self._agreed, Roster) or self._changes_by_host(self._agreed, state):
            return []
        found = room_changes(self._agreed, state)
        missing = [each.values["name"] for each in found if each.id == "room.left"]
        return missing if len(missing) == len(found) else []

    def _who_is_awaited(self, state: LobbyState, *, playable: bool) -> str:
        free = state.capacity - len(state.seats)
        # The host begins the game instead of saying "ready".
        host = next((seat for seat in state.seats if self._is_host(seat)), None)
        waiting = sum(1 for seat in state.seats if not seat.ready and seat is not host)
        if free and not (playable and waiting):
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
        if host is None or host == self._my_seat(state):
            return translate("Room", "Everybody is ready: you can begin.")
        text = translate("Room", "Everybody is ready: {name} can begin.")
        return filled(text, name=isolated(host.name))

    def _my_seat(self, state: LobbyState) -> LobbySeat | None:
        me = None if self.session is None else self.session.identity
        return next((seat for seat in state.seats if seat.identity == me), None)

    def _seat(self, state: LobbyState, place: int) -> RoomSeat:
        team = _team(state, place)
        if place >= len(state.seats):
            return RoomSeat(seat=place, team=team, accessible_name=translate("Room", "Free seat"))
        seat, mine = state.seats[place], self._my_seat(state)
        # A player of the match before waits for the others, and needs no other click.
        back = not seat.ready and bool(self._awaited(state))
        parts = [isolated(seat.name)]
        if seat.bot:
            parts.append(translate("Room", "bot"))
        if seat.slow_clock:
            parts.append(translate("Room", "twice the time"))
        if self._is_host(seat):
            # It begins the game instead of saying "ready".
            parts.append(translate("Room", "host"))
        elif seat.ready:
            parts.append(translate("Room", "ready"))
        elif back:
            parts.append(translate("Room", "is back"))
        else:
            parts.append(translate("Room", "not ready yet"))
        warning = self._warning(state, seat)
        if warning:
            parts.append(warning)
        return RoomSeat(
            seat=place,
            key=seat.identity.hex(),
            name=seat.name,
            taken=True,
            bot=seat.bot,
            me=seat == mine,
            host=self._is_host(seat),
            ready=seat.ready,
            back=back,
            slow=seat.slow_clock,
            owner=_name_of(state, seat.owner) if seat.bot else "",
            team=team,
            avatar=avatars(state.seats)[seat.identity],
            muted=place in self._chat.property("muted"),
            warning=warning,
            can_sit=mine is not None
            and seat != mine
            and state.phase is LobbyPhase.OPEN
            and (seat.bot or not seat.ready),
            accessible_name=", ".join(parts),
        )

    def _remember_keys(self, seats: Iterable[SeatInfo | LobbySeat]) -> None:
        for seat in seats:
            if not seat.bot and self._key_of(seat.name) is None:
                remember(self._keys, seat.name, seat.identity, MOST_NAMES)

    def _key_of(self, name: str) -> bytes | None:
        """Return the first key that was shown with this name, or with one that looks like it."""
        return next((key for each, key in self._keys.items() if look_alike(each, name)), None)

    def _warning(self, state: LobbyState, seat: LobbySeat) -> str:
        if seat.bot:
            return ""
        key = fingerprint(seat.identity)
        known = self._known_people
        if self._is_host(seat):
            warning = known.table_warning(state.table, seat.name, key)
        else:
            warning = known.person_warning(seat.name, key)
        if not warning and self._key_of(seat.name) not in (None, seat.identity):
            warning = sentence(RoomChange("room.key", {"name": seat.name}).words(texts())) + "."
        return warning

    def _is_host(self, seat: LobbySeat) -> bool:
        return self.session is not None and seat.identity == self.session.host_identity

    # ---- the user's actions -----------------------------------------------------------------

    def _run_on_session(self, work: Callable[[TableSession], Coroutine[Any, Any, object]]) -> None:
        if self.session is not None:
            self._bridge.run(work(self.session))

    @Slot(bool)
    def setReady(self, ready: bool) -> None:
        """Set whether this player is ready to play by the rules that the window shows now."""
        shown = self.state
        if shown is not None and not (ready and self._ready_timer.isActive()):
            if ready:
                # The next state may show another room already: it is news against this one.
                self._agreed = shown
            self._run_on_session(lambda session: session.ready(ready, shown))

    @Slot(int)
    def sit(self, seat: int) -> None:
        """Exchange seats with the player or bot of this seat, unless that player is ready."""
        if self.state is None or not 0 <= seat < len(self.state.seats):
            return
        there = self.state.seats[seat]
        if there.ready and not there.bot:
            text = translate("Room", "{name} is ready and keeps this seat.")
            self._navigator.notice(filled(text, name=isolated(there.name)))
        else:
            self._run_on_session(lambda session: session.take_seat(seat))

    @Slot()
    def addBot(self) -> None:
        """As host: add a bot."""
        self._run_on_session(lambda session: session.add_bot())

    @property
    def has_guests(self) -> bool:
        """Whether anybody except this player and bots is here, including spectators."""
        others = any(not (row.bot or row.me) for row in self.view.seats if row.taken)
        return others or self.view.watching > 0

    @Slot()
    def begin(self) -> None:
        """As host: begin with the players that the window shows now."""
        shown = self.state
        if not self._ready_timer.isActive():
            self._run_on_session(lambda session: session.begin(shown))

    @Slot(str)
    def moveUp(self, key: str) -> None:
        """As host: exchange the seat of this key with the one before it, to choose the partners."""
        self._run_on_session(lambda session: session.move_up(bytes.fromhex(key)))

    @Slot()
    def copyLink(self) -> None:
        """Copy the link to the clipboard."""
        QGuiApplication.clipboard().setText(self._link)
        self._navigator.notice(translate("Room", "The link was copied."), "good")

    @Slot()
    def copyCode(self) -> None:
        """Copy the code to the clipboard."""
        QGuiApplication.clipboard().setText(self._code)
        self._navigator.notice(translate("Room", "The code was copied."), "good")

    # ---- properties -------------------------------------------------------------------------

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

    # A property for each field of RoomView that is not rows, such as `some_field` as `someField`.
    vars().update(view_properties(RoomView, changed))
    seats = Property(QObject, attrgetter("_seats"), constant=True)
    link = Property(str, attrgetter("_link"), notify=placeChanged)
    code = Property(str, attrgetter("_code"), notify=placeChanged)
    qr = Property(list, attrgetter("_qr"), notify=placeChanged)
    safetyHand = Property(list, attrgetter("_safety"), notify=safetyChanged)
    comparing = Property(bool, attrgetter("_comparing"), notify=comparingChanged)
    safetyText = Property(str, _get_safety_text, notify=changed)
    openHandsText = Property(str, _get_open_hands_text, notify=changed)


def _in_pairs(state: LobbyState) -> bool:
    """Whether the seats decide who are partners; not in a tournament, where all partner all."""
    return state.ruleset.format in PAIRED and not is_tournament(state.ruleset, state.capacity)


def _team(state: LobbyState, place: int) -> int:
    """Return the pair of a place; -1 for none. Who sits there now decides, if that can begin."""
    playable = may_begin(state.ruleset, len(state.seats), state.capacity)
    players = len(state.seats) if playable else state.capacity
    return place % (players // 2) if _in_pairs(state) and place < players > 2 else -1


def _name_of(state: LobbyState, identity: bytes) -> str:
    return next((seat.name for seat in state.seats if seat.identity == identity), "")
