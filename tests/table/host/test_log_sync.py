"""Pages of the log: to whom they are sent, once or repeatedly, and at what rate."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from lanuno.log.format.entries import Entry
from lanuno.table import budget, log_pages
from lanuno.table.host import subscribers as subscribers_module
from lanuno.table.host.finality import Finality
from lanuno.table.host.subscribers import Subscribers
from lanuno.table.log_pages import page_size
from lanuno.table.messages import Entries
from lanuno.table.outputs import OWN, CloseLink, Output, Send
from tests.harness.host_and_seats.simulated_lobby import disconnected, sent_to_peers
from tests.harness.log_table.log_table import LogTable, new_table

NOW = 1000.0
EVE = 50
PAGE = 16 * 1024


@pytest.fixture(autouse=True)
def _short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_pages, "PAGE_BYTES", PAGE)


@pytest.fixture(scope="module")
def played() -> LogTable:
    """Return a log of many pages."""
    table = new_table(3)
    table.run()
    assert page_size(table.entries) > 3 * PAGE
    return table


def subscribers_of(table: LogTable, final: Finality | None = None) -> Subscribers:
    """Return the subscribers of a log that three owners hold; spectators may see all of it."""
    final = final or Finality(table.replay)
    subscribers = Subscribers(table.replay, table.entries, final)
    for seat in range(3):
        subscribers.attach(seat, seat, 0)
        final.acknowledge(seat, table.replay.seq)
    return subscribers


def come(subscribers: Subscribers, number: int = EVE) -> None:
    subscribers.watch(number, f"eve {number}", number.to_bytes(32, "big"))


def sizes(out: Sequence[Output]) -> int:
    return sum(page_size(message.entries) for message in sent_to_peers(out, Entries))


def test_a_spectator_is_sent_every_entry_once(played: LogTable) -> None:
    subscribers = subscribers_of(played)
    come(subscribers)
    got: list[Entry] = []
    while True:
        [page] = sent_to_peers(subscribers.fetch(EVE, len(got), NOW), Entries)
        assert page.first == len(got)
        if not page.entries:
            break
        got += page.entries
    assert got == played.entries
    # A second request, of any kind, disconnects the spectator.
    assert subscribers.fetch(EVE, len(got), NOW) == [CloseLink(EVE)]
    assert subscribers.spectators == ()
    assert subscribers.fetch(EVE, 0, NOW) == []


@pytest.mark.parametrize("wrong", [0, 1, 10**6])
def test_a_spectator_who_asks_out_of_order_has_to_go(played: LogTable, wrong: int) -> None:
    subscribers = subscribers_of(played)
    come(subscribers)
    [page] = sent_to_peers(subscribers.fetch(EVE, 0, NOW), Entries)
    [page] = sent_to_peers(subscribers.fetch(EVE, len(page.entries), NOW), Entries)
    out = subscribers.fetch(EVE, wrong, NOW)
    assert not sent_to_peers(out, Entries)
    assert disconnected(out) == {EVE}


def test_a_spectator_may_hold_a_part_already(played: LogTable) -> None:
    subscribers = subscribers_of(played)
    come(subscribers)
    end = len(played.entries)
    assert disconnected(subscribers.fetch(EVE, end + 1, NOW)) == {EVE}, "but no more than there is"
    come(subscribers)
    [page] = sent_to_peers(subscribers.fetch(EVE, end - 2, NOW), Entries)
    assert (page.first, len(page.entries)) == (end - 2, 2)


def test_a_spectator_may_hold_more_than_a_new_host_knows_as_final(played: LogTable) -> None:
    table = played.fork()
    end, final = len(table.entries), Finality(table.replay)
    subscribers = Subscribers(table.replay, table.entries, final)
    come(subscribers)
    assert subscribers.fetch(EVE, end, NOW) == [Send(EVE, Entries(end, ()))]
    for seat in range(3):
        final.acknowledge(seat, end)
    assert subscribers.send_entries() == []


def test_entries_sent_meanwhile_are_not_sent_again_on_request(played: LogTable) -> None:
    table = new_table(3)
    final = Finality(table.replay)
    subscribers = subscribers_of(table, final)
    come(subscribers)
    assert sent_to_peers(subscribers.fetch(EVE, 0, NOW), Entries) == [Entries(0, ())]
    table.run()
    for seat in range(3):
        final.acknowledge(seat, table.replay.seq)
    assert [
        entry
        for page in sent_to_peers(subscribers.send_entries(), Entries, EVE)
        for entry in page.entries
    ] == (table.entries)
    # It requested these before it had them.
    assert sent_to_peers(subscribers.fetch(EVE, 3, NOW), Entries) == [
        Entries(len(table.entries), ())
    ]


def test_all_spectators_together_have_one_budget(
    played: LogTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    burst = 2 * PAGE
    monkeypatch.setattr(subscribers_module, "SPECTATORS_LOG_BURST", burst)
    subscribers = subscribers_of(played)
    crowd = range(EVE, EVE + 6)
    for number in crowd:
        come(subscribers, number)
    held = dict.fromkeys(crowd, 0)
    now, sent = NOW, 0
    out = [output for number in crowd for output in subscribers.fetch(number, 0, now)]
    sent += sizes(out)
    assert sent <= burst + PAGE
    assert len(sent_to_peers(out, Entries)) < len(crowd), "the others wait"
    assert sent_to_peers(subscribers.fetch(0, 0, now), Entries, 0), "a player does not"
    for _ in range(1000):
        for number in crowd:
            came = sum(len(page.entries) for page in sent_to_peers(out, Entries, number))
            if came:
                held[number] += came
                subscribers.fetch(number, held[number], now)
        deadline = subscribers.deadline
        if deadline is None:
            break
        assert deadline > now
        assert subscribers.serve(now) == []
        now = deadline
        out = subscribers.serve(now)
        assert out
        sent += sizes(out)
        allowed = burst + PAGE + budget.LOG_RATE * (now - NOW)
        assert sent <= allowed + 1
    assert set(held.values()) == {len(played.entries)}, "in the end each of them has it all"


def test_a_spectator_who_leaves_while_waiting_is_not_served(
    played: LogTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscribers_module, "SPECTATORS_LOG_BURST", 2)
    subscribers = subscribers_of(played)
    for number in (EVE, EVE + 1):
        come(subscribers, number)
        subscribers.fetch(number, 0, NOW)
    assert subscribers.deadline == pytest.approx(NOW, abs=1.0)
    subscribers.remove(EVE + 1)
    assert sent_to_peers(subscribers.serve(NOW + 99), Entries) == []


def test_an_owner_may_fetch_the_longest_log_twice_and_then_slowly(played: LogTable) -> None:
    subscribers = subscribers_of(played)
    sent = asked = 0
    while subscribers.deadline is None:
        out = subscribers.fetch(1, 0, NOW)
        sent, asked = sent + sizes(out), asked + 1
    assert budget.OWNER_LOG_BURST <= sent < budget.OWNER_LOG_BURST + PAGE
    assert sent_to_peers(subscribers.fetch(2, 0, NOW), Entries, 2), (
        "another owner has a budget of its own"
    )
    # A new connection does not raise the limit; only the last request is answered.
    subscribers.attach(7, 1, 0)
    assert subscribers.fetch(7, 0, NOW) == subscribers.fetch(7, 4, NOW) == []
    [page] = sent_to_peers(subscribers.serve(subscribers.deadline or 0.0), Entries)
    assert page.first == 4
    assert subscribers.deadline is None


def test_the_hosts_own_seat_reads_its_memory(played: LogTable) -> None:
    subscribers = subscribers_of(played)
    subscribers.attach(OWN, 0, 0)
    count = budget.OWNER_LOG_BURST // PAGE * 2
    assert all(subscribers.fetch(OWN, 0, NOW) for _ in range(count))
