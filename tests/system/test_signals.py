"""Requests to end: handled in a context, left alone under nohup, sent from a thread."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator

import pytest

from lanuno.system.signals import CLOSED_TERMINAL, REQUESTS, handled, ignore_interrupts, request_end


@pytest.fixture(autouse=True)
def usual() -> Iterator[dict[int, object]]:
    """The handlers of a program that does nothing about signals; restored at the end."""
    before = {number: signal.getsignal(number) for number in REQUESTS}
    for number in REQUESTS:
        signal.signal(number, signal.SIG_DFL)
    yield dict.fromkeys(REQUESTS, signal.SIG_DFL)
    for number, found in before.items():
        signal.signal(number, found)


def test_each_request_is_handled_in_the_context_only(usual: dict[int, object]) -> None:
    heard: list[int] = []
    with handled(heard.append):
        for number in REQUESTS:
            signal.raise_signal(number)
    assert heard == [*REQUESTS]
    assert {number: signal.getsignal(number) for number in REQUESTS} == usual


def test_a_terminal_that_is_closed_under_nohup_is_ignored() -> None:
    signal.signal(CLOSED_TERMINAL, signal.SIG_IGN)
    heard: list[int] = []
    with handled(heard.append):
        signal.raise_signal(CLOSED_TERMINAL)
    assert heard == []
    assert signal.getsignal(CLOSED_TERMINAL) is signal.SIG_IGN


def test_a_thread_asks_the_program_to_end() -> None:
    heard: list[int] = []
    with handled(heard.append):
        thread = threading.Thread(target=request_end)
        thread.start()
        thread.join()
    assert heard == [signal.SIGTERM]


def test_ignored_interrupts_end_nothing() -> None:
    ignore_interrupts()
    signal.raise_signal(signal.SIGINT)
