"""Shows on a terminal what happens at a table, line by line."""

from __future__ import annotations

from collections.abc import Mapping

from lanuno.cli.output import CommandOutput
from lanuno.cli.rule_title import rules_line
from lanuno.log.format.genesis import Roster, safety_hand
from lanuno.log.replay.times import AUTOPILOT_AFTER
from lanuno.log.round import events
from lanuno.net.runtime.endings import CaughtUp
from lanuno.rules.cards import Card, deck_tables
from lanuno.rules.engine import events as moves
from lanuno.rules.engine.actions import Draw, OpenHand, RefuseShow, RefuseVerdict, Show, Verdict
from lanuno.rules.engine.events import DrawReason
from lanuno.rules.engine.results import DealerResult, RoundResult
from lanuno.table import messages, outputs
from lanuno.table.host.grace import CLAIM_SECONDS


def card_text(out: CommandOutput, card: Card) -> str:
    """A card in words, in the user's language."""
    rank = out.text.member(card.rank)
    if card.colour is None:
        return rank
    return out.text("card.coloured", colour=out.text.member(card.colour), rank=rank)


AUTOMATIC_ACTIONS = (Show, RefuseShow, Verdict, RefuseVerdict, OpenHand)
"""Actions that a program does without asking its player: they do not show that one is there."""

DRAW_ENDING_EVENTS = (
    *(events.RoundVoided, events.RoundClosed, events.SeatDropped, events.LeaveAnnounced),
    *(
        events.HostElected,
        events.LogClosed,
        outputs.ChatReceived,
        outputs.NodeStopped,
        moves.RoundOver,
    ),
)
"""Events that end a row of draws, besides an action: they are shown after the row."""

MOST_NOTICES = 1_000
"""Limit for the notices in the JSON output; a match has a handful."""


