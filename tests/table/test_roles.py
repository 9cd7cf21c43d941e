"""The role of a node after every input in every role, and every possible change of role.

`CHANGES` is the table. Its keys are names of `INPUTS`: every input that a node can take, and
every message that a node can receive, some of them in several forms. `SEQUENCES` reaches the
changes that need more than one input, and `BEGINNINGS` those of a node that begins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TypeVar, get_args
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from lanuno.log.format.bodies import HOST, Drop, DropReason, Listen
from lanuno.log.format.codec import encode
from lanuno.log.format.entries import Entry
from lanuno.rules.engine.actions import Draw
from lanuno.rules.ruleset import Ruleset
from lanuno.table import inputs, messages, outputs
from lanuno.table.errors import TableError
from lanuno.table.messages import (
    AtTable,
    Entries,
    HostIs,
    LogPage,
    Rejoin,
    RequestVote,
    TransferHost,
    VoteReply,
)
from lanuno.table.node import Node, NodeConfig
from lanuno.table.roles import (
    TRANSITIONS,
    AwaitingPeer,
    Following,
    Hosting,
    Pledged,
    Reading,
    Role,
    Searching,
    Stopped,
)
from lanuno.table.succession.claimed_terms import SHOW_SECONDS
from tests.harness.host_and_seats.acknowledging import acknowledgement
from tests.harness.node_world.node_in_role import (
    NodeUnderTest,
    awaiting,
    awaiting_what_it_needs,
    body_of,
    election_of,
    following,
    held_by,
    hosting,
    impossible_entry,
    kinds,
    lose_entries,
    next_entry,
    pledged,
    reading,
    rejoin_of,
    replaced,
    restarted_node,
    searching,
    sent,
    stopped,
    vote_of,
    with_a_third_owner_back_and_gone,
    with_a_third_owner_lost,
    without_the_third,
)
from tests.harness.node_world.watched_world import QUICK, until
from tests.harness.node_world.world import SimulatedNode, World
from tests.harness.replacing import replace_method

BEGIN: Mapping[type[Role], Callable[[], NodeUnderTest]] = {
    Searching: partial(searching, early=True),
    AwaitingPeer: partial(awaiting, early=True),
    Following: partial(following, early=True),
    Pledged: partial(pledged, early=True),
    Reading: partial(reading, early=True),
    Hosting: partial(hosting, early=True),
    Stopped: partial(stopped, early=True),
}
"""How a test gets a node in each role."""

Path = tuple[type[Role], ...]
"""The roles that a node enters, in order."""

LOST: Mapping[type[Role], type[Role]] = {
    Following: Searching,
    Pledged: Searching,
    Reading: Searching,
}
"""The changes of a node that loses its host."""

CHANGES: Mapping[str, Mapping[type[Role], type[Role]]] = {
    "LinkDown": LOST,
    "TimePassed after ten minutes": {Pledged: Searching},
    # A node that sends `Rejoin` is not the host, or not any more.
    "Rejoin with the same log": {AwaitingPeer: Hosting, **LOST},
    "Rejoin with a shorter log": {AwaitingPeer: Hosting, **LOST},
    "Rejoin with a longer log": LOST,
    "Rejoin with a log of a later term": LOST,
    "Rejoin with a vote in a later term": {AwaitingPeer: Hosting, Hosting: Searching, **LOST},
    "Rejoin from another owner": {AwaitingPeer: Hosting},  # at a table of two it is the same one
    "HostIs of the logged host": {Searching: Following, Pledged: Reading},
    "HostIs of the logged host over a second link": {
        Searching: Following,
        Pledged: Reading,
        Reading: Reading,
    },
    # Nothing proves this term yet: the sender is given up unless it shows its votes in time.
    "HostIs of the sender in the next term": {
        Searching: Following,
        Following: Following,
        Pledged: Following,
        Reading: Following,
    },
    "HostIs of another owner in the next term": LOST,
    "HostIs of the sender in the next term, from another owner": {
        Searching: Following,
        Pledged: Following,
        Reading: Following,
    },
    # The sender is not the host of the log that it sends: this node finds the one that is.
    "Entries that elect another host": {Following: Searching, Reading: Searching},
    "Entries that cannot be": {Following: Stopped, Reading: Stopped},
    "Entries behind a gap": {Following: Stopped},  # a reader still requests what it lacks
    "TransferHost to this node": {Following: Pledged},
    "RequestVote with the later vote of another owner": {Following: Pledged},
    # This is how a node without a host takes entries of the former host.
    "LogPage that cannot be": {Searching: Stopped},
}
"""By input: from which role it leads to which. A node stays in every role that is not named."""


# ---- inputs -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Input:
    """One input to a node."""

    kind: type
    """The class of the input, or of the message that arrives."""
    form: str
    """How it differs from other inputs of this kind."""
    give: Callable[[NodeUnderTest], object]

    @property
    def name(self) -> str:
        return f"{self.kind.__name__} {self.form}".strip()


Message = TypeVar("Message", bound=AtTable)


def other_node(tested: NodeUnderTest) -> int:
    """The link to the other node: to the host, if the node under test is in contact with one."""
    return tested.link


def second_link(tested: NodeUnderTest) -> int:
    return tested.link_from(tested.other.number, 76)


def another_owner(tested: NodeUnderTest) -> int:
    return tested.link_from(tested.third, 77)


def message(
    kind: type[Message],
    form: str,
    make: Callable[[NodeUnderTest], Message],
    *,
    over: Callable[[NodeUnderTest], int] = other_node,
) -> Input:
    """A message. `over`: the link on which it arrives."""

    def give(tested: NodeUnderTest) -> None:
        link = over(tested)
        assert link in tested.running._links.links, "the node would not look at the message"
        tested.running.step(inputs.MessageReceived(link, make(tested)), tested.now)

    return Input(kind, form, give)


def link_up(tested: NodeUnderTest, seat: int | None, *, dialled: bool) -> None:
    tested.running.step(inputs.LinkUp(77, seat, dialled=dialled), tested.now)


def link_down(tested: NodeUnderTest, over: Callable[[NodeUnderTest], int]) -> None:
    tested.running.step(inputs.LinkDown(over(tested)), tested.now)


def act(tested: NodeUnderTest) -> None:
    with suppress(TableError):
        tested.running.step(inputs.PlayerActed(0, Draw()), tested.now)


def sync_all(tested: NodeUnderTest) -> None:
    cuts = tested.running.replica._rewinds
    tested.running.step(
        inputs.JournalSynced(outputs.SyncJournal(tested.end.count, cuts)), tested.now
    )


def later_term(tested: NodeUnderTest) -> int:
    """A term later than that of the log and than every vote of the node under test."""
    assert tested.running.voter is not None
    return max(tested.end.term, tested.running.voter.promised) + 1


def rejoin(tested: NodeUnderTest) -> Rejoin:
    """States the same end of the log that the node under test holds."""
    end = tested.end
    return Rejoin(end.term, end.count, end.head, 0)


def rejoin_behind(tested: NodeUnderTest) -> Rejoin:
    last = held_by(tested.node, 0)[-2]
    return Rejoin(last.read().term, tested.end.count - 1, last.hash, 0)


def rejoin_with_vote(tested: NodeUnderTest) -> Rejoin:
    seat, term = tested.other.number, later_term(tested)
    return replace(rejoin(tested), promised=term, vote=vote_of(tested, seat, seat, term))


def host_is(tested: NodeUnderTest, seat: int, later: int = 0) -> HostIs:
    return HostIs(tested.end.term + later, seat)


def request_vote(tested: NodeUnderTest, *, pre: bool = False) -> RequestVote:
    end = tested.end
    return RequestVote(pre, later_term(tested), end.term, end.count, end.head)


def acknowledged_by(tested: NodeUnderTest) -> messages.Statements:
    """Return the other node's acknowledgement of all entries that the node under test has."""
    other, replay = tested.other, tested.running.replay
    return acknowledgement(replay, other.number, other.config.identities[0], replay.seq)


