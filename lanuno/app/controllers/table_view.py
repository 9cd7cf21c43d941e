"""The values that the table's screen shows for one snapshot, as pure functions.

No Qt objects here, no time, and no state between two snapshots.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from lanuno.app.automatic_moves import NO_AUTOMATIC_MOVES, AutomaticMoves, automatic
from lanuno.app.controllers.standstill import paused_text, void_text
from lanuno.app.models.table_rows import DealLine, HandCard, Opponent
from lanuno.app.move_texts import Names, colour_of, qml_card
from lanuno.app.problem_texts import play_refusal
from lanuno.app.texts import card_name, colour_name, filled, isolated, sentence, texts, translate
from lanuno.client.snapshot import TableSnapshot, TableStage, view_without_actions
from lanuno.log.format.bodies import DropReason
from lanuno.rules.engine.actions import (
    Accept,
    Accuse,
    Action,
    Catch,
    Challenge,
    Draw,
    Keep,
    NameColour,
    Object,
    Play,
    SayUno,
    Swap,
    Vote,
)
from lanuno.rules.engine.rules_in_force import rules_in_force
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.view import Held, SeatView

LAST_DISCARDS = 5
WILD_LAST = 9


class ScreenState(Struct, frozen=True, kw_only=True):
    """The state of the screen that is not in the snapshot."""

    sorting: str = "hand"
    said_uno: frozenset[int] = frozenset()
    catch_armed: bool = True
    """Whether a catch counts already."""
    colour_slot: int = -1
    """Slot of this player's wild card whose colour is to be chosen; -1 if there is none."""
    waiting: tuple[tuple[int, int], ...] = ()
    """Seats for which the table waits, and the seconds left; -1 without a countdown."""
    answered: bool = False
    """Whether the decision in the snapshot has been made since."""
    voted: bool = False
    """Whether the vote in the snapshot has ended since."""
    bot_plays: bool = False
    """Whether a bot plays on for this player."""
    automatic: AutomaticMoves = NO_AUTOMATIC_MOVES
    """The moves that the app makes without asking the player."""


class TableView(Struct, frozen=True, kw_only=True):
    """The values of one moment. Those that are not rows are properties for QML."""

    seated: bool = False
    my_seat: int = -1
    me: dict[str, Any] = field(default_factory=dict)
    colour: int = -1
    top_text: str = ""
    """The discard pile in words, for a screen reader."""
    draw_pile: int = 0
    discard_pile: int = 0
    discards: tuple[dict[str, int], ...] = ()
    clockwise: bool = True
    turn_seat: int = -1
    my_turn: bool = False
    prompt: str = ""
    target: int = 0
    penalty: int = 0
    dealer_seat: int = -1
    dealer_name: str = ""
    last_name: str = ""
    round_number: int = 0
    phase: str = "dealing"
    dealing_text: str = ""
    can_draw: bool = False
    draw_passes: bool = False
    can_keep: bool = False
    can_uno: bool = False
    can_object: bool = False
    can_jump_in: bool = False
    can_accuse: bool = False
    catch_seats: tuple[int, ...] = ()
    swap_seats: tuple[int, ...] = ()
    colour_wanted: bool = False
    colour_slot: int = -1
    challenge_question: dict[str, Any] = field(default_factory=dict)
    vote_question: dict[str, Any] = field(default_factory=dict)
    paused: bool = False
    anyone_away: bool = False
    paused_text: str = ""
    can_claim: bool = False
    host_away: bool = False
    void_text: str = ""
    chosen: tuple[dict[str, Any], ...] = ()
    table_name: str = ""
    agreed: str = ""
    hand: tuple[HandCard, ...] = ()
    opponents: tuple[Opponent, ...] = ()
    dealing: tuple[DealLine, ...] = ()


def names_of(snapshot: TableSnapshot) -> Names:
    """Return the names of the players by seat."""
    return Names(
        tuple(person.name for person in snapshot.people), snapshot.mine, snapshot.ruleset.deck
    )


