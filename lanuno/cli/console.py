"""Shows the events of a table on a terminal, line by line."""

from __future__ import annotations

from enum import Enum

from lanuno.cli.output import CommandOutput
from lanuno.cli.rule_title import rules_line
from lanuno.client.events import (
    HostReached,
    LobbyOpened,
    SessionEvent,
    SessionNotice,
    TableResumed,
    TournamentBegan,
)
from lanuno.client.match_length import too_long
from lanuno.client.room_changes import RoomChange, length_text, watching_text
from lanuno.client.texts import Texts
from lanuno.dealing.identity import fingerprint
from lanuno.log.format.genesis import Genesis, Roster, safety_hand
from lanuno.log.round import events
from lanuno.net.errors import NetFault
from lanuno.rules.cards import Card
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine import events as moves
from lanuno.rules.engine.actions import Draw
from lanuno.rules.engine.events import DrawReason
from lanuno.rules.engine.results import DealerResult, RoundResult
from lanuno.rules.engine.rules_in_force import rules_in_force
from lanuno.rules.ruleset import Ruleset
from lanuno.store.known_people import KnownPeople
from lanuno.table.messages import LobbyPhase, LobbySeat, LobbyState
from lanuno.table.outputs import ChatReceived, NodeStopped, ReactionSeen, TableBegan


def card_text(out: CommandOutput, card: Card) -> str:
    """Return the name of a card in the user's language."""
    rank = out.text.member(card.rank)
    if card.colour is None:
        return rank
    return out.text("card.coloured", colour=out.text.member(card.colour), rank=rank)


DRAW_ENDING_EVENTS = (
    events.RoundVoided,
    events.RoundClosed,
    events.SeatDropped,
    events.LeaveAnnounced,
    events.HostElected,
    events.LogClosed,
    moves.RoundOver,
    ChatReceived,
    NodeStopped,
)
"""Events, besides an action, that end a run of draws; they are shown after its line."""

MOST_NOTICES = 1_000
"""Limit for the notices in the JSON output. A match has only a few."""


def warn_if_too_long(out: CommandOutput, ruleset: Ruleset, seats: int, rounds: int | None) -> None:
    """Warn of a match that may outgrow its log."""
    fit = too_long(ruleset, seats, rounds)
    if fit is not None:
        out.progress("rules.too_long", rounds=fit)


