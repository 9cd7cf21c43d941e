"""The table: what stands on it, what the player may do, and what has to be animated.

Everything shown follows from the newest picture; nothing about the game is decided here. What the
player does goes to the true state at once, however far the display is.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import SystemRandom
from typing import Any, Final

from PySide6.QtCore import Property, QObject, QTimer, Signal, Slot

from lanuno.app.automatic import Wanted, automatic, pause_ms
from lanuno.app.controllers.fields import told
from lanuno.app.controllers.pacer import Pacer
from lanuno.app.controllers.round_end import ended, round_end
from lanuno.app.controllers.settings import SettingsController
from lanuno.app.controllers.shown_hand import ShownHand
from lanuno.app.controllers.stage import Stage
from lanuno.app.controllers.table_face import Extra, Face, face, names_of
from lanuno.app.models.rows import Rows
from lanuno.app.models.table_rows import (
    DealLine,
    HandCard,
    MoveLine,
    Opponent,
    Sleeper,
    TotalLine,
)
from lanuno.app.moves import Motion, drawn_on, line, motions
from lanuno.app.reasons import play_refusal
from lanuno.app.words import card_name, isolated, listed, translate
from lanuno.app.worker.follower import Seen
from lanuno.app.worker.snapshot import Stage as Doing
from lanuno.app.worker.snapshot import TableShot
from lanuno.rules import events as moves
from lanuno.rules.actions import (
    ANY_TIME,
    Accept,
    Accuse,
    Action,
    Catch,
    Challenge,
    Draw,
    Keep,
    NameColour,
    Object,
    Play,
    SayUno,
    Swap,
    Vote,
)
from lanuno.table.outputs import shown_seconds

MOST_MOVES: Final = 400
CLOCK_MS: Final = 200
SHOWN_SECONDS: Final = 12
ANNOUNCE_AT: Final = 10
ROUND_END_SECONDS: Final = 2.1
"""How long the end of a round is looked at before its score: the last card lands, then comes who
has won. A key or a click goes on at once."""
OWN_TURN: Final = ("play", "keep")
"""Kinds of moves that end a turn."""
MOST_SPOKEN: Final = 40
"""Moves that are said at once: more than nine others make in one turn, and no whole match."""
TOO_LATE_SECONDS: Final = 1.5
"""For a click that was on its way when the app did the same by itself."""


class TableController(QObject):
    """The table, for QML. Seats are ints in roster order; colours 0…3, -1 none or wild.

      seated, mySeat, me {seat, name, avatar, count, uno, owesUno, points, team, dealer, turn, host,
        last, out}
      hand: Rows of HandCard; opponents: Rows of Opponent, clockwise; totals: Rows of TotalLine
      topColour, topRank, colour, topText, drawPile, discardPile, discards [{slot, colour, rank}],
      clockwise, turnSeat, turnName, myTurn, prompt, target, penalty, dealerSeat, dealerName,
      lastSeat, lastName, roundNumber, tableName
      phase: "choosing-dealer", "dealing", "playing", "recovering", "revealing", "over"
      dealing: Rows of DealLine, dealingText, chosen [{seat, name, cards}] (the dealer's choice)
      clockTotal, clockLeft: seconds of the turn, or of the wait for a missing player; 0 without a
        clock. clockLeft is whole, rounded up, and the same number as in `opponents` and pausedText
      canDraw, drawPasses (a draw gets no card: it is a pass), canKeep, canUno, canAccept,
      canChallenge, canObject, canJumpIn, canAccuse, mustPlay, catchSeats [int]
      colourWanted, colourSlot (-1: the starting card); swapWanted, swapSeats [int]
      challengeQuestion {open, by, name, cards, lost, colour (what a challenge is about, else -1),
        title, text, canChallenge, canStack, acceptText}
      voteQuestion {open, accused, by, text, canVote}
      shown {open, name, seat, toAll, cards, seconds}: a hand that was shown to this player alone,
        or opened to everybody
      paused, pausedText, canClaim, hostAway, hostText, voidText, sleeping: Rows of Sleeper
      moves: Rows of MoveLine; since: what happened since this player's last turn, in words
      roundEnd {open, seat (-1: nobody has won), text, name, avatar, bot}: a round has just ended
      unoArmed (rw): say "UNO" with the next card
    Slots: play(slot), jumpIn(slot), chooseColour(colour), cancelColour(), draw(), keep(), uno(),
      catchSeat(seat), accept(), challenge(), object(), swapWith(seat), accuse(seat), vote(guilty),
      claim(), whyNot(slot) -> str, closeShown(), leave(), sortNext() (the next way of sorting),
      tellAgain() (announce what happened since the last turn, the top card, what is to be done),
      closeRoundEnd() (it was looked at)
    Signals: moved(kind, fromSeat, toSeat, cards) in log order; jumped(): show the state as it is.
    """

    changed = Signal()
    clockChanged = Signal()
    colourWantedChanged = Signal()
    shownChanged = Signal()
    sinceChanged = Signal()
    unoArmedChanged = Signal()
    roundEndChanged = Signal()
    released = Signal()
    """The end of the round was looked at: other screens may be shown."""
    moved = Signal(str, int, int, list)
    jumped = Signal()
    my_turn_began = Signal()
    """It is this player's turn: the system may be told."""
    acted = Signal(object)
    """The player wants to do this `Action`."""
    claimed = Signal()
    """The player, who is the host, waits no longer for somebody who fell silent."""

    def __init__(
        self, stage: Stage, settings: SettingsController, *, gap: float | None = None
    ) -> None:
        """`gap`: seconds between remote moves, if not the usual ones."""
        super().__init__(stage)
        self._stage = stage
        self._settings = settings
        self.face = Face()
        self.pacer = Pacer(self.show, self) if gap is None else Pacer(self.show, self, gap=gap)
        self._shot: TableShot | None = None
        """What is displayed."""
        self._newest: TableShot | None = None
        """What is true: what the player does acts on this."""
        self._hand = Rows(HandCard, "slot", self)
        self._opponents = Rows(Opponent, "seat", self)
        self._totals = Rows(TotalLine, "seat", self)
        self._dealing = Rows(DealLine, "seat", self)
        self._sleeping = Rows(Sleeper, "seat", self)
        self._moves = Rows(MoveLine, "id", self)
        self._told: list[tuple[int, object]] = []
        self._count = 0
        self._last_turn = 0
        """Number of the last event before the player's last turn ended."""
        self._held: frozenset[int] = frozenset()
        """Slots of the hand as it was told last."""
        self._said_uno: set[int] = set()
        self._uno_since: tuple[int, float] | None = None
        self._colour_slot: int | None = None
        self._colour_for: tuple[int, int] | None = None
        """Which decision the wild card was chosen for: its round, and its number there."""
        self._shown: ShownHand | None = None
        self.round_end_seconds = ROUND_END_SECONDS
        """How long the end of a round is looked at; 0: not at all."""
        self._round_end: dict[str, Any] = {"open": False}
        self._looking = QTimer(self)
        self._looking.setSingleShot(True)
        self._looking.timeout.connect(self.closeRoundEnd)
        self._armed = False
        self._clock_total = self._clock_left = 0.0
        self._warned = False
        self._was_my_turn = False
        self._under_way: tuple[int, int] | None = None
        """The decision about which the table has been told, and has not answered."""
        self._by_itself = False
        """Whether nobody but the app has told it."""
        self._planned: tuple[int, int, Action] | None = None
        """What the app is about to do by itself, and for which decision."""
        self._made: tuple[Action | None, float] = None, 0.0
        """What the app has done by itself last, and when."""
        self.chance: Callable[[int], int] = SystemRandom().randrange
        self._pausing = QTimer(self)
        self._pausing.setSingleShot(True)
        self._pausing.timeout.connect(self._act_by_itself)
        self._ticking = QTimer(self)
        self._ticking.setInterval(CLOCK_MS)
        self._ticking.timeout.connect(self._tick)
        settings.sortingChanged.connect(self._again)
        settings.hintsChanged.connect(self._again)
        for changed in (
            settings.autoKeepChanged,
            settings.autoDrawChanged,
            settings.autoAcceptChanged,
        ):
            changed.connect(self._again)
            changed.connect(self._plan)
        stage.retranslated.connect(self._speak_again)

    # ---- pictures ---------------------------------------------------------------------------

    def clear(self) -> None:
        """Another table begins: nothing of the last one stays."""
        self.pacer.clear()
        self._ticking.stop()
        self._looking.stop()
        self._round_end = {"open": False}
        self._pausing.stop()
        self._planned = self._under_way = None
        self._by_itself = False
        self._shot = self._newest = None
        self._told.clear()
        self._said_uno.clear()
        self._uno_since = self._colour_slot = self._shown = None
        self._armed = False
        self._was_my_turn = False
        self._last_turn = self._count
        self._held = frozenset()
        for rows in (self._hand, self._opponents, self._totals, self._dealing):
            rows.show([])
        self._sleeping.show([])
        self._moves.show([])
        self.face = Face()
        self._clock_total = self._clock_left = 0.0
        for signal in (self.changed, self.clockChanged, self.colourWantedChanged):
            signal.emit()
        self.shownChanged.emit()
        self.sinceChanged.emit()
        self.unoArmedChanged.emit()
        self.roundEndChanged.emit()

    def see(self, seen: Seen) -> None:
        """The newest picture; it is displayed in its turn."""
        self._newest = seen.shot
        self._let_go()
        if self._round_end["open"] and seen.shot.void is not None:
            # What looked like its end counts for nothing.
            self.closeRoundEnd()
        self.pacer.feed(seen)
        if self._shot is not seen.shot and self._asks():
            self._again()

    def _asks(self) -> bool:
        """Whether a question of the game is open."""
        asked = (self.face.challenge_question, self.face.vote_question)
        return self.face.start_colour_wanted or any(each.get("open") for each in asked)

    def _let_go(self) -> None:
        """Close what was opened for a decision, or a round, that is over by now."""
        shot = self._newest
        if shot is None:
            return
        slot = self._colour_slot
        open_still = slot is not None and self._colour_for == _decision(shot)
        if slot is not None and not (open_still and shot.in_contact and self._plays(slot)):
            self._set_colour_slot(None)
        hand = self._shown
        lively = shot.stage in (Doing.PLAYING, Doing.RECOVERING)
        if hand is not None and (hand.number != shot.number or not lively):
            self.closeShown()

    def show(self, seen: Seen, jump: bool = False) -> None:
        """Display this picture."""
        shot = self._shot = seen.shot
        if self._newest is None:
            self._newest = shot
        self._remember(seen)
        self._let_go()
        self._again()
        names = names_of(shot)
        own = {} if shot.view is None else {held.slot: held.face for held in shot.view.hand}
        if jump:
            self.jumped.emit()
        else:
            for motion in motions(seen.happened, names, own):
                self._move(motion)
        self._tell(seen)
        self._look_at_round_end(seen)
        if not self._ticking.isActive():
            self._ticking.start()
        self._tick()
        self.clockChanged.emit()
        self._plan()

    # ---- what is done without asking --------------------------------------------------------

    def _automatic(self) -> tuple[int, int, Action] | None:
        """What the app does by itself in the true state, and for which decision."""
        shot = self._newest
        decision = None if shot is None else _decision(shot)
        act = None if shot is None else automatic(shot, self._wanted())
        if decision is None or act is None or decision == self._under_way:
            return None
        return (*decision, act)

    def _plan(self) -> None:
        """Do what has to be done by itself, once it was seen for a moment."""
        planned = self._automatic() if self._shot is self._newest else None
        if planned == self._planned:
            return
        self._planned = planned
        self._pausing.stop()
        if planned is not None:
            motion = self._settings.kept.motion
            pause = pause_ms(planned[2], motion, self.chance)
            self._pausing.start(pause + (round(1000 * self._left_of_deal()) if motion else 0))

    def _left_of_deal(self) -> float:
        """Seconds until the cards are dealt; no clock runs before that."""
        clock = None if self._shot is None else self._shot.clock
        return 0.0 if clock is None else max(0.0, clock.since - time.monotonic())

    def _act_by_itself(self) -> None:
        planned, self._planned = self._planned, None
        # The table may have gone on, or the player has done it already.
        if planned is not None and planned == self._automatic():
            self._made = planned[2], time.monotonic()
            self._send(planned[2], by_itself=True)

    def _send(self, action: Action, *, by_itself: bool = False) -> None:
        """Tell the table what this player does. A decision that is made asks for no colour."""
        if not isinstance(action, ANY_TIME):
            self._set_colour_slot(None)
        decision = None if self._newest is None else _decision(self._newest)
        if decision is not None and not isinstance(action, ANY_TIME):
            if self._by_itself and decision == self._under_way:
                return  # the same was done already, a moment ago
            self._under_way, self._by_itself = decision, by_itself
            self._plan()
        self.acted.emit(action)

    def _move(self, motion: Motion) -> None:
        self.moved.emit(motion.kind, motion.source, motion.target, list(motion.cards))

    def _remember(self, seen: Seen) -> None:
        for event in seen.happened:
            match event:
                case moves.UnoSaid():
                    self._said_uno.add(event.seat)
                case moves.Dealt():
                    self._said_uno.discard(event.seat)
                case moves.Shown() if event.to == seen.shot.mine:
                    self._lay_open(seen.shot, event.seat, event.slots, to_all=False)
                case moves.HandOpened():
                    self._lay_open(seen.shot, event.seat, event.slots, to_all=True)
                case _:
                    pass
        view = seen.shot.view
        owed = None if view is None else view.uno_owed
        if owed is None:
            self._uno_since = None
        elif self._uno_since is None or self._uno_since[0] != owed:
            self._uno_since = (owed, time.monotonic())
        if not seen.shot.to_move and self._armed:
            self._set_armed(False)

    def _lay_open(
        self, shot: TableShot, seat: int, slots: tuple[int, ...], *, to_all: bool
    ) -> None:
        ends = time.monotonic() + SHOWN_SECONDS
        self._shown = ShownHand(shot.number, seat, slots, to_all, ends)
        self.shownChanged.emit()

    # ---- the end of a round -----------------------------------------------------------------

    @property
    def holding(self) -> bool:
        """Whether the end of a round has still to be looked at, so that nothing may cover it."""
        return bool(self._round_end["open"]) or (
            self._shows_round_ends() and any(ended(seen) is not None for seen in self.pacer.waiting)
        )

    def _shows_round_ends(self) -> bool:
        return self.round_end_seconds > 0 and self._stage.property("page") == "table"

    def _look_at_round_end(self, seen: Seen) -> None:
        over = ended(seen)
        if over is None or not self._shows_round_ends():
            return
        self._round_end = {"open": True, **round_end(seen.shot, over)}
        self.pacer.hold()
        self._looking.start(round(self.round_end_seconds * 1000))
        self.roundEndChanged.emit()

    @Slot()
    def closeRoundEnd(self) -> None:
        """The end of the round was looked at."""
        if not self._round_end["open"]:
            return
        self._looking.stop()
        self._round_end = {"open": False}
        self.roundEndChanged.emit()
        # First the score: what the table shows next would be seen for a moment.
        self.released.emit()
        self.pacer.go_on()

    def _extra(self, shot: TableShot) -> Extra:
        now, newest = time.monotonic(), self._newest or shot
        armed = self._uno_since is None or (
            now - self._uno_since[1] >= shot.ruleset.uno_catch_ms / 1000
        )
        return Extra(
            sorting=self._settings.kept.sorting,
            hints=self._settings.kept.hints,
            said_uno=frozenset(self._said_uno),
            catch_armed=armed,
            waiting=tuple((seat, _seconds_left(shot, ends, now)) for seat, ends in shot.waits),
            answered=_decision(newest) != _decision(shot),
            voted=newest.view is None or newest.view.accusation is None,
            automatic=self._wanted(),
        )

    def _wanted(self) -> Wanted:
        """Which moves are made without asking."""
        kept = self._settings.kept
        return Wanted(kept.auto_keep, kept.auto_draw, kept.auto_accept)

    def _again(self) -> None:
        """Show the same picture again: a setting, the language or the time is another."""
        shot = self._shot
        if shot is None:
            return
        extra = self._extra(shot)
        before, self.face = self.face, face(shot, extra)
        self._hand.show(self.face.hand)
        self._opponents.show(self.face.opponents)
        self._totals.show(self.face.totals)
        self._dealing.show(self.face.dealing)
        self._sleeping.show(
            [Sleeper(seat, shot.people[seat].name, left) for seat, left in extra.waiting]
        )
        if before != self.face:
            self.changed.emit()
            self.colourWantedChanged.emit()

    def _speak_again(self) -> None:
        if self._shot is not None:
            names = names_of(self._shot)
            lines = [line(number, event, names) for number, event in self._told]
            self._moves.show([each for each in lines if each is not None])
            self.sinceChanged.emit()
        self._again()

    def _tell(self, seen: Seen) -> None:
        """Moves in words, and what a screen reader says of them."""
        names = names_of(seen.shot)
        mine = seen.shot.to_move
        if self._was_my_turn and not mine:
            self._last_turn = self._count
        added, spoken = list(self._moves.rows), []
        for event in seen.happened:
            self._count += 1
            told_line = line(self._count, event, names)
            if told_line is None:
                continue
            drawn = drawn_on(self._told[-1][1], event) if self._told and added else None
            row = None if drawn is None else line(self._told[-1][0], drawn, names)
            if row is not None:
                self._told[-1] = (row.id, drawn)
                added[-1] = row
                spoken.append(told_line.text)
                continue
            self._told.append((self._count, event))
            added.append(told_line)
            spoken.append(told_line.text)
        del self._told[:-MOST_MOVES]
        self._moves.show(added[-MOST_MOVES:])
        if spoken:
            self.sinceChanged.emit()
        spoken.extend(self._came(seen.shot))
        if mine and not self._was_my_turn:
            self._warned = False
            spoken.append(self.face.prompt)
            self.my_turn_began.emit()
        self._was_my_turn = mine
        self._stage.announce(". ".join(spoken[-MOST_SPOKEN:]), urgent=mine)

    def _came(self, shot: TableShot) -> list[str]:
        """The new cards of the own hand, in words for a screen reader."""
        hand = () if shot.view is None else shot.view.hand
        before, self._held = self._held, frozenset(each.slot for each in hand)
        cards = [card_name(each.face) for each in hand if each.slot not in before]
        if not cards:
            return []
        text = (
            translate("Table", "New in your hand: {cards}")
            if before
            else translate("Table", "Your hand: {cards}")
        )
        return [text.replace("{cards}", listed(cards))]

    # ---- time -------------------------------------------------------------------------------

    def _tick(self) -> None:
        shot = self._shot
        if shot is None:
            return
        now = time.monotonic()
        if shot.waits or self._uno_since is not None:
            self._again()
        total, left = self._clock(shot, now)
        # Whole seconds: each step has the whole window drawn where there is no graphics card.
        if (total, left) != (self._clock_total, self._clock_left):
            self._clock_total, self._clock_left = total, left
            self.clockChanged.emit()
        if (
            self.face.my_turn
            and not self.face.paused
            and 0 < left <= ANNOUNCE_AT
            and not self._warned
        ):
            self._warned = True
            self._stage.announce(
                translate("Table", "%n seconds left", "", ANNOUNCE_AT), urgent=True
            )
        if self._shown is not None and now > self._shown.ends:
            self.closeShown()
        # What was refused is tried again: its question is not asked.
        self._plan()

    def _clock(self, shot: TableShot, now: float) -> tuple[float, float]:
        """Seconds in all, and those left: of the turn, or of the wait for which its clock stands.

        Nothing is counted where nobody knows how long it takes, nor once it is over.
        """
        if self.face.paused:
            left = float(max((row.seconds_left for row in self._sleeping.rows), default=-1))
            return (max(left, float(shot.ruleset.grace_first_s)), left) if left > 0 else (0.0, 0.0)
        if shot.clock is None or not shot.clock.total:
            return 0.0, 0.0
        # It is full, and stands, until the cards are dealt.
        left = float(shown_seconds(shot.clock.total - max(0.0, now - shot.clock.since)))
        return (shot.clock.total, left) if left else (0.0, 0.0)

    # ---- what the player does ---------------------------------------------------------------

    def _legal(self) -> tuple[Action, ...]:
        shot = self._newest
        return () if shot is None or shot.view is None else shot.view.legal

    def _do(self, kind: type[Action]) -> None:
        """Do the one legal act of this kind, if there is one now."""
        for action in self._legal():
            if isinstance(action, kind):
                self._send(action)
                return
        made, when = self._made
        if isinstance(made, kind) and time.monotonic() < when + TOO_LATE_SECONDS:
            return  # the player wanted what was done by itself just now
        self._refuse(translate("Table", "This cannot be done at this moment."))

    def _refuse(self, why: str) -> None:
        self._stage.notice(why, of="table")

    def refused(self, why: str) -> None:
        """The table did not take what the player did."""
        by_itself, self._by_itself, self._under_way = self._by_itself, False, None
        if not by_itself:
            self._refuse(why)

    @Slot(int)
    def play(self, slot: int) -> None:
        """Lay a card; a wild one asks for its colour first."""
        choices = self._plays(slot)
        if not choices:
            self._refuse(self.whyNot(slot))
        elif any(each.colour is not None for each in choices):
            self._set_colour_slot(slot)
        else:
            self._lay(choices)

    @Slot(int)
    def jumpIn(self, slot: int) -> None:
        """Lay a card out of turn (house rule)."""
        self.play(slot)

    def _plays(self, slot: int) -> list[Play]:
        return [each for each in self._legal() if isinstance(each, Play) and each.slot == slot]

    def _lay(self, choices: list[Play]) -> None:
        with_uno = [each for each in choices if each.uno]
        plain = [each for each in choices if not each.uno]
        chosen = (with_uno or plain) if self._armed else (plain or with_uno)
        self._set_armed(False)
        self._send(chosen[0])

    @Slot(int)
    def chooseColour(self, colour: int) -> None:
        """The colour of the wild card that was chosen, or of the starting card."""
        slot = self._colour_slot
        if slot is None:
            for action in self._legal():
                if isinstance(action, NameColour) and action.colour == colour:
                    self._send(action)
            return
        self._set_colour_slot(None)
        choices = [each for each in self._plays(slot) if each.colour == colour]
        if choices:
            self._lay(choices)

    @Slot()
    def cancelColour(self) -> None:
        """Lay no wild card after all."""
        self._set_colour_slot(None)

    @Slot()
    def draw(self) -> None:
        """Draw a card."""
        self._do(Draw)

    @Slot()
    def keep(self) -> None:
        """Keep the card just drawn."""
        self._do(Keep)

    @Slot()
    def uno(self) -> None:
        """Say "UNO": now, if it is owed, else with the next card."""
        if any(isinstance(each, SayUno) for each in self._legal()):
            self._do(SayUno)
        elif any(isinstance(each, Play) and each.uno for each in self._legal()):
            self._set_armed(not self._armed)
        else:
            self._refuse(translate("Table", "You do not have to say “UNO” now."))

    @Slot(int)
    def catchSeat(self, seat: int) -> None:
        """Catch somebody who has not said "UNO"; -1: whoever can be caught."""
        for action in self._legal():
            if isinstance(action, Catch) and seat in (action.seat, -1):
                self._send(action)
                return
        self._refuse(
            translate("Table", "There is nothing to catch: “UNO” was said, or it is too late.")
        )

    @Slot()
    def accept(self) -> None:
        """Take the penalty."""
        self._do(Accept)

    @Slot()
    def challenge(self) -> None:
        """Doubt that the Wild Draw Four was allowed."""
        self._do(Challenge)

    @Slot()
    def object(self) -> None:
        """Object to the card just laid."""
        self._do(Object)

    @Slot(int)
    def swapWith(self, seat: int) -> None:
        """Exchange hands with this seat."""
        self._do_about(Swap, seat)

    @Slot(int)
    def accuse(self, seat: int) -> None:
        """Accuse this seat of advising."""
        self._do_about(Accuse, seat)

    def _do_about(self, kind: type[Swap] | type[Accuse], seat: int) -> None:
        for action in self._legal():
            if isinstance(action, kind) and action.seat == seat:
                self._send(action)
                return
        self._refuse(translate("Table", "This cannot be done at this moment."))

    @Slot(bool)
    def vote(self, guilty: bool) -> None:
        """Vote on the accusation."""
        for action in self._legal():
            if isinstance(action, Vote) and action.guilty == guilty:
                self._send(action)
                return

    @Slot()
    def claim(self) -> None:
        """Wait no longer for somebody who fell silent."""
        if self.face.can_claim:
            self.claimed.emit()

    @Slot(int, result=str)
    def whyNot(self, slot: int) -> str:
        """Why this card cannot be played; "" if it can."""
        shot = self._newest
        view = None if shot is None else shot.view
        if shot is None or view is None or shot.mine is None:
            return translate("Table", "Everybody is shuffling the cards")
        if self._plays(slot):
            return ""
        for refused, why in view.unplayable:
            if refused == slot:
                return play_refusal(why)
        if view.decider is not None and view.decider != shot.mine:
            name = isolated(shot.people[view.decider].name)
            return translate("Table", "It is {name}'s turn").replace("{name}", name)
        return translate("Table", "This cannot be done at this moment.")

    @Slot()
    def closeShown(self) -> None:
        """The shown hand was looked at."""
        self._shown = None
        self.shownChanged.emit()
        self._again()

    @Slot()
    def sortNext(self) -> None:
        """Lay the hand out in the next way."""
        ways = ("hand", "colour", "value")
        now = ways.index(self._settings.kept.sorting)
        self._settings.put("sorting", ways[(now + 1) % len(ways)])

    @Slot()
    def tellAgain(self) -> None:
        """Say again what a player has to know who cannot look at the table."""
        parts = (self._get_since(), self.face.top_text, self.face.prompt)
        self._stage.announce(". ".join(part for part in parts if part), urgent=True)

    @Slot()
    def leave(self) -> None:
        """Leave the table, after asking where that harms somebody."""
        self._stage.ask_to_leave(lambda: None)

    # ---- properties -------------------------------------------------------------------------

    def _set_colour_slot(self, slot: int | None) -> None:
        if slot != self._colour_slot:
            self._colour_slot = slot
            self._colour_for = None if self._newest is None else _decision(self._newest)
            self.colourWantedChanged.emit()
            if slot is not None:
                self._stage.announce(translate("Table", "Choose a colour"), urgent=True)

    def _set_armed(self, armed: bool) -> None:
        if armed != self._armed:
            self._armed = armed
            self.unoArmedChanged.emit()

    def _get_armed(self) -> bool:
        return self._armed

    def _get_colour_wanted(self) -> bool:
        return self._colour_slot is not None or self.face.start_colour_wanted

    def _get_colour_slot(self) -> int:
        return -1 if self._colour_slot is None else self._colour_slot

    def _get_clock_total(self) -> float:
        return self._clock_total

    def _get_clock_left(self) -> float:
        return self._clock_left

    def _get_shown(self) -> dict[str, Any]:
        hand = self._shown
        return {"open": False} if hand is None else hand.face(self._newest, time.monotonic())

    def _get_round_end(self) -> dict[str, Any]:
        return self._round_end

    def _get_since(self) -> str:
        shot = self._shot
        if shot is None:
            return ""
        lines: list[MoveLine] = []
        for each in self._moves.rows:
            mine = shot.mine is not None and each.seat == shot.mine
            # A turn may have come and gone between two pictures, and its own moves are known.
            if each.id <= self._last_turn or (mine and (not lines or each.kind in OWN_TURN)):
                lines.clear()
            else:
                lines.append(each)
        if not lines:
            return translate("Table", "Nothing has happened since your last turn")
        said = ". ".join(each.text for each in lines[-MOST_SPOKEN:])
        return translate("Table", "Since your last turn: {moves}").replace("{moves}", said)

    def _get_hand(self) -> QObject:
        return self._hand

    def _get_opponents(self) -> QObject:
        return self._opponents

    def _get_totals(self) -> QObject:
        return self._totals

    def _get_dealing(self) -> QObject:
        return self._dealing

    def _get_sleeping(self) -> QObject:
        return self._sleeping

    def _get_moves(self) -> QObject:
        return self._moves

    hand = Property(QObject, _get_hand, constant=True)
    opponents = Property(QObject, _get_opponents, constant=True)
    totals = Property(QObject, _get_totals, constant=True)
    dealing = Property(QObject, _get_dealing, constant=True)
    sleeping = Property(QObject, _get_sleeping, constant=True)
    moves = Property(QObject, _get_moves, constant=True)
    unoArmed = Property(bool, _get_armed, _set_armed, notify=unoArmedChanged)
    colourWanted = Property(bool, _get_colour_wanted, notify=colourWantedChanged)
    colourSlot = Property(int, _get_colour_slot, notify=colourWantedChanged)
    clockTotal = Property(float, _get_clock_total, notify=clockChanged)
    clockLeft = Property(float, _get_clock_left, notify=clockChanged)
    shown = Property(dict, _get_shown, notify=shownChanged)
    roundEnd = Property(dict, _get_round_end, notify=roundEndChanged)
    since = Property(str, _get_since, notify=sinceChanged)
    seated = told(bool, "seated", changed)
    mySeat = told(int, "my_seat", changed)
    me = told(dict, "me", changed)
    topColour = told(int, "top_colour", changed)
    topRank = told(int, "top_rank", changed)
    colour = told(int, "colour", changed)
    topText = told(str, "top_text", changed)
    drawPile = told(int, "draw_pile", changed)
    discardPile = told(int, "discard_pile", changed)
    discards = told(list, "discards", changed)
    clockwise = told(bool, "clockwise", changed)
    turnSeat = told(int, "turn_seat", changed)
    turnName = told(str, "turn_name", changed)
    myTurn = told(bool, "my_turn", changed)
    prompt = told(str, "prompt", changed)
    target = told(int, "target", changed)
    penalty = told(int, "penalty", changed)
    dealerSeat = told(int, "dealer_seat", changed)
    dealerName = told(str, "dealer_name", changed)
    lastSeat = told(int, "last_seat", changed)
    lastName = told(str, "last_name", changed)
    roundNumber = told(int, "round_number", changed)
    tableName = told(str, "table_name", changed)
    phase = told(str, "phase", changed)
    dealingText = told(str, "dealing_text", changed)
    chosen = told(list, "chosen", changed)
    canDraw = told(bool, "can_draw", changed)
    drawPasses = told(bool, "draw_passes", changed)
    canKeep = told(bool, "can_keep", changed)
    canUno = told(bool, "can_uno", changed)
    canAccept = told(bool, "can_accept", changed)
    canChallenge = told(bool, "can_challenge", changed)
    canObject = told(bool, "can_object", changed)
    canJumpIn = told(bool, "can_jump_in", changed)
    canAccuse = told(bool, "can_accuse", changed)
    mustPlay = told(bool, "must_play", changed)
    catchSeats = told(list, "catch_seats", changed)
    swapWanted = told(bool, "swap_wanted", changed)
    swapSeats = told(list, "swap_seats", changed)
    challengeQuestion = told(dict, "challenge_question", changed)
    voteQuestion = told(dict, "vote_question", changed)
    paused = told(bool, "paused", changed)
    pausedText = told(str, "paused_text", changed)
    canClaim = told(bool, "can_claim", changed)
    hostAway = told(bool, "host_away", changed)
    hostText = told(str, "host_text", changed)
    voidText = told(str, "void_text", changed)


def _decision(shot: TableShot) -> tuple[int, int] | None:
    """Which decision is open: the round, and its number there."""
    return None if shot.view is None else (shot.number, shot.view.decision)


def _seconds_left(shot: TableShot, ends: float, now: float) -> int:
    """How long the table still waits for somebody; -1 while nobody counts that."""
    endless = shot.short_of is not None or bool(shot.claimable)
    left = shown_seconds(ends - now)
    # A 0 that stays would be no number: what follows is up to the host.
    return -1 if endless or not left else left
