"""Scenarios of the kind `match`: results of rounds, and their consequences.

This module sets up a match and carries out its lines. The kind `round` covers how a round comes to
its result.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from lanuno.rules.cards import Seat
from lanuno.rules.engine.events import RoundEnding
from lanuno.rules.engine.results import DealerResult, RoundKind, RoundPlan, RoundResult
from lanuno.rules.match.formats import pair_of
from lanuno.rules.match.match import Match
from lanuno.rules.validation import validate
from tests.harness.rounds.scenario_language.files import Scenario
from tests.harness.rounds.scenario_language.words import NAMES, listed, numbered, ruleset_from


class MatchStage:
    """A match being played, one line for each round."""

    def __init__(self, scenario: Scenario) -> None:
        given = dict(scenario.given)
        self.names = NAMES[: given.pop("players", 3)]
        ruleset = ruleset_from(given.pop("ruleset", {}))
        assert validate(ruleset, len(self.names)) is None, validate(ruleset, len(self.names))
        self.match = Match(ruleset, len(self.names))
        dealer = given.pop("dealer", None)
        if dealer is not None:
            self.match.finish(DealerResult(self.seat(dealer)))
        for name, points in given.pop("totals", {}).items():
            self.match.totals[self.seat(name)] = points
        assert not given, f"unknown entries: {sorted(given)}"

    def seat(self, name: str) -> Seat:
        """Return the seat of a player by name."""
        return self.names.index(name)

    def seats(self, names: str) -> tuple[Seat, ...]:
        """Return the named players' seats in this order; "everybody": all, "nobody": none."""
        if names == "everybody":
            return tuple(range(len(self.names)))
        return tuple(self.seat(name) for name in listed(names) if name != "nobody")

    @property
    def plan(self) -> RoundPlan:
        """The next round."""
        plan = self.match.next()
        assert plan is not None, "no round is next"
        return plan

    def do(self, line: str) -> None:
        """Carry out one line; raise AssertionError, with the difference, if it does not hold."""
        repeated = re.fullmatch(r"(\d+) times: (.+)", line)
        if repeated is not None:
            for _ in range(int(repeated[1])):
                self.do(repeated[2])
            return
        for pattern, check in _LINES:
            match = pattern.fullmatch(line)
            if match is not None:
                check(self, *match.groups())
                return
        raise AssertionError(f"not in the language of scenarios: {line}")


# Rounds


def _finish(
    stage: MatchStage,
    ending: RoundEnding,
    winners: tuple[Seat, ...],
    hands: dict[Seat, tuple[int, int]],
    left: str | None,
) -> None:
    """`hands`: by seat, cards and points."""
    seats = stage.plan.seats
    assert set(hands) | set(winners) <= set(seats), "somebody is named who does not play"
    stage.match.finish(
        RoundResult(
            ending=ending,
            seats=seats,
            winners=winners,
            points=tuple(hands.get(seat, (0, 0))[1] for seat in seats),
            cards=tuple(hands.get(seat, (0, 0))[0] for seat in seats),
            left=() if left is None else stage.seats(left),
        )
    )


def _held(stage: MatchStage, words: str | None) -> dict[Seat, tuple[int, int]]:
    if " of " in (words or ""):
        return _cards(stage, words or "")
    return {stage.seat(name): (1, held) for name, held in numbered(words or "").items()}


def _cards(stage: MatchStage, words: str) -> dict[Seat, tuple[int, int]]:
    hands = {}
    for part in listed(words):
        match = re.fullmatch(r"(\w+) (\d+) cards? of (\d+)", part)
        assert match is not None, f"not a hand: {part}"
        hands[stage.seat(match[1])] = int(match[2]), int(match[3])
    return hands


def _out(stage: MatchStage, name: str, held: str | None, left: str | None) -> None:
    _finish(stage, RoundEnding.OUT, (stage.seat(name),), _held(stage, held), left)


def _any(stage: MatchStage) -> None:
    """End a round whose only relevant effect is that it counts."""
    dealer = stage.plan.dealer
    assert dealer is not None, "a dealer has to be chosen"
    _finish(stage, RoundEnding.OUT, (dealer,), {}, None)


def _in_turn(stage: MatchStage, names: str) -> None:
    for name in listed(names):
        _deals(stage, name)
        _any(stage)


