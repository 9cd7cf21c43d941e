"""Scenes that make the commands print every message about a table, with its texts.

Nothing is random here. The output of simulated tables is in `console_output.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

from msgspec.structs import replace

from lanuno.cli.console import ConsoleRenderer
from lanuno.client.observer import TableObserver
from lanuno.log.faults import Blame, Fault, VoidReason
from lanuno.log.format.bodies import DropReason
from lanuno.log.round import events
from lanuno.net.runtime.endings import CaughtUp, PlaysElsewhere, RuntimeEvent
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine.actions import Draw, Keep, OpenHand, Verdict
from lanuno.rules.engine.events import (
    DirectionTurned,
    DrawReason,
    Drew,
    HandOpened,
    Kept,
    Played,
    RoundEnding,
    UnoSaid,
)
from lanuno.rules.engine.results import DealerResult, RoundKind, RoundResult
from lanuno.rules.ruleset import Format, Ruleset, WildFour
from lanuno.table import messages, outputs
from tests.golden.console_output import renderer_for
from tests.golden.recording import Golden
from tests.golden.text_modes import TEXT_MODES, TextMode
from tests.harness.log_table.log_table import make_genesis, make_roster

UNTIL_PLAYABLE = Ruleset(draw_until_playable=True)


def _seat(name: str) -> messages.LobbySeat:
    key = name.encode().ljust(32, b"i")
    return messages.LobbySeat(name, key, key, bot=False, ready=True)


def _with_bot(state: messages.LobbyState) -> messages.LobbyState:
    """Return the room with a bot of the first player, all of whom have signed it."""
    owner = state.seats[0].identity
    bot = messages.LobbySeat("Cleo", b"c" * 32, owner, bot=True, ready=True)
    return replace(state, phase=messages.LobbyPhase.STARTING, seats=(*state.seats, bot))


def _room(rules: Ruleset, *names: str) -> messages.LobbyState:
    seats = tuple(map(_seat, names))
    return messages.LobbyState(bytes(16), "mesa", messages.LobbyPhase.OPEN, rules, 4, seats, 0)


def _timed_out(seat: int, *, by_clock: bool = True) -> events.ActionTaken:
    return events.ActionTaken(seat, Draw(), by_clock)


def _closed(number: int, *winners: int, counted: bool = True) -> events.RoundClosed:
    result = RoundResult(RoundEnding.OUT, (0, 1, 2, 3), winners, (0, 7, 20, 50), (0, 1, 1, 1))
    return events.RoundClosed(number, result, counted)


def _faces() -> Iterator[Played]:
    """Yield every kind of card once."""
    seen = set()
    for card, face in enumerate(deck_tables(112).faces):
        if (face.colour, face.rank) not in seen:
            seen.add((face.colour, face.rank))
            yield Played(1, 0, card, left=3)


SCENE: dict[str, tuple[Ruleset | None, int, tuple[RuntimeEvent, ...]]] = {
    "the waiting room": (
        None,
        4,
        (
            _room(Ruleset(), "Ana"),
            _room(Ruleset(), "Ana", "Beto"),
            _room(Ruleset(), "Ana", "Beto"),
            _room(Ruleset(jump_in=True, target=300, wild_four=WildFour.STRICT), "Ana", "Beto"),
            _room(Ruleset(seven_zero=True, advice=True), "Ana", "a\u202eb"),
            _with_bot(_room(Ruleset(), "Ana", "Beto")),
            replace(_with_bot(_room(Ruleset(), "Ana", "Beto")), rounds=3, spectators=False),
        ),
    ),
    "every card": (Ruleset(deck=112), 4, tuple(_faces())),
    "words and reactions": (
        Ruleset(),
        4,
        (
            outputs.ChatReceived("p1", 1, "hi {name}\x1b[1m"),
            outputs.ChatReceived("Eve", -1, "hi", b"e" * 32),
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
            Drew(0, (1, 2, 3, 4, 5, 6, 7), DrawReason.DEAL),
            Drew(1, (8,), DrawReason.TURN),
            Kept(1),
            Drew(2, (9, 10), DrawReason.PENALTY),
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
            *(Drew(1, (slot,), DrawReason.TURN) for slot in range(3)),
            events.ActionTaken(1, Keep(), by_clock=False),
            Drew(2, (8,), DrawReason.TURN),
            outputs.ChatReceived("p1", 1, "hi"),
            Drew(2, (9,), DrawReason.TURN),
            Drew(2, (10,), DrawReason.TURN),
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
            # Automatic acts of a node are no sign of its player, who returns only here.
            outputs.ChatReceived("p1", 1, "where are you?"),
            _timed_out(3, by_clock=False),
            _timed_out(3),
            _timed_out(3, by_clock=False),
        ),
    ),
    "who is away": (
        Ruleset(),
        4,
        (
            outputs.SeatsAwaited((1, 2), 60.0),
            outputs.SeatsAwaited((2,), 31.5),
            outputs.SeatsAwaited((), 0.0),
            *(events.SeatDropped(2, reason) for reason in DropReason),
            events.StepDone(0, "share"),
            events.StepDone(1, "share"),
            events.SeatRecovered(2),
            events.SeatReturned(2),
            *(events.RoundVoided(3, reason, "nobody reads this") for reason in VoidReason),
            events.RoundVoided(0, VoidReason.LOST, "nobody reads this"),
            events.SeatFilled(0, 1),
            outputs.QuorumChanged(2, 2),
            outputs.QuorumChanged(1, 2),
            outputs.QuorumChanged(2, 2),
            outputs.TruncateJournal(9),
            CaughtUp(1, 0),
            CaughtUp(1, 1),
            CaughtUp(1, 7),
            PlaysElsewhere(),
            outputs.RoundHalted(1),
        ),
    ),
    "who is the host": (
        Ruleset(),
        4,
        (
            outputs.HostingChanged(on=True),
            events.HostElected(1, 1),
            outputs.HostingChanged(on=False),
            events.LeaveAnnounced(0),
            events.LeaveAnnounced(2),
            events.RoundOpened(4, RoundKind.PLAY, (0, 1, 3), 1),
            events.LeaveAnnounced(0),
            outputs.HostingChanged(on=True),
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
            outputs.SeatsAwaited((1,), 60.0),
            outputs.SeatsAwaited((0,), 60.0),
            outputs.ClaimOffered((1,)),
            outputs.ClaimOffered(()),
            events.Forfeited(0, 1),
        ),
    ),
    "what cannot be": (
        Ruleset(),
        4,
        (
            outputs.NodeStopped(Blame(0, Fault.BAD_STATE, 1, 7, "another state\x07")),
            outputs.NodeStopped(Blame(None, Fault.FORGED, 1, 7, ""), given_up=True),
        ),
    ),
}
"""For each scene: its rules, the number of players, and the events."""


def _lines(voice: TextMode) -> Iterator[str]:
    for name, (rules, players, happened) in SCENE.items():
        lines: list[str] = []
        renderer = ConsoleRenderer(renderer_for(voice, lines))
        observer = TableObserver(renderer, lambda: None, snapshots=False)
        if rules is not None:
            observer(outputs.TableBegan(make_genesis(make_roster(players, rules))))
        for event in happened:
            observer(event)
        yield f"{name}:"
        yield from lines
        if voice == "keys":
            yield from (f"  {json.dumps(each)}" for each in renderer.notices)


CONSOLE_CASES = Golden(
    "narrator",
    TEXT_MODES,
    lambda case: _lines(cast(TextMode, case)),
    tested=len(TEXT_MODES),
    as_text=True,
)
