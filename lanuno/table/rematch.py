"""The rematch: who wants to play again after the close, and whose node opens the next table.

Every node that stays at the table has a `Rematch`. One of them, the *keeper*, counts the answers:
the host of the closed log or, once the host is gone, the next player in the order of the seats. The
other nodes send the keeper only their own answer; the keeper sends the state to all. If a keeper is
given up too early, there are two. The one later in that order then follows the earlier one as soon
as it receives its state, unless it has itself received answers.

Nothing here is evidence, and nothing happens without the player's consent. A node opens or joins a
table only if its own player has said yes, and joins only a table whose host had a seat in the
roster of this one, by identity. Sans I/O.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from lanuno.table import messages
from lanuno.table.outputs import Connect, Peer, RematchChanged, RematchOutput, Send

ANSWER_SECONDS: Final = 20.0
"""Time to answer after the first yes. Then the table opens for the players who said yes."""
ARRIVAL_SECONDS: Final = 3.0
"""Time for other nodes to connect and answer, after the close or after the keeper was lost."""
CONNECT_AGAIN_SECONDS: Final = 0.5
"""Pause between two attempts to reach the next keeper, which may not know yet that it is one."""

RematchPlace = tuple[str, int]


class Rematch:
    """One node's part in agreeing on another match of the same players."""

    def __init__(
        self,
        seat: int | None,
        host: int,
        people: Iterable[int],
        *,
        uses: Callable[[Peer], bool],
        places: Callable[[int], tuple[RematchPlace, ...]],
    ) -> None:
        """`seat`: this node's seat; None for a spectator. `people`: the seats of players, not bots.

        `host`: the host of the log. `uses`: whether a link carries the log to a spectator.
        `places`: the addresses of the node of a seat.
        """
        self._seat = seat
        self._people = tuple(people)
        after = sorted(each for each in self._people if each > host)
        before = sorted(each for each in self._people if each < host)
        self._succession = (host, *after, *before)
        """The order in which nodes become the keeper."""
        self._uses_link = uses
        self._places = places
        self._keeper = host
        self._gone: set[int] = set()
        """Former keepers, and players who could not be reached to become the keeper."""
        self._expected: set[int] = set()
        """Players who were here before this node became the keeper, and will connect to it."""
        self._reach_until = 0.0
        """Until when this node retries to connect to a keeper."""
        self._connect_at: float | None = None
        """When the next retry is due."""
        self._links: dict[Peer, int | None] = {}
        self._answers: dict[int, bool] = {}
        """The answers that this node has received, by seat."""
        self._wanted: list[int] = []
        """Seats that want to play again, in the order of their answers."""
        self._opener: int | None = None
        self._last_state = messages.RematchState((), (), None)
        """The last state from the keeper."""
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
        """When `tick` must be called at the latest; None if no timer is running."""
        if not self.keeps:
            return self._connect_at
        if self._opens is None or self._opener is not None:
            return None
        until = self._began + ARRIVAL_SECONDS
        return min(self._opens, until) if self._now < until else self._opens

    def _linked_people(self) -> set[int]:
        return {seat for seat in self._links.values() if seat is not None}

    def _here(self) -> tuple[int, ...]:
        """Return the seats that are here and have answered, as the keeper knows."""
        assert self._seat is not None
        return tuple(sorted({self._seat, *self._answers}))

    # ---- inputs -----------------------------------------------------------------------------

    def begin(self, links: Mapping[Peer, int | None], now: float) -> list[RematchOutput]:
        """Start after the close. `links`: the connections that are up, with the seat of each."""
        self._began = self._now = now
        self._links.update(links)
        if self.keeps:
            return self._send_state()
        if self._keeper in self._linked_people():
            return self._send_answer()
        return self._lose_keeper()

    def want(self, now: float) -> list[RematchOutput]:
        """Record that this node's player wants to play again."""
        self._now = now
        if self._seat is None or self._mine:
            return []
        self._mine = True
        if not self.keeps:
            return self._send_answer()
        self._wish(self._seat)
        return self._send_state()

    def link_up(self, link: Peer, seat: int | None, now: float) -> list[RematchOutput]:
        """A new connection is up."""
        self._now = now
        self._links[link] = seat
        if self.keeps and seat in self._people:
            # The other node may also be a keeper, and come after this one in the order.
            return [Send(link, self._last_state)]
        if seat is None or seat != self._keeper:
            return []
        self._connect_at = None
        return self._send_answer()

    def link_down(self, link: Peer, now: float) -> list[RematchOutput]:
        """A connection ended."""
        self._now = now
        seat = self._links.pop(link, None)
        if seat is None or seat in self._linked_people():
            return []
        self._expected.discard(seat)
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

    def connect_failed(self, seat: int, now: float) -> list[RematchOutput]:
        """A connection requested by `Connect` could not be made."""
        self._now = now
        if seat != self._keeper or seat in self._linked_people():
            return []
        if now < self._reach_until:
            self._connect_at = now + CONNECT_AGAIN_SECONDS
            return []
        return self._lose_keeper()

    def receive(
        self, link: Peer, message: messages.PlayAgain | messages.RematchState, now: float
    ) -> list[RematchOutput]:
        """Handle a player's answer or the keeper's state."""
        self._now = now
        seat = self._links.get(link)
        if seat is None or seat == self._seat or seat not in self._people:
            return []
        if isinstance(message, messages.PlayAgain):
            return self._take_answer(link, seat, message.wanted)
        if seat == self._keeper:
            return self._take_state(message)
        relied_on = self.keeps and self._answers
        if self._is_before_keeper(seat) and not relied_on and self._last_state.opener is None:
            self._keeper = seat
            self._gone.discard(seat)
            self._connect_at = None
            return [*self._take_state(message), *self._send_answer()]
        return []

    def tick(self, now: float) -> list[RematchOutput]:
        """Act on the passage of time."""
        self._now = now
        if self.keeps:
            return self._decide()
        if self._connect_at is None or now < self._connect_at:
            return []
        self._connect_at = None
        return [self._connect()]

    # ---- the keeper -------------------------------------------------------------------------

    def _take_answer(self, link: Peer, seat: int, wanted: bool) -> list[RematchOutput]:
        new = seat not in self._answers
        # Keep it even if this node is not the keeper: it may become the keeper soon, and the other
        # node does not repeat its answer.
        self._answers[seat] = wanted
        if not self.keeps:
            return []
        if self._opener is None and wanted and seat not in self._wanted:
            self._wish(seat)
            new = True
        if new and self._opener is None:
            return self._send_state()
        # Nothing changes: the answer is known already, or came after the opener was chosen.
        return [Send(link, self._last_state)]

    def _wish(self, seat: int) -> None:
        self._wanted.append(seat)
        if self._opens is None:
            self._opens = self._now + ANSWER_SECONDS

    def _decide(self) -> list[RematchOutput]:
        """Choose the opener, once everybody here wants to play again or the time is over."""
        before = self._opener
        self._choose()
        return self._send_state() if self._opener != before else []

    def _choose(self) -> None:
        if self._opener is not None or self._opens is None:
            return
        missing = {*self._here()} - {*self._wanted}
        if self._now < self._began + ARRIVAL_SECONDS:
            arriving = self._expected | (self._linked_people() & {*self._people})
            missing |= arriving - {*self._here()}
        if not missing or self._now >= self._opens:
            self._opener = self._seat if self._mine else self._wanted[0]

    def _send_state(self) -> list[RematchOutput]:
        """Send the state to all, after choosing the opener if possible."""
        self._choose()
        self._last_state = messages.RematchState(self._here(), tuple(self._wanted), self._opener)
        out: list[RematchOutput] = [
            Send(link, self._last_state)
            for link, seat in self._links.items()
            if seat is not None or self._uses_link(link)
        ]
        return [*out, self._state()]

    # ---- the others -------------------------------------------------------------------------

    def _send_answer(self) -> list[RematchOutput]:
        """Send the keeper this player's answer, which also shows that this node is here."""
        if self._seat is None:
            return []
        answer = messages.PlayAgain(self._mine)
        return [Send(link, answer) for link, seat in self._links.items() if seat == self._keeper]

    def _take_state(self, state: messages.RematchState) -> list[RematchOutput]:
        """Accept the keeper's state, ignoring seats that are not players'."""
        known = {*self._people}
        here = tuple(seat for seat in dict.fromkeys(state.here) if seat in known)
        wanted = tuple(seat for seat in dict.fromkeys(state.wanted) if seat in known)
        opener = state.opener if state.opener in known else None
        self._last_state = messages.RematchState(here, wanted, opener)
        return [self._state()]

    def _state(self) -> RematchChanged:
        last = self._last_state
        return RematchChanged(last.here, last.wanted, last.opener, self._mine)

    def _lose_keeper(self) -> list[RematchOutput]:
        """Make the next player the keeper, unless the opener is chosen already."""
        self._gone.add(self._keeper)
        if self._seat is None or self._last_state.opener is not None:
            return []
        here = self._last_state.here
        # Before this time, the lost keeper may not have received everybody's answer.
        all_answered = here and self._now >= self._began + ARRIVAL_SECONDS
        remaining = ({*here, self._seat} if all_answered else {*self._people}) - self._gone
        self._began = self._now
        self._keeper = next(each for each in self._succession if each in remaining)
        self._connect_at = None
        if self.keeps:
            linked = self._linked_people()
            self._answers = {seat: yes for seat, yes in self._answers.items() if seat in linked}
            self._wanted, self._opens = [], None
            if self._mine:
                self._wish(self._seat)
            for seat, yes in self._answers.items():
                if yes:
                    self._wish(seat)
            # The other nodes have lost the keeper as well, and are connecting.
            self._expected = remaining - {self._seat}
            return self._send_state()
        if self._keeper in self._linked_people():
            return self._send_answer()
        self._reach_until = self._now + ARRIVAL_SECONDS
        return [self._connect()]

    def _connect(self) -> Connect:
        return Connect(self._keeper, self._places(self._keeper))

    def _is_before_keeper(self, seat: int) -> bool:
        return self._succession.index(seat) < self._succession.index(self._keeper)
