"""Tells a person on a terminal what happens at a table, line by line."""

from __future__ import annotations

from lanuno.cli.output import Output
from lanuno.log import events
from lanuno.log.genesis import Roster, safety_hand
from lanuno.rules import events as moves
from lanuno.rules.cards import Card, deck_tables
from lanuno.rules.results import DealerResult, RoundResult
from lanuno.table import messages, outputs


def card_text(out: Output, card: Card) -> str:
    """A card in words, in the user's language."""
    rank = out.text.member(card.rank)
    if card.colour is None:
        return rank
    return out.text("card.coloured", colour=out.text.member(card.colour), rank=rank)


class Narrator:
    """Follows one seat's events."""

    def __init__(self, out: Output, *, moves: bool = True) -> None:
        """Speak through this output. `moves`: tell every card, or only how the rounds go."""
        self._out = out
        self._moves = moves
        self._roster: Roster | None = None
        self._seated = ""

    def __call__(self, event: object) -> None:
        """Say what this event means, if it means something to somebody who looks on."""
        match event:
            case messages.LobbyState():
                self._lobby(event)
            case outputs.TableBegan():
                self._began(event)
            case outputs.Stopped():
                self._out.error("table.stopped", why=event.blame.detail)
            case outputs.TableWaits() if event.seats:
                names = ", ".join(self._name(seat) for seat in event.seats)
                self._out.progress("table.waits", names=names, seconds=int(event.seconds))
            case outputs.ChatHeard():
                self._out.line("table.chat", name=event.name, text=event.text)
            case events.RoundOpened() if event.dealer is not None:
                name = self._name(event.dealer)
                self._out.line("table.round", number=event.number, dealer=name)
            case events.RoundVoided():
                self._out.line("table.void", number=event.number, why=event.why)
            case events.SeatDropped():
                self._out.line("table.dropped", name=self._name(event.seat))
            case events.RoundClosed():
                self._closed(event)
            case _ if self._moves:
                self._move(event)

    def _move(self, event: object) -> None:
        match event:
            case moves.Played():
                self._played(event)
            case moves.Drew():
                name, number = self._name(event.seat), len(event.slots)
                self._out.show(self._out.text.count("table.drew", number, name=name))
            case moves.UnoSaid():
                self._out.line("table.uno", name=self._name(event.seat))
            case _:
                pass

    def _name(self, seat: int) -> str:
        return "" if self._roster is None else self._roster.seats[seat].name

    def _lobby(self, state: messages.LobbyState) -> None:
        seated = ", ".join(seat.name for seat in state.seats)
        if seated != self._seated:
            self._seated = seated
            taken, seats = len(state.seats), state.capacity
            self._out.progress("table.lobby", names=seated, taken=taken, seats=seats)

    def _began(self, event: outputs.TableBegan) -> None:
        self._roster = event.genesis.read()
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
