"""The end of a round: whether an update contains it, and what is shown of it.

Pure functions of one update. table.py decides for how long it is shown.
"""

from __future__ import annotations

from typing import Any

from lanuno.app.controllers.pacer import MOST_AT_ONCE
from lanuno.app.controllers.standstill import OVER
from lanuno.app.controllers.table_view import names_of
from lanuno.app.move_texts import line
from lanuno.app.texts import filled, isolated, translate
from lanuno.client.events import TableUpdated
from lanuno.client.snapshot import TableSnapshot
from lanuno.log.round import events
from lanuno.rules.engine.events import RoundEnding, RoundOver


def round_just_ended(update: TableUpdated) -> RoundOver | None:
    """Return the end of a round in this update, if it has just happened and the round counts.

    None if the next round begins in the same update, or if the update is a whole resumed game.
    """
    snapshot = update.snapshot
    if (
        snapshot.stage not in OVER
        or snapshot.void is not None
        or len(update.happened) > MOST_AT_ONCE
    ):
        return None
    for event in reversed(update.happened):
        if isinstance(event, events.RoundOpened):
            return None
        if isinstance(event, RoundOver):
            return None if event.ending is RoundEnding.VOID else event
    return None


def round_end(snapshot: TableSnapshot, over: RoundOver) -> dict[str, Any]:
    """Return what is shown of it: {seat, text, name, avatar, bot}. The player who goes out wins.

    Without such a player: {seat (-1), text}.
    """
    if over.seat is None:
        # No player has gone out: the hands decide, once they are open.
        why = line(0, over, names_of(snapshot))
        return {"seat": -1, "text": "" if why is None else why.text}
    person = snapshot.people[over.seat]
    text = translate("Table", "{name} wins the round!")
    if person.seat == snapshot.mine:
        text = translate("Table", "You win the round!")
    return {
        "seat": person.seat,
        "text": filled(text, name=isolated(person.name)),
        "name": person.name,
        "avatar": person.avatar,
        "bot": person.bot,
    }
