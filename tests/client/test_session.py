"""Sessions at real tables on loopback: hosted, joined, watched, resumed, left."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from lanuno.bots.pace import BOTS_ONLY_PACE
from lanuno.bots.sensible import SensiblePlayer
from lanuno.client import reach as reaching
from lanuno.client import session as client_session
from lanuno.client.connect import Route
from lanuno.client.events import (
    HostReached,
    LobbyOpened,
    SessionEvent,
    SessionNotice,
    TableResumed,
    TableUpdated,
)
from lanuno.client.find import TableNotFound
from lanuno.client.places import TablePlace, parse_place
from lanuno.client.reach import reach
from lanuno.client.requests import (
    HostRequest,
    JoinRequest,
    SessionRequest,
)
from lanuno.client.resume import ResumeRequest, find_resumable, recovered_table
from lanuno.client.session import SessionResult, TableSession
from lanuno.client.tournament_run import TournamentRun
from lanuno.client.transcripts import audit_file
from lanuno.dealing.identity import Identity, fingerprint
from lanuno.log.faults import AuditVerdict
from lanuno.log.round import events
from lanuno.net.discovery.mdns_announce import advertise
from lanuno.net.errors import NetError, NetFault
from lanuno.net.runtime import prove_pin
from lanuno.net.runtime.endings import TableEnding
from lanuno.net.runtime.lobby_guest import LobbyGuest
from lanuno.net.runtime.lobby_host import LobbyHost
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.listener import listen
from lanuno.rules.engine.events import Played
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.rules.view import SeatView
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile, rename
from lanuno.table import messages
from lanuno.table.lobby.pin_proof import HostPin
from lanuno.table.lobby.readiness import RulesRefusal
from lanuno.table.messages import (
    AtTable,
    BeginPinProof,
    ConfirmPin,
    LobbyPhase,
    LobbyRefusal,
    LobbyState,
    PinConfirmed,
    PinProofAnswer,
    Refused,
    from_peer,
    to_bytes,
)
from lanuno.table.outputs import TableBegan
from tests.harness.sockets.adverts import TABLE
from tests.harness.sockets.running import run, until

RULES = Ruleset(hand_size=2, format=Format.SINGLE)


class IdlePlayer:
    """Decides nothing, so that no round ends before a test has stopped a program."""

    def choose(self, view: SeatView) -> None:
        """Return None: no act."""


class Player:
    """A session, its task, and the events it has emitted."""

    def __init__(self, home: Home, request: SessionRequest, *, snapshots: bool = False) -> None:
        self.events: list[SessionEvent] = []
        self.session = TableSession(home, request, self.events.append, snapshots=snapshots)
        self.session.bot_pace = BOTS_ONLY_PACE
        self.task = asyncio.create_task(self.session.run())

    def heard(self, kind: type[object]) -> bool:
        """Whether an event of this kind was emitted."""
        return any(isinstance(event, kind) for event in self.events)

    async def hears(self, kind: type[object]) -> None:
        """Wait for an event of this kind; fail if the session ends first."""
        await until(lambda: self.heard(kind) or self.task.done())
        if self.task.done() and not self.heard(kind):
            raise AssertionError(
                f"over without {kind.__name__}: {self.task.result()}, {self.events}"
            )

    async def place(self) -> TablePlace:
        """Wait until this host's table is open, and return its place."""
        await self.hears(LobbyOpened)
        (opened,) = (event for event in self.events if isinstance(event, LobbyOpened))
        return parse_place(opened.links[0])

    @property
    def seats(self) -> tuple[str, ...]:
        """Return the names in the waiting room."""
        states = [event for event in self.events if isinstance(event, LobbyState)]
        return tuple(seat.name for seat in states[-1].seats) if states else ()

    def key_of(self, seat: int) -> bytes:
        """Return whose seat of the waiting room this is."""
        states = [event for event in self.events if isinstance(event, LobbyState)]
        return states[-1].seats[seat].identity


