"""The public state of one round: exactly what a spectator knows.

This module holds the fields and their canonical form, but no rule. The state never holds a hidden
card: a hand is a list of slots. Every other module of the engine works on this class.
"""

from __future__ import annotations

from enum import IntEnum, unique
from typing import TYPE_CHECKING

import msgspec

from lanuno.rules.cards import NO_COLOUR, CardId, Seat, Slot
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine.events import OpenNeeded, RoundEnding, ShuffleNeeded
from lanuno.rules.ruleset import Format

if TYPE_CHECKING:
    from lanuno.rules.engine.rules_in_force import RulesInForce

NOBODY = -1
"""The value for "no seat" where None would make the public state ambiguous."""

NO_CARD = -1
"""The value for "no card lies there yet" in the public state."""

Public = tuple[object, ...]
"""A nested tuple of ints, bools, None and tuples."""


@unique
class RoundPhase(IntEnum):
    """What the round waits for."""

    NEW = 0  # start()
    SHUFFLE = 1  # the table: shuffled()
    OPEN = 2  # the table: opened() for every slot of `opens`
    COLOUR = 3  # the decider names the colour of a wild starting card
    TURN = 4  # the decider plays or draws
    DRAWN = 5  # the decider has drawn, and plays that card or keeps it
    PENALTY = 6  # the decider is hit, and accepts, challenges or passes the penalty on
    SHOW = 7  # the decider was challenged and shows the hand
    VERDICT = 8  # the decider was shown the hand and gives a verdict
    QUESTION = 9  # the decider answers the question of the card just played; see question.py
    OBJECTION = 10  # a card was laid on honour: any seat may object until the table settles it
    OVER = 11  # reveal()
    OPEN_HAND = 12  # there is no verdict: the challenged decider opens the hand to everybody


@unique
class AgendaStep(IntEnum):
    """Steps that need no decision; see agenda.py. The comments list the parameters of each."""

    DRAW = 0  # seat, count, why
    DREW = 1  # seat, whether nothing was left: finish a voluntary draw
    EFFECT = 2  # seat, card: apply the card just laid
    TURN = 3  # seat
    NEXT = 4  # seat: start the turn of the seat after this one
    LOSE = 5  # seat: loses the turn
    ANSWER = 6  # seat: is hit and decides
    FINISH = 7  # seat or -1, ending
    TURN_UP = 8  # the top card of the draw pile starts the discard pile
    ASK_OBJECTIONS = 9  # seat
    JUDGE = 10  # seat: its hand is open


AgendaItem = tuple[AgendaStep, int, int, int]


class Laid(msgspec.Struct, frozen=True):
    """A card laid on honour, and what is needed to undo it."""

    seat: Seat
    slot: Slot
    card: CardId
    wrong: bool
    """Whether an objection would be justified, by public information."""
    before: tuple[CardId, int, int, bool]
    """The values to restore: top card, colour, forced passes, `played`."""


class Accusation(msgspec.Struct):
    """A running vote on whether a seat advised a play."""

    accused: Seat
    by: Seat
    votes: dict[Seat, bool]

    def public_state(self) -> Public:
        """Return the canonical form, with the votes by seat."""
        return (self.accused, self.by, tuple(sorted(self.votes.items())))