class ConsoleRenderer:
    """Renders the events of a session as lines of text."""

    def __init__(
        self, out: CommandOutput, known: KnownPeople | None = None, wanted: str = ""
    ) -> None:
        """Print to this output.

        `known`: who is known from earlier games. `wanted`: the name of the table that is looked
        for, if it is looked for by name.
        """
        self.notices: list[dict[str, object]] = []
        """Events besides the game, for JSON: the `id` of a message, and its values."""
        self._out = out
        self._known = known or KnownPeople()
        self._wanted = wanted
        self._host_key = self._known.me
        """The fingerprint of the table's host: this player's until another one is reached."""
        self._roster: Roster | None = None
        self._lobby: LobbyState | None = None
        """The lobby as last shown."""
        self._pending_draws: tuple[int, DrawReason, int] | None = None
        """Seat, reason and number of draws not shown yet. Where players draw until a card fits, a
        run of draws is one line."""

    def __call__(self, event: SessionEvent) -> None:
        """Show an event, if it concerns a person."""
        if self._pending_draws is not None and not self._continues_draws(event):
            self._show_draws()
        match event:
            case SessionNotice():
                self._show_notice(event)
            case LobbyOpened():
                self._show_links(event)
            case HostReached():
                self._host_key = event.fingerprint
                self._warn_of_table(self._wanted)
            case TableResumed():
                key = "resume.over" if event.over else "resume.begins"
                self._out.progress(key, table=event.table, entries=event.entries)
            case TournamentBegan():
                self._lobby = None
                names = ", ".join(seat.name for seat in event.genesis.read().seats)
                self._out.progress("tournament.began", names=names)
            case LobbyState():
                self._show_lobby(event)
            case TableBegan():
                self._began(event.genesis)
            case NodeStopped():
                self._show_stop(event)
            case ChatReceived():
                key = "table.chat" if event.seat >= 0 else "table.chat_watching"
                self._out.line(key, name=event.name, text=event.text)
            case ReactionSeen():
                reaction = self._out.text.member(event.reaction)
                self._out.line("table.reaction", name=event.name, reaction=reaction)
            case events.RoundOpened(dealer=int(dealer)):
                self._out.line("table.round", number=event.number, dealer=self._name(dealer))
            case events.RoundClosed():
                self._closed(event)
            case _:
                self._move(event)

    def _show_notice(self, notice: SessionNotice) -> None:
        """Show a notice, and keep it for the JSON object at the end."""
        values = {name: self._in_words(value) for name, value in notice.values.items()}
        show = self._out.line if notice.lasting else self._out.progress
        show(notice.id, **values)
        if len(self.notices) < MOST_NOTICES:
            self.notices.append({"id": notice.id, **values})

    def _in_words(self, value: object) -> object:
        match value:
            case Ruleset():
                return rules_line(self._out.text, value)
            case Enum():
                return self._out.text.member(value)
            case RoomChange():
                return value.words(self._out.text)
            case tuple():
                return ", ".join(str(self._in_words(each)) for each in value)
            case _:
                return value

    def _show_stop(self, stopped: NodeStopped) -> None:
        if stopped.given_up:
            self._out.error("table.given_up")
        else:
            self._out.error("table.stopped", why=stopped.blame.detail)

    def _show_links(self, opened: LobbyOpened) -> None:
        self._out.progress("host.open", table=opened.table, port=opened.port)
        for link in opened.links:
            self._out.progress("host.link", link=link)
        for code in opened.codes:
            self._out.progress("host.code", code=code)
        if opened.multicast_fault is NetFault.MULTICAST_PORT:
            self._out.progress("net.multicast_port")

    def _move(self, event: SessionEvent) -> None:
        """Show a move of the game."""
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
                pass

    def _drew(self, event: moves.Drew) -> None:
        before = 0 if self._pending_draws is None else self._pending_draws[2]
        self._pending_draws = (event.seat, event.why, before + len(event.slots))
        rules = None if self._roster is None else self._roster.ruleset
        again = rules is not None and rules_in_force(rules).draws_again
        if event.why is not DrawReason.TURN or not again:
            self._show_draws()

    def _continues_draws(self, event: SessionEvent) -> bool:
        """Whether the same seat may still continue its run of draws."""
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

    def _show_lobby(self, state: LobbyState) -> None:
        """Show what players are ready for: the rules once, and the players when they change."""
        before, self._lobby = self._lobby, state
        text = self._out.text
        if before is None:
            self._out.progress("table.rules", rules=rules_line(text, state.ruleset))
            self._out.progress("table.terms", what=_terms(text, state))
        if before is None or before.ruleset != state.ruleset:
            warn_if_too_long(self._out, state.ruleset, state.capacity, state.rounds)
        if state.table != (self._wanted if before is None else before.table):
            self._warn_of_table(state.table)
        names = _players(text, state)
        if before is None or names != _players(text, before):
            taken, seats = len(state.seats), state.capacity
            self._out.progress("table.lobby", names=names, taken=taken, seats=seats)
        if state.phase is LobbyPhase.STARTING and (before is None or before.phase < state.phase):
            rules, terms = rules_line(text, state.ruleset), _terms(text, state)
            self._out.progress("table.agreed", names=names, rules=rules, terms=terms)
        there = () if before is None else before.seats
        shown = {(seat.name, seat.identity) for seat in there}
        for seat in state.seats:
            if not seat.bot and (seat.name, seat.identity) not in shown:
                self._warn_of_player(seat)

    def _warn_of_table(self, name: str) -> None:
        """Warn of a table that only looks like a known one."""
        other = self._known.table_like(name, self._host_key)
        if other:
            self._out.progress("table.other_host_key", name=other)

    def _warn_of_player(self, seat: LobbySeat) -> None:
        """Warn of a player that only looks like a known one."""
        other = self._known.person_like(seat.name, fingerprint(seat.identity))
        if other:
            self._out.progress("table.other_key", name=seat.name, other=other)

    def _began(self, genesis: Genesis) -> None:
        self._roster = genesis.read()
        hand = "  ".join(card_text(self._out, card) for card in safety_hand(genesis.compared_id))
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


def _players(text: Texts, state: LobbyState) -> str:
    """Return the players of a lobby in the order of their seats, bots with their owners."""
    names = {seat.identity: seat.name for seat in state.seats}
    return ", ".join(
        text("table.bot_of", name=seat.name, owner=names.get(seat.owner, "?"))
        if seat.bot
        else seat.name
        for seat in state.seats
    )


def _terms(text: Texts, state: LobbyState) -> str:
    """Return how long the match lasts, and who may watch it."""
    told = length_text(state), watching_text(allowed=state.spectators)
    return ", ".join(each.words(text) for each in told)
