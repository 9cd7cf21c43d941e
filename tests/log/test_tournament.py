"""A tournament from its genesis to its last table: the bindings, and the logs it refuses."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from lanuno.log.audit.audit import Report, audit
from lanuno.log.faults import AuditVerdict, Unreadable
from lanuno.log.format.bodies import HOST, CloseReason
from lanuno.log.format.genesis import TournamentBinding, may_begin, unplayable
from lanuno.log.format.transcript import Transcript
from lanuno.log.replay.course import Decided
from lanuno.log.replay.replay import Replay
from lanuno.log.tournament import TournamentReplay, TournamentTable
from lanuno.rules.errors import RulesError
from lanuno.rules.match.tournament import TOURNAMENT_PLAYERS
from tests.harness.log_table.log_table import identity, make_genesis, make_roster
from tests.harness.log_table.tournaments import (
    RULES,
    Seated,
    play,
    table_genesis,
    tournament_genesis,
)


@pytest.fixture(scope="module")
def tournament() -> TournamentReplay:
    """A tournament in its first rotation. No test may change it."""
    return TournamentReplay(tournament_genesis())


@pytest.fixture(scope="module")
def first(tournament: TournamentReplay) -> tuple[Transcript, Transcript]:
    """The logs of the first rotation."""
    return play(tournament.table(0)), play(tournament.table(1))


def test_eight_can_play_what_is_for_four_at_a_table() -> None:
    assert unplayable(RULES, TOURNAMENT_PLAYERS) is None
    assert unplayable(RULES, 4) is None
    assert unplayable(RULES, 6) is not None
    assert may_begin(RULES, TOURNAMENT_PLAYERS, TOURNAMENT_PLAYERS)
    assert may_begin(RULES, 4, 4)
    assert not may_begin(RULES, 4, TOURNAMENT_PLAYERS)
    assert not may_begin(RULES, 6, 6)


def test_the_genesis_of_a_tournament_is_no_table() -> None:
    with pytest.raises(Unreadable, match="not a table"):
        Replay(tournament_genesis())
    with pytest.raises(Unreadable, match="not of a tournament"):
        TournamentReplay(make_genesis(make_roster(2)))


def test_everybody_finds_the_same_tables(tournament: TournamentReplay) -> None:
    for player in range(TOURNAMENT_PLAYERS):
        table = tournament.table_of(identity(player).public)
        assert identity(player).public in table.order
        assert table.host == identity(table.players[0]).public
    assert tournament.table(0).lobby != tournament.table(1).lobby
    for number in (0, 1):
        table = tournament.table(number)
        assert (table.rotation, table.table) == (0, number)
        assert table.binding == TournamentBinding(tournament.id, 0, number, ())
        assert tournament.expects(table_genesis(table, salt=7).read())
        assert not tournament.expects(table_genesis(table, rounds=1).read())


def test_an_absence_at_one_table_decides_the_tournament(
    tournament: TournamentReplay, first: tuple[Transcript, Transcript]
) -> None:
    """The points of all tables count, so one table changes the ranking."""
    assert tournament.decided is None
    decisions = [Decided.CARDS, Decided.ABSENCE]

    def audited(transcript: Transcript) -> Report:
        return replace(audit(transcript), decided=decisions.pop(0))

    live = TournamentReplay(tournament.genesis)
    decided = []
    for log in first:
        assert live.add(log, audited) is not None
        decided.append(live.decided)
    assert decided == [Decided.CARDS, Decided.ABSENCE]


def test_a_whole_tournament_is_played_and_gathered_from_its_files(
    tournament: TournamentReplay, first: tuple[Transcript, Transcript]
) -> None:
    live = TournamentReplay(tournament.genesis)
    logs = list(first)
    for log in first:
        assert live.add(log) is not None
    assert live.rotation == 1
    assert live.table(0).binding.before == tuple(log.entries[-1].hash for log in first)
    while not live.over:
        for log in [play(live.table(number)) for number in live.missing()]:
            logs.append(log)
            assert live.add(log) is not None
    assert len(logs) == len(live.reports) == 14
    assert live.missing() == ()
    assert live.add(logs[-1]) is None
    with pytest.raises(RulesError):
        live.table(0)
    best = max(live.results.totals)
    assert [live.results.totals[player] for player in live.results.winners] == [best] * len(
        live.results.winners
    )

    again = TournamentReplay(tournament.genesis)
    unfinished = Transcript(logs[0].genesis, logs[0].entries[:-1], torn=False)
    foreign = Transcript(make_genesis(make_roster(2)), (), torn=False)
    again.add_all([unfinished, foreign, *reversed(logs)])
    assert again.over
    assert again.results.public_state() == live.results.public_state()


def test_a_table_waits_for_both_logs_of_the_rotation_before(
    tournament: TournamentReplay, first: tuple[Transcript, Transcript]
) -> None:
    live = TournamentReplay(tournament.genesis)
    live.add_all([first[1]])
    assert live.rotation == 0
    assert live.missing() == (0,)
    assert live.results.totals == [0] * TOURNAMENT_PLAYERS
    assert live.add(first[1]) is None


def test_of_two_matches_at_one_table_only_that_counts_to_which_a_later_one_is_bound(
    tournament: TournamentReplay, first: tuple[Transcript, Transcript]
) -> None:
    """The attack: all at one table play again, and show each match to somebody else."""
    again = play(tournament.table(0), salt=1)
    assert again.genesis.table_id != first[0].genesis.table_id
    live = TournamentReplay(tournament.genesis)
    live.add_all(first)
    later = play(live.table(0))
    for logs, counted in (
        ((again, *first), {(0, 1): first[1]}),
        ((again, *first, later), {(0, 0): first[0], (0, 1): first[1], (1, 0): later}),
    ):
        found = TournamentReplay(tournament.genesis)
        found.add_all(logs)
        ids = {each: report.table_id for each, report in found.reports.items()}
        assert ids == {each: log.genesis.table_id for each, log in counted.items()}


def refused(tournament: TournamentReplay, log: Transcript) -> bool:
    live = TournamentReplay(tournament.genesis)
    return live.add(log) is None and live.missing() == (0, 1) and not live.reports


def test_a_log_that_is_bound_to_something_else_is_not_taken(tournament: TournamentReplay) -> None:
    table = tournament.table(0)
    other = msgspec.structs.replace(table.binding, tournament=bytes(32))
    assert refused(tournament, play(table, binding=other))
    for nowhere in ({"rotation": 7}, {"table": 2}):
        binding = msgspec.structs.replace(table.binding, **nowhere)
        assert refused(tournament, play(table, binding=binding))
    assert refused(tournament, play(table, binding=None))
    assert refused(tournament, play(table, lobby=b"another lobby id"))


def test_a_log_by_other_rules_or_hosts_is_not_taken(tournament: TournamentReplay) -> None:
    table = tournament.table(0)
    slower = msgspec.structs.replace(RULES, turn_clock_s=30)
    assert refused(tournament, play(table, ruleset=slower))
    assert refused(tournament, play(table, host=1))


def test_a_log_of_another_match_of_the_same_people_is_not_taken(
    tournament: TournamentReplay,
) -> None:
    """The attack: all at one table agree to a shorter match, or to the name of somebody else."""
    table = tournament.table(0)
    seats = table_genesis(table).read().seats
    elsewhere = tournament.table(1).players[0]
    for changed in (
        msgspec.structs.replace(seats[1], name=f"p{elsewhere}"),
        msgspec.structs.replace(seats[1], slow_clock=True),
        msgspec.structs.replace(seats[1], bot=True, owner=seats[0].identity),
    ):
        assert refused(tournament, play(table, seats=(seats[0], changed, *seats[2:])))
    assert refused(tournament, play(table, rounds=1))
    assert refused(tournament, play(table, spectators=False))


def test_a_log_of_others_is_not_taken(tournament: TournamentReplay) -> None:
    table = tournament.table(0)
    x, z, y, w = table.players
    swapped = TournamentTable(0, 0, (x, w, y, z), table.order, table.lobby, table.binding)
    assert refused(tournament, play(swapped))


def test_a_log_that_was_not_played_to_its_end_is_not_taken(tournament: TournamentReplay) -> None:
    table = tournament.table(0)
    genesis = table_genesis(table)
    log = Seated(genesis, players=table.players)
    log.run(lambda each: each.replay.round is not None)
    log.add(HOST, log.close(CloseReason.INCOMPLETE))
    assert log.audit().verdict is AuditVerdict.INCOMPLETE
    assert refused(tournament, Transcript(genesis, tuple(log.entries), torn=False))


def test_a_tournament_refuses_a_genesis_without_signatures(
    tournament: TournamentReplay, first: tuple[Transcript, Transcript]
) -> None:
    genesis = msgspec.structs.replace(first[0].genesis, signatures=())
    assert refused(tournament, Transcript(genesis, (), torn=False))
