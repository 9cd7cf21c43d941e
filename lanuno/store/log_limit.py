"""How often one kind of line may be written, so that nobody pushes everything else out of the log.

No clock: time is passed in. What is held back is counted, and told now and then in one line.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

ANY_AT_ONCE: Final = 60
ANY_EVERY: Final = 10.0
"""Lines of one kind that may come at once, and then one in so many seconds."""

STRANGERS_AT_ONCE: Final = 20
STRANGERS_EVERY: Final = 60.0
"""The same for a kind of line that is about an address, of all addresses together."""

ONE_AT_ONCE: Final = 10
"""Lines of one kind about one address, until it has been quiet or the rest was summed up."""

SUMMARY_SECONDS: Final = 60.0
"""Time from the first line that was held back to the line that tells their number."""

MOST_ADDRESSES: Final = 256
MOST_KINDS: Final = 512
"""What is remembered at once."""

OTHERS: Final = "other lines"
"""The kind of all further ones: the words of a library may be others each time."""


@dataclass(slots=True)
class _Kind:
    """What is known of one kind of line."""

    free: float
    since: float
    of: dict[str, int] = field(default_factory=dict)
    """Lines by address since the last summary; a few addresses only."""
    held: int = 0
    held_since: float = 0.0
    last: str = ""
    """The last address that was held back."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Lines that were not written."""

    kind: str
    count: int
    seconds: float
    last: str
    """The last address that they were about; "" if they were about none."""


class RepeatLimit:
    """Decides which lines are written."""

    def __init__(self) -> None:
        self._kinds: dict[str, _Kind] = {}
        self._due: float | None = None

    def allows(self, kind: str, address: str, now: float) -> bool:
        """Whether a line of this kind may be written now; `address`: "" if it is about none."""
        if address:
            most, every = float(STRANGERS_AT_ONCE), STRANGERS_EVERY
        else:
            most, every = float(ANY_AT_ONCE), ANY_EVERY
        known = self._kinds.get(kind)
        if known is None:
            if len(self._kinds) >= MOST_KINDS:
                kind = OTHERS
            known = self._kinds.setdefault(kind, _Kind(most, now))
        known.free = min(most, known.free + max(0.0, now - known.since) / every)
        known.since = max(known.since, now)
        if known.free >= most:
            known.of.clear()
        often = bool(address) and known.of.get(address, 0) >= ONE_AT_ONCE
        if known.free < 1.0 or often:
            self._hold(known, address, now)
            return False
        known.free -= 1.0
        if address and (address in known.of or len(known.of) < MOST_ADDRESSES):
            known.of[address] = known.of.get(address, 0) + 1
        return True

    def _hold(self, known: _Kind, address: str, now: float) -> None:
        if not known.held:
            known.held_since = now
            due = now + SUMMARY_SECONDS
            self._due = due if self._due is None else min(self._due, due)
        known.held += 1
        known.last = address

    def summaries(self, now: float, *, everything: bool = False) -> list[Summary]:
        """What is to be told of lines that were held back; each is told once.

        `everything`: also what is not due yet, because the log is being closed.
        """
        if not everything and (self._due is None or now < self._due):
            return []
        told: list[Summary] = []
        self._due = None
        for kind, known in self._kinds.items():
            due = known.held_since + SUMMARY_SECONDS
            if known.held and (everything or now >= due):
                told.append(Summary(kind, known.held, now - known.held_since, known.last))
                known.held = 0
                known.of.clear()
            elif known.held:
                self._due = due if self._due is None else min(self._due, due)
        return told