def table_view(snapshot: TableSnapshot, screen: ScreenState) -> TableView:
    """Return the values to show for this snapshot."""
    if screen.bot_plays or not snapshot.in_contact:
        # The bot acts, or no action reaches the host now.
        snapshot = replace(snapshot, to_move=False, view=view_without_actions(snapshot.view))
    view, names = snapshot.view, names_of(snapshot)
    legal: Sequence[Action] = () if view is None else view.legal
    open_actions = () if screen.answered else legal
    decider = None if view is None else view.decider
    mine = snapshot.mine
    automatic_move = automatic(snapshot, screen.automatic)
    paused = bool(screen.waiting) or snapshot.short_of is not None or not snapshot.in_contact
    return TableView(
        seated=mine is not None,
        my_seat=-1 if mine is None else mine,
        me=_me(snapshot, screen),
        colour=-1 if view is None or view.colour is None else int(view.colour),
        top_text="" if view is None else _top_text(view),
        draw_pile=0 if view is None else view.draw_pile,
        discard_pile=0 if view is None else len(view.discards),
        discards=()
        if view is None
        else tuple(qml_card(-1, card) for card in view.discards[-LAST_DISCARDS:]),
        clockwise=view is None or view.clockwise,
        turn_seat=-1 if decider is None else decider,
        my_turn=snapshot.to_move,
        prompt=_prompt(snapshot, names, bot_plays=screen.bot_plays)
        if automatic_move is None
        else _automatic_prompt(view, automatic_move),
        target=snapshot.target,
        penalty=0 if view is None else view.penalty,
        dealer_seat=-1 if snapshot.dealer is None else snapshot.dealer,
        dealer_name="" if snapshot.dealer is None else snapshot.people[snapshot.dealer].name,
        last_name="" if snapshot.last_mover is None else snapshot.people[snapshot.last_mover].name,
        round_number=snapshot.number,
        phase=PHASES[snapshot.stage],
        dealing_text=_dealing_text(snapshot),
        can_draw=_can(legal, Draw),
        draw_passes=view is not None and view.nothing_left,
        can_keep=_can(legal, Keep),
        can_uno=any(
            isinstance(each, SayUno) or (isinstance(each, Play) and each.uno) for each in legal
        ),
        can_object=_can(legal, Object),
        can_jump_in=decider != mine and _can(legal, Play),
        can_accuse=_can(legal, Accuse),
        catch_seats=_catchable(legal, screen),
        swap_seats=tuple(each.seat for each in legal if isinstance(each, Swap)),
        colour_wanted=screen.colour_slot >= 0 or _can(open_actions, NameColour),
        colour_slot=screen.colour_slot,
        challenge_question=(
            _challenge(snapshot, names, open_actions) if automatic_move is None else {"open": False}
        ),
        vote_question={"open": False} if screen.voted else _vote(view, names, legal),
        paused=paused,
        anyone_away=bool(screen.waiting),
        paused_text=paused_text(snapshot, names, screen.waiting),
        can_claim=snapshot.in_contact and bool(snapshot.claimable),
        host_away=not snapshot.in_contact,
        void_text=void_text(snapshot, names),
        chosen=tuple(
            {
                "seat": hand.seat,
                "name": snapshot.people[hand.seat].name,
                "cards": [qml_card(-1, card) for card in hand.cards],
            }
            for hand in snapshot.drawn_for_deal
        ),
        table_name=snapshot.name,
        agreed=_agreed(snapshot),
        hand=_hand(snapshot, screen),
        opponents=_opponents(snapshot, screen, legal),
        dealing=_dealing(snapshot),
    )


def _agreed(snapshot: TableSnapshot) -> str:
    """Return how many of the rounds that were agreed on have been played; "" for a whole match."""
    if snapshot.agreed is None:
        return ""
    counted = sum(score.counted for score in snapshot.scores)
    text = translate("Table", "{number} of {all}")
    return filled(text, number=str(counted), all=str(snapshot.agreed))