def request_vote_with_reason(tested: NodeUnderTest) -> RequestVote:
    request, voter = request_vote(tested), tested.third
    reason = vote_of(tested, voter, voter, request.term)
    return replace(request, term=request.term + 1, reason=reason)


def vote_reply(tested: NodeUnderTest, voter: int, *, pre: bool = False) -> VoteReply:
    """A vote for the node under test in the term for which it is a candidate."""
    assert tested.running.voter is not None
    term = tested.running.voter.promised + pre
    vote = None if pre else vote_of(tested, voter, tested.node.number, term)
    return VoteReply(pre, term, True, vote)


def transfer(tested: NodeUnderTest, seat: int) -> TransferHost:
    return TransferHost(tested.end.term + 1, seat)


def entries(tested: NodeUnderTest, entry: Entry, gap: int = 0) -> Entries:
    return Entries(tested.end.count + gap, (entry,))


def page(tested: NodeUnderTest, entry: Entry) -> LogPage:
    return LogPage(tested.end.count, (entry,))


def election_of_a_third(tested: NodeUnderTest) -> Entry:
    return election_of(tested, tested.third, tested.end.term + 1)


METHODS = (
    Input(inputs.LinkUp, "dialled here", lambda it: link_up(it, it.third, dialled=True)),
    Input(inputs.LinkUp, "dialled by an owner", lambda it: link_up(it, it.third, dialled=False)),
    Input(inputs.LinkUp, "dialled by a stranger", lambda it: link_up(it, None, dialled=False)),
    Input(inputs.LinkDown, "", partial(link_down, over=other_node)),
    Input(inputs.LinkDown, "of another owner", partial(link_down, over=another_owner)),
    Input(
        inputs.ConnectFailed, "", lambda it: it.running.step(inputs.ConnectFailed(it.third), it.now)
    ),
    Input(inputs.TimePassed, "at once", lambda it: it.later(0.01)),
    Input(inputs.TimePassed, "after ten minutes", lambda it: it.later(600.0)),
    Input(inputs.JournalSynced, "", sync_all),
    Input(inputs.JobDone, "", lambda it: it.running.step(inputs.JobDone(1_000_000, None), it.now)),
    Input(inputs.PlayerActed, "", act),
    Input(inputs.ChatSent, "", lambda it: it.running.step(inputs.ChatSent("hola"), it.now)),
    Input(
        inputs.ScoreShown,
        "",
        lambda it: it.running.step(inputs.ScoreShown(1, reading=True), it.now),
    ),
    Input(
        inputs.ReactionSent,
        "",
        lambda it: it.running.step(inputs.ReactionSent(messages.Reaction.WOW), it.now),
    ),
    Input(inputs.LeaveRequested, "", lambda it: it.running.step(inputs.LeaveRequested(), it.now)),
    Input(inputs.StopRequested, "", lambda it: it.running.step(inputs.StopRequested(), it.now)),
    Input(inputs.ProgramPaused, "", lambda it: it.running.step(inputs.ProgramPaused(60.0), it.now)),
    Input(inputs.ClaimMade, "", lambda it: it.running.step(inputs.ClaimMade(), it.now)),
    Input(
        inputs.SpectatorSentAway,
        "",
        lambda it: it.running.step(
            inputs.SpectatorSentAway(None, messages.LobbyRefusal.KICKED), it.now
        ),
    ),
)

