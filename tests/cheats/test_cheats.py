"""One player and one host for each fault of a log, as separate programs over real connections.

`faults.py` lists what each of them does, and how its table must end. `python -m tests.cheats` plays
all other lies of the simulation too.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lanuno.log.faults import Fault
from tests.cheats.cheated_table import Judge, play_case
from tests.cheats.faults import CASES, EVERY, TESTED, Case, End, Role, chosen
from tests.cheats.fork_server import ForkServer
from tests.harness.processes.programs import Ended

SEVERAL_TABLES = 900.0
"""Time limit for a test that may play several tables until a lie is possible. It is far beyond what
the slowest machine needs."""


def test_no_fault_is_left_out() -> None:
    """Each fault is committed where that is possible; elsewhere it is tried and refused."""
    assert set(TESTED) == set(Fault)
    assert set(chosen(Role.HOST)) == set(Fault)
    assert set(Fault) - set(chosen(Role.PLAYER)) == {Fault.BAD_STATE}
    refused = {Fault.FORGED, Fault.BAD_ORDER}
    for fault, case in chosen(Role.PLAYER).items():
        assert case.fault is (None if fault in refused else fault)
        assert (case.end is End.REFUSED) == (fault in {*refused, Fault.NO_REVEAL})
    for fault, case in chosen(Role.HOST).items():
        assert case.fault is (None if fault is Fault.NO_REVEAL else fault)


def test_every_lie_has_a_name_of_its_own() -> None:
    assert len(CASES) == len(EVERY) > 150


def said_of(player: str | None, fault: str = "bad-state", verdict: str = "cheating") -> Any:
    """Return a report of `lanuno verify` on one file."""
    return {"verdict": verdict, "blame": [{"player": player, "fault": fault}], "noted": []}


@pytest.mark.parametrize(
    ("files", "code", "right"),
    [
        ([said_of("Ana")], 1, True),
        ([said_of("Ana"), said_of("Ana")], 1, True),
        ([said_of("Ana"), said_of("Beto")], 1, False),
        ([said_of(None)], 1, False),
        ([said_of("Ana", "forged")], 1, False),
        ([said_of("Ana", verdict="verified")], 1, False),
        ([said_of("Ana")], 0, False),
    ],
)
def test_what_must_not_come_of_a_lie_is_seen(files: list[Any], code: int, right: bool) -> None:
    case = chosen(Role.HOST)[Fault.BAD_STATE]
    judge = Judge(case, "Ana", {"files": files, "blame": []}, {}, {"Beto": Ended(code, "", "")}, ())
    if right:
        judge.judge()
    else:
        with pytest.raises(AssertionError):
            judge.judge()


@pytest.mark.timeout(SEVERAL_TABLES)
@pytest.mark.parametrize("case", chosen(Role.PLAYER).values(), ids=lambda case: case.name)
def test_a_changed_player_is_refused_or_named_and_the_others_play_on(
    case: Case, tmp_path: Path, programs: ForkServer
) -> None:
    play_case(case, tmp_path, programs)


@pytest.mark.timeout(SEVERAL_TABLES)
@pytest.mark.parametrize("case", chosen(Role.HOST).values(), ids=lambda case: case.name)
def test_a_changed_host_is_named_by_what_the_others_hold(
    case: Case, tmp_path: Path, programs: ForkServer
) -> None:
    play_case(case, tmp_path, programs)