PHASES = {
    TableStage.BEGINNING: "dealing",
    TableStage.DEALING: "dealing",
    TableStage.CHOOSING: "choosing-dealer",
    TableStage.PLAYING: "playing",
    TableStage.RECOVERING: "recovering",
    TableStage.HALTED: "halted",
    TableStage.REVEALING: "revealing",
    TableStage.BETWEEN: "over",
    TableStage.CLOSED: "over",
}


# ---- this player's hand ---------------------------------------------------------------------


def _hand(snapshot: TableSnapshot, screen: ScreenState) -> tuple[HandCard, ...]:
    view = snapshot.view
    if view is None:
        return ()
    playable = {action.slot for action in view.legal if isinstance(action, Play)}
    refused = dict(view.unplayable)
    rows = []
    cards = ordered_hand(view.hand, screen.sorting)
    for place, held in enumerate(cards, 1):
        card = held.face
        can = held.slot in playable
        why = play_refusal(refused[held.slot]) if held.slot in refused and not can else ""
        name = sentence(card_name(card))
        parts = [name]
        if snapshot.to_move or can:
            parts.append(
                translate("Table", "playable") if can else translate("Table", "not playable")
            )
        where = translate("Table", "{place} of {count}")
        parts.append(filled(where, place=str(place), count=str(len(cards))))
        rows.append(
            HandCard(
                slot=held.slot,
                colour=colour_of(card),
                rank=int(card.rank),
                playable=can,
                why_not=why,
                drawn=held.slot == view.drawn,
                name=name,
                accessible_name=", ".join(parts),
            )
        )
    return tuple(rows)


def ordered_hand(hand: Sequence[Held], sorting: str) -> list[Held]:
    """Return the hand in the order in which it is laid out: as drawn, by colour, or by value."""

    def colour(held: Held) -> int:
        return WILD_LAST if held.face.colour is None else int(held.face.colour)

    if sorting == "colour":
        return sorted(hand, key=lambda held: (colour(held), int(held.face.rank), held.slot))
    if sorting == "value":
        return sorted(hand, key=lambda held: (int(held.face.rank), colour(held), held.slot))
    return list(hand)


def _playing(snapshot: TableSnapshot) -> tuple[int, ...]:
    """Return the seats of the round, without those that have left it."""
    return snapshot.seats if snapshot.view is None else snapshot.view.seats


def _me(snapshot: TableSnapshot, screen: ScreenState) -> dict[str, Any]:
    mine = snapshot.mine
    if mine is None:
        return {}
    view = snapshot.view
    count = 0
    if view is not None and mine in view.seats:
        count = view.counts[view.seats.index(mine)]
    return {
        "seat": mine,
        "name": snapshot.people[mine].name,
        "avatar": snapshot.people[mine].avatar,
        "count": count,
        "uno": mine in screen.said_uno and count == 1,
        "owesUno": view is not None and view.uno_owed == mine,
        "points": snapshot.totals[mine],
        "team": snapshot.people[mine].team,
        "dealer": snapshot.dealer == mine,
        "turn": view is not None and view.decider == mine,
        "host": snapshot.host == mine,
        "last": snapshot.last_mover == mine,
        "out": mine not in _playing(snapshot),
        "expelled": mine in snapshot.expelled,
    }


# ---- the other players ----------------------------------------------------------------------


def opponents_clockwise(snapshot: TableSnapshot) -> list[int]:
    """Return all other seats, clockwise from this player's; those not in the round come last."""
    seats = list(snapshot.seats) or [person.seat for person in snapshot.people]
    if snapshot.mine in seats:
        place = seats.index(snapshot.mine)
        seats = seats[place + 1 :] + seats[:place]
    rest = [person.seat for person in snapshot.people]
    return seats + [seat for seat in rest if seat not in seats and seat != snapshot.mine]


def _catchable(legal: Sequence[Action], screen: ScreenState) -> tuple[int, ...]:
    if not screen.catch_armed:
        return ()
    return tuple(each.seat for each in legal if isinstance(each, Catch))