SUCCESSION = (
    message(Rejoin, "with the same log", rejoin),
    message(Rejoin, "with a shorter log", rejoin_behind),
    message(
        Rejoin,
        "with a longer log",
        lambda it: replace(rejoin(it), count=it.end.count + 1, head=bytes(32)),
    ),
    message(
        Rejoin,
        "with a log of a later term",
        lambda it: replace(rejoin(it), term=it.end.term + 1, head=bytes(32)),
    ),
    message(Rejoin, "with a vote in a later term", rejoin_with_vote),
    message(Rejoin, "from another owner", rejoin, over=another_owner),
    message(HostIs, "of the logged host", lambda it: host_is(it, it.running.replay.host)),
    message(
        HostIs,
        "of the logged host over a second link",
        lambda it: host_is(it, it.running.replay.host),
        over=second_link,
    ),
    message(
        HostIs,
        "of the logged host, from another owner",
        lambda it: host_is(it, it.running.replay.host),
        over=another_owner,
    ),
    message(
        HostIs,
        "of the sender in the next term",
        lambda it: host_is(it, it.other.number, later=1),
    ),
    message(
        HostIs,
        "of the sender in the next term, from another owner",
        lambda it: host_is(it, it.third, later=1),
        over=another_owner,
    ),
    message(HostIs, "of another owner in the next term", lambda it: host_is(it, it.third, later=1)),
    message(HostIs, "of another owner in the logged term", lambda it: host_is(it, it.third)),
    message(
        HostIs, "of this node in the next term", lambda it: host_is(it, it.node.number, later=1)
    ),
    message(TransferHost, "to this node", lambda it: transfer(it, it.node.number)),
    message(
        TransferHost,
        "to this node, from another owner",
        lambda it: transfer(it, it.node.number),
        over=another_owner,
    ),
    message(TransferHost, "to another owner", lambda it: transfer(it, it.third)),
    message(RequestVote, "before the vote", partial(request_vote, pre=True)),
    message(RequestVote, "", request_vote),
    message(RequestVote, "from another owner", request_vote, over=another_owner),
    message(RequestVote, "with the later vote of another owner", request_vote_with_reason),
    message(VoteReply, "before the vote", lambda it: vote_reply(it, it.other.number, pre=True)),
    message(VoteReply, "", lambda it: vote_reply(it, it.other.number)),
    message(LogPage, "that follows", lambda it: page(it, next_entry(it))),
    message(LogPage, "that elects another host", lambda it: page(it, election_of_a_third(it))),
    message(LogPage, "that cannot be", lambda it: page(it, impossible_entry(it))),
    message(messages.RequestLog, "", lambda _: messages.RequestLog(0)),
    message(messages.Statements, "", acknowledged_by),
)