class ConsoleRenderer:
    """Renders the events of one seat as lines of text."""

    def __init__(self, out: CommandOutput, *, moves: bool = True, resumed: bool = False) -> None:
        """`moves`: whether to show every card, or only how the rounds go.

        `resumed`: the table was resumed, so it is news that this computer is the host.
        """
        self.notices: list[dict[str, object]] = []
        """What happened to the table besides the game, for a program: `id` of a message, values."""
        self._out = out
        self._moves = moves
        self._host_is_news = resumed
        self._roster: Roster | None = None
        self._seated = ""
        self._rules = ""
        self._missing: tuple[int, ...] = ()
        self._host = 0
        self._host_before: int | None = None
        """Who was the host when this round began, if another one is now."""
        self._timeouts_in_a_row: dict[int, int] = {}
        """How often in a row the clock has played for a seat."""
        self._recovering: dict[int, bool] = {}
        """Seats that the round goes on without, and whether their recovery was shown."""
        self._no_quorum = False
        self._pending_draws: tuple[int, DrawReason, int] | None = None
        """Draws of a seat that are not shown yet, with their reason and number: where players draw
        until a card fits, a row of draws is one line."""

    def __call__(self, event: object) -> None:
        """Show what this event means, if it means something to a person."""
        if self._pending_draws is not None and not self._continues_draws(event):
            self._show_draws()
        match event:
            case messages.LobbyState():
                self._lobby(event)
            case outputs.TableBegan():
                self._began(event)
            case outputs.NodeStopped() if event.given_up:
                self._out.error("table.given_up")
            case outputs.NodeStopped():
                self._out.error("table.stopped", why=event.blame.detail)
            case outputs.ChatReceived():
                key = "table.chat" if event.seat >= 0 else "table.chat_watching"
                self._out.line(key, name=event.name, text=event.text)
            case outputs.ReactionSeen():
                reaction = self._out.text.member(event.reaction)
                self._out.line("table.reaction", name=event.name, reaction=reaction)
            case events.RoundOpened():
                self._recovering.clear()
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
        """Show who is away for a while, and whether this computer is the host."""
        match event:
            case outputs.SeatsAwaited():
                self._show_awaited(event)
            case outputs.ClaimOffered() if event.seats:
                names = ", ".join(map(self._name, event.seats))
                self._report_and_keep(
                    "table.may_claim", names=names, minutes=round(CLAIM_SECONDS / 60)
                )
            case CaughtUp():
                self._caught_up(event)
            case outputs.TruncateJournal():
                self._report_and_keep("table.cut", entry=event.count)
            case outputs.QuorumChanged() if event.here < event.wanted:
                self._no_quorum = True
                self._report_and_keep("table.frozen", here=event.here, wanted=event.wanted)
            case outputs.QuorumChanged() if self._no_quorum:
                self._no_quorum = False
                self._report_and_keep("table.thawed")
            case outputs.HostingChanged() if event.on and self._host_is_news:
                self._report_and_keep("table.hosting")
            case outputs.HostingChanged() if not event.on:
                self._report_and_keep("table.no_longer_hosting")
            case _:
                pass

    def _notice_people(self, event: object) -> None:
        """Show what the log says of people: who is the host, who is gone, who is back."""
        match event:
            case events.HostElected():
                self._host_is_news = True
                self._host_before, self._host = self._host, event.seat
                self._show_and_keep("table.new_host", name=self._name(event.seat), term=event.term)
            case events.RoundVoided():
                self._show_and_keep(
                    "table.void", number=event.number, why=self._out.text.member(event.reason)
                )
            case events.ActionTaken() if not isinstance(event.action, AUTOMATIC_ACTIONS):
                self._count_timeout(event.seat, by_clock=event.by_clock)
            case moves.HandOpened():
                key = "table.opened_bluff" if event.guilty else "table.opened_no_bluff"
                self._show_and_keep(key, name=self._name(event.seat))
            case events.SeatReturned():
                self._show_and_keep("table.returned", name=self._name(event.seat))
            case events.SeatExpelled():
                key = "table.expelled_cheat" if event.cheated else "table.expelled_void"
                self._show_and_keep(key, name=self._name(event.seat))
            case events.SeatFilled():
                name, owner = self._name(event.seat), self._name(event.owner)
                self._show_and_keep("table.filled", name=name, owner=owner)
            case events.Forfeited():
                loser, winner = self._name(event.loser), self._name(event.winner)
                self._show_and_keep("table.forfeited", name=loser, winner=winner)
            case _:
                pass

    def _notice_leaving(self, event: object) -> None:
        """Show what the log says of a seat that leaves, and of its cards."""
        match event:
            case events.LeaveAnnounced():
                # A host that leaves has let the others elect another one before.
                key = "table.handed_over" if event.seat == self._host_before else "table.leaves"
                self._show_and_keep(key, name=self._name(event.seat))
            case events.SeatDropped():
                self._missing = tuple(seat for seat in self._missing if seat != event.seat)
                self._recovering[event.seat] = False
                why = self._out.text.member(event.reason)
                self._show_and_keep("table.dropped", name=self._name(event.seat), why=why)
            case events.StepDone() if event.step == "share":
                names = ", ".join(
                    self._name(seat)
                    for seat, recovery_shown in self._recovering.items()
                    if not recovery_shown
                )
                if names:
                    self._recovering = dict.fromkeys(self._recovering, True)
                    self._show_and_keep("table.recovering", names=names)
            case events.SeatRecovered():
                self._show_and_keep("table.recovered", name=self._name(event.seat))
            case _:
                pass

    def _count_timeout(self, seat: int, *, by_clock: bool) -> None:
        """Somebody did something, or ran out of time."""
        before = self._timeouts_in_a_row.get(seat, 0)
        self._timeouts_in_a_row[seat] = before + 1 if by_clock else 0
        if by_clock and before < AUTOPILOT_AFTER:
            key = "table.autopilot" if before + 1 == AUTOPILOT_AFTER else "table.timed_out"
            self._show_and_keep(key, name=self._name(seat))
        elif not by_clock and before >= AUTOPILOT_AFTER:
            self._show_and_keep("table.awake", name=self._name(seat))

    def _show_and_keep(self, key: str, **values: object) -> None:
        """Show a line, and keep it for the JSON object at the end."""
        self._out.line(key, **values)
        self._keep_notice(key, values)

    def _report_and_keep(self, key: str, **values: object) -> None:
        """The same as progress, for what lasts only for a while or concerns only this computer."""
        self._out.progress(key, **values)
        self._keep_notice(key, values)

    def _keep_notice(self, key: str, values: Mapping[str, object]) -> None:
        if len(self.notices) < MOST_NOTICES:
            self.notices.append({"id": key, **values})

    def _show_awaited(self, event: outputs.SeatsAwaited) -> None:
        back = [seat for seat in self._missing if seat not in event.seats]
        self._missing = event.seats
        for seat in back:
            self._report_and_keep("table.back", name=self._name(seat))
        if event.seats:
            names = ", ".join(self._name(seat) for seat in event.seats)
            seats = () if self._roster is None else self._roster.seats
            key = "table.waits"
            if sum(not seat.bot for seat in seats) == 2:
                key = "table.waits_host" if self._host in event.seats else "table.waits_forfeit"
            self._report_and_keep(key, names=names, seconds=outputs.shown_seconds(event.seconds))

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
        self._report_and_keep(key, name=self._name(event.host), number=event.entries)

    def _move(self, event: object) -> bool:
        """Show a move of the game; False if this event is none."""
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
        before = 0 if self._pending_draws is None else self._pending_draws[2]
        self._pending_draws = (event.seat, event.why, before + len(event.slots))
        rules = None if self._roster is None else self._roster.ruleset
        if event.why is not DrawReason.TURN or rules is None or not rules.draw_until_playable:
            self._show_draws()

    def _continues_draws(self, event: object) -> bool:
        """Whether a seat that draws may still draw more in the same row."""
        seat, why, _ = self._pending_draws or (-1, DrawReason.TURN, 0)
        match event:
            case moves.Drew():
                return (event.seat, event.why) == (seat, why)
            case events.ActionTaken():
                return event.seat == seat and isinstance(event.action, Draw)
            case _:
                return not isinstance(event, DRAW_ENDING_EVENTS)

    def _show_draws(self) -> None:
        if self._pending_draws is not None:
            (seat, _, number), self._pending_draws = self._pending_draws, None
            name = self._name(seat)
            self._out.show(self._out.text.count("table.drew", number, name=name))

    def _name(self, seat: int) -> str:
        return "" if self._roster is None else self._roster.seats[seat].name

    def _lobby(self, state: messages.LobbyState) -> None:
        rules = rules_line(self._out.text, state.ruleset)
        if rules != self._rules:
            changed, self._rules = self._rules != "", rules
            if changed:
                self._report_and_keep("table.rules_changed", rules=rules)
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
