"""Tests of the sentences about problems: one for each refusal, and what they are filled with."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from lanuno.app.controllers.application import Application
from lanuno.app.instance import Reply
from lanuno.app.problem_texts import (
    lobby_refusal,
    net_problem,
    no_socket,
    not_handed_over,
    play_refusal,
    rules_refusal,
    store_problem,
)
from lanuno.net.errors import NetFault
from lanuno.rules.refusals import ActRefusal
from lanuno.store.errors import FileProblem, StoreError
from lanuno.table.lobby.readiness import RulesRefusal
from lanuno.table.messages import LobbyRefusal

GAME = Path("games") / "a.lanuno"


def stored(problem: FileProblem) -> str:
    return store_problem(StoreError(problem, GAME, "a detail for developers"))


SENTENCES: list[tuple[Iterable[Enum], Callable[[Any], str]]] = [
    (NetFault, net_problem),
    (LobbyRefusal, lobby_refusal),
    (RulesRefusal, rules_refusal),
    (FileProblem, stored),
    (ActRefusal, play_refusal),
]


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize(
    ("members", "text"), SENTENCES, ids=["net", "lobby", "rules", "store", "play"]
)
def test_every_refusal_has_a_sentence_of_its_own(
    app: Application, language: str, members: Iterable[Enum], text: Callable[[Any], str]
) -> None:
    app.settings_controller.change("language", language)
    texts = [text(member) for member in members]
    assert len(set(texts)) == len(texts)
    for each in texts:
        assert each.endswith(".")
        # Nothing is left unfilled, and nothing is meant for developers.
        assert "{" not in each
        assert "detail" not in each


@pytest.mark.usefixtures("english")
def test_a_sentence_names_the_port_and_the_file() -> None:
    assert "blocking port 47474." in net_problem(NetFault.TIMEOUT)
    assert "blocking port 4711." in net_problem(NetFault.TIMEOUT, 4711)
    assert (
        stored(FileProblem.NOT_READABLE)
        == f"{GAME} cannot be read. Check that you may read it and that the disk works."
    )


@pytest.mark.usefixtures("english")
def test_a_window_without_a_socket_names_each_reason_once() -> None:
    ours, broken = (
        StoreError(problem, Path("/run/lanuno"))
        for problem in (FileProblem.NOT_OURS, FileProblem.READ_ONLY)
    )
    said = no_socket([ours, broken, ours])
    assert said.startswith("Links and games that you open outside this window cannot reach it")
    assert said.endswith(f"{store_problem(ours)} {store_problem(broken)}")
    assert said.count(store_problem(ours)) == 1


@pytest.mark.usefixtures("english")
def test_a_second_start_says_why_the_open_window_does_not_know() -> None:
    reason = StoreError(FileProblem.NOT_OURS, Path("/run/lanuno"))
    foreign = not_handed_over(Reply.FOREIGN, [reason])
    nowhere = not_handed_over(Reply.NOWHERE, [reason, reason])
    silent = not_handed_over(Reply.SILENT, [reason])
    assert "Nothing was sent to that program." in foreign
    assert "its window does not answer" in silent
    # The reasons explain a missing folder, and nothing else.
    assert nowhere.endswith(f"Use the open window instead. {store_problem(reason)}")
    assert store_problem(reason) not in foreign + silent
