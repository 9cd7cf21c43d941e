"""A finished game with all cards known: every hand at every moment, and the path of every card.

`build_story` replays the log for the review of a game, with all cards as far as the revealed seeds
allow. It judges nothing: `audit.py` finds what is wrong with a log, and the story ends where the
audit found the log invalid.
"""

from __future__ import annotations

from enum import Enum, auto

from msgspec import Struct

from lanuno.dealing.deal import permutation
from lanuno.dealing.permutation import permute
from lanuno.dealing.secrets import RoundSecrets
from lanuno.log.audit.copies import Progress
from lanuno.log.faults import VoidReason
from lanuno.log.format.genesis import avatars
from lanuno.log.format.transcript import Transcript
from lanuno.log.replay.replay import Replay
from lanuno.log.round.round_audit import feed_engine
from lanuno.log.round.round_record import Input, RoundRecord, ShuffleDone
from lanuno.rules.engine.dealer import DealerRound
from lanuno.rules.engine.events import GameEvent
from lanuno.rules.engine.results import DealerResult, RoundResult
from lanuno.rules.engine.round import Round
from lanuno.rules.ruleset import Ruleset


class Moment(Struct, frozen=True):
    """The table right after one input of the engine."""

    entry: int
    """Number of the entry; -1 at the beginning of the round."""
    taken_input: Input | None
    """The input; None at the beginning of the round."""
    events: tuple[GameEvent, ...]
    """The events that the rules derived from it."""
    hands: tuple[tuple[int, ...], ...]
    """The slots in each hand, in the order of the round's seats."""
    pile: tuple[int, int]
    """The draw pile: its first slot, and the slot after its last one."""
    top: int
    """The top card of the discard pile; -1 while there is none."""
    colour: int
    """The current colour; -1 while there is none."""
    clockwise: bool
    decider: int | None


class Shuffle(Struct, frozen=True):
    """One deal and its shuffles, derived from the seeds of all seats."""

    number: int
    first_slot: int
    seats: tuple[int, ...]
    """The seats that shuffled, in order."""
    orders: tuple[tuple[int, ...], ...]
    """The cards before the first shuffle, and after the shuffle of each seat."""


class RoundStory(Struct, frozen=True):
    """One round with its shuffles, cards and moments."""

    number: int
    dealer: int | None
    """None in the dealer round."""
    seats: tuple[int, ...]
    """The seats that play, clockwise."""
    shuffles: tuple[Shuffle, ...]
    cards: dict[int, int]
    """The card of each slot. From the first deal with a missing seed on, only the slots that were
    opened to everybody."""
    moments: tuple[Moment, ...]
    void: VoidReason | None
    result: RoundResult | DealerResult | None


class Story(Struct, frozen=True):
    """A whole game, round by round."""

    players: tuple[str, ...]
    avatars: tuple[int, ...]
    """The colours of the players, in the same order."""
    bots: tuple[bool, ...]
    """Which of the players are bots, in the same order."""
    ruleset: Ruleset
    rounds: tuple[RoundStory, ...]


class CardPlace(Enum):
    """The places where a card can be."""

    DECK = auto()
    """In the list of cards, before the first shuffle."""
    SHUFFLED = auto()
    """In the list after one seat's shuffle."""
    PILE = auto()
    HAND = auto()
    DISCARD = auto()
    """On top of the discard pile, or under it."""


class CardMove(Struct, frozen=True):
    """The move of a card to a new place."""

    moment: int
    """Index into the round's moments."""
    place: CardPlace
    seat: int | None
    """The seat that holds the card or has just shuffled; None elsewhere."""
    position: int
    """Place in a list of cards or on the draw pile, from 0 at the top; 0 elsewhere."""


def build_story(transcript: Transcript, entries: int, progress: Progress | None = None) -> Story:
    """Replay the first `entries` entries, which an audit has found valid, and return the story.

    Signatures are not checked again. Invalid entries raise what `Replay` raises.
    """
    replay = Replay(transcript.genesis)
    rounds: list[RoundStory] = []
    for number, entry in enumerate(transcript.entries[:entries]):
        replay.follow(entry, trusted=True)
        current = replay.round
        if current is not None and replay.between_rounds:
            _add_round(rounds, current)
        if progress is not None:
            progress(number + 1, entries)
    if replay.round is not None:
        _add_round(rounds, replay.round)
    roster = replay.genesis.read()
    players = tuple(seat.name for seat in roster.seats)
    colours = avatars(roster.seats)
    shown = tuple(colours[seat.identity] for seat in roster.seats)
    bots = tuple(seat.bot for seat in roster.seats)
    return Story(players, shown, bots, roster.ruleset, tuple(rounds))