def _opponents(
    snapshot: TableSnapshot, screen: ScreenState, legal: Sequence[Action]
) -> tuple[Opponent, ...]:
    view = snapshot.view
    counts = {} if view is None else dict(zip(view.seats, view.counts, strict=True))
    playing, waiting, dropped = _playing(snapshot), dict(screen.waiting), dict(snapshot.dropped)
    catchable = _catchable(legal, screen)
    teams = {person.seat: person.team for person in snapshot.people}
    my_team = -1 if snapshot.mine is None else teams[snapshot.mine]
    rows = []
    for seat in opponents_clockwise(snapshot):
        person = snapshot.people[seat]
        count = counts.get(seat, 0)
        turn = view is not None and view.decider == seat and seat not in dropped
        uno = seat in screen.said_uno and count == 1
        owes = view is not None and view.uno_owed == seat
        out = bool(playing) and seat not in playing
        parts = [isolated(person.name)]
        if person.bot:
            parts.append(translate("Table", "bot"))
        if seat in snapshot.expelled:
            parts.append(translate("Table", "is out of the match"))
        elif seat in dropped:
            left = dropped[seat] is DropReason.LEFT
            parts.append(translate("Table", "has left") if left else translate("Table", "is gone"))
        elif seat in waiting:
            parts.append(translate("Table", "does not answer"))
        elif out:
            parts.append(translate("Table", "does not play in this round"))
        else:
            parts.append(translate("Table", "%n cards", "", count))
        if turn:
            parts.append(translate("Table", "has the turn"))
        if uno:
            parts.append(translate("Table", "said “UNO”"))
        parts.append(translate("Table", "%n points", "", snapshot.totals[seat]))
        rows.append(
            Opponent(
                seat=seat,
                name=person.name,
                count=count,
                turn=turn,
                bot=person.bot,
                uno=uno,
                owes_uno=owes,
                catchable=seat in catchable,
                dropped=seat in dropped,
                has_left=dropped.get(seat) is DropReason.LEFT,
                asleep=seat in waiting,
                waiting=waiting.get(seat, -1),
                points=snapshot.totals[seat],
                team=person.team,
                partner=my_team >= 0 and person.team == my_team,
                dealer=snapshot.dealer == seat,
                last=snapshot.last_mover == seat,
                avatar=person.avatar,
                out=out,
                expelled=seat in snapshot.expelled,
                host=snapshot.host == seat,
                accessible_name=", ".join(parts),
            )
        )
    return tuple(rows)


def _dealing(snapshot: TableSnapshot) -> tuple[DealLine, ...]:
    rows = []
    for step in snapshot.steps:
        if step.locked:
            text = translate("Table", "has shuffled and locked")
        elif step.shuffled:
            text = translate("Table", "has shuffled")
        elif step.committed:
            text = translate("Table", "has added randomness")
        else:
            text = translate("Table", "is getting ready")
        person = snapshot.people[step.seat]
        rows.append(
            DealLine(step.seat, person.name, step.committed, step.shuffled, step.locked, text)
        )
    return tuple(rows)


def _dealing_text(snapshot: TableSnapshot) -> str:
    done = sum(1 for step in snapshot.steps if step.locked)
    everybody = len(snapshot.steps)
    if everybody and done == everybody:
        return translate("Table", "Shuffled and dealt by all %n players", "", everybody)
    text = translate("Table", "Everybody shuffles: {done} of {all} are done")
    return filled(text, done=str(done), all=str(everybody))


def _top_text(view: SeatView) -> str:
    if view.top is None:
        return translate("Table", "The discard pile is empty")
    card = card_name(view.top)
    if view.colour is None:
        text = translate("Table", "On the discard pile: {card}; no colour is chosen yet")
        return filled(text, card=card)
    text = translate("Table", "On the discard pile: {card}; the colour is {colour}")
    return filled(text, card=card, colour=colour_name(view.colour))


# ---- prompts and questions ------------------------------------------------------------------


