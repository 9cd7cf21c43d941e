"""Heartbeats and losses, with a simulated clock."""

from __future__ import annotations

from math import inf

from hypothesis import given
from hypothesis import strategies as st

from lanuno.net.transport.keepalive import Keepalive, KeepaliveAction
from lanuno.net.transport.limits import DEFAULT, Limits


def test_heartbeats_when_nothing_is_sent() -> None:
    keepalive = Keepalive(DEFAULT, 0.0)
    assert keepalive.due() == 1.0
    assert keepalive.check(0.99) is KeepaliveAction.NOTHING
    assert keepalive.check(1.0) is KeepaliveAction.BEAT
    keepalive.sent(1.0)
    keepalive.received(1.0)
    assert keepalive.check(1.5) is KeepaliveAction.NOTHING
    assert keepalive.due() == 2.0


def test_four_silent_seconds_are_a_loss() -> None:
    keepalive = Keepalive(DEFAULT, 0.0)
    keepalive.sent(3.9)
    assert keepalive.due() == 4.0
    assert keepalive.check(3.99) is KeepaliveAction.NOTHING
    assert keepalive.check(4.0) is KeepaliveAction.SILENT
    keepalive.received(4.0)
    assert keepalive.check(7.9) is not KeepaliveAction.SILENT


def test_a_peer_is_not_silent_while_reading_is_paused() -> None:
    keepalive = Keepalive(DEFAULT, 0.0)
    keepalive.set_paused(1.0, True)
    keepalive.sent(100.0)
    assert keepalive.check(100.0) is KeepaliveAction.NOTHING
    keepalive.set_paused(100.0, False)
    assert keepalive.check(103.9) is not KeepaliveAction.SILENT
    assert keepalive.check(104.0) is KeepaliveAction.SILENT


def test_a_queue_that_is_not_read_for_five_seconds_is_stuck() -> None:
    keepalive = Keepalive(DEFAULT, 0.0)
    keepalive.set_waiting(1.0)
    keepalive.set_paused(1.0, True)
    assert keepalive.due() == 6.0
    assert keepalive.check(5.9) is KeepaliveAction.NOTHING
    assert keepalive.check(6.0) is KeepaliveAction.STUCK
    keepalive.set_waiting(None)
    assert keepalive.check(6.0) is KeepaliveAction.BEAT


def test_a_keepalive_without_heartbeats_is_due_only_for_silence() -> None:
    keepalive = Keepalive(Limits(heartbeat=inf), 0.0)
    assert keepalive.due() == 4.0
    keepalive.set_paused(0.0, True)
    assert keepalive.due() == inf
    assert keepalive.check(1e9) is KeepaliveAction.NOTHING


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["heard", "sent", "wait", "flow", "deaf", "listen"]), st.floats(0, 3)
        ),
        max_size=50,
    )
)
def test_due_is_exactly_when_check_has_something_to_say(steps: list[tuple[str, float]]) -> None:
    keepalive, now = Keepalive(DEFAULT, 0.0), 0.0
    for what, pause in steps:
        now += pause
        match what:
            case "heard":
                keepalive.received(now)
            case "sent":
                keepalive.sent(now)
            case "wait":
                keepalive.set_waiting(now)
            case "flow":
                keepalive.set_waiting(None)
            case _:
                keepalive.set_paused(now, what == "deaf")
        assert (keepalive.check(now) is KeepaliveAction.NOTHING) == (now < keepalive.due())
        due = keepalive.due()
        if due != inf:
            assert keepalive.check(due) is not KeepaliveAction.NOTHING


def test_after_a_sleep_the_peer_has_its_full_time_again() -> None:
    keepalive = Keepalive(DEFAULT, 0.0)
    keepalive.woke(100.0)
    assert keepalive.check(100.0) is KeepaliveAction.BEAT
    keepalive.sent(103.9)
    assert keepalive.check(103.9) is KeepaliveAction.NOTHING
    assert keepalive.check(104.0) is KeepaliveAction.SILENT


def test_a_peer_that_is_gone_is_lost_although_this_computer_is_always_late() -> None:
    keepalive, now = Keepalive(DEFAULT, 0.0), 0.0
    for _ in range(3):
        now = keepalive.due() + DEFAULT.late + 0.1
        keepalive.woke(now)
        if keepalive.check(now) is KeepaliveAction.BEAT:
            keepalive.sent(now)
    assert keepalive.check(now) is KeepaliveAction.SILENT
    keepalive.received(now)
    keepalive.woke(now + 100.0)
    assert keepalive.check(now + 103.9) is KeepaliveAction.BEAT, (
        "received data restores the extension"
    )


def test_a_message_that_waited_during_a_sleep_gets_its_full_time_again() -> None:
    keepalive = Keepalive(DEFAULT, 0.0)
    keepalive.set_paused(0.0, True)
    keepalive.set_waiting(1.0)
    keepalive.woke(100.0)
    assert keepalive.check(104.9) is KeepaliveAction.NOTHING
    keepalive.set_waiting(2.0)
    assert keepalive.check(104.9) is KeepaliveAction.NOTHING, (
        "the wait of the next in the queue also restarts at the wake-up"
    )
    assert keepalive.check(105.0) is KeepaliveAction.STUCK
    keepalive.set_waiting(None)
    keepalive.woke(200.0)
    assert keepalive.due() < 202.0, "nothing waits"
