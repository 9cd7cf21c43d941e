"""The moment at which a round ends: whether a picture shows it, and what is said of it.

Pure functions of one picture. How long it is looked at is the table's to decide (table.py).
"""

from __future__ import annotations

from typing import Any

from lanuno.app.controllers.pacer import MOST_AT_ONCE
from lanuno.app.controllers.table_face import names_of
from lanuno.app.moves import line
from lanuno.app.words import isolated, translate
from lanuno.app.worker.follower import Seen
from lanuno.app.worker.snapshot import Stage, TableShot
from lanuno.log import events
from lanuno.rules.events import Ending, RoundOver

OVER = (Stage.REVEALING, Stage.BETWEEN, Stage.CLOSED)


def ended(seen: Seen) -> RoundOver | None:
    """The end of the round that this picture shows, if that has just come and counts.

    Not so if the next round has begun in it, or if it is a whole game that somebody comes back to.
    """
    shot = seen.shot
    if shot.stage not in OVER or shot.void is not None or len(seen.happened) > MOST_AT_ONCE:
        return None
    for event in reversed(seen.happened):
        if isinstance(event, events.RoundOpened):
            return None
        if isinstance(event, RoundOver):
            return None if event.ending is Ending.VOID else event
    return None


def round_end(shot: TableShot, over: RoundOver) -> dict[str, Any]:
    """What is shown of it: {seat, text, name, avatar, bot}. The player who goes out wins."""
    if over.seat is None:
        # Nobody has gone out: the hands decide, once they are open.
        why = line(0, over, names_of(shot))
        text = "" if why is None else why.text
        return {"seat": -1, "text": text, "name": "", "avatar": 0, "bot": False}
    person = shot.people[over.seat]
    text = translate("Table", "{name} wins the round!")
    if person.seat == shot.mine:
        text = translate("Table", "You win the round!")
    return {
        "seat": person.seat,
        "text": text.replace("{name}", isolated(person.name)),
        "name": person.name,
        "avatar": person.avatar,
        "bot": person.bot,
    }
