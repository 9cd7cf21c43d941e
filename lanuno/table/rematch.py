"""The rematch: who wants to play again after the close, and whose node opens the next table.

Every node that stays at the table has a `Rematch`. One of them, the *keeper*, counts the answers:
the host of the closed log, and once that is gone the next person in the order of the seats. Every
other node sends the keeper its own answer only; the keeper sends the state to all.

Nothing here is evidence, and nothing follows from it without a person: a node opens a table, or
joins one, only if its own person has said yes, and joins only the table of a player of this one, by
the identity in its roster. Sans I/O.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from lanuno.table import messages
from lanuno.table.outputs import Connect, Output, Peer, RematchChanged, Send

ANSWER_SECONDS: Final = 20.0
"""Time to answer the first wish; then the table opens for the players who said yes."""
ARRIVAL_SECONDS: Final = 3.0
"""Time after the close in which a node that has not answered may still do so."""

RematchPlace = tuple[str, int]


class Rematch:
    """One node's part in agreeing on another match of the same people."""

    def __init__(
        self,
        seat: int | None,
        host: int,
        people: Iterable[int],
        *,
        uses: Callable[[Peer], bool],
        places: Callable[[int], tuple[RematchPlace, ...]],
    ) -> None:
        """`seat`: the own one; None to watch. `people`: seats of persons. `host`: of the log.

        `uses`: whether this link carries the log to a spectator. `places`: the addresses of the
        node of a seat.
        """
        self._seat = seat
        self._people = tuple(people)
        self._uses_link = uses
        self._places = places
        self._keeper = host
        self._gone: set[int] = set()
        """Former keepers, and people who could not be reached to become one."""
        self._links: dict[Peer, int | None] = {}
        self._answers: dict[int, bool] = {}
        """The answer of each of the others to this node."""
        self._wanted: list[int] = []
        """Seats that want to play again, in the order of their answers."""
        self._opener: int | None = None
        self._last_state = messages.RematchState((), (), None)
        """The state as the keeper sent it last."""
        self._mine = False
        self._began = self._now = 0.0
        self._opens: float | None = None

    # ---- state ------------------------------------------------------------------------------

    @property
    def keeps(self) -> bool:
        """Whether this node counts the answers."""
        return self._seat is not None and self._keeper == self._seat

    @property
    def deadline(self) -> float | None:
        """When `tick` must be called at the latest; None if nothing waits for time."""
        if not self.keeps or self._opens is None or self._opener is not None:
            return None
        until = self._began + ARRIVAL_SECONDS
        return min(self._opens, until) if self._now < until else self._opens

    def _linked_people(self) -> set[int]:
        return {seat for seat in self._links.values() if seat is not None}

    def _here(self) -> tuple[int, ...]:
        """Seats that have answered and are there, as the keeper knows."""
        assert self._seat is not None
        return tuple(sorted({self._seat, *self._answers}))

    # ---- inputs -----------------------------------------------------------------------------

    def begin(self, links: Mapping[Peer, int | None], now: float) -> list[Output]:
        """The log is closed. `links`: the connections that are up, with the seat of each."""
        self._began = self._now = now
        self._links.update(links)
        if self.keeps:
            return self._send_state()
        if self._keeper in self._linked_people():
            return self._send_answer()
        return self._lose_keeper()

    def want(self, now: float) -> list[Output]:
        """The person here wants to play again."""
        self._now = now
        if self._seat is None or self._mine:
            return []
        self._mine = True
        if not self.keeps:
            return self._send_answer()
        self._wish(self._seat)
        return self._send_state()

    def link_up(self, link: Peer, seat: int | None, now: float) -> list[Output]:
        """Another connection is up."""
        self._now = now
        self._links[link] = seat
        if self.keeps or seat is None or seat != self._keeper:
            return []
        return self._send_answer()

    def link_down(self, link: Peer, now: float) -> list[Output]:
        """A connection ended."""
        self._now = now
        seat = self._links.pop(link, None)
        if seat is None or seat in self._linked_people():
            return []
        answer = self._answers.pop(seat, None)
        if self.keeps:
            if answer is None:
                return self._decide()
            if seat in self._wanted and self._opener is None:
                self._wanted.remove(seat)
                if not self._wanted:
                    self._opens = None
            return self._send_state()
        return self._lose_keeper() if seat == self._keeper else []

    def connect_failed(self, seat: int, now: float) -> list[Output]:
        """A connection that `Connect` asked for could not be made."""
        self._now = now
        here = seat in self._linked_people()
        return self._lose_keeper() if seat == self._keeper and not here else []

    def receive(
        self, link: Peer, message: messages.PlayAgain | messages.RematchState, now: float
    ) -> list[Output]:
        """A player answers, or the keeper sends the state."""
        self._now = now
        seat = self._links.get(link)
        if seat is None or seat == self._seat or seat not in self._people:
            return []
        if isinstance(message, messages.PlayAgain):
            return self._take_answer(link, seat, message.wanted)
        if seat != self._keeper:
            return []
        return self._take_state(message)

    def tick(self, now: float) -> list[Output]:
        """Let time pass."""
        self._now = now
        return self._decide() if self.keeps else []

    # ---- the keeper -------------------------------------------------------------------------

    def _take_answer(self, link: Peer, seat: int, wanted: bool) -> list[Output]:
        new = seat not in self._answers
        # Kept even if this node is not the keeper: it may be soon, and each node answers once.
        self._answers[seat] = wanted
        if not self.keeps:
            return []
        if self._opener is None and wanted and seat not in self._wanted:
            self._wish(seat)
            new = True
        if new and self._opener is None:
            return self._send_state()
        # Nothing changes: the answer is known, or comes too late to open the table.
        return [Send(link, self._last_state)]

    def _wish(self, seat: int) -> None:
        self._wanted.append(seat)
        if self._opens is None:
            self._opens = self._now + ANSWER_SECONDS

    def _decide(self) -> list[Output]:
        """Choose who opens the next table, once all who are here want it or the time is over."""
        before = self._opener
        self._choose()
        return self._send_state() if self._opener != before else []

    def _choose(self) -> None:
        if self._opener is not None or self._opens is None:
            return
        missing = {*self._here()} - {*self._wanted}
        if self._now < self._began + ARRIVAL_SECONDS:
            missing |= (self._linked_people() & {*self._people}) - {*self._here()}
        if not missing or self._now >= self._opens:
            self._opener = self._seat if self._mine else self._wanted[0]

    def _send_state(self) -> list[Output]:
        """Send the state to all, after choosing the opener if that is possible."""
        self._choose()
        self._last_state = messages.RematchState(self._here(), tuple(self._wanted), self._opener)
        out: list[Output] = [
            Send(link, self._last_state)
            for link, seat in self._links.items()
            if seat is not None or self._uses_link(link)
        ]
        return [*out, self._state()]

    # ---- the others -------------------------------------------------------------------------

    def _send_answer(self) -> list[Output]:
        """Send the keeper that this node is here, and what its person wants."""
        if self._seat is None:
            return []
        answer = messages.PlayAgain(self._mine)
        return [Send(link, answer) for link, seat in self._links.items() if seat == self._keeper]

    def _take_state(self, state: messages.RematchState) -> list[Output]:
        """Take the state of the keeper, as far as its seats belong to people."""
        known = {*self._people}
        here = tuple(seat for seat in dict.fromkeys(state.here) if seat in known)
        wanted = tuple(seat for seat in dict.fromkeys(state.wanted) if seat in known)
        opener = state.opener if state.opener in known else None
        self._last_state = messages.RematchState(here, wanted, opener)
        return [self._state()]

    def _state(self) -> RematchChanged:
        last = self._last_state
        return RematchChanged(last.here, last.wanted, last.opener, self._mine)

    def _lose_keeper(self) -> list[Output]:
        """The keeper is gone: the next person counts the answers, unless the opener is chosen."""
        self._gone.add(self._keeper)
        if self._seat is None or self._last_state.opener is not None:
            return []
        order = sorted(self._people)
        after = [each for each in order if each > self._keeper]
        before = [each for each in order if each < self._keeper]
        known = {*self._last_state.here, self._seat} if self._last_state.here else {*order}
        self._keeper = next(
            each for each in (*after, *before, self._seat) if each in known - self._gone
        )
        if self.keeps:
            linked = self._linked_people()
            self._answers = {seat: yes for seat, yes in self._answers.items() if seat in linked}
            if self._mine:
                self._wish(self._seat)
            for seat, yes in self._answers.items():
                if yes:
                    self._wish(seat)
            # The others have lost the keeper as well, and are connecting.
            self._began = self._now
            return self._send_state()
        if self._keeper in self._linked_people():
            return self._send_answer()
        return [Connect(self._keeper, self._places(self._keeper))]
