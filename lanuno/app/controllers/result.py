"""How a round and a match ended: scores, the line over the rounds, what was verified, what is next.

Everything follows from one picture of the table; the only thing remembered is the countdown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from PySide6.QtCore import Property, QObject, QTimer, Signal, SignalInstance, Slot

from lanuno.app.controllers.fields import told
from lanuno.app.controllers.stage import Stage
from lanuno.app.controllers.standstill import void_reason
from lanuno.app.controllers.table_face import names_of
from lanuno.app.models.result_rows import LeftHand, ScoreLine, Standing
from lanuno.app.models.rows import Rows
from lanuno.app.moves import everybody, shown
from lanuno.app.words import isolated, listed, sentence, texts, translate
from lanuno.app.worker.follower import Seen, TournamentStands
from lanuno.app.worker.snapshot import PAIRED, Person, TableShot
from lanuno.app.worker.snapshot import Stage as Doing
from lanuno.log import events
from lanuno.log.bodies import CloseReason, DropReason
from lanuno.log.course import Decided
from lanuno.net.tournament_breaks import Break
from lanuno.rules.formats import LOW_WINS, ahead

LOOK_SECONDS: Final = 8
"""How long the result of a round stands before the table is shown again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultFace:
    """The values of one moment, named as the properties."""

    match_over: bool = False
    seated: bool = True
    title: str = ""
    winner_text: str = ""
    columns: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    lines: tuple[dict[str, Any], ...] = ()
    chart_max: int = 0
    chart_min: int = 0
    target: int = 0
    badge: dict[str, Any] = field(default_factory=dict)
    closing_text: str = ""
    rounds: tuple[ScoreLine, ...] = ()
    standings: tuple[Standing, ...] = ()
    hands: tuple[LeftHand, ...] = ()


def result_face(shot: TableShot) -> ResultFace:
    """What is shown of the rounds played so far."""
    names = names_of(shot)
    over = bool(shot.winners) or shot.closed is not None
    last = shot.scores[-1] if shot.scores else None
    if shot.closed is CloseReason.CHEATING and shot.blamed:
        title = translate("Result", "The match is over")
        text = translate("Result", "{names} cheated", "", len(shot.blamed))
        winner = text.replace("{names}", everybody(names, shot.blamed))
    elif shot.winners:
        title = translate("Result", "The match is over")
        text = translate("Result", "{names} won the match", "", len(shot.winners))
        winner = text.replace("{names}", everybody(names, shot.winners))
    elif shot.closed is CloseReason.STOPPED and _leaders(shot):
        title = translate("Result", "The match is over")
        names_ahead = everybody(names, _leaders(shot))
        if _played_as_agreed(shot):
            text = translate("Result", "{names} won the match", "", len(_leaders(shot)))
        else:
            text = translate("Result", "{names} were ahead", "", len(_leaders(shot)))
        winner = text.replace("{names}", names_ahead)
    elif last is not None and last.void is not None:
        title = translate("Result", "Round {number} is void").replace("{number}", str(last.number))
        winner = sentence(void_reason(int(last.void)))
    elif last is not None:
        title = translate("Result", "Round {number}").replace("{number}", str(last.number))
        winner = translate("Result", "Nobody won this round")
        if last.winners:
            text = translate("Result", "{names} won this round", "", len(last.winners))
            winner = text.replace("{names}", everybody(names, last.winners))
    else:
        title, winner = translate("Result", "No round was finished"), ""
    totals = [score.totals for score in shot.scores]
    values = [point for each in totals for point in each]
    return ResultFace(
        match_over=over,
        seated=shot.mine is not None,
        title=title,
        winner_text=winner,
        columns=tuple(person.name for person in shot.people),
        seats=tuple(person.seat for person in shot.people),
        lines=tuple(
            {
                "seat": side[0].seat,
                "seats": [person.seat for person in side],
                "name": _called(side),
                "names": [person.name for person in side],
                "points": [0, *(each[side[0].seat] for each in totals)],
                "me": any(person.seat == shot.mine for person in side),
                "avatars": [person.avatar for person in side],
            }
            for side in sides(shot)
        ),
        chart_max=max([shot.target, *values], default=0),
        chart_min=min([0, *values]),
        target=shot.target,
        badge=_badge(shot),
        closing_text=_closing(shot),
        rounds=tuple(
            ScoreLine(
                score.number,
                translate("Result", "void") if score.void is not None else "",
                score.gains,
                score.totals,
                score.void is not None,
                score.attested,
                score.of,
            )
            for score in shot.scores
        ),
        standings=_standings(shot),
        hands=tuple(
            LeftHand(
                hand.seat,
                shot.people[hand.seat].name,
                tuple(shown(-1, card) for card in hand.cards),
                sum(card.points for card in hand.cards),
            )
            for hand in shot.open_hands
        ),
    )


