"""Starts a session at a table, passes its events to the screens' controllers, and ends it.

One session at a time. Its events decide which screen is shown; the controller of a screen decides
what the screen shows.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from lanuno.app.bridge import Bridge
from lanuno.app.controllers.chat import ChatController, Speaker
from lanuno.app.controllers.navigator import Navigator
from lanuno.app.controllers.result import ResultController
from lanuno.app.controllers.room import RoomController
from lanuno.app.controllers.settings import SettingsController
from lanuno.app.controllers.table import TableController
from lanuno.app.leave_texts import question_at_table
from lanuno.app.problem_texts import lobby_refusal, net_problem, store_problem
from lanuno.app.texts import filled, isolated, listed, sentence, texts, translate
from lanuno.bots.pace import BotPace
from lanuno.client.events import (
    HostReached,
    LobbyOpened,
    SessionEvent,
    SessionNotice,
    TableUpdated,
    TournamentBegan,
    TournamentStanding,
)
from lanuno.client.rematch import rematch_plans
from lanuno.client.requests import HostRequest, JoinRequest
from lanuno.client.session import SessionResult, TableSession
from lanuno.client.snapshot import TableSnapshot, has_cards
from lanuno.log.format.genesis import Genesis
from lanuno.net.discovery.invitations import invitations_to
from lanuno.net.errors import NetError
from lanuno.net.runtime.endings import TableEnding
from lanuno.net.runtime.records import TraceRecords
from lanuno.net.transport.adapters import LOOPBACK_NAMES
from lanuno.net.transport.addresses import parse_address
from lanuno.net.transport.listener import DEFAULT_PORT
from lanuno.rules.engine.actions import Action
from lanuno.store.errors import StoreError
from lanuno.table.leave_effect import LeaveEffect
from lanuno.table.messages import LobbyRefusal, LobbyState
from lanuno.table.outputs import (
    ActionRefused,
    ChatReceived,
    NodeStopped,
    ReactionSeen,
    RematchChanged,
    SpectatorsChanged,
    TableBegan,
)

_log = logging.getLogger(__name__)

MOST_UPDATES: Final = 32
"""Values that wait for a window before updates with events are merged. Until then each is shown."""


def merge_events(earlier: SessionEvent, later: SessionEvent, waiting: int) -> SessionEvent | None:
    """Return the event that stands for two that wait for the window; None if both are needed.

    A host decides how many come. Of the states of a waiting room only the newest matters, and of
    the updates of a table the newest snapshot with all that happened.
    """
    match earlier, later:
        case LobbyState(), LobbyState():
            return later
        case TableUpdated(), TableUpdated() if not later.happened or waiting > MOST_UPDATES:
            return replace(later, happened=earlier.happened + later.happened)
        case _:
            return None


class Screens(Struct, frozen=True):
    """The controllers that show a table."""

    room: RoomController
    table: TableController
    result: ResultController
    chat: ChatController


class SessionProblem(Struct, frozen=True):
    """Why a session could not start or continue."""

    text: str
    """The reason in words, for the user."""
    refusal: LobbyRefusal | None = None
    reached: HostReached | None = None
    """The host that refused."""
    unreached: bool = False
    """Whether no table answered."""


SessionFactory = Callable[[Callable[[SessionEvent], None]], TableSession]
"""Makes a session, given the function that receives its events."""


class SessionOptions(Struct, frozen=True, kw_only=True):
    """How a session is started and shown."""

    page: str | None = None
    """The page to show immediately; None: stay until there is something to show."""
    again: Callable[[], None] | None = None
    """Starts the same game once more."""
    alone: bool = False
    """Whether no other person is at the table."""
    watching: bool = False
    port: int = DEFAULT_PORT
    """The other computer's port, for messages."""
    on_problem: Callable[[SessionProblem], None] | None = None
    """Called instead of a notice if the session fails before there is something to show."""
    on_abandoned: Callable[[], None] | None = None
    """Called if the session is cancelled before it has begun."""
    tournament: bool = False
    rematch: bool = False
    """Whether the same people play again, so that their chat stays."""


