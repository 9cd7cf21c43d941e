"""Tests of an audit's result in words, on reports that real and invented games could have."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from lanuno.app.controllers.application import Application
from lanuno.app.verdict_texts import (
    absences,
    blames,
    card_move_text,
    checks,
    explanation,
    headline,
    promises,
    round_lines,
)
from lanuno.client.languages import languages
from lanuno.log.audit.audit import Report
from lanuno.log.audit.story import CardMove, CardPlace, RoundStory
from lanuno.log.faults import AuditVerdict, Blame, Check, Fault, NoGameReason, VoidReason
from lanuno.log.format.bodies import CloseReason, DropReason
from lanuno.log.replay.course import Decided, DroppedSeat
from lanuno.log.round.round_audit import CheckResult, RoundReport
from lanuno.log.round.round_record import ClockAct, ClockEffect
from tests.app.announcements import plain

pytestmark = pytest.mark.usefixtures("english")

PLAYERS = ("Ana", "Ben", "Cleo")


def round_report(number: int, *wrong: Check, **values: Any) -> RoundReport:
    """Return the report of a round of three seats in which these checks do not hold."""
    results = tuple(CheckResult(check, check not in wrong, "") for check in Check)
    return RoundReport(
        **{
            "round": number,
            "checks": results,
            "blame": (),
            "complete": not wrong,
            "seats": (0, 1, 2),
            **values,
        }
    )


def report(verdict: AuditVerdict, *rounds: RoundReport, **values: Any) -> Report:
    """Return a report on a game of three players; by default its cards decided it."""
    known: dict[str, Any] = {
        "blame": tuple(blame for each in rounds for blame in each.blame),
        "decided": Decided.CARDS,
        "counted": tuple(each.round for each in rounds if each.void is None),
        "closed": CloseReason.FINISHED,
    }
    known |= values
    blame = known.pop("blame")
    return Report(verdict, "", b"", PLAYERS, rounds, blame, 100, **known)


def fair(*rounds: RoundReport, **values: Any) -> Report:
    return report(AuditVerdict.VERIFIED, *(rounds or (round_report(1),)), **values)


def bad_mask(seat: int | None = 1, number: int = 1) -> Blame:
    return Blame(seat, Fault.BAD_MASK, number, 120)


# ---- the verdict --------------------------------------------------------------------------------


def test_every_verdict_has_a_headline_and_an_explanation_of_its_own() -> None:
    cheated = round_report(1, Check.MASKS, blame=(bad_mask(),))
    found = [
        fair(),
        fair(decided=Decided.ABSENCE),
        fair(decided=None),
        report(AuditVerdict.CHEATING, cheated),
        report(AuditVerdict.INCOMPLETE, round_report(1, Check.REVEALS)),
        report(AuditVerdict.CHANGED, round_report(1)),
        report(AuditVerdict.CHANGED, round_report(1), at_end=True),
        *(report(AuditVerdict.UNREADABLE, no_game=why) for why in NoGameReason),
    ]
    # A file of another kind, and one that is too long, are both no game of LanUNO.
    assert len({headline(each) for each in found}) == len(found) - 1
    assert len({explanation(each) for each in found}) == len(found) - 1
    unread = [report(AuditVerdict.UNREADABLE, no_game=why) for why in (None, NoGameReason.FOREIGN)]
    assert {headline(each) for each in unread} == {"This is not a LanUNO game."}


def test_a_verified_game_with_a_void_round_is_not_called_whole() -> None:
    assert explanation(fair()) == "Every card of every round was checked on this computer."
    void = round_report(2, Check.REVEALS, void=VoidReason.LOST)
    assert explanation(fair(round_report(1), void)) == (
        "Every round that counts was checked. Void rounds do not count."
    )


LEFT = DroppedSeat(1, DropReason.LEFT, 1, 40)
LOST = DroppedSeat(1, DropReason.LOST, 1, 40)
SPOILED = round_report(1, Check.REVEALS, void=VoidReason.LOST, voided_by=(1,))


@pytest.mark.parametrize(
    ("found", "counts", "claimed"),
    [
        (fair(dropped=(LEFT,)), True, False),
        (fair(dropped=(LOST,)), True, True),
        (fair(clock=((1, 2),)), True, True),
        (fair(SPOILED, dropped=(LEFT,), expelled=(1,)), False, False),
        (fair(SPOILED, expelled=(1,)), False, True),
    ],
)
def test_of_an_absence_only_what_the_host_claims_is_called_unproven(
    found: Report, counts: bool, claimed: bool
) -> None:
    said = explanation(replace(found, decided=Decided.ABSENCE))
    assert ("Every round that counts was checked" in said) == counts
    assert ("What only the host says" in said) == claimed


@pytest.mark.parametrize(
    ("closed", "says"),
    [
        (None, "was cut off there"),
        (CloseReason.INCOMPLETE, "was broken off there"),
        (CloseReason.FINISHED, "seed was never revealed"),
    ],
)
def test_an_incomplete_game_says_what_is_missing(closed: CloseReason | None, says: str) -> None:
    found = report(AuditVerdict.INCOMPLETE, round_report(1, Check.REVEALS), closed=closed)
    assert says in explanation(found)


def test_the_headline_names_each_cheater_once_and_nobody_else() -> None:
    blame = (
        *(bad_mask(2), bad_mask(0), bad_mask(2, number=2)),
        # Neither bytes without a signature nor a missing seed prove anything against a player.
        *(bad_mask(None), Blame(1, Fault.NO_REVEAL, 1, 3)),
    )
    found = report(AuditVerdict.CHEATING, round_report(1), blame=blame)
    assert plain(headline(found)) == "Ana and Cleo cheated in this game."
    found = report(AuditVerdict.CHEATING, round_report(1), blame=(bad_mask(1),))
    assert plain(headline(found)) == "Ben cheated in this game."


def test_a_proven_fault_says_who_what_and_where() -> None:
    blame = (Blame(1, Fault.NO_REVEAL, 1, 3), bad_mask(2, number=4), bad_mask(None))
    (line,) = blames(report(AuditVerdict.CHEATING, round_report(1), blame=blame))
    assert line.state == "bad"
    who, _, what = plain(line.text).partition(": ")
    assert who == "Cleo"
    assert what.endswith("(round 4, entry 120)")


def test_a_seat_that_the_file_does_not_name_is_a_question_mark() -> None:
    found = report(AuditVerdict.CHEATING, round_report(1), blame=(bad_mask(7),))
    assert headline(found) == "? cheated in this game."


# ---- promises and checks ------------------------------------------------------------------------


def states(found: Report, mine: int | None = None) -> list[str]:
    return [each.state for each in promises(found, mine)]


def test_a_file_without_a_round_promises_nothing() -> None:
    empty = report(AuditVerdict.UNREADABLE)
    assert (promises(empty, 0), checks(empty), absences(empty)) == ([], [], [])


def test_a_game_of_which_no_round_counts_makes_one_statement() -> None:
    void = round_report(1, Check.REVEALS, void=VoidReason.LOST)
    (only,) = promises(fair(void), None)
    assert (only.id, only.state) == ("nothing", "open")


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        (Check.COMMITMENTS, ["bad", "good", "good"]),
        (Check.MASKS, ["bad", "bad", "good"]),
        (Check.LOCKS, ["good", "bad", "good"]),
        (Check.RULES, ["good", "good", "bad"]),
    ],
)
def test_a_failed_check_breaks_the_promises_that_rest_on_it(
    check: Check, expected: list[str]
) -> None:
    """Without a proof against a player, the promise is open instead of broken."""
    proven = round_report(1, check, blame=(bad_mask(),))
    assert states(report(AuditVerdict.CHEATING, proven)) == expected
    unproven = round_report(1, check, blame=(bad_mask(None),))
    still_open = [state.replace("bad", "open") for state in expected]
    assert states(report(AuditVerdict.INCOMPLETE, unproven)) == still_open


def test_every_check_belongs_to_a_promise() -> None:
    for check in Check:
        assert "open" in states(report(AuditVerdict.INCOMPLETE, round_report(1, check))), check


@pytest.mark.parametrize(
    ("reasons", "said"),
    [
        ((DropReason.LEFT,), "Void: Cleo chose to leave"),
        ((DropReason.LOST,), "Void: Cleo was gone"),
        ((DropReason.LEFT, DropReason.LOST), "Void: Cleo and Ben were gone"),
    ],
)
def test_a_void_round_names_who_was_gone(reasons: tuple[DropReason, ...], said: str) -> None:
    gone = tuple([2, 1][: len(reasons)])
    void = round_report(2, Check.REVEALS, void=VoidReason.LOST, voided_by=gone)
    dropped = tuple(DroppedSeat(seat, why, 2, 90) for seat, why in zip(gone, reasons, strict=True))
    told = round_lines(fair(void, dropped=dropped), (story(2, void=VoidReason.LOST),))
    assert [plain(each.detail) for each in told] == [said]


def test_a_void_round_does_not_count_against_a_verified_game() -> None:
    void = round_report(2, Check.REVEALS, void=VoidReason.LOST)
    found = fair(round_report(1), void)
    assert states(found) == ["good"] * 3
    assert {each.detail for each in promises(found, None)} == {"in every round that counts"}
    assert {each.state for each in checks(found)} == {"good"}
    assert {each.detail for each in promises(fair(), None)} == {""}


def test_the_own_randomness_is_promised_only_to_a_player_of_all_shuffles() -> None:
    own = "Your own randomness was used in every shuffle."
    everybody = "Every player's randomness was used in every shuffle."
    present = "The randomness of everybody who was still there was used in every shuffle."
    left = fair(round_report(1), round_report(2, left_out=(1,)))
    for found, mine, text in (
        (fair(), 0, own),
        (fair(), None, everybody),
        (fair(round_report(1), round_report(2, seats=(1, 2))), 0, everybody),
        (left, 0, own),
        (left, 1, present),
        (left, None, present),
    ):
        assert promises(found, mine)[0].text == text
    broken = report(AuditVerdict.INCOMPLETE, round_report(1, Check.REVEALS))
    for mine, begins in ((0, "It is not proven that your own"), (None, "It is not proven that ev")):
        assert promises(broken, mine)[0].text.startswith(begins)


def test_moves_of_the_clock_are_not_called_signed() -> None:
    assert promises(fair(), None)[2].text.endswith("every move was legal.")
    told = promises(fair(clock=((1, 3),)), None)[2].text
    assert told.endswith("every move that a player signed was legal.")


def test_a_check_names_the_rounds_in_which_it_does_not_hold() -> None:
    found = report(
        AuditVerdict.CHEATING,
        round_report(0, Check.MASKS, blame=(bad_mask(),)),
        round_report(2, Check.KEYS),
        round_report(3, Check.MASKS),
    )
    lines = {each.id: (each.state, each.detail) for each in checks(found)}
    assert list(lines) == [check.value for check in Check]
    assert lines.pop("masks") == ("bad", "not in: choice of the dealer and round 3")
    assert lines.pop("keys") == ("open", "not in: round 2")
    assert set(lines.values()) == {("good", "")}


@pytest.mark.parametrize("language", languages())
def test_every_check_has_a_text_of_its_own(app: Application, language: str) -> None:
    app.settings_controller.change("language", language)
    assert len({each.text for each in checks(fair())}) == len(Check)


# ---- absences -----------------------------------------------------------------------------------


def absent(found: Report) -> list[str]:
    lines = absences(found)
    assert [each.id for each in lines] == [str(number) for number in range(len(lines))]
    assert {each.state for each in lines} <= {"open"}
    return [plain(each.text) for each in lines]


def test_a_signed_departure_is_told_apart_from_the_word_of_the_host() -> None:
    dropped = (DroppedSeat(1, DropReason.LEFT, 0, 40), DroppedSeat(2, DropReason.LOST, 3, 50))
    signed, claimed = absent(fair(dropped=dropped))
    assert signed == "Ben left, and signed that (choice of the dealer)"
    assert claimed.startswith("Cleo was dropped; only the host's word says why: ")
    assert claimed.endswith(" (round 3)")


def test_every_consequence_of_an_absence_is_named() -> None:
    found = fair(
        round_report(1, filled=((1, 2),)),
        round_report(2, unrevealed=(0, 2)),
        expelled=(2,),
        forfeited=(0, 1),
        clock=((1, 1), (2, 5)),
        clock_acts=(ClockAct(2, 3, 57, ClockEffect.CHALLENGE),),
    )
    assert absent(found) == [
        "Cleo is out of the match: was missing from two rounds that became void",
        "Ana was gone, so Ben won the match",
        "The clock played 1 turn of Ben; only the host says that time was up",
        "The clock played 5 turns of Cleo; only the host says that time was up",
        (
            "The clock acted for Cleo in round 3:"
            " a challenge that the cards would have won was lost, or not made"
        ),
        "A bot of Cleo played for Ben (round 1)",
        "The randomness of Ana and Cleo was not revealed (round 2)",
    ]


def test_a_log_that_just_stops_blames_nobody_for_an_unrevealed_seed() -> None:
    stopped = report(AuditVerdict.INCOMPLETE, round_report(1, unrevealed=(0,)), closed=None)
    assert absent(stopped) == []
    assert len(absent(replace(stopped, closed=CloseReason.INCOMPLETE))) == 1


def test_a_name_that_looks_like_a_placeholder_does_not_become_another_name() -> None:
    found = fair(round_report(1, filled=((1, 0),)), forfeited=(1, 0))
    assert absent(replace(found, players=("{name}", "Ben", "Cleo"))) == [
        "Ben was gone, so {name} won the match",
        "A bot of {name} played for Ben (round 1)",
    ]


# ---- rounds and the path of a card --------------------------------------------------------------


def story(number: int, dealer: int | None = 0, void: VoidReason | None = None) -> RoundStory:
    return RoundStory(number, dealer, (0, 1, 2), (), {}, (), void, None)


def test_each_round_has_a_title_and_a_result() -> None:
    found = report(
        AuditVerdict.CHEATING,
        round_report(0),
        round_report(1, Check.MASKS, blame=(bad_mask(),), void=VoidReason.FAULT),
        round_report(2, Check.REVEALS, void=VoidReason.LOST),
        round_report(3, Check.REVEALS, blame=(Blame(1, Fault.NO_REVEAL, 3, 9),)),
    )
    told = (
        *(story(0, dealer=None), story(1, void=VoidReason.FAULT), story(2, void=VoidReason.LOST)),
        *(story(3), story(4)),
    )
    lines = [(each.title, each.state, each.detail) for each in round_lines(found, told)]
    assert lines == [
        ("Choosing the dealer", "good", f"{len(Check)} checks, all right"),
        ("Round 1", "bad", "A fault is proven"),
        ("Round 2", "open", "Void: a player was gone"),
        ("Round 3", "open", "Not everything could be checked"),
        # The audit did not come to this round.
        ("Round 4", "open", "Not everything could be checked"),
    ]


@pytest.mark.parametrize(
    ("place", "seat", "text"),
    [
        (CardPlace.DECK, None, "In the deck, as card 5"),
        (CardPlace.SHUFFLED, 1, "After Ben's shuffle, as card 5"),
        (CardPlace.PILE, None, "On the draw pile, as card 5"),
        (CardPlace.HAND, 2, "In Cleo's hand"),
        (CardPlace.DISCARD, None, "On the discard pile"),
    ],
)
def test_the_places_of_a_card_are_counted_from_one(
    place: CardPlace, seat: int | None, text: str
) -> None:
    assert plain(card_move_text(CardMove(0, place, seat, 4), PLAYERS)) == text


def test_a_name_is_inserted_as_it_is() -> None:
    """A player whose name looks like a placeholder does not change the text."""
    move = CardMove(0, CardPlace.SHUFFLED, 0, 4)
    assert plain(card_move_text(move, ("{place}",))) == "After {place}'s shuffle, as card 5"