def _blocked(stage: MatchStage, held: str, left: str | None) -> None:
    hands = _held(stage, held)
    lowest = min(points for _, points in hands.values())
    best = tuple(seat for seat, (_, points) in hands.items() if points == lowest)
    _finish(stage, RoundEnding.BLOCKED, best if len(best) == 1 else (), hands, left)


def _laps(stage: MatchStage, held: str) -> None:
    hands = _cards(stage, held)
    fewest = min(hands.values())
    best = tuple(seat for seat, hand in hands.items() if hand == fewest)
    _finish(stage, RoundEnding.LAPS, best, hands, None)


def _void(stage: MatchStage, left: str | None) -> None:
    if stage.plan.kind is RoundKind.DEALER:
        stage.match.void(() if left is None else stage.seats(left))
    else:
        _finish(stage, RoundEnding.VOID, (), {}, left)


def _chosen(stage: MatchStage, name: str) -> None:
    stage.match.finish(DealerResult(stage.seat(name)))


# Assertions


def _totals(stage: MatchStage, words: str) -> None:
    found = dict(zip(stage.names, stage.match.totals, strict=True))
    assert found == {**dict.fromkeys(stage.names, 0), **numbered(words)}, found


def _tally(stage: MatchStage, name: str, points: str, partner: str) -> None:
    found = stage.match.tally[stage.seat(name)][stage.seat(partner)]
    assert found == int(points), f"it is {found}"


def _play(stage: MatchStage, names: str) -> None:
    assert stage.plan.seats == stage.seats(names), stage.plan.seats


def _deals(stage: MatchStage, name: str) -> None:
    dealer = stage.plan.dealer
    assert dealer is not None, "a dealer has to be chosen"
    assert dealer == stage.seat(name), stage.names[dealer]


def _choosing(stage: MatchStage) -> None:
    assert stage.plan.kind is RoundKind.DEALER


def _number(stage: MatchStage, number: str) -> None:
    assert stage.plan.number == int(number), stage.plan.number


def _partners(stage: MatchStage, first: str, second: str) -> None:
    pair = pair_of(stage.plan.seats, stage.seat(first))
    assert pair[1] == stage.seat(second), stage.names[pair[1]]


def _won(stage: MatchStage, names: str) -> None:
    winners = [stage.names[seat] for seat in stage.match.winners]
    assert winners == [stage.names[seat] for seat in stage.seats(names)], winners


def _waiting(stage: MatchStage) -> None:
    assert stage.match.next() is None
    assert not stage.match.over


def _finished(stage: MatchStage) -> None:
    assert stage.match.next() is None
    assert stage.match.over


def _target(stage: MatchStage, points: str) -> None:
    assert stage.match.target == int(points), stage.match.target


_LEFT = r"(?:; (.+) left)?"
_LINES: list[tuple[re.Pattern[str], Callable[..., None]]] = [
    (re.compile(rf"(\w+) goes out(?:; (.+?))?{_LEFT}"), _out),
    (re.compile(r"the next to deal goes out"), _any),
    (re.compile(rf"nobody can go on; (.+?){_LEFT}"), _blocked),
    (re.compile(r"the laps are over; (.+)"), _laps),
    (re.compile(rf"the round is void{_LEFT}"), _void),
    (re.compile(r"(\w+) is chosen to deal"), _chosen),
    (re.compile(r"(\w+) stays away"), lambda stage, name: stage.match.leave(stage.seat(name))),
    (re.compile(r"(\w+) comes back"), lambda stage, name: stage.match.come_back(stage.seat(name))),
    (re.compile(r"(\w+) is thrown out"), lambda stage, name: stage.match.expel(stage.seat(name))),
    (re.compile(r"expect totals (.+)"), _totals),
    (re.compile(r"expect (\w+) with (\d+) points won beside (\w+)"), _tally),
    (re.compile(r"expect (.+) to play"), _play),
    (re.compile(r"expect (\w+) to deal"), _deals),
    (re.compile(r"expect (.+) to deal in turn"), _in_turn),
    (re.compile(r"expect a dealer to be chosen"), _choosing),
    (re.compile(r"expect round (\d+) next"), _number),
    (re.compile(r"expect (\w+) and (\w+) as partners"), _partners),
    (re.compile(r"expect (.+) to have won"), _won),
    (re.compile(r"expect a wait for who is away"), _waiting),
    (re.compile(r"expect no further round"), _finished),
    (re.compile(r"expect the target (\d+)"), _target),
]