FROM_A_HOST = (
    message(Entries, "that follow", lambda it: entries(it, next_entry(it))),
    message(Entries, "that elect another host", lambda it: entries(it, election_of_a_third(it))),
    message(Entries, "that cannot be", lambda it: entries(it, impossible_entry(it))),
    message(
        Entries,
        "that cannot be, from another owner",
        lambda it: entries(it, impossible_entry(it)),
        over=another_owner,
    ),
    message(Entries, "behind a gap", lambda it: entries(it, next_entry(it), gap=1)),
    message(Entries, "without an entry", lambda it: Entries(it.end.count, ())),
    message(
        messages.BodyRefusal,
        "",
        lambda it: messages.BodyRefusal(it.node.number, 1, "not-now", ""),
    ),
    message(messages.Said, "", lambda it: messages.Said("p0", it.other.number, "hola")),
    message(
        messages.Reacted,
        "",
        lambda it: messages.Reacted(it.other.number, messages.Reaction.WOW),
    ),
    message(messages.Waiting, "", lambda it: messages.Waiting((it.third,), 1000)),
    message(
        messages.PeerAddresses,
        "",
        lambda it: messages.PeerAddresses((messages.PeerAddress(it.third, "10.0.0.7", 4711),)),
    ),
    message(messages.Refused, "", lambda _: messages.Refused(messages.LobbyRefusal.KICKED)),
    message(messages.Began, "", lambda it: messages.Began(it.world.genesis)),
)

TO_A_HOST = (
    message(
        messages.Submit,
        "",
        lambda it: messages.Submit(body_of(it, it.other.number, Listen(4711))),
    ),
    message(messages.Fetch, "", lambda _: messages.Fetch(0)),
    message(messages.Say, "", lambda _: messages.Say("hola")),
    message(messages.ReadsScore, "", lambda _: messages.ReadsScore(1, reading=True)),
    message(messages.React, "", lambda _: messages.React(messages.Reaction.WOW)),
    message(messages.Watch, "", lambda _: messages.Watch(1, "eve")),
    message(
        messages.Join,
        "",
        lambda _: messages.Join(1, "eve", bytes(32), bytes(32), bot=False, slow_clock=False),
    ),
)

ABOUT_A_LOST_OWNER = (
    message(messages.RequestPresence, "", lambda it: messages.RequestPresence(next_entry(it))),
    message(messages.PresenceReply, "", lambda _: messages.PresenceReply(bytes(32), bytes(64))),
)

OUTSIDE_THE_LOG = (
    message(messages.Ready, "", lambda _: messages.Ready(bytes(64))),
    message(messages.RevealNonce, "", lambda _: messages.RevealNonce(bytes(32))),
    message(messages.TakeSeat, "", lambda _: messages.TakeSeat(0)),
    message(
        messages.LobbyState,
        "",
        lambda _: messages.LobbyState(
            bytes(16), "table", messages.LobbyPhase.OPEN, Ruleset(), 4, (), 0
        ),
    ),
    message(messages.NoncesWanted, "", lambda _: messages.NoncesWanted(())),
    message(messages.BeginPinProof, "", lambda _: messages.BeginPinProof(bytes(33))),
    message(messages.PinProofAnswer, "", lambda _: messages.PinProofAnswer(bytes(33))),
    message(messages.ConfirmPin, "", lambda _: messages.ConfirmPin(bytes(32))),
    message(messages.PinConfirmed, "", lambda _: messages.PinConfirmed(bytes(32))),
    message(messages.PlayAgain, "", lambda _: messages.PlayAgain()),
    message(messages.RematchState, "", lambda _: messages.RematchState()),
)
"""Messages before the log begins, and after it is closed."""