def card_path(story: RoundStory, card: int) -> tuple[CardMove, ...]:
    """Return the places of one card of the deck in a round, from the first shuffle on."""
    moves: list[CardMove] = []
    slot: int | None = None
    for number, moment in enumerate(story.moments):
        shuffle = _shuffle_at(story, moment)
        if shuffle is not None and card in shuffle.orders[0]:
            moves += _shuffle_moves(number, shuffle, card)
            slot = shuffle.first_slot + shuffle.orders[-1].index(card)
        if slot is not None:
            move = _move_at(story, number, slot)
            if not moves or (move.place, move.seat) != (moves[-1].place, moves[-1].seat):
                moves.append(move)
    return tuple(moves)


def _add_round(rounds: list[RoundStory], current: RoundRecord) -> None:
    """Add a round that has ended, or an unfinished last one, unless already added."""
    if not rounds or rounds[-1].number != current.number:
        rounds.append(_round(current))


def _shuffle_at(story: RoundStory, moment: Moment) -> Shuffle | None:
    if not isinstance(moment.taken_input, ShuffleDone):
        return None
    wanted = moment.taken_input.deal
    return next((each for each in story.shuffles if each.number == wanted), None)


def _shuffle_moves(number: int, shuffle: Shuffle, card: int) -> list[CardMove]:
    first, *after = shuffle.orders
    found = [CardMove(number, CardPlace.DECK, None, first.index(card))]
    for seat, order in zip(shuffle.seats, after, strict=True):
        found.append(CardMove(number, CardPlace.SHUFFLED, seat, order.index(card)))
    return found


def _move_at(story: RoundStory, number: int, slot: int) -> CardMove:
    moment = story.moments[number]
    for seat, hand in zip(story.seats, moment.hands, strict=True):
        if slot in hand:
            return CardMove(number, CardPlace.HAND, seat, 0)
    first, end = moment.pile
    if first <= slot < end:
        return CardMove(number, CardPlace.PILE, None, slot - first)
    return CardMove(number, CardPlace.DISCARD, None, 0)


def _round(current: RoundRecord) -> RoundStory:
    shuffles, cards = _shuffles(current, current.known_secrets())
    engine = current.new_engine()
    moments = [_moment(engine, current.seats, -1, None, engine.start())]
    for taken_input in current.inputs:
        events = feed_engine(engine, taken_input)
        moments.append(_moment(engine, current.seats, taken_input.entry, taken_input, events))
        cards.update(engine.face_up)
    return RoundStory(
        current.number,
        current.dealer,
        current.seats,
        shuffles,
        cards,
        tuple(moments),
        current.void,
        current.result,
    )


def _shuffles(
    current: RoundRecord, secrets: dict[int, RoundSecrets]
) -> tuple[tuple[Shuffle, ...], dict[int, int]]:
    """Return the finished deals and the card of each slot, up to the first missing seed."""
    cards: dict[int, int] = {}
    found: list[Shuffle] = []
    for deal in current.slots.deals:
        if any(seat not in secrets for seat in deal.order):
            break
        order = [*deal.cards, *(cards[each.slot] for each in deal.locked)]
        orders = [tuple(order)]
        for seat in deal.order:
            order = permute(order, permutation(deal, secrets[seat]))
            orders.append(tuple(order))
        cards.update(zip(deal.slots, order, strict=True))
        found.append(Shuffle(deal.number, deal.first_slot, deal.order, tuple(orders)))
    return tuple(found), cards


def _moment(
    engine: Round | DealerRound,
    seats: tuple[int, ...],
    entry: int,
    taken_input: Input | None,
    events: list[GameEvent],
) -> Moment:
    hands = tuple(tuple(engine.hands.get(seat, ())) for seat in seats)
    if isinstance(engine, DealerRound):
        pile = (engine.next_slot, engine.deck.size)
        return Moment(entry, taken_input, tuple(events), hands, pile, -1, -1, True, None)
    # The starting card is the pile's until it is turned over.
    first = engine.pile_next - (engine.top < 0 < engine.pile_end)
    return Moment(
        entry,
        taken_input,
        tuple(events),
        hands,
        (first, engine.pile_end),
        engine.top,
        engine.colour,
        engine.direction > 0,
        engine.decider,
    )
