"""Eight players of a tournament in one event loop: one leaves, or does not come; the standing."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from dataclasses import replace as replace_fields
from pathlib import Path
from random import Random

import pytest
from msgspec import structs
from msgspec.structs import replace

from lanuno.bots.sensible import SensiblePlayer
from lanuno.cli.tournament import rebuilt_tournament
from lanuno.client import session, tournament_run
from lanuno.client.events import TableUpdated, TournamentBegan, TournamentStanding
from lanuno.client.resume import ResumableTables, ResumeRequest, find_resumable
from lanuno.client.session import TableSession
from lanuno.client.tournament_breaks import BreakReason, TournamentBreak
from lanuno.client.tournament_run import TournamentRun
from lanuno.dealing.identity import Identity, fingerprint
from lanuno.log.format.genesis import Genesis, encode_roster, nonce_commitment, sign_roster
from lanuno.net.runtime.config import OwnSeat
from lanuno.net.runtime.lobby_host import LobbyHost
from lanuno.rules.engine.actions import Action
from lanuno.rules.engine.events import StartingCard
from lanuno.rules.match import tournament as rules
from lanuno.rules.match.tournament import SCHEDULE, TOURNAMENT_PLAYERS
from lanuno.rules.view import SeatView
from lanuno.store.profile import load_profile
from lanuno.store.tournament_records import TournamentFiles
from lanuno.table.lobby.readiness import match_terms
from lanuno.table.outputs import TableBegan
from tests.harness.homes.played_games import new_home
from tests.harness.log_table.log_table import identity, make_roster, nonce
from tests.harness.log_table.tournaments import RULES, play, tournament_genesis
from tests.harness.sockets import false_adverts
from tests.harness.sockets.adverts import TABLE
from tests.harness.sockets.running import LOBBY, run, serving, until
from tests.harness.sockets.tables import discarded_tournament
from tests.harness.sockets.tables import table as lobby_table

HOST_A, GUEST_A, GUEST_B = SCHEDULE[0][0][0], SCHEDULE[0][0][2], SCHEDULE[0][1][1]
"""Players of the first rotation: the host and a guest of table A, and a guest of table B."""


@dataclass(frozen=True)
class Cup:
    """A tournament with unique players, because tables are found by their hosts' keys."""

    keys: tuple[Identity, ...]
    genesis: Genesis


@pytest.fixture
def cup() -> Cup:
    """Use random keys, because other tournaments may run on this computer at the same time."""
    keys = tuple(Identity.from_seed(secrets.token_bytes(32)) for _ in range(TOURNAMENT_PLAYERS))
    roster = make_roster(TOURNAMENT_PLAYERS, RULES)
    nonces = tuple(map(nonce, range(TOURNAMENT_PLAYERS)))
    seats = tuple(
        replace(
            seat, identity=key.public, owner=key.public, nonce=nonce_commitment(key.public, one)
        )
        for seat, key, one in zip(roster.seats, keys, nonces, strict=True)
    )
    data = encode_roster(replace(roster, seats=seats))
    return Cup(keys, Genesis(data, tuple(sign_roster(data, key) for key in keys), nonces))


@dataclass
class Somebody:
    """One of the eight players."""

    number: int
    cup: Cup
    patience: float = 100.0
    plays: bool = True
    idle_in: int | None = None
    """The rotation in which this player decides nothing."""
    files: TournamentFiles = field(default_factory=discarded_tournament)
    happened: list[object] = field(default_factory=list)

    def __post_init__(self) -> None:
        number = self.number
        player = Choosing(self) if self.plays else None
        self.run = TournamentRun(
            self.cup.genesis,
            OwnSeat(self.cup.keys[number], f"p{number}", player),
            self.files,
            self.happened.append,
            adapter="127.0.0.1",
            wait_seconds=self.patience,
        )

    async def end(self) -> TournamentBreak | None:
        """Play to the end; return why the tournament was broken off."""
        await self.run.run()
        return self.run.broken

    def is_idle(self) -> bool:
        return self.run.replay.rotation == self.idle_in

    def saw_at(self, rotation: int, kind: type) -> bool:
        """Whether it happened at the table of this rotation."""
        began = [n for n, each in enumerate(self.happened) if isinstance(each, TableBegan)]
        here = self.happened[began[rotation] :] if len(began) > rotation else []
        return any(isinstance(event, kind) for event in here)

    def saw(self, kind: type) -> bool:
        return any(isinstance(event, kind) for event in self.happened)


class Choosing(SensiblePlayer):
    """Decides for somebody, unless idle."""

    def __init__(self, who: Somebody) -> None:
        super().__init__(Random(who.number))
        self._who = who

    def choose(self, view: SeatView) -> Action | None:
        return None if self._who.is_idle() else super().choose(view)


class Killed(Exception):
    """Ends a program in the middle of a table."""


