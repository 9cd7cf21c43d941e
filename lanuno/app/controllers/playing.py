"""The table at which this computer sits: begins it, hands what is told to the screens, ends it.

One table at a time. Which screen is shown follows from what happens there; what a screen shows is
its own controller's.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address
from pathlib import Path

from PySide6.QtCore import Property, QObject, Signal

from lanuno.app.bridge import Bridge, Job
from lanuno.app.controllers.chat import ChatController, Speaker
from lanuno.app.controllers.result import ResultController
from lanuno.app.controllers.room import RoomController
from lanuno.app.controllers.settings import SettingsController
from lanuno.app.controllers.stage import Stage
from lanuno.app.controllers.table import TableController
from lanuno.app.reasons import lobby_refusal, net_problem, store_problem
from lanuno.app.words import isolated, listed, translate
from lanuno.app.worker.follower import (
    Began,
    ChatSaid,
    Disagreed,
    Halted,
    Opened,
    Reached,
    Reacted,
    Seen,
    Told,
    TournamentStands,
    Watched,
)
from lanuno.app.worker.hosting import HostedTable, Opening
from lanuno.app.worker.joining import JoinedTable, Visit
from lanuno.app.worker.rematch import rematch_of
from lanuno.app.worker.sitting import Left, Sitting
from lanuno.app.worker.snapshot import TableShot
from lanuno.app.worker.tourney import Entry, TournamentTables
from lanuno.bots.pace import BotPace
from lanuno.log.genesis import Genesis
from lanuno.net.adapters import LOOPBACK_NAMES
from lanuno.net.endings import Ending
from lanuno.net.errors import NetError
from lanuno.net.invitations import invitations_to
from lanuno.net.server import DEFAULT_PORT
from lanuno.rules.actions import Action
from lanuno.store.errors import StoreError
from lanuno.table.messages import LobbyRefusal, LobbyState
from lanuno.table.outputs import RematchStands, TurnedAway
from lanuno.table.rematch import ANSWER_SECONDS

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Screens:
    """The controllers that show a table."""

    room: RoomController
    table: TableController
    result: ResultController
    chat: ChatController


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why it was not possible to sit down, or to go on."""

    text: str
    """For a person."""
    refusal: LobbyRefusal | None = None
    reached: Reached | None = None
    """Who refused."""


