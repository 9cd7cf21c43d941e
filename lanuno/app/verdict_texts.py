"""An audit's result in words: the verdict, the three promises, every check, who is to blame.

Pure functions of a report. Words that the command line also has are the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lanuno.app.models.story_rows import RoundLine, Sentence
from lanuno.app.texts import filled, isolated, listed, texts, translate
from lanuno.log.audit.audit import Report
from lanuno.log.audit.conclusion import Conclusion
from lanuno.log.audit.story import CardMove, CardPlace, RoundStory
from lanuno.log.faults import AuditVerdict, Blame, Check, NoGameReason, VoidReason
from lanuno.log.format.bodies import CloseReason
from lanuno.log.round.round_audit import RoundReport, is_proof

_RANDOM: Final = (Check.COMMITMENTS, Check.REVEALS, Check.MASKS)
_SHUFFLES: Final = (Check.MASKS, Check.LOCKS, Check.SHARES)
_CARDS: Final = (
    *(Check.CHAIN, Check.SIGNATURES, Check.MEMBERS, Check.STATES),
    *(Check.KEYS, Check.CARDS, Check.RULES, Check.SCORES),
)


def mood(conclusion: Conclusion) -> str:
    """Return the mood in which every screen shows a conclusion: "good", "bad", or else "open"."""
    if conclusion is Conclusion.CHEATING:
        return "bad"
    return "good" if conclusion is Conclusion.VERIFIED else "open"


def headline(report: Report) -> str:
    """Return the conclusion in one sentence."""
    number = str(report.broken_from)
    match report.conclusion:
        case Conclusion.NOTHING_COUNTS:
            return translate("Verdict", "No round of this game counts.")
        case Conclusion.ABSENCE:
            return translate("Verdict", "An absence decided this game.")
        case Conclusion.VERIFIED:
            return translate("Verdict", "This game was fair.")
        case Conclusion.CHEATING:
            proven = filter(is_proof, report.blame)
            guilty = sorted({each.seat for each in proven if each.seat is not None})
            names = listed([_name(report, seat) for seat in guilty])
            text = translate("Verdict", "{names} cheated in this game.", "", len(guilty))
            return filled(text, names=names)
        case Conclusion.INCOMPLETE if report.broken_from:
            return filled(translate("Verdict", "Incomplete from round {number}"), number=number)
        case Conclusion.INCOMPLETE if report.broken_from == 0:
            return translate("Verdict", "Incomplete from the choice of the dealer")
        case Conclusion.INCOMPLETE if report.closed is None:
            return translate("Verdict", "The end of this game is missing.")
        case Conclusion.INCOMPLETE:
            return translate("Verdict", "Not everything in this game could be checked.")
        case Conclusion.CHANGED if report.at_end and report.broken_from:
            text = translate("Verdict", "Not as it was signed from round {number}")
            return filled(text, number=number)
        case Conclusion.CHANGED if report.at_end:
            return translate("Verdict", "This file does not end as it was signed.")
        case Conclusion.CHANGED if report.broken_from:
            return filled(translate("Verdict", "Changed from round {number}"), number=number)
        case Conclusion.CHANGED:
            return translate("Verdict", "This file was changed after the game.")
        case Conclusion.UNREADABLE:
            return _no_game(report.no_game)[0]


def explanation(report: Report) -> str:
    """Return what the conclusion means, and why it is not a better one."""
    match report.conclusion:
        case Conclusion.NOTHING_COUNTS:
            return _nothing_counts()
        case Conclusion.ABSENCE:
            return " ".join(_absence(report))
        case Conclusion.VERIFIED if any(not each.complete for each in report.rounds):
            return translate(
                "Verdict", "Every round that counts was checked. Void rounds do not count."
            )
        case Conclusion.VERIFIED:
            return translate("Verdict", "Every card of every round was checked on this computer.")
        case Conclusion.CHEATING:
            return translate(
                "Verdict",
                "The proof is in this file, signed by the player who did it. Anybody can check it.",
            )
        case Conclusion.INCOMPLETE if report.closed is None:
            return translate(
                "Verdict",
                "The file was cut off there, or the game stopped there. In what comes before,"
                " nothing is wrong.",
            )
        case Conclusion.INCOMPLETE if report.closed is CloseReason.INCOMPLETE:
            return translate(
                "Verdict",
                "The game was broken off there. In what comes before, nothing is wrong.",
            )
        case Conclusion.INCOMPLETE:
            return translate(
                "Verdict", "A player's seed was never revealed, so not every card can be checked."
            )
        case Conclusion.CHANGED:
            return " ".join(_change(report))
        case Conclusion.UNREADABLE:
            return _no_game(report.no_game)[1]


def _nothing_counts() -> str:
    return translate("Verdict", "No fault was found, but no round of play has a result.")


def _absence(report: Report) -> Iterator[str]:
    """Yield what was checked although an absence decided, and what cannot be checked."""
    if report.counted:
        yield translate(
            "Verdict",
            "Every round that counts was checked, and nothing is wrong. But the cards alone did"
            " not decide it.",
        )
    else:
        yield _nothing_counts()
    if report.on_hosts_word:
        yield translate("Verdict", "What only the host says of an absence cannot be proven.")


def _change(report: Report) -> Iterator[str]:
    """Yield that no player is accused, which part of the file is unchanged, and what to do."""
    yield translate("Verdict", "Nobody at the table is accused.")
    if report.at_end:
        yield translate(
            "Verdict",
            "The file was changed after the game, or the game was stopped because of its last"
            " entry. Everything before that entry was checked.",
        )
    elif report.players:
        yield translate("Verdict", "Everything before the change was checked.")
    yield translate(
        "Verdict", "Ask another player for their file of this game, and check that one."
    )


def _no_game(unfit: NoGameReason | None) -> tuple[str, str]:
    """Return one sentence on why there is nothing to check, and one on what that means."""
    if unfit is NoGameReason.VERSION:
        return (
            translate("Verdict", "This game was written by another version of LanUNO."),
            translate("Verdict", "This version cannot check it."),
        )
    if unfit is NoGameReason.EMPTY:
        return (
            translate(
                "Verdict", "This file holds no game: none had begun, or the file is cut off."
            ),
            translate("Verdict", "So there is nothing to check."),
        )
    if unfit is NoGameReason.PLAYERS:
        return (
            translate("Verdict", "This file only names the players of a tournament."),
            translate("Verdict", "The games are in the files of its tables: check those."),
        )
    return (
        translate("Verdict", "This is not a LanUNO game."),
        translate("Verdict", "Choose a file that LanUNO has written; its name ends in “.lanuno”."),
    )


def promises(report: Report, mine: int | None) -> list[Sentence]:
    """Return the three promises, as far as they were checked. `mine`: the reader's seat, if any."""
    if not report.rounds:
        return []
    if report.verdict is AuditVerdict.VERIFIED and not report.counted:
        text = translate(
            "Verdict", "No round counts, so nothing is said about shuffles, cards and moves."
        )
        return [Sentence("nothing", text, "open")]
    states = [_state(report, wanted) for wanted in (_RANDOM, _SHUFFLES, _CARDS)]
    random, shuffles, cards = (state == "good" for state in states)
    rounds = _rounds(report)
    own = mine is not None and all(
        mine in each.seats and mine not in each.left_out for each in rounds
    )
    everybody = not any(each.left_out for each in rounds)
    said = (
        _own_randomness(holds=random)
        if own
        else _all_randomness(holds=random, everybody=everybody),
        translate("Verdict", "Every shuffle matched the commitments made before it.")
        if shuffles
        else translate(
            "Verdict", "It is not proven that every shuffle matched the commitments made before it."
        ),
        _moves(holds=cards, clock=bool(report.clock)),
    )
    void = any(each.void is not None for each in report.rounds)
    where = translate("Verdict", "in every round that counts") if void else ""
    return [
        Sentence(name, text, state, where)
        for name, text, state in zip(("randomness", "shuffles", "cards"), said, states, strict=True)
    ]


