"""Table events in words, for the list of moves, and as motions, for the animations.

Pure functions of the public events of the log and the rules. They keep the order of the log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lanuno.app.models.table_rows import MoveLine
from lanuno.app.texts import card_name, colour_name, filled, isolated, listed, sentence, translate
from lanuno.log.format.bodies import DropReason
from lanuno.log.round import events
from lanuno.log.round.round_record import Acted
from lanuno.rules.cards import Card
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine import events as moves
from lanuno.rules.engine.events import DrawReason, RoundEnding

DRAW_PILE: Final = -1
DISCARD_PILE: Final = -2
HIDDEN: Final = -2
"""Colour and rank of a card that cannot be seen."""


class Names(Struct, frozen=True):
    """The names of the players by seat, this player's seat, and the deck."""

    names: tuple[str, ...]
    mine: int | None
    deck: int

    def __call__(self, seat: int) -> str:
        """Return a player's name, isolated for use within a sentence."""
        return isolated(self.names[seat]) if 0 <= seat < len(self.names) else "?"

    def face(self, card: int) -> Card:
        """Return the face of a card id."""
        return deck_tables(self.deck).faces[card]


class Motion(Struct, frozen=True):
    """One animation, from a seat or pile to another."""

    kind: str
    source: int
    target: int
    cards: tuple[dict[str, int], ...] = ()


def qml_card(slot: int, card: Card | None) -> dict[str, int]:
    """Return a card in the form that QML expects."""
    if card is None:
        return {"slot": slot, "colour": HIDDEN, "rank": HIDDEN}
    return {"slot": slot, "colour": colour_of(card), "rank": int(card.rank)}


def colour_of(card: Card) -> int:
    """Return the colour in the form that QML expects: -1 for a wild card."""
    return -1 if card.colour is None else int(card.colour)


# ---- motions --------------------------------------------------------------------------------


def motions(happened: Sequence[object], names: Names, own: Mapping[int, Card]) -> list[Motion]:
    """Return the animations, in log order. `own`: the cards that this player can see, by slot.

    A "skip" has the cards of the penalty that comes with it. "mine": what follows is an act of this
    player, which is shown at once.
    """
    found: list[Motion] = []
    drew: object = None
    for event in happened:
        found += _motions(event, names, own)
        together = merged(drew, event)
        if isinstance(together, PenaltyTaken):
            cards = tuple(qml_card(slot, own.get(slot)) for slot in together.drew.slots)
            found[-1] = replace(found[-1], cards=cards)
        drew = event if together is None else together
    return found


def _motions(event: object, names: Names, own: Mapping[int, Card]) -> list[Motion]:
    match event:
        case moves.Dealt():
            cards = tuple(qml_card(slot, own.get(slot)) for slot in event.slots)
            return [Motion("deal", DRAW_PILE, event.seat, cards)]
        case moves.StartingCard():
            face = names.face(event.card)
            return [Motion("start", DRAW_PILE, DISCARD_PILE, (qml_card(event.slot, face),))]
        case moves.Played():
            face = names.face(event.card)
            return [Motion("play", event.seat, DISCARD_PILE, (qml_card(event.slot, face),))]
        case moves.Drew() if event.slots:
            cards = tuple(qml_card(slot, own.get(slot)) for slot in event.slots)
            return [Motion("draw", DRAW_PILE, event.seat, cards)]
        case moves.HandsMoved():
            return [
                Motion(
                    "swap", source, target, tuple(qml_card(slot, own.get(slot)) for slot in slots)
                )
                for source, target, slots in event.moves
            ]
        case moves.ColourNamed():
            card = {"slot": -1, "colour": event.colour, "rank": -1}
            return [Motion("colour", event.seat, DISCARD_PILE, (card,))]
        case moves.UnoMissed():
            return [Motion("catch", -1 if event.by is None else event.by, event.seat)]
        case moves.Challenged():
            return [Motion("challenge", event.seat, event.accused)]
        case moves.Shown():
            return [Motion("shown", event.seat, event.to)]
        case moves.RoundOver():
            seat = -1 if event.seat is None else event.seat
            return [Motion("void" if event.ending is RoundEnding.VOID else "out", seat, seat)]
        case events.RoundVoided():
            return [Motion("void", -1, -1)]
        case _:
            return _simple_motions(event, names.mine)


