"""What one computer has missed of the log while it was out of contact with any host."""

from __future__ import annotations

from lanuno.net.endings import CaughtUp, Observer
from lanuno.table.member import Member


class Gaps:
    """Looked at whenever the machine has done something."""

    def __init__(self, observe: Observer, held: int | None) -> None:
        """`held`: entries that were kept by an earlier program; None if there was none."""
        self._observe = observe
        self._held = held
        """Entries that were held when contact to the host was lost; None if it never was."""
        self._caught_up = False

    def look(self, member: Member) -> None:
        """Say what was missed, once it is here."""
        held, now = member.replay.seq, member.first.caught_up
        if now and not self._caught_up and self._held is not None:
            self._observe(CaughtUp(member.replay.host, max(0, held - self._held)))
        if self._caught_up and not now:
            self._held = held
        self._caught_up = now
