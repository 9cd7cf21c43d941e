"""How a computer requests a rematch, given the closed log: who sits where, and who opens.

tests/table/test_rematch.py tests how the nodes learn who wants to play again.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from lanuno.client.rematch import rematch_plans
from lanuno.client.requests import BOT_NAMES, HostRequest, JoinRequest
from lanuno.client.session import TableSession
from lanuno.dealing.identity import fingerprint
from lanuno.log.format.bodies import HOST
from lanuno.store.paths import Home
from lanuno.table.messages import PeerAddress
from lanuno.table.metadata import TableMetadata
from tests.harness.log_table.filling import fill_in_payload
from tests.harness.log_table.leaving import PAIRS
from tests.harness.log_table.log_table import LogTable, identity, new_table
from tests.harness.log_table.moments import playing

AWAY = 3
"""The seat that a bot of the host has filled."""


@pytest.fixture(scope="module")
def filled() -> LogTable:
    """Two pairs; a bot plays for one player, who was away at the end."""
    table = new_table(4, PAIRS, rounds=2).run(playing)
    table.drop(AWAY)
    table.run(lambda each: each.replay.between_rounds)
    table.add(HOST, fill_in_payload(table, AWAY))
    assert table.replay.roster.seats[AWAY].bot
    return table


def plan(
    table: LogTable, seat: int, opener: int, here: tuple[int, ...]
) -> HostRequest | JoinRequest:
    session = session_of(table, seat)
    return rematch_plans(session, opener, here, adapter=None, slow_clock=False, avatar=0)[0]


def session_of(table: LogTable, seat: int) -> TableSession:
    """Return the session of this seat, which knows the addresses of all others."""
    places = tuple(PeerAddress(each, "10.0.0.1", 4000 + each) for each in range(4) if each != seat)
    node = SimpleNamespace(seat=seat, replay=table.replay, places=places)
    runtime = SimpleNamespace(node=node, metadata=TableMetadata(name="Mesa"))
    return cast(TableSession, SimpleNamespace(runtime=runtime))


def test_somebody_who_is_back_gets_the_chair_that_a_bot_has_filled(filled: LogTable) -> None:
    opening = plan(filled, 0, 0, (0, 1, 2, AWAY))
    assert isinstance(opening, HostRequest)
    assert opening.bots == 0, "otherwise the returning player would have no seat"
    assert opening.order == tuple(identity(seat).public for seat in range(4))


def test_a_bot_stays_in_the_chair_of_somebody_who_is_not_back(filled: LogTable) -> None:
    opening = plan(filled, 0, 0, (0, 1, 2))
    assert isinstance(opening, HostRequest)
    assert opening.bots == 1
    assert opening.order == (*(identity(seat).public for seat in range(3)), b"")


def test_somebody_who_is_back_can_open_the_next_table(filled: LogTable) -> None:
    opening = plan(filled, AWAY, AWAY, (0, 1, AWAY))
    assert isinstance(opening, HostRequest)
    assert opening.bots == 0
    assert opening.order == tuple(identity(seat).public for seat in (0, 1, AWAY))
    visit = plan(filled, 1, AWAY, (0, 1, AWAY))
    assert isinstance(visit, JoinRequest)
    assert visit.place is not None
    person = fingerprint(identity(AWAY).public)
    assert visit.place.fingerprint == person, "not the bot's"
    assert visit.place.port == 4000 + AWAY


def test_a_rematch_is_the_match_that_all_signed_and_nothing_else(filled: LogTable) -> None:
    """The bot that fills a seat is not the person who signed, so everybody is asked again."""
    opening = plan(filled, 0, 0, (0, 1, 2))
    visit = plan(filled, 1, 0, (0, 1, 2))
    assert opening.expected == visit.expected == filled.replay.absence.signed_roster
    assert opening.expected != filled.replay.roster


def test_everybody_tries_the_same_people_in_the_same_order(filled: LogTable) -> None:
    def tried(seat: int, opener: int) -> list[int]:
        session = session_of(filled, seat)
        plans = rematch_plans(session, opener, adapter=None, slow_clock=False, avatar=0)
        places = [each.place if isinstance(each, JoinRequest) else None for each in plans]
        return [seat if place is None else place.port - 4000 for place in places]

    assert [tried(seat, 2) for seat in (0, 1, 2)] == [[2, 0, 1]] * 3, "first the one who is named"
    assert [tried(seat, 0) for seat in (0, 1, 2)] == [[0, 1, 2]] * 3


def test_bots_leave_the_people_who_come_their_names(filled: LogTable, tmp_path: Path) -> None:
    """Bots sit down first, and a player who is still on the way may have the name of one."""
    opening = plan(filled, 0, 0, (0, 1, 2))
    assert isinstance(opening, HostRequest)
    people = tuple(seat.name for seat in filled.replay.absence.signed_roster.seats)
    assert opening.awaited == people[:AWAY], "a bot is not waited for"
    opening = replace(opening, awaited=("Ada", "BLAS"), bot_names=BOT_NAMES)
    session = TableSession(Home(tmp_path, tmp_path, tmp_path), opening, lambda _told: None)
    bot = session._new_bot(opening)
    assert bot is not None
    assert bot.name == "Cleo"
