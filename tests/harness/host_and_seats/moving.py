"""Lets a player act immediately, without the delays of the bot runner."""

from __future__ import annotations

from lanuno.bots.autoplay import Autoplay
from lanuno.table.outputs import SeatOutput


def act_now(player: Autoplay) -> list[SeatOutput]:
    """Carry out the player's act now."""
    action = player.next_action()
    todo: list[SeatOutput] = []
    if action is not None:
        player.act(action, lambda action: todo.extend(player.session.act(action)))
    return todo
