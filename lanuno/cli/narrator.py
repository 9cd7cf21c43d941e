"""Tells a person on a terminal what happens at a table, line by line."""

from __future__ import annotations

from collections.abc import Mapping

from lanuno.cli.output import Output
from lanuno.cli.rule_title import rules_line
from lanuno.log import events
from lanuno.log.genesis import Roster, safety_hand
from lanuno.log.times import AUTOPILOT_AFTER
from lanuno.net.endings import CaughtUp
from lanuno.rules import events as moves
from lanuno.rules.actions import Draw, OpenHand, RefuseShow, RefuseVerdict, Show, Verdict
from lanuno.rules.cards import Card, deck_tables
from lanuno.rules.events import Why
from lanuno.rules.results import DealerResult, RoundResult
from lanuno.table import messages, outputs
from lanuno.table.grace import CLAIM_SECONDS


def card_text(out: Output, card: Card) -> str:
    """A card in words, in the user's language."""
    rank = out.text.member(card.rank)
    if card.colour is None:
        return rank
    return out.text("card.coloured", colour=out.text.member(card.colour), rank=rank)


BY_ITSELF = (Show, RefuseShow, Verdict, RefuseVerdict, OpenHand)
"""What a program does without asking its player: no sign that anybody is there, or is not."""

NO_MORE_DRAWS = (
    *(events.RoundVoided, events.RoundClosed, events.SeatDropped, events.SeatLeft),
    *(events.HostElected, events.LogClosed, outputs.ChatHeard, outputs.Stopped, moves.RoundOver),
)
"""What ends a row of draws, besides what somebody does: it is told after the row."""

MOST_NOTICES = 1_000
"""So many of them are told to a program that reads JSON; a match has a handful."""


