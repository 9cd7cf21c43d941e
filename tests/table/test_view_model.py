"""That the rules of views lose nothing final, and that each of them is needed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.table.view_model import (
    BROKEN,
    RETURNS,
    TABLES,
    WHOLE,
    CounterExample,
    Model,
    Request,
    Rules,
    search,
    walk,
)

A, B, C, D, E = (1 << seat for seat in range(5))
"""Sets of one owner."""


class NotAllowed(Exception):
    """An action that the rules forbid."""


def play(rules: Rules, *actions: tuple[Any, ...]) -> None:
    """Take the actions one by one, each given by how it begins. All Leaves are used, or none."""
    model = Model(rules)
    state = model.start()
    for action in actions:
        last = -1
        if action[0] == "form without Leaves":
            action, last = ("form", *action[1:]), 0
        if action[0] != "request":
            action = next(each for each in model.actions(state) if each[: len(action)] == action)
        after = list(model.apply(state, action))
        if not after:
            raise NotAllowed(action)
        state = after[last]
        model.check(state)


def ask(number: int, host: int, members: int, dropped: int = 0, returned: int = 0) -> Any:
    return ("request", Request(number, host, members, dropped, returned))


A_LEAVER_THAT_CONSENTED = (
    ask(2, 0, A | D | E, B | C),
    ("consent", 3, 0),
    ("consent", 4, 0),
    ("leave", 3),
    ("leave", 4),
    ask(1, 1, B | C, A),
    ("consent", 2, 1),
    ("form", 1),
    ("adopt", 2),
    ("ack", 1),
    ("ack", 2),
    ("form", 0),
    ask(3, 0, A | B, C),
    ("consent", 1, 0),
    ("form", 0),
    ("adopt", 1),
)
"""D and E consent to 2 with A, and leave. B and C go on by their Leaves, A and B without that."""

AN_OLD_LEAVE = (
    ("leave", 2),
    ask(1, 0, A | B),
    ("consent", 1, 0),
    ("form", 0),
    ("adopt", 1),
    ("ack", 0),
    ask(2, 0, A | B | C, 0, C),
    ("consent", 1, 0),
    ("consent", 2, 0),
    ("form", 0),
    ("adopt", 1),
    ("adopt", 2),
    ("ack", 0),
    ("ack", 1),
    ask(3, 0, A, B),
    ("form", 0),
    ask(4, 1, B | C, A),
    ("consent", 2, 0),
    ("form", 0),
    ("adopt", 2),
)
"""C leaves and returns; A uses the Leave again to go on alone, and B goes on with C."""

A_RETURN_UNMISSED = (
    ask(1, 1, A | B, C),
    ("consent", 0, 0),
    ("form", 0),
    ("adopt", 0),
    ("ack", 1),
    ("ack", 0),
    ask(2, 0, A | B | C, 0, C),
    ("consent", 1, 0),
    ("consent", 2, 0),
    ("form", 0),
    ("adopt", 1),
    ("adopt", 2),
    ("ack", 0),
    ("leave", 2),
    ask(3, 0, A, B),
    ("form", 0),
    ask(4, 1, B | C, A, C),
    ("consent", 2, 0),
    ("form", 0),
    ("adopt", 2),
)
"""C returns and leaves. A goes on alone by its Leave, and B with C, which returns once more."""

BESIDE_ITS_RETURN = (
    ("leave", 4),
    ask(1, 2, A | B | C | D),
    *(("consent", seat, 0) for seat in (0, 1, 3)),
    ("form", 0),
    *(("adopt", seat) for seat in (0, 1, 3)),
    ("ack", 2),
    ask(2, 2, A | B | C | E, 0, E),
    *(("consent", seat, 0) for seat in (0, 1, 4)),
    ("form", 0),
    ("adopt", 4),
    ask(3, 0, A | B | D, C),
    ("consent", 1, 0),
    ("consent", 3, 0),
    ("form without Leaves", 0),
    *(("adopt", seat) for seat in (1, 3, 4)),
    *(("ack", seat) for seat in (0, 1, 3, 4)),
    ("leave", 3),
    ask(4, 1, B | E, A),
    ("consent", 4, 0),
    ("form", 0),
    ("adopt", 4),
    ask(5, 0, A, B),
    ("form", 0),
)
"""E leaves and returns, in a view that nobody else adopts. Then it is an owner beside its return,
where its Leave is not spent: A goes on by it, and B with E."""

HISTORIES = {
    "Leave below its promise": (
        Rules(owners=5, drops=True, leaves=D | E),
        A_LEAVER_THAT_CONSENTED,
    ),
    "Leave after a return": (RETURNS, AN_OLD_LEAVE),
    "returns unmissed": (RETURNS, A_RETURN_UNMISSED),
    "goes on beside its return": (
        RETURNS._replace(owners=5, leaves=D | E),
        BESIDE_ITS_RETURN,
    ),
}
"""Histories that random walks seldom meet."""


@pytest.mark.parametrize("name", WHOLE)
def test_no_history_of_a_small_table_loses_a_final_entry(name: str) -> None:
    _, whole = search(WHOLE[name])
    assert whole


@pytest.mark.parametrize("name", TABLES)
def test_random_histories_keep_every_promise(name: str) -> None:
    walks = walk(TABLES[name], seed=1, steps=8_000)
    assert walks.certified > walks.walks / 4


@pytest.mark.parametrize("broken", BROKEN)
def test_random_histories_find_each_missing_rule(broken: str) -> None:
    rules = BROKEN[broken]._replace(broken=broken)
    with pytest.raises(CounterExample):
        walk(rules, seed=1, steps=400_000)


@pytest.mark.parametrize("broken", HISTORIES)
def test_a_history_shows_what_a_missing_rule_permits(broken: str) -> None:
    rules, history = HISTORIES[broken]
    with pytest.raises(CounterExample):
        play(rules._replace(broken=broken), *history)
    with pytest.raises((NotAllowed, StopIteration)):
        play(rules, *history)
