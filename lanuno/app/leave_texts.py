"""What the user is asked before leaving a match: what that means now. Pure functions."""

from __future__ import annotations

from lanuno.app.controllers.table_view import names_of
from lanuno.app.move_texts import everybody
from lanuno.app.texts import filled, translate
from lanuno.client.snapshot import TableSnapshot
from lanuno.table.leave_effect import LeaveEffect, RoundFate


def question_at_table(effect: LeaveEffect | None, snapshot: TableSnapshot) -> str:
    """Return the question; "" if leaving changes nothing.

    `effect`: None if nobody would learn that this player has left, or if that is known already.
    """
    if effect is None and (snapshot.mine is None or snapshot.mine in dict(snapshot.dropped)):
        return ""
    ask = translate("Leaving", "Leave this game?")
    return " ".join([ask, *_what_happens(effect, snapshot)])


def _what_happens(effect: LeaveEffect | None, snapshot: TableSnapshot) -> list[str]:
    if effect is None:
        return [
            translate(
                "Leaving",
                "Nobody can be reached right now: you can continue it from the first page.",
            )
        ]
    if not effect.remaining:
        return [translate("Leaving", "It ends here.")]
    if effect.winners:
        return [_match_ends(effect, snapshot)]
    if not effect.continues:
        return [translate("Leaving", "Nobody can go on without you: the match ends.")]
    said = [*_round(effect), _seat(effect, snapshot)]
    if effect.hands_over:
        said.append(translate("Leaving", "Another computer takes over as host."))
    if effect.expelled:
        text = translate("Leaving", "You have spoiled a round before, so you are out of the match.")
        said.append(text)
    elif snapshot.mine not in snapshot.expelled:
        text = translate("Leaving", "You can come back for a later round, from the first page.")
        said.append(text)
    return said


def _match_ends(effect: LeaveEffect, snapshot: TableSnapshot) -> str:
    names, winners = names_of(snapshot), effect.winners
    if effect.expelled:
        text = translate(
            "Leaving",
            "You have spoiled a round before: the match ends, and {names} win it.",
            "",
            len(winners),
        )
        return filled(text, names=everybody(names, winners))
    if (effect.round is RoundFate.COUNTS and snapshot.mine in winners) or len(effect.remaining) > 1:
        return translate("Leaving", "The cards have decided the match already.")
    text = translate(
        "Leaving",
        "You and {name} are the only people still playing: the match ends, and {winner} wins it.",
    )
    return filled(text, name=names(effect.remaining[0]), winner=everybody(names, winners))


def _round(effect: LeaveEffect) -> list[str]:
    match effect.round:
        case RoundFate.VOID:
            return [translate("Leaving", "This round then does not count.")]
        case RoundFate.COUNTS:
            return [translate("Leaving", "This round still counts.")]
        case _:
            return []


def _seat(effect: LeaveEffect, snapshot: TableSnapshot) -> str:
    """Return who plays on, and what becomes of the seat and the cards of the player who leaves."""
    if effect.round is RoundFate.CONTINUES and not _holds_cards(snapshot):
        return translate("Leaving", "The others play on without you.")
    if effect.round is RoundFate.CONTINUES:
        return translate(
            "Leaving",
            "The others play on without you. Your cards are opened, and count as if you still held"
            " them.",
        )
    if effect.bot:
        return translate(
            "Leaving", "From the next round on, a bot on the host’s computer plays for you."
        )
    return translate("Leaving", "The others play the next round without you.")


def _holds_cards(snapshot: TableSnapshot) -> bool:
    """Whether this player has cards: not before the deal, nor back in the middle of a round."""
    view = snapshot.view
    counts = {} if view is None else dict(zip(view.seats, view.counts, strict=True))
    return snapshot.mine is not None and counts.get(snapshot.mine, 0) > 0