def _prompt(snapshot: TableSnapshot, names: Names, *, bot_plays: bool) -> str:
    view = snapshot.view
    if snapshot.stage is TableStage.CHOOSING:
        return translate("Table", "The highest card deals the first round")
    if snapshot.stage is TableStage.REVEALING:
        if snapshot.dealer is None:
            return translate("Table", "Everybody checks the cards that chose the dealer")
        return translate("Table", "All hands are opened and everybody checks the shuffle")
    if snapshot.stage is TableStage.RECOVERING:
        return translate("Table", "A player is gone: the others open the cards needed to continue")
    if snapshot.stage is TableStage.HALTED:
        return translate("Table", "A card cannot be opened: this round is being stopped")
    if snapshot.winners or snapshot.stage is TableStage.CLOSED:
        return translate("Table", "The match is over")
    if snapshot.stage is TableStage.BETWEEN:
        if snapshot.dealer is None:
            return translate("Table", "The dealer is chosen; the first round is about to be dealt")
        return translate("Table", "The round is over; the next one is about to be dealt")
    if not snapshot.in_contact:
        return translate("Table", "The game continues as soon as there is a host again")
    if view is None or view.decider is None or snapshot.stage is not TableStage.PLAYING:
        if view is not None and view.phase is RoundPhase.OBJECTION:
            return translate("Table", "Does anybody object to this card?")
        return translate("Table", "Everybody is shuffling the cards")
    if bot_plays:
        return translate("Table", "A bot plays for you until you take over")
    if view.decider != snapshot.mine:
        return _their_prompt(view, names(view.decider))
    return _my_prompt(snapshot, view)


def _their_prompt(view: SeatView, name: str) -> str:
    prompts = {
        RoundPhase.COLOUR: translate("Table", "{name} chooses the first colour"),
        RoundPhase.DRAWN: translate("Table", "{name} has drawn a card"),
        RoundPhase.PENALTY: translate("Table", "{name} decides about the penalty"),
        RoundPhase.SHOW: translate("Table", "{name} shows the hand to the challenger"),
        RoundPhase.VERDICT: translate("Table", "{name} looks at the hand"),
        RoundPhase.OPEN_HAND: translate("Table", "{name} shows the hand to everybody"),
    }
    text = prompts.get(view.phase, translate("Table", "It is {name}'s turn"))
    if view.phase is RoundPhase.TURN and _can(view.legal, Play):
        text = translate("Table", "It is {name}'s turn, but you can jump in")
    elif view.phase is RoundPhase.QUESTION:
        # The name is inserted last: a message would replace the characters that isolate it.
        text = texts()(f"question.{view.question}.other", name="{name}")
    return filled(text, name=name)


def _my_prompt(snapshot: TableSnapshot, view: SeatView) -> str:
    by_program = {
        RoundPhase.SHOW: translate("Table", "Your hand is shown to the challenger"),
        RoundPhase.VERDICT: translate("Table", "You look at the hand that you challenged"),
        RoundPhase.OPEN_HAND: translate("Table", "Your hand is shown to everybody"),
    }
    if view.phase in by_program:
        return by_program[view.phase]
    if not snapshot.to_move:
        # The legal acts are known only once every card of the hand can be read.
        return translate("Table", "Your cards are on their way")
    match view.phase:
        case RoundPhase.COLOUR:
            return translate("Table", "You start: choose a colour")
        case RoundPhase.QUESTION:
            return texts()(f"question.{view.question}.own")
        case RoundPhase.DRAWN:
            return _drawn_prompt(view)
        case RoundPhase.PENALTY:
            return _penalty_prompt(view)
        case _:
            return _turn_prompt(view)


def _can(legal: Sequence[Action], kind: type[Action]) -> bool:
    return any(isinstance(each, kind) for each in legal)


