"""The language of the scenarios: what a line of a `steps` list does or expects.

Here: reading scenario files and carrying out their lines. Not here: the scenarios, which are data
in `scenarios/*.toml` and explained in `scenarios/README.md` for people who do not program.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from lanuno.rules.actions import (
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
    RefuseShow,
    SayUno,
    Show,
    Swap,
    Verdict,
    Vote,
)
from lanuno.rules.cards import CardId, Colour, Rank, Seat, deck_faces
from lanuno.rules.errors import IllegalAction
from lanuno.rules.manners import Matter
from lanuno.rules.presets import PRESETS
from lanuno.rules.refusals import Refusal
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.state import Phase
from tests.rules.table_of_cards import CardTable

FOLDER = Path(__file__).parent / "scenarios"
NAMES = ("Ana", "Ben", "Carla", "Dan", "Eva", "Finn", "Gil", "Hana", "Ivo", "Jo")

_RANKS = {
    **{str(number): Rank(number) for number in range(10)},
    "skip": Rank.SKIP,
    "reverse": Rank.REVERSE,
    "+2": Rank.DRAW_TWO,
}
_QUESTIONS = {
    "to name a colour": Phase.COLOUR,
    "to play or draw": Phase.TURN,
    "to play the drawn card or keep it": Phase.DRAWN,
    "to answer the penalty": Phase.PENALTY,
    "to show the hand": Phase.SHOW,
    "to give a verdict": Phase.VERDICT,
    "to choose a hand": Phase.SWAP,
}


@dataclass(frozen=True)
class Scenario:
    """One entry of a file, as it is written."""

    file: str
    title: str
    rule: str
    """The sentence of the rules that it covers, in our words."""
    players: int
    dealer: str
    ruleset: dict[str, Any]
    hands: dict[str, str]
    start: str
    pile: str
    steps: tuple[str, ...]


def scenarios() -> list[Scenario]:
    """All scenarios of all files, in order."""
    found = []
    for path in sorted(FOLDER.glob("*.toml")):
        for each in tomllib.loads(path.read_text(encoding="utf-8"))["scenario"]:
            players = each.get("players", 3)
            found.append(
                Scenario(
                    file=path.name,
                    title=each.pop("title"),
                    rule=each.pop("rule"),
                    players=each.pop("players", 3),
                    dealer=each.pop("dealer", NAMES[players - 1]),
                    ruleset=each.pop("ruleset", {}),
                    hands=each.pop("hands", {}),
                    start=each.pop("start", "red 0"),
                    pile=each.pop("pile", ""),
                    steps=tuple(each.pop("steps")),
                )
            )
            assert not each, f"unknown entries in {path.name}: {sorted(each)}"
    return found


def ruleset_from(settings: dict[str, Any]) -> Ruleset:
    """A preset, `classic` if none is named, with changed settings; enumerations by their names."""
    settings = dict(settings)
    base = PRESETS[settings.pop("preset", "classic")]
    changes: dict[str, Any] = {}
    for name, value in settings.items():
        kind = type(getattr(base, name))
        changes[name] = kind[value.upper()] if isinstance(value, str) else value
    return msgspec.structs.replace(base, **changes)


def face_ids(name: str, deck: int) -> list[CardId]:
    """All cards with a name such as "red 7", "blue skip", "green +2", "wild", "wild four"."""
    colour: Colour | None = None
    if name == "wild":
        rank = Rank.WILD
    elif name == "wild four":
        rank = Rank.WILD_DRAW_FOUR
    else:
        first, _, second = name.partition(" ")
        colour = Colour[first.upper()]
        rank = _RANKS[second]
    return [
        card
        for card, face in enumerate(deck_faces(deck))
        if face.colour == colour and face.rank == rank
    ]


class Stage:
    """A scenario being played."""

    def __init__(self, scenario: Scenario) -> None:
        self.ruleset = ruleset_from(scenario.ruleset)
        self.names = NAMES[: scenario.players]
        self._used: set[CardId] = set()
        self.held = False
        dealer = self.seat(scenario.dealer)
        self.table = CardTable.deal(
            self.ruleset,
            scenario.players,
            dealer=dealer,
            deck=self._deck(scenario, dealer),
            seed=1,
        )

    @property
    def game(self) -> Any:
        """The round."""
        return self.table.round

    def seat(self, name: str) -> Seat:
        """A player by name."""
        return self.names.index(name)

    def _take(self, names: str) -> list[CardId]:
        found = []
        for name in filter(None, (part.strip() for part in names.split(","))):
            card = next(c for c in face_ids(name, self.ruleset.deck) if c not in self._used)
            self._used.add(card)
            found.append(card)
        return found

    def _deck(self, scenario: Scenario, dealer: Seat) -> list[CardId]:
        """The dealt cards, the starting card and the pile; hands are filled with what is left."""
        count = scenario.players
        size = self.ruleset.hand_size
        start = self._take(scenario.start)
        pile = self._take(scenario.pile)
        hands = {self.seat(name): self._take(cards) for name, cards in scenario.hands.items()}
        rest = [card for card in range(self.ruleset.deck) if card not in self._used]
        for seat in range(count):
            hand = hands.setdefault(seat, [])
            assert len(hand) <= size, f"{self.names[seat]} is dealt {size} cards"
            while len(hand) < size:
                hand.append(rest.pop(0))
        order = [(dealer + 1 + place) % count for place in range(count)]
        dealt = [hands[seat][place] for place in range(size) for seat in order]
        return [*dealt, *start, *pile, *rest]

    def move(self, method: str, *arguments: Any) -> None:
        """Call the table, which serves what is needed unless the shuffling hands are held."""
        if self.held:
            self.table.call(method, *arguments)
        else:
            getattr(self.table, method)(*arguments)

    # Acts

    def play(self, seat: Seat, words: str) -> Play:
        """A card or "the drawn card", perhaps "naming blue", perhaps "saying UNO"."""
        words, said, _ = words.partition(" saying UNO")
        words, _, colour = words.partition(" naming ")
        game = self.game
        hand = [(slot, self.table.cards[slot]) for slot in game.hands.get(seat, ())]
        if words == "the drawn card":
            held = [(slot, card) for slot, card in hand if slot == game.drawn]
        else:
            named = face_ids(words, self.ruleset.deck)
            held = [(slot, card) for slot, card in hand if card in named]
            held = held or [(-1, named[0])]
        slot, card = held[0]
        return Play(slot, card, int(Colour[colour.upper()]) if colour else None, bool(said))

    def act(self, line: str) -> tuple[Seat, Action] | None:
        """The act that a line describes."""
        for pattern, build in _ACTS:
            match = pattern.fullmatch(line)
            if match is not None:
                name, *rest = match.groups()
                if name in self.names:
                    seat = self.seat(name)
                    return seat, build(self, seat, *rest)
        return None

    def do(self, line: str) -> None:
        """Carry out one line; an AssertionError says what is otherwise than expected."""
        act = self.act(line)
        if act is not None:
            fault = self.game.refusal(*act, self.table.cards)
            assert fault is None, f"refused: {fault.name}"
            self.move("act", *act)
            return
        for pattern, check in _LINES:
            match = pattern.fullmatch(line)
            if match is not None:
                check(self, *match.groups())
                return
        raise AssertionError(f"not in the language of scenarios: {line}")


def _other(build: Callable[[Seat], Action]) -> Callable[[Stage, Seat, str], Action]:
    return lambda stage, seat, name: build(stage.seat(name))


def _plain(action: Action) -> Callable[[Stage, Seat], Action]:
    return lambda stage, seat: action


_ACTS: list[tuple[re.Pattern[str], Callable[..., Action]]] = [
    (re.compile(r"(\w+) plays (.+)"), Stage.play),
    (re.compile(r"(\w+) draws"), _plain(Draw())),
    (re.compile(r"(\w+) keeps the card"), _plain(Keep())),
    (
        re.compile(r"(\w+) names (\w+)"),
        lambda stage, seat, colour: NameColour(int(Colour[colour.upper()])),
    ),
    (re.compile(r"(\w+) says UNO"), _plain(SayUno())),
    (re.compile(r"(\w+) catches (\w+)"), _other(Catch)),
    (re.compile(r"(\w+) accepts"), _plain(Accept())),
    (re.compile(r"(\w+) challenges"), _plain(Challenge())),
    (re.compile(r"(\w+) shows the hand"), _plain(Show())),
    (re.compile(r"(\w+) refuses to show"), _plain(RefuseShow())),
    (re.compile(r"(\w+) says guilty"), _plain(Verdict(True))),
    (re.compile(r"(\w+) says innocent"), _plain(Verdict(False))),
    (re.compile(r"(\w+) swaps hands with (\w+)"), _other(Swap)),
    (re.compile(r"(\w+) objects"), _plain(Object())),
    (re.compile(r"(\w+) accuses (\w+)"), _other(Accuse)),
    (re.compile(r"(\w+) votes yes"), _plain(Vote(True))),
    (re.compile(r"(\w+) votes no"), _plain(Vote(False))),
]


# Everything else that a line can say


def _refused(stage: Stage, hand: str | None, reason: str, line: str) -> None:
    act = stage.act(line)
    assert act is not None, f"not an act: {line}"
    live = stage.game.refusal(*act)
    if hand is None:
        assert live is not None, "everybody would let it pass"
        assert live.name == reason, f"refused for {live.name}"
        try:
            stage.game.act(*act)
        except IllegalAction as fault:
            assert fault.refusal is live
    else:
        assert live is None, f"refused by everybody for {live.name}"
        known = stage.game.refusal(*act, stage.table.cards)
        assert known is Refusal[reason], f"with all hands known: {known}"


def _unchecked(stage: Stage, line: str) -> None:
    act = stage.act(line)
    assert act is not None, f"not an act: {line}"
    stage.move("act", *act)


def _clock(stage: Stage, times: str | None) -> None:
    for _ in range(int(times or 1)):
        decider = stage.game.decider
        assert decider is not None, "nobody has to decide"
        stage.move("act", decider, stage.game.time_out())


def _hold(stage: Stage) -> None:
    stage.held = True


def _let_go(stage: Stage) -> None:
    stage.held = False
    stage.table.serve()


def _shuffle(stage: Stage) -> None:
    assert stage.game.phase is Phase.SHUFFLE, f"the phase is {stage.game.phase.name}"


def _question(stage: Stage, name: str, question: str) -> None:
    game = stage.game
    decider = None if game.decider is None else stage.names[game.decider]
    assert decider == name, f"it is {decider}"
    assert game.phase is _QUESTIONS[question], f"the phase is {game.phase.name}"


def _objections(stage: Stage) -> None:
    assert stage.game.phase is Phase.OBJECTION, f"the phase is {stage.game.phase.name}"


def _count(stage: Stage, name: str, count: str) -> None:
    held = stage.table.hand(stage.seat(name))
    assert len(held) == int(count), f"{name} holds {len(held)} cards"


def _holds(stage: Stage, name: str, cards: str) -> None:
    faces = deck_faces(stage.ruleset.deck)
    held = [faces[card] for card in stage.table.hand(stage.seat(name))]
    wanted = [
        faces[face_ids(part.strip(), stage.ruleset.deck)[0]] for part in cards.split(",") if part
    ]
    assert sorted(map(repr, held)) == sorted(map(repr, wanted)), f"{name} holds {held}"


def _colour(stage: Stage, colour: str) -> None:
    assert Colour(stage.game.colour).name == colour.upper(), Colour(stage.game.colour).name


def _top(stage: Stage, card: str) -> None:
    assert stage.game.top in face_ids(card, stage.ruleset.deck), stage.game.top


def _direction(stage: Stage, counter: str | None) -> None:
    assert stage.game.direction == (-1 if counter else 1)


def _owes(stage: Stage, name: str) -> None:
    owed = stage.game.uno_owed
    expected = None if name == "nobody" else stage.seat(name)
    assert owed == expected, f"it is seat {owed}"


def _pile(stage: Stage, count: str) -> None:
    assert stage.game.pile_end - stage.game.pile_next == int(count)


def _over(stage: Stage, ending: str) -> None:
    assert stage.game.over, f"the phase is {stage.game.phase.name}"
    assert stage.game.ending.name == ending.upper(), stage.game.ending.name


def _winners(stage: Stage, names: str) -> None:
    result = stage.game.reveal(stage.table.cards)
    winners = [stage.names[seat] for seat in result.winners] or ["nobody"]
    assert winners == re.split(r", | and ", names), winners


def _points(stage: Stage, points: str) -> None:
    result = stage.game.reveal(stage.table.cards)
    found = dict(zip((stage.names[seat] for seat in result.seats), result.points, strict=True))
    wanted = {part.rsplit(" ", 1)[0]: int(part.rsplit(" ", 1)[1]) for part in points.split(", ")}
    assert found == wanted, found


_LINES: list[tuple[re.Pattern[str], Callable[..., None]]] = [
    (re.compile(r"refused( by the audit)?, (\w+): (.+)"), _refused),
    (re.compile(r"nobody sees it: (.+)"), _unchecked),
    (re.compile(r"the clock runs out(?: (\d+) times)?"), _clock),
    (re.compile(r"nobody objects in time"), lambda stage: stage.move("settle", Matter.CARD)),
    (re.compile(r"the vote closes"), lambda stage: stage.move("settle", Matter.VOTE)),
    (re.compile(r"(\w+) leaves"), lambda stage, name: stage.move("drop", stage.seat(name))),
    (re.compile(r"hold the shuffle"), _hold),
    (re.compile(r"let the shuffle go on"), _let_go),
    (re.compile(r"expect a shuffle"), _shuffle),
    (re.compile(r"expect objections to be possible"), _objections),
    (re.compile(r"expect (\w+) (to .+)"), _question),
    (re.compile(r"expect (\w+) with (\d+) cards?"), _count),
    (re.compile(r"expect (\w+) holding (.+)"), _holds),
    (re.compile(r"expect colour (\w+)"), _colour),
    (re.compile(r"expect top card (.+)"), _top),
    (re.compile(r"expect play (counter-)?clockwise"), _direction),
    (re.compile(r"expect (\w+) owing UNO"), _owes),
    (re.compile(r"expect (\d+) cards? in the draw pile"), _pile),
    (re.compile(r"expect the round over: (\w+)"), _over),
    (re.compile(r"expect winner (.+)"), _winners),
    (re.compile(r"expect points (.+)"), _points),
]
