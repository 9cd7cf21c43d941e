"""Who of a table wants to play again, after its log was closed, and whose computer opens the table.

Every computer that stays at the table has one. One of them, the *keeper*, counts the answers: the
host of the closed log, and once that is gone the next person in the order of the seats. The others
tell the keeper their own answer, and nobody else's; it tells everybody how they stand.

Nothing here is evidence, and nothing follows from it without a person: a computer opens a table, or
joins one, only if its own person has said yes, and joins only that of somebody who sat at this
table, by the identity in its roster. Sans I/O.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from lanuno.table import messages
from lanuno.table.outputs import Dial, Output, Peer, RematchStands, ToLink

ANSWER_SECONDS: Final = 20.0
"""Time to answer the first wish; then the table opens for those who said yes."""
ARRIVAL_SECONDS: Final = 3.0
"""Time after the end in which a computer that has said nothing may still say that it stays."""

Place = tuple[str, int]


class Rematch:
    """What one computer does about another match of the same people."""

    def __init__(
        self,
        seat: int | None,
        host: int,
        people: Iterable[int],
        *,
        uses: Callable[[Peer], bool],
        places: Callable[[int], tuple[Place, ...]],
    ) -> None:
        """`seat`: the own one; None to watch. `people`: seats of persons. `host`: of the log.

        `uses`: whether the spectator on this link is told anything. `places`: where the computer
        of a seat may be.
        """
        self._seat = seat
        self._people = tuple(people)
        self._uses = uses
        self._places = places
        self._keeper = host
        self._gone: set[int] = set()
        """Former keepers, and people who could not be reached to become one."""
        self._links: dict[Peer, int | None] = {}
        self._said: dict[int, bool] = {}
        """What each of the others has answered to this computer."""
        self._wanted: list[int] = []
        """Who wants to play again, in the order in which they said so."""
        self._opener: int | None = None
        self._told = messages.Rematch((), (), None)
        """How everything stands, as the keeper told last."""
        self._mine = False
        self._began = self._now = 0.0
        self._opens: float | None = None

    # ---- what it stands at ------------------------------------------------------------------

    @property
    def keeps(self) -> bool:
        """Whether this computer counts the answers."""
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
        """Who is there and answers, as the keeper knows."""
        assert self._seat is not None
        return tuple(sorted({self._seat, *self._said}))

    # ---- inputs -----------------------------------------------------------------------------

    def begin(self, links: Mapping[Peer, int | None], now: float) -> list[Output]:
        """The log is closed. `links`: connections that stand, by the seat of the person there."""
        self._began = self._now = now
        self._links.update(links)
        if self.keeps:
            return self._tell()
        if self._keeper in self._linked_people():
            return self._answer()
        return self._lose_keeper()

    def want(self, now: float) -> list[Output]:
        """The person here wants to play again."""
        self._now = now
        if self._seat is None or self._mine:
            return []
        self._mine = True
        if not self.keeps:
            return self._answer()
        self._wish(self._seat)
        return self._tell()

    def linked(self, link: Peer, seat: int | None, now: float) -> list[Output]:
        """Another connection stands."""
        self._now = now
        self._links[link] = seat
        if self.keeps or seat is None or seat != self._keeper:
            return []
        return self._answer()

    def unlinked(self, link: Peer, now: float) -> list[Output]:
        """A connection ended."""
        self._now = now
        seat = self._links.pop(link, None)
        if seat is None or seat in self._linked_people():
            return []
        said = self._said.pop(seat, None)
        if self.keeps:
            if said is None:
                return self._decide()
            if seat in self._wanted and self._opener is None:
                self._wanted.remove(seat)
                if not self._wanted:
                    self._opens = None
            return self._tell()
        return self._lose_keeper() if seat == self._keeper else []

    def unreachable(self, seat: int, now: float) -> list[Output]:
        """What `Dial` asked for did not come to be."""
        self._now = now
        here = seat in self._linked_people()
        return self._lose_keeper() if seat == self._keeper and not here else []

    def heard(
        self, link: Peer, message: messages.PlayAgain | messages.Rematch, now: float
    ) -> list[Output]:
        """Somebody answers, or the keeper tells how everything stands."""
        self._now = now
        seat = self._links.get(link)
        if seat is None or seat == self._seat or seat not in self._people:
            return []
        if isinstance(message, messages.PlayAgain):
            return self._hear_answer(link, seat, message.wanted)
        if seat != self._keeper:
            return []
        return self._hear_keeper(message)

    def tick(self, now: float) -> list[Output]:
        """Let time pass."""
        self._now = now
        return self._decide() if self.keeps else []

    # ---- the keeper -------------------------------------------------------------------------

    def _hear_answer(self, link: Peer, seat: int, wanted: bool) -> list[Output]:
        new = seat not in self._said
        # Also where this computer is not the keeper: it may be soon, and they are asked once.
        self._said[seat] = wanted
        if not self.keeps:
            return []
        if self._opener is None and wanted and seat not in self._wanted:
            self._wish(seat)
            new = True
        if new and self._opener is None:
            return self._tell()
        # Nothing changes: it was told before, or it is too late. Those who say yes now follow.
        return [ToLink(link, self._told)]

    def _wish(self, seat: int) -> None:
        self._wanted.append(seat)
        if self._opens is None:
            self._opens = self._now + ANSWER_SECONDS

    def _decide(self) -> list[Output]:
        """Choose who opens the next table, once everybody here wants it or the time is over."""
        before = self._opener
        self._choose()
        return self._tell() if self._opener != before else []

    def _choose(self) -> None:
        if self._opener is not None or self._opens is None:
            return
        missing = {*self._here()} - {*self._wanted}
        if self._now < self._began + ARRIVAL_SECONDS:
            missing |= (self._linked_people() & {*self._people}) - {*self._here()}
        if not missing or self._now >= self._opens:
            self._opener = self._seat if self._mine else self._wanted[0]

    def _tell(self) -> list[Output]:
        """Tell everybody how it stands, after choosing the opener if that is possible."""
        self._choose()
        self._told = messages.Rematch(self._here(), tuple(self._wanted), self._opener)
        out: list[Output] = [
            ToLink(link, self._told)
            for link, seat in self._links.items()
            if seat is not None or self._uses(link)
        ]
        return [*out, self._stands()]

    # ---- the others -------------------------------------------------------------------------

    def _answer(self) -> list[Output]:
        """Tell the keeper that this computer is here, and what its person wants."""
        if self._seat is None:
            return []
        answer = messages.PlayAgain(self._mine)
        return [ToLink(link, answer) for link, seat in self._links.items() if seat == self._keeper]

    def _hear_keeper(self, told: messages.Rematch) -> list[Output]:
        """Believe the keeper as far as there are such people."""
        known = {*self._people}
        here = tuple(seat for seat in dict.fromkeys(told.here) if seat in known)
        wanted = tuple(seat for seat in dict.fromkeys(told.wanted) if seat in known)
        opener = told.opener if told.opener in known else None
        self._told = messages.Rematch(here, wanted, opener)
        return [self._stands()]

    def _stands(self) -> RematchStands:
        told = self._told
        return RematchStands(told.here, told.wanted, told.opener, self._mine)

    def _lose_keeper(self) -> list[Output]:
        """The keeper is gone: the next person counts the answers, unless that was done."""
        self._gone.add(self._keeper)
        if self._seat is None or self._told.opener is not None:
            return []
        order = sorted(self._people)
        after = [each for each in order if each > self._keeper]
        before = [each for each in order if each < self._keeper]
        known = {*self._told.here, self._seat} if self._told.here else {*order}
        self._keeper = next(
            each for each in (*after, *before, self._seat) if each in known - self._gone
        )
        if self.keeps:
            linked = self._linked_people()
            self._said = {seat: yes for seat, yes in self._said.items() if seat in linked}
            if self._mine:
                self._wish(self._seat)
            for seat, yes in self._said.items():
                if yes:
                    self._wish(seat)
            # The others have lost the keeper as well, and are on their way.
            self._began = self._now
            return self._tell()
        if self._keeper in self._linked_people():
            return self._answer()
        return [Dial(self._keeper, self._places(self._keeper))]
