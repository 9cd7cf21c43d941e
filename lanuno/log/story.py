"""A transcript told from behind: every hand at every moment, and the path of every card.

For whoever looks back at a game: `tell` follows the log again with all cards known, as far as the
seeds that are out allow. Nothing is judged here; what is wrong with a log is for `audit.py`, and
the story goes no further than the audit says that the log is in order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from lanuno.dealing.deal import permutation
from lanuno.dealing.permutation import permute
from lanuno.dealing.secrets import RoundSecrets
from lanuno.log.faults import VoidReason
from lanuno.log.genesis import avatars
from lanuno.log.replay import Replay
from lanuno.log.round_audit import feed
from lanuno.log.round_record import Input, RoundRecord, ShuffleDone
from lanuno.log.transcript import Transcript
from lanuno.rules.dealer import DealerRound
from lanuno.rules.engine import Round
from lanuno.rules.events import Event
from lanuno.rules.results import DealerResult, RoundResult
from lanuno.rules.ruleset import Ruleset

Progress = Callable[[int, int], None]
"""Called with (entries told, entries in all)."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The table right after one thing that happened."""

    entry: int
    """Number of the log's entry; -1 at the very beginning."""
    said: Input | None
    """What happened; None at the very beginning."""
    events: tuple[Event, ...]
    """What followed from it by the rules."""
    hands: tuple[tuple[int, ...], ...]
    """Slots in the hands, in the order of the round's seats."""
    pile: tuple[int, int]
    """The draw pile: slots from the first number up to the second, excluded."""
    top: int
    """The card on the discard pile; -1 while there is none."""
    colour: int
    """The current colour; -1 while there is none."""
    clockwise: bool
    decider: int | None


@dataclass(frozen=True, slots=True)
class Shuffle:
    """One deal, as everybody's seeds say that it was shuffled."""

    number: int
    first_slot: int
    seats: tuple[int, ...]
    """Who shuffled, in order."""
    orders: tuple[tuple[int, ...], ...]
    """The cards before anybody shuffled, and after each of the seats."""


@dataclass(frozen=True, slots=True)
class RoundStory:
    """One round."""

    number: int
    dealer: int | None
    """None in the round that chooses the first dealer."""
    seats: tuple[int, ...]
    """Clockwise."""
    shuffles: tuple[Shuffle, ...]
    cards: dict[int, int]
    """Which card lay in which slot; only those that were opened to all if a seed is missing."""
    moments: tuple[Moment, ...]
    void: VoidReason | None
    result: RoundResult | DealerResult | None


@dataclass(frozen=True, slots=True)
class Story:
    """A whole game."""

    players: tuple[str, ...]
    avatars: tuple[int, ...]
    """Their colours."""
    ruleset: Ruleset
    rounds: tuple[RoundStory, ...]


class Place(Enum):
    """Where a card can be."""

    DECK = auto()
    """In the list of cards, before anybody shuffled."""
    SHUFFLED = auto()
    """In the list after one seat's shuffle."""
    PILE = auto()
    HAND = auto()
    DISCARD = auto()
    """On the discard pile, or under it."""


@dataclass(frozen=True, slots=True)
class Station:
    """A card has come here."""

    moment: int
    """Index into the round's moments."""
    place: Place
    seat: int | None
    """Whose hand, or whose shuffle."""
    position: int
    """In a list of cards or on the draw pile, from 0 at the top; 0 elsewhere."""


def tell(transcript: Transcript, entries: int, progress: Progress | None = None) -> Story:
    """Follow the first `entries` entries, which an audit has found to be in order.

    Signatures are not checked again. Raises what `Replay` raises for anything else than that.
    """
    replay = Replay(transcript.genesis)
    rounds: list[RoundStory] = []
    for number, entry in enumerate(transcript.entries[:entries]):
        replay.follow(entry, trusted=True)
        current = replay.round
        if current is not None and replay.between_rounds:
            _add(rounds, current)
        if progress is not None:
            progress(number + 1, entries)
    if replay.round is not None:
        _add(rounds, replay.round)
    roster = replay.genesis.read()
    players = tuple(seat.name for seat in roster.seats)
    colours = avatars(roster.seats)
    shown = tuple(colours[seat.identity] for seat in roster.seats)
    return Story(players, shown, roster.ruleset, tuple(rounds))


def path(told: RoundStory, card: int) -> tuple[Station, ...]:
    """Where a card of the deck was in a round, from the shuffle on."""
    stations: list[Station] = []
    slot: int | None = None
    for number, moment in enumerate(told.moments):
        shuffle = _shuffle_at(told, moment)
        if shuffle is not None and card in shuffle.orders[0]:
            stations += _shuffled(number, shuffle, card)
            slot = shuffle.first_slot + shuffle.orders[-1].index(card)
        if slot is not None:
            station = _whereabouts(told, number, slot)
            if not stations or (station.place, station.seat) != _where(stations[-1]):
                stations.append(station)
    return tuple(stations)


def _add(rounds: list[RoundStory], current: RoundRecord) -> None:
    """Tell a round that is over, or the last one as far as it goes, unless that is done."""
    if not rounds or rounds[-1].number != current.number:
        rounds.append(_round(current))


def _where(station: Station) -> tuple[Place, int | None]:
    return station.place, station.seat


def _shuffle_at(told: RoundStory, moment: Moment) -> Shuffle | None:
    if not isinstance(moment.said, ShuffleDone):
        return None
    wanted = moment.said.deal
    return next((each for each in told.shuffles if each.number == wanted), None)


def _shuffled(number: int, shuffle: Shuffle, card: int) -> list[Station]:
    first, *after = shuffle.orders
    found = [Station(number, Place.DECK, None, first.index(card))]
    for seat, order in zip(shuffle.seats, after, strict=True):
        found.append(Station(number, Place.SHUFFLED, seat, order.index(card)))
    return found


def _whereabouts(told: RoundStory, number: int, slot: int) -> Station:
    moment = told.moments[number]
    for seat, hand in zip(told.seats, moment.hands, strict=True):
        if slot in hand:
            return Station(number, Place.HAND, seat, 0)
    first, end = moment.pile
    if first <= slot < end:
        return Station(number, Place.PILE, None, slot - first)
    return Station(number, Place.DISCARD, None, 0)


def _round(current: RoundRecord) -> RoundStory:
    shuffles, cards = _shuffles(current, current.known_secrets())
    engine = current.new_engine()
    moments = [_moment(engine, current.seats, -1, None, engine.start())]
    for fed in current.inputs:
        events = feed(engine, fed)
        moments.append(_moment(engine, current.seats, fed.entry, fed, events))
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
    """The finished deals and which card lay in which slot, up to the first missing seed."""
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
    said: Input | None,
    events: list[Event],
) -> Moment:
    hands = tuple(tuple(engine.hands.get(seat, ())) for seat in seats)
    if isinstance(engine, DealerRound):
        pile = (engine.next_slot, engine.deck.size)
        return Moment(entry, said, tuple(events), hands, pile, -1, -1, True, None)
    return Moment(
        entry,
        said,
        tuple(events),
        hands,
        (engine.pile_next, engine.pile_end),
        engine.top,
        engine.colour,
        engine.direction > 0,
        engine.decider,
    )