INPUTS = (
    *METHODS,
    *SUCCESSION,
    *FROM_A_HOST,
    *TO_A_HOST,
    *ABOUT_A_LOST_OWNER,
    *OUTSIDE_THE_LOG,
)


@contextmanager
def roles_entered(tested: NodeUnderTest) -> Iterator[list[type[Role]]]:
    """The roles that a node enters meanwhile, in order."""
    entered: list[type[Role]] = []
    enter = tested.running._enter

    def note(role: Role) -> None:
        enter(role)
        entered.append(type(role))

    with patch.object(tested.running, "_enter", note):
        yield entered


@pytest.mark.parametrize("role", BEGIN, ids=lambda role: role.__name__)
@pytest.mark.parametrize("given", INPUTS, ids=lambda given: given.name)
def test_an_input_leads_to_the_role_of_the_table_and_to_no_other(
    given: Input, role: type[Role]
) -> None:
    tested = BEGIN[role]()
    assert tested.role() is role
    with roles_entered(tested) as entered:
        given.give(tested)
    after = CHANGES.get(given.name, {}).get(role)
    assert entered == ([] if after is None else [after])
    assert tested.role() is (after or role)


def test_the_table_has_every_input_of_a_node() -> None:
    # The start comes before all other inputs, and has tests of its own.
    others = {inputs.MessageReceived, inputs.NodeStarted}
    expected = ({*get_args(inputs.NodeInput)} - others) | {*get_args(AtTable)}
    assert {given.kind for given in INPUTS} == expected


def test_every_row_of_the_table_is_about_one_input() -> None:
    names = [given.name for given in INPUTS]
    assert len(names) == len(set(names))
    assert CHANGES.keys() <= set(names)


# ---- changes that need several inputs -----------------------------------------------------------


@dataclass(frozen=True)
class InputSequence:
    """Several inputs to a node in a role."""

    name: str
    role: type[Role]
    give: Callable[[NodeUnderTest], object]
    path: Path
    begin: Callable[[], NodeUnderTest] | None = None
    """How a test gets the node, if not by `BEGIN`."""


def elect_it(tested: NodeUnderTest, *, pre: bool = False) -> None:
    """Two owners of four vote for the node under test, which has its own vote already."""
    for seat in {*tested.running.replay.owners} - {tested.node.number, tested.other.number}:
        link = tested.link_from(seat, 70 + seat)
        tested.running.step(
            inputs.MessageReceived(link, vote_reply(tested, seat, pre=pre)), tested.now
        )


def stands_and_wins(tested: NodeUnderTest) -> None:
    tested.later(10.0)
    elect_it(tested, pre=True)
    elect_it(tested)


def votes_and_finds_the_old_host(tested: NodeUnderTest) -> None:
    """The owner for which it votes is not elected."""
    tested.running.step(
        inputs.MessageReceived(another_owner(tested), request_vote(tested)), tested.now
    )
    tested.receive(host_is(tested, tested.other.number))


def shows_a_return_that_was_lost(tested: NodeUnderTest) -> None:
    """This host gets back entries that it signed and lost, in which a third owner returned."""
    first = tested.end.count
    tested.receive(LogPage(first, held_by(tested.other, first)))
    tested.receive(rejoin_of(tested.other))


def shows_the_votes_of_a_later_term(tested: NodeUnderTest) -> None:
    claim = HostIs(tested.other.running.replay.term, tested.other.number)
    tested.shows_its_votes(tested.receive(claim))


def shows_another_entry_of_this_host(tested: NodeUnderTest) -> None:
    """This host has signed two entries with the same number."""
    tested.receive(page(tested, next_entry(tested)))


def says_that_it_holds_no_more(tested: NodeUnderTest) -> None:
    tested.receive(rejoin(tested))