class Homes:
    """The homes of several people, below one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def of(self, name: str) -> Home:
        """Return a person's home, which is created on first use."""
        home = Home.at(self._folder / name)
        if not home.data.exists():
            home.create()
            rename(home, name)
        return home

    def host(self, **changes: Any) -> Player:
        """Open a table as Ana."""
        request = HostRequest(
            name=f"Table {secrets.token_hex(4)}",
            ruleset=RULES,
            seats=2,
            player=SensiblePlayer(Random(1)),
            adapter="127.0.0.1",
        )
        return Player(self.of("Ana"), replace(request, **changes))

    def join(self, name: str, place: TablePlace | None, **changes: Any) -> Player:
        """Join a table as another person."""
        request = JoinRequest(place=place, player=SensiblePlayer(Random(name)), adapter="127.0.0.1")
        return Player(self.of(name), replace(request, **changes))


@pytest.fixture
def homes(tmp_path: Path) -> Homes:
    return Homes(tmp_path)


def verified(results: Sequence[SessionResult]) -> None:
    """Assert that all results have the same log, and that it verifies."""
    files = [result.transcript for result in results]
    assert None not in files, results
    assert len({file.read_bytes() for file in files if file is not None}) == 1
    assert files[0] is not None
    assert audit_file(files[0]).verdict is AuditVerdict.VERIFIED


def test_a_table_is_hosted_joined_and_watched(homes: Homes) -> None:
    async def story() -> None:
        host = homes.host(seats=3, bots=1)
        place = await host.place()
        spectator = homes.join("Eve", place, watch=True, player=None)
        await until(lambda: spectator.seats == ("Ana", "Ada"))
        guest = homes.join("Ben", place)
        results = await asyncio.gather(host.task, guest.task, spectator.task)
        assert [result.ending for result in results] == [TableEnding.CLOSED] * 3
        verified(results)
        (reached,) = (event for event in guest.events if isinstance(event, HostReached))
        assert reached.identity == host.session.identity == guest.session.host_identity
        assert (host.session.hosts, guest.session.hosts) == (True, False)
        for each in (host, guest, spectator):
            assert each.heard(TableBegan)
            assert each.heard(Played)
            assert not each.heard(TableUpdated)

    run(story())


def test_a_spectator_follows_the_table_to_its_next_host(homes: Homes) -> None:
    async def story() -> None:
        rules = Ruleset(hand_size=7, grace_first_s=0, grace_total_s=30)
        name = f"Table {secrets.token_hex(8)}"
        host = homes.host(seats=3, ruleset=rules, name=name, rounds=7)
        place = await host.place()
        ben = homes.join("Ben", place)
        await until(lambda: ben.seats == ("Ana", "Ben"))
        eve = homes.join("Eve", None, table=name, watch=True, player=None)
        await eve.hears(messages.LobbyState)
        cleo = homes.join("Cleo", place)
        await eve.hears(Played)
        host.task.cancel()
        await eve.hears(events.HostElected)
        assert sum(isinstance(each, TableBegan) for each in eve.events) == 1, "it plays on"
        first, second = (each for each in eve.events if isinstance(each, HostReached))
        assert first.identity == host.session.identity != second.identity
        guest = eve.session._table
        assert isinstance(guest, LobbyGuest)
        assert guest.metadata.rounds == 7, "it knows what was agreed in the waiting room"
        await eve.session.leave()
        assert (await eve.task).leave_requested
        for each in (ben, cleo):
            each.task.cancel()
        await asyncio.wait((host.task, ben.task, cleo.task))

    run(story())


