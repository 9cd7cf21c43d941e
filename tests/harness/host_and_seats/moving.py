"""Lets a player act immediately, without the delays of the bot runner."""

from __future__ import annotations

from lanuno.bots.autoplay import Autoplay
from lanuno.table.outputs import SeatOutput


def act_now(player: Autoplay) -> list[SeatOutput]:
    """Carry out the player's act now."""
    action = player.next_action()
    return [] if action is None else player.act(action)