def claims_and_hands_over(tested: NodeUnderTest) -> None:
    """The host claims a much later term, does not prove it, and hands over in the logged one.

    This node votes for itself in the term after the logged one. It is not pledged by that: the term
    of its vote is below the one that its host claims.
    """
    tested.receive(host_is(tested, tested.other.number, later=50))
    tested.receive(transfer(tested, tested.node.number))
    assert tested.role() is Following


def claims_hands_over_and_takes_it_back(tested: NodeUnderTest) -> None:
    claims_and_hands_over(tested)
    tested.receive(host_is(tested, tested.other.number))


def claims_hands_over_and_is_replaced(tested: NodeUnderTest) -> None:
    claims_and_hands_over(tested)
    elect_it(tested)


def claims_and_shows_nothing(tested: NodeUnderTest) -> None:
    tested.receive(host_is(tested, tested.other.number, later=1))
    tested.later(SHOW_SECONDS)


def shows_its_election_and_hands_over(tested: NodeUnderTest) -> None:
    """The host sends the entry of its election and no `HostIs`, so that this node reads on.

    The term of the log is now that of this node's last vote: it may vote for itself in the next.
    """
    term = later_term(tested) - 1
    tested.receive(entries(tested, election_of(tested, tested.other.number, term)))
    tested.receive(transfer(tested, tested.node.number))
    assert tested.role() is Reading
    elect_it(tested)


def leaves(tested: NodeUnderTest) -> None:
    """The other node acknowledges all entries after the host has begun to leave."""
    tested.running.step(inputs.LeaveRequested(), tested.now)
    assert tested.role() is Hosting
    tested.receive(acknowledged_by(tested))
    tested.later(0.01)


SEQUENCES = (
    InputSequence(
        "a candidate is the host once it has the votes of a majority",
        Searching,
        stands_and_wins,
        (Hosting,),
    ),
    InputSequence(
        "the logged host is only read after a vote in a later term",
        Searching,
        votes_and_finds_the_old_host,
        (Reading,),
    ),
    InputSequence(
        "a host of two that finds a third owner in what it lost asks all owners",
        AwaitingPeer,
        shows_a_return_that_was_lost,
        (Searching,),
        with_a_third_owner_lost,
    ),
    InputSequence(
        "a host of two follows the other owner once it has seen its votes",
        AwaitingPeer,
        shows_the_votes_of_a_later_term,
        (Searching, Following),
        replaced,
    ),
    InputSequence(
        "a host of two stops if another entry stands where it released a secret",
        AwaitingPeer,
        shows_another_entry_of_this_host,
        (Stopped,),
        awaiting_what_it_needs,
    ),
    InputSequence(
        "a host of two stops if nobody holds the entry for which it released a secret",
        AwaitingPeer,
        says_that_it_holds_no_more,
        (Hosting, Stopped),
        awaiting_what_it_needs,
    ),
    InputSequence(
        "a host that has not proven its term is given up",
        Following,
        claims_and_shows_nothing,
        (Following, Searching),
    ),
    InputSequence(
        "a host that takes back a claim is only read after a vote in a term between",
        Following,
        claims_hands_over_and_takes_it_back,
        (Following, Reading),
    ),
    InputSequence(
        "a following node is the host once it has the votes of a majority",
        Following,
        claims_hands_over_and_is_replaced,
        (Following, Hosting),
    ),
    InputSequence(
        "a pledged candidate is the host once it has the votes of a majority",
        Pledged,
        elect_it,
        (Hosting,),
    ),
    InputSequence(
        "a reader is the host once it has the votes of a majority",
        Reading,
        shows_its_election_and_hands_over,
        (Hosting,),
    ),
    InputSequence(
        "a host that leaves steps down once a candidate holds all entries",
        Hosting,
        leaves,
        (Searching,),
    ),
)


@pytest.mark.parametrize("sequence", SEQUENCES, ids=lambda sequence: sequence.name)
def test_several_inputs_lead_through_these_roles(sequence: InputSequence) -> None:
    tested = (sequence.begin or BEGIN[sequence.role])()
    assert tested.role() is sequence.role
    with roles_entered(tested) as entered:
        sequence.give(tested)
    assert entered == [*sequence.path]
    assert tested.role() is sequence.path[-1]


# ---- faults that were found here ----------------------------------------------------------------


