"""Statistics of games, compared with a count by hand."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from lanuno.log.faults import AuditVerdict
from lanuno.log.format.bodies import CloseReason, DropReason
from lanuno.log.replay.course import Decided
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.ruleset import Format
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.game_record import GameRecord
from lanuno.store.game_rows import GameFilter, GameQuery
from lanuno.store.history import History
from lanuno.store.statistics import MOST_PEOPLE, Statistics, statistics
from tests.harness.homes.played_games import DAY, ME, keep, new_home, person, played, put, record
from tests.harness.log_table.log_table import SHORT, identity, new_table
from tests.harness.log_table.moments import playing

LOW = Format.LOW_SCORE
UNCLOSED, BROKEN, STOPPED = None, CloseReason.INCOMPLETE, CloseReason.STOPPED

GAMES = (
    record(1, ["me", "Ana/1"], won=["me"], scores=[500, 120], played_ms=50, rounds=4),
    record(2, ["Ana/1", "me"], won=["Ana/1"], scores=[510, 30], played_ms=90, rounds=2),
    record(3, ["me", "Anna/1", "bot"], won=["me"], scores=[9, 99, 88], preset="low", format_=LOW),
    record(4, ["me", "Beto"], won=["me"], scores=[3, 80], preset="low", format_=LOW),
    record(5, ["Ana/1", "Beto"], won=["Beto"], scores=[1, 500]),
    record(6, ["me", "Carla"], scores=[40, 50], reason=STOPPED),
    record(7, ["me", "Carla"], scores=[40, 50], reason=BROKEN),
    record(8, ["me", "Dora"], scores=[0, 0], reason=UNCLOSED),
    record(
        9,
        ["me", "Beto", "Carla", "Ana/1"],
        won=["me", "Carla"],
        scores=[500, 0, 500, 0],
        preset="pairs",
        format_=Format.PAIRS,
    ),
    record(10, ["me", "bot"], won=["bot"], scores=[0, 500]),
)
VERDICTS = (None, AuditVerdict.VERIFIED, None, AuditVerdict.CHEATING)


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    home = new_home(tmp_path / "home")
    put(home, GAMES, VERDICTS)
    history = History(home)
    yield history
    history.close()


def test_everything_is_counted(history: History) -> None:
    found = statistics(history, ME)
    assert (found.games, found.decided, found.wins) == (6, 5, 3)
    assert found.points == 500 + 30 + 40 + 500 + 0
    assert found.rounds == 4 + 2 + 1 + 1 + 1 + 1
    assert found.played_ms == 50 + 90 + 4 * 1000
    assert (found.others, found.cheated, found.unfinished) == (3, 1, 1), "the third is broken off"
    assert found.with_bots == 2
    assert found.longest is not None
    assert found.longest.record == GAMES[2]
    assert found.most_rounds is not None
    assert found.most_rounds.record == GAMES[0]
    assert (found.streak, found.best_streak) == (-1, 2)


def test_by_preset(history: History) -> None:
    lines = {
        line.preset: (line.games, line.decided, line.wins, line.points, line.low_wins)
        for line in statistics(history, ME).presets
    }
    assert lines == {
        "classic": (4, 3, 1, 570, False),
        "low": (1, 1, 1, 9, True),
        "pairs": (1, 1, 1, 500, False),
    }
    assert statistics(history, ME).presets[0].preset == "classic"


def test_the_statistics_list_the_games_with_each_person(history: History) -> None:
    people = statistics(history, ME).people
    shown = {
        line.name: (line.games, line.decided, line.won, line.lost, line.together, line.last / DAY)
        for line in people
    }
    assert shown == {
        "Ana": (4, 4, 3, 1, 0, 9),
        "Carla": (2, 1, 0, 0, 1, 9),
        "Beto": (1, 1, 1, 0, 0, 9),
    }
    assert [line.identity for line in people] == [person("1"), person("Carla"), person("Beto")]


def test_somebody_else_sees_their_own(history: History) -> None:
    found = statistics(history, person("1"))
    assert (found.games, found.decided, found.wins) == (5, 5, 1)
    assert statistics(history, b"x" * 32) == Statistics()


def test_a_forfeit_is_a_game_but_no_win(tmp_path: Path) -> None:
    table = new_table(2).run(playing)
    table.drop(1, DropReason.LEFT)
    home = new_home(tmp_path / "home")
    keep(home, table.run())
    history = History(home)
    history.refresh()
    (game,) = history.games(ME).games
    assert [each.won for each in game.record.players] == [True, False]
    assert game.record.decided is table.audit().decided is Decided.ABSENCE
    for me in (ME, identity(1).public):
        found = statistics(history, me)
        assert (found.games, found.decided, found.wins, found.best_streak) == (1, 0, 0, 0)
        assert [(each.won, each.lost) for each in found.people] == [(0, 0)]
        for show, total in ((GameFilter.WON, 0), (GameFilter.LOST, 0), (GameFilter.UNDECIDED, 1)):
            assert history.games(me, GameQuery(show=show)).total == total
    history.close()


def test_a_game_with_a_cheater_does_not_count_even_before_its_audit(tmp_path: Path) -> None:
    table = new_table(3, SHORT, salt=9)
    table.run(lambda now: now.replay.number == 1 and now.log.phase is ProtocolPhase.REVEAL)
    table.add(1, replace(table.reveal(1), seed=bytes(32)))
    home = new_home(tmp_path / "home")
    keep(home, table.run())
    assert table.audit().verdict is AuditVerdict.CHEATING
    history = History(home)
    history.refresh()
    (game,) = history.games(ME, GameQuery(show=GameFilter.CHEATED)).games
    assert (game.verdict, game.counts) == (AuditVerdict.CHEATING, False)
    found = statistics(history, ME)
    assert (found.games, found.others, found.cheated) == (0, 1, 1)
    history.close()


def test_a_name_is_the_last_one(tmp_path: Path) -> None:
    home = new_home(tmp_path / "home")
    put(home, [record(1, ["me", "Ana/1"]), record(2, ["Anna/1", "Beto"])])
    history = History(home)
    assert [line.name for line in statistics(history, ME).people] == ["Anna"]
    history.close()


def test_a_bot_of_mine_is_not_me(tmp_path: Path) -> None:
    home = new_home(tmp_path / "home")
    put(home, [record(1, ["bot", "Ana"], won=["bot"])])
    history = History(home)
    assert statistics(history, person("bot")) == Statistics()
    history.close()


def test_a_game_that_was_really_played(tmp_path: Path) -> None:
    home = new_home(tmp_path / "home")
    table = played(1)
    keep(home, table)
    history = History(home)
    history.refresh()
    found = statistics(history, ME)
    assert (found.games, found.decided, found.streak) == (1, 0, 0)
    assert found.points == table.audit().scores[0]
    assert found.longest == found.most_rounds == history.game(table.genesis.table_id)
    assert [line.name for line in found.people] == ["p1"]
    history.close()


def by_hand(games: list[GameRecord]) -> tuple[int, int, int, int, int]:
    """Return games, wins, points, streak and best streak, computed in the plainest way."""
    mine = [
        (each, next(player for player in each.players if player.identity == ME))
        for each in games
        if each.reason in (CloseReason.FINISHED, CloseReason.STOPPED, CloseReason.TOO_LONG)
        and any(player.identity == ME for player in each.players)
    ]
    results = [me.won for each, me in mine if any(player.won for player in each.players)]
    best = streak = now = 0
    for won in results:
        now = now + 1 if won else 0
        best = max(best, now)
    for won in reversed(results):
        if won != results[-1]:
            break
        streak += 1 if won else -1
    points = sum(me.score for each, me in mine if each.format is Format.POINTS)
    return len(mine), sum(results), points, streak, best


@pytest.mark.parametrize("seed", range(3))
def test_many_games_against_a_count_by_hand(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    games = []
    for number in range(400):
        names = chance.sample(["me", "Ana", "Beto", "Carla", "bot", "Dora"], chance.randint(2, 5))
        games.append(
            record(
                number,
                names,
                won=chance.sample(names, chance.randint(0, 2)),
                scores=[chance.randint(0, 500) for _ in names],
                format_=chance.choice([Format.POINTS, LOW]),
                reason=chance.choice([*CloseReason, None]),
            )
        )
    home = new_home(tmp_path / "home")
    put(home, games)
    history = History(home)
    found = statistics(history, ME)
    expected = by_hand(games)
    assert (found.games, found.wins, found.points, found.streak, found.best_streak) == expected
    history.close()


def test_only_so_many_people(tmp_path: Path) -> None:
    home = new_home(tmp_path / "home")
    put(home, [record(number, ["me", f"P{number}"]) for number in range(MOST_PEOPLE + 9)])
    history = History(home)
    assert len(statistics(history, ME).people) == MOST_PEOPLE
    history.close()


@pytest.mark.parametrize("change", ["UPDATE games SET format = 99", "DROP TABLE players"])
def test_damage_is_told(change: str, history: History) -> None:
    with sqlite3.connect(history.home.history) as link:
        link.execute(change)
    link.close()
    with pytest.raises(StoreError) as caught:
        statistics(history, ME)
    assert caught.value.problem is FileProblem.DAMAGED