def test_with_snapshots_what_happens_comes_with_the_table(homes: Homes) -> None:
    async def story() -> None:
        request = HostRequest(
            name="Practice",
            ruleset=RULES,
            seats=2,
            bots=1,
            practice=True,
            player=SensiblePlayer(Random(1)),
        )
        player = Player(homes.of("Ana"), request, snapshots=True)
        verified([await player.task])
        assert not player.heard(Played)
        assert not player.heard(SessionNotice)
        updates = [event for event in player.events if isinstance(event, TableUpdated)]
        assert any(isinstance(event, Played) for each in updates for event in each.happened)
        assert updates[-1].snapshot.closed is not None

    run(story())


def test_practice_opens_no_socket_and_ends_with_its_player(
    homes: Homes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("practice needs no network")

    monkeypatch.setattr(client_session, "NetworkContext", never)

    async def story() -> None:
        request = HostRequest(name="Practice", ruleset=RULES, seats=3, bots=2, practice=True)
        player = Player(homes.of("Ana"), request)
        await player.hears(events.RoundOpened)
        assert player.session.runtime is not None
        await player.session.leave()
        result = await player.task
        assert result.leave_requested
        assert result.transcript is not None
        assert find_resumable(homes.of("Ana")).tables == (), "its log is closed"

    run(story())


def test_a_table_is_found_by_its_name(homes: Homes) -> None:
    async def story() -> None:
        name = f"Table {secrets.token_hex(8)}"
        host = homes.host(name=name)
        await host.place()
        guest = homes.join("Ben", None, table=name, seconds=30.0)
        verified(await asyncio.gather(host.task, guest.task))

    run(story())


def test_a_name_that_nobody_uses_is_not_found(homes: Homes) -> None:
    async def story() -> None:
        guest = homes.join("Ben", None, table=secrets.token_hex(8), seconds=0.5)
        with pytest.raises(TableNotFound):
            await guest.task

    run(story())


def test_the_waiting_room_turns_a_wrong_pin_away(homes: Homes) -> None:
    async def story() -> None:
        host = homes.host(pin="abc1")
        guest = homes.join("Ben", await host.place(), pin="abc2")
        result = await guest.task
        assert (result.ending, result.refusal) == (
            TableEnding.TURNED_AWAY,
            LobbyRefusal.WRONG_PIN,
        )
        assert result.transcript is None
        await host.session.leave()
        closed = await host.task
        assert (closed.transcript, closed.leave_requested) == (None, True)

    run(story())


class NamesakeTrap:
    """A stranger who announces a table of a name, and records what guests say."""

    def __init__(self, name: str, last: AtTable | None = None, delay_seconds: float = 0.0) -> None:
        """`last`: what it says to a confirmation; with a delay it refuses to begin, after that."""
        self._identity = Identity.from_seed(secrets.token_bytes(32))
        self._last = last or PinConfirmed(bytes(32))
        self._delay_seconds = delay_seconds
        self._advert = replace(
            TABLE, name=name, id=secrets.token_bytes(16), fp=fingerprint(self._identity.public)
        )
        self.heard: list[AtTable] = []

    @asynccontextmanager
    async def announced(self) -> AsyncIterator[None]:
        server = await listen(
            self._identity, self._advert.id, self._serve, hosts=("127.0.0.1",), port=0
        )
        advert = replace(self._advert, pin=True, port=server.port)
        async with server, await advertise(advert, adapter="127.0.0.1"):
            yield

    async def _serve(self, channel: Channel) -> None:
        pin = HostPin("0000", self._identity.public, os.urandom)
        async for data in channel:
            self.heard.append(message := from_peer(data))
            match message:
                case BeginPinProof() if self._delay_seconds:
                    await asyncio.sleep(self._delay_seconds)
                    channel.send(to_bytes(Refused(LobbyRefusal.FULL)))
                case BeginPinProof(element):
                    proof = pin.answer(element, guest=channel.identity, table=channel.context)
                    assert proof is not None
                    channel.send(to_bytes(PinProofAnswer(proof.element)))
                case _:
                    channel.send(to_bytes(self._last))


def test_a_trap_of_the_tables_name_neither_learns_the_pin_nor_ends_the_search(
    homes: Homes,
) -> None:
    """It is there alone at first, and many times."""

    async def story() -> None:
        name = f"Table {secrets.token_hex(8)}"
        traps = [NamesakeTrap(name) for _ in range(3)]
        async with AsyncExitStack() as announced:
            for trap in traps:
                await announced.enter_async_context(trap.announced())
            guest = homes.join("Ben", None, table=name, pin="mango", seconds=60.0)
            await until(lambda: any(trap.heard for trap in traps))
            host = homes.host(name=name, pin="mango")
            verified(await asyncio.gather(host.task, guest.task))
        for trap in traps:
            # One proof a host at most, and no request for a seat.
            assert [type(each) for each in trap.heard] in ([], [BeginPinProof, ConfirmPin])
            assert not any(b"mango" in to_bytes(each) for each in trap.heard)

    run(story())


@pytest.mark.parametrize("last", [None, Refused(LobbyRefusal.FULL), Refused(LobbyRefusal.NO_PIN)])
def test_few_tables_of_a_name_can_test_a_pin(
    last: AtTable | None, homes: Homes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a trap says once it has tested one."""
    monkeypatch.setattr(reaching, "MOST_PIN_TABLES", 2)

    async def story() -> None:
        name = f"Table {secrets.token_hex(8)}"
        traps = [NamesakeTrap(name, last) for _ in range(3)]
        async with AsyncExitStack() as announced:
            for trap in traps:
                await announced.enter_async_context(trap.announced())
            guest = homes.join("Ben", None, table=name, pin="mango", seconds=3600.0)
            result = await guest.task
        assert result.refusal is LobbyRefusal.WRONG_PIN
        assert sum(bool(trap.heard) for trap in traps) == 2

    run(story())


def test_slow_tables_of_a_name_do_not_prolong_the_search(
    homes: Homes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prove_pin, "PIN_PROOF_SECONDS", 60.0)

    async def story() -> None:
        name, seconds = f"Table {secrets.token_hex(8)}", 8.0
        traps = [NamesakeTrap(name, delay_seconds=seconds) for _ in range(3)]
        async with AsyncExitStack() as announced:
            for trap in traps:
                await announced.enter_async_context(trap.announced())
            result = await homes.join("Ben", None, table=name, pin="mango", seconds=seconds).task
        assert result.refusal is LobbyRefusal.FULL
        assert sum(bool(trap.heard) for trap in traps) == 1

    run(story())


def test_a_guest_with_a_pin_does_not_sit_at_a_table_without_one(homes: Homes) -> None:
    async def story() -> None:
        host = homes.host()
        guest = homes.join("Ben", await host.place(), pin="mango")
        result = await guest.task
        assert (result.ending, result.refusal) == (TableEnding.TURNED_AWAY, LobbyRefusal.NO_PIN)
        assert host.seats == ("Ana",)
        await host.session.leave()
        await host.task

    run(story())


def test_nobody_at_the_place(homes: Homes) -> None:
    async def story() -> None:
        place = TablePlace(("127.0.0.1",), 1)
        with pytest.raises(NetError) as caught:
            await homes.join("Ben", place, seconds=0.0).task
        assert caught.value.fault is NetFault.UNREACHABLE

    run(story())


def test_leaving_while_the_table_is_looked_for(homes: Homes) -> None:
    async def story() -> None:
        guest = homes.join("Ben", None, table=secrets.token_hex(8), seconds=60.0)
        await asyncio.sleep(0.2)
        assert not guest.session.at_table
        await guest.session.leave()
        assert await guest.task == SessionResult(leave_requested=True)

    run(story())


def test_a_session_that_is_cancelled_leaves_nothing_open(homes: Homes) -> None:
    """`run` detects every task and socket that is left over."""

    async def story() -> None:
        host = homes.host(seats=3)
        place = await host.place()
        looking = homes.join("Cleo", None, table=secrets.token_hex(8), seconds=60.0)
        guest = homes.join("Ben", place)
        await until(lambda: guest.seats == ("Ana", "Ben"))
        for each in (looking, guest, host):
            each.task.cancel()
        results = await asyncio.gather(looking.task, guest.task, host.task, return_exceptions=True)
        assert all(isinstance(each, asyncio.CancelledError) for each in results)

    run(story())


def test_a_player_resumes_by_a_request_to_join(homes: Homes) -> None:
    """A bot that is restarted with the same arguments resumes at its table."""

    async def story() -> None:
        host = homes.host(ruleset=Ruleset(hand_size=7, format=Format.SINGLE))
        place = await host.place()
        guest = homes.join("Ben", place, player=IdlePlayer())
        await guest.hears(events.RoundOpened)
        guest.task.cancel()
        await asyncio.wait((guest.task,))
        again = homes.join("Ben", place, resumes=True, seconds=30.0)
        await again.hears(TableResumed)
        assert not again.heard(HostReached)
        results = await asyncio.gather(host.task, again.task)
        verified(results)

    run(story())


def test_a_host_resumes_its_table(homes: Homes) -> None:
    async def story() -> None:
        host = homes.host(ruleset=Ruleset(hand_size=7, format=Format.SINGLE), player=IdlePlayer())
        guest = homes.join("Ben", await host.place())
        await guest.hears(events.RoundOpened)
        host.task.cancel()
        await asyncio.wait((host.task,))
        (chosen,) = find_resumable(homes.of("Ana")).tables
        request = ResumeRequest(
            chosen=chosen, player=SensiblePlayer(Random(2)), adapter="127.0.0.1"
        )
        again = Player(homes.of("Ana"), request, snapshots=True)
        verified(await asyncio.gather(again.task, guest.task))
        (resumed,) = (event for event in again.events if isinstance(event, TableResumed))
        assert resumed.entries > 0
        assert not resumed.over
        updates = [event for event in again.events if isinstance(event, TableUpdated)]
        past = [event for each in updates for event in each.happened]
        opened = [each for each in past if isinstance(each, events.RoundOpened)]
        assert opened, "a screen shows the earlier events too"

    run(story())


def test_two_sessions_do_not_share_a_profile(homes: Homes) -> None:
    async def story() -> None:
        host = homes.host(seats=3)
        place = await host.place()
        with pytest.raises(StoreError) as caught:
            await Player(homes.of("Ana"), JoinRequest(place=place)).task
        assert caught.value.problem is FileProblem.IN_USE
        guest = homes.join("Ben", place)
        other = Player(
            homes.of("Cleo"), HostRequest(name="Other", ruleset=RULES, seats=2, adapter="127.0.0.1")
        )
        watching = JoinRequest(place=await other.place(), watch=True)
        spectator = Player(homes.of("Ben"), watching)
        await spectator.hears(LobbyState)
        for each in (spectator, guest, host, other):
            await each.session.leave()
            await each.task

    run(story())


def test_bots_get_names_that_nobody_has(homes: Homes) -> None:
    async def story() -> None:
        host = homes.host(player_name="\u0410d\u0430", bots=1, seats=4, awaited=("Cleo",))
        await host.place()
        assert host.seats == ("\u0410d\u0430", "Blas")
        assert await host.session.add_bot()
        await until(lambda: host.seats == ("\u0410d\u0430", "Blas", "Dario"))
        assert await host.session.send_away(host.key_of(1))
        await until(lambda: host.seats == ("\u0410d\u0430", "Dario"))
        assert await host.session.add_bot()
        await until(lambda: host.seats == ("\u0410d\u0430", "Dario", "Blas"))
        assert await host.session.change_rules(RULES, 1) is not None
        assert await host.session.move_up(host.key_of(2))
        await until(lambda: host.seats == ("\u0410d\u0430", "Blas", "Dario"))
        assert await host.session.begin()
        await host.hears(TableBegan)
        assert not await host.session.begin()
        assert not await host.session.add_bot()
        assert await host.session.change_rules(RULES, 3) is RulesRefusal.STARTED
        await host.session.leave()
        await host.task

    run(story())


def test_before_and_without_a_table_nothing_can_be_done(homes: Homes) -> None:
    async def story() -> None:
        guest = homes.join("Ben", None, table=secrets.token_hex(8), seconds=60.0)
        session = guest.session
        assert (session.runtime, session.lobby_seat) == (None, None)
        assert not await session.add_bot()
        assert not await session.begin()
        assert not await session.send_away(bytes(32))
        assert not await session.move_up(bytes(32))
        assert not await session.play_again()
        await session.say("hello")
        await session.ready(True)
        await session.take_seat(0)
        await session.claim()
        await session.leave()
        assert (await guest.task).leave_requested

    run(story())


def test_a_window_shows_no_waiting_room_between_the_tables_of_a_tournament(homes: Homes) -> None:
    """It would offer nothing to do: its players are known, and it begins automatically."""
    room = LobbyState(bytes(16), "R1 A", LobbyPhase.OPEN, RULES, 4, (), 0)
    for snapshots in (True, False):
        emitted: list[SessionEvent] = []
        request = JoinRequest()
        session = TableSession(homes.of("Ana"), request, emitted.append, snapshots=snapshots)
        session._table = run = TournamentRun.__new__(TournamentRun)
        run._seat = None
        session._observe(room)
        assert session._observer.name == "R1 A"
        assert emitted == ([] if snapshots else [room])


def test_leaving_before_a_table_is_announced(homes: Homes, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(*_: object) -> None:
        raise AssertionError("no player may come any more")

    monkeypatch.setattr(LobbyHost, "announce", never)

    async def story() -> None:
        host = homes.host()
        assert host.session.at_table
        await host.session.leave()
        assert (await host.task).transcript is None
        assert not host.heard(LobbyOpened)
        practice = HostRequest(name="Practice", ruleset=RULES, seats=2, bots=1, practice=True)
        player = Player(homes.of("Ben"), practice)
        await player.session.leave()
        await player.task

    run(story())


def test_a_table_with_own_bots_alone_is_resumed_for_spectators_too(homes: Homes) -> None:
    """Only practice needs no network."""

    async def story() -> None:
        hosted = homes.host(bots=1, player=None)
        await hosted.place()
        assert await hosted.session.begin()
        practice = HostRequest(name="Practice", ruleset=RULES, seats=2, bots=1, practice=True)
        practised = Player(homes.of("Ben"), practice)
        for player, has_network in ((hosted, True), (practised, False)):
            await player.hears(events.RoundOpened)
            player.task.cancel()
            await asyncio.wait((player.task,))
            home = player.session.home
            (chosen,) = find_resumable(home).tables
            _, config = recovered_table(
                home, load_profile(home), ResumeRequest(chosen=chosen, adapter="127.0.0.1")
            )
            assert (config.network is not None) == has_network

    run(story())


@pytest.mark.parametrize("leaves", [True, False])
def test_a_session_cancelled_at_the_moment_of_arrival_cuts_the_connection(
    homes: Homes, monkeypatch: pytest.MonkeyPatch, leaves: bool
) -> None:
    async def story() -> None:
        host = homes.host()
        place = await host.place()
        routes: list[Route] = []

        async def reached(*arguments: Any) -> Route | ResumeRequest:
            route = await reach(*arguments)
            assert isinstance(route, Route)
            routes.append(route)
            # As if both were requested before the session received the connection.
            guest.session.leave_requested = leaves
            guest.task.cancel()
            return route

        monkeypatch.setattr(client_session, "reach", reached)
        guest = homes.join("Ben", place)
        await asyncio.wait((guest.task,))
        assert routes[0].channel.end is not None
        await host.session.leave()
        await host.task

    run(story())