def test_a_former_host_that_relays_an_election_keeps_no_following_node() -> None:
    """It could do that for good: `HostIs` of the elected host states no later term than the log."""
    tested = BEGIN[Following]()
    elected = tested.link_from(tested.third, 77)
    tested.receive(entries(tested, election_of_a_third(tested)))
    tested.later(3.0)
    out = tested.running.step(
        inputs.MessageReceived(elected, host_is(tested, tested.third)), tested.now
    )
    assert kinds(out, elected) == [Rejoin, messages.Fetch]
    assert tested.role() is Following
    assert tested.running.host_link == elected


def test_a_claim_that_is_never_shown_keeps_no_following_node() -> None:
    """It sends the log of the true host meanwhile, an entry at a time."""
    tested = BEGIN[Following]()
    elected, term = tested.link_from(tested.third, 77), tested.end.term
    tested.receive(HostIs(term + 2, tested.other.number))
    tested.receive(entries(tested, election_of_a_third(tested)))
    for _ in range(25):
        tested.later(3.0)
        last = tested.end.count - 1
        tested.receive(Entries(last, held_by(tested.node, last)))
    out = tested.running.step(
        inputs.MessageReceived(elected, host_is(tested, tested.third)), tested.now
    )
    assert kinds(out, elected) == [Rejoin, messages.Fetch]
    assert tested.running.host_link == elected
    tested.receive(HostIs(term + 3, tested.other.number))
    assert tested.running.host_link == elected, "without proof it is not followed again"


def test_a_spectator_reads_a_log_with_several_elections_over_several_pages() -> None:
    """It is not told the term of its host, and has no other node to go to."""
    tested = BEGIN[Following]()
    host, first = tested.running.replay.host, tested.end.count
    election = election_of_a_third(tested)
    log = [*held_by(tested.node, 0), election]
    tested.receive(entries(tested, election))
    log.append(election_of(tested, host, tested.end.term + 1))
    spectator = Node(tested.world.genesis, NodeConfig(identities=(), entropy=bytes))
    spectator.step(inputs.LinkUp(5, host), tested.now)
    spectator.step(inputs.NodeStarted(), tested.now)
    for number in (0, first, first + 1):
        page = tuple(log[number : first + 1]) if number < first else (log[number],)
        spectator.step(inputs.MessageReceived(5, Entries(number, page)), tested.now)
        assert spectator.host_link == 5
    assert spectator.replay.seq == len(log)


def test_a_host_takes_its_own_election_even_if_it_was_reading_a_fork() -> None:
    """The fork reader took it for the next entry of the fork, and the new host stopped."""
    tested = BEGIN[Following]()
    of_the_old_term, first = next_entry(tested), tested.end.count
    tested.receive(entries(tested, election_of(tested, tested.other.number, tested.end.term + 1)))
    tested.receive(host_is(tested, tested.other.number, later=1))
    tested.receive(Entries(first, (of_the_old_term,)))
    tested.receive(transfer(tested, tested.node.number))
    elect_it(tested)
    assert tested.role() is Hosting
    assert tested.running.replay.host == tested.node.number


def test_a_host_of_two_that_votes_for_a_third_owner_does_not_host_in_its_old_term() -> None:
    """The owner is back by one page of what was lost, and dropped again by the next."""
    tested, pages, voter = with_a_third_owner_back_and_gone()
    tested.receive(rejoin_of(tested.other))
    tested.receive(pages[0])
    link = tested.link_from(voter, 77)
    tested.running.step(inputs.MessageReceived(link, request_vote(tested)), tested.now)
    assert tested.running.voter is not None
    assert tested.running.voter.promised > tested.end.term
    assert tested.role() is Searching
    tested.receive(pages[1])
    tested.receive(rejoin_of(tested.other))
    assert tested.role() is Searching


def test_nor_does_it_after_a_loss_of_power() -> None:
    """The vote is flushed to the disk before it is sent, the page that led to it is not."""
    tested, pages, voter = with_a_third_owner_back_and_gone()
    vote = vote_of(tested, tested.node.number, voter, 6)
    tested.node.disk.votes[6] = encode(vote)
    tested.world.crash(tested.node)
    tested.node.program = restarted_node(tested.world, tested.node)
    tested.running.step(inputs.NodeStarted(), tested.now)
    tested.links_again()
    for page in pages:
        tested.receive(page)
    out = tested.receive(rejoin_of(tested.other))
    assert tested.role() is Searching
    assert [each.term for each in sent(out, tested.link) if isinstance(each, RequestVote)] == [7]


