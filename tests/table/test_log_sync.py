"""Pages of the log: who is sent what, once or again, and how much of it in a time."""

from __future__ import annotations

import pytest

from lanuno.log.entries import Entry
from lanuno.table import audience as audience_module
from lanuno.table import budget, pages
from lanuno.table.audience import Audience
from lanuno.table.firmness import Firmness
from lanuno.table.messages import Entries
from lanuno.table.outputs import OWN, Disconnect, Output
from lanuno.table.pages import size_of
from tests.harness.host_and_seats.room import parted, told
from tests.harness.log_table.log_table import LogTable, new_table

NOW = 1000.0
EVE = 50
PAGE = 16 * 1024


@pytest.fixture(autouse=True)
def _short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "PAGE_BYTES", PAGE)


@pytest.fixture(scope="module")
def played() -> LogTable:
    """A log of many pages."""
    table = new_table(3)
    table.run()
    assert size_of(table.entries) > 3 * PAGE
    return table


def hosting(table: LogTable) -> Audience:
    """Three owners hold everything; spectators may hear it all."""
    firm = Firmness(table.replay)
    audience = Audience(table.replay, table.entries, firm)
    for seat in range(3):
        audience.attach(seat, seat, 0)
        audience.acknowledge(seat, table.replay.seq)
    return audience


def come(audience: Audience, number: int = EVE) -> None:
    audience.watch(number, f"eve {number}", number.to_bytes(32, "big"))


def sizes(out: list[Output]) -> int:
    return sum(size_of(message.entries) for message in told(out, Entries))


def test_a_spectator_is_sent_every_entry_once(played: LogTable) -> None:
    audience = hosting(played)
    come(audience)
    got: list[Entry] = []
    while True:
        [page] = told(audience.fetch(EVE, len(got), NOW), Entries)
        assert page.first == len(got)
        if not page.entries:
            break
        got += page.entries
    assert got == played.entries
    # A second time, whichever way it is asked for, it has to go.
    assert audience.fetch(EVE, len(got), NOW) == [Disconnect(EVE)]
    assert audience.spectators == ()
    assert audience.fetch(EVE, 0, NOW) == []


@pytest.mark.parametrize("wrong", [0, 1, 10**6])
def test_a_spectator_who_asks_out_of_order_has_to_go(played: LogTable, wrong: int) -> None:
    audience = hosting(played)
    come(audience)
    [page] = told(audience.fetch(EVE, 0, NOW), Entries)
    [page] = told(audience.fetch(EVE, len(page.entries), NOW), Entries)
    out = audience.fetch(EVE, wrong, NOW)
    assert not told(out, Entries)
    assert parted(out) == {EVE}


def test_a_spectator_may_hold_a_part_already(played: LogTable) -> None:
    audience = hosting(played)
    come(audience)
    end = len(played.entries)
    assert parted(audience.fetch(EVE, end + 1, NOW)) == {EVE}, "but no more than there is"
    come(audience)
    [page] = told(audience.fetch(EVE, end - 2, NOW), Entries)
    assert (page.first, len(page.entries)) == (end - 2, 2)


def test_what_came_by_itself_meanwhile_is_not_sent_again(played: LogTable) -> None:
    table = new_table(3)
    audience = hosting(table)
    come(audience)
    assert told(audience.fetch(EVE, 0, NOW), Entries) == [Entries(0, ())]
    table.run()
    assert [entry for page in told(audience.spread(), Entries, EVE) for entry in page.entries] == (
        table.entries
    )
    # It asked for these before it had them.
    assert told(audience.fetch(EVE, 3, NOW), Entries) == [Entries(len(table.entries), ())]


def test_all_spectators_together_have_one_budget(
    played: LogTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    burst = 2 * PAGE
    monkeypatch.setattr(audience_module, "SPECTATORS_LOG_BURST", burst)
    audience = hosting(played)
    crowd = range(EVE, EVE + 6)
    for number in crowd:
        come(audience, number)
    held = dict.fromkeys(crowd, 0)
    now, sent = NOW, 0
    out = [output for number in crowd for output in audience.fetch(number, 0, now)]
    sent += sizes(out)
    assert sent <= burst + PAGE
    assert len(told(out, Entries)) < len(crowd), "the others wait"
    assert told(audience.fetch(0, 0, now), Entries, 0), "a player does not"
    for _ in range(1000):
        for number in crowd:
            came = sum(len(page.entries) for page in told(out, Entries, number))
            if came:
                held[number] += came
                audience.fetch(number, held[number], now)
        deadline = audience.deadline
        if deadline is None:
            break
        assert deadline > now
        assert audience.serve(now) == []
        now = deadline
        out = audience.serve(now)
        assert out
        sent += sizes(out)
        allowed = burst + PAGE + budget.LOG_RATE * (now - NOW)
        assert sent <= allowed + 1
    assert set(held.values()) == {len(played.entries)}, "in the end each of them has it all"


def test_who_waits_and_goes_is_not_waited_for(
    played: LogTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audience_module, "SPECTATORS_LOG_BURST", 2)
    audience = hosting(played)
    for number in (EVE, EVE + 1):
        come(audience, number)
        audience.fetch(number, 0, NOW)
    assert audience.deadline == pytest.approx(NOW, abs=1.0)
    audience.left(EVE + 1)
    assert told(audience.serve(NOW + 99), Entries) == []


def test_an_owner_may_fetch_the_longest_log_twice_and_then_slowly(played: LogTable) -> None:
    audience = hosting(played)
    sent = asked = 0
    while audience.deadline is None:
        out = audience.fetch(1, 0, NOW)
        sent, asked = sent + sizes(out), asked + 1
    assert budget.OWNER_LOG_BURST <= sent < budget.OWNER_LOG_BURST + PAGE
    assert told(audience.fetch(2, 0, NOW), Entries, 2), "another owner has a budget of its own"
    # A new connection brings no new one; the last thing asked for is what it gets.
    audience.attach(7, 1, 0)
    assert audience.fetch(7, 0, NOW) == audience.fetch(7, 4, NOW) == []
    [page] = told(audience.serve(audience.deadline or 0.0), Entries)
    assert page.first == 4
    assert audience.deadline is None


def test_the_hosts_own_seat_reads_its_memory(played: LogTable) -> None:
    audience = hosting(played)
    audience.attach(OWN, 0, 0)
    count = budget.OWNER_LOG_BURST // PAGE * 2
    assert all(audience.fetch(OWN, 0, NOW) for _ in range(count))
