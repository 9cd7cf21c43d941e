"""The facts about a game, as its transcript says them."""

from __future__ import annotations

import pytest

from lanuno.log.faults import Unreadable
from lanuno.log.format.bodies import CloseReason, DropReason
from lanuno.log.format.codec import encode
from lanuno.log.format.transcript import MAGIC, read
from lanuno.log.format.transcript import record as framed
from lanuno.log.tournament import TournamentReplay
from lanuno.rules.ruleset import Format
from lanuno.store.game_record import read_game
from tests.harness.homes.played_games import played
from tests.harness.log_table.log_table import LogTable, identity, new_table
from tests.harness.log_table.tournaments import play, tournament_genesis


@pytest.fixture(scope="module")
def table() -> LogTable:
    """A closed game of three players, shared, so it must not be changed."""
    return played(2, 3)


def test_a_game_keeps_who_had_left(table: LogTable) -> None:
    left = table.fork(len(table.entries) - 1)
    left.drop(1, DropReason.LEFT)
    game = read_game(read(left.file))
    assert [each.seat for each in game.players if each.gone] == [1]


def test_a_host_that_was_caught_ends_its_game_there(table: LogTable) -> None:
    count = len(table.entries) - 10
    wrong = table.fork(count)
    game = read_game(read(wrong.file + framed(encode(table.entries[-1]))))
    assert (game.entries, game.reason) == (count, None)
    assert game == read_game(read(wrong.file))


def test_the_players_of_a_tournament() -> None:
    genesis = tournament_genesis()
    game = read_game(read(MAGIC + framed(encode(genesis))))
    assert (game.table_id, game.tournament) == (genesis.table_id, genesis.table_id)
    assert (game.preset, game.format) == ("tournament", Format.ROTATION)
    assert [each.name for each in game.players] == [f"p{number}" for number in range(8)]
    assert not any(each.won or each.gone or each.score for each in game.players)
    assert (game.rounds, game.entries, game.played_ms, game.reason) == (0, 0, 0, None)


def test_a_table_of_a_tournament_names_the_tournament() -> None:
    genesis = tournament_genesis()
    transcript = play(TournamentReplay(genesis).table(0))
    game = read_game(transcript)
    assert game.tournament == genesis.table_id
    assert game.table_id == transcript.genesis.table_id != genesis.table_id
    assert (game.reason, game.rounds) == (CloseReason.FINISHED, 1)
    assert any(each.won for each in game.players)


def test_a_game_lasts_from_the_genesis_to_its_last_entry(table: LogTable) -> None:
    game = read_game(read(table.file))
    assert game.played_ms == table.entries[-1].read().ms > 0
    assert game.entries == len(table.entries)
    begun = read_game(read(table.fork(0).file))
    assert (begun.played_ms, begun.entries, begun.rounds) == (0, 0, 0)


def test_a_round_that_is_not_over_does_not_count(table: LogTable) -> None:
    cut = table.fork(len(table.entries) - 10)
    game = read_game(read(cut.file))
    assert (game.rounds, game.reason) == (0, None)
    assert [each.score for each in game.players] == [0, 0, 0]
    assert read_game(read(table.file)).rounds == 1


def test_entries_after_the_close_are_not_read(table: LogTable) -> None:
    game = read_game(read(table.file + framed(encode(table.entries[-1]))))
    assert game == read_game(read(table.file))


def test_a_bot_has_the_owner_on_whose_computer_it_began() -> None:
    game = read_game(read(new_table(3, bots={2: 1}).file))
    keys = [identity(seat).public for seat in range(3)]
    assert [each.identity for each in game.players] == keys
    assert [each.owner for each in game.players] == [keys[0], keys[1], keys[1]]
    assert [each.bot for each in game.players] == [False, False, True]
    assert len({each.avatar for each in game.players}) == 3, "each seat has a colour of its own"


def test_a_roster_that_cannot_be_read_is_no_game(table: LogTable) -> None:
    genesis = table.genesis
    other = type(genesis)(genesis.roster, genesis.signatures[::-1], genesis.nonces)
    transcript = read(MAGIC + framed(encode(other)))
    with pytest.raises(Unreadable):
        read_game(transcript)
