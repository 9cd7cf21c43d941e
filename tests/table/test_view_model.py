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
    bits,
    search,
    walk,
)

A, B, C, D, E = (1 << seat for seat in range(5))
"""Sets of one owner."""


Step = tuple[Any, ...]


class NotAllowed(Exception):
    """The rules forbid the action of this number."""


def play(rules: Rules, steps: list[Step]) -> None:
    """Take the steps one by one, each given by how it begins. All Leaves are used, or none."""
    model = Model(rules)
    state = model.start()
    for at, step in enumerate(steps):
        last = -1
        if step[0] == "form without Leaves":
            step, last = ("form", *step[1:]), 0
        possible = [step] if step[0] == "request" else model.actions(state)
        action = next((each for each in possible if each[: len(step)] == step), None)
        after = list(model.apply(state, action)) if action is not None else []
        if not after:
            raise NotAllowed(at)
        state = after[last]
        model.check(state)


def ask(number: int, host: int, members: int, dropped: int = 0, returned: int = 0) -> Step:
    return ("request", Request(number, host, members, dropped, returned))


def view(
    number: int, host: int, members: int, dropped: int = 0, returned: int = 0, form: str = "form"
) -> list[Step]:
    """Return the steps to a view, when no other Request is pending, that all members adopt."""
    others = [seat for seat in bits(members) if seat != host]
    return [
        ask(number, host, members, dropped, returned),
        *(("consent", seat, 0) for seat in others),
        (form, 0),
        *(("adopt", seat) for seat in others),
    ]


HISTORIES: dict[str, tuple[Rules, list[Step], int]] = {
    # D and E consent to 2 with A, and leave. B and C go on by their Leaves, A and B without that.
    "Leave below its promise": (
        Rules(owners=5, drops=True, leaves=D | E),
        [
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
            *view(3, 0, A | B, C),
        ],
        7,
    ),
    # C leaves and returns. A uses the Leave again to go on alone, and B goes on with C.
    "Leave after a return": (
        RETURNS,
        [
            ("leave", 2),
            *view(1, 0, A | B),
            ("ack", 0),
            *view(2, 0, A | B | C, 0, C),
            ("ack", 0),
            ("ack", 1),
            *view(3, 0, A, B),
            *view(4, 1, B | C, A),
        ],
        15,
    ),
    # C returns and leaves. A goes on alone by its Leave, and B with C, which returns once more.
    "returns unmissed": (
        RETURNS,
        [
            *view(1, 1, A | B, C),
            ("ack", 1),
            ("ack", 0),
            *view(2, 0, A | B | C, 0, C),
            ("ack", 0),
            ("leave", 2),
            *view(3, 0, A, B),
            *view(4, 1, B | C, A, C),
        ],
        18,
    ),
    # E leaves and returns, in a view that nobody else adopts. Then it is an owner beside its
    # return, where its Leave is not spent: A goes on by it, and B with E.
    "goes on beside its return": (
        RETURNS._replace(owners=5, leaves=D | E),
        [
            ("leave", 4),
            *view(1, 2, A | B | C | D),
            ("ack", 2),
            *view(2, 2, A | B | C | E, 0, E)[:-3],
            ("adopt", 4),
            *view(3, 0, A | B | D, C, form="form without Leaves"),
            ("adopt", 4),
            *(("ack", seat) for seat in (0, 1, 3, 4)),
            ("leave", 3),
            *view(4, 1, B | E, A),
            *view(5, 0, A, B),
        ],
        22,
    ),
}
"""Histories that random walks seldom meet, and the step that the rule forbids."""


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
    rules, steps, forbidden = HISTORIES[broken]
    with pytest.raises(CounterExample):
        play(rules._replace(broken=broken), steps)
    with pytest.raises(NotAllowed) as refused:
        play(rules, steps)
    assert refused.value.args == (forbidden,)
