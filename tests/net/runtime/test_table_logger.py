"""What is logged about a table: one line for every event, and no line that reveals a card."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from msgspec import structs

from lanuno.log.faults import Blame, Fault, VoidReason
from lanuno.log.format.bodies import CloseReason, DropReason
from lanuno.log.round import events
from lanuno.net.errors import Goodbye
from lanuno.net.runtime.endings import CaughtUp, PlaysElsewhere, RuntimeEvent, TableEnding
from lanuno.net.runtime.prove_pin import prove_pin
from lanuno.net.runtime.table_logger import TableLogger
from lanuno.net.transport.limits import Limits
from lanuno.rules.engine.events import Played
from lanuno.rules.engine.results import RoundKind
from lanuno.store.logfile import logging_to
from lanuno.store.paths import Home
from lanuno.table import messages, outputs
from tests.harness.log_table.log_table import make_genesis, make_roster
from tests.harness.sockets.running import LOBBY, RawPeer, run, serving, until
from tests.harness.sockets.tables import identity, say, table, until_end

BLAME = Blame(1, Fault.BAD_KEY, 3, 77, "a key is not the one")

LINES: list[tuple[RuntimeEvent, str]] = [
    (outputs.SeatsAwaited((1,), 60.0), "waiting for seat 1 (p1), 60 s at most"),
    (outputs.QuorumChanged(1, 2), "frozen: 1 players in contact, 2 needed"),
    (outputs.HostingChanged(True), "this computer is the host now"),
    (outputs.HostingChanged(False), "this computer is no longer the host"),
    (
        outputs.NodeStopped(BLAME),
        "this computer stops: bad-key by seat 1 (p1), round 3, entry 77: a key",
    ),
    (outputs.NodeStopped(structs.replace(BLAME, seat=None)), "bad-key by an unknown seat"),
    (outputs.Send(9, messages.TransferHost(4, 1)), "handing over to seat 1 (p1) in term 4"),
    (
        outputs.Send(9, messages.RequestVote(True, 2, 0, 0, bytes(32))),
        "term 2: asking for a pre-vote",
    ),
    (
        outputs.Send(9, messages.RequestVote(False, 2, 0, 0, bytes(32))),
        "term 2: asking for the vote",
    ),
    (outputs.Send(9, messages.VoteReply(True, 2, True)), "term 2: would vote for"),
    (outputs.Send(9, messages.VoteReply(False, 2, True)), "term 2: voted for"),
    (outputs.Send(9, messages.VoteReply(False, 2, False)), "term 2: no vote for"),
    (outputs.Send(9, messages.Refused(messages.LobbyRefusal.FULL)), "refused (FULL)"),
    (
        outputs.Send(9, messages.BodyRefusal(1, 5, "illegal", "red 7 on blue")),
        "refused a move of seat 1 (p1): illegal",
    ),
    (
        outputs.ActionRefused("illegal", "red 7"),
        "the host refused a move of this computer: illegal",
    ),
    (outputs.RoundHalted(1), "seat 1 (p1) has found a fault and halts the round"),
    (CaughtUp(1, 12), "caught up with seat 1 (p1): 12 entries"),
    (PlaysElsewhere(), "another program plays with the identity of this one"),
    (events.RoundOpened(3, RoundKind.PLAY, (0, 1), 0), "round 3 begins (play): seat 0"),
    (events.RoundVoided(3, VoidReason.LOST, "gone"), "round 3 is void: LOST: gone"),
    (events.RoundClosed(3, None, True), "round 3 is closed and counts"),
    (events.RoundClosed(3, None, False), "round 3 is closed and does not count"),
    (events.FaultFound(BLAME), "a fault is proven: bad-key by seat 1"),
    (events.Attested(0, (1,)), "seat 0 (p0) blames seat 1 (p1)"),
    (events.SeatDropped(1, DropReason.SILENT), "seat 1 (p1) is dropped: SILENT"),
    (events.LeaveAnnounced(1), "seat 1 (p1) leaves"),
    (events.SeatRecovered(1), "the cards of seat 1 (p1) are recovered"),
    (events.SeatReturned(1), "seat 1 (p1) is back"),
    (events.SeatExpelled(1, True), "seat 1 (p1) is expelled: it cheated"),
    (events.SeatExpelled(1, False), "expelled: it was missing from a second void round"),
    (events.SeatFilled(1, 0), "seat 1 (p1): played by a bot of seat 0 (p0)"),
    (events.Forfeited(1, 0), "seat 1 (p1) forfeits to seat 0 (p0)"),
    (events.HostElected(1, 2), "the host of term 2 is seat 1 (p1)"),
    (events.LogClosed(CloseReason.STOPPED), "the log is closed: STOPPED"),
]
SILENT: list[RuntimeEvent] = [
    *(events.Attested(0, ()), outputs.ViewChanged(), outputs.SeatsAwaited((), 0.0)),
    *(outputs.QuorumChanged(2, 2), outputs.ChatReceived("Bea", 1, "hello")),
    *(outputs.Send(9, messages.Say("hello")), Played(0, 3, 17, 2), events.StepDone(0, "mask")),
]


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> TableLogger:
    """The logger of a spectator at a table of two."""
    caplog.set_level(logging.INFO, "lanuno")
    return TableLogger(make_genesis(make_roster(2)), None, lambda _event: None)


@pytest.mark.parametrize(("event", "line"), LINES)
def test_a_line(
    event: RuntimeEvent, line: str, log: TableLogger, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.clear()
    log.observe(event)
    (said,) = caplog.messages
    assert line in said
    assert "red 7" not in said


@pytest.mark.parametrize("event", SILENT)
def test_no_line(event: RuntimeEvent, log: TableLogger, caplog: pytest.LogCaptureFixture) -> None:
    caplog.clear()
    log.observe(event)
    assert caplog.messages == []


def test_a_wait_is_told_once_and_when_it_is_over(
    log: TableLogger, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.clear()
    for seats in ((1,), (1,), (0, 1), (0, 1), (0,), (), ()):
        log.observe(outputs.SeatsAwaited(seats, 60.0))
    for here in (1, 1, 2, 2):
        log.observe(outputs.QuorumChanged(here, 2))
    assert [each.partition(",")[0] for each in caplog.messages] == [
        "waiting for seat 1 (p1)",
        "waiting for seat 0 (p0)",
        "no longer waiting for seat 1 (p1)",
        "no longer waiting for seat 0 (p0)",
        "frozen: 1 players in contact",
        "continuing: 2 players in contact",
    ]


def test_seats_that_are_none_do_no_harm(log: TableLogger, caplog: pytest.LogCaptureFixture) -> None:
    log.observe(events.LeaveAnnounced(99))
    assert caplog.messages[-1] == "seat 99 leaves"


def test_the_end_of_a_table_or_connection_is_logged(
    log: TableLogger, caplog: pytest.LogCaptureFixture
) -> None:
    log.ended(TableEnding.LOST, None)
    log.ended(TableEnding.FAILED, OSError("no room"))
    log.refused(3, Goodbye.FLOOD)
    assert caplog.messages[-3:] == [
        "it is over for this computer: lost",
        "it is over for this computer: failed: OSError: no room",
        "connection 3: ended, FLOOD: ",
    ]


def test_floods_and_garbage_at_a_real_table(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "lanuno")

    async def story() -> None:
        async with table(3, pin="4711") as at:
            flood = await at.channel(1)
            for _ in range(flood.limits.burst + 500):
                await say(flood, messages.Say("never to be seen"))
            await until_end(flood)
            await flood.close()
            garbage = await at.channel(2)
            garbage.send(b"\xc1")
            await until_end(garbage)
            await garbage.close()
            guest = await at.channel(3)
            await prove_pin(guest, identity(3).public, "0815")
            await guest.close()

    run(story())
    for words in (
        *("connection of 127.0.0.1: FLOOD", "connection of 127.0.0.1: unreadable message"),
        *("gave a wrong PIN (1 of 5)", "refused (", "in from 127.0.0.1 (", "lost 127.0.0.1 ("),
    ):
        assert words in caplog.text, words
    assert not any(each in caplog.text for each in ("never to be seen", "0815", "4711"))


def test_hundreds_of_refused_connections_are_a_few_lines(tmp_path: Any) -> None:
    """Over real sockets, some connections send no TLS and some send nothing."""
    home = Home.at(tmp_path / "h")

    async def story() -> None:
        async with serving(Limits(first_byte=60.0, queue_places=4)) as (server, _):
            silent = [await _tcp(server.port) for _ in range(304)]
            await until(lambda: len(server._half_open) == 4)
            for each in silent[:300]:
                await _ended(each)
            for each in silent[300:]:
                each.writer.write(b"GET / HTTP/1.0\r\n\r\n")
                await _ended(each)
            for _ in range(300):
                stranger = await _tcp(server.port)
                stranger.writer.write(b"GET / HTTP/1.0\r\n\r\n")
                await _ended(stranger)

    with logging_to(home, "host"):
        logging.getLogger("lanuno").info("before the attack")
        run(story())
    text = home.log.read_text(encoding="utf-8")
    assert "before the attack" in text
    assert "127.0.0.1 did not get in: it made room for another connection" in text
    assert "127.0.0.1 did not get in: it speaks no TLS" in text
    assert text.count(" more in ") == 2
    assert "and 290 more in" in text
    assert "and 294 more in" in text
    assert len(text) < 4096
    assert LOBBY.hex() not in text


async def _tcp(port: int) -> RawPeer:
    return RawPeer(*await asyncio.open_connection("127.0.0.1", port))


async def _ended(peer: RawPeer) -> None:
    await peer.end()
    await peer.close()