def _nothing_yet() -> dict[str, Any]:
    text = translate("Result", "Nothing to verify yet")
    return {"state": "incomplete", "verified": 0, "of": 0, "text": text}


def _badge(shot: TableShot) -> dict[str, Any]:
    last = shot.scores[-1] if shot.scores else None
    if shot.blamed:
        names = everybody(names_of(shot), shot.blamed)
        text = translate("Result", "Something is wrong: the check blames {names}")
        return {"state": "problem", "verified": 0, "of": 0, "text": text.replace("{names}", names)}
    if last is None:
        return _nothing_yet()
    if shot.stage is Doing.REVEALING:
        done, everyone = len(shot.attested), len(shot.seats)
        text = translate("Result", "Verifying the shuffle: {done} of {all}")
        state = "checking"
    else:
        done, everyone = last.attested, last.of
        text = translate("Result", "Shuffle verified by {done} of {all} players")
        # Whoever has left cannot look any more; that they did not is told by the numbers.
        here = everyone if last.here is None else last.here
        state = "verified" if done and done >= here else "incomplete"
    said = text.replace("{done}", str(done)).replace("{all}", str(everyone))
    return {"state": state, "verified": done, "of": everyone, "text": said}


def _leaders(shot: TableShot) -> tuple[int, ...]:
    """Who was ahead when whole rounds had been played."""
    if all(score.void is not None for score in shot.scores):
        return ()
    return ahead(shot.totals, shot.ruleset.format, [seat for seat, _ in shot.dropped])


def _played_as_agreed(shot: TableShot) -> bool:
    counted = sum(1 for score in shot.scores if score.void is None)
    return shot.agreed is not None and counted >= shot.agreed


def _forfeit(shot: TableShot, loser: int) -> str:
    """Why somebody won because the other one is gone."""
    left = dict(shot.dropped).get(loser) is DropReason.LEFT
    if left:
        text = translate("Result", "{name} left the table, and nobody else was there to play.")
    else:
        text = translate("Result", "{name} did not come back, and nobody else was there to play.")
    return text.replace("{name}", isolated(shot.people[loser].name))


def _closing(shot: TableShot) -> str:
    match shot.closed:
        case _ if shot.winners and shot.forfeited is not None:
            return _forfeit(shot, shot.forfeited[0])
        case _ if shot.winners and shot.decided is Decided.ABSENCE:
            return translate("Result", "An absence decided this match, not the cards alone.")
        case CloseReason.STOPPED if _played_as_agreed(shot):
            return translate("Result", "The rounds that were agreed on have been played.")
        case CloseReason.STOPPED:
            text = translate("Result", "{name} ended the match after this round.")
            return text.replace("{name}", isolated(shot.people[shot.host].name))
        case CloseReason.CHEATING:
            return translate("Result", "The match ended because a check proved cheating.")
        case CloseReason.INCOMPLETE:
            return translate("Result", "The match ended early.")
        case CloseReason.TOO_LONG:
            return translate("Result", "The match ended because its log became too long.")
        case _:
            return ""