class SessionController(QObject):
    """Runs one session at a time."""

    busyChanged = Signal()
    """A session has begun or ended."""
    arrived = Signal()
    """A waiting room or a table was entered."""
    reached = Signal(object, str)
    """A host was reached (`HostReached`), and its player's name."""
    ended = Signal(object)
    """The session has ended: its transcript (`Path`), or None if there was no game."""

    def __init__(
        self, navigator: Navigator, settings: SettingsController, bridge: Bridge, screens: Screens
    ) -> None:
        """Begin without a session."""
        super().__init__(navigator)
        self._navigator = navigator
        self._settings = settings
        self._bridge = bridge
        self._screens = screens
        self.session: TableSession | None = None
        """The present session."""
        self._options = SessionOptions()
        self._rematch_plans: list[HostRequest | JoinRequest] = []
        """The requests by which this computer hosts or joins a rematch, in the order to try."""
        self._rematch_state: RematchChanged | None = None
        """The state of the rematch that was received last."""
        self._wants_rematch = False
        """Whether this player has asked for a rematch, and waits to learn who opens the table."""
        self._host_reached: HostReached | None = None
        self._snapshot: TableSnapshot | None = None
        self._entered = False
        self._leaving = False
        self._next_action: Callable[[], None] | None = None
        """Starts the next session once the present one has ended."""
        self._next_abandoned: Callable[[], None] | None = None
        """Called if that session is cancelled before it starts."""
        self._over = False
        self.ended_tables: set[bytes] = set()
        """The ids of the tables that have ended here since the start of the program."""
        self._leave_effect: tuple[LeaveEffect | None] | None = None
        """What leaving means now, while the navigator rechecks its question."""
        self._is_asking = self._asks_again = False
        """Whether the table is being asked what leaving means, and has to be asked again."""
        self.transcript: Path | None = None
        """The transcript of the last game that ended here."""
        self.bot_pace: BotPace | None = None
        """The speed of bots, if it differs from the setting."""
        self.trace: TraceRecords | None = None
        """Receives traces of the nodes of all sessions. None: no traces."""
        screens.table.acted.connect(self._act)
        screens.table.claimed.connect(self._claim)
        screens.room.compared.connect(self._show_table)
        screens.result.rematchWanted.connect(self._rematch)
        screens.result.score_shown.connect(self._read_score)
        settings.botSpeedChanged.connect(self._let_bots_play)
        navigator.leaving.connect(self.leave)
        navigator.set_leave_question(self._question, self._may_bot_play)
        navigator.bot_wanted.connect(partial(self._let_bot_play, True))
        screens.table.takenOver.connect(partial(self._let_bot_play, False))

    @property
    def is_playing(self) -> bool:
        """Whether a match is played or prepared that leaving now would harm."""
        return self.session is not None and not self._leaving and not self._over

    @property
    def game_file(self) -> Path | None:
        """The transcript of the present game, or else of the last one."""
        if self._snapshot is None:
            return self.transcript
        return self._navigator.home_folders.transcript(self._snapshot.table)

    def start_session(self, make: SessionFactory, options: SessionOptions) -> None:
        """Start a session. While the present one is being left, wait until it has ended."""
        if self.session is not None and self._over and not self._leaving:
            # The match is over, and this session only waited for a rematch.
            self._leave_session(self.session)
        if self.session is None:
            self._start(make, options)
        elif self._leaving:
            self._set_next(partial(self._start, make, options), options.on_abandoned)
        else:
            text = translate("Playing", "You are already at a table: leave it first.")
            self._show_problem(SessionProblem(text), options)

    def _leave_session(self, session: TableSession) -> None:
        self._leaving = True
        self._bridge.run(session.leave())

    def _start(self, make: SessionFactory, options: SessionOptions) -> None:
        self._options, self._host_reached, self._snapshot = options, None, None
        self._entered = self._leaving = self._over = False
        self._is_asking = self._asks_again = False
        session: list[TableSession] = []

        def receive(event: SessionEvent) -> None:
            # Late events of a session that was left are dropped.
            if session and session[0] is self.session and not self._leaving:
                self._receive(event)

        made = make(self._bridge.back(receive, merge_events))
        made.bot_pace = self.bot_pace or self._settings.bot_pace
        made.trace = self.trace
        session.append(made)
        self.session = made
        if options.page is not None:
            # Before the other thread has work, because both compete for the interpreter.
            self._enter_table()
            self._navigator.reset_to(options.page)
        self._bridge.run(made.run(), self._session_ended, self._session_failed)
        self.busyChanged.emit()

    def _enter_table(self) -> None:
        """Clear the screens of the previous table, because this one has something to show."""
        if self._entered:
            return
        self._entered = True
        self._rematch_plans, self._rematch_state, self._wants_rematch = [], None, False
        self._screens.table.clear()
        self._screens.result.clear()
        if self._options.rematch:
            self._screens.chat.start_rematch()
        else:
            self._screens.chat.clear()
        self._screens.room.clear()
        self._screens.room.session = self._screens.chat.session = self.session
        self._screens.chat.my_name = self._settings.property("playerName")
        self._navigator.dismiss_all()
        self.arrived.emit()

    def _clear_table(self) -> None:
        """Clear the table's screens but keep the chat: the same people are at another table."""
        self._snapshot, self._over = None, False
        self._screens.table.clear()
        self._screens.result.clear()

    # ---- events of the session --------------------------------------------------------------

    def _receive(self, event: SessionEvent) -> None:
        match event:
            case LobbyState():
                self._show_lobby(event)
            case TournamentBegan():
                self._begin_tournament()
            case TournamentStanding():
                self._screens.result.show_standing(event)
                if (event.broken or event.winners) and not self._over:
                    # This event is received twice; only the first one may change the page.
                    self._mark_over()
                    self._screens.result.open_soon(from_anywhere=True)
            case TableBegan():
                self._begin(event.genesis)
            case TableUpdated():
                self._update_table(event)
            case ChatReceived() | ReactionSeen() | SpectatorsChanged():
                self._receive_chat(event)
            case ActionRefused():
                # The detail is text from the host, so the user does not see it.
                _log.info("refused by the host: %s %r", event.refusal, event.detail)
                self._screens.table.refused(
                    translate("Playing", "Too late: the game has moved on.")
                )
            case NodeStopped():
                self._session_stopped(event)
            case SessionNotice():
                said = texts()(event.id, **event.values)
                self._navigator.notice(sentence(said) + ".", "error")
            case LobbyOpened():
                self._lobby_opened(event)
            case HostReached():
                self._host_reached = event
            case RematchChanged():
                self._receive_rematch(event)

    def _lobby_opened(self, event: LobbyOpened) -> None:
        self._screens.room.set_invitation(event.links, event.codes)
        if event.multicast_fault is not None and not self._options.alone:
            self._navigator.notice(net_problem(event.multicast_fault))

    def _begin_tournament(self) -> None:
        """Prepare for the tables of a tournament. The first of them clears the screens."""
        # Later failures do not concern the page that led here.
        self._options = replace(self._options, tournament=True, on_problem=None)
        self._host_reached = self._snapshot = None
        self._entered = self._over = False
        self._navigator.recheck_question()

    def _receive_chat(self, event: ChatReceived | ReactionSeen | SpectatorsChanged) -> None:
        """Pass on events that are not part of the game."""
        chat = self._screens.chat
        if isinstance(event, ChatReceived):
            chat.add_line(event)
        elif isinstance(event, SpectatorsChanged):
            chat.set_spectators(() if self._options.tournament else event.spectators)
        elif self._settings.values.reactions:
            chat.show_reaction(event)

    def _show_lobby(self, state: LobbyState) -> None:
        first = not self._entered
        self._enter_table()
        if first:
            self._invite()
        self._screens.room.show(state)
        self._identify_host({seat.identity: seat.name for seat in state.seats})
        if first and not self._options.alone:
            # Only once: a player who reads the rules stays there when other players arrive.
            self._navigator.reset_to("room")

    def _invite(self) -> None:
        """Let a guest invite people by the address that led here, which contains no PIN."""
        place, adapter = self._host_reached, self._settings.values.adapter
        if place is None:
            return
        address = parse_address(place.address)
        if address is None:
            return
        # A loopback address is useless to others, unless only loopback is searched.
        if not address.is_loopback or (adapter is not None and adapter in LOOPBACK_NAMES):
            way = (place.address, place.port, place.context, place.fingerprint)
            self._screens.room.set_invitation(*invitations_to(*way))

    def _begin(self, genesis: Genesis) -> None:
        if self._screens.room.playing and self._entered:
            self._clear_table()
        self._enter_table()
        seats = genesis.read().seats
        self._identify_host({seat.identity: seat.name for seat in seats})
        speakers = [Speaker(seat.identity, seat.name, seat.bot) for seat in seats]
        self._screens.chat.set_speakers(speakers)
        self._screens.room.begin_table(genesis)
        # The question about closing a waiting room does not apply to a game.
        self._navigator.recheck_question()
        if not self._screens.room.compare(sum(not seat.bot for seat in seats)):
            self._show_table()

    def _show_table(self) -> None:
        # A page that is shown already is not loaded again.
        if self._navigator.property("page") != "table":
            self._navigator.reset_to("table")

    def _identify_host(self, names: dict[bytes, str]) -> None:
        place = self._host_reached
        if place is not None and place.identity in names:
            self._host_reached = None
            self.reached.emit(place, names[place.identity])

    def _update_table(self, update: TableUpdated) -> None:
        snapshot = self._snapshot = update.snapshot
        self._screens.chat.mine = snapshot.mine
        if not self._screens.chat.speakers:
            # At a resumed table no player can change seats, so names identify the players.
            known = [Speaker(each.name.encode(), each.name, each.bot) for each in snapshot.people]
            self._screens.chat.set_speakers(known)
        tournament = self._options.tournament
        self._screens.chat.set_hosting(snapshot.hosting and not tournament)
        self._screens.table.receive(update)
        self._screens.result.receive(update)
        if has_cards(snapshot):
            self._screens.room.cards_dealt()
        # The host may have changed, or two of three players may be left.
        self._navigator.recheck_question()
        if snapshot.over and not self._over and not tournament:
            self.ended_tables.add(snapshot.table)
            self._mark_over()
            self._screens.table.let_bot_play(False)
            self._offer_rematch()
            self._screens.result.open_soon()

    def _mark_over(self) -> None:
        """Note that the match is over, so that leaving needs no question."""
        self._over = True
        self._navigator.recheck_question()

    def _session_stopped(self, halted: NodeStopped) -> None:
        if halted.given_up:
            text = translate(
                "Playing",
                "The other players continued without a part of the game for which this computer "
                "had already published keys. The game was stopped here, so that nobody can read "
                "your cards. Both versions are kept.",
            )
            self._navigator.notice(text, "error")
            return
        text = translate(
            "Playing",
            "The game was stopped: the host sent something that breaks the rules. The"
            " evidence was kept: {why}",
        )
        self._navigator.notice(filled(text, why=halted.blame.detail), "error")

    # ---- the end ----------------------------------------------------------------------------

    def _session_ended(self, left: SessionResult) -> None:
        # A player who leaves just as the match ends still wants to leave.
        asked = left.leave_requested or self._leaving
        self._close_session()
        self.transcript = left.transcript or self.transcript
        if left.refusal is not None and not asked:
            text = lobby_refusal(left.refusal)
            self._show_problem(SessionProblem(text, left.refusal, self._host_reached))
        elif left.ending is TableEnding.LOST and not asked:
            self._show_problem(SessionProblem(_lost(watching=self._options.watching)))
        self.ended.emit(left.transcript)
        if self._rematch_plans and not asked:
            # Nobody has asked for a rematch in time; the previous host may still open a table.
            self._screens.result.show_invitation("")
            self._screens.result.show_waiting("")
            self._screens.result.allow_rematch(True)
        self._run_next()
        result = self._navigator.property("page") == "result" or self._screens.result.opening_soon
        if asked or not result:
            self._go_home()

    def _session_failed(self, error: Exception) -> None:
        self._close_session()
        if isinstance(error, NetError):
            _log.info("the table failed: %s", error)
            text = net_problem(error.fault, self._options.port)
            self._show_problem(SessionProblem(text, unreached=True))
        elif isinstance(error, StoreError):
            _log.warning("the table failed: %s", error)
            self._show_problem(SessionProblem(store_problem(error)))
        else:
            self._bridge.failed.emit(error)
        self.ended.emit(None)
        self._run_next()
        self._go_home()

    def _close_session(self) -> None:
        self.session = None
        self._screens.room.stop_comparing()
        self._navigator.recheck_question()
        self.busyChanged.emit()

    def _run_next(self) -> None:
        """Start the next session, if one is wanted."""
        then, self._next_action, self._next_abandoned = self._next_action, None, None
        if then is not None:
            then()

    def _set_next(
        self, then: Callable[[], None] | None, abandoned: Callable[[], None] | None = None
    ) -> None:
        """Set what starts after this session, if anything; call the previous `abandoned`."""
        before, self._next_action, self._next_abandoned = self._next_abandoned, then, abandoned
        if before is not None:
            before()

    def _go_home(self) -> None:
        """Leave the pages of a table that has ended."""
        if self.session is not None or not self._entered:
            return
        if self._navigator.property("page") in ("room", "table", "result"):
            self._navigator.reset_to("home")
        elif self._over and not self._leaving:
            # From another page, such as the verifier, `back` leads to the result.
            self._navigator.forget("room", "table", "result", instead="result")
        else:
            self._navigator.forget("room", "table", "result")

    def _show_problem(self, problem: SessionProblem, options: SessionOptions | None = None) -> None:
        """Show why a session could not start or continue; `options`: if not the present one's."""
        on_problem = (options or self._options).on_problem
        if on_problem is not None and not self._entered:
            on_problem(problem)
        elif not self._leaving:
            self._navigator.notice(problem.text, "error")

    # ---- the player's actions ---------------------------------------------------------------

    def _act(self, action: Action) -> None:
        if self.session is not None:
            self._bridge.run(self.session.act(action), self._acted)

    def _let_bots_play(self) -> None:
        if self.session is not None:
            self._bridge.run(self.session.let_bots_play(self._settings.bot_pace))

    def _read_score(self, number: int, reading: bool) -> None:
        """Let bots wait for this player, unless a bot plays on for them."""
        reads = reading and not self._screens.table.property("botPlays")
        if self.session is not None:
            self._bridge.run(self.session.read_score(number, reading=reads))

    def _may_bot_play(self) -> bool:
        """Whether a bot may play on for this player: in a match with others, and not already."""
        snapshot, table = self._snapshot, self._screens.table
        if snapshot is None or snapshot.mine is None or table.property("botPlays"):
            return False
        here = snapshot.in_contact and snapshot.mine not in dict(snapshot.dropped)
        return here and not (self._options.alone or self._options.tournament)

    def _let_bot_play(self, on: bool) -> None:
        if self.session is None:
            return
        said = translate("Playing", "I am playing again myself.")
        if on:
            said = translate("Playing", "I am away: a bot plays for me until I am back.")
        self._screens.table.let_bot_play(on)
        self._bridge.run(self.session.play_by_bot(on, said))

    def _claim(self) -> None:
        if self.session is not None:
            self._bridge.run(self.session.claim())

    def _acted(self, why: str) -> None:
        if why:
            _log.info("refused: %s", why)
            text = translate("Playing", "Too late: the game has moved on.")
            if self._snapshot is not None and not self._snapshot.in_contact:
                text = translate(
                    "Playing", "The table cannot be reached right now: try again in a moment."
                )
            self._screens.table.refused(text)

    def leave(self) -> None:
        """Leave the table, or break off the way to it or to the next one."""
        self._set_next(None)
        self._screens.room.stop_comparing()
        if self.session is not None and not self._leaving:
            self._leave_session(self.session)
        self._screens.result.cancel_opening()
        if self._navigator.property("page") in ("room", "table", "result"):
            self._navigator.reset_to("home")

    def when_left(self, then: Callable[[], None]) -> None:
        """Call `then` once the present session has ended."""
        if self.session is None:
            then()
            return

        def once(_transcript: object) -> None:
            self.ended.disconnect(once)
            then()

        self.ended.connect(once)

    # ---- rematch ----------------------------------------------------------------------------

    def _offer_rematch(self) -> None:
        """Prepare a rematch, in which the present host opens the next table unless it is named."""
        if self._options.tournament:
            return
        if self._options.again is not None:
            self._screens.result.allow_rematch(True)
        elif not self._options.watching:
            snapshot = self._snapshot
            self._plan_rematch(0 if snapshot is None else snapshot.host, (), lambda: None)

    def _plan_rematch(self, opener: int, here: tuple[int, ...], then: Callable[[], None]) -> None:
        """Work out how to take part in a rematch that the seat `opener` opens, then call `then`."""
        session, options = self.session, self._options
        if session is None:
            return
        kept = self._settings.values

        async def look() -> list[HostRequest | JoinRequest]:
            return rematch_plans(
                session,
                opener=opener,
                here=here,
                adapter=kept.adapter,
                slow_clock=kept.slow_clock,
                avatar=kept.avatar,
            )

        def found(plans: list[HostRequest | JoinRequest]) -> None:
            # The player may have joined another table by now.
            if self._options is options:
                self._rematch_plans = plans
                self._screens.result.allow_rematch(bool(plans) and not self._wants_rematch)
                then()

        self._bridge.run(look(), found)

    def _receive_rematch(self, event: RematchChanged) -> None:
        """Say who wants to play again, or go to the table of the player who opens the next one."""
        self._rematch_state = event
        if not self._wants_rematch:
            self._show_rematch(event)
        if event.opener is not None:
            self._plan_rematch(event.opener, event.here, self._follow_opener)

    def _show_rematch(self, event: RematchChanged) -> None:
        """Say on the result page what the others do."""
        people = () if self._snapshot is None else self._snapshot.people
        names = {person.seat: isolated(person.name) for person in people}
        wanted = [names[seat] for seat in event.wanted if seat in names]
        said = ""
        if event.opener is not None:
            said = translate("Playing", "{name} opens the next table")
            said = filled(said, name=names.get(event.opener, ""))
        elif wanted:
            said = translate("Playing", "{names} want to play again", "", len(wanted))
            said = filled(said, names=listed(wanted))
        self._screens.result.show_invitation(said)

    @property
    def _opener(self) -> int | None:
        return None if self._rematch_state is None else self._rematch_state.opener

    def _follow_opener(self) -> None:
        """Go to the next table if this player wants the rematch. Its opener is known."""
        if self._wants_rematch and self._rematch_plans:
            self._leave_for(partial(self._play_again, self._rematch_plans[0]))
        elif self._wants_rematch:
            self._rematch_given_up(_nowhere())

    def _rematch(self) -> None:
        if self._options.again is not None:
            self._leave_for(self._options.again)
        elif self.session is not None and self._opener is None:
            self._screens.result.show_invitation("")
            self._screens.result.allow_rematch(False)
            self._wants_rematch = True
            self._bridge.run(self.session.play_again(), self._rematch_requested)
        else:
            self._rematch_requested(False)

    def _rematch_requested(self, sent: bool) -> None:
        """Wait to learn who opens the table; if that is known or too late, go there."""
        if sent and self._wants_rematch and self._opener is None:
            self._show_waiting(translate("Playing", "Waiting for the next table to open…"))
        if not sent and self._rematch_plans and not self._leaving:
            self._leave_for(partial(self._play_again, self._rematch_plans[0]))

    def _leave_for(self, again: Callable[[], None]) -> None:
        self._screens.result.allow_rematch(False)
        self._screens.result.show_invitation("")
        if self.session is not None:
            self._set_next(again)
            self._leave_session(self.session)
        else:
            again()

    def _play_again(self, plan: HostRequest | JoinRequest) -> None:
        if isinstance(plan, HostRequest):
            self._show_waiting(translate("Playing", "Opening the table again…"))
        else:
            self._show_waiting(translate("Playing", "Waiting for the next table to open…"))
        watching = isinstance(plan, JoinRequest) and plan.watch
        self.start_session(
            partial(TableSession, self._navigator.home_folders, plan),
            SessionOptions(
                watching=watching, on_problem=partial(self._rematch_failed, plan), rematch=True
            ),
        )

    def _show_waiting(self, text: str) -> None:
        if self._screens.result.property("waiting") != text:
            self._screens.result.show_waiting(text)
            self._navigator.announce(text)

    def _rematch_failed(self, plan: HostRequest | JoinRequest, problem: SessionProblem) -> None:
        """Try the next person's table if nobody opened this one; else say why."""
        nobody = problem.unreached and isinstance(plan, JoinRequest)
        if problem.refusal is None:
            del self._rematch_plans[:1]
        if nobody and self._rematch_plans:
            self._set_next(partial(self._play_again, self._rematch_plans[0]))
        else:
            self._rematch_given_up(_nobody_opened() if nobody else problem.text)

    def _rematch_given_up(self, why: str) -> None:
        self._screens.result.show_waiting("")
        self._navigator.notice(why, "error")
        self._screens.result.allow_rematch(bool(self._rematch_plans))

    # ---- leaving ----------------------------------------------------------------------------

    def _question(self) -> str | None:
        """Return what leaving means for everybody; "" if for nobody, None if not known yet."""
        options = self._options
        if not self.is_playing or not self._entered or options.watching:
            return ""
        if options.alone:
            return translate("Playing", "Leave this game? It ends here.")
        if options.tournament:
            return translate(
                "Playing",
                "Leave the tournament? It cannot continue without you and ends for everybody.",
            )
        if not self._screens.room.playing:
            return self._question_in_room()
        return self._question_at_table()

    def _question_in_room(self) -> str:
        room = self._screens.room
        if not room.property("hosting"):
            return translate(
                "Playing", "Leave this table? Your seat becomes free for another player."
            )
        if not room.has_guests:
            return translate("Playing", "Close this table? Nobody else has come yet.")
        return translate("Playing", "Close this table? Everybody who is waiting here has to leave.")

    def _question_at_table(self) -> str | None:
        """Ask the table what leaving means. Returns None until it has answered."""
        if self._leave_effect is None:
            self._ask_about_leaving()
            return None
        snapshot, (effect,) = self._snapshot, self._leave_effect
        return "" if snapshot is None else question_at_table(effect, snapshot)

    def _ask_about_leaving(self) -> None:
        session = self.session
        if session is None:
            return
        self._asks_again = self._is_asking
        if self._is_asking:
            return  # The answer may be older than what has happened since.

        def answered(effect: LeaveEffect | None) -> None:
            self._is_asking = False
            if session is not self.session:
                return
            if self._asks_again:
                self._ask_about_leaving()
                return
            self._leave_effect = (effect,)
            self._navigator.recheck_question()
            self._leave_effect = None

        self._is_asking = True
        self._bridge.run(session.leave_effect(), answered)


def _lost(*, watching: bool) -> str:
    if watching:
        return translate(
            "Playing", "The connection to the table was lost: you are no longer watching."
        )
    return translate(
        "Playing",
        "The connection to the table was lost for too long. The game so far is kept; you can"
        " continue it from the first page while the others are there.",
    )


def _nobody_opened() -> str:
    return translate(
        "Playing", "Nobody opened the next table: look for it in the list, or open one yourself."
    )


def _nowhere() -> str:
    return translate(
        "Playing", "LanUNO does not know where the next table is: look for it in the list."
    )