def _own_randomness(*, holds: bool) -> str:
    if holds:
        return translate("Verdict", "Your own randomness was used in every shuffle.")
    return translate(
        "Verdict", "It is not proven that your own randomness was used in every shuffle."
    )


def _all_randomness(*, holds: bool, everybody: bool) -> str:
    """`everybody`: whether every seat took part in every shuffle."""
    if holds and not everybody:
        return translate(
            "Verdict", "The randomness of everybody who was still there was used in every shuffle."
        )
    if holds:
        return translate("Verdict", "Every player's randomness was used in every shuffle.")
    return translate(
        "Verdict", "It is not proven that every player's randomness was used in every shuffle."
    )


def _moves(*, holds: bool, clock: bool) -> str:
    """`clock`: whether the clock played turns, which no player has signed."""
    if not holds:
        return translate(
            "Verdict",
            "It is not proven that every card came from those shuffles and every move was legal.",
        )
    if clock:
        return translate(
            "Verdict",
            "Every card came from those shuffles, and every move that a player signed was legal.",
        )
    return translate("Verdict", "Every card came from those shuffles, and every move was legal.")


def absences(report: Report) -> list[Sentence]:
    """Return the facts about absences, for which there is only the host's word, or the player's."""
    said = []
    for drop in report.dropped:
        text = (
            translate("Verdict", "{name} left, and signed that ({round})")
            if drop.signed
            else translate(
                "Verdict",
                "{name} was dropped; only the host's word says why: {why} ({round})",
            )
        )
        why, name = texts().member(drop.reason), _name(report, drop.seat)
        said.append(filled(text, why=why, name=name, round=_round_name(drop.round)))
    for seat in report.expelled:
        text = translate(
            "Verdict", "{name} is out of the match: was missing from two rounds that became void"
        )
        said.append(_about(report, text, seat))
    if report.forfeited is not None:
        loser, winner = report.forfeited
        text = translate("Verdict", "{name} was gone, so {other} won the match")
        said.append(filled(text, other=_name(report, winner), name=_name(report, loser)))
    for seat, turns in report.clock:
        text = translate(
            "Verdict",
            "The clock played %n turns of {name}; only the host says that time was up",
            "",
            turns,
        )
        said.append(_about(report, text, seat))
    for act in report.clock_acts:
        text = translate("Verdict", "The clock acted for {name} in round {round}: {what}")
        name, what = _name(report, act.seat), texts().member(act.effect)
        said.append(filled(text, round=str(act.round), name=name, what=what))
    for each in report.rounds:
        for seat, owner in each.filled:
            text = translate("Verdict", "A bot of {other} played for {name} ({round})")
            name, other = _name(report, seat), _name(report, owner)
            said.append(filled(text, name=name, other=other, round=_round_name(each.round)))
        # If the log just stops, no player had the chance to reveal anything.
        if each.unrevealed and report.closed is not None:
            text = translate("Verdict", "The randomness of {name} was not revealed ({round})")
            names = listed([_name(report, seat) for seat in each.unrevealed])
            said.append(filled(text, round=_round_name(each.round), name=names))
    return [Sentence(str(number), text, "open") for number, text in enumerate(said)]