Make = Callable[[Callable[[Told], None]], Sitting]
"""Makes what sits at the table, given whom to tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stay:
    """How somebody sits at a table."""

    page: str | None
    again: Callable[[], None] | None
    alone: bool
    watching: bool
    port: int
    on_trouble: Callable[[Trouble], None] | None
    tournament: bool = False
    rematch: bool = False
    """Whether the same people play once more: what they said stays."""


class Playing(QObject):
    """Sits at one table at a time."""

    busyChanged = Signal()
    arrived = Signal()
    """The waiting room or the table was entered."""
    reached = Signal(object, str)
    """A host was reached (`Reached`), who has this name."""
    ended = Signal(object)
    """It is over here; the transcript (`Path`), or None if there was no game."""

    def __init__(
        self, stage: Stage, settings: SettingsController, bridge: Bridge, screens: Screens
    ) -> None:
        """Nothing is played."""
        super().__init__(stage)
        self._stage = stage
        self._settings = settings
        self._bridge = bridge
        self._screens = screens
        self._sitting: Sitting | None = None
        self._job: Job[Left] | None = None
        self._stay: _Stay | None = None
        self._next: Opening | Visit | None = None
        """What this computer has to do for a rematch."""
        self._stands: RematchStands | None = None
        """Who wants one, as was told last."""
        self._place: Reached | None = None
        self._shot: TableShot | None = None
        self._arrived = False
        self._leaving = False
        self._then: Callable[[], None] | None = None
        """Where to sit down once the table that is being left is left: the newest wish."""
        self._given_up: Callable[[], None] | None = None
        """Told if nothing comes of that wish."""
        self._over = False
        self.transcript: Path | None = None
        """Of the last game that ended here."""
        self.pace: BotPace | None = None
        """How fast bots play, if not as it is set."""
        screens.table.acted.connect(self._act)
        screens.table.claimed.connect(self._claim)
        screens.result.rematchWanted.connect(self._rematch)
        settings.botSpeedChanged.connect(self._let_bots_play)
        stage.leaving.connect(self.leave)
        stage.guard(self._question)

    @property
    def sitting(self) -> Sitting | None:
        """What sits at the table now."""
        return self._sitting

    @property
    def plays(self) -> bool:
        """Whether somebody sits here who would miss something by going elsewhere."""
        return self._sitting is not None and not self._leaving and not self._over

    @property
    def game(self) -> Path | None:
        """The transcript of the game that is played, or was played last."""
        shot = self._shot
        return self.transcript if shot is None else self._stage.home_folders.transcript(shot.table)

    def sit(
        self,
        make: Make,
        *,
        page: str | None = None,
        again: Callable[[], None] | None = None,
        alone: bool = False,
        watching: bool = False,
        port: int = DEFAULT_PORT,
        on_trouble: Callable[[Trouble], None] | None = None,
        on_given_up: Callable[[], None] | None = None,
    ) -> None:
        """Sit down, once a table that is being left is left: if that is still wanted by then.

        `page`: what to show at once; None: stay until there is something to show. `again`: how to
        play the same once more; `alone`: nobody else is concerned; `port`: of the other computer;
        `on_trouble`: told instead of the user if it fails before there is something to show;
        `on_given_up`: told if it is not wanted any more before it has begun.
        """
        stay = _Stay(
            page=page,
            again=again,
            alone=alone,
            watching=watching,
            port=port,
            on_trouble=on_trouble,
        )
        self._sit_once_free(make, stay, on_given_up)

    def _sit_once_free(
        self, make: Make, stay: _Stay, on_given_up: Callable[[], None] | None = None
    ) -> None:
        if self._sitting is not None and self._over and not self._leaving:
            # Only another match was waited for here.
            self._leaving = True
            self._bridge.run(self._sitting.leave())
        if self._sitting is None:
            self._sit(make, stay)
        elif self._leaving:
            self._wish(partial(self._sit, make, stay), on_given_up)
        else:
            self._trouble(
                Trouble(translate("Playing", "You are already at a table: leave it first.")),
                stay,
            )

    def _sit(self, make: Make, stay: _Stay) -> None:
        self._stay, self._place, self._shot = stay, None, None
        self._arrived = self._leaving = self._over = False
        sitting: list[Sitting] = []

        def hear(told: Told) -> None:
            # What a table that was left still had to say is of no interest.
            if sitting and sitting[0] is self._sitting and not self._leaving:
                self._hear(told)

        made = make(self._bridge.back(hear))
        made.pace = self.pace or self._settings.bot_pace
        sitting.append(made)
        self._sitting = made
        if stay.page is not None:
            # Before the other thread has work to do: both want the interpreter.
            self._arrive()
            self._stage.go(stay.page)
        self._job = self._bridge.run(made.run(), self._left, self._broken)
        self.busyChanged.emit()

    def _arrive(self) -> None:
        """There is something to show: nothing of an earlier table stays."""
        if self._arrived:
            return
        self._arrived = True
        self._next = self._stands = None
        self._screens.table.clear()
        self._screens.result.clear()
        if self._stay is not None and self._stay.rematch:
            self._screens.chat.go_on()
        else:
            self._screens.chat.clear()
        self._screens.room.clear()
        self._screens.room.sitting = self._screens.chat.sitting = self._sitting
        self._screens.chat.my_name = self._settings.property("playerName")
        self._stage.dismiss_all()
        self.arrived.emit()

    def _next_table(self) -> None:
        """The same people at another table: what they said stays."""
        self._shot, self._over = None, False
        self._screens.table.clear()
        self._screens.result.clear()

    # ---- what is told -----------------------------------------------------------------------

    def _hear(self, told: Told) -> None:
        match told:
            case LobbyState():
                self._wait_in_room(told)
            case TournamentStands():
                self._screens.result.stand(told)
                if (told.broken or told.winners) and not self._over:
                    # Told twice: who looks at something else meanwhile is not called back.
                    self._ended_here()
                    self._screens.result.come(from_anywhere=True)
            case Began():
                self._begin(told.genesis)
            case Seen():
                self._see(told)
            case ChatSaid() | Reacted() | Watched():
                self._hear_people(told)
            case Disagreed():
                # What a host writes may be anything.
                _log.info("refused by the host: %s %r", told.refusal, told.detail)
                self._screens.table.refused(
                    translate("Playing", "Too late: the game has moved on.")
                )
            case Halted():
                self._halted(told)
            case Opened():
                self._screens.room.opened(told)
            case Reached():
                self._place = told
            case RematchStands():
                self._hear_of_rematch(told)
            case TurnedAway():
                pass  # told by how the table ends

    def _hear_people(self, told: ChatSaid | Reacted | Watched) -> None:
        """What is no part of the game."""
        chat = self._screens.chat
        if isinstance(told, ChatSaid):
            chat.hear(told)
        elif isinstance(told, Watched):
            tournament = self._stay is not None and self._stay.tournament
            chat.watched(() if tournament else told.spectators)
        elif self._settings.kept.reactions:
            chat.see(told)

    def _wait_in_room(self, state: LobbyState) -> None:
        first = not self._arrived
        self._arrive()
        if first:
            self._invite()
        self._screens.room.show(state)
        names = {seat.identity: seat.name for seat in state.seats}
        self._met(names)
        alone = self._stay is not None and self._stay.alone
        if first and not alone:
            # Only once: who reads the rules meanwhile is not called away by every newcomer.
            self._stage.go("room")

    def _invite(self) -> None:
        """A guest can show others the way that led here; its PIN is not part of that."""
        place, adapter = self._place, self._settings.kept.adapter
        if place is None:
            return
        try:
            alone = ip_address(place.address.partition("%")[0]).is_loopback
        except ValueError:
            return
        # An address of this computer leads others nowhere, unless that is all that is searched.
        if not alone or (adapter is not None and adapter in LOOPBACK_NAMES):
            way = (place.address, place.port, place.context, place.fingerprint)
            self._screens.room.opened(Opened(*invitations_to(*way)))

    def _begin(self, genesis: Genesis) -> None:
        if self._screens.room.playing and self._arrived:
            self._next_table()
        self._arrive()
        seats = genesis.read().seats
        self._met({seat.identity: seat.name for seat in seats})
        speakers = [Speaker(seat.identity, seat.name, seat.bot) for seat in seats]
        self._screens.chat.meet(speakers)
        self._screens.room.began(genesis)
        # To close a waiting room is not to leave a game.
        self._stage.reconsider()
        # A page that is there already is not made once more.
        if self._stage.property("page") != "table":
            self._stage.go("table")

    def _met(self, names: dict[bytes, str]) -> None:
        place = self._place
        if place is not None and place.identity in names:
            self._place = None
            self.reached.emit(place, names[place.identity])

    def _see(self, seen: Seen) -> None:
        shot = self._shot = seen.shot
        if self._screens.chat.mine != shot.mine:
            self._screens.chat.mine = shot.mine
        if not self._screens.chat.knows_people:
            # A table that is gone on with: nobody can sit down there, so names are enough.
            known = [Speaker(each.name.encode(), each.name, each.bot) for each in shot.people]
            self._screens.chat.meet(known)
        tournament = self._stay is not None and self._stay.tournament
        self._screens.chat.hosts(shot.hosting and not tournament)
        self._screens.table.see(seen)
        self._screens.result.see(seen)
        # The host may be another one by now, or of three players two may be left.
        self._stage.reconsider()
        over = bool(shot.winners) or shot.closed is not None
        if over and not self._over and not (self._stay and self._stay.tournament):
            self._ended_here()
            self._look_for_rematch()
            self._screens.result.come()

    def _ended_here(self) -> None:
        """There is nothing more to play at this table, and so nothing to ask before it is left."""
        self._over = True
        self._stage.reconsider()

    def _halted(self, halted: Halted) -> None:
        if halted.given_up:
            text = translate(
                "Playing",
                "The others went on without a part of the game for which this computer had already "
                "published keys. The game was stopped here, so that nobody can read your cards. "
                "Both versions are kept.",
            )
            self._stage.notice(text, "error")
            return
        text = translate(
            "Playing",
            "The game was stopped: the host sent something that is against the rules. The"
            " evidence was kept: {why}",
        )
        self._stage.notice(text.replace("{why}", halted.blame.detail), "error")

    # ---- the end ----------------------------------------------------------------------------

    def _left(self, left: Left) -> None:
        # Somebody who leaves at the very moment at which it ends wants to go all the same.
        stay, asked = self._end(), left.asked or self._leaving
        if left.tournament is not None and not asked:
            self._play_tournament(left.tournament)
            return
        self.transcript = left.transcript or self.transcript
        if left.refusal is not None and not asked:
            self._trouble(Trouble(lobby_refusal(left.refusal), left.refusal, self._place), stay)
        elif left.ending is Ending.LOST and not asked:
            self._trouble(Trouble(_lost(stay)), stay)
        self.ended.emit(left.transcript)
        if self._stands is not None and not asked:
            # The time to answer is over; the previous host may still open a table.
            self._stands = None
            self._screens.result.invite("")
            self._screens.result.wait("")
            self._screens.result.allow_rematch(self._next is not None)
        self._follow()
        result = self._stage.property("page") == "result" or self._screens.result.coming
        if asked or not result:
            self._go_home()

    def _play_tournament(self, genesis: Genesis) -> None:
        """All eight have signed: the tables come one after the other."""
        kept = self._settings.kept
        entry = Entry(genesis, kept.adapter, kept.slow_clock)
        stay = _Stay(
            page=None,
            again=None,
            alone=False,
            watching=False,
            port=DEFAULT_PORT,
            on_trouble=None,
            tournament=True,
        )
        self._sit(partial(TournamentTables, self._stage.home_folders, entry), stay)

    def _broken(self, error: Exception) -> None:
        stay = self._end()
        if isinstance(error, NetError):
            _log.info("the table failed: %s", error)
            port = DEFAULT_PORT if stay is None else stay.port
            self._trouble(Trouble(net_problem(error.fault, port)), stay)
        elif isinstance(error, StoreError):
            _log.warning("the table failed: %s", error)
            self._trouble(Trouble(store_problem(error)), stay)
        else:
            self._bridge.failed.emit(error)
        self.ended.emit(None)
        self._follow()
        self._go_home()

    def _end(self) -> _Stay | None:
        self._sitting = None
        self._stage.reconsider()
        self.busyChanged.emit()
        return self._stay

    def _follow(self) -> None:
        """To the next table, if one is wanted."""
        then, self._then, self._given_up = self._then, None, None
        if then is not None:
            then()

    def _wish(
        self, then: Callable[[], None] | None, given_up: Callable[[], None] | None = None
    ) -> None:
        """Where to go from here, or nowhere. Whoever wished for something else before is told."""
        before, self._then, self._given_up = self._given_up, then, given_up
        if before is not None:
            before()

    def _go_home(self) -> None:
        """Away from a table that is not there any more."""
        if self._sitting is not None or not self._arrived:
            return
        if self._stage.property("page") in ("room", "table", "result"):
            self._stage.go("home")
        elif self._over and not self._leaving:
            # Whoever looks at something else, the proof for example, comes back to the result.
            self._stage.forget("room", "table", "result", instead="result")
        else:
            self._stage.forget("room", "table", "result")

    def _trouble(self, trouble: Trouble, stay: _Stay | None) -> None:
        if stay is not None and stay.on_trouble is not None and not self._arrived:
            stay.on_trouble(trouble)
        elif not self._leaving:
            self._stage.notice(trouble.text, "error")

    # ---- what the player does ---------------------------------------------------------------

    def _act(self, action: Action) -> None:
        sitting = self._sitting
        if sitting is not None:
            self._bridge.run(sitting.act(action), self._acted)

    def _let_bots_play(self) -> None:
        if self._sitting is not None:
            self._bridge.run(self._sitting.let_bots_play(self._settings.bot_pace))

    def _claim(self) -> None:
        if self._sitting is not None:
            self._bridge.run(self._sitting.claim())

    def _acted(self, why: str) -> None:
        if why:
            _log.info("refused: %s", why)
            text = translate("Playing", "Too late: the game has moved on.")
            if self._shot is not None and not self._shot.in_contact:
                text = translate(
                    "Playing", "The table cannot be reached right now: try again in a moment."
                )
            self._screens.table.refused(text)

    def leave(self) -> None:
        """Leave the table, or break off the way to it, or to the next one."""
        self._wish(None)
        if self._sitting is not None and not self._leaving:
            self._leaving = True
            self._bridge.run(self._sitting.leave())
        self._screens.result.forget()
        if self._stage.property("page") in ("room", "table", "result"):
            self._stage.go("home")

    def when_left(self, then: Callable[[], None]) -> None:
        """Once the table of before has ended here."""
        if self._sitting is None:
            then()
            return

        def once(_transcript: object) -> None:
            self.ended.disconnect(once)
            then()

        self.ended.connect(once)

    # ---- once more --------------------------------------------------------------------------

    def _look_for_rematch(self) -> None:
        """What would be done here if the host of now opens the next table."""
        stay = self._stay
        if stay is None or stay.tournament:
            return
        if stay.again is not None:
            self._screens.result.allow_rematch(True)
        elif not stay.watching:
            shot = self._shot
            self._plan(0 if shot is None else shot.host, (), lambda: None)

    def _plan(self, opener: int, here: tuple[int, ...], then: Callable[[], None]) -> None:
        """Find out what to do here if this seat opens the next table."""
        sitting, stay = self._sitting, self._stay
        if sitting is None:
            return
        kept = self._settings.kept

        async def look() -> Opening | Visit | None:
            return rematch_of(
                sitting,
                opener=opener,
                here=here,
                adapter=kept.adapter,
                slow_clock=kept.slow_clock,
                avatar=kept.avatar,
            )

        def found(plan: Opening | Visit | None) -> None:
            # Whoever was quick sits at another table by now.
            if self._stay is stay:
                self._next = plan
                self._screens.result.allow_rematch(plan is not None and not self._wants_rematch)
                then()

        self._bridge.run(look(), found)

    @property
    def _wants_rematch(self) -> bool:
        """Whether the others were told that the person here wants to play again."""
        return self._stands is not None and self._stands.mine

    def _hear_of_rematch(self, told: RematchStands) -> None:
        """Somebody wants to play again, or leaves, or it is decided who opens the table."""
        before, self._stands = self._stands, told
        if self._shot is not None:
            names = {person.seat: person.name for person in self._shot.people}
            self._tell_of_rematch(told, names)
        decided = told.opener is not None and (before is None or before.opener is None)
        if told.opener is not None and (decided or (told.mine and not (before and before.mine))):
            self._plan(told.opener, told.here, self._follow_opener)

    def _tell_of_rematch(self, told: RematchStands, names: dict[int, str]) -> None:
        mine = None if self._shot is None else self._shot.mine
        others = [names[seat] for seat in told.wanted if seat in names and seat != mine]
        late = [names[seat] for seat in told.here if seat in names and seat not in told.wanted]
        text, said = "", ""
        if told.opener is not None:
            if not told.mine and told.opener != mine:
                said = translate("Playing", "{name} opens the next table")
                said = said.replace("{name}", isolated(names.get(told.opener, "")))
        elif told.mine and late:
            text = translate("Playing", "Waiting for {names}, {seconds} seconds at most…")
            text = text.replace("{names}", listed([isolated(name) for name in late]))
            text = text.replace("{seconds}", str(round(ANSWER_SECONDS)))
        elif others and not told.mine:
            said = translate("Playing", "{names} want to play again", "", len(others))
            said = said.replace("{names}", listed([isolated(name) for name in others]))
        self._screens.result.invite(said)
        self._wait(text)

    def _follow_opener(self) -> None:
        """Go to the next table, if the person here said yes: it is decided who opens it."""
        if self._wants_rematch and self._next is not None:
            self._go_again(partial(self._play_again, self._next))
        elif self._wants_rematch:
            self._not_again(Trouble(_nowhere()))

    def _rematch(self) -> None:
        stay, stands, sitting = self._stay, self._stands, self._sitting
        if stay is None:
            return
        self._screens.result.allow_rematch(False)
        if stay.again is not None:
            self._go_again(stay.again)
        elif sitting is not None and (stands is None or stands.opener is None):
            self._bridge.run(sitting.play_again(), self._asked_again)
        else:
            self._asked_again(False)

    def _asked_again(self, heard: bool) -> None:
        """Wait for the others if they were told; if nobody can be told, try the previous host."""
        if not heard and self._next is not None and not self._leaving:
            self._go_again(partial(self._play_again, self._next))

    def _go_again(self, again: Callable[[], None]) -> None:
        self._screens.result.allow_rematch(False)
        self._screens.result.invite("")
        if self._sitting is not None:
            self._leaving = True
            self._wish(again)
            self._bridge.run(self._sitting.leave())
        else:
            again()

    def _play_again(self, plan: Opening | Visit) -> None:
        home = self._stage.home_folders
        watching = isinstance(plan, Visit) and plan.watch
        if isinstance(plan, Opening):
            self._wait(translate("Playing", "Opening the table again…"))
            make: Make = partial(HostedTable, home, plan)
        else:
            self._wait(translate("Playing", "Waiting for the next table to open…"))
            make = partial(JoinedTable, home, plan)
        stay = _Stay(
            page=None,
            again=None,
            alone=False,
            watching=watching,
            port=DEFAULT_PORT,
            on_trouble=self._not_again,
            rematch=True,
        )
        self._sit_once_free(make, stay)

    def _wait(self, text: str) -> None:
        if self._screens.result.property("waiting") != text:
            self._screens.result.wait(text)
            self._stage.announce(text)

    def _not_again(self, trouble: Trouble) -> None:
        self._screens.result.wait("")
        self._stage.notice(trouble.text, "error")

    # ---- leaving ----------------------------------------------------------------------------

    def _question(self) -> str:
        """What leaving means for the others; "" if nobody is concerned."""
        stay = self._stay
        if self._sitting is None or stay is None or self._over or not self._arrived:
            return ""
        if stay.watching or self._leaving:
            return ""
        if stay.alone:
            return translate("Playing", "Leave this game? It ends here.")
        if stay.tournament:
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
                "Playing", "Leave this table? Your seat becomes free for somebody else."
            )
        if not room.has_guests:
            return translate("Playing", "Close this table? Nobody else has come yet.")
        return translate("Playing", "Close this table? Everybody who is waiting here has to leave.")

    def _question_at_table(self) -> str:
        shot = self._shot
        if shot is None or shot.mine is None:
            return translate("Playing", "Leave this game? The others go on without you.")
        if not shot.in_contact:
            return translate(
                "Playing",
                "Leave this game? Nobody can be reached right now: you can continue it from the"
                " first page.",
            )
        gone = {seat for seat, _ in shot.dropped}
        others = [
            person
            for person in shot.people
            if person.owner == person.seat and person.seat not in gone and person.seat != shot.mine
        ]
        if shot.mine in gone:
            return ""
        if not others:
            return translate("Playing", "Leave this game? It ends here.")
        if len(others) == 1:
            text = translate(
                "Playing",
                "Leave this game? There are only two of you: the match ends, and {name} wins it.",
            )
            return text.replace("{name}", isolated(others[0].name))
        if shot.host == shot.mine:
            return translate(
                "Playing",
                "Leave this game? Another computer takes over as host, and the others go on"
                " without you. Your cards are opened and count for nobody.",
            )
        return translate(
            "Playing",
            "Leave this game? The others go on without you. Your cards are opened and count for"
            " nobody.",
        )

    def _get_busy(self) -> bool:
        return self._sitting is not None

    def _get_leaving(self) -> bool:
        return self._leaving

    busy = Property(bool, _get_busy, notify=busyChanged)
    leaving = Property(bool, _get_leaving, notify=busyChanged)


def _lost(stay: _Stay | None) -> str:
    if stay is not None and stay.watching:
        return translate(
            "Playing", "The connection to the table was lost: you are no longer watching."
        )
    return translate(
        "Playing",
        "The connection to the table was lost for too long. The game so far is kept; you can"
        " continue it from the first page while the others are there.",
    )


def _nowhere() -> str:
    return translate("Playing", "It is not known where the next table is: look for it in the list.")