async def broken(
    everybody: Sequence[Somebody], when: Callable[[], bool], *go: int
) -> set[TournamentBreak]:
    """Play until `when` holds, then let some leave; return the breaks all others report."""
    running = {each.number: asyncio.create_task(each.end()) for each in everybody}
    await until(when)
    for each in everybody:
        if each.number in go:
            each.run.leave()
    said = {number: await task for number, task in running.items()}
    assert all(said[number] is None for number in go)
    told = {each for number, each in said.items() if number not in go}
    assert None not in told
    return {each for each in told if each is not None}


@pytest.mark.parametrize("who", [HOST_A, GUEST_B])
def test_somebody_leaves_in_the_middle_of_a_round(who: int, cup: Cup, tmp_path: Path) -> None:
    """All others stop immediately, at the other table too, and know why. Nobody can go on alone."""
    homes = [new_home(tmp_path / f"{each}") for each in range(TOURNAMENT_PLAYERS)]

    async def story() -> None:
        everybody = [
            Somebody(number, cup, plays=False, files=TournamentFiles(home, cup.genesis))
            for number, home in enumerate(homes)
        ]

        def both_play() -> bool:
            """Whether both tables play and every player watches the other one."""
            roles = [each.run.runtime.node.host_role for each in everybody if each.run.runtime]
            replayed = [len(role.spectators) for role in roles if role is not None]
            # Do not wait for the first turn: after a wild starting card, a player must first name
            # a colour, and nobody here would do so for a minute.
            return replayed == [4, 4] and all(each.saw(StartingCard) for each in everybody)

        why = BreakReason.ENDED if who == HOST_A else BreakReason.LEFT
        assert await broken(everybody, both_play, who) == {TournamentBreak(why, (f"p{who}",))}

    run(story())
    for number, home in enumerate(homes):
        profile = replace(load_profile(home), identity=cup.keys[number])
        assert find_resumable(home, profile) == ResumableTables((), ()), number


def test_a_missing_player_is_not_waited_for_without_end(cup: Cup) -> None:
    async def story() -> None:
        here = [Somebody(each, cup, 4.0) for each in range(TOURNAMENT_PLAYERS) if each != GUEST_A]
        said = await broken(here, lambda: True)
        assert any(f"p{GUEST_A}" in each.names for each in said)

    run(story())


