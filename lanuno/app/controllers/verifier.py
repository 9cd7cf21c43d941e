"""The verifier: checks a file or the game just played, then shows it moment by moment.

`lanuno.log.audit.audit` makes the checks; this controller only shows their results.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any

from PySide6.QtCore import Property, QObject, QUrl, Signal, Slot

from lanuno.app import verdict_texts
from lanuno.app.bridge import BridgeJob
from lanuno.app.controllers.navigator import Navigator
from lanuno.app.local_files import local_path, shown_name
from lanuno.app.models.rows import Rows
from lanuno.app.models.story_rows import CardStop, OpenHandLine, RoundLine, Sentence
from lanuno.app.move_texts import HIDDEN, Names, colour_of, line
from lanuno.app.problem_texts import store_problem
from lanuno.app.texts import card_name, filled, isolated, listed, translate
from lanuno.client.history import conclude
from lanuno.client.transcripts import save_transcript
from lanuno.client.verification import verify_transcript
from lanuno.log.audit.audit import Report
from lanuno.log.audit.story import CardMove, Moment, RoundStory, card_path
from lanuno.log.faults import AuditVerdict
from lanuno.rules.cards import Card
from lanuno.rules.decks import deck_tables
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import TRANSCRIPT_SUFFIX
from lanuno.store.profile import load_profile
from lanuno.store.verification import Unchecked, VerificationResult, Verified


def _first_shown(report: Report, rounds: Sequence[RoundStory]) -> tuple[int, int]:
    """Return the index of the round to show first, and its moment.

    That is where the log ends early, or else the first round of play with cards that counts, dealt.
    """
    if not rounds:
        return 0, 0
    if verdict_texts.ends_early(report):
        return len(rounds) - 1, len(rounds[-1].moments) - 1

    def dealt(index: int) -> int | None:
        moments = enumerate(rounds[index].moments)
        return next((number for number, moment in moments if any(moment.hands)), None)

    def order(index: int) -> tuple[bool, bool, bool]:
        story = rounds[index]
        return story.dealer is None, dealt(index) is None, story.void is not None

    shown = min(range(len(rounds)), key=order)
    return shown, dealt(shown) or 0


class VerifierController(QObject):
    """The verifier, for QML.

      state: "empty", "busy", "done" or "failed"; progress: real 0…1; fileName: str
      conclusion: the value of a `Conclusion`, or ""; mood: "good", "bad", "open" or ""
      headline, explanation: str
      sentences: Rows(id, text, state)      the three promises
      absences: Rows(id, text, state)       who was absent, and by whose word
      checks: Rows(id, text, state, detail) every check over all rounds
      blames: Rows(id, text, state)         who did what, where
      rounds: Rows(number, title, detail, state); round: int - index of the round that is shown
      moments: int, moment: int - the timeline of that round; momentText: str
      hands: Rows(seat, name, avatar, turn, mine, cards, accessibleName)
      top: {card, colour, rank} or {}; named: int - the current colour; clockwise: bool
      pile: int - the cards on the draw pile, -1 before a deal
      card: int - the card that is followed, -1 for none; cardName: str; cardFace: {colour, rank}
      path: Rows(id, text, moment, kind, now)
    Slots: openUrl(url), cancel(), showRound(index), goTo(moment), step(by), follow(card),
      saveCopy(url), again().
    """

    changed = Signal()
    progressChanged = Signal()
    momentChanged = Signal()

    def __init__(self, navigator: Navigator) -> None:
        """Begin without a file."""
        super().__init__(navigator)
        self._navigator = navigator
        self._job: BridgeJob[VerificationResult] | None = None
        self._path: Path | None = None
        self._state = "empty"
        self._progress = 0.0
        self._verified: Verified | None = None
        self._round = 0
        self._moment = 0
        self._card = -1
        self._card_moves: tuple[CardMove, ...] = ()
        self._sentences = Rows(Sentence, "id", self)
        self._absences = Rows(Sentence, "id", self)
        self._checks = Rows(Sentence, "id", self)
        self._blames = Rows(Sentence, "id", self)
        self._rounds = Rows(RoundLine, "number", self)
        self._hands = Rows(OpenHandLine, "seat", self)
        self._card_stops = Rows(CardStop, "id", self)
        navigator.retranslated.connect(self._retranslate)

    # ---- opening ----------------------------------------------------------------------------

    @Slot(QUrl)
    def openUrl(self, url: QUrl) -> None:
        """Open a file that was chosen or dropped."""
        if url.isLocalFile():
            self.open_file(local_path(url))
        else:
            self._navigator.notice(
                translate("Verifier", "Only files on this computer can be checked."), "error"
            )

    def open_file(self, file: Path) -> None:
        """Check a transcript. A check that is running is cancelled."""
        self.cancel()
        self._path = file
        self._verified = None
        self._card = -1
        self._card_moves = ()
        self._state = "busy"
        self._progress = 0.0
        self._show()
        self.progressChanged.emit()
        jobs: list[BridgeJob[VerificationResult]] = []

        def report_progress(share: float) -> None:
            # A cancelled check may still report its progress.
            if jobs and jobs[0] is self._job:
                self._progress = share
                self.progressChanged.emit()

        work = verify_transcript(file, self._me(), self._navigator.bridge.back(report_progress))
        self._job = self._navigator.bridge.run(work, self.show, self._failed)
        jobs.append(self._job)

    @Slot()
    def again(self) -> None:
        """Check the same file once more."""
        if self._path is not None:
            self.open_file(self._path)

    @Slot()
    def cancel(self) -> None:
        """Cancel the running check."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        if self._state == "busy":
            self._state = "empty"
            self._show()

    def _me(self) -> bytes | None:
        try:
            return load_profile(self._navigator.home_folders).identity.public
        except StoreError:
            return None

    def _failed(self, error: Exception) -> None:
        self.show(Unchecked(None))
        self._navigator.bridge.failed.emit(error)

    def show(self, outcome: VerificationResult) -> None:
        """Show the result of a check."""
        self._job = None
        self._card = -1
        self._card_moves = ()
        if isinstance(outcome, Unchecked):
            self._state = "failed"
            self._problem = outcome.problem
        else:
            self._state = "done"
            self._verified = outcome
            self._round, self._moment = _first_shown(outcome.report, self._round_stories)
            if self._path is not None:
                self._record(self._path, outcome.report.verdict)
        self._show()
        self._navigator.announce(self._get_headline(), urgent=True)

    _problem: FileProblem | None = None

    def _record(self, path: Path, verdict: AuditVerdict) -> None:
        """Store the verdict for the history, if the file is in the folder of games."""
        home = self._navigator.home_folders
        if path.parent != home.games or path.suffix != TRANSCRIPT_SUFFIX:
            return
        try:
            table_id = bytes.fromhex(path.stem)
        except ValueError:
            return
        self._navigator.bridge.run(conclude(home, table_id, verdict), None, self._not_recorded)

    def _not_recorded(self, error: Exception) -> None:
        """Ignore a verdict that cannot be stored, because a later check finds it again."""
        if not isinstance(error, StoreError):
            self._navigator.bridge.failed.emit(error)

    # ---- words ------------------------------------------------------------------------------

    def _retranslate(self) -> None:
        if self._state != "empty":
            self._show()

    def _show(self) -> None:
        found = self._verified
        report = None if found is None else found.report
        self._sentences.show(
            [] if found is None else verdict_texts.promises(found.report, found.own_seat)
        )
        self._absences.show([] if report is None else verdict_texts.absences(report))
        self._checks.show([] if report is None else verdict_texts.checks(report))
        self._blames.show([] if report is None else verdict_texts.blames(report))
        self._rounds.show(
            [] if report is None else verdict_texts.round_lines(report, self._round_stories)
        )
        self.changed.emit()
        self._show_moment()

    @property
    def _round_stories(self) -> tuple[RoundStory, ...]:
        story = None if self._verified is None else self._verified.story
        return () if story is None else story.rounds

    @property
    def _current(self) -> tuple[RoundStory, Moment] | None:
        rounds = self._round_stories
        if not rounds:
            return None
        story = rounds[self._round]
        return story, story.moments[self._moment]

    def _face(self, card: int) -> Card | None:
        story = None if self._verified is None else self._verified.story
        if story is None or card < 0:
            return None
        return deck_tables(story.ruleset.deck).faces[card]

    def _shown(self, card: int) -> dict[str, int]:
        face = self._face(card)
        if face is None:
            return {"card": card, "colour": HIDDEN, "rank": HIDDEN}
        return {"card": card, "colour": colour_of(face), "rank": int(face.rank)}

    def _show_moment(self) -> None:
        now = self._current
        self._hands.show([] if now is None else self._hand_lines(*now))
        self._show_path()
        self.momentChanged.emit()

    def _hand_lines(self, story: RoundStory, moment: Moment) -> Sequence[OpenHandLine]:
        assert self._verified is not None
        assert self._verified.story is not None
        game = self._verified.story
        found = []
        for seat, slots in zip(story.seats, moment.hands, strict=True):
            cards = [story.cards.get(slot, HIDDEN) for slot in slots]
            faces = [self._face(card) for card in cards]
            names = listed([card_name(face) for face in faces if face is not None])
            said = translate("Verifier", "{name}, %n cards", "", len(slots))
            said = filled(said, name=isolated(game.players[seat]))
            found.append(
                OpenHandLine(
                    seat,
                    game.players[seat],
                    game.avatars[seat],
                    game.bots[seat],
                    moment.decider == seat,
                    seat == self._verified.own_seat,
                    tuple(self._shown(card) for card in cards),
                    f"{said}: {names}" if names else said,
                )
            )
        return found

    def _show_path(self) -> None:
        here = [each for each in self._card_moves if each.moment <= self._moment]
        last = here[-1] if here else None
        story = None if self._verified is None else self._verified.story
        players = () if story is None else story.players
        self._card_stops.show(
            [
                CardStop(
                    number,
                    verdict_texts.card_move_text(each, players),
                    each.moment,
                    each.place.name.lower(),
                    each is last,
                )
                for number, each in enumerate(self._card_moves)
            ]
        )

    # ---- the timeline -----------------------------------------------------------------------

    @Slot(int)
    def showRound(self, index: int) -> None:
        """Show another round, from its beginning."""
        if 0 <= index < len(self._round_stories) and index != self._round:
            self._round = index
            self._moment = 0
            self._find_path()
            self.changed.emit()
            self._show_moment()

    @Slot(int)
    def goTo(self, moment: int) -> None:
        """Show another moment of the round."""
        now = self._current
        if now is None:
            return
        moment = max(0, min(moment, len(now[0].moments) - 1))
        if moment != self._moment:
            self._moment = moment
            self._show_moment()

    @Slot(int)
    def step(self, by: int) -> None:
        """Move by this number of moments, forwards or backwards."""
        self.goTo(self._moment + by)

    @Slot(int)
    def follow(self, card: int) -> None:
        """Show the path of a card; -1 for no card."""
        self._card = card if self._face(card) is not None else -1
        self._find_path()
        self._show_path()
        self.momentChanged.emit()

    def _find_path(self) -> None:
        now = self._current
        self._card_moves = () if now is None or self._card < 0 else card_path(now[0], self._card)

    # ---- saving -----------------------------------------------------------------------------

    @Slot(QUrl)
    def saveCopy(self, url: QUrl) -> None:
        """Save a copy of the file elsewhere, to show it to other people."""
        if self._path is None or not url.isLocalFile():
            return
        target = local_path(url)
        try:
            target = save_transcript(self._path, target)
        except StoreError as error:
            self._navigator.notice(store_problem(error), "error")
            return
        text = filled(translate("Verifier", "Saved as {file}."), file=isolated(shown_name(target)))
        self._navigator.notice(text, "good")

    # ---- for QML ----------------------------------------------------------------------------

    def _get_file_name(self) -> str:
        return "" if self._path is None else shown_name(self._path)

    def _get_conclusion(self) -> str:
        return "" if self._verified is None else self._verified.report.conclusion.value

    def _get_mood(self) -> str:
        found = self._verified
        return "" if found is None else verdict_texts.mood(found.report.conclusion)

    def _get_headline(self) -> str:
        if self._state == "failed":
            return translate("Verifier", "This file could not be checked.")
        return "" if self._verified is None else verdict_texts.headline(self._verified.report)

    def _get_explanation(self) -> str:
        if self._state == "failed":
            if self._problem is None or self._path is None:
                return translate(
                    "Verifier", "Checking it would take more time or memory than any game needs."
                )
            return store_problem(StoreError(self._problem, self._path, ""))
        return "" if self._verified is None else verdict_texts.explanation(self._verified.report)

    def _get_moments(self) -> int:
        now = self._current
        return 0 if now is None else len(now[0].moments)

    def _get_moment_text(self) -> str:
        now = self._current
        if now is None or self._verified is None or self._verified.story is None:
            return ""
        story = self._verified.story
        names = Names(story.players, self._verified.own_seat, story.ruleset.deck)
        lines = [line(0, event, names) for event in (now[1].taken_input, *now[1].events)]
        said = [each.text for each in lines if each is not None]
        if said:
            return ". ".join(said)
        if now[1].taken_input is None:
            return translate("Verifier", "The round begins: every player has committed to a seed")
        return translate("Verifier", "The cards are dealt")

    def _get_top(self) -> dict[str, int]:
        now = self._current
        return {} if now is None or now[1].top < 0 else self._shown(now[1].top)

    def _get_named(self) -> int:
        now = self._current
        return -1 if now is None else now[1].colour

    def _get_pile(self) -> int:
        now = self._current
        if now is None or now[1].taken_input is None:
            return -1
        return max(0, now[1].pile[1] - now[1].pile[0])

    def _get_clockwise(self) -> bool:
        now = self._current
        return True if now is None else now[1].clockwise

    def _get_card_name(self) -> str:
        face = self._face(self._card)
        return "" if face is None else card_name(face)

    def _get_card_face(self) -> dict[str, Any]:
        return {} if self._card < 0 else dict(self._shown(self._card))

    state = Property(str, attrgetter("_state"), notify=changed)
    progress = Property(float, attrgetter("_progress"), notify=progressChanged)
    fileName = Property(str, _get_file_name, notify=changed)
    conclusion = Property(str, _get_conclusion, notify=changed)
    mood = Property(str, _get_mood, notify=changed)
    headline = Property(str, _get_headline, notify=changed)
    explanation = Property(str, _get_explanation, notify=changed)
    round = Property(int, attrgetter("_round"), notify=changed)
    moments = Property(int, _get_moments, notify=momentChanged)
    moment = Property(int, attrgetter("_moment"), notify=momentChanged)
    momentText = Property(str, _get_moment_text, notify=momentChanged)
    top = Property(dict, _get_top, notify=momentChanged)
    named = Property(int, _get_named, notify=momentChanged)
    pile = Property(int, _get_pile, notify=momentChanged)
    clockwise = Property(bool, _get_clockwise, notify=momentChanged)
    card = Property(int, attrgetter("_card"), notify=momentChanged)
    cardName = Property(str, _get_card_name, notify=momentChanged)
    cardFace = Property(dict, _get_card_face, notify=momentChanged)
    sentences = Property(QObject, attrgetter("_sentences"), constant=True)
    absences = Property(QObject, attrgetter("_absences"), constant=True)
    checks = Property(QObject, attrgetter("_checks"), constant=True)
    blames = Property(QObject, attrgetter("_blames"), constant=True)
    rounds = Property(QObject, attrgetter("_rounds"), constant=True)
    hands = Property(QObject, attrgetter("_hands"), constant=True)
    path = Property(QObject, attrgetter("_card_stops"), constant=True)