class Narrator:
    """Follows one seat's events."""

    def __init__(self, out: Output, *, moves: bool = True, resumed: bool = False) -> None:
        """Speak through this output. `moves`: tell every card, or only how the rounds go.

        `resumed`: the program was started again, so what it is now is news.
        """
        self.notices: list[dict[str, object]] = []
        """What happened to the table besides the game, for a program: `id` of a message, values."""
        self._out = out
        self._moves = moves
        self._news = resumed
        self._roster: Roster | None = None
        self._seated = ""
        self._rules = ""
        self._missing: tuple[int, ...] = ()
        self._host = 0
        self._host_before: int | None = None
        """Who was the host when this round began, if another one is now."""
        self._idle: dict[int, int] = {}
        """How often in a row the clock has played for a seat."""
        self._lost: dict[int, bool] = {}
        """Seats that the round goes on without, and whether it was told that the keys are due."""
        self._frozen = False
        self._drawn: tuple[int, Why, int] | None = None
        """Cards that a seat has drawn of its own accord, for a reason, and that are not told yet:
        where one draws until something fits they are told in one line."""

    def __call__(self, event: object) -> None:
        """Say what this event means, if it means something to somebody who looks on."""
        if self._drawn is not None and not self._draws_on(event):
            self._tell_drawn()
        match event:
            case messages.LobbyState():
                self._lobby(event)
            case outputs.TableBegan():
                self._began(event)
            case outputs.Stopped() if event.given_up:
                self._out.error("table.given_up")
            case outputs.Stopped():
                self._out.error("table.stopped", why=event.blame.detail)
            case outputs.ChatHeard():
                key = "table.chat" if event.seat >= 0 else "table.chat_watching"
                self._out.line(key, name=event.name, text=event.text)
            case outputs.ReactionSeen():
                reaction = self._out.text.member(event.reaction)
                self._out.line("table.reaction", name=event.name, reaction=reaction)
            case events.RoundOpened():
                self._lost.clear()
                self._host_before = None
                if event.dealer is not None:
                    name = self._name(event.dealer)
                    self._out.line("table.round", number=event.number, dealer=name)
            case events.RoundClosed():
                self._closed(event)
            case _ if self._moves and self._move(event):
                pass
            case _:
                self._notice(event)
                self._notice_leaving(event)
                self._notice_people(event)

    def _notice(self, event: object) -> None:
        """Who is away for a while, and what this computer is."""
        match event:
            case outputs.TableWaits():
                self._waits(event)
            case outputs.MayClaim() if event.seats:
                names = ", ".join(map(self._name, event.seats))
                self._status("table.may_claim", names=names, minutes=round(CLAIM_SECONDS / 60))
            case CaughtUp():
                self._caught_up(event)
            case outputs.CutEntries():
                self._status("table.cut", entry=event.count)
            case outputs.TableFrozen() if event.here < event.wanted:
                self._frozen = True
                self._status("table.frozen", here=event.here, wanted=event.wanted)
            case outputs.TableFrozen() if self._frozen:
                self._frozen = False
                self._status("table.thawed")
            case outputs.Hosting() if event.on and self._news:
                self._status("table.hosting")
            case outputs.Hosting() if not event.on:
                self._status("table.no_longer_hosting")
            case _:
                pass

    def _notice_people(self, event: object) -> None:
        """What the log says of people: who is the host, who is gone, who is back."""
        match event:
            case events.HostElected():
                self._news = True
                self._host_before, self._host = self._host, event.seat
                self._note("table.new_host", name=self._name(event.seat), term=event.term)
            case events.RoundVoided():
                self._note(
                    "table.void", number=event.number, why=self._out.text.member(event.reason)
                )
            case events.ActionTaken() if not isinstance(event.action, BY_ITSELF):
                self._clock(event.seat, by_clock=event.by_clock)
            case moves.HandOpened():
                key = "table.opened_bluff" if event.guilty else "table.opened_no_bluff"
                self._note(key, name=self._name(event.seat))
            case events.SeatReturned():
                self._note("table.returned", name=self._name(event.seat))
            case events.SeatExpelled():
                key = "table.expelled_cheat" if event.cheated else "table.expelled_void"
                self._note(key, name=self._name(event.seat))
            case events.SeatFilled():
                name, owner = self._name(event.seat), self._name(event.owner)
                self._note("table.filled", name=name, owner=owner)
            case events.Forfeited():
                loser, winner = self._name(event.loser), self._name(event.winner)
                self._note("table.forfeited", name=loser, winner=winner)
            case _:
                pass

    def _notice_leaving(self, event: object) -> None:
        """What the log says of a seat that goes, and of its cards."""
        match event:
            case events.SeatLeft():
                # It leaves under the host whom it has let the others elect.
                key = "table.handed_over" if event.seat == self._host_before else "table.leaves"
                self._note(key, name=self._name(event.seat))
            case events.SeatDropped():
                self._missing = tuple(seat for seat in self._missing if seat != event.seat)
                self._lost[event.seat] = False
                why = self._out.text.member(event.reason)
                self._note("table.dropped", name=self._name(event.seat), why=why)
            case events.StepDone() if event.step == "share":
                names = ", ".join(self._name(seat) for seat, told in self._lost.items() if not told)
                if names:
                    self._lost = dict.fromkeys(self._lost, True)
                    self._note("table.recovering", names=names)
            case events.SeatRecovered():
                self._note("table.recovered", name=self._name(event.seat))
            case _:
                pass

    def _clock(self, seat: int, *, by_clock: bool) -> None:
        """Somebody did something, or ran out of time."""
        before = self._idle.get(seat, 0)
        self._idle[seat] = before + 1 if by_clock else 0
        if by_clock and before < AUTOPILOT_AFTER:
            key = "table.autopilot" if before + 1 == AUTOPILOT_AFTER else "table.timed_out"
            self._note(key, name=self._name(seat))
        elif not by_clock and before >= AUTOPILOT_AFTER:
            self._note("table.awake", name=self._name(seat))

    def _note(self, key: str, **values: object) -> None:
        """Tell what has become of the table; a program finds it in the one object of the end."""
        self._out.line(key, **values)
        self._remember(key, values)

    def _status(self, key: str, **values: object) -> None:
        """The same for what is only so for a while, or here."""
        self._out.progress(key, **values)
        self._remember(key, values)

    def _remember(self, key: str, values: Mapping[str, object]) -> None:
        if len(self.notices) < MOST_NOTICES:
            self.notices.append({"id": key, **values})

    def _waits(self, event: outputs.TableWaits) -> None:
        back = [seat for seat in self._missing if seat not in event.seats]
        self._missing = event.seats
        for seat in back:
            self._status("table.back", name=self._name(seat))
        if event.seats:
            names = ", ".join(self._name(seat) for seat in event.seats)
            seats = () if self._roster is None else self._roster.seats
            key = "table.waits"
            if sum(not seat.bot for seat in seats) == 2:
                key = "table.waits_host" if self._host in event.seats else "table.waits_forfeit"
            self._status(key, names=names, seconds=outputs.shown_seconds(event.seconds))

    def _caught_up(self, event: CaughtUp) -> None:
        self._host = event.host
        self._missing = tuple(seat for seat in self._missing if seat != event.host)
        match event.entries:
            case 0:
                key = "table.caught_up.none"
            case 1:
                key = "table.caught_up.one"
            case _:
                key = "table.caught_up.other"
        self._status(key, name=self._name(event.host), number=event.entries)

    def _move(self, event: object) -> bool:
        """Tell a move of the game; whether it was one that is told."""
        match event:
            case moves.Played():
                self._played(event)
            case moves.Drew():
                self._drew(event)
            case moves.UnoSaid():
                self._out.line("table.uno", name=self._name(event.seat))
            case moves.DirectionTurned(seat=None):
                self._out.line("table.starts_reversed")
            case moves.DirectionTurned(seat=int(seat)):
                self._out.line("table.reverses", name=self._name(seat))
            case _:
                return False
        return True

    def _drew(self, event: moves.Drew) -> None:
        before = 0 if self._drawn is None else self._drawn[2]
        self._drawn = (event.seat, event.why, before + len(event.slots))
        rules = None if self._roster is None else self._roster.ruleset
        if event.why is not Why.TURN or rules is None or not rules.draw_until_playable:
            self._tell_drawn()

    def _draws_on(self, event: object) -> bool:
        """Whether a seat that draws may still draw more in the same row."""
        seat, why, _ = self._drawn or (-1, Why.TURN, 0)
        match event:
            case moves.Drew():
                return (event.seat, event.why) == (seat, why)
            case events.ActionTaken():
                return event.seat == seat and isinstance(event.action, Draw)
            case _:
                return not isinstance(event, NO_MORE_DRAWS)

    def _tell_drawn(self) -> None:
        if self._drawn is not None:
            (seat, _, number), self._drawn = self._drawn, None
            name = self._name(seat)
            self._out.show(self._out.text.count("table.drew", number, name=name))

    def _name(self, seat: int) -> str:
        return "" if self._roster is None else self._roster.seats[seat].name

    def _lobby(self, state: messages.LobbyState) -> None:
        rules = rules_line(self._out.text, state.ruleset)
        if rules != self._rules:
            changed, self._rules = self._rules != "", rules
            if changed:
                self._status("table.rules_changed", rules=rules)
            else:
                self._out.progress("table.rules", rules=rules)
        seated = ", ".join(seat.name for seat in state.seats)
        if seated != self._seated:
            self._seated = seated
            taken, seats = len(state.seats), state.capacity
            self._out.progress("table.lobby", names=seated, taken=taken, seats=seats)

    def _began(self, event: outputs.TableBegan) -> None:
        self._roster = event.genesis.read()
        self._host = self._roster.host
        hand = "  ".join(card_text(self._out, card) for card in safety_hand(event.genesis.table_id))
        self._out.line("table.safety", hand=hand)

    def _played(self, event: moves.Played) -> None:
        if self._roster is not None:
            face = deck_tables(self._roster.ruleset.deck).faces[event.card]
            name = self._name(event.seat)
            self._out.line(
                "table.played", name=name, card=card_text(self._out, face), left=event.left
            )

    def _closed(self, event: events.RoundClosed) -> None:
        match event.result:
            case DealerResult():
                self._out.line("table.dealer", name=self._name(event.result.dealer))
            case RoundResult() if event.counted:
                names = ", ".join(self._name(seat) for seat in event.result.winners)
                self._out.line("table.won", number=event.number, names=names or "-")
            case _:
                pass
