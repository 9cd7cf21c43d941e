"""Heartbeats and losses, with a simulated clock."""

from __future__ import annotations

from math import inf

from hypothesis import given
from hypothesis import strategies as st

from lanuno.net.transport.keepalive import Keepalive, KeepaliveAction
from lanuno.net.transport.limits import DEFAULT, Limits


def test_heartbeats_when_nothing_is_sent() -> None:
    pulse = Keepalive(DEFAULT, 0.0)
    assert pulse.due() == 1.0
    assert pulse.check(0.99) is KeepaliveAction.NOTHING
    assert pulse.check(1.0) is KeepaliveAction.BEAT
    pulse.sent(1.0)
    pulse.received(1.0)
    assert pulse.check(1.5) is KeepaliveAction.NOTHING
    assert pulse.due() == 2.0


def test_four_silent_seconds_are_a_loss() -> None:
    pulse = Keepalive(DEFAULT, 0.0)
    pulse.sent(3.9)
    assert pulse.due() == 4.0
    assert pulse.check(3.99) is KeepaliveAction.NOTHING
    assert pulse.check(4.0) is KeepaliveAction.SILENT
    pulse.received(4.0)
    assert pulse.check(7.9) is not KeepaliveAction.SILENT


def test_a_peer_is_not_silent_while_reading_is_paused() -> None:
    pulse = Keepalive(DEFAULT, 0.0)
    pulse.set_paused(1.0, True)
    pulse.sent(100.0)
    assert pulse.check(100.0) is KeepaliveAction.NOTHING
    pulse.set_paused(100.0, False)
    assert pulse.check(103.9) is not KeepaliveAction.SILENT
    assert pulse.check(104.0) is KeepaliveAction.SILENT


def test_a_queue_that_is_not_read_for_five_seconds_is_stuck() -> None:
    pulse = Keepalive(DEFAULT, 0.0)
    pulse.set_waiting(1.0)
    pulse.set_paused(1.0, True)
    assert pulse.due() == 6.0
    assert pulse.check(5.9) is KeepaliveAction.NOTHING
    assert pulse.check(6.0) is KeepaliveAction.STUCK
    pulse.set_waiting(None)
    assert pulse.check(6.0) is KeepaliveAction.BEAT


def test_a_keepalive_without_heartbeats_is_due_only_for_silence() -> None:
    pulse = Keepalive(Limits(heartbeat=inf), 0.0)
    assert pulse.due() == 4.0
    pulse.set_paused(0.0, True)
    assert pulse.due() == inf
    assert pulse.check(1e9) is KeepaliveAction.NOTHING


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["heard", "sent", "wait", "flow", "deaf", "listen"]), st.floats(0, 3)
        ),
        max_size=50,
    )
)
def test_due_is_exactly_when_check_has_something_to_say(steps: list[tuple[str, float]]) -> None:
    pulse, now = Keepalive(DEFAULT, 0.0), 0.0
    for what, pause in steps:
        now += pause
        match what:
            case "heard":
                pulse.received(now)
            case "sent":
                pulse.sent(now)
            case "wait":
                pulse.set_waiting(now)
            case "flow":
                pulse.set_waiting(None)
            case _:
                pulse.set_paused(now, what == "deaf")
        assert (pulse.check(now) is KeepaliveAction.NOTHING) == (now < pulse.due())
        due = pulse.due()
        if due != inf:
            assert pulse.check(due) is not KeepaliveAction.NOTHING


def test_after_a_sleep_the_peer_has_its_full_time_again() -> None:
    pulse = Keepalive(DEFAULT, 0.0)
    pulse.woke(100.0)
    assert pulse.check(100.0) is KeepaliveAction.BEAT
    pulse.sent(103.9)
    assert pulse.check(103.9) is KeepaliveAction.NOTHING
    assert pulse.check(104.0) is KeepaliveAction.SILENT


def test_a_peer_that_is_gone_is_lost_although_this_computer_is_always_late() -> None:
    pulse, now = Keepalive(DEFAULT, 0.0), 0.0
    for _ in range(3):
        now = pulse.due() + DEFAULT.late + 0.1
        pulse.woke(now)
        if pulse.check(now) is KeepaliveAction.BEAT:
            pulse.sent(now)
    assert pulse.check(now) is KeepaliveAction.SILENT
    pulse.received(now)
    pulse.woke(now + 100.0)
    assert pulse.check(now + 103.9) is KeepaliveAction.BEAT, "received data restores the extension"


def test_a_message_that_waited_during_a_sleep_gets_its_full_time_again() -> None:
    pulse = Keepalive(DEFAULT, 0.0)
    pulse.set_paused(0.0, True)
    pulse.set_waiting(1.0)
    pulse.woke(100.0)
    assert pulse.check(104.9) is KeepaliveAction.NOTHING
    pulse.set_waiting(2.0)
    assert pulse.check(104.9) is KeepaliveAction.NOTHING, (
        "the wait of the next in the queue also restarts at the wake-up"
    )
    assert pulse.check(105.0) is KeepaliveAction.STUCK
    pulse.set_waiting(None)
    pulse.woke(200.0)
    assert pulse.due() < 202.0, "nothing waits"