def _turn_prompt(view: SeatView) -> str:
    """Return the choices of a turn. The rules decide, so only the legal acts are looked at."""
    if not _can(view.legal, Play):
        if view.nothing_left:
            return translate(
                "Table", "Your turn: nothing fits and nothing is left to draw, so pass"
            )
        if rules_in_force(view.ruleset).draws_again:
            return translate("Table", "Your turn: nothing fits, so draw until something does")
        return translate("Table", "Your turn: nothing fits, so draw a card")
    if not _can(view.legal, Draw):
        return translate("Table", "Your turn: play a card")
    if view.nothing_left:
        return translate("Table", "Your turn: play a card or pass")
    return translate("Table", "Your turn: play a card or draw")


def _drawn_prompt(view: SeatView) -> str:
    play, draw, keep = _can(view.legal, Play), _can(view.legal, Draw), _can(view.legal, Keep)
    if play and keep:
        return translate("Table", "Play the card you drew, or keep it")
    if play and draw:
        return translate("Table", "Play the card you drew, or draw another one")
    if play:
        return translate("Table", "The card you drew fits: play it")
    if draw:
        return translate("Table", "The card you drew does not fit: draw another one")
    return translate("Table", "The card you drew does not fit: keep it")


def _penalty_prompt(view: SeatView) -> str:
    cards = view.penalty
    challenge, play = _can(view.legal, Challenge), _can(view.legal, Play)
    if challenge and play:
        return translate("Table", "Draw %n cards, challenge, or pass them on", "", cards)
    if challenge:
        return translate("Table", "Draw %n cards and lose your turn, or challenge", "", cards)
    if play:
        return translate("Table", "Draw %n cards and lose your turn, or pass them on", "", cards)
    return translate("Table", "You must draw %n cards and lose your turn", "", cards)


def _automatic_prompt(view: SeatView | None, act: Action) -> str:
    """Return what the app is about to do without asking."""
    if isinstance(act, Keep):
        return translate("Table", "The card you drew does not fit: you keep it")
    if isinstance(act, Draw):
        return translate("Table", "The card you drew does not fit: you draw on")
    penalty = 0 if view is None else view.penalty
    return translate("Table", "You are hit and draw %n cards", "", penalty)


def _challenge(snapshot: TableSnapshot, names: Names, legal: Sequence[Action]) -> dict[str, Any]:
    view = snapshot.view
    if view is None or not _can(legal, Accept):
        return {"open": False}
    by = view.accused if view.accused is not None else snapshot.last_mover
    lost = view.penalty + snapshot.ruleset.challenge_penalty
    can = _can(legal, Challenge)
    stack = _can(legal, Play)
    name = "" if by is None else names(by)
    colour = view.accused_colour if can else None
    title = translate("Table", "A penalty for you: %n cards", "", view.penalty)
    pieces = []
    if can and colour is not None:
        held = translate(
            "Table", "If {name} held {colour}, they draw %n cards and you play.", "", view.penalty
        )
        failed = translate("Table", "If not, you draw %n cards.", "", lost)
        title = translate("Table", "Wild Draw Four on {colour}: a bluff?")
        title = title.replace("{colour}", colour_name(colour))
        pieces = [held.replace("{colour}", colour_name(colour)), failed]
    else:
        pieces = [translate("Table", "You draw them and lose your turn.")]
    if stack:
        pieces.append(translate("Table", "Or play a card that passes them on."))
    return {
        "open": True,
        "by": -1 if by is None else by,
        "colour": -1 if colour is None else int(colour),
        "title": title,
        "text": " ".join(pieces).replace("{name}", name),
        "canChallenge": can,
        "acceptText": translate("Table", "Draw %n cards", "", view.penalty),
    }


def _vote(view: SeatView | None, names: Names, legal: Sequence[Action]) -> dict[str, Any]:
    if view is None or view.accusation is None:
        return {"open": False}
    accused, by = view.accusation
    text = translate("Table", "{by} accuses {name} of having advised a play. Did that happen?")
    return {
        "open": True,
        "text": filled(text, by=names(by), name=names(accused)),
        "canVote": _can(legal, Vote),
    }
