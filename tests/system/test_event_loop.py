"""The event loop: it watches sockets and sends datagrams, and hears signals while it waits."""

from __future__ import annotations

import asyncio
import signal
import socket
import threading

from lanuno.system.event_loop import run_in_loop, signals_handled
from tests.harness.sockets.running import PATIENCE


def test_a_socket_is_watched() -> None:
    async def story() -> bytes:
        one, other = socket.socketpair()
        with one, other:
            heard: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
            asyncio.get_running_loop().add_reader(one, lambda: heard.set_result(one.recv(9)))
            other.send(b"here")
            data = await heard
            asyncio.get_running_loop().remove_reader(one)
            return data

    assert run_in_loop(story()) == b"here"


def test_a_signal_is_heard_at_once_while_nothing_else_happens() -> None:
    async def story() -> list[int]:
        heard: list[int] = []
        over = asyncio.Event()

        def hear(number: int) -> None:
            heard.append(number)
            over.set()

        with signals_handled(hear):
            threading.Timer(0.1, lambda: signal.raise_signal(signal.SIGTERM)).start()
            await asyncio.wait_for(over.wait(), PATIENCE)
            return heard

    before = signal.getsignal(signal.SIGTERM)
    assert run_in_loop(story()) == [signal.SIGTERM]
    assert signal.getsignal(signal.SIGTERM) is before
    assert signal.set_wakeup_fd(-1) == -1
