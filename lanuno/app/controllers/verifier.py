"""The verifier: a file or the game just played, checked, then told moment by moment.

What is checked, and how, is `lanuno.log.audit`'s; this only shows what came of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Property, QObject, QUrl, Signal, Slot

from lanuno.app import verdicts
from lanuno.app.bridge import Job
from lanuno.app.controllers.stage import Stage
from lanuno.app.models.rows import Rows
from lanuno.app.models.story_rows import CheckLine, OpenHandLine, RoundLine, Sentence, Stop
from lanuno.app.moves import Names, colour_of, line
from lanuno.app.reasons import store_problem
from lanuno.app.words import card_name, isolated, listed, translate
from lanuno.app.worker.verification import verify
from lanuno.cli.outcome import save_transcript
from lanuno.log.story import Moment, Place, RoundStory, Station, path
from lanuno.rules.cards import Card, deck_tables
from lanuno.store.errors import Problem, StoreError
from lanuno.store.profile import load_profile
from lanuno.store.verification import Outcome, Unchecked, Verified

UNKNOWN = -2
KINDS = {
    Place.DECK: "deck",
    Place.SHUFFLED: "shuffled",
    Place.PILE: "pile",
    Place.HAND: "hand",
    Place.DISCARD: "discard",
}


class VerifierController(QObject):
    """The verifier, for QML.

      state: "empty", "busy", "done" or "failed"; progress: real 0…1; fileName: str
      verdict: "verified", "cheating", "incomplete", "changed", "unreadable" or ""
      headline, explanation: str
      sentences: Rows(id, text, state)      the three promises
      absences: Rows(id, text, state)       who was not there, and by whose word
      decided: "cards", "absence" or ""
      checks: Rows(id, text, state, detail) every check over all rounds
      blames: Rows(id, text, state)         who did what, where
      rounds: Rows(number, title, detail, state); round: int - index of the one that is shown
      moments: int, moment: int - the timeline of that round; momentText: str
      hands: Rows(seat, name, avatar, turn, mine, cards, accessibleName)
      top: {card, colour, rank} or {}; named: int - the current colour; pile: int; clockwise: bool
      card: int - the card that is followed, -1 for none; cardName: str; cardFace: {colour, rank}
      path: Rows(id, text, moment, kind, now)
    Slots: openUrl(url), cancel(), showRound(index), goTo(moment), step(by), follow(card),
      saveCopy(url), again().
    """

    changed = Signal()
    progressChanged = Signal()
    momentChanged = Signal()
    concluded = Signal(object, object)
    """There is a `Verdict` about the file of this path."""

    def __init__(self, stage: Stage) -> None:
        """Nothing is open."""
        super().__init__(stage)
        self._stage = stage
        self._job: Job[Outcome] | None = None
        self._path: Path | None = None
        self._state = "empty"
        self._progress = 0.0
        self._failure = ""
        self._found: Verified | None = None
        self._round = 0
        self._moment = 0
        self._card = -1
        self._stations: tuple[Station, ...] = ()
        self._sentences = Rows(Sentence, "id", self)
        self._absences = Rows(Sentence, "id", self)
        self._checks = Rows(CheckLine, "id", self)
        self._blames = Rows(Sentence, "id", self)
        self._rounds = Rows(RoundLine, "number", self)
        self._hands = Rows(OpenHandLine, "seat", self)
        self._stops = Rows(Stop, "id", self)
        stage.retranslated.connect(self._put_into_words)

    # ---- opening ----------------------------------------------------------------------------

    @Slot(QUrl)
    def openUrl(self, url: QUrl) -> None:
        """Open what was chosen or dropped."""
        if url.isLocalFile():
            self.open_file(Path(url.toLocalFile()))
        else:
            self._stage.notice(
                translate("Verifier", "Only files on this computer can be checked."), "error"
            )

    def open_file(self, file: Path) -> None:
        """Check a transcript; whatever was being checked is given up."""
        self.cancel()
        self._path = file
        self._found = None
        self._card = -1
        self._stations = ()
        self._failure = ""
        self._state = "busy"
        self._progress = 0.0
        self._show()
        self.progressChanged.emit()
        jobs: list[Job[Outcome]] = []

        def told(share: float) -> None:
            # What was given up may still have had something to say.
            if jobs and jobs[0] is self._job:
                self._progress = share
                self.progressChanged.emit()

        work = verify(file, self._me(), self._stage.bridge.back(told))
        self._job = self._stage.bridge.run(work, self.show, self._failed)
        jobs.append(self._job)

    @Slot()
    def again(self) -> None:
        """Check the same file once more."""
        if self._path is not None:
            self.open_file(self._path)

    @Slot()
    def cancel(self) -> None:
        """Give up what is being checked."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        if self._state == "busy":
            self._state = "empty"
            self._show()

    def _me(self) -> bytes | None:
        try:
            return load_profile(self._stage.home_folders).identity.public
        except StoreError:
            return None

    def _failed(self, error: Exception) -> None:
        self.show(Unchecked(None))
        self._stage.bridge.failed.emit(error)

    def show(self, outcome: Outcome) -> None:
        """Show what came of it."""
        self._job = None
        self._card = -1
        self._stations = ()
        if isinstance(outcome, Unchecked):
            self._state = "failed"
            self._problem = outcome.problem
        else:
            self._state = "done"
            self._found = outcome
            told = self._told_rounds
            self._round = next(
                (number for number, each in enumerate(told) if each.dealer is not None), 0
            )
            self._moment = 0
            if self._path is not None:
                self.concluded.emit(self._path, outcome.report.verdict)
        self._show()
        self._stage.announce(self._get_headline(), urgent=True)

    _problem: Problem | None = None

    # ---- words ------------------------------------------------------------------------------

    def _put_into_words(self) -> None:
        if self._state != "empty":
            self._show()

    def _show(self) -> None:
        found = self._found
        report = None if found is None else found.report
        self._sentences.show([] if found is None else verdicts.promises(found.report, found.mine))
        self._absences.show([] if report is None else verdicts.absences(report))
        self._checks.show([] if report is None else verdicts.checks(report))
        self._blames.show([] if report is None else verdicts.blames(report))
        self._rounds.show([] if report is None else verdicts.round_lines(report, self._told_rounds))
        self.changed.emit()
        self._show_moment()

    @property
    def _told_rounds(self) -> tuple[RoundStory, ...]:
        story = None if self._found is None else self._found.story
        return () if story is None else story.rounds

    @property
    def _now(self) -> tuple[RoundStory, Moment] | None:
        told = self._told_rounds
        if not told:
            return None
        each = told[self._round]
        return each, each.moments[self._moment]

    def _face(self, card: int) -> Card | None:
        story = None if self._found is None else self._found.story
        if story is None or card < 0:
            return None
        return deck_tables(story.ruleset.deck).faces[card]

    def _shown(self, card: int) -> dict[str, int]:
        face = self._face(card)
        if face is None:
            return {"card": card, "colour": UNKNOWN, "rank": UNKNOWN}
        return {"card": card, "colour": colour_of(face), "rank": int(face.rank)}

    def _show_moment(self) -> None:
        now = self._now
        self._hands.show([] if now is None else self._hand_lines(*now))
        self._show_path()
        self.momentChanged.emit()

    def _hand_lines(self, told: RoundStory, moment: Moment) -> Sequence[OpenHandLine]:
        assert self._found is not None
        assert self._found.story is not None
        players, avatars = self._found.story.players, self._found.story.avatars
        found = []
        for seat, slots in zip(told.seats, moment.hands, strict=True):
            cards = [told.cards.get(slot, UNKNOWN) for slot in slots]
            faces = [self._face(card) for card in cards]
            names = listed([card_name(face) for face in faces if face is not None])
            said = translate("Verifier", "{name}, %n cards", "", len(slots))
            said = said.replace("{name}", isolated(players[seat]))
            found.append(
                OpenHandLine(
                    seat,
                    players[seat],
                    avatars[seat],
                    moment.decider == seat,
                    seat == self._found.mine,
                    tuple(self._shown(card) for card in cards),
                    f"{said}: {names}" if names else said,
                )
            )
        return found

    def _show_path(self) -> None:
        here = [each for each in self._stations if each.moment <= self._moment]
        last = here[-1] if here else None
        story = None if self._found is None else self._found.story
        players = () if story is None else story.players
        self._stops.show(
            [
                Stop(
                    number,
                    verdicts.station_text(each, players),
                    each.moment,
                    KINDS[each.place],
                    each is last,
                )
                for number, each in enumerate(self._stations)
            ]
        )

    # ---- the timeline -----------------------------------------------------------------------

    @Slot(int)
    def showRound(self, index: int) -> None:
        """Show another round, from its beginning."""
        if 0 <= index < len(self._told_rounds) and index != self._round:
            self._round = index
            self._moment = 0
            self._find_path()
            self.changed.emit()
            self._show_moment()

    @Slot(int)
    def goTo(self, moment: int) -> None:
        """Show another moment of the round."""
        now = self._now
        if now is None:
            return
        moment = max(0, min(moment, len(now[0].moments) - 1))
        if moment != self._moment:
            self._moment = moment
            self._show_moment()

    @Slot(int)
    def step(self, by: int) -> None:
        """Go on, or back."""
        self.goTo(self._moment + by)

    @Slot(int)
    def follow(self, card: int) -> None:
        """Show the path of a card; -1 for none."""
        self._card = card if self._face(card) is not None else -1
        self._find_path()
        self._show_path()
        self.momentChanged.emit()

    def _find_path(self) -> None:
        now = self._now
        self._stations = () if now is None or self._card < 0 else path(now[0], self._card)

    # ---- keeping ----------------------------------------------------------------------------

    @Slot(QUrl)
    def saveCopy(self, url: QUrl) -> None:
        """Save the file elsewhere, to show it to others."""
        if self._path is None or not url.isLocalFile():
            return
        target = Path(url.toLocalFile())
        try:
            target = save_transcript(self._path, target)
        except StoreError as error:
            self._stage.notice(store_problem(error), "error")
            return
        told = translate("Verifier", "Saved as {file}.").replace("{file}", isolated(target.name))
        self._stage.notice(told, "good")

    # ---- for QML ----------------------------------------------------------------------------

    def _get_state(self) -> str:
        return self._state

    def _get_progress(self) -> float:
        return self._progress

    def _get_file_name(self) -> str:
        return "" if self._path is None else self._path.name

    def _get_verdict(self) -> str:
        return "" if self._found is None else self._found.report.verdict.value

    def _get_decided(self) -> str:
        decided = None if self._found is None else self._found.report.decided
        return "" if decided is None else decided.value

    def _get_headline(self) -> str:
        if self._state == "failed":
            return translate("Verifier", "This file could not be checked.")
        return "" if self._found is None else verdicts.headline(self._found.report)

    def _get_explanation(self) -> str:
        if self._state == "failed":
            if self._problem is None or self._path is None:
                return translate(
                    "Verifier", "Checking it would take more time or memory than any game needs."
                )
            return store_problem(StoreError(self._problem, self._path, ""))
        return "" if self._found is None else verdicts.explanation(self._found.report)

    def _get_round(self) -> int:
        return self._round

    def _get_moments(self) -> int:
        now = self._now
        return 0 if now is None else len(now[0].moments)

    def _get_moment(self) -> int:
        return self._moment

    def _get_moment_text(self) -> str:
        now = self._now
        if now is None or self._found is None or self._found.story is None:
            return ""
        story = self._found.story
        names = Names(story.players, self._found.mine, story.ruleset.deck)
        told = [line(0, event, names) for event in now[1].events]
        said = [each.text for each in told if each is not None]
        if said:
            return ". ".join(said)
        if now[1].said is None:
            return translate("Verifier", "The round begins: everybody has promised a seed")
        return translate("Verifier", "The cards are dealt")

    def _get_top(self) -> dict[str, int]:
        now = self._now
        return {} if now is None or now[1].top < 0 else self._shown(now[1].top)

    def _get_named(self) -> int:
        now = self._now
        return -1 if now is None else now[1].colour

    def _get_pile(self) -> int:
        now = self._now
        return 0 if now is None else max(0, now[1].pile[1] - now[1].pile[0])

    def _get_clockwise(self) -> bool:
        now = self._now
        return True if now is None else now[1].clockwise

    def _get_card(self) -> int:
        return self._card

    def _get_card_name(self) -> str:
        face = self._face(self._card)
        return "" if face is None else card_name(face)

    def _get_card_face(self) -> dict[str, Any]:
        return {} if self._card < 0 else dict(self._shown(self._card))

    def _get_sentences(self) -> QObject:
        return self._sentences

    def _get_absences(self) -> QObject:
        return self._absences

    def _get_checks(self) -> QObject:
        return self._checks

    def _get_blames(self) -> QObject:
        return self._blames

    def _get_rounds(self) -> QObject:
        return self._rounds

    def _get_hands(self) -> QObject:
        return self._hands

    def _get_path(self) -> QObject:
        return self._stops

    state = Property(str, _get_state, notify=changed)
    progress = Property(float, _get_progress, notify=progressChanged)
    fileName = Property(str, _get_file_name, notify=changed)
    verdict = Property(str, _get_verdict, notify=changed)
    decided = Property(str, _get_decided, notify=changed)
    headline = Property(str, _get_headline, notify=changed)
    explanation = Property(str, _get_explanation, notify=changed)
    round = Property(int, _get_round, notify=changed)
    moments = Property(int, _get_moments, notify=momentChanged)
    moment = Property(int, _get_moment, notify=momentChanged)
    momentText = Property(str, _get_moment_text, notify=momentChanged)
    top = Property(dict, _get_top, notify=momentChanged)
    named = Property(int, _get_named, notify=momentChanged)
    pile = Property(int, _get_pile, notify=momentChanged)
    clockwise = Property(bool, _get_clockwise, notify=momentChanged)
    card = Property(int, _get_card, notify=momentChanged)
    cardName = Property(str, _get_card_name, notify=momentChanged)
    cardFace = Property(dict, _get_card_face, notify=momentChanged)
    sentences = Property(QObject, _get_sentences, constant=True)
    absences = Property(QObject, _get_absences, constant=True)
    checks = Property(QObject, _get_checks, constant=True)
    blames = Property(QObject, _get_blames, constant=True)
    rounds = Property(QObject, _get_rounds, constant=True)
    hands = Property(QObject, _get_hands, constant=True)
    path = Property(QObject, _get_path, constant=True)
