"""Why a table is paused or a round is void, in words. Pure functions of one snapshot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lanuno.app.move_texts import Names, everybody
from lanuno.app.texts import filled, translate
from lanuno.client.snapshot import TableSnapshot, TableStage
from lanuno.log.faults import VoidReason

OVER: Final = (TableStage.REVEALING, TableStage.BETWEEN, TableStage.CLOSED)
"""The stages after a round."""
TWO_PEOPLE = 2
"""With two people, if one of them is missing, nobody can know whose network has failed."""


def paused_text(snapshot: TableSnapshot, names: Names, waiting: Sequence[tuple[int, int]]) -> str:
    """Return why nothing can be done now; "" if it can.

    `waiting`: missing seats, and the seconds left for each; -1 without a countdown.
    """
    if not snapshot.in_contact:
        text = translate(
            "Table",
            "The host's computer ({name}) does not answer. Looking for it, or for another computer"
            " to take over; nothing is lost.",
        )
        return filled(text, name=names(snapshot.host))
    if snapshot.short_of is not None:
        here, wanted = snapshot.short_of
        text = translate(
            "Table",
            "Only {here} of the {wanted} computers needed can be reached. The game waits;"
            " nothing is lost.",
        )
        return filled(text, here=str(here), wanted=str(wanted))
    if snapshot.claimable:
        text = translate(
            "Table",
            "There is no sign of {names}, and nobody can know whose network failed. The table"
            " keeps waiting. You can end the wait: then the match is over, and {names} loses it.",
        )
        return filled(text, names=everybody(names, snapshot.claimable))
    if waiting:
        seats, left = zip(*waiting, strict=True)
        return filled(_waiting_text(snapshot, max(left)), names=everybody(names, seats))
    return ""


def _waiting_text(snapshot: TableSnapshot, seconds: int) -> str:
    people = [
        each for each in snapshot.people if not each.bot and each.seat not in dict(snapshot.dropped)
    ]
    if seconds < 0:
        # The time is over. The host decides what follows, in a moment.
        return translate("Table", "{names} cannot be reached. The table waits; nothing is lost.")
    if len(people) <= TWO_PEOPLE:
        # What follows depends on how the connection was lost.
        return translate(
            "Table",
            "{names} cannot be reached. The table waits %n seconds; nothing is lost.",
            "",
            seconds,
        )
    return translate(
        "Table",
        "{names} cannot be reached. The table waits %n seconds, then continues without them.",
        "",
        seconds,
    )


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