def _simple_motions(event: object, mine: int | None) -> list[Motion]:
    """Return the motions that name no card: of one seat, or of the whole table."""
    match event:
        case moves.Skipped():
            return [Motion("skip", event.seat, event.seat)]
        case moves.DirectionTurned():
            return [Motion("reverse", -1, -1)]
        case moves.UnoSaid():
            return [Motion("uno", event.seat, event.seat)]
        case moves.TurnStarted():
            return [Motion("turn", event.seat, event.seat)]
        case moves.Reshuffled():
            return [Motion("shuffle", DISCARD_PILE, DRAW_PILE)]
        case events.ActionTaken() if event.seat == mine and not event.by_clock:
            return [Motion("mine", event.seat, event.seat)]
        case events.SeatDropped():
            kind = "left" if event.reason is DropReason.LEFT else "drop"
            return [Motion(kind, event.seat, event.seat)]
        case events.SeatReturned():
            return [Motion("return", event.seat, event.seat)]
        case events.HostElected():
            return [Motion("host", event.seat, event.seat)]
        case _:
            return []


# ---- words ----------------------------------------------------------------------------------


def line(number: int, event: object, names: Names) -> MoveLine | None:
    """Return an event in words, or None if it is not worth a line."""
    told = (
        _played(event, names)
        or _answered(event, names)
        or _challenge(event, names)
        or _table(event, names)
    )
    if told is None:
        return None
    kind, seat, text, colour = told
    return MoveLine(number, seat, sentence(text), colour, kind)


class PenaltyTaken(Struct, frozen=True):
    """A seat drew a penalty and lost its turn by it."""

    drew: moves.Drew


def merged(before: object, event: object) -> moves.Drew | PenaltyTaken | None:
    """Return both events as one if the second completes the first, so that they make one line.

    Six cards may be drawn in two events, and the turn is lost after them.
    """
    if isinstance(before, moves.Drew) and isinstance(event, moves.Skipped):
        costs_turn = before.why in (DrawReason.PENALTY, DrawReason.CHALLENGE_LOST)
        same = before.seat == event.seat and before.slots
        return PenaltyTaken(before) if costs_turn and same else None
    if not isinstance(before, moves.Drew) or not isinstance(event, moves.Drew):
        return None
    if (before.seat, before.why) != (event.seat, event.why) or event.why is DrawReason.DEAL:
        return None
    return moves.Drew(event.seat, before.slots + event.slots, event.why)


EventKey = tuple[str, int, str, int]


def _played(event: object, names: Names) -> EventKey | None:
    match event:
        case moves.Played():
            face = names.face(event.card)
            text = (
                translate("Moves", "{name} jumps in with {card}")
                if event.jumped
                else translate("Moves", "{name} plays {card}")
            )
            said = filled(text, name=names(event.seat), card=card_name(face))
            return "play", event.seat, said, colour_of(face)
        case moves.StartingCard():
            face = names.face(event.card)
            said = filled(translate("Moves", "The first card is {card}"), card=card_name(face))
            return "start", -1, said, colour_of(face)
        case moves.ColourNamed():
            text = translate("Moves", "{name} names {colour}")
            said = filled(text, name=names(event.seat), colour=colour_name(event.colour))
            return "colour", event.seat, said, event.colour
        case moves.Drew() if event.slots and event.why is not DrawReason.DEAL:
            return "draw", event.seat, _drew(event, names), -1
        case PenaltyTaken():
            return "draw", event.drew.seat, _drew(event.drew, names, lost=True), -1
        case moves.Kept():
            return _about(event.seat, "keep", translate("Moves", "{name} keeps it"), names)
        case moves.Passed():
            text = translate("Moves", "{name} has to pass: nothing is left to draw")
            return _about(event.seat, "keep", text, names)
        case moves.Skipped():
            text = translate("Moves", "{name} loses the turn")
            return _about(event.seat, "skip", text, names)
        case moves.DirectionTurned(seat=None):
            return "reverse", -1, translate("Moves", "The starting card reverses"), -1
        case moves.DirectionTurned(seat=int(seat)):
            return _about(seat, "reverse", translate("Moves", "{name} reverses"), names)
        case _:
            return None


