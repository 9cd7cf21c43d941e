"""Seats in a lobby, without a network: what they send and store, and how they end."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from lanuno.log.format.genesis import VERSION, Genesis
from lanuno.net.runtime.endings import TableEnding
from lanuno.net.runtime.lobby_seat import LobbySeatRuntime
from lanuno.rules.match.tournament import TOURNAMENT_PLAYERS
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.table import messages, outputs
from lanuno.table.lobby.host import Lobby
from lanuno.table.lobby.peer import Seating
from lanuno.table.messages import AtTable, LobbyRefusal
from tests.harness.host_and_seats.simulated_lobby import HOST, LOBBY, identity, offer, public


@dataclass
class Room:
    """A lobby for two, and the queue of all messages."""

    lobby: Lobby = field(default_factory=lambda: Lobby(offer(capacity=2)))
    queue: deque[Callable[[], None]] = field(default_factory=deque)
    seats: dict[int, LobbySeatRuntime] = field(default_factory=dict)
    sent: list[AtTable] = field(default_factory=list)
    """The messages of all guests to the host."""
    done: list[object] = field(default_factory=list)
    """What seat 1 did, in order: events, "stored" and "ended"."""

    def open(self, number: int, **more: Any) -> LobbySeatRuntime:
        """Add a seat, or a spectator. Only number 1 is observed."""

        def send(message: AtTable) -> None:
            if number:
                self.sent.append(message)
            self.queue.append(lambda: self._receive(number, message))

        seating = Seating(name=f"player{number}", lobby=LOBBY, host=public(HOST))
        observed = number == 1
        made = LobbySeatRuntime(
            identity(number),
            seating,
            Random(number).randbytes,
            send,
            self.done.append if observed else lambda event: None,
            on_end=(lambda: self.done.append("ended")) if observed else None,
            **more,
        )
        self.seats[number] = made
        return made

    def run(self) -> None:
        """Deliver messages until there are none."""
        while self.queue:
            self.queue.popleft()()

    def _receive(self, number: int, message: AtTable) -> None:
        for output in self.lobby.receive(number, public(number), message, 0.0):
            if isinstance(output, outputs.Send) and output.link in self.seats:
                self.seats[output.link].receive(output.message)

    def began(self) -> list[object]:
        """Return what seat 1 did, without the states of the lobby."""
        return [each for each in self.done if not isinstance(each, messages.LobbyState)]


def test_a_seat_joins_and_a_spectator_only_asks_to_watch() -> None:
    room = Room()
    room.open(1).begin(VERSION)
    room.open(2, watch=True).begin(VERSION)
    join, watch = room.sent
    assert isinstance(join, messages.Join)
    assert (join.name, join.owner) == ("player1", public(1))
    assert watch == messages.Watch(VERSION, "player2")


def test_the_genesis_is_stored_before_anybody_hears_of_it() -> None:
    room = Room()
    stored: list[Genesis] = []

    def store(genesis: Genesis) -> None:
        stored.append(genesis)
        room.done.append("stored")

    room.open(0).begin(VERSION)
    seat = room.open(1, store_genesis=store)
    seat.begin(VERSION)
    room.run()
    assert stored == [room.lobby.genesis]
    assert room.began() == ["stored", outputs.TableBegan(stored[0]), "ended"]
    assert (seat.genesis, seat.ending) == (stored[0], None)
    # The table goes on in another object, which the end of this connection does not concern.
    seat.connection_lost()
    seat.receive(messages.Refused(LobbyRefusal.HOST_LEFT))
    assert (seat.ending, seat.refusal) == (None, None)
    assert room.began().count("ended") == 1


def test_a_genesis_that_cannot_be_stored_ends_the_seat() -> None:
    room = Room()

    def fail(_genesis: Genesis) -> None:
        raise OSError("disk full")

    room.open(0).begin(VERSION)
    seat = room.open(1, store_genesis=fail)
    seat.begin(VERSION)
    room.run()
    assert room.lobby.genesis is not None
    assert room.began() == ["ended"], "nobody is told of a table that is not on disk"
    assert (seat.genesis, seat.ending) == (None, TableEnding.FAILED)
    assert isinstance(seat.failure, OSError)


def test_the_reason_of_a_refusal_is_kept() -> None:
    room = Room(Lobby(offer(order=(public(HOST), public(2)))))
    seat = room.open(1)
    seat.begin(VERSION)
    room.run()
    assert (seat.ending, seat.refusal) == (TableEnding.TURNED_AWAY, LobbyRefusal.NOT_INVITED)
    assert room.done == [outputs.TurnedAway(LobbyRefusal.NOT_INVITED), "ended"]
    # What follows changes neither the reason nor the end.
    seat.connection_lost()
    seat.receive(messages.Refused(LobbyRefusal.FULL))
    assert (seat.ending, seat.refusal) == (TableEnding.TURNED_AWAY, LobbyRefusal.NOT_INVITED)
    assert room.done[2:] == []


def test_a_lost_connection_ends_a_seat_once() -> None:
    room = Room()
    seat = room.open(1)
    seat.begin(VERSION)
    seat.connection_lost()
    seat.connection_lost()
    assert (seat.ending, room.done) == (TableEnding.LOST, ["ended"])
    room.run()
    assert room.done == ["ended"], "an answer that comes too late is not processed"


def test_a_lobby_of_a_tournament_leads_to_no_log_of_its_own() -> None:
    """Its tables come next, each with its own genesis."""
    rules = Ruleset(format=Format.ROTATION)
    room = Room(Lobby(offer(ruleset=rules, capacity=TOURNAMENT_PLAYERS)))
    stored: list[Genesis] = []
    for number in range(TOURNAMENT_PLAYERS):
        room.open(number, store_genesis=stored.append).begin(VERSION)
    room.run()
    assert room.lobby.genesis is not None
    assert room.seats[1].tournament == room.lobby.genesis
    assert (room.seats[1].ending, room.seats[1].genesis) == (TableEnding.TOURNAMENT, None)
    assert stored == []
    assert room.began() == ["ended"]


def test_the_acts_of_the_player_are_sent() -> None:
    room = Room(Lobby(offer(capacity=3)))
    seat = room.open(1)
    seat.begin(VERSION)
    room.run()
    assert seat.lobby.state is not None
    before = len(room.sent)
    seat.ready(False)
    seat.take_seat(2)
    seat.send_chat("hello")
    ready, take, say = room.sent[before:]
    assert isinstance(ready, messages.Ready)
    assert ready.signature is None
    assert (take, say) == (messages.TakeSeat(2), messages.Say("hello"))


@pytest.mark.parametrize("changed", [True, False])
def test_a_player_is_ready_only_for_the_room_on_the_screen(changed: bool) -> None:
    room = Room(Lobby(offer(capacity=3)))
    room.open(HOST).begin(VERSION)
    seat = room.open(1)
    seat.begin(VERSION)
    room.run()
    shown = room.lobby.state()
    if changed:
        room.lobby.change_rules(room.lobby.offer.ruleset, 4)
        seat.receive(room.lobby.state())
    before = len(room.sent)
    seat.ready(True, shown)
    assert (room.sent[before:] == []) is changed
