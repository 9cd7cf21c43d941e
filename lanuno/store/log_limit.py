"""Rate limit for lines of the log, so that no kind of line displaces all others.

No clock: time is passed in. Suppressed lines are counted, and summed up in one line now and then.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

ANY_AT_ONCE: Final = 60
ANY_EVERY_SECONDS: Final = 10.0
"""Lines of one kind: a burst, and then one in this time."""

STRANGERS_AT_ONCE: Final = 20
STRANGERS_EVERY_SECONDS: Final = 60.0
"""The same for a kind of line that is about an address, of all addresses together."""

ONE_AT_ONCE: Final = 10
"""Lines of one kind about one address, until the address is quiet or a summary was written."""

SUMMARY_SECONDS: Final = 60.0
"""Time from the first suppressed line to the summary with their number."""

MOST_ADDRESSES: Final = 256
MOST_KINDS: Final = 512
"""What is remembered at once."""

OTHERS: Final = "other lines"
"""The kind of all further ones: messages of a library may differ each time."""


@dataclass(slots=True)
class _Kind:
    """The state of one kind of line."""

    tokens: float
    since: float
    by_address: dict[str, int] = field(default_factory=dict)
    """Lines by address since the last summary; a few addresses only."""
    suppressed: int = 0
    suppressed_since: float = 0.0
    last: str = ""
    """The address of the last suppressed line."""


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
            most, every = float(STRANGERS_AT_ONCE), STRANGERS_EVERY_SECONDS
        else:
            most, every = float(ANY_AT_ONCE), ANY_EVERY_SECONDS
        known = self._kinds.get(kind)
        if known is None:
            if len(self._kinds) >= MOST_KINDS:
                kind = OTHERS
            known = self._kinds.setdefault(kind, _Kind(most, now))
        known.tokens = min(most, known.tokens + max(0.0, now - known.since) / every)
        known.since = max(known.since, now)
        if known.tokens >= most:
            known.by_address.clear()
        often = bool(address) and known.by_address.get(address, 0) >= ONE_AT_ONCE
        if known.tokens < 1.0 or often:
            self._suppress(known, address, now)
            return False
        known.tokens -= 1.0
        if address and (address in known.by_address or len(known.by_address) < MOST_ADDRESSES):
            known.by_address[address] = known.by_address.get(address, 0) + 1
        return True

    def _suppress(self, known: _Kind, address: str, now: float) -> None:
        if not known.suppressed:
            known.suppressed_since = now
            due = now + SUMMARY_SECONDS
            self._due = due if self._due is None else min(self._due, due)
        known.suppressed += 1
        known.last = address

    def summaries(self, now: float, *, everything: bool = False) -> list[Summary]:
        """The summaries of suppressed lines that are due; each is returned once.

        `everything`: also what is not due yet, because the log is being closed.
        """
        if not everything and (self._due is None or now < self._due):
            return []
        summaries: list[Summary] = []
        self._due = None
        for kind, known in self._kinds.items():
            due = known.suppressed_since + SUMMARY_SECONDS
            if known.suppressed and (everything or now >= due):
                summaries.append(
                    Summary(kind, known.suppressed, now - known.suppressed_since, known.last)
                )
                known.suppressed = 0
                known.by_address.clear()
            elif known.suppressed:
                self._due = due if self._due is None else min(self._due, due)
        return summaries