def _drew(event: moves.Drew, names: Names, *, lost: bool = False) -> str:
    """Return a draw in words. `lost`: the turn is lost with it."""
    number = len(event.slots)
    match event.why:
        case DrawReason.CHALLENGE_LOST if lost:
            text = translate(
                "Moves",
                "{name} draws %n cards and loses the turn: the challenge failed",
                "",
                number,
            )
        case _ if lost:
            text = translate("Moves", "{name} draws %n cards and loses the turn", "", number)
        case DrawReason.UNO:
            text = translate("Moves", "{name} draws %n cards for not saying “UNO”", "", number)
        case DrawReason.CHALLENGE_LOST:
            text = translate("Moves", "{name} draws %n cards: the challenge failed", "", number)
        case DrawReason.CHALLENGED:
            text = translate("Moves", "{name} draws %n cards: it was a bluff", "", number)
        case DrawReason.OBJECTION:
            text = translate("Moves", "{name} draws %n cards for a wrong card", "", number)
        case DrawReason.ADVICE:
            text = translate("Moves", "{name} draws %n cards for advising", "", number)
        case _:
            text = translate("Moves", "{name} draws %n cards", "", number)
    return filled(text, name=names(event.seat))


def _about(seat: int, kind: str, text: str, names: Names) -> EventKey:
    return kind, seat, filled(text, name=names(seat)), -1


def _two(seat: int, other: int, kind: str, text: str, names: Names) -> EventKey:
    return kind, seat, filled(text, name=names(seat), other=names(other)), -1


def _answered(event: object, names: Names) -> EventKey | None:
    match event:
        case moves.UnoSaid():
            return _about(event.seat, "uno", translate("Moves", "{name} says “UNO”"), names)
        case moves.UnoMissed() if event.by is not None:
            text = translate("Moves", "{name} catches {other}, who had not said “UNO”")
            return _two(event.by, event.seat, "catch", text, names)
        case moves.UnoMissed():
            text = translate("Moves", "{name} did not say “UNO”")
            return _about(event.seat, "catch", text, names)
        case moves.HandsMoved():
            return _hands_moved(event, names)
        case moves.Objected() if event.by is not None:
            text = translate("Moves", "{name} objects: {other} takes the card back")
            return _two(event.by, event.seat, "object", text, names)
        case moves.Accused():
            text = translate("Moves", "{name} accuses {other} of advising")
            return _two(event.by, event.seat, "vote", text, names)
        case moves.VoteDecided():
            text = (
                translate("Moves", "The vote: {name} advised")
                if event.guilty
                else translate("Moves", "The vote: {name} did not advise")
            )
            return _about(event.seat, "vote", text, names)
        case _:
            return None


def _challenge(event: object, names: Names) -> EventKey | None:
    match event:
        case moves.Accepted():
            return _about(event.seat, "accept", translate("Moves", "{name} accepts"), names)
        case moves.Challenged():
            text = translate("Moves", "{name} challenges {other}")
            return _two(event.seat, event.accused, "challenge", text, names)
        case moves.Shown():
            text = translate("Moves", "{name} shows the hand to {other}")
            return _two(event.seat, event.to, "shown", text, names)
        case moves.ShowRefused():
            text = translate("Moves", "{name} does not show the hand")
            return _about(event.seat, "shown", text, names)
        case moves.VerdictRefused():
            text = translate("Moves", "{name} does not say what is in the hand")
            return _about(event.seat, "shown", text, names)
        case moves.HandOpened():
            text = (
                translate("Moves", "{name} had to show the hand to everybody: it was a bluff")
                if event.guilty
                else translate("Moves", "{name} had to show the hand to everybody: it was no bluff")
            )
            return _about(event.seat, "shown", text, names)
        case moves.ChallengeDecided():
            text = (
                translate("Moves", "{name} was bluffing")
                if event.guilty
                else translate("Moves", "{name} was not bluffing")
            )
            return _about(event.accused, "challenge", text, names)
        case _:
            return None


