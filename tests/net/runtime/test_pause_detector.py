"""A program that did not run for a while, and what the end of a connection means."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from dataclasses import dataclass, field

import pytest

from lanuno.net.errors import Goodbye, NetError, NetFault
from lanuno.net.runtime.endings import silent_seconds, went_quiet
from lanuno.net.runtime.pause_detector import PAUSE_SECONDS, PauseDetector
from lanuno.net.runtime.search_deadline import (
    LONGEST_SEARCH_SECONDS,
    SearchDeadline,
    usual_search_seconds,
)
from lanuno.rules.ruleset import Ruleset
from tests.harness.sockets.running import RawPeer, run, serving, until


@dataclass
class Clock:
    """A clock that a test sets."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Looked:
    """A pause detector with simulated clocks, and the pauses that it reported."""

    loop: Clock = field(default_factory=Clock)
    always: Clock = field(default_factory=Clock)
    told: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.pauses = PauseDetector(self.told.append, clock=self.loop, suspend_clock=self.always)

    def pass_by(self, seconds: float, asleep: float = 0.0) -> bool:
        self.loop.now += seconds
        self.always.now += seconds + asleep
        return self.pauses.check()


def test_a_program_that_looks_often_was_not_paused() -> None:
    looked = Looked()
    assert not any(looked.pass_by(PAUSE_SECONDS - 0.01) for _ in range(10))
    assert looked.told == []


def test_a_pause_is_told_once_and_with_its_length() -> None:
    looked = Looked()
    assert looked.pass_by(70.0)
    assert not looked.pass_by(0.0)
    assert looked.told == [70.0]


def test_a_computer_that_slept_is_seen_where_the_clock_of_the_loop_stood() -> None:
    looked = Looked()
    assert looked.pass_by(0.1, asleep=3_600.0)
    assert looked.told == [0.1], "only the loop's clock counts, by which timers are overdue"


def test_it_looks_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """The detector checks regularly without other events, and stops at `end`."""
    monkeypatch.setattr("lanuno.net.runtime.pause_detector.PAUSE_CHECK_SECONDS", 0.001)

    async def story() -> None:
        looked = Looked()
        looked.pauses.begin()
        looked.loop.now = PAUSE_SECONDS
        await until(lambda: looked.told == [PAUSE_SECONDS])
        looked.pauses.end()
        looked.pauses.end()
        looked.loop.now += PAUSE_SECONDS
        await asyncio.sleep(0.05)
        assert looked.told == [PAUSE_SECONDS]

    run(story())


def test_a_clock_that_runs_in_sleep_is_taken_where_there_is_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "lanuno.net.runtime.pause_detector.time.CLOCK_BOOTTIME", None, raising=False
    )
    told: list[float] = []
    clock = Clock()
    pauses = PauseDetector(told.append, clock=clock)
    assert not pauses.check()
    clock.now = PAUSE_SECONDS
    assert pauses.check()


# ---- search deadline ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("total", "seconds"),
    [(0, 0.0), (3, 10.0), (180, LONGEST_SEARCH_SECONDS), (300, 600.0), (3600, 3600.0)],
)
def test_a_guest_looks_for_a_host_for_ten_minutes_by_default(total: int, seconds: float) -> None:
    """The search depends on the table's grace time, and is never shorter than it."""
    assert usual_search_seconds(Ruleset(grace_total_s=total)) == pytest.approx(seconds)


def test_patience_ends_unless_it_is_turned_off() -> None:
    async def story() -> None:
        gave_up: list[int] = []
        patience = SearchDeadline(0.01, lambda: gave_up.append(1))
        patience.restart()
        patience.set_active(on=True)
        patience.set_active(on=True)
        patience.set_active(on=False)
        await asyncio.sleep(0.05)
        assert gave_up == []
        patience.set_active(on=True)
        patience.restart()
        await until(lambda: gave_up == [1])
        patience.set_active(on=False)

    run(story())


# ---- how a connection ended ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("end", "quiet"),
    [
        (None, False),
        (Goodbye.SHUTDOWN, False),
        (NetError(NetFault.FLOOD, "too many messages"), False),
        (NetError(NetFault.CLOSED, "cut by this side"), False),
        (NetError(NetFault.LOST, "the connection was closed"), False),
        (NetError(NetFault.LOST, ConnectionResetError.__name__), False),
        (NetError(NetFault.SLOW, "took nothing for 5.0 s"), True),
        (NetError(NetFault.LOST, "silent for 4.0 s"), True),
        (NetError(NetFault.LOST, type(OSError(errno.ETIMEDOUT, "")).__name__), True),
        (NetError(NetFault.LOST, type(OSError(errno.ENETUNREACH, "")).__name__), True),
        (NetError(NetFault.LOST, ConnectionAbortedError.__name__), True),
    ],
)
def test_what_an_end_says_of_the_network(end: NetError | Goodbye | None, *, quiet: bool) -> None:
    assert went_quiet(end) is quiet
    silent = isinstance(end, NetError) and end.detail.startswith("silent")
    assert silent_seconds(end, 4.0) == (4.0 if silent else 0.0)


def test_bytes_that_are_no_tls_were_sent_by_somebody() -> None:
    """A guest that breaks its connection this way is dropped after the usual grace time."""

    async def story() -> None:
        async with serving() as (server, arrived):
            peer = await RawPeer.authenticated(server.port)
            channel = await arrived.get()
            own = peer.writer.get_extra_info("socket")
            with socket.socket(fileno=os.dup(own.fileno())) as sock:
                sock.send(b"no record of TLS at all, and longer than a header")
            await until(lambda: channel.end is not None)
            assert isinstance(channel.end, NetError)
            assert not went_quiet(channel.end)
            await peer.close()

    run(story())


@pytest.mark.parametrize("reset", [True, False])
def test_a_program_that_ends_does_not_look_like_a_network_that_fails(*, reset: bool) -> None:
    """The operating system closes the connection, or resets it if data was unread."""

    async def story() -> None:
        async with serving() as (server, arrived):
            peer = await RawPeer.authenticated(server.port)
            channel = await arrived.get()
            if reset:
                peer.writer.transport.abort()
            else:
                peer.writer.write_eof() if peer.writer.can_write_eof() else peer.writer.close()
            await until(lambda: channel.end is not None)
            assert isinstance(channel.end, NetError)
            assert not went_quiet(channel.end)
            await peer.close()

    run(story())