def _about(report: Report, text: str, seat: int) -> str:
    return filled(text, name=_name(report, seat))


def checks(report: Report) -> list[Sentence]:
    """Return every named check, over all rounds."""
    if not report.rounds:
        return []
    found = []
    for check in Check:
        state = _state(report, (check,))
        wrong = [each.round for each in _rounds(report) if check in _wrong(each)]
        detail = ""
        if wrong:
            rounds = listed([_round_name(number) for number in wrong])
            detail = filled(translate("Checks", "not in: {rounds}"), rounds=rounds)
        found.append(Sentence(check.value, texts().member(check), state, detail))
    return found


def blames(report: Report) -> list[Sentence]:
    """Return one sentence for each proven fault: who, what, where."""
    return [
        Sentence(str(number), blame_text(report, blame), "bad")
        for number, blame in enumerate(report.blame)
        if is_proof(blame)
    ]


def blame_text(report: Report, blame: Blame) -> str:
    """Return `Ana: published a shuffle that her seed does not give (round 3, entry 120)`."""
    fault = texts().member(blame.fault)
    place = translate("Verdict", "{round}, entry {entry}")
    place = filled(place, round=_round_name(blame.round), entry=str(blame.entry))
    return f"{_name(report, blame.seat)}: {fault} ({place})"