def sides(shot: TableShot) -> list[tuple[Person, ...]]:
    """Who counts together: pairs that stay the same for the whole match, else everybody alone."""
    found: dict[tuple[int, int], list[Person]] = {}
    for person in shot.people:
        paired = shot.ruleset.format in PAIRED and person.team >= 0
        key = (0, person.team) if paired else (1, person.seat)
        found.setdefault(key, []).append(person)
    return [tuple(each) for each in found.values()]


def _called(side: tuple[Person, ...]) -> str:
    return side[0].name if len(side) == 1 else listed([isolated(each.name) for each in side])


def _standings(shot: TableShot) -> tuple[Standing, ...]:
    agreed = shot.closed is CloseReason.STOPPED and _played_as_agreed(shot)
    winners = _leaders(shot) if agreed and not shot.winners else shot.winners
    low = shot.ruleset.format in LOW_WINS
    last = shot.scores[-1] if shot.scores else None
    order = sorted(
        sides(shot),
        key=lambda side: (
            side[0].seat not in winners,
            shot.totals[side[0].seat] if low else -shot.totals[side[0].seat],
            side[0].seat,
        ),
    )
    rows: list[Standing] = []
    for position, side in enumerate(order, 1):
        first = side[0]
        points, won = shot.totals[first.seat], first.seat in winners
        tied = rows and rows[-1].points == points and rows[-1].winner == won
        rows.append(
            Standing(
                seat=first.seat,
                place=rows[-1].place if tied else position,
                name=_called(side),
                points=points,
                gained=0 if last is None else last.gains[first.seat],
                team=first.team,
                winner=won,
                me=any(person.seat == shot.mine for person in side),
                bot=all(person.bot for person in side),
                avatar=first.avatar,
            )
        )
    return tuple(rows)


def broken_off(broken: Break) -> str:
    """Why a tournament could not go on."""
    said = texts().counted_member(broken.why, len(broken.names), names="{names}")
    names = listed([isolated(name) for name in broken.names])
    return sentence(said).replace("{names}", names) + "."


def tournament_face(face: ResultFace, stands: TournamentStands) -> ResultFace:
    """The same at a table of a tournament: what counts are the points from all tables."""
    order = sorted(range(len(stands.names)), key=lambda player: -stands.totals[player])
    rows = []
    for player in order:
        points = stands.totals[player]
        place = 1 + sum(1 for other in stands.totals if other > points)
        rows.append(
            Standing(
                seat=player,
                place=place,
                name=stands.names[player],
                points=points,
                gained=0,
                team=-1,
                winner=player in stands.winners,
                me=player == stands.mine,
                bot=False,
                avatar=stands.avatars[player],
            )
        )
    text = translate("Result", "Rotation {number} of {all}")
    title = text.replace("{number}", str(min(stands.rotation + stands.waits, stands.rotations)))
    leading = [row.name for row in rows if row.place == 1]
    said = translate("Result", "{names} lead the tournament", "", len(leading))
    winner = said.replace("{names}", listed([isolated(name) for name in leading]))
    if stands.waits:
        winner = translate("Result", "Waiting for the other table…")
    if stands.winners:
        title = translate("Result", "The tournament is over")
        said = translate("Result", "{names} won the tournament", "", len(stands.winners))
        winner = said.replace(
            "{names}", listed([isolated(stands.names[each]) for each in stands.winners])
        )
    elif stands.broken is not None:
        title = translate("Result", "The tournament ended early")
        winner = broken_off(stands.broken)
    return replace(
        face,
        match_over=bool(stands.winners) or stands.broken is not None,
        title=title.replace("{all}", str(stands.rotations)),
        winner_text=winner,
        standings=tuple(rows),
    )