def test_a_restarted_host_gets_back_what_it_lost_without_an_endless_exchange() -> None:
    """The other owner holds the drop of the third, which this host signed and lost."""
    world = without_the_third(rounds=6)
    host, other, third = world.nodes
    until(world, lambda: third.number in other.running.replay.dropped)
    drop = next(number for number, each in enumerate(host.disk.entries) if drops_a_seat(each))
    world.crash(host)
    lose_entries(host, drop)
    counts: Counter[type] = Counter()
    send = world.send

    def counted(node: SimulatedNode, link: int, message: AtTable) -> None:
        counts[type(message)] += 1
        send(node, link, message)

    replace_method(world, "send", counted)
    world.restart(host)
    before = other.running.replay.seq
    until(world, lambda: host.running.hosts and host.running.replay.seq > before)
    assert counts[Rejoin] < 50


def drops_a_seat(entry: Entry) -> bool:
    return isinstance(entry.read().signed_body.read().payload, Drop)


# ---- the beginning ------------------------------------------------------------------------------


def new_node(seat: int, *, linked: bool = True) -> NodeUnderTest:
    """A node of a new table. `linked`: to the host, or as the host to a guest."""
    world = World(4, 1, ruleset=QUICK)
    node, other = world.nodes[seat], world.nodes[0 if seat else 1]
    node.program = Node(world.genesis, node.config)
    tested = NodeUnderTest(world, node, other, 99)
    if linked:
        tested.link_from(other.number, tested.link)
    return tested


def restarted(
    begin: Callable[[], NodeUnderTest], last: Callable[[NodeUnderTest], Entry] | None = None
) -> NodeUnderTest:
    """A node whose program was started again. `last`: an entry at the end of its journal."""
    tested = begin()
    entry = None if last is None else last(tested)
    tested.world.crash(tested.node)
    if entry is not None:
        tested.node.disk.entries.append(entry)
    tested.node.program = restarted_node(tested.world, tested.node)
    return tested


def drop_of_the_other(tested: NodeUnderTest) -> Entry:
    return next_entry(tested, HOST, Drop(tested.other.number, DropReason.LOST))


BEGINNINGS: Mapping[str, tuple[Callable[[], NodeUnderTest], type[Role], Path]] = {
    "the host of a new table": (partial(new_node, 0), Searching, (Hosting,)),
    "a guest of a new table": (partial(new_node, 1), Searching, (Following,)),
    "a guest without a link": (partial(new_node, 1, linked=False), Searching, ()),
    "a guest again": (partial(restarted, BEGIN[Following]), Searching, ()),
    "the host of four again": (partial(restarted, BEGIN[Hosting]), Searching, ()),
    "the host of two again": (partial(restarted, BEGIN[AwaitingPeer]), Searching, (AwaitingPeer,)),
    "the last owner again": (
        partial(restarted, BEGIN[AwaitingPeer], drop_of_the_other),
        Searching,
        (Hosting,),
    ),
    "a guest with evidence in its journal": (
        partial(restarted, BEGIN[Following], impossible_entry),
        Stopped,
        (),
    ),
}
"""How a test gets a node that has not begun, its role then, and the roles that it enters."""


@pytest.mark.parametrize("name", BEGINNINGS)
def test_a_node_begins_in_the_role_that_its_log_and_its_links_allow(name: str) -> None:
    make, before, path = BEGINNINGS[name]
    tested = make()
    assert tested.role() is before
    with roles_entered(tested) as entered:
        tested.running.step(inputs.NodeStarted(), tested.now)
    assert entered == [*path]
    assert tested.role() is (path or (before,))[-1]


# ---- all changes --------------------------------------------------------------------------------


def test_every_transition_is_reached_and_no_other() -> None:
    paths = [
        *((before, after) for row in CHANGES.values() for before, after in row.items()),
        *((sequence.role, *sequence.path) for sequence in SEQUENCES),
        *((before, *path) for _, before, path in BEGINNINGS.values()),
    ]
    reached = {change for path in paths for change in pairwise(path)}
    assert reached == {(before, after) for before, row in TRANSITIONS.items() for after in row}


def test_a_change_without_a_transition_is_a_fault_of_this_program() -> None:
    tested = BEGIN[Stopped]()
    with pytest.raises(AssertionError, match="from Stopped to Searching"):
        tested.running._enter(Searching())
    assert tested.role() is Stopped