class RoundState:
    """Everything public about a round. Outside the engine, treat the attributes as read-only."""

    __slots__ = (
        "accusation",
        "accused",
        "accused_colour",
        "accused_hand",
        "accused_truth",
        "accusers",
        "actor",
        "agenda",
        "challenger",
        "colour",
        "deal",
        "dealer",
        "dealt_seats",
        "decision",
        "deck",
        "direction",
        "discard",
        "drawn",
        "ending",
        "face_up",
        "first_owner",
        "hands",
        "laid",
        "leaver_slots",
        "left_hands",
        "left_of",
        "need",
        "opens",
        "out",
        "passes",
        "penalty",
        "pile_end",
        "pile_next",
        "played",
        "right_of",
        "rules",
        "ruleset",
        "seats",
        "shuffle",
        "stage",
        "starting_slot",
        "top",
        "turn_limit",
        "turns",
        "uno_owed",
    )

    def __init__(self, rules: RulesInForce, seats: tuple[Seat, ...], dealer: Seat) -> None:
        self.rules = rules
        self.ruleset = ruleset = rules.amended
        """The settings as they are played, amended by the house rules."""
        self.deck = deck_tables(ruleset.deck)
        self.turn_limit = ruleset.laps * len(seats) if ruleset.format is Format.LAPS else 0
        """The number of turns after which the round ends; 0 means no limit."""
        self.dealt_seats = seats
        """The seats for whom cards are dealt, clockwise; never changes."""
        self.dealer = dealer

        self.seats = seats
        """The seats that play now, clockwise."""
        self.left_of: dict[Seat, Seat] = {}
        """By dealt seat: the next seat clockwise that still plays."""
        self.right_of: dict[Seat, Seat] = {}
        self.stage = RoundPhase.NEW
        """What seats are asked for; `Round.phase` also says when the table comes first."""
        self.actor: Seat | None = None
        """The seat that is asked; None if no single seat is."""
        self.decision = 0
        """Grows whenever the turn, the top card, the colour or the decider's hand changes."""
        self.hands: dict[Seat, list[Slot]] = {}
        self.pile_next: Slot = 0
        """The draw pile starts at this slot, which is its top …"""
        self.pile_end: Slot = 0
        """… and ends before this one."""
        self.discard: list[tuple[Slot, CardId]] = []
        """From bottom to top."""
        self.top: CardId = NO_CARD
        self.colour = NO_COLOUR
        self.direction = 1
        """1 clockwise, -1 counter-clockwise."""
        self.face_up: dict[Slot, CardId] = {}
        """Every slot in use whose card is public: discards, and hand cards that went back to the
        hand or were opened."""
        self.uno_owed: Seat | None = None
        self.drawn: Slot | None = None
        """DRAWN: the card just drawn, which may be played."""
        self.played = False
        """Whether a card was played after the starting card."""
        self.penalty = 0
        """Cards at stake in PENALTY, SHOW, VERDICT and OPEN_HAND."""
        self.accused: Seat = NOBODY
        """Who played the Wild Draw Four that can be, or is being, challenged."""
        self.accused_colour = NO_COLOUR
        """The colour that it was played on."""
        self.accused_hand: tuple[Slot, ...] = ()
        """The hand of the accused after that card."""
        self.accused_truth: bool | None = None
        """Whether the accused is guilty, once the hand is open."""
        self.challenger: Seat = NOBODY
        self.passes = 0
        """Consecutive forced passes."""
        self.turns = 0
        """Turns begun or lost."""
        self.agenda: list[AgendaItem] = []
        self.shuffle: ShuffleNeeded | None = None
        self.opens: list[OpenNeeded] = []
        """The requests for face-up slots that are not complete, with the slots still missing."""
        self.starting_slot: Slot | None = None
        """The slot among `opens` that becomes the starting card."""
        self.leaver_slots: list[Slot] = []
        """The slots among `opens` that go under the discard pile."""
        self.left_hands: dict[Seat, list[Slot]] = {}
        """By seat that left: the hand that counts for it at the end of the round."""
        self.deal = 0
        """The number of the next shuffle."""
        self.need = 0
        """The number of the next OpenNeeded."""
        self.ending: RoundEnding | None = None
        self.out: Seat | None = None
        """The seat that went out."""
        self.laid: Laid | None = None
        self.accusation: Accusation | None = None
        self.accusers: dict[Seat, int] = {}
        """By seat: the lap of its last accusation."""
        self.first_owner: dict[Slot, Seat] = {}
        """If hands can move: the seat that each slot in a hand was first dealt to."""

    def set_seats(self, seats: tuple[Seat, ...]) -> None:
        """Set the seats that play, clockwise, and the neighbours of each dealt seat among them."""
        self.seats = seats
        dealt_seats = self.dealt_seats
        self.left_of = {}
        self.right_of = {}
        for index, dealt in enumerate(dealt_seats):
            around = dealt_seats[index + 1 :] + dealt_seats[: index + 1]
            playing = [seat for seat in around if seat in seats]
            self.left_of[dealt] = playing[0]
            self.right_of[dealt] = playing[-1] if playing[-1] != dealt else playing[-2]

    def public_state(self) -> Public:
        """Return the whole state as nested tuples; equal states give equal values.

        The tuples contain ints, bools and None. The ruleset, the dealt seats and the dealer never
        change and are left out. So are `face_up`, `first_owner` and what follows from other fields.
        """
        accusation = self.accusation
        laid = self.laid
        shuffle = self.shuffle
        return (
            int(self.stage),
            self.actor,
            self.decision,
            self.seats,
            tuple([tuple(hand) for hand in (*self.hands.values(), *self.left_hands.values())]),
            self.pile_next,
            self.pile_end,
            tuple(self.discard),
            self.colour,
            self.direction,
            self.uno_owed,
            self.drawn,
            self.penalty,
            (
                None
                if self.accused == NOBODY
                else (
                    self.accused,
                    self.accused_colour,
                    self.accused_hand,
                    self.accused_truth,
                    self.challenger,
                )
            ),
            self.passes,
            self.turns,
            tuple([tuple(map(int, step)) for step in self.agenda]),
            (
                None
                if shuffle is None
                else (shuffle.deal, shuffle.cards, shuffle.slots, shuffle.first_slot)
            ),
            tuple([(each.need, each.slots) for each in self.opens]),
            self.starting_slot,
            tuple(self.leaver_slots),
            self.deal,
            self.need,
            None if self.ending is None else int(self.ending),
            self.out,
            None if laid is None else msgspec.structs.astuple(laid),
            None if accusation is None else accusation.public_state(),
            tuple(sorted(self.accusers.items())),
            self.played,
        )
