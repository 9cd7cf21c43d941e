"""The host's desk: nobody fills the log with what may be said at any time."""

from __future__ import annotations

from lanuno.log import bodies
from lanuno.log.bodies import Body, Payload, sign_body
from lanuno.log.faults import Refusal
from lanuno.log.times import MOST_MS
from lanuno.table import messages
from lanuno.table.desk import BESIDES_SECONDS, MOST_BESIDES
from lanuno.table.outputs import Output, ToPeer
from tests.harness.host_and_seats.small_table import Place, SmallTable, turns
from tests.harness.log_table.following import followed


def _says(table: SmallTable, place: Place, payload: Payload, *, late: int = 0) -> list[Output]:
    replay = table.office.replay
    # No honest seat uses a counter twice, taken or not.
    counter = max(place.up._sent.counter, replay.next_counter(place.number))
    place.up._sent.counter = counter + 1
    body = Body(replay.table_id, replay.number - late, place.number, counter, replay.head, payload)
    signed = sign_body(body, place.identity)
    out = table.office.receive(place.link, messages.Submit(signed), table.now)
    table._host(out)
    return out


def _refusals(out: list[Output]) -> list[str]:
    said = [each.message for each in out if isinstance(each, ToPeer)]
    return [each.refusal for each in said if isinstance(each, messages.BodyRefusal)]


def _listens(table: SmallTable, place: Place, tries: int) -> int:
    """How many of so many ports in a row were written down."""
    before = table.office.replay.seq
    for port in range(1, tries + 1):
        out = _says(table, place, bodies.Listen(port + before))
        assert _refusals(out) in ([], [Refusal.NOT_NOW.value])
    return table.office.replay.seq - before


def test_nobody_fills_the_log_with_ports() -> None:
    table = SmallTable(3, 1).run(turns(1)).settle()
    one, two = table.places[1:]
    assert _listens(table, one, 100) == MOST_BESIDES
    assert _listens(table, two, 3) == 3, "others are not held up by it"
    for _ in range(2):
        table.settle().now += 1.01 * BESIDES_SECONDS
        assert _listens(table, one, 100) == 1


def test_nobody_fills_the_log_by_going_and_coming() -> None:
    table = SmallTable(4, 1).run(turns(1)).settle()
    place = table.places[3]
    before = table.office.replay.seq
    for _ in range(300):
        _says(table, place, bodies.Leave())
        _says(table, place, bodies.Return())
        for other in table.places[:3]:
            ack = messages.Ack(table.office.replay.seq)
            table.office.receive(other.link, ack, table.now)
    assert table.office.replay.seq - before < 3 * MOST_BESIDES


def test_what_comes_a_round_too_late_is_not_counted() -> None:
    table = SmallTable(3, 1).run(turns(1)).settle()
    place = table.places[1]
    for port in range(1, 100):
        out = _says(table, place, bodies.Listen(port), late=1)
        assert _refusals(out) == [Refusal.WRONG_ROUND.value]
    assert _listens(table, place, 1) == 1


def test_what_belongs_to_the_game_is_not_counted() -> None:
    table = SmallTable(3, 1).run(turns(1)).settle()
    place = table.places[1]
    _listens(table, place, 100)
    table.run()
    assert table.office.replay.closed is not None


def test_the_log_goes_on_where_the_hosts_clock_jumps() -> None:
    table = SmallTable(3, 1).run(turns(1)).settle()
    one = table.places[1]
    times = table.office.replay.times
    before = times.ms

    def later(seconds: float) -> int:
        """How much later the next entry is, by its own time."""
        last, table.now = times.ms, table.now + seconds
        assert _listens(table, one, 1) == 1
        return times.ms - last

    assert before > 0
    assert later(-100.0) == 0
    assert later(1.0) in (999, 1000)
    assert later(10.0**7) == MOST_MS
    assert later(1.0) in (999, 1000)
    followed(table.genesis, table.journal)