def test_false_adverts_do_not_keep_a_player_from_its_table(
    cup: Cup, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They lead to programs that never answer. One after the other, those would take minutes."""
    said = false_adverts.replace_listeners(monkeypatch)

    async def story() -> None:
        player = Somebody(GUEST_A, cup).run
        table = structs.replace(player.replay.table(0), lobby=LOBBY)
        host = next(each for each in cup.keys if each.public == table.host)
        holes = [socket.create_server((f"127.0.5.{number}", 0)) for number in range(1, 33)]
        async with serving(identity=host) as (server, arrived):
            real = replace_fields(
                TABLE, id=LOBBY, fp=fingerprint(host.public), name="R1 A", port=server.port
            )
            said.adverts = [
                replace_fields(real, addresses=(address,), port=port)
                for address, port in (hole.getsockname() for hole in holes)
            ]
            said.adverts.append(real)
            async with asyncio.timeout(60):
                channel = await player._connect(table, watch=False)
            assert (await arrived.get()).identity == cup.keys[GUEST_A].public
            await channel.close()
        for hole in holes:
            hole.close()

    run(story())


# ---- somebody comes back ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rotation", "place", "plays"), [(0, 0, True), (1, 2, True), (0, 2, False)]
)
def test_a_player_who_was_interrupted_goes_on_with_the_tournament(
    rotation: int,
    place: int,
    plays: bool,
    cup: Cup,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As host of a table, as a guest, or as one who waits for the other table.

    The host's port has been taken meanwhile, so that the others have to find it again.
    """
    for module in (rules, tournament_run):
        monkeypatch.setattr(module, "SCHEDULE", SCHEDULE[:2])
    who = SCHEDULE[rotation][0][place]
    # All of them: with two cards, a hand can be over before the turn of any one of them.
    idle = set(SCHEDULE[rotation][0 if plays else 1])
    home = new_home(tmp_path / "home")
    profile = replace(load_profile(home), identity=cup.keys[who])
    monkeypatch.setattr(session, "load_profile", lambda _home: profile)

    async def story() -> None:
        files = TournamentFiles(home, cup.genesis)
        everybody = [
            Somebody(each, cup, files=files if each == who else discarded_tournament())
            for each in range(TOURNAMENT_PLAYERS)
        ]
        for each in idle:
            everybody[each].idle_in = rotation
        gone, others = everybody[who], [each for each in everybody if each.number != who]
        running = [asyncio.create_task(each.end()) for each in others]
        playing = asyncio.create_task(gone.end())
        await until(lambda: gone.saw_at(rotation, StartingCard if plays else TournamentStanding))
        assert gone.run.runtime is not None
        seat = gone.run._seat
        port = seat.listener.port if isinstance(seat, LobbyHost) and seat.listener else 0
        gone.run.runtime.fail(Killed())
        gone.run._stop()
        with suppress(Killed):
            await playing
        with socket.create_server(("127.0.0.1", port)):
            (chosen,) = find_resumable(home, profile).tables
            request = ResumeRequest(
                chosen=chosen, player=SensiblePlayer(Random(who)), adapter="127.0.0.1"
            )
            happened: list[object] = []
            back = TableSession(home, request, happened.append)
            for each in idle:
                everybody[each].idle_in = None
            for each in idle - {who}:
                waited = everybody[each].run.runtime
                assert waited is not None
                waited.play_by_bot(True)
            result = await back.run()
        assert [await each for each in running] == [None] * len(others)
        assert back.tournament is not None
        assert result.transcript == back.tournament.files.transcripts[-1]
        rebuilt = rebuilt_tournament(home.data)
        assert rebuilt is not None
        assert rebuilt.over
        state = rebuilt.results.public_state()
        assert {each.run.replay.results.public_state() for each in others} == {state}
        assert back.tournament.replay.results.public_state() == state
        kinds = [type(each) for each in happened]
        assert kinds.index(TournamentBegan) < kinds.index(TableBegan) < kinds.index(TableUpdated)
        assert find_resumable(home, profile).tables == ()

    run(story())


def test_a_host_can_wait_until_its_spectators_have_seen_the_end() -> None:
    async def story() -> None:
        async with lobby_table(2) as at:
            spectator = await at.peer(9, watch=True)
            watching = asyncio.create_task(spectator.run())
            await until(lambda: bool(at.host.lobby.watching))
            [watcher] = at.host.lobby.watching.values()
            readers = tournament_run._Readers({watcher.identity}, lambda: at.host.runtime)
            at.host._observe = readers.observe
            [running] = await at.sit_down(await at.peer(1))
            await until(lambda: len(at.host_records.entries) > 3)
            assert not readers.served.is_set()
            await at.host.wait()
            await readers.served.wait()
            await at.host.close()
            await asyncio.gather(watching, running)

    run(story())


# ---- the standing ----------------------------------------------------------------------------


@pytest.fixture
def played(tmp_path: Path) -> TournamentRun:
    """The tournament of player 5, before its first table."""
    genesis = tournament_genesis()
    files = TournamentFiles(new_home(tmp_path / "home"), genesis)
    own = OwnSeat(identity(5), "p5", None)
    return TournamentRun(genesis, own, files, lambda _event: None)


def test_a_table_is_begun_only_as_all_signed_it_with_the_tournament(played: TournamentRun) -> None:
    table = played.replay.table(0)
    players = {seat.identity: seat for seat in played.replay.roster.seats}
    seats = tuple(players[each] for each in table.order)
    roster = replace(make_roster(4, RULES), lobby=table.lobby, seats=seats, binding=table.binding)
    assert played.terms(table) == match_terms(roster)
    for lie in (
        replace(roster, ruleset=replace(RULES, jump_in=True)),
        replace(roster, rounds=1),
        replace(roster, seats=(*seats[:3], replace(seats[3], slow_clock=True))),
        replace(roster, seats=seats[::-1]),
    ):
        assert played.terms(table) != match_terms(lie)


def test_before_the_first_table_nobody_has_points(played: TournamentRun) -> None:
    standing = played.standing()
    assert standing.names == tuple(f"p{number}" for number in range(TOURNAMENT_PLAYERS))
    assert (standing.totals, standing.winners) == ((0,) * TOURNAMENT_PLAYERS, ())
    assert (standing.mine, standing.rotation, standing.rotations) == (5, 0, len(SCHEDULE))
    assert (standing.awaiting_other_table, standing.broken) == (False, None)
    assert len(set(standing.avatars)) == TOURNAMENT_PLAYERS


def test_the_points_of_both_tables_count_after_the_rotation(played: TournamentRun) -> None:
    replay = played.replay
    tables = [replay.table(number) for number in range(2)]
    transcripts = [play(table) for table in tables]
    replay.add_all(transcripts)
    standing = played.standing()
    assert standing.rotation == 1
    expected = [0] * TOURNAMENT_PLAYERS
    for number, table in enumerate(tables):
        report = replay.reports[0, number]
        for player, points in zip(table.players, report.scores, strict=True):
            expected[player] += points
    assert standing.totals == tuple(expected)
    assert any(expected)
    assert standing.winners == (), "six more rotations follow"


def test_a_wait_and_a_break_are_shown(played: TournamentRun) -> None:
    assert played.standing(awaiting_other_table=True).awaiting_other_table
    played.broken = TournamentBreak(BreakReason.LEFT, ("p3",))
    assert played.standing().broken == played.broken
