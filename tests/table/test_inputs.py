"""Inputs: the node takes each of them, and a trace can hold it without secrets."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from lanuno.log.format.genesis import VERSION
from lanuno.rules.engine.actions import Draw, OpenHand
from lanuno.table import inputs, messages
from lanuno.table.errors import TableError
from lanuno.table.inputs import NodeInput
from lanuno.table.node import Node, NodeConfig
from lanuno.table.outputs import (
    NodeOutput,
    ScoreReader,
    Send,
    Spectator,
    SpectatorsChanged,
    SyncJournal,
)
from lanuno.table.roles import Hosting
from tests.harness.log_table.log_table import identity, make_genesis, make_roster

NOW = 1000.0
SECRET = b"n" * 32

INPUTS: list[NodeInput] = [
    inputs.NodeStarted(),
    inputs.LinkUp(3, 1, "192.0.2.1", True, SECRET),
    inputs.LinkDown(3, 2.5, True),
    inputs.ConnectFailed(2),
    inputs.MessageReceived(3, messages.Fetch(7)),
    inputs.TimePassed(),
    inputs.JournalSynced(SyncJournal(7, 1)),
    inputs.JobDone(5),
    inputs.PlayerActed(0, Draw()),
    inputs.ChatSent("a word among friends"),
    inputs.ReactionSent(messages.Reaction.WOW),
    inputs.ScoreShown(3, reading=True),
    inputs.LeaveRequested(),
    inputs.StopRequested(),
    inputs.ProgramPaused(7.5),
    inputs.SpectatorSentAway(SECRET, messages.LobbyRefusal.KICKED),
    inputs.ClaimMade(),
]


def host() -> Node:
    """Return the node of the first host of a table for three, just started."""
    config = NodeConfig(identities=(identity(0),), entropy=bytes)
    node = Node(make_genesis(make_roster(3)), config)
    node.step(inputs.NodeStarted(), NOW)
    return node


def with_guest() -> Node:
    """Return that node with a connection to seat 1, numbered 4, over which it has rejoined."""
    node = host()
    address = "192.0.2.1"
    node.step(inputs.LinkUp(4, 1, address, False, identity(1).public), NOW)
    hello = messages.Rejoin(0, 0, node.replay.table_id, 0)
    node.step(inputs.MessageReceived(4, hello), NOW)
    return node


def sent(out: list[NodeOutput], kind: type) -> list[tuple[int, object]]:
    return [
        (each.link, each.message)
        for each in out
        if isinstance(each, Send) and isinstance(each.message, kind)
    ]


def test_the_samples_hold_every_input() -> None:
    assert {type(each) for each in INPUTS} == {*get_args(NodeInput)}


@pytest.mark.parametrize("given", INPUTS, ids=lambda each: type(each).__name__)
def test_an_input_in_a_trace_is_read_as_it_was_written(given: NodeInput) -> None:
    data = msgspec.json.encode(given)
    assert msgspec.json.decode(data, type=NodeInput) == given


@pytest.mark.parametrize(
    "data", [b'{"type":"Sleep"}', b'{"type":"TimePassed","seconds":1}', b'{"type":"ConnectFailed"}']
)
def test_another_input_in_a_trace_is_refused(data: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(data, type=NodeInput)


@pytest.mark.parametrize(
    "given", [inputs.JobDone(5, SECRET), inputs.ChatSent("a word among friends")]
)
def test_the_repr_of_an_input_shows_nothing_private(given: NodeInput) -> None:
    assert not any(each in repr(given) for each in (repr(SECRET)[2:-1], "friends"))


def test_a_started_node_of_the_first_host_hosts() -> None:
    node = host()
    assert isinstance(node.role, Hosting)


def test_a_connection_and_its_end_are_delivered() -> None:
    node = with_guest()
    assert node.addresses == {"192.0.2.1"}
    hello = messages.Say("hello")
    assert node.step(inputs.MessageReceived(4, hello), NOW) != []
    node.step(inputs.LinkDown(4, 0.0, False), NOW)
    assert node.step(inputs.MessageReceived(4, hello), NOW) == []


def test_the_host_knows_a_spectator_by_the_identity_of_the_connection() -> None:
    node = host()
    node.step(inputs.LinkUp(5, None, "192.0.2.2", False, SECRET), NOW)
    watch = messages.Watch(VERSION, "Eve")
    out = node.step(inputs.MessageReceived(5, watch), NOW)
    assert SpectatorsChanged((Spectator("Eve", SECRET),)) in out


def test_chat_and_reactions_reach_the_connected_players() -> None:
    node = with_guest()
    out = node.step(inputs.ChatSent("hello"), NOW)
    assert sent(out, messages.Said) == [(4, messages.Said("p0", 0, "hello"))]
    out = node.step(inputs.ReactionSent(messages.Reaction.WOW), NOW)
    assert sent(out, messages.Reacted) == [(4, messages.Reacted(0, messages.Reaction.WOW))]
    out = node.step(inputs.MessageReceived(4, messages.Say("hi")), NOW)
    assert sent(out, messages.Said) == [(4, messages.Said("p1", 1, "hi"))]


def test_the_host_hears_who_looks_at_the_score_from_each_player_alone() -> None:
    node = with_guest()
    reads = messages.ReadsScore(3, reading=True)
    assert ScoreReader(0, reads) in node.step(inputs.ScoreShown(3, reading=True), NOW)
    assert node.step(inputs.MessageReceived(4, reads), NOW) == [ScoreReader(1, reads)]
    node.step(inputs.LinkUp(5, None, "192.0.2.2", False, SECRET), NOW)
    node.step(inputs.MessageReceived(5, messages.Watch(VERSION, "Eve")), NOW)
    assert node.step(inputs.MessageReceived(5, reads), NOW) == []


def test_an_action_that_the_rules_refuse_is_an_error_of_its_player() -> None:
    node = host()
    with pytest.raises(TableError):
        node.step(inputs.PlayerActed(0, OpenHand()), NOW)
    assert node.step(inputs.ChatSent("hello"), NOW) != []


def test_an_action_of_a_session_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(IndexError):
        host().step(inputs.PlayerActed(1, Draw()), NOW)