def round_lines(report: Report, told: tuple[RoundStory, ...]) -> list[RoundLine]:
    """Return every round of the story, with the audit's result for it."""
    reports = {each.round: each for each in report.rounds}
    found = []
    for each in told:
        title = (
            translate("Verdict", "Choosing the dealer")
            if each.dealer is None
            else filled(translate("Verdict", "Round {number}"), number=str(each.number))
        )
        judged = reports.get(each.number)
        if judged is not None and any(map(is_proof, judged.blame)):
            detail, state = translate("Verdict", "A fault is proven"), "bad"
        elif each.number == report.broken_from or (report.at_end and each is told[-1]):
            detail, state = _broken(report, after=False), "open"
        elif each.void is not None:
            detail, state = _void(report, each.number, each.void, judged), "open"
        elif each is told[-1] and ends_early(report):
            detail, state = _broken(report, after=True), "open"
        elif judged is None or not judged.complete:
            detail, state = translate("Verdict", "Not everything could be checked"), "open"
        else:
            right = len(judged.checks)
            detail, state = translate("Verdict", "%n checks, all right", "", right), "good"
        found.append(RoundLine(each.number, title, detail, state))
    return found


def _void(report: Report, number: int, void: VoidReason, judged: RoundReport | None) -> str:
    """Return why a round is void and, if owners were gone, who they are."""
    why = texts().member(void)
    gone = () if judged is None or void is not VoidReason.LOST else judged.voided_by
    if gone:
        signed = {each.seat for each in report.dropped if each.round == number and each.signed}
        why = translate("Verdict", "{names} were gone", "", len(gone))
        if signed.issuperset(gone):
            why = translate("Verdict", "{names} chose to leave", "", len(gone))
        why = filled(why, names=listed([_name(report, seat) for seat in gone]))
    return filled(translate("Verdict", "Void: {why}"), why=why)


def ends_early(report: Report) -> bool:
    """Whether the log ends, or stops being as it was signed, before the end of the game."""
    broken = report.conclusion in (Conclusion.INCOMPLETE, Conclusion.CHANGED)
    return broken and report.closed in (None, CloseReason.INCOMPLETE)


def _broken(report: Report, *, after: bool) -> str:
    """Return that the log stops being whole in a round, or `after` it."""
    if report.at_end:
        return translate("Verdict", "The last entry is not as it was signed")
    if report.conclusion is Conclusion.CHANGED:
        if after:
            return translate("Verdict", "The file was changed after this round")
        return translate("Verdict", "The file was changed in this round")
    if after:
        return translate("Verdict", "The file ends after this round")
    return translate("Verdict", "The file ends in this round")


def card_move_text(station: CardMove, names: tuple[str, ...]) -> str:
    """Return in words where a card was."""
    place = str(station.position + 1)
    text: str
    match station.place:
        case CardPlace.DECK:
            text = translate("Path", "In the deck, as card {place}")
        case CardPlace.SHUFFLED:
            text = translate("Path", "After {name}'s shuffle, as card {place}")
        case CardPlace.PILE:
            text = translate("Path", "On the draw pile, as card {place}")
        case CardPlace.HAND:
            text = translate("Path", "In {name}'s hand")
        case CardPlace.DISCARD:
            text = translate("Path", "On the discard pile")
    name = "" if station.seat is None else isolated(names[station.seat])
    return filled(text, place=place, name=name)


def _round_name(number: int) -> str:
    """Return how a round is called; number 0 is the one that chooses the dealer."""
    if not number:
        return translate("Verdict", "choice of the dealer")
    return filled(translate("Verdict", "round {number}"), number=str(number))


def _name(report: Report, seat: int | None) -> str:
    if seat is None or seat >= len(report.players):
        return "?"
    return isolated(report.players[seat])


def _rounds(report: Report) -> tuple[RoundReport, ...]:
    """Return the rounds to judge: without void ones if the game is verified."""
    counted = tuple(
        each for each in report.rounds if each.complete or any(map(is_proof, each.blame))
    )
    return counted if report.verdict is AuditVerdict.VERIFIED else report.rounds


def _wrong(judged: RoundReport) -> dict[Check, str]:
    return {each.name: each.detail for each in judged.checks if not each.ok}


def _state(report: Report, wanted: tuple[Check, ...]) -> str:
    """Return "good" if these checks hold in all rounds to judge, else "bad" or "open".

    It is "bad" only if a fault is proven.
    """
    wrong = [each for each in _rounds(report) if any(check in _wrong(each) for check in wanted)]
    if not wrong:
        return "good"
    proven = any(is_proof(blame) for each in wrong for blame in each.blame)
    return "bad" if proven else "open"
