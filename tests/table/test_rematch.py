"""Who of a closed table wants a rematch: nodes that communicate by messages only."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from lanuno.table.messages import PlayAgain, RematchState
from lanuno.table.outputs import Connect, Output, RematchChanged, Send
from lanuno.table.rematch import (
    ANSWER_SECONDS,
    ARRIVAL_SECONDS,
    CONNECT_AGAIN_SECONDS,
    Rematch,
)

SPECTATOR = 90
OTHER_SPECTATOR = 91
"""Links of spectators: connected, and sent nothing."""


@dataclass
class Node:
    """A node of the closed table, and what it reported to its player."""

    rematch: Rematch
    told: list[RematchChanged] = field(default_factory=list)
    here: bool = True

    @property
    def last(self) -> RematchChanged:
        return self.told[-1]


@dataclass
class RematchNodes:
    """All nodes of a closed table. A link has the number of the seat at its other end."""

    people: tuple[int, ...] = (0, 1, 2, 3)
    host: int = 0
    silent: tuple[int, ...] = ()
    """Players whose programs do not know about rematches."""
    now: float = 1000.0

    def __post_init__(self) -> None:
        self.mail: deque[tuple[int, int, PlayAgain | RematchState]] = deque()
        self.dialled: list[tuple[int, int]] = []
        self.out_of_reach: set[int] = set()
        self.all = {
            seat: Node(
                Rematch(
                    seat if seat < SPECTATOR else None,
                    self.host,
                    self.people,
                    uses=lambda link: link == SPECTATOR,
                    places=lambda seat: (("192.0.2.1", 4000 + seat),),
                )
            )
            for seat in (*self.people, SPECTATOR, OTHER_SPECTATOR)
            if seat not in self.silent
        }
        self.links: set[frozenset[int]] = {
            frozenset((self.host, seat)) for seat in (*self.all, *self.silent)
        }
        self.links.discard(frozenset((self.host,)))
        for seat in self.all:
            self.do(seat, self.all[seat].rematch.begin(self.ends(seat), self.now))
        self.run()

    def ends(self, seat: int) -> dict[int, int | None]:
        others = [other for link in self.links if seat in link for other in link - {seat}]
        return {other: other if other < SPECTATOR else None for other in sorted(others)}

    def do(self, seat: int, todo: Sequence[Output]) -> None:
        for output in todo:
            if isinstance(output, Send):
                assert isinstance(output.message, PlayAgain | RematchState)
                if frozenset((seat, output.link)) in self.links and output.link in self.all:
                    self.mail.append((seat, output.link, output.message))
            elif isinstance(output, RematchChanged):
                self.all[seat].told.append(output)
            else:
                assert isinstance(output, Connect)
                assert output.places == (("192.0.2.1", 4000 + output.seat),)
                self.dialled.append((seat, output.seat))

    def run(self) -> None:
        """Deliver all messages."""
        while self.mail or self.dialled:
            if self.mail:
                sender, to, message = self.mail.popleft()
                if self.all[to].here:
                    self.do(to, self.all[to].rematch.receive(sender, message, self.now))
            else:
                self.dial(*self.dialled.pop(0))

    def dial(self, caller: int, called: int) -> None:
        if called in self.out_of_reach or called not in self.all or not self.all[called].here:
            self.do(caller, self.all[caller].rematch.connect_failed(called, self.now))
            return
        self.links.add(frozenset((caller, called)))
        self.do(called, self.all[called].rematch.link_up(caller, caller, self.now))
        self.do(caller, self.all[caller].rematch.link_up(called, called, self.now))

    def want(self, *seats: int) -> None:
        for seat in seats:
            self.do(seat, self.all[seat].rematch.want(self.now))
            self.run()

    def leave(self, seat: int) -> None:
        if seat in self.all:
            self.all[seat].here = False
        for link in [link for link in self.links if seat in link]:
            self.links.remove(link)
            (other,) = link - {seat}
            if other in self.all and self.all[other].here:
                self.do(other, self.all[other].rematch.link_down(seat, self.now))
        self.run()

    def wait(self, seconds: float) -> None:
        """Let time pass as a driver does, stopping at every deadline."""
        until = self.now + seconds
        while True:
            waits = {
                seat: each.rematch.deadline
                for seat, each in self.all.items()
                if each.here and each.rematch.deadline is not None
            }
            seat = min(waits, key=lambda each: waits[each] or 0.0, default=None)
            moment = None if seat is None else waits[seat]
            if seat is None or moment is None or moment > until:
                break
            self.now = max(self.now, moment)
            self.do(seat, self.all[seat].rematch.tick(self.now))
            self.run()
        self.now = until

    def keepers(self) -> list[int]:
        return [seat for seat, each in self.all.items() if each.here and each.rematch.keeps]

    def openers(self) -> set[int | None]:
        return {each.last.opener for each in self.all.values() if each.here and each.told}


def test_everybody_hears_who_wants_to_play_again() -> None:
    nodes = RematchNodes()
    nodes.want(2)
    for seat in (0, 1, 2, 3, SPECTATOR):
        last = nodes.all[seat].last
        assert (last.here, last.wanted, last.opener) == ((0, 1, 2, 3), (2,), None)
        assert last.mine == (seat == 2)
    assert nodes.all[OTHER_SPECTATOR].told == [], "who does not watch is told nothing"
    told = len(nodes.all[1].told)
    nodes.want(2)
    assert len(nodes.all[1].told) == told, "once is enough"


def test_the_host_opens_the_table_once_all_who_are_here_want_it() -> None:
    nodes = RematchNodes()
    nodes.want(2, 0, 3)
    assert nodes.openers() == {None}
    nodes.want(1)
    assert nodes.openers() == {0}
    assert nodes.all[SPECTATOR].last.wanted == (2, 0, 3, 1)


def test_a_player_who_does_not_answer_is_awaited_briefly_and_can_follow_later() -> None:
    nodes = RematchNodes()
    nodes.want(0, 1)
    nodes.wait(ANSWER_SECONDS - 1)
    assert nodes.openers() == {None}
    nodes.wait(1)
    assert nodes.openers() == {0}
    assert [nodes.all[seat].last.mine for seat in range(4)] == [True, True, False, False]
    nodes.want(3)
    assert nodes.all[3].last.opener == 0
    assert nodes.all[3].last.mine


def test_no_table_is_opened_at_a_host_who_does_not_want_to() -> None:
    """The first player who asked opens it instead."""
    nodes = RematchNodes()
    nodes.want(3, 1)
    nodes.wait(ANSWER_SECONDS)
    assert nodes.openers() == {3}


def test_a_player_who_leaves_is_not_awaited() -> None:
    nodes = RematchNodes()
    nodes.want(0, 1)
    nodes.leave(2)
    assert nodes.openers() == {None}
    nodes.leave(3)
    assert nodes.openers() == {0}
    assert nodes.all[1].last.here == (0, 1)


def test_the_wish_of_a_player_who_leaves_is_withdrawn() -> None:
    nodes = RematchNodes()
    nodes.want(2)
    nodes.leave(2)
    assert (nodes.all[1].last.wanted, nodes.all[1].last.here) == ((), (0, 1, 3))
    nodes.wait(2 * ANSWER_SECONDS)
    assert nodes.openers() == {None}
    nodes.want(1, 3)
    nodes.leave(3)
    assert nodes.all[0].last.wanted == (1,)
    nodes.wait(ANSWER_SECONDS)
    assert nodes.openers() == {1}


def test_a_program_that_never_answers_is_waited_for_a_moment() -> None:
    """It may be about to answer, or to exit immediately, as a command does."""
    nodes = RematchNodes(people=(0, 1, 2), silent=(2,))
    nodes.want(0, 1)
    assert nodes.openers() == {None}
    nodes.wait(ARRIVAL_SECONDS)
    assert nodes.openers() == {0}
    gone = RematchNodes(people=(0, 1, 2), silent=(2,))
    gone.want(0, 1)
    gone.leave(2)
    assert gone.openers() == {0}


def test_when_the_host_leaves_the_next_person_counts_the_answers() -> None:
    nodes = RematchNodes()
    nodes.want(3)
    nodes.leave(0)
    assert [nodes.all[seat].rematch.keeps for seat in (1, 2, 3)] == [True, False, False]
    for seat in (1, 2, 3):
        last = nodes.all[seat].last
        assert (last.here, last.wanted, last.opener) == ((1, 2, 3), (3,), None)
    nodes.want(1, 2)
    assert nodes.openers() - {None} == {1}
    assert nodes.all[3].last.opener == 1
    assert not nodes.all[SPECTATOR].rematch.keeps


def test_an_unreachable_keeper_is_replaced_by_the_next_player() -> None:
    nodes = RematchNodes(host=2)
    nodes.out_of_reach = {3}
    nodes.want(1)
    nodes.leave(2)
    assert nodes.keepers() == [3], "it is tried again"
    nodes.wait(ARRIVAL_SECONDS)
    # The third keeps its own list, which is empty.
    assert nodes.keepers() == [0, 3]
    nodes.want(0)
    assert nodes.all[1].last.opener == 0
    assert nodes.all[3].last.here == (3,)


def test_a_player_who_is_alone_opens_the_table_at_once() -> None:
    nodes = RematchNodes(people=(0, 1))
    nodes.leave(0)
    nodes.want(1)
    assert nodes.all[1].last.opener == 1
    late = RematchNodes(people=(0, 1))
    late.want(1)
    late.leave(0)
    assert late.all[1].last.opener == 1


def test_a_node_that_lost_the_host_before_the_end_connects_to_the_next_keeper() -> None:
    lonely = Rematch(2, 0, (0, 1, 2), uses=lambda _: False, places=lambda _: ())
    assert lonely.begin({}, 0.0) == [Connect(1, ())]
    now = 0.0
    while now < ARRIVAL_SECONDS:
        assert lonely.connect_failed(1, now) == []
        assert lonely.deadline == now + CONNECT_AGAIN_SECONDS
        assert lonely.tick(now) == []
        now = lonely.deadline
        assert lonely.tick(now) == [Connect(1, ())]
        assert lonely.tick(now) == []
    [stands] = lonely.connect_failed(1, now)
    assert stands == RematchChanged((2,), (), None, False)


def test_a_player_whose_answer_is_in_transit_is_still_the_next_keeper() -> None:
    """A host that leaves immediately has sent a state without the answers still in transit."""
    mine = Rematch(2, 0, (0, 1, 2), uses=lambda _: False, places=lambda _: ())
    mine.begin({5: 0}, 0.0)
    mine.receive(5, RematchState((0, 2), (), None), 0.1)
    assert mine.link_down(5, 0.3) == [Connect(1, ())]
    later = Rematch(2, 0, (0, 1, 2), uses=lambda _: False, places=lambda _: ())
    later.begin({5: 0}, 0.0)
    later.receive(5, RematchState((0, 2), (), None), 0.1)
    assert later.link_down(5, ARRIVAL_SECONDS) == [RematchChanged((2,), (), None, False)]


def test_an_attempt_that_failed_makes_no_second_list() -> None:
    """The node may have requested the connection for another reason, before the close."""
    nodes = RematchNodes(people=(0, 1, 2))
    nodes.out_of_reach = {1}
    nodes.want(2)
    nodes.leave(0)
    assert nodes.keepers() == [1]
    nodes.out_of_reach.clear()
    nodes.wait(CONNECT_AGAIN_SECONDS)
    assert nodes.all[1].last.wanted == (2,)
    nodes.want(1)
    assert nodes.openers() - {None} == {1}


def test_the_later_of_two_keepers_follows_the_earlier() -> None:
    nodes = RematchNodes(people=(0, 1, 2))
    nodes.out_of_reach = {1}
    nodes.leave(0)
    nodes.wait(ARRIVAL_SECONDS)
    assert nodes.keepers() == [1, 2]
    # This connection was already being made when the attempt was given up.
    nodes.out_of_reach.clear()
    nodes.dial(2, 1)
    nodes.run()
    assert nodes.keepers() == [1]
    nodes.want(2, 1)
    assert nodes.openers() - {None} == {1}
    assert nodes.all[2].last == RematchChanged((1, 2), (2, 1), 1, True)


def test_a_node_that_becomes_keeper_again_begins_with_an_empty_list() -> None:
    mine = Rematch(2, 0, (0, 1, 2, 3), uses=lambda _: False, places=lambda _: ())
    mine.begin({}, 0.0)
    mine.connect_failed(1, ARRIVAL_SECONDS)
    assert mine.want(4.0)[-1] == RematchChanged((2,), (2,), None, True)
    mine.link_up(5, 1, 5.0)
    mine.receive(5, RematchState((1,), (), None), 5.0)
    assert mine.deadline is None, "it counts no more"
    assert mine.link_down(5, 5.5)[-1] == RematchChanged((2,), (2,), None, True)
    assert mine.deadline == 5.5 + ARRIVAL_SECONDS


def test_a_node_that_is_not_keeper_follows_the_earlier_one_despite_answers() -> None:
    """Answers sent here before any node counted hold back only a keeper."""
    mine = Rematch(3, 0, (0, 1, 2, 3), uses=lambda _: False, places=lambda _: ())
    mine.begin({6: 2, 7: 1}, 0.0)
    assert mine.link_down(7, 1.0) == [Send(6, PlayAgain(False))]
    mine.receive(6, PlayAgain(False), 1.0)
    mine.link_up(8, 1, 2.0)
    told = mine.receive(8, RematchState((1,), (1,), None), 2.0)
    assert told == [RematchChanged((1,), (1,), None, False), Send(8, PlayAgain(False))]


def test_nobody_follows_another_while_others_count_on_it() -> None:
    """The nodes that count on it would receive nothing any more."""
    nodes = RematchNodes(people=(0, 1, 2, 3))
    nodes.out_of_reach = {1}
    nodes.leave(0)
    nodes.wait(ARRIVAL_SECONDS)
    nodes.out_of_reach.clear()
    nodes.dial(2, 1)
    nodes.run()
    assert nodes.keepers() == [1, 2]
    nodes.want(3, 2)
    nodes.wait(ARRIVAL_SECONDS)
    assert nodes.all[3].last.opener == 2


def test_the_next_keeper_gives_the_others_time_to_connect() -> None:
    """Otherwise, if it wants to play again, it would open a table as if it were alone."""
    mine = Rematch(1, 0, (0, 1, 2), uses=lambda _: False, places=lambda _: ())
    mine.begin({5: 0}, 0.0)
    mine.receive(5, RematchState((0, 1, 2), (1,), None), 0.0)
    mine.want(0.0)
    assert mine.link_down(5, 10.0)[-1] == RematchChanged((1,), (1,), None, True)
    assert mine.deadline == 10.0 + ARRIVAL_SECONDS
    mine.link_up(6, 2, 11.0)
    assert mine.receive(6, PlayAgain(True), 11.0)[-1] == RematchChanged((1, 2), (1, 2), 1, True)


def test_answers_from_before_a_node_became_keeper_count() -> None:
    """Another node may have noticed first that the host is gone."""
    mine = Rematch(1, 0, (0, 1, 2, 3), uses=lambda _: False, places=lambda _: ())
    assert mine.begin({5: 0, 6: 2, 7: 3}, 0.0) == [Send(5, PlayAgain(False))]
    mine.want(0.0)
    assert mine.receive(6, PlayAgain(True), 0.0) == []
    assert mine.receive(7, PlayAgain(False), 0.0) == []
    out = mine.link_down(5, 0.0)
    assert out[-1] == RematchChanged((1, 2, 3), (1, 2), None, True)
    assert mine.link_down(99, 0.0) == []


def test_the_next_keeper_is_told_at_once_where_there_is_a_link_to_it() -> None:
    mine = Rematch(2, 0, (0, 1, 2), uses=lambda _: False, places=lambda _: ())
    mine.begin({5: 0, 6: 1}, 0.0)
    mine.want(0.0)
    assert mine.link_down(5, 0.0) == [Send(6, PlayAgain(True))]


def test_once_it_is_decided_nobody_takes_the_place_of_the_keeper() -> None:
    """The keeper has left in order to open the table."""
    nodes = RematchNodes()
    nodes.want(0, 1, 2)
    nodes.wait(ANSWER_SECONDS)
    nodes.leave(0)
    assert not any(each.rematch.keeps for seat, each in nodes.all.items() if seat)
    assert nodes.openers() == {0}
    # A player who goes to it changes nothing either.
    kept = RematchNodes()
    kept.want(1, 2)
    kept.wait(ANSWER_SECONDS)
    kept.leave(1)
    assert kept.openers() == {1}
    assert kept.all[0].last.wanted == (1, 2)


# ---- lies -------------------------------------------------------------------------------------


def test_a_guest_can_answer_only_for_itself() -> None:
    """A guest can send its own answer to the keeper; anything else that it sends is ignored."""
    nodes = RematchNodes()
    host, guest = nodes.all[0].rematch, nodes.all[1].rematch
    assert host.receive(1, RematchState((0, 1, 2, 3), (0, 1, 2, 3), 1), nodes.now) == []
    nodes.dial(2, 1)
    before = len(nodes.all[1].told)
    assert guest.receive(2, RematchState((1, 2), (1, 2), 2), nodes.now) == []
    assert len(nodes.all[1].told) == before
    # Neither a spectator nor an unknown connection has an answer.
    assert host.receive(SPECTATOR, PlayAgain(True), nodes.now) == []
    assert host.receive(77, PlayAgain(True), nodes.now) == []
    assert nodes.all[0].last.wanted == ()


def test_a_keeper_can_name_only_people_of_the_table() -> None:
    mine = Rematch(1, 0, (0, 1, 2), uses=lambda _: False, places=lambda _: ())
    mine.begin({5: 0}, 0.0)
    out = mine.receive(5, RematchState((9, 0, 1, 1), (4, 2, 2), 7), 0.0)
    assert out == [RematchChanged((0, 1), (2,), None, False)]
    assert mine.receive(5, RematchState((0, 1), (0,), 1), 0.0) == [
        RematchChanged((0, 1), (0,), 1, False)
    ], "that the person here does not want to is known here"


def test_an_answer_that_changes_nothing_is_not_told_to_the_others() -> None:
    nodes = RematchNodes()
    host = nodes.all[0].rematch
    assert len(host.receive(1, PlayAgain(True), nodes.now)) > 1
    stands = RematchState((0, 1, 2, 3), (1,), None)
    for answer in [True] * 9 + [False] * 9:
        assert host.receive(1, PlayAgain(answer), nodes.now) == [Send(1, stands)]


def test_a_yes_counts_however_many_answers_came_before_it() -> None:
    """Every new connection sends an answer again."""
    nodes = RematchNodes()
    host = nodes.all[0].rematch
    for _ in range(20):
        host.receive(1, PlayAgain(False), nodes.now)
    host.receive(1, PlayAgain(True), nodes.now)
    nodes.want(2)
    assert nodes.all[0].last.wanted == (1, 2)


@pytest.mark.parametrize("seat", [None, 1])
def test_a_node_that_counts_no_answers_waits_for_nothing(seat: int | None) -> None:
    mine = Rematch(seat, 0, (0, 1, 2), uses=lambda _: False, places=lambda _: ())
    mine.begin({5: 0}, 0.0)
    wished = mine.want(0.0)
    assert wished == ([] if seat is None else [Send(5, PlayAgain(True))])
    assert mine.deadline is None
    assert mine.tick(100.0) == []
