"""The table: what lies on it, what the player may do, and what is animated.

Everything follows from snapshots; nothing about the game is decided here. The player's actions
apply to the newest snapshot, even if the display lags behind it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf
from operator import attrgetter
from random import SystemRandom
from typing import Any, Final

from PySide6.QtCore import Property, QObject, QTimer, Signal, SignalInstance, Slot

from lanuno.app.automatic_moves import AutomaticMoves, automatic, pause_ms
from lanuno.app.controllers.fields import view_properties
from lanuno.app.controllers.navigator import Navigator
from lanuno.app.controllers.pacer import Pacer
from lanuno.app.controllers.round_end import round_end, round_just_ended
from lanuno.app.controllers.settings import SettingsController
from lanuno.app.controllers.shown_hand import ShownHandPanel, decided_challenge, verdict_text
from lanuno.app.controllers.table_view import ScreenState, TableView, names_of, table_view
from lanuno.app.models.rows import Rows
from lanuno.app.models.table_rows import DealLine, HandCard, MoveLine, Opponent
from lanuno.app.move_texts import DISCARD_PILE, line, merged, motions, qml_card
from lanuno.app.problem_texts import play_refusal
from lanuno.app.texts import card_name, filled, isolated, listed, translate
from lanuno.client.events import TableUpdated
from lanuno.client.snapshot import TableSnapshot, TableStage
from lanuno.rules.engine import events
from lanuno.rules.engine.actions import (
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
CLOCK_TICK_MS: Final = 200
HAND_SECONDS: Final = 1.2
"""Seconds in which a shown hand is looked at before what was found in it is said."""
VERDICT_SECONDS: Final = 4.0
"""Seconds for which the verdict is shown beside the hand. A click ends both at once."""
VERDICT_ALONE_SECONDS: Final = 2.0
"""The same for those who do not see the hand."""
VERDICT_LIMIT_SECONDS: Final = 12.0
"""Limit for a hand whose verdict does not come."""
ANNOUNCE_CLOCK_AT_SECONDS: Final = 10
ROUND_END_SECONDS: Final = 2.1
"""Seconds for which the end of a round is shown before its score: the last card lands, then the
winner is shown. A key or a click ends this immediately."""
TURN_ENDING_KINDS: Final = ("play", "keep")
"""Kinds of moves that end a turn."""
MOST_SPOKEN: Final = 40
"""Limit for moves announced together: more than nine others make in one turn, less than a match."""
TOO_LATE_SECONDS: Final = 1.5
"""Seconds after an automatic move in which a click for the same move is ignored."""


class TableController(QObject):
    """The table, for QML. Seats are ints in roster order; colours 0…3, -1 none or wild.

      seated, mySeat, me {seat, name, avatar, count, uno, owesUno, points, team, dealer, turn, host,
        last, out}
      hand: Rows of HandCard; opponents: Rows of Opponent, clockwise
      colour, topText, drawPile, discardPile, discards [{slot, colour, rank}], clockwise, turnSeat,
      myTurn, prompt, target, penalty, dealerSeat, dealerName, lastName, roundNumber, tableName,
      agreed (how many of the rounds agreed on were played; "" for a whole match)
      phase: "choosing-dealer", "dealing", "playing", "recovering", "halted",
        "revealing", "over"
      dealing: Rows of DealLine, dealingText, chosen [{seat, name, cards}] (the dealer round)
      clockTotal, clockLeft: seconds of the turn, or of the wait for a missing player; 0 without a
        clock. clockLeft is whole, rounded up, and the same number as in `opponents` and pausedText
      canDraw, drawPasses (no card is left, so a draw is a pass), canKeep, canUno, canObject,
      canJumpIn, canAccuse, catchSeats [int]
      colourWanted, colourSlot (-1: the starting card); swapSeats [int]
      challengeQuestion {open, by, colour (that a challenge is about, else -1), title, text,
        canChallenge, acceptText}
      voteQuestion {open, text, canVote}
      shown {open, seat, title, verdict, toAll, cards}: the moment of a challenge. The cards are
        there if the hand was shown to this player alone, or opened to everybody
      paused, anyoneAway (the table waits for a player), pausedText, canClaim, hostAway (so it
        is paused), voidText
      moves: Rows of MoveLine; since: the moves since this player's last turn, in words
      roundEnd {open, seat (-1: no winner), text, name, avatar, bot}: a round has just ended
      unoArmed (rw): say "UNO" with the next card
    Slots: play(slot), chooseColour(colour), cancelColour(), draw(), keep(), uno(),
      catchSeat(seat), accept(), challenge(), object(), swapWith(seat), accuse(seat), vote(guilty),
      claim(), whyNot(slot) -> str, closeShown(), sortNext() (the next way of sorting),
      tellAgain() (announce the moves since the last turn, the top card, and the prompt),
      closeRoundEnd() (continue after the end of a round)
      botPlays: whether a bot plays on for this player; takeOver() ends that
    Signals: moved(kind, fromSeat, toSeat, cards) in log order, but "lay": this player's card, at
      the click, and "back": it was not taken; jumped(): show the new state without animations.
    """

    changed = Signal()
    clockChanged = Signal()
    shownChanged = Signal()
    sinceChanged = Signal()
    unoArmedChanged = Signal()
    roundEndChanged = Signal()
    released = Signal()
    """The end of the round was shown, so other pages may open."""
    moved = Signal(str, int, int, list)
    jumped = Signal()
    my_turn_began = Signal()
    """This player's turn began; a sound and an alert follow."""
    acted = Signal(object)
    """The player wants to do this `Action`."""
    claimed = Signal()
    """The player ends the wait for a missing player."""
    botPlaysChanged = Signal()
    takenOver = Signal()
    """The player plays again instead of the bot."""

    def __init__(self, navigator: Navigator, settings: SettingsController) -> None:
        """Begin with an empty table."""
        super().__init__(navigator)
        self._navigator = navigator
        self._settings = settings
        self.view = TableView()
        self._score_holds: Callable[[TableUpdated], bool] = lambda _update: False
        self.pacer = Pacer(self.show, self, holds=self._holds)
        self._snapshot: TableSnapshot | None = None
        """The snapshot that is displayed."""
        self._newest_snapshot: TableSnapshot | None = None
        """The newest snapshot, to which the player's actions apply."""
        self._hand = Rows(HandCard, "slot", self)
        self._opponents = Rows(Opponent, "seat", self)
        self._dealing = Rows(DealLine, "seat", self)
        self._moves = Rows(MoveLine, "id", self)
        self._told_events: list[tuple[int, object]] = []
        self._event_count = 0
        self._last_turn_event = 0
        """Number of the last event before the player's last turn ended."""
        self._announced_slots: frozenset[int] = frozenset()
        """Slots of the hand at its last announcement."""
        self._said_uno: set[int] = set()
        self._uno_owed_since: tuple[int, float] | None = None
        self._colour_slot = -1
        """Slot of the wild card whose colour is to be chosen; -1 if there is none."""
        self._colour_decision: tuple[int, int] | None = None
        """The decision for which the wild card was chosen: its round, and its number there."""
        self._shown_hand: ShownHandPanel | None = None
        self._verdict_from = inf
        """When a verdict may follow the shown hand, by `time.monotonic`."""
        self._held_update: tuple[TableUpdated, bool] | None = None
        """The update with the cards that follow a verdict, and whether it is a jump."""
        self._challenge_holds = False
        """Whether updates wait for the moment of a challenge."""
        self.challenge_waits = True
        """Whether what follows a challenge waits for its moment."""
        self.round_end_seconds = ROUND_END_SECONDS
        """How long the end of a round is shown; 0: not at all."""
        self._round_end: dict[str, Any] = {"open": False}
        self._round_end_timer = QTimer(self)
        self._round_end_timer.setSingleShot(True)
        self._round_end_timer.timeout.connect(self.closeRoundEnd)
        self._uno_armed = False
        self._bot_plays = False
        self._clock_total = self._clock_left = 0.0
        self._clock_announced = False
        self._was_my_turn = False
        self._sent_decision: tuple[int, int] | None = None
        """The decision for which an action was sent and not answered yet."""
        self._refused_at: tuple[int, int] | None = None
        """The decision that was open at the last refusal whose reason is shown."""
        self._sent_automatically = False
        """Whether that action was an automatic one."""
        self._laid_for: tuple[int, int] | None = None
        """The decision for which a card was laid that is not in the log yet."""
        self._planned_action: tuple[int, int, Action] | None = None
        """The automatic action that is about to be sent, and its decision."""
        self._last_automatic: tuple[Action | None, float] = None, 0.0
        """The last automatic action, and when it was sent."""
        self.chance: Callable[[int], int] = SystemRandom().randrange
        self._automatic_timer = QTimer(self)
        self._automatic_timer.setSingleShot(True)
        self._automatic_timer.timeout.connect(self._send_planned)
        self._clock_timer = QTimer(self)
        self._clock_timer.setInterval(CLOCK_TICK_MS)
        self._clock_timer.timeout.connect(self._tick)
        settings.sortingChanged.connect(self._refresh)
        for changed in (
            settings.autoKeepChanged,
            settings.autoDrawChanged,
            settings.autoAcceptChanged,
        ):
            changed.connect(self._refresh)
            changed.connect(self._plan_automatic)
        navigator.retranslated.connect(self._retranslate)

    # ---- snapshots --------------------------------------------------------------------------

    def clear(self) -> None:
        """Forget everything, because another table begins."""
        self.pacer.clear()
        self._clock_timer.stop()
        self._round_end_timer.stop()
        self._round_end = {"open": False}
        self._automatic_timer.stop()
        self._planned_action = self._sent_decision = self._refused_at = None
        self._sent_automatically, self._laid_for = False, None
        self._snapshot = self._newest_snapshot = None
        self._told_events.clear()
        self._said_uno.clear()
        self._uno_owed_since = self._shown_hand = self._held_update = None
        self._verdict_from, self._challenge_holds = inf, False
        self._colour_slot, self._uno_armed = -1, False
        self._was_my_turn = False
        self.let_bot_play(False)
        self._last_turn_event = self._event_count
        self._announced_slots = frozenset()
        for rows in (self._hand, self._opponents, self._dealing, self._moves):
            rows.show([])
        self.view = TableView()
        self._clock_total = self._clock_left = 0.0
        for signal in (
            self.changed,
            self.clockChanged,
            self.shownChanged,
            self.sinceChanged,
            self.unoArmedChanged,
            self.roundEndChanged,
        ):
            signal.emit()

    def receive(self, update: TableUpdated) -> None:
        """Accept the newest update; the pacer displays it in its turn."""
        self._newest_snapshot = update.snapshot
        self._check_laid(update)
        self._close_outdated()
        if self._round_end["open"] and update.snapshot.void is not None:
            # The round that seemed to end is void.
            self.closeRoundEnd()
        self.pacer.enqueue(update)
        if self._snapshot is not update.snapshot and self._has_question():
            self._refresh()

    def let_bot_play(self, on: bool) -> None:
        """Let the player watch a bot that plays on for them, or play again."""
        if on != self._bot_plays:
            self._bot_plays = on
            self._set_colour_slot(-1)
            self._set_armed(False)
            self.botPlaysChanged.emit()
            self._refresh()
            self._plan_automatic()

    @Slot()
    def takeOver(self) -> None:
        """Play again instead of the bot."""
        if self._bot_plays:
            self.takenOver.emit()

    def _has_question(self) -> bool:
        """Whether a question of the game is open."""
        asked = (self.view.challenge_question, self.view.vote_question)
        return self.view.colour_wanted or any(each.get("open") for each in asked)

    def _close_outdated(self) -> None:
        """Close what was opened for a decision, or a round, that is over now."""
        snapshot = self._newest_snapshot
        if snapshot is None:
            return
        if (
            self._colour_decision != _decision(snapshot)
            or not snapshot.in_contact
            or not self._plays_of(self._colour_slot)
        ):
            self._set_colour_slot(-1)
        hand = self._shown_hand
        lively = snapshot.stage in (TableStage.PLAYING, TableStage.RECOVERING)
        if hand is not None and (hand.number != snapshot.number or not lively):
            self.closeShown()

    def show(self, update: TableUpdated, jump: bool = False) -> None:
        """Display this update; one that decides a challenge after the verdict's moment."""
        if self._held_update is not None:
            self.closeShown()
        if self._tell_verdict(update):
            self._held_update = update, jump
        else:
            self._display(update, jump)

    def _display(self, update: TableUpdated, jump: bool) -> None:
        snapshot = self._snapshot = update.snapshot
        if self._newest_snapshot is None:
            self._newest_snapshot = snapshot
        self._note_events(update)
        self._close_outdated()
        self._close_refusal(snapshot)
        self._refresh()
        names = names_of(snapshot)
        own = {} if snapshot.view is None else {held.slot: held.face for held in snapshot.view.hand}
        if jump:
            self.jumped.emit()
        else:
            for motion in motions(update.happened, names, own):
                self.moved.emit(motion.kind, motion.source, motion.target, list(motion.cards))
        self._announce_events(update)
        self._show_round_end(update)
        if not self._clock_timer.isActive():
            self._clock_timer.start()
        self._tick()
        self.clockChanged.emit()
        self._plan_automatic()

    # ---- automatic moves --------------------------------------------------------------------

    def _automatic(self) -> tuple[int, int, Action] | None:
        """The automatic action for the newest snapshot, with its decision."""
        snapshot = self._newest_snapshot
        own = snapshot is not None and not self._bot_plays
        act = automatic(snapshot, self._automatic_moves()) if snapshot is not None and own else None
        decision = _decision(snapshot)
        if decision is None or act is None or decision == self._sent_decision:
            return None
        return (*decision, act)

    def _plan_automatic(self) -> None:
        """Plan to send the automatic action after a pause in which the player sees the state."""
        planned = self._automatic() if self._snapshot is self._newest_snapshot else None
        if planned == self._planned_action:
            return
        self._planned_action = planned
        self._automatic_timer.stop()
        if planned is not None:
            motion = self._settings.values.motion
            pause = pause_ms(planned[2], motion, self.chance)
            self._automatic_timer.start(
                pause + (round(1000 * self._seconds_of_deal_left()) if motion else 0)
            )

    def _seconds_of_deal_left(self) -> float:
        """Seconds until the cards are dealt; no clock runs before that."""
        clock = None if self._snapshot is None else self._snapshot.clock
        return 0.0 if clock is None else max(0.0, clock.since - time.monotonic())

    def _send_planned(self) -> None:
        planned, self._planned_action = self._planned_action, None
        # The table may have moved on, or the player may have acted already.
        if planned is not None and planned == self._automatic():
            self._last_automatic = planned[2], time.monotonic()
            self._send(planned[2], automatically=True)

    def _send(self, action: Action, *, automatically: bool = False) -> None:
        """Send an action of this player, and close the colour picker if it decides something."""
        if not isinstance(action, ANY_TIME):
            self._set_colour_slot(-1)
            if self._held_update is not None:
                self.closeShown()
        decision = _decision(self._newest_snapshot)
        if decision is not None and not isinstance(action, ANY_TIME):
            if self._sent_automatically and decision == self._sent_decision:
                return  # the app did the same a moment ago
            self._sent_decision, self._sent_automatically = decision, automatically
            self._plan_automatic()
        if isinstance(action, Play):
            self._lay(action.slot)
        self.acted.emit(action)

    def _lay(self, slot: int) -> None:
        """Show a card of this player on the pile, before the host has taken it."""
        snapshot = self._newest_snapshot
        view = None if snapshot is None else snapshot.view
        if view is None or view.seat is None:
            return
        self._laid_for = _decision(snapshot)
        card = [qml_card(slot, held.face) for held in view.hand if held.slot == slot]
        self.moved.emit("lay", view.seat, DISCARD_PILE, card)

    def _take_back(self) -> None:
        """Show that the card which was laid is still in the hand."""
        if self._laid_for is not None:
            self._laid_for = None
            self.moved.emit("back", self.view.my_seat, self.view.my_seat, [])

    def _check_laid(self, update: TableUpdated) -> None:
        """Take the laid card back if it cannot be played any more."""
        mine = update.snapshot.mine
        if any(isinstance(each, events.Played) and each.seat == mine for each in update.happened):
            self._laid_for = None
        elif self._laid_for != _decision(update.snapshot) or not update.snapshot.in_contact:
            self._take_back()

    def _note_events(self, update: TableUpdated) -> None:
        for event in update.happened:
            match event:
                case events.UnoSaid():
                    self._said_uno.add(event.seat)
                case events.Dealt():
                    self._said_uno.discard(event.seat)
                case events.Shown() if event.to == update.snapshot.mine:
                    self._show_hand(update.snapshot, event)
                case _:
                    pass
        view = update.snapshot.view
        owed = None if view is None else view.uno_owed
        if owed is None:
            self._uno_owed_since = None
        elif self._uno_owed_since is None or self._uno_owed_since[0] != owed:
            self._uno_owed_since = (owed, time.monotonic())
        if not update.snapshot.to_move and self._uno_armed:
            self._set_armed(False)

    # ---- the moment of a challenge ----------------------------------------------------------

    def _show_hand(self, snapshot: TableSnapshot, event: events.Shown) -> None:
        """Show this player the hand that was challenged; its verdict waits a moment."""
        now = time.monotonic()
        ends = now + VERDICT_LIMIT_SECONDS
        self._shown_hand = ShownHandPanel(
            snapshot.number, event.seat, event.slots, False, ends, event.to
        )
        if self.challenge_waits:
            self._challenge_holds = True
            self._verdict_from = now + HAND_SECONDS
        self.shownChanged.emit()

    def _tell_verdict(self, update: TableUpdated) -> bool:
        """Show what a challenge has found; return whether the update waits for that moment."""
        decided = decided_challenge(update.happened)
        if decided is None:
            return False
        snapshot, hand = update.snapshot, self._shown_hand
        slots: tuple[int, ...] = () if hand is None else hand.slots
        to_all = False
        for event in update.happened:
            match event:
                case events.HandOpened():
                    slots, to_all = event.slots, True
                case events.Shown() if event.to == snapshot.mine:
                    slots = event.slots
                case _:
                    pass
        seconds = VERDICT_SECONDS if slots else VERDICT_ALONE_SECONDS
        self._shown_hand = ShownHandPanel(
            snapshot.number,
            decided.accused,
            slots,
            to_all,
            time.monotonic() + seconds,
            decided.seat,
            verdict_text(decided, update.happened, self._snapshot, names_of(snapshot)),
        )
        self.shownChanged.emit()
        if self.challenge_waits:
            self._challenge_holds = True
        return self.challenge_waits

    # ---- the end of a round -----------------------------------------------------------------

    def wait_for_score(
        self, holds: Callable[[TableUpdated], bool], went_on: SignalInstance
    ) -> None:
        """Show no update for which `holds` is true; `went_on`: it may have become false."""
        self._score_holds = holds
        went_on.connect(self._show_due)

    def _show_due(self) -> None:
        self.pacer.show_due()

    def _holds(self, update: TableUpdated) -> bool:
        """Whether an update comes after what is shown of the end of the round."""
        return self._challenge_holds or bool(self._round_end["open"]) or self._score_holds(update)

    def _go_on_after_challenge(self) -> None:
        self._challenge_holds = False
        self.pacer.go_on()

    @property
    def shows_round_end(self) -> bool:
        """Whether the end of a round is shown or about to be, so that no page may cover it."""
        return bool(self._round_end["open"]) or (
            self._may_show_round_end()
            and any(round_just_ended(update) is not None for update in self.pacer.queued)
        )

    def _may_show_round_end(self) -> bool:
        return self.round_end_seconds > 0 and self._navigator.property("page") == "table"

    def _show_round_end(self, update: TableUpdated) -> None:
        over = round_just_ended(update)
        if over is None or not self._may_show_round_end():
            return
        self._round_end = {"open": True, **round_end(update.snapshot, over)}
        self._round_end_timer.start(round(self.round_end_seconds * 1000))
        self.roundEndChanged.emit()

    @Slot()
    def closeRoundEnd(self) -> None:
        """Close the display of the end of the round."""
        if not self._round_end["open"]:
            return
        self._round_end_timer.stop()
        self._round_end = {"open": False}
        self.roundEndChanged.emit()
        # First the score: otherwise the next state of the table would be visible for a moment.
        self.released.emit()
        self.pacer.show_due()

    def _screen_state(self, snapshot: TableSnapshot) -> ScreenState:
        now, newest = time.monotonic(), self._newest_snapshot or snapshot
        armed = self._uno_owed_since is None or (
            now - self._uno_owed_since[1] >= snapshot.ruleset.uno_catch_ms / 1000
        )
        return ScreenState(
            sorting=self._settings.values.sorting,
            said_uno=frozenset(self._said_uno),
            catch_armed=armed,
            colour_slot=self._colour_slot,
            waiting=_waiting(snapshot, now),
            answered=_decision(newest) != _decision(snapshot),
            voted=newest.view is None or newest.view.accusation is None,
            automatic=self._automatic_moves(),
            bot_plays=self._bot_plays,
        )

    def _automatic_moves(self) -> AutomaticMoves:
        """Which moves are made without asking."""
        kept = self._settings.values
        return AutomaticMoves(kept.auto_keep, kept.auto_draw, kept.auto_accept)

    def _refresh(self) -> None:
        """Show the same snapshot again: a setting, the language or the time has changed."""
        snapshot = self._snapshot
        if snapshot is None:
            return
        before, self.view = self.view, table_view(snapshot, self._screen_state(snapshot))
        self._hand.show(self.view.hand)
        self._opponents.show(self.view.opponents)
        self._dealing.show(self.view.dealing)
        if before != self.view:
            self.changed.emit()

    def _retranslate(self) -> None:
        if self._snapshot is not None:
            names = names_of(self._snapshot)
            lines = [line(number, event, names) for number, event in self._told_events]
            self._moves.show([each for each in lines if each is not None])
            self.sinceChanged.emit()
        self._refresh()

    def _announce_events(self, update: TableUpdated) -> None:
        """Add moves to the list, in words, and announce them."""
        names = names_of(update.snapshot)
        mine = update.snapshot.to_move and not self._bot_plays
        if self._was_my_turn and not mine:
            self._last_turn_event = self._event_count
        added, spoken, already_told = list(self._moves.rows), [], self._event_count
        for event in update.happened:
            self._event_count += 1
            told_line = line(self._event_count, event, names)
            if told_line is None:
                continue
            number, before = self._told_events[-1] if self._told_events else (0, None)
            together = merged(before, event)
            row = None if together is None else line(number, together, names)
            if row is None:
                self._told_events.append((self._event_count, event))
                added.append(told_line)
                spoken.append(told_line.text)
            else:
                self._told_events[-1] = (number, together)
                added[-1] = row
                # What was announced before is not announced again.
                if number > already_told:
                    spoken[-1] = row.text
                else:
                    spoken.append(told_line.text)
        del self._told_events[:-MOST_MOVES]
        self._moves.show(added[-MOST_MOVES:])
        if spoken:
            self.sinceChanged.emit()
        spoken.extend(self._new_cards_text(update.snapshot))
        if mine and not self._was_my_turn:
            self._clock_announced = False
            spoken.append(self.view.prompt)
            self.my_turn_began.emit()
        self._was_my_turn = mine
        self._navigator.announce(". ".join(spoken[-MOST_SPOKEN:]), urgent=mine)

    def _new_cards_text(self, snapshot: TableSnapshot) -> list[str]:
        """Return the new cards of this player's hand, in words for a screen reader."""
        hand = () if snapshot.view is None else snapshot.view.hand
        before, self._announced_slots = self._announced_slots, frozenset(each.slot for each in hand)
        cards = [card_name(each.face) for each in hand if each.slot not in before]
        if not cards:
            return []
        text = (
            translate("Table", "New in your hand: {cards}")
            if before
            else translate("Table", "Your hand: {cards}")
        )
        return [filled(text, cards=listed(cards))]

    # ---- time -------------------------------------------------------------------------------

    def _tick(self) -> None:
        snapshot = self._snapshot
        if snapshot is None:
            return
        now = time.monotonic()
        if snapshot.waits or self._uno_owed_since is not None:
            self._refresh()
        total, left = self._clock(snapshot, now)
        # Whole seconds: without a graphics card, each step redraws the whole window.
        if (total, left) != (self._clock_total, self._clock_left):
            self._clock_total, self._clock_left = total, left
            self.clockChanged.emit()
        if (
            self.view.my_turn
            and not self.view.paused
            and 0 < left <= ANNOUNCE_CLOCK_AT_SECONDS
            and not self._clock_announced
        ):
            self._clock_announced = True
            self._navigator.announce(
                translate("Table", "%n seconds left", "", ANNOUNCE_CLOCK_AT_SECONDS), urgent=True
            )
        hand = self._shown_hand
        if hand is not None and now > hand.ends:
            self.closeShown()
        elif hand is not None and not hand.verdict and now > self._verdict_from:
            self._verdict_from = inf
            self._go_on_after_challenge()
        # A refused automatic action is tried again, because its question is not shown.
        self._plan_automatic()

    def _clock(self, snapshot: TableSnapshot, now: float) -> tuple[float, float]:
        """Return the total and the remaining seconds of the turn, or of a wait that stops it.

        Both are 0 if the duration is not known, or once the time is over.
        """
        if self.view.paused:
            left = float(max((left for _, left in _waiting(snapshot, now)), default=-1))
            return (max(left, snapshot.ruleset.grace_first_s), left) if left > 0 else (0.0, 0.0)
        if snapshot.clock is None or not snapshot.clock.total:
            return 0.0, 0.0
        # Until the cards are dealt, the clock is full and does not run.
        left = float(shown_seconds(snapshot.clock.total - max(0.0, now - snapshot.clock.since)))
        return (snapshot.clock.total, left) if left else (0.0, 0.0)

    # ---- the player's actions ---------------------------------------------------------------

    def _legal(self) -> tuple[Action, ...]:
        snapshot = self._newest_snapshot
        if self._bot_plays or snapshot is None or snapshot.view is None:
            return ()
        return snapshot.view.legal

    def _send_legal(self, kind: type[Action], **fields: int) -> bool:
        """Send the first legal act of this kind with these values; return whether there is one."""
        for action in self._legal():
            if isinstance(action, kind) and all(
                getattr(action, name) == value for name, value in fields.items()
            ):
                self._send(action)
                return True
        return False

    def _do_only(self, kind: type[Action]) -> None:
        """Do the one legal act of this kind, if there is one now."""
        if self._send_legal(kind):
            return
        made, when = self._last_automatic
        if isinstance(made, kind) and time.monotonic() < when + TOO_LATE_SECONDS:
            return  # the app did what the player wants a moment ago
        self._refuse(translate("Table", "This cannot be done at this moment."))

    def _refuse(self, why: str) -> None:
        if self._newest_snapshot is not None and self._newest_snapshot.mine is None:
            why = translate("Table", "You are watching: only players can do that.")
        elif self._bot_plays:
            why = translate("Table", "A bot plays for you until you take over")
        self._refused_at = _decision(self._newest_snapshot)
        self._navigator.notice(why, of="table")

    def _close_refusal(self, snapshot: TableSnapshot) -> None:
        """Remove the reason of a refusal once another decision is shown: it may be untrue now."""
        refused, shown = self._refused_at, _decision(snapshot)
        if refused is not None and (shown is None or shown > refused):
            self._refused_at = None
            self._navigator.dismiss_of("table")

    def refused(self, why: str) -> None:
        """Handle the refusal of an action: tell the player, unless it was automatic."""
        self._take_back()
        automatically = self._sent_automatically
        self._sent_automatically, self._sent_decision = False, None
        if not automatically:
            self._refuse(why)

    @Slot(int)
    def play(self, slot: int) -> None:
        """Play a card; a wild card asks for its colour first."""
        choices = self._plays_of(slot)
        if not choices:
            self._refuse(self.whyNot(slot))
        elif any(each.colour is not None for each in choices):
            self._set_colour_slot(slot)
        else:
            self._play_one(choices)

    def _plays_of(self, slot: int) -> list[Play]:
        return [each for each in self._legal() if isinstance(each, Play) and each.slot == slot]

    def _play_one(self, choices: list[Play]) -> None:
        with_uno = [each for each in choices if each.uno]
        plain = [each for each in choices if not each.uno]
        chosen = (with_uno or plain) if self._uno_armed else (plain or with_uno)
        self._set_armed(False)
        self._send(chosen[0])

    @Slot(int)
    def chooseColour(self, colour: int) -> None:
        """Choose the colour of the selected wild card, or of the starting card."""
        slot = self._colour_slot
        if slot < 0:
            self._send_legal(NameColour, colour=colour)
            return
        self._set_colour_slot(-1)
        choices = [each for each in self._plays_of(slot) if each.colour == colour]
        if choices:
            self._play_one(choices)

    @Slot()
    def cancelColour(self) -> None:
        """Do not play the wild card after all."""
        self._set_colour_slot(-1)

    @Slot()
    def draw(self) -> None:
        """Draw a card."""
        self._do_only(Draw)

    @Slot()
    def keep(self) -> None:
        """Keep the card just drawn."""
        self._do_only(Keep)

    @Slot()
    def uno(self) -> None:
        """Say "UNO": now if it is owed, else with the next card."""
        if any(isinstance(each, SayUno) for each in self._legal()):
            self._do_only(SayUno)
        elif any(isinstance(each, Play) and each.uno for each in self._legal()):
            self._set_armed(not self._uno_armed)
        else:
            self._refuse(translate("Table", "You do not have to say “UNO” now."))

    @Slot(int)
    def catchSeat(self, seat: int) -> None:
        """Catch a player who has not said "UNO"; -1: the first who can be caught."""
        if not (self._send_legal(Catch) if seat == -1 else self._send_legal(Catch, seat=seat)):
            self._refuse(
                translate("Table", "There is nothing to catch: “UNO” was said, or it is too late.")
            )

    @Slot()
    def accept(self) -> None:
        """Accept the penalty."""
        self._do_only(Accept)

    @Slot()
    def challenge(self) -> None:
        """Challenge the Wild Draw Four."""
        self._do_only(Challenge)

    @Slot()
    def object(self) -> None:
        """Object to the card just played."""
        self._do_only(Object)

    @Slot(int)
    def swapWith(self, seat: int) -> None:
        """Exchange hands with this seat."""
        self._do_against(Swap, seat)

    @Slot(int)
    def accuse(self, seat: int) -> None:
        """Accuse this seat of advising."""
        self._do_against(Accuse, seat)

    def _do_against(self, kind: type[Swap] | type[Accuse], seat: int) -> None:
        if not self._send_legal(kind, seat=seat):
            self._refuse(translate("Table", "This cannot be done at this moment."))

    @Slot(bool)
    def vote(self, guilty: bool) -> None:
        """Vote on the accusation."""
        self._send_legal(Vote, guilty=guilty)

    @Slot()
    def claim(self) -> None:
        """End the wait for a missing player."""
        if self.view.can_claim:
            self.claimed.emit()

    @Slot(int, result=str)
    def whyNot(self, slot: int) -> str:
        """Return why this card cannot be played; "" if it can."""
        snapshot = self._newest_snapshot
        view = None if snapshot is None else snapshot.view
        if snapshot is None or view is None or snapshot.mine is None:
            return translate("Table", "Everybody is shuffling the cards")
        if self._bot_plays:
            return translate("Table", "A bot plays for you until you take over")
        if self._plays_of(slot):
            return ""
        for refused, why in view.unplayable:
            if refused == slot:
                return play_refusal(why)
        if view.decider is not None and view.decider != snapshot.mine:
            name = isolated(snapshot.people[view.decider].name)
            return filled(translate("Table", "It is {name}'s turn"), name=name)
        return translate("Table", "This cannot be done at this moment.")

    @Slot()
    def closeShown(self) -> None:
        """End the moment of a challenge: the cards follow."""
        if self._shown_hand is None:
            return
        held, self._held_update, self._shown_hand = self._held_update, None, None
        self.shownChanged.emit()
        if held is None:
            self._refresh()
        else:
            self._display(*held)
        self._go_on_after_challenge()

    @Slot()
    def sortNext(self) -> None:
        """Sort the hand in the next way."""
        ways = ("hand", "colour", "value")
        now = ways.index(self._settings.values.sorting)
        self._settings.change("sorting", ways[(now + 1) % len(ways)])

    @Slot()
    def tellAgain(self) -> None:
        """Announce the situation again, for a player who cannot see the table."""
        parts = (self._get_since(), self.view.top_text, self.view.prompt)
        self._navigator.announce(". ".join(part for part in parts if part), urgent=True)

    # ---- properties -------------------------------------------------------------------------

    def _set_colour_slot(self, slot: int) -> None:
        if slot != self._colour_slot:
            self._colour_slot = slot
            self._colour_decision = _decision(self._newest_snapshot)
            self._refresh()
            if slot >= 0:
                self._navigator.announce(translate("Table", "Choose a colour"), urgent=True)

    def _set_armed(self, armed: bool) -> None:
        if armed != self._uno_armed:
            self._uno_armed = armed
            self.unoArmedChanged.emit()

    def _get_shown(self) -> dict[str, Any]:
        hand, newest = self._shown_hand, self._newest_snapshot
        if hand is None:
            return {"open": False}
        return hand.as_qml(newest, None if newest is None else names_of(newest))

    def _get_since(self) -> str:
        snapshot = self._snapshot
        if snapshot is None or snapshot.mine is None:
            return ""
        lines: list[MoveLine] = []
        for each in self._moves.rows:
            mine = each.seat == snapshot.mine
            # A turn may have begun and ended between two snapshots.
            if each.id <= self._last_turn_event or (
                mine and (not lines or each.kind in TURN_ENDING_KINDS)
            ):
                lines.clear()
            else:
                lines.append(each)
        if not lines:
            return translate("Table", "Nothing has happened since your last turn")
        said = ". ".join(each.text for each in lines[-MOST_SPOKEN:])
        return filled(translate("Table", "Since your last turn: {moves}"), moves=said)

    # A property for each field of TableView that is not rows, such as `some_field` as `someField`.
    vars().update(view_properties(TableView, changed))
    hand = Property(QObject, attrgetter("_hand"), constant=True)
    opponents = Property(QObject, attrgetter("_opponents"), constant=True)
    dealing = Property(QObject, attrgetter("_dealing"), constant=True)
    moves = Property(QObject, attrgetter("_moves"), constant=True)
    unoArmed = Property(bool, attrgetter("_uno_armed"), _set_armed, notify=unoArmedChanged)
    clockTotal = Property(float, attrgetter("_clock_total"), notify=clockChanged)
    clockLeft = Property(float, attrgetter("_clock_left"), notify=clockChanged)
    botPlays = Property(bool, attrgetter("_bot_plays"), notify=botPlaysChanged)
    shown = Property(dict, _get_shown, notify=shownChanged)
    roundEnd = Property(dict, attrgetter("_round_end"), notify=roundEndChanged)
    since = Property(str, _get_since, notify=sinceChanged)


def _decision(snapshot: TableSnapshot | None) -> tuple[int, int] | None:
    """Return the open decision: its round, and its number there."""
    if snapshot is None or snapshot.view is None:
        return None
    return snapshot.number, snapshot.view.decision


def _waiting(snapshot: TableSnapshot, now: float) -> tuple[tuple[int, int], ...]:
    """Return the seats that the table waits for, and the seconds left; -1 without a countdown."""
    endless = snapshot.short_of is not None or bool(snapshot.claimable)
    # At 0 the host decides what follows, so a 0 that stays would be misleading.
    return tuple(
        (seat, -1 if endless else shown_seconds(ends - now) or -1) for seat, ends in snapshot.waits
    )