def _what_follows(stands: TournamentStands) -> str:
    if stands.winners or stands.broken is not None:
        return ""
    if stands.rotation + stands.waits == stands.rotations:
        return translate("Result", "It was the last rotation.")
    return translate("Result", "The next tables open by themselves, with other partners.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pending:
    """How the page is to be shown."""

    counting: bool
    from_anywhere: bool


class ResultController(QObject):
    """For QML:

      matchOver, title, winnerText, closingText; columns [name], seats [int]
      seated: whether somebody plays here, and does not only watch
      rounds: Rows of ScoreLine; standings: Rows of Standing; hands: Rows of LeftHand
      lines [{seat, seats, name, names, points, me, avatars}]: one for each side, with 0 before the
      first round; chartMax, chartMin, target (0 without one)
      badge {state, verified, of, text}, its state being "checking", "verified", "problem" or
      "incomplete"
      nextIn: seconds until the table is shown again; nextText; canRematch; waiting
      invitation: who of the others wants to play again, in words; "" if nobody does
      goesOn: whether this table has another round, so that there is something to go back to
    Slots: goOn() (to the table now), rematch(), verify(), leave().
    """

    changed = Signal()
    nextChanged = Signal()
    rematchWanted = Signal()
    verifyWanted = Signal()

    def __init__(self, stage: Stage) -> None:
        """Nothing was played."""
        super().__init__(stage)
        self._stage = stage
        self.face = ResultFace()
        self._shot: TableShot | None = None
        self._rounds = Rows(ScoreLine, "number", self)
        self._standings = Rows(Standing, "seat", self)
        self._hands = Rows(LeftHand, "seat", self)
        self._left = 0
        self._can_rematch = False
        self._waiting = self._invitation = ""
        self._stands: TournamentStands | None = None
        self._holds: Callable[[], bool] = lambda: False
        self._pending: _Pending | None = None
        self._ticking = QTimer(self)
        self._ticking.setInterval(1000)
        self._ticking.timeout.connect(self._tick)
        stage.retranslated.connect(self._again)

    def clear(self) -> None:
        """Another table."""
        self._ticking.stop()
        self._left, self._can_rematch, self._shot = 0, False, None
        self._pending = None
        self._waiting = self._invitation = ""
        self._stands = None
        self.face = ResultFace()
        self._fill()
        self.changed.emit()

    def see(self, seen: Seen) -> None:
        """The newest picture. The end of a round opens the page."""
        ended = any(isinstance(each, events.RoundClosed) for each in seen.happened)
        shot = seen.shot
        scored = bool(shot.scores) and shot.scores[-1].number == shot.number
        if (ended and scored) or shot.closed is not None or self._shot is None:
            self._shot = shot
            self._again()
        if ended and scored:
            self.come(counting=not shot.winners and shot.closed is None)

    # ---- when it is shown -------------------------------------------------------------------

    def hold_while(self, holds: Callable[[], bool], released: SignalInstance) -> None:
        """Cover nothing while this holds; `released` tells when that may have changed."""
        self._holds = holds
        released.connect(self._look)

    @property
    def coming(self) -> bool:
        """Whether this page is about to be shown, once the end of the round was looked at."""
        return self._pending is not None

    def come(self, *, counting: bool = False, from_anywhere: bool = False) -> None:
        """Show this page instead of the table, as soon as the end of the round was looked at.

        `counting`: the table comes back by itself; `from_anywhere`: also instead of
        any other page.
        """
        before = self._pending
        self._pending = _Pending(
            counting=counting,
            from_anywhere=from_anywhere or (before is not None and before.from_anywhere),
        )
        self._look()

    def forget(self) -> None:
        """It is not wanted any more."""
        self._pending = None

    def _look(self) -> None:
        pending = self._pending
        if pending is None or self._holds():
            return
        self._pending = None
        if pending.from_anywhere or self._stage.property("page") == "table":
            self._stage.open("result")
        if pending.counting:
            self._count_down()

    def show(self, shot: TableShot) -> None:
        """Show this."""
        self._shot = shot
        self._again()

    def allow_rematch(self, allowed: bool) -> None:
        """Whether the same people can play again at once."""
        self._can_rematch = allowed
        self.changed.emit()

    def stand(self, stands: TournamentStands) -> None:
        """How the tournament stands to which this table belongs."""
        self._stands = stands
        self._again()

    def invite(self, text: str) -> None:
        """Who wants to play again; "" if nobody else does. It is said where it is not seen, too."""
        if text == self._invitation:
            return
        self._invitation = text
        self.changed.emit()
        if text and self._stage.property("page") == "result":
            self._stage.announce(text)
        elif text:
            self._stage.notice(text)

    def wait(self, text: str) -> None:
        """What is waited for; "" if nothing is."""
        self._waiting = text
        self.changed.emit()

    def _again(self) -> None:
        if self._shot is not None or self._stands is not None:
            self.face = ResultFace(badge=_nothing_yet())
            if self._shot is not None:
                self.face = result_face(self._shot)
            if self._stands is not None:
                self.face = tournament_face(self.face, self._stands)
                self._waiting = _what_follows(self._stands)
            self._fill()
            self.changed.emit()

    def _fill(self) -> None:
        self._rounds.show(self.face.rounds)
        self._standings.show(self.face.standings)
        self._hands.show(self.face.hands)

    # ---- what comes next --------------------------------------------------------------------

    def _count_down(self) -> None:
        self._left = LOOK_SECONDS
        self._ticking.start()
        self.nextChanged.emit()

    def _tick(self) -> None:
        self._left = max(0, self._left - 1)
        self.nextChanged.emit()
        if not self._left:
            self.goOn()

    @Slot()
    def goOn(self) -> None:
        """Back to the table, where the next round is being dealt."""
        self._ticking.stop()
        self._left = 0
        self.nextChanged.emit()
        if self._stage.property("page") == "result" and not self.face.match_over:
            self._stage.open("table")

    @Slot()
    def rematch(self) -> None:
        """The same again."""
        if self._can_rematch:
            self.rematchWanted.emit()

    @Slot()
    def verify(self) -> None:
        """Look at this game in the verifier."""
        self.verifyWanted.emit()

    @Slot()
    def leave(self) -> None:
        """Leave the table, after asking where that harms somebody."""
        self._stage.ask_to_leave(lambda: None)

    # ---- properties -------------------------------------------------------------------------

    def _get_rounds(self) -> QObject:
        return self._rounds

    def _get_standings(self) -> QObject:
        return self._standings

    def _get_hands(self) -> QObject:
        return self._hands

    def _get_next_in(self) -> int:
        return self._left

    def _get_next_text(self) -> str:
        if not self._left:
            return ""
        return translate("Result", "The next round begins in %n seconds", "", self._left)

    def _get_can_rematch(self) -> bool:
        return self._can_rematch

    def _get_waiting(self) -> str:
        return self._waiting

    def _get_invitation(self) -> str:
        return self._invitation

    def _get_goes_on(self) -> bool:
        return not self.face.match_over and self._stands is None

    rounds = Property(QObject, _get_rounds, constant=True)
    standings = Property(QObject, _get_standings, constant=True)
    hands = Property(QObject, _get_hands, constant=True)
    nextIn = Property(int, _get_next_in, notify=nextChanged)
    nextText = Property(str, _get_next_text, notify=nextChanged)
    canRematch = Property(bool, _get_can_rematch, notify=changed)
    waiting = Property(str, _get_waiting, notify=changed)
    invitation = Property(str, _get_invitation, notify=changed)
    goesOn = Property(bool, _get_goes_on, notify=changed)
    matchOver = told(bool, "match_over", changed)
    seated = told(bool, "seated", changed)
    title = told(str, "title", changed)
    winnerText = told(str, "winner_text", changed)
    closingText = told(str, "closing_text", changed)
    columns = told(list, "columns", changed)
    seats = told(list, "seats", changed)
    lines = told(list, "lines", changed)
    chartMax = told(int, "chart_max", changed)
    chartMin = told(int, "chart_min", changed)
    target = told(int, "target", changed)
    badge = told(dict, "badge", changed)
