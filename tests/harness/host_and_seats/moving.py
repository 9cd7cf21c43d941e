"""Lets a program do what it wants at once: tests have none of the waits of a driver."""

from __future__ import annotations

from lanuno.bots.autoplay import Autoplay
from lanuno.table.outputs import SeatOutput


def act_now(player: Autoplay) -> list[SeatOutput]:
    """Do what the program wants now."""
    action = player.next_action()
    return [] if action is None else player.act(action)
