"""The result of a round and of a match: scores, chart, verification, and what follows.

Everything follows from one snapshot of the table; the only state is the countdown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace
from PySide6.QtCore import Property, QObject, QTimer, Signal, SignalInstance, Slot

from lanuno.app.controllers.fields import view_properties
from lanuno.app.controllers.navigator import Navigator
from lanuno.app.controllers.standstill import void_reason
from lanuno.app.controllers.table_view import names_of
from lanuno.app.models.result_rows import LeftHand, ScoreLine, StandingRow
from lanuno.app.models.rows import Rows
from lanuno.app.move_texts import everybody, qml_card
from lanuno.app.texts import filled, isolated, listed, sentence, texts, translate, window_member
from lanuno.app.verdict_texts import mood
from lanuno.client.events import TableUpdated, TournamentStanding
from lanuno.client.snapshot import PAIRED, Person, TableSnapshot, TableStage
from lanuno.client.tournament_breaks import TournamentBreak
from lanuno.log.audit.conclusion import Conclusion
from lanuno.log.format.bodies import CloseReason, DropReason
from lanuno.log.replay.course import Decided
from lanuno.log.round import events
from lanuno.rules.match.formats import LOW_WINS, ahead

ROUND_RESULT_SECONDS: Final = 8
"""Seconds for which the result of a round is shown before the table is shown again."""
READING_SECONDS: Final = 20
"""The same from the moment at which the player opens another part of the page."""


class ResultView(Struct, frozen=True, kw_only=True):
    """The values of one moment. Those that are not rows are properties for QML."""

    match_over: bool = False
    seated: bool = True
    title: str = ""
    winner_text: str = ""
    lines: tuple[dict[str, Any], ...] = ()
    target: int = 0
    badge: dict[str, str] = field(default_factory=dict)
    closing_text: str = ""
    rounds: tuple[ScoreLine, ...] = ()
    standings: tuple[StandingRow, ...] = ()
    hands: tuple[LeftHand, ...] = ()


def result_view(snapshot: TableSnapshot) -> ResultView:
    """Return what is shown of the rounds played so far."""
    title, winner = _heading(snapshot)
    totals = [score.totals for score in snapshot.scores]
    return ResultView(
        match_over=snapshot.over,
        seated=snapshot.mine is not None,
        title=title,
        winner_text=winner,
        lines=tuple(
            {
                "seat": side[0].seat,
                "seats": [person.seat for person in side],
                "name": _called(side),
                "names": [person.name for person in side],
                "points": [0, *(each[side[0].seat] for each in totals)],
                "me": any(person.seat == snapshot.mine for person in side),
                "avatars": [person.avatar for person in side],
                "bots": [person.bot for person in side],
            }
            for side in sides(snapshot)
        ),
        target=snapshot.target,
        badge=_badge(snapshot),
        closing_text=_closing(snapshot),
        rounds=tuple(
            ScoreLine(
                score.number,
                translate("Result", "void") if score.void is not None else "",
                score.gains,
                score.totals,
            )
            for score in snapshot.scores
        ),
        standings=_standings(snapshot),
        hands=tuple(
            LeftHand(
                hand.seat,
                snapshot.people[hand.seat].name,
                snapshot.people[hand.seat].avatar,
                snapshot.people[hand.seat].bot,
                tuple(qml_card(-1, card) for card in hand.cards),
                sum(card.points for card in hand.cards),
            )
            for hand in snapshot.open_hands
        ),
    )


def _heading(snapshot: TableSnapshot) -> tuple[str, str]:
    """Return the title, and who has won, cheated, or was ahead."""
    names = names_of(snapshot)
    over = translate("Result", "The match is over")
    if snapshot.closed is CloseReason.CHEATING and snapshot.blamed:
        text = translate("Result", "{names} cheated", "", len(snapshot.blamed))
        return over, filled(text, names=everybody(names, snapshot.blamed))
    stopped = snapshot.closed in (CloseReason.STOPPED, CloseReason.TOO_LONG)
    winners = snapshot.winners or (_leaders(snapshot) if stopped else ())
    if winners:
        text = translate("Result", "{names} won the match", "", len(winners))
        if not snapshot.winners:
            text = translate("Result", "{names} were ahead", "", len(winners))
        return over, filled(text, names=everybody(names, winners))
    if not snapshot.scores:
        return translate("Result", "No round was finished"), ""
    last = snapshot.scores[-1]
    if last.void is not None:
        title = translate("Result", "Round {number} is void")
        return filled(title, number=str(last.number)), sentence(
            void_reason(last.void, last.void_without, names)
        )
    title = filled(translate("Result", "Round {number}"), number=str(last.number))
    if not last.winners:
        return title, translate("Result", "Nobody won this round")
    text = translate("Result", "{names} won this round", "", len(last.winners))
    return title, filled(text, names=everybody(names, last.winners))


def _nothing_yet() -> dict[str, str]:
    return {"state": "nothing", "text": translate("Result", "Nothing to verify yet")}


def _badge(snapshot: TableSnapshot) -> dict[str, str]:
    if snapshot.blamed:
        names = everybody(names_of(snapshot), snapshot.blamed)
        text = translate("Result", "Something is wrong: the check blames {names}")
        return {"state": "bad", "text": filled(text, names=names)}
    conclusion, judged = snapshot.conclusion, snapshot.judged_round
    if conclusion is None:
        return _nothing_yet()
    if snapshot.stage is TableStage.REVEALING:
        players = [each for each in snapshot.seats if snapshot.people[each].owner == each]
        done = len([each for each in players if each in snapshot.attested])
        text = translate("Result", "Verifying the shuffle: {done} of {all}")
        text = filled(text, done=str(done), all=str(len(players)))
        return {"state": "checking", "text": text}
    by_players = conclusion is Conclusion.VERIFIED or (
        conclusion is Conclusion.INCOMPLETE and snapshot.closed is not CloseReason.INCOMPLETE
    )
    if by_players and judged is not None:
        # Players who have left cannot audit any more. They are not needed, but still counted.
        text = translate("Result", "Shuffle verified by {done} of %n players", "", judged.players)
        text = filled(text, done=str(judged.attested))
    else:
        text = window_member(conclusion)
    return {"state": mood(conclusion), "text": text}


def _leaders(snapshot: TableSnapshot) -> tuple[int, ...]:
    """Return the seats that are ahead; none if no round counts."""
    if not any(score.counted for score in snapshot.scores):
        return ()
    return ahead(snapshot.totals, snapshot.ruleset.format, [seat for seat, _ in snapshot.dropped])


def _played_as_agreed(snapshot: TableSnapshot) -> bool:
    counted = sum(score.counted for score in snapshot.scores)
    return snapshot.agreed is not None and counted >= snapshot.agreed


def _forfeit(snapshot: TableSnapshot, loser: int, winner: int) -> str:
    """Return why a player has won because the other one is gone."""
    left = dict(snapshot.dropped).get(loser) is DropReason.LEFT
    if left:
        text = translate(
            "Result", "{name} chose to leave. {winner} was the only other person still playing."
        )
    else:
        text = translate(
            "Result", "{name} did not come back. {winner} was the only other person still playing."
        )
    names = names_of(snapshot)
    return filled(text, name=names(loser), winner=names(winner))


def _closing(snapshot: TableSnapshot) -> str:
    match snapshot.closed:
        case _ if snapshot.winners and snapshot.forfeited is not None:
            return _forfeit(snapshot, *snapshot.forfeited)
        case _ if snapshot.winners and snapshot.decided is Decided.ABSENCE:
            return _absence_decided()
        case CloseReason.STOPPED if _played_as_agreed(snapshot):
            return translate("Result", "The rounds that were agreed on have been played.")
        case CloseReason.STOPPED:
            text = translate("Result", "{name} ended the match after this round.")
            return filled(text, name=isolated(snapshot.people[snapshot.host].name))
        case CloseReason.CHEATING:
            return translate("Result", "The match ended because a check proved cheating.")
        case CloseReason.INCOMPLETE:
            return translate("Result", "The match ended early.")
        case CloseReason.TOO_LONG:
            return translate(
                "Result", "Its log has no room for another round, so the match stopped here."
            )
        case _:
            return ""


def _absence_decided() -> str:
    return translate("Result", "An absence decided this match, not the cards alone.")


def sides(snapshot: TableSnapshot) -> list[tuple[Person, ...]]:
    """Return who scores together: pairs that last for the whole match, or else single players."""
    found: dict[tuple[int, int], list[Person]] = {}
    for person in snapshot.people:
        paired = snapshot.ruleset.format in PAIRED and person.team >= 0
        key = (0, person.team) if paired else (1, person.seat)
        found.setdefault(key, []).append(person)
    return [tuple(each) for each in found.values()]


def _called(side: tuple[Person, ...]) -> str:
    return side[0].name if len(side) == 1 else _listed([each.name for each in side])


def _listed(names: Sequence[str]) -> str:
    return listed([isolated(name) for name in names])


def _standings(snapshot: TableSnapshot) -> tuple[StandingRow, ...]:
    winners = snapshot.winners
    low = snapshot.ruleset.format in LOW_WINS
    last = snapshot.scores[-1] if snapshot.scores else None
    order = sorted(
        sides(snapshot),
        key=lambda side: (
            side[0].seat not in winners,
            snapshot.totals[side[0].seat] if low else -snapshot.totals[side[0].seat],
            side[0].seat,
        ),
    )
    rows: list[StandingRow] = []
    for position, side in enumerate(order, 1):
        first = side[0]
        points, won = snapshot.totals[first.seat], first.seat in winners
        tied = rows and rows[-1].points == points and rows[-1].winner == won
        rows.append(
            StandingRow(
                seat=first.seat,
                place=rows[-1].place if tied else position,
                name=_called(side),
                names=tuple(person.name for person in side),
                points=points,
                gained=0 if last is None else last.gains[first.seat],
                team=first.team,
                winner=won,
                me=any(person.seat == snapshot.mine for person in side),
                bot=all(person.bot for person in side),
                avatar=first.avatar,
            )
        )
    return tuple(rows)


def broken_tournament_text(broken: TournamentBreak) -> str:
    """Return why a tournament could not continue."""
    said = broken.words(texts(), "{names}", "{host}")
    host, names = isolated(broken.said_by), _listed(broken.names)
    return filled(sentence(said), host=host, names=names) + "."


def tournament_view(view: ResultView, standing: TournamentStanding) -> ResultView:
    """Return the view at a table of a tournament, where the points of all tables count."""
    order = sorted(range(len(standing.names)), key=lambda player: -standing.totals[player])
    rows = []
    for player in order:
        points = standing.totals[player]
        place = 1 + sum(1 for other in standing.totals if other > points)
        rows.append(
            StandingRow(
                seat=player,
                place=place,
                name=standing.names[player],
                names=(standing.names[player],),
                points=points,
                gained=0,
                team=-1,
                winner=player in standing.winners,
                me=player == standing.mine,
                bot=False,
                avatar=standing.avatars[player],
            )
        )
    if standing.winners:
        title = translate("Result", "The tournament is over")
        said = translate("Result", "{names} won the tournament", "", len(standing.winners))
        winner = filled(said, names=_listed([standing.names[each] for each in standing.winners]))
    elif standing.broken is not None:
        title = translate("Result", "The tournament ended early")
        winner = broken_tournament_text(standing.broken)
    else:
        rotation = min(standing.rotation + standing.awaiting_other_table, standing.rotations)
        text = translate("Result", "Rotation {number} of {all}")
        title = filled(text, number=str(rotation), all=str(standing.rotations))
        leading = [row.name for row in rows if row.place == 1]
        said = translate("Result", "{names} lead the tournament", "", len(leading))
        winner = filled(said, names=_listed(leading))
        if standing.awaiting_other_table:
            winner = translate("Result", "Waiting for the other table…")
    absent = standing.winners and standing.decided is Decided.ABSENCE
    return replace(
        view,
        match_over=bool(standing.winners) or standing.broken is not None,
        closing_text=_absence_decided() if absent else view.closing_text,
        title=title,
        winner_text=winner,
        standings=tuple(rows),
    )


def _what_follows(standing: TournamentStanding) -> str:
    if standing.winners or standing.broken is not None:
        return ""
    if standing.rotation + standing.awaiting_other_table == standing.rotations:
        return translate("Result", "It was the last rotation.")
    return translate("Result", "The next tables open automatically, with other partners.")


def _scored_round(update: TableUpdated) -> int | None:
    """Return the round that was scored in this update, unless the next one is played already."""
    closed = None
    for event in update.happened:
        match event:
            case events.RoundClosed():
                closed = event.number
            case events.ActionTaken():
                closed = None
            case _:
                pass
    snapshot, scores = update.snapshot, update.snapshot.scores
    if snapshot.stage is TableStage.PLAYING and snapshot.number != closed:
        return None  # this player comes back, in the middle of a later round
    return closed if scores and scores[-1].number == closed else None


class ResultController(QObject):
    """The result page, for QML.

      matchOver, title, winnerText, closingText
      seated: whether this player has a seat, and does not only watch
      rounds: Rows of ScoreLine; standings: Rows of StandingRow; hands: Rows of LeftHand
      lines [{seat, seats, name, names, points, me, avatars, bots}]: one for each side, with 0
      before the first round; target (0 without one)
      badge {state, text}, its state being "checking", "good", "bad", "open" or "nothing"
      nextIn: seconds until the table is shown again; nextText; canRematch; waiting
      invitation: who opens the next table, in words; "" while nobody does
      goesOn: whether this table has another round, to which the user can return
    Slots: goOn() (to the table now), read() (another part of the page), rematch(), verify().
    """

    changed = Signal()
    nextChanged = Signal()
    went_on = Signal()
    """The score was looked at, so the table may show the next round."""
    score_shown = Signal(int, bool)
    """The player looks at the score of this round while a countdown runs, or no longer does."""
    rematchWanted = Signal()
    verifyWanted = Signal()

    def __init__(self, navigator: Navigator) -> None:
        """Begin without a result."""
        super().__init__(navigator)
        self._navigator = navigator
        self.view = ResultView()
        self._snapshot: TableSnapshot | None = None
        self._rounds = Rows(ScoreLine, "number", self)
        self._standings = Rows(StandingRow, "seat", self)
        self._hands = Rows(LeftHand, "seat", self)
        self._seconds_left = 0
        self._can_rematch = False
        self._waiting = self._invitation = ""
        self._standing: TournamentStanding | None = None
        self._table_busy: Callable[[], bool] = lambda: False
        self.opening_soon = False
        """Whether this page will open once the end of the round has been shown."""
        self._counting = False
        """Whether a countdown then returns to the table, or runs."""
        self._scored_round: int | None = None
        """The round whose score was received last."""
        self._from_anywhere = False
        """Whether the page then replaces pages other than the table, too."""
        self._countdown_timer = QTimer(self)
        self._countdown_timer.setInterval(1000)
        self._countdown_timer.timeout.connect(self._tick)
        navigator.retranslated.connect(self._refresh)

    def clear(self) -> None:
        """Forget everything, because another table begins."""
        self._countdown_timer.stop()
        self._seconds_left, self._can_rematch, self._snapshot = 0, False, None
        self._counting, self._scored_round = False, None
        self.cancel_opening()
        self._waiting = self._invitation = ""
        self._standing = None
        self.view = ResultView()
        self._fill()
        self.changed.emit()

    def receive(self, update: TableUpdated) -> None:
        """Show the newest update. The end of a round opens the page."""
        scored, snapshot = _scored_round(update), update.snapshot
        if scored is not None or snapshot.closed is not None or self._snapshot is None:
            self._snapshot = snapshot
            self._refresh()
        if scored is not None:
            self._scored_round = scored
            self.open_soon(counting=not snapshot.winners and snapshot.closed is None)
            if self._counting and self._navigator.property("page") in ("table", "result"):
                self.score_shown.emit(scored, True)

    # ---- when it is shown -------------------------------------------------------------------

    def holds(self, update: TableUpdated) -> bool:
        """Whether the update opens the next round before the score of the last one was seen."""
        if not any(isinstance(each, events.RoundOpened) for each in update.happened):
            return False
        return self._counting or _scored_round(update) not in (None, self._scored_round)

    def wait_while(self, holds: Callable[[], bool], released: SignalInstance) -> None:
        """Do not open the page while `holds` is true; `released`: it may have become false."""
        self._table_busy = holds
        released.connect(self._open_if_free)

    def open_soon(self, *, counting: bool = False, from_anywhere: bool = False) -> None:
        """Show this page instead of the table, once the end of the round has been shown.

        `counting`: return to the table after a countdown; `from_anywhere`: also replace pages other
        than the table.
        """
        self.opening_soon, self._counting = True, counting
        if not counting:
            self._countdown_timer.stop()
            self._set_seconds_left(0)
        self._from_anywhere = self._from_anywhere or from_anywhere
        self._open_if_free()

    def cancel_opening(self) -> None:
        """Do not open the page any more."""
        self.opening_soon = self._from_anywhere = False

    def _open_if_free(self) -> None:
        if not self.opening_soon or self._table_busy():
            return
        from_anywhere = self._from_anywhere
        self.cancel_opening()
        if from_anywhere or self._navigator.property("page") == "table":
            self._navigator.open("result")
        if self._counting:
            self._countdown_timer.start()
            self._set_seconds_left(ROUND_RESULT_SECONDS)

    def allow_rematch(self, allowed: bool) -> None:
        """Set whether the same people can play again now."""
        self._can_rematch = allowed
        self.changed.emit()

    def show_standing(self, standing: TournamentStanding) -> None:
        """Show the standing of the tournament to which this table belongs."""
        self._standing = standing
        self._refresh()

    def show_invitation(self, text: str) -> None:
        """Show who opens the next table; "" for nobody. On another page it becomes a notice."""
        if text == self._invitation:
            return
        self._invitation = text
        self.changed.emit()
        if text and self._navigator.property("page") == "result":
            self._navigator.announce(text)
        elif text:
            self._navigator.notice(text)

    def show_waiting(self, text: str) -> None:
        """Set what this player waits for; "" for nothing."""
        self._waiting = text
        self.changed.emit()

    def _refresh(self) -> None:
        if self._snapshot is not None or self._standing is not None:
            self.view = ResultView(badge=_nothing_yet())
            if self._snapshot is not None:
                self.view = result_view(self._snapshot)
            if self._standing is not None:
                self.view = tournament_view(self.view, self._standing)
                self._waiting = _what_follows(self._standing)
            self._fill()
            self.changed.emit()

    def _fill(self) -> None:
        self._rounds.show(self.view.rounds)
        self._standings.show(self.view.standings)
        self._hands.show(self.view.hands)

    # ---- what comes next --------------------------------------------------------------------

    def _set_seconds_left(self, seconds: int) -> None:
        self._seconds_left = seconds
        self.nextChanged.emit()

    def _tick(self) -> None:
        self._set_seconds_left(max(0, self._seconds_left - 1))
        if not self._seconds_left:
            self.goOn()

    @Slot()
    def read(self) -> None:
        """Give the player time to read a part of the page that was opened just now."""
        if self._countdown_timer.isActive():
            self._set_seconds_left(max(READING_SECONDS, self._seconds_left))

    @Slot()
    def goOn(self) -> None:
        """Return to the table, where the next round has been dealt meanwhile."""
        self._countdown_timer.stop()
        self._set_seconds_left(0)
        if self._counting and self._scored_round is not None:
            self.score_shown.emit(self._scored_round, False)
        self._counting = False
        # First the cards: otherwise the last state of the table would be visible for a moment.
        self.went_on.emit()
        if self._navigator.property("page") == "result" and not self.view.match_over:
            self._navigator.open("table")

    @Slot()
    def rematch(self) -> None:
        """Ask for a rematch."""
        if self._can_rematch:
            self.rematchWanted.emit()

    @Slot()
    def verify(self) -> None:
        """Open this game in the verifier."""
        self.verifyWanted.emit()

    # ---- properties -------------------------------------------------------------------------

    def _get_next_text(self) -> str:
        if not self._seconds_left:
            return ""
        return translate("Result", "Back to the table in %n seconds", "", self._seconds_left)

    def _get_goes_on(self) -> bool:
        return not self.view.match_over and self._standing is None

    # A property for each field of ResultView that is not rows, such as `some_field` as `someField`.
    vars().update(view_properties(ResultView, changed))
    rounds = Property(QObject, attrgetter("_rounds"), constant=True)
    standings = Property(QObject, attrgetter("_standings"), constant=True)
    hands = Property(QObject, attrgetter("_hands"), constant=True)
    nextIn = Property(int, attrgetter("_seconds_left"), notify=nextChanged)
    nextText = Property(str, _get_next_text, notify=nextChanged)
    canRematch = Property(bool, attrgetter("_can_rematch"), notify=changed)
    waiting = Property(str, attrgetter("_waiting"), notify=changed)
    invitation = Property(str, attrgetter("_invitation"), notify=changed)
    goesOn = Property(bool, _get_goes_on, notify=changed)
