"""Rate limit for log lines, so that no kind of line displaces all others.

The caller passes the time in. Suppressed lines are counted, and a summary line reports them later.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct, field

ANY_AT_ONCE: Final = 60
ANY_EVERY_SECONDS: Final = 10.0
"""Rate limit for each kind of line: this burst, then one line per interval."""

STRANGERS_AT_ONCE: Final = 20
STRANGERS_EVERY_SECONDS: Final = 60.0
"""The same limit for lines about an address, for all addresses together."""

ONE_AT_ONCE: Final = 10
"""Lines of one kind about one address, until the kind is quiet or a summary was written."""

SUMMARY_SECONDS: Final = 60.0
"""The time from the first suppressed line to the summary."""

MOST_ADDRESSES: Final = 256
MOST_KINDS: Final = 512
"""Limits on memory: addresses per kind, and kinds."""

OTHERS: Final = "other lines"
"""The kind of all lines beyond `MOST_KINDS`: a library's messages may differ each time."""


class _Kind(Struct):
    """The state of one kind of line."""

    tokens: float
    since: float
    by_address: dict[str, int] = field(default_factory=dict)
    """Lines by address since the last summary, at most `MOST_ADDRESSES` addresses."""
    suppressed: int = 0
    suppressed_since: float = 0.0
    last: str = ""
    """The address of the last suppressed line."""


class Summary(Struct, frozen=True):
    """A summary of lines that were not written."""

    kind: str
    count: int
    seconds: float
    last: str
    """The last address among them; "" if they were not about addresses."""


class RepeatLimit:
    """Decides which lines are written."""

    def __init__(self) -> None:
        self._kinds: dict[str, _Kind] = {}
        self._due: float | None = None

    def allows(self, kind: str, address: str, now: float) -> bool:
        """Whether a line of this kind may be written now; `address` is "" without an address."""
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
        """Return the summaries of suppressed lines that are due, each once.

        `everything` includes those that are not due yet, because the log is being closed.
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
