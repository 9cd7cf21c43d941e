"""Everything that the commands can say of a table, made to be said: with its words.

No chance decides what happens here. What simulated tables make of it is in `narration.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

from lanuno.cli.narrator import Narrator
from lanuno.log import events
from lanuno.log.bodies import DropReason
from lanuno.log.faults import Blame, Fault, VoidReason
from lanuno.net.endings import CaughtUp
from lanuno.rules.actions import Draw, Keep, OpenHand, Verdict
from lanuno.rules.cards import deck_tables
from lanuno.rules.events import (
    DirectionTurned,
    Drew,
    Ending,
    HandOpened,
    Kept,
    Played,
    UnoSaid,
    Why,
)
from lanuno.rules.results import DealerResult, RoundKind, RoundResult
from lanuno.rules.ruleset import Format, Ruleset, WildFour
from lanuno.table import messages, outputs
from tests.golden.narration import speaker
from tests.golden.recording import Golden
from tests.golden.voices import VOICES, Voice
from tests.harness.log_table.log_table import make_genesis, make_roster

UNTIL_PLAYABLE = Ruleset(draw_until_playable=True)


def _seat(name: str) -> messages.LobbySeat:
    return messages.LobbySeat(name, b"i" * 32, b"o" * 32, bot=False, ready=True)


def _room(rules: Ruleset, *names: str) -> messages.LobbyState:
    seats = tuple(map(_seat, names))
    return messages.LobbyState(bytes(16), "mesa", messages.LobbyPhase.OPEN, rules, 4, seats, 0)


def _timed_out(seat: int, *, by_clock: bool = True) -> events.ActionTaken:
    return events.ActionTaken(seat, Draw(), by_clock)


def _closed(number: int, *winners: int, counted: bool = True) -> events.RoundClosed:
    result = RoundResult(Ending.OUT, (0, 1, 2, 3), winners, (0, 7, 20, 50), (0, 1, 1, 1))
    return events.RoundClosed(number, result, counted)


def _faces() -> Iterator[Played]:
    """Every kind of card once."""
    seen = set()
    for card, face in enumerate(deck_tables(112).faces):
        if (face.colour, face.rank) not in seen:
            seen.add((face.colour, face.rank))
            yield Played(1, 0, card, left=3)


SCENE: dict[str, tuple[Ruleset | None, int, tuple[object, ...]]] = {
    "the waiting room": (
        None,
        4,
        (
            _room(Ruleset(), "Ana"),
            _room(Ruleset(), "Ana", "Beto"),
            _room(Ruleset(), "Ana", "Beto"),
            _room(Ruleset(jump_in=True, target=300, wild_four=WildFour.STRICT), "Ana", "Beto"),
            _room(Ruleset(seven_zero=True, advice=True), "Ana", "a\u202eb"),
        ),
    ),
    "every card": (Ruleset(deck=112), 4, tuple(_faces())),
    "words and reactions": (
        Ruleset(),
        4,
        (
            outputs.ChatHeard("p1", 1, "hi {name}\x1b[1m"),
            outputs.ChatHeard("Eve", -1, "hi", b"e" * 32),
            *(outputs.ReactionSeen("p1", 1, each) for each in messages.Reaction),
        ),
    ),
    "a round": (
        Ruleset(),
        4,
        (
            events.RoundOpened(0, RoundKind.DEALER, (0, 1, 2, 3), None),
            events.RoundClosed(0, DealerResult(3), counted=True),
            events.RoundOpened(1, RoundKind.PLAY, (0, 1, 2, 3), 3),
            DirectionTurned(clockwise=False, seat=None),
            DirectionTurned(clockwise=True, seat=2),
            Drew(0, (1, 2, 3, 4, 5, 6, 7), Why.DEAL),
            Drew(1, (8,), Why.TURN),
            Kept(1),
            Drew(2, (9, 10), Why.PENALTY),
            UnoSaid(3),
            HandOpened(1, (3, 4), guilty=True),
            HandOpened(1, (3, 4), guilty=False),
            _closed(1, 0),
            _closed(2, 0, 3),
            _closed(3),
            _closed(4, 1, counted=False),
            events.RoundClosed(5, None, counted=False),
        ),
    ),
    "a row of draws": (
        UNTIL_PLAYABLE,
        4,
        (
            *(Drew(1, (slot,), Why.TURN) for slot in range(3)),
            events.ActionTaken(1, Keep(), by_clock=False),
            Drew(2, (8,), Why.TURN),
            outputs.ChatHeard("p1", 1, "hi"),
            Drew(2, (9,), Why.TURN),
            Drew(2, (10,), Why.TURN),
            events.SeatDropped(2, DropReason.LOST),
        ),
    ),
    "the clock": (
        Ruleset(),
        4,
        (
            *(_timed_out(3) for _ in range(3)),
            events.ActionTaken(3, Verdict(guilty=True), by_clock=False),
            events.ActionTaken(3, OpenHand(), by_clock=False),
            # What a program does by itself is no sign of its player, who is back only here.
            outputs.ChatHeard("p1", 1, "where are you?"),
            _timed_out(3, by_clock=False),
            _timed_out(3),
            _timed_out(3, by_clock=False),
        ),
    ),
    "who is away": (
        Ruleset(),
        4,
        (
            outputs.TableWaits((1, 2), 60.0),
            outputs.TableWaits((2,), 31.5),
            outputs.TableWaits((), 0.0),
            *(events.SeatDropped(2, reason) for reason in DropReason),
            events.StepDone(0, "share"),
            events.StepDone(1, "share"),
            events.SeatRecovered(2),
            events.SeatReturned(2),
            *(events.RoundVoided(3, reason, "nobody reads this") for reason in VoidReason),
            events.SeatFilled(0, 1),
            outputs.TableFrozen(2, 2),
            outputs.TableFrozen(1, 2),
            outputs.TableFrozen(2, 2),
            outputs.CutEntries(9),
            CaughtUp(1, 0),
            CaughtUp(1, 1),
            CaughtUp(1, 7),
        ),
    ),
    "who is the host": (
        Ruleset(),
        4,
        (
            outputs.Hosting(on=True),
            events.HostElected(1, 1),
            outputs.Hosting(on=False),
            events.SeatLeft(0),
            events.SeatLeft(2),
            events.RoundOpened(4, RoundKind.PLAY, (0, 1, 3), 1),
            events.SeatLeft(0),
            outputs.Hosting(on=True),
        ),
    ),
    "who is out": (
        Ruleset(),
        4,
        (events.SeatExpelled(3, cheated=True), events.SeatExpelled(3, cheated=False)),
    ),
    "two people": (
        Ruleset(format=Format.SINGLE),
        2,
        (
            outputs.TableWaits((1,), 60.0),
            outputs.TableWaits((0,), 60.0),
            outputs.MayClaim((1,)),
            outputs.MayClaim(()),
            events.Forfeited(0, 1),
        ),
    ),
    "what cannot be": (
        Ruleset(),
        4,
        (
            outputs.Stopped(Blame(0, Fault.BAD_STATE, 1, 7, "another state\x07")),
            outputs.Stopped(Blame(None, Fault.FORGED, 1, 7, ""), given_up=True),
        ),
    ),
}
"""What happens: by which rules, to how many, and what."""


def _lines(voice: Voice) -> Iterator[str]:
    for name, (rules, players, happened) in SCENE.items():
        for moves in (True, False):
            lines: list[str] = []
            narrator = Narrator(speaker(voice, lines), moves=moves)
            if rules is not None:
                narrator(outputs.TableBegan(make_genesis(make_roster(players, rules))))
            for event in happened:
                narrator(event)
            yield f"{name}{'' if moves else ', without the moves'}:"
            yield from lines
            if voice == "keys":
                yield from (f"  {json.dumps(each)}" for each in narrator.notices)


NARRATOR = Golden(
    "narrator", VOICES, lambda case: _lines(cast(Voice, case)), tested=len(VOICES), as_text=True
)