def _hands_moved(event: moves.HandsMoved, names: Names) -> EventKey:
    if len(event.moves) == 2:
        one, other = event.moves[0][0], event.moves[0][1]
        text = translate("Moves", "{name} and {other} exchange hands")
        return _two(one, other, "swap", text, names)
    return "swap", -1, translate("Moves", "All hands move on to the next player"), -1


def _table(event: object, names: Names) -> EventKey | None:
    match event:
        case events.ActionTaken(by_clock=True) | Acted(by_clock=True):
            # What the clock does for the seat has a line of its own.
            text = translate("Moves", "{name}'s time is up: the clock plays")
            return _about(event.seat, "clock", text, names)
        case moves.Reshuffled():
            text = translate("Moves", "The discard pile was shuffled: %n cards", "", event.cards)
            return "shuffle", -1, text, -1
        case moves.DealerChosen():
            text = translate("Moves", "{name} has the highest card and deals")
            return _about(event.seat, "dealer", text, names)
        case moves.RoundOver():
            return _round_over(event, names)
        case events.RoundOpened() if event.dealer is not None:
            text = translate("Moves", "Round {number}: {name} deals")
            said = filled(text, number=str(event.number), name=names(event.dealer))
            return "round", event.dealer, said, -1
        case events.RoundVoided():
            return "void", -1, translate("Moves", "The round is void and does not count"), -1
        case events.SeatDropped():
            return _about(event.seat, "drop", _dropped(event.reason), names)
        case events.SeatExpelled():
            text = (
                translate("Moves", "{name} is out of the match for cheating")
                if event.cheated
                else translate(
                    "Moves",
                    "{name} is out of the match: was missing from two rounds that became void",
                )
            )
            return _about(event.seat, "drop", text, names)
        case events.SeatReturned():
            text = translate("Moves", "{name} is back and will be dealt in again")
            return _about(event.seat, "return", text, names)
        case events.SeatFilled():
            text = translate("Moves", "A bot of {other} plays for {name}")
            return _two(event.seat, event.owner, "return", text, names)
        case events.HostElected():
            text = translate("Moves", "{name} is the host now")
            return _about(event.seat, "host", text, names)
        case events.Forfeited():
            text = translate("Moves", "{other} is gone: {name} has won the match")
            return _two(event.winner, event.loser, "out", text, names)
        case _:
            return None


def _dropped(reason: DropReason) -> str:
    if reason is DropReason.LEFT:
        return translate("Moves", "{name} chose to leave")
    if reason is DropReason.ATTACK:
        return translate(
            "Moves", "{name} was removed: that computer sent something that makes no sense"
        )
    if reason is DropReason.SILENT:
        return translate("Moves", "{name} is gone: that computer did not do its part in time")
    return translate("Moves", "{name} is gone: the connection did not come back in time")


def _round_over(event: moves.RoundOver, names: Names) -> EventKey | None:
    match event.ending:
        case RoundEnding.OUT if event.seat is not None:
            return _about(event.seat, "out", translate("Moves", "{name} goes out"), names)
        case RoundEnding.BLOCKED:
            return "out", -1, translate("Moves", "Nobody can play any more: the round ends"), -1
        case RoundEnding.LAPS:
            return "out", -1, translate("Moves", "The laps are played: the round ends"), -1
        case _:
            return None


def everybody(names: Names, seats: Sequence[int]) -> str:
    """Return the names of these seats as one text."""
    return listed([names(seat) for seat in seats])
