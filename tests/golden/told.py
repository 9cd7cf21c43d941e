"""What the window is told of a simulated table: by the follower of every computer that is there.

`listening` stands in for the drivers. Between what a computer puts out and what its window is told
there are the follower, the picture of the table and the clock; when these become something else,
only `_Window` changes. A driver lets a new host wait for a moment before it tells who is missing;
here that is told at once, and nothing is told of files and connections.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import patch

from lanuno.app.worker import follower as product
from lanuno.app.worker.follower import Follower, Told
from lanuno.net.gaps import Gaps
from lanuno.net.member_driver import MemberDriver
from lanuno.table import outputs
from lanuno.table.member import Member
from lanuno.table.outputs import Output
from tests.golden.roles import Role, watched

Hear = Callable[[int | None, Told, float], None]
"""Called with the seat of the owner (None: who only watches), what was told, and when."""

TABLE_NAME = "Kitchen table"

PASSED_ON = (
    outputs.Changed,
    outputs.ActionRefused,
    outputs.Stopped,
    outputs.Hosting,
    outputs.TableWaits,
    outputs.TableFrozen,
    outputs.MayClaim,
    outputs.ChatHeard,
    outputs.ReactionSeen,
    outputs.SpectatorsChanged,
    outputs.CutEntries,
)
"""Outputs that a driver passes on as they are."""

NEEDED_NO_MORE = (outputs.TableWaits, outputs.TableFrozen)
"""Not passed on once the log is closed."""


class _Clock:
    """The simulated time, and what is to be done at the end of a turn of the event loop."""

    def __init__(self) -> None:
        self.now = 0.0
        self.soon: list[Callable[[], None]] = []

    def monotonic(self) -> float:
        return self.now

    def get_running_loop(self) -> _Clock:
        return self

    def call_soon(self, work: Callable[[], None]) -> object:
        self.soon.append(work)
        return self

    def end_turn(self) -> None:
        while self.soon:
            self.soon.pop(0)()


class _Window:
    """The follower of one computer, and the driver as far as a follower looks at it."""

    def __init__(self, member: Member, begun: list[Output], hear: Hear, clock: _Clock) -> None:
        """`begun`: what the first input of the computer has put out."""
        self.member = member
        self.arrangements = SimpleNamespace(rounds=member._stay.rounds)
        self._over = False
        self._clock = clock
        driver = cast(MemberDriver, self)
        self._follower = Follower(lambda told: hear(member.seat, told, clock.now), lambda: driver)
        self._follower.named(TABLE_NAME)
        new = sum(isinstance(output, outputs.KeepEntry) for output in begun)
        kept = member.first.entries[: len(member.first.entries) - new]
        self._gaps = Gaps(self._follower, len(kept) if member._recalled else None)
        self._follower(outputs.TableBegan(member._genesis))
        self.session: Any = SimpleNamespace(entries=kept)
        if member._recalled:
            self._follower.catch_up(driver)
        self.session = member.first

    def take(self, out: list[Output]) -> None:
        """What the computer has put out after one input."""
        for output in out:
            if isinstance(output, outputs.Happened):
                self._follower(output.event)
            elif isinstance(output, NEEDED_NO_MORE) and self._over:
                continue
            elif isinstance(output, PASSED_ON):
                self._follower(output)
        self._gaps.look(self.member)
        self._over = self._over or self.member.replay.closed is not None
        self._clock.end_turn()


@contextmanager
def listening(hear: Hear) -> Iterator[None]:
    """Let a window follow every computer that is simulated meanwhile."""
    clock = _Clock()
    windows: dict[int, _Window] = {}

    def give(
        member: Member, name: str, roles: tuple[Role, Role], out: list[Output], now: float
    ) -> None:
        clock.now = now
        window = windows.get(id(member))
        if window is None:
            window = windows[id(member)] = _Window(member, out, hear, clock)
        window.take(out)

    with (
        patch.object(product, "time", clock),
        patch.object(product, "asyncio", clock),
        watched(give),
    ):
        yield
