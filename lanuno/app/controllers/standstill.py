"""Why a table is paused or a round is void, in words. Pure functions of one snapshot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from lanuno.app.move_texts import Names, everybody
from lanuno.app.texts import filled, translate
from lanuno.client.snapshot import TableSnapshot, TableStage
from lanuno.log.faults import VoidReason
from lanuno.rules.engine.actions import Play
from lanuno.table.leave_effect import RoundFate

OVER: Final = (TableStage.REVEALING, TableStage.BETWEEN, TableStage.CLOSED)
"""The stages after a round."""
TWO_PEOPLE = 2
"""With two people, if one of them is missing, nobody can know whose network has failed."""


def paused_text(snapshot: TableSnapshot, names: Names, waiting: Sequence[tuple[int, int]]) -> str:
    """Return what is awaited, what it holds up, and what can be done now; "" without a wait.

    `waiting`: missing seats, and the seconds left for each; -1 without a countdown.
    """
    if not snapshot.in_contact:
        text = translate(
            "Table",
            "The host's computer ({name}) does not answer. Nothing can be played here until it"
            " does, or another computer takes over; nothing is lost.",
        )
        return filled(text, name=names(snapshot.host))
    if snapshot.short_of is not None:
        here, wanted = snapshot.short_of
        text = translate(
            "Table",
            "Only {here} of the {wanted} computers needed can be reached. A move counts, and a"
            " card is drawn, only once more of them are back. No turn's clock runs.",
        )
        return filled(text, here=str(here), wanted=str(wanted))
    if snapshot.claimable:
        text = translate(
            "Table",
            "There is no sign of {names}, and nobody can know whose network failed. You can end"
            " the wait: then the match is over, and {names} loses it.",
        )
        text = filled(text, names=everybody(names, snapshot.claimable))
        return f"{text} {_held_up(snapshot, names, snapshot.claimable)}"
    if waiting:
        seats, left = zip(*waiting, strict=True)
        text = filled(_waiting_text(snapshot, max(left)), names=everybody(names, seats))
        return f"{text} {_held_up(snapshot, names, seats)}"
    return ""


def _waiting_text(snapshot: TableSnapshot, seconds: int) -> str:
    effect = snapshot.without_waited
    if seconds < 0:
        # The time is over. The host decides what follows, in a moment.
        return translate("Table", "{names} cannot be reached.")
    if effect is None or not effect.continues or len(effect.remaining) < TWO_PEOPLE:
        # What follows depends on how the connection was lost.
        return translate("Table", "{names} cannot be reached: %n seconds left.", "", seconds)
    if effect.round is RoundFate.VOID:
        return translate(
            "Table",
            "{names} cannot be reached: %n seconds left, then this round does not count, and the"
            " game continues without them.",
            "",
            seconds,
        )
    return translate(
        "Table",
        "{names} cannot be reached: %n seconds left, then the game continues without them.",
        "",
        seconds,
    )


def _held_up(snapshot: TableSnapshot, names: Names, missing: Sequence[int]) -> str:
    """Return what the missing seats hold up, and what can be done meanwhile."""
    if snapshot.stage not in (TableStage.PLAYING, TableStage.RECOVERING):
        return _HELD_UP_STAGES.get(snapshot.stage, lambda: "")()
    clock = translate("Table", "No turn's clock runs.")
    return f"{_held_up_in_play(snapshot, names, missing)} {clock}"


def _held_up_in_play(snapshot: TableSnapshot, names: Names, missing: Sequence[int]) -> str:
    """Return the same while a round is played.

    A card from a hand needs only its player. A card that is drawn, dealt or opened needs the keys
    of every seat of the round.
    """
    view = snapshot.view
    if view is None or view.decider is None:
        return translate("Table", "The game waits.")
    if not set(missing) & set(snapshot.seats):
        return translate("Table", "This round goes on.")
    if view.decider == snapshot.mine and not snapshot.to_move:
        return translate("Table", "Your next card waits.")
    if any(isinstance(each, Play) for each in view.legal):
        return translate("Table", "You can play a card; cards that are drawn wait.")
    if view.decider == snapshot.mine:
        return translate("Table", "You can decide; cards that are drawn wait.")
    if view.decider in missing:
        text = translate("Table", "It is {name}'s turn, so play waits.")
    else:
        text = translate("Table", "{name} can play a card; cards that are drawn wait.")
    return filled(text, name=names(view.decider))


_HELD_UP_STAGES: Final[dict[TableStage, Callable[[], str]]] = {
    TableStage.BEGINNING: lambda: translate("Table", "The deal waits."),
    TableStage.DEALING: lambda: translate("Table", "The deal waits."),
    TableStage.CHOOSING: lambda: translate("Table", "The deal waits."),
    TableStage.REVEALING: lambda: translate("Table", "The check of this round waits."),
    TableStage.BETWEEN: lambda: translate("Table", "The next round waits."),
}
"""What a missing player holds up before and after a round."""


def void_text(snapshot: TableSnapshot, names: Names) -> str:
    """Return that the round is void, and why; "" if it is not."""
    if snapshot.void is None or snapshot.stage not in OVER:
        return ""
    text = translate("Table", "This round is void and does not count: {why}")
    return filled(text, why=void_reason(snapshot.void, snapshot.void_without, names))


def void_reason(reason: VoidReason, without: Sequence[tuple[int, bool]], names: Names) -> str:
    """Return why a round does not count. `without`: as in the snapshot."""
    gone = everybody(names, [seat for seat, _ in without])
    match reason:
        case VoidReason.FAULT:
            return translate("Table", "the game's log proves that a player broke the rules.")
        case VoidReason.LOST if not without:
            return translate("Table", "a player was gone.")
        case VoidReason.LOST if all(on_purpose for _, on_purpose in without):
            return filled(
                translate("Table", "{names} chose to leave.", "", len(without)), names=gone
            )
        case VoidReason.LOST:
            return filled(translate("Table", "{names} were gone.", "", len(without)), names=gone)
        case VoidReason.NO_CARD:
            return translate(
                "Table", "a card could not be opened; the check will say who is to blame."
            )
        case VoidReason.HALTED:
            return translate("Table", "a player's computer found an error.")
