"""Simulated tables: games between bots for one seed, as snapshots for the app.

They use the rules engine alone, without cryptography, network or clock. State outside the game,
such as absent seats or finished shuffles, is passed to `Simulated.snapshot`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec

from lanuno.bots.player import Player
from lanuno.bots.sensible import SensiblePlayer
from lanuno.bots.simulated_dealer import SimulatedDealer
from lanuno.client.events import TableUpdated
from lanuno.client.observed_state import RevealedHand, RoundScore
from lanuno.client.snapshot import (
    PAIRED,
    Person,
    Steps,
    TableSnapshot,
    TableStage,
    view_once_stopped,
)
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine.actions import ANY_TIME, Action, Draw, Keep, Play, SayUno
from lanuno.rules.engine.dealer import DealerRound
from lanuno.rules.engine.events import GameEvent
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.results import RoundKind, RoundScored
from lanuno.rules.engine.round import Round
from lanuno.rules.match.formats import pair_of
from lanuno.rules.match.match import Match
from lanuno.rules.presets import CLASSIC
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.view import SeatView, view

NAMES = (
    *("Ana", "Begoña", "Maximiliano de la Fuente y Ortega", "Dídac", "<b>Eva</b>"),
    *("فاطمة الزهراء", "Greta", "🦊🎲🎉🦄🐙🌈🍕", "Iñaki", "Jo"),
)
"""Names of players: ordinary ones, and some that a careless program would show wrongly."""


class Simulated:
    """One match between bots, seen from one seat (None: a spectator)."""

    def __init__(
        self,
        seats: int,
        *,
        rules: Ruleset = CLASSIC,
        seed: int = 1,
        mine: int | None = 0,
        hoard: int = 0,
        silent: bool = False,
        names: Sequence[str] = NAMES,
        first: Player | None = None,
    ) -> None:
        """Begin the first round.

        `hoard`: until the own seat holds this number of cards, it plays none, and the others keep
        their last ones. `silent`: no seat says "UNO". `first`: the player of the first seat.
        """
        self.rules = rules
        self.mine = mine
        self.names = tuple(names[:seats])
        self.match = Match(rules, seats)
        self.scores: list[RoundScore] = []
        self.last: int | None = None
        self._hoard = hoard
        self._silent = silent
        self._chance = Random(f"table {seed}")
        self._players: list[Player] = [
            SensiblePlayer(Random(f"{seat} {seed}")) for seat in range(seats)
        ]
        if first is not None:
            self._players[0] = first
        self.happened: list[GameEvent] = []
        """The events of all rounds."""
        self._told = 0
        self.begin()

    def begin(self) -> None:
        """Deal the next round."""
        plan = self.match.next()
        while plan is not None and plan.kind is RoundKind.DEALER:
            choosing = DealerRound(self.rules, plan.seats)
            SimulatedDealer(choosing, self._chance).start()
            self.match.finish(choosing.reveal())
            plan = self.match.next()
        assert plan is not None
        assert plan.dealer is not None
        self.game = Round(self.rules, plan.seats, plan.dealer)
        self._dealer = SimulatedDealer(self.game, self._chance)
        self.happened += self._dealer.start()

    def seen_by(self, seat: int | None) -> SeatView:
        """Return the view of a seat, or of a spectator."""
        cards = {} if seat is None else self._dealer.known[seat]
        return view(self.match, self.game, seat, cards)

    def card_in(self, slot: int) -> int:
        """Return the card in this slot, visible or not."""
        return self._dealer.cards[slot]

    @property
    def own(self) -> SeatView:
        """The view of the own seat, or of a spectator."""
        return self.seen_by(self.mine)

    def step(self) -> None:
        """Perform one act of a seat, or end the wait for one."""
        game = self.game
        for seat in (*game.seats,) if game.uno_owed is not None else ():
            said = self._players[seat].choose(self.seen_by(seat))
            if isinstance(said, ANY_TIME) and not (self._silent and isinstance(said, SayUno)):
                self._do(seat, said)
                return
        decider = game.decider
        if decider is None:
            self._note(game.settle(Matter.CARD))
            return
        action = self._choice(decider)
        if action is None:
            self._note(game.act(decider, game.clock_action()))
        else:
            self._do(decider, action)

    def _choice(self, seat: int) -> Action | None:
        seen = self.seen_by(seat)
        few = 1 + self._hoard if seat == self.mine else 4
        if self._hoard and len(self.own.hand) < self._hoard and len(seen.hand) < few:
            for kind in (Keep, Draw):
                for action in seen.legal:
                    if isinstance(action, kind):
                        return action
        chosen = self._players[seat].choose(seen)
        if self._silent and isinstance(chosen, Play) and chosen.uno:
            return msgspec.structs.replace(chosen, uno=False)
        return chosen

    def _do(self, seat: int, action: Action) -> None:
        self.last = seat
        self._note(self.game.act(seat, action))

    def act(self, action: Action, seat: int | None = None) -> None:
        """Perform an act of the own seat, or of another one."""
        who = self.mine if seat is None else seat
        assert who is not None
        self._do(who, action)

    def _note(self, events: list[GameEvent]) -> None:
        self.happened += self._dealer.serve(events)

    def until(self, true: Callable[[SeatView], bool], steps: int = 3000) -> Simulated:
        """Play until a condition holds for the own view, over several rounds and matches."""
        for _ in range(steps):
            if true(self.own) and not self.game.over:
                return self
            if self.game.over:
                self.score()
                if self.match.over:
                    self.match, self.scores = Match(self.rules, len(self.names)), []
                self.begin()
            else:
                self.step()
        raise AssertionError("that never happens in this game")

    def my_turn(self, cards: int = 0) -> Simulated:
        """Play until the own seat may play a card, and holds at least this number of cards."""
        return self.until(
            lambda seen: (
                seen.decider == self.mine
                and len(seen.hand) >= cards
                and any(isinstance(each, Play) for each in seen.legal)
            )
        )

    def rounds(self, number: int) -> Simulated:
        """Play this number of rounds to their end, fewer if the match ends before."""
        for _ in range(number):
            while not self.game.over:
                self.step()
            self.score()
            if self.match.over or len(self.scores) >= number:
                break
            self.begin()
        return self

    def score(self) -> None:
        """Score the round, which is over."""
        result = self.game.reveal(self._dealer.cards)
        before = tuple(self.match.totals)
        followed = self.match.finish(result)
        seats = len(self.game.seats)
        gains = tuple(now - then for now, then in zip(self.match.totals, before, strict=True))
        assert any(isinstance(each, RoundScored) for each in followed)
        self.scores.append(
            RoundScore(
                len(self.scores) + 1,
                tuple(result.winners),
                gains,
                tuple(self.match.totals),
                None,
                counted=True,
                attested=seats,
                players=seats,
                here=seats,
            )
        )

    def open_hands(self) -> tuple[RevealedHand, ...]:
        """Return the hands of all seats."""
        faces = deck_tables(self.rules.deck).faces
        cards = self._dealer.cards
        return tuple(
            RevealedHand(seat, tuple(faces[cards[slot]] for slot in slots))
            for seat, slots in self.game.hands.items()
        )

    def people(self) -> tuple[Person, ...]:
        """Return the players. Seats 1, 4 and 7 are bots."""
        seats = tuple(self.game.dealt_seats) if self.rules.format in PAIRED else ()
        teams = {seat: min(seats.index(each) for each in pair_of(seats, seat)) for seat in seats}
        return tuple(
            Person(
                seat,
                name,
                seat % 3 == 1,
                0 if seat % 3 == 1 else seat,
                False,
                teams.get(seat, -1),
                seat,
            )
            for seat, name in enumerate(self.names)
        )

    def snapshot(self, stage: TableStage = TableStage.PLAYING, **values: Any) -> TableSnapshot:
        """Return the snapshot of the present state; `values` replace its values."""
        own = view_once_stopped(self.own, stage) if stage is not TableStage.DEALING else None
        seats = tuple(self.game.seats)
        known: dict[str, Any] = {
            "table": bytes(16),
            "name": "Kitchen table",
            "ruleset": self.rules,
            "people": self.people(),
            "mine": self.mine,
            "host": 0,
            "hosting": self.mine == 0,
            "in_contact": True,
            "stage": stage,
            "number": len(self.scores) + 1,
            "dealer": self.game.dealer,
            "seats": seats,
            "view": own,
            "to_move": own is not None and own.decider == self.mine,
            "steps": tuple(Steps(seat, True, True, True) for seat in seats),
            "drawn_for_deal": (),
            "clock": None,
            "waits": (),
            "claimable": (),
            "short_of": None,
            "dropped": (),
            "leaving": (),
            "totals": tuple(self.match.totals),
            "target": self.match.target,
            "winners": tuple(self.match.winners),
            "void": None,
            "scores": tuple(self.scores),
            "open_hands": (),
            "attested": (),
            "blamed": (),
            "last_mover": self.last,
            "closed": None,
        }
        return TableSnapshot(**{**known, **values})

    def seen(self, stage: TableStage = TableStage.PLAYING, **values: Any) -> TableUpdated:
        """Return an update with the events since the last one."""
        happened, self._told = tuple(self.happened[self._told :]), len(self.happened)
        return TableUpdated(self.snapshot(stage, **values), happened, 0.0)

    def whole(self, stage: TableStage = TableStage.PLAYING, **values: Any) -> TableUpdated:
        """Return an update with all events of the table."""
        return TableUpdated(self.snapshot(stage, **values), tuple(self.happened), 0.0)
