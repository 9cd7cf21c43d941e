"""The games that were played: a list to look through, the statistics, and the opponents.

All of it is read from the transcripts (`lanuno.store.history`); this module puts it into words.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Final

from PySide6.QtCore import Property, QLocale, QObject, Signal, Slot

from lanuno.app.bridge import BridgeJob
from lanuno.app.controllers.navigator import Navigator
from lanuno.app.controllers.verifier import VerifierController
from lanuno.app.models.history_rows import Figure, GameRow, PersonRow
from lanuno.app.models.rows import Rows
from lanuno.app.problem_texts import store_problem
from lanuno.app.rule_texts import preset_name
from lanuno.app.texts import filled, isolated, listed, moment, translate, window_member
from lanuno.app.verdict_texts import mood
from lanuno.client.history import GameHistory, delete_game, read_games
from lanuno.log.audit.conclusion import Conclusion
from lanuno.log.faults import AuditVerdict
from lanuno.log.format.bodies import CloseReason
from lanuno.log.replay.course import Decided
from lanuno.rules.match.formats import ahead
from lanuno.store.errors import StoreError
from lanuno.store.game_record import GameRecord
from lanuno.store.game_rows import Game, GameFilter, GameQuery
from lanuno.store.profile import load_profile
from lanuno.store.statistics import OpponentStatistics, Statistics

PAGE_GAMES: Final = 40
"""Games that are shown at first, and added by each `more`."""
MOST_SHOWN_PEOPLE: Final = 30
MINUTE, HOUR = 60_000, 3_600_000


class HistoryController(QObject):
    """The history, for QML.

      state: "unread", "busy" (nothing to show yet), "done", "failed"; busy: bool; empty: bool - no
        game was ever played; problem: str
      games: Rows of GameRow; total: int - games that match; statistics: Rows of Figure;
      readingText: str - how many games are still to be read, "" if none
      opponents: Rows of PersonRow; unusableText: str - files that are not games, "" if none
      uncountedText: str - the number of games that do not count, and why; "" without any
      showing (rw): "all", "won", "lost", "undecided", "watched", "cheated"; search (rw): part of a
        name
      removing: id of the game that is deleted once the user confirms it, "" for none;
        removingText: str
    Slots: refresh(), more(), verify(id), remove(id), confirmRemove(), cancelRemove().
    """

    changed = Signal()
    wantedChanged = Signal()
    removingChanged = Signal()

    def __init__(self, navigator: Navigator, verifier: VerifierController) -> None:
        """Read nothing before `refresh`."""
        super().__init__(navigator)
        self._navigator = navigator
        self._verifier = verifier
        self._job: BridgeJob[GameHistory] | None = None
        self._history: GameHistory | None = None
        self._problem: StoreError | None = None
        self._query = GameQuery()
        self._limit = PAGE_GAMES
        self._removing = ""
        self._games = Rows(GameRow, "id", self)
        self._figures = Rows(Figure, "key", self)
        self._people = Rows(PersonRow, "id", self)
        navigator.retranslated.connect(self._retranslate)

    # ---- reading ----------------------------------------------------------------------------

    @Slot()
    def refresh(self) -> None:
        """Read the games again, including those played meanwhile."""
        if self._job is not None:
            self._job.cancel()
        me = self._me()
        if me is None:
            return
        jobs: list[BridgeJob[GameHistory]] = []

        def show_so_far(history: GameHistory) -> None:
            # A reading that was cancelled may still report.
            if jobs and jobs[0] is self._job:
                self._fill(history)

        work = read_games(
            self._navigator.home_folders,
            me,
            self._query,
            self._limit,
            self._navigator.bridge.back(show_so_far),
        )
        self._job = self._navigator.bridge.run(work, self.show, self._failed)
        jobs.append(self._job)
        self.changed.emit()

    @Slot()
    def more(self) -> None:
        """Show older games, too."""
        self._limit += PAGE_GAMES
        self.refresh()

    def _me(self) -> bytes | None:
        try:
            return load_profile(self._navigator.home_folders).identity.public
        except StoreError as error:
            self._failed(error)
            return None

    def _failed(self, error: Exception) -> None:
        self._job = None
        if isinstance(error, StoreError):
            self._problem = error
        else:
            self._navigator.bridge.failed.emit(error)
        self.changed.emit()

    def show(self, history: GameHistory) -> None:
        """Show the games that were read."""
        self._job = None
        self._fill(history)

    def _fill(self, history: GameHistory) -> None:
        self._problem = None
        self._history = history
        self._retranslate()

    # ---- words ------------------------------------------------------------------------------

    def _retranslate(self) -> None:
        if self._history is not None:
            me = self._me() or b""
            self._games.show([_game(each, me) for each in self._history.games])
            self._figures.show(_figures(self._history.statistics))
            people = self._history.statistics.people[:MOST_SHOWN_PEOPLE]
            self._people.show([_person(each) for each in people])
        self.changed.emit()

    # ---- the user's actions -----------------------------------------------------------------

    def _game_of(self, game: str) -> Game | None:
        games = () if self._history is None else self._history.games
        return next((each for each in games if each.record.table_id.hex() == game), None)

    @Slot(str)
    def verify(self, game: str) -> None:
        """Open a game in the verifier."""
        found = self._game_of(game)
        if found is not None:
            self._verifier.open_file(found.path)
            self._navigator.open("verifier")

    @Slot(str)
    def remove(self, game: str) -> None:
        """Ask whether to delete a game."""
        if self._game_of(game) is not None:
            self._set_removing(game)
            self._navigator.announce(self._get_removing_text(), urgent=True)

    @Slot()
    def cancelRemove(self) -> None:
        """Keep the game after all."""
        self._set_removing("")

    @Slot()
    def confirmRemove(self) -> None:
        """Delete the game for good."""
        found = self._game_of(self._removing)
        self._set_removing("")
        if found is not None:
            work = delete_game(self._navigator.home_folders, found.record.table_id)
            self._navigator.bridge.run(work, lambda _: self.refresh(), self._not_deleted)

    def _not_deleted(self, error: Exception) -> None:
        if isinstance(error, StoreError):
            self._navigator.notice(store_problem(error), "error")
        else:
            self._navigator.bridge.failed.emit(error)
        self.refresh()

    def _set_removing(self, game: str) -> None:
        if game != self._removing:
            self._removing = game
            self.removingChanged.emit()

    # ---- for QML ----------------------------------------------------------------------------

    def _get_state(self) -> str:
        if self._problem is not None:
            return "failed"
        if self._history is not None:
            return "done"
        return "unread" if self._job is None else "busy"

    def _get_busy(self) -> bool:
        return self._job is not None

    def _get_empty(self) -> bool:
        return self._history is not None and self._query == GameQuery() and not self._history.games

    def _get_problem(self) -> str:
        return "" if self._problem is None else store_problem(self._problem)

    def _get_total(self) -> int:
        return 0 if self._history is None else self._history.total

    def _get_unusable(self) -> str:
        number = 0 if self._history is None else self._history.unusable
        if not number:
            return ""
        return translate("History", "%n files in the folder are not games.", "", number)

    def _get_reading(self) -> str:
        number = 0 if self._history is None or self._job is None else self._history.unread
        if not number:
            return ""
        return translate("History", "%n older games are still being read.", "", number)

    def _get_uncounted(self) -> str:
        return "" if self._history is None else _uncounted(self._history.statistics)

    def _get_show(self) -> str:
        return self._query.show.name.lower()

    def _set_show(self, show: str) -> None:
        self._set_query(GameQuery(show=GameFilter[show.upper()], text=self._query.text))

    def _set_search(self, search: str) -> None:
        self._set_query(GameQuery(show=self._query.show, text=search))

    def _set_query(self, wanted: GameQuery) -> None:
        if wanted != self._query:
            self._query = wanted
            self._limit = PAGE_GAMES
            self.wantedChanged.emit()
            self.refresh()

    def _get_removing_text(self) -> str:
        found = self._game_of(self._removing)
        return "" if found is None else removing_text(found, self._me() or b"")

    state = Property(str, _get_state, notify=changed)
    busy = Property(bool, _get_busy, notify=changed)
    empty = Property(bool, _get_empty, notify=changed)
    problem = Property(str, _get_problem, notify=changed)
    total = Property(int, _get_total, notify=changed)
    readingText = Property(str, _get_reading, notify=changed)
    uncountedText = Property(str, _get_uncounted, notify=changed)
    unusableText = Property(str, _get_unusable, notify=changed)
    showing = Property(str, _get_show, _set_show, notify=wantedChanged)
    search = Property(str, attrgetter("_query.text"), _set_search, notify=wantedChanged)
    removing = Property(str, attrgetter("_removing"), notify=removingChanged)
    removingText = Property(str, _get_removing_text, notify=removingChanged)
    games = Property(QObject, attrgetter("_games"), constant=True)
    statistics = Property(QObject, attrgetter("_figures"), constant=True)
    opponents = Property(QObject, attrgetter("_people"), constant=True)


# ---- rows -----------------------------------------------------------------------------------


def removing_text(game: Game, me: bytes) -> str:
    """Return what is lost if a game is deleted, and who still has it."""
    told = translate(
        "History", "{game}, {when}: the file of this game is deleted from this computer."
    )
    if game.conclusion is Conclusion.VERIFIED:
        told = translate(
            "History",
            "{game}, {when}: the file of this game is deleted from this computer, and with it the "
            "proof that it was fair.",
        )
    said = [filled(told, game=preset_name(game.record.preset), when=moment(game.ended))]
    if any(not each.bot and each.identity != me for each in game.record.players):
        said.append(translate("History", "The other players keep theirs."))
    return " ".join(said)


def _game(game: Game, me: bytes) -> GameRow:
    record = game.record
    mine = game.seat_of(me)
    won = mine is not None and mine.won and game.won_by_cards
    text = _ending(game, me)
    if record.decided is Decided.ABSENCE:
        text = filled(translate("History", "{ending}; an absence decided it"), ending=text)
    if mine is not None and record.tournament != record.table_id and not game.counts:
        text = filled(_why_not_counted(game), ending=text)
    name, when = preset_name(record.preset), moment(game.ended)
    players = listed([isolated(each.name) for each in record.players if each is not mine])
    conclusion = game.conclusion
    verdict_text = "" if conclusion is None else window_member(conclusion)
    said = [name, when, text, players, verdict_text]
    return GameRow(
        id=record.table_id.hex(),
        name=name,
        when=when,
        text=text,
        players=players,
        rounds=record.rounds,
        won=won,
        lost=mine is not None and game.won_by_cards and not won,
        points=0 if mine is None else mine.score,
        played=mine is not None,
        verdict="" if conclusion is None else mood(conclusion),
        verdict_text=verdict_text,
        accessible_name=", ".join(each for each in said if each),
    )


def _ahead(record: GameRecord) -> tuple[int, ...]:
    gone = [each.seat for each in record.players if each.gone]
    return ahead([each.score for each in record.players], record.format, gone)


def _ending(game: Game, me: bytes) -> str:
    record = game.record
    winners = [each for each in record.players if each.won]
    if record.tournament == record.table_id:
        return translate("History", "A tournament of two tables")
    if any(each.identity == me for each in winners):
        if len(winners) == 1:
            return translate("History", "You won")
        others = [isolated(each.name) for each in winners if each.identity != me]
        return filled(translate("History", "You won, with {names}"), names=listed(others))
    if winners:
        names = listed([isolated(each.name) for each in winners])
        return filled(translate("History", "{names} won", "", len(winners)), names=names)
    stopped = record.reason in (CloseReason.STOPPED, CloseReason.TOO_LONG)
    if stopped and record.rounds:
        leaders = [record.players[seat] for seat in _ahead(record)]
        if leaders and any(each.identity == me for each in leaders):
            return translate("History", "You were ahead when it ended")
        if leaders:
            text = translate("History", "{names} were ahead when it ended", "", len(leaders))
            names = listed([isolated(each.name) for each in leaders])
            return filled(text, names=names)
    if stopped:
        return translate("History", "Ended before anybody won")
    if record.reason is None:
        return translate("History", "Not played to its end here")
    return translate("History", "Nobody won")


def _why_not_counted(game: Game) -> str:
    """Return a template for the ending of a game, with the reason for which it does not count."""
    if game.verdict is AuditVerdict.CHEATING or game.record.reason is CloseReason.CHEATING:
        return translate("History", "{ending}; does not count because of cheating")
    if game.record.reason is None:
        return translate("History", "{ending}; does not count")
    return translate("History", "{ending}; broken off, so it does not count")


def _figures(found: Statistics) -> list[Figure]:
    number = QLocale().toString
    share = round(100 * found.wins / found.decided) if found.decided else 0
    by_cards = translate("History", "{share} % of those that the cards decided")
    longest = found.longest
    rows = translate("History", "games won in a row", "", found.best_streak)
    if found.streak > 1:
        now = translate("History", "won in a row; now: {now}")
        rows = filled(now, now=number(found.streak))
    return [
        Figure("games", translate("History", "Games"), number(found.games), ""),
        Figure(
            "wins",
            translate("History", "Won"),
            number(found.wins),
            filled(by_cards, share=str(share)) if found.decided else "",
        ),
        Figure(
            "points",
            translate("History", "Points"),
            number(found.points),
            translate("History", "in %n rounds", "", found.rounds) if found.rounds else "",
        ),
        Figure("time", translate("History", "Time played"), duration(found.played_ms), ""),
        Figure(
            "longest",
            translate("History", "Longest game"),
            "–" if longest is None else duration(longest.record.played_ms),
            "" if longest is None else _longest(longest),
        ),
        Figure(
            "streak",
            translate("History", "Best run"),
            number(found.best_streak) if found.best_streak else "–",
            rows if found.best_streak else "",
        ),
    ]


def _uncounted(found: Statistics) -> str:
    """Return the number of games that do not count, and why."""
    if not found.others:
        return ""
    broken_off = found.others - found.cheated - found.unfinished
    why = [
        text
        for number, text in (
            (found.unfinished, translate("History", "%n not finished", "", found.unfinished)),
            (broken_off, translate("History", "%n broken off", "", broken_off)),
            (found.cheated, translate("History", "%n with cheating", "", found.cheated)),
        )
        if number
    ]
    said = translate("History", "%n more games are not counted: {why}.", "", found.others)
    return filled(said, why=listed(why))


def _longest(game: Game) -> str:
    rounds = translate("History", "%n rounds", "", game.record.rounds)
    return f"{preset_name(game.record.preset)}, {rounds}"


def _person(line: OpponentStatistics) -> PersonRow:
    told = translate("History", "%n games together", "", line.games)
    return PersonRow(
        id=line.identity.hex(),
        name=line.name,
        text=told,
        games=line.games,
        wins=line.won,
        losses=line.lost,
        avatar=line.avatar,
    )


def duration(milliseconds: int) -> str:
    """Return a duration in words: `48 min`, `3 h 05 min`."""
    hours, minutes = milliseconds // HOUR, milliseconds % HOUR // MINUTE
    if not hours:
        return filled(translate("History", "{minutes} min"), minutes=str(max(1, minutes)))
    told = translate("History", "{hours} h {minutes} min")
    return filled(told, hours=str(hours), minutes=f"{minutes:02}")
