"""The peers check for themselves when a host reports that a player is gone.

Whole nodes at a simulated table. While the player is there, no honest node may release its share of
that player's seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import pytest
from msgspec.structs import replace

from lanuno.log.faults import VoidReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import CloseReason, DropReason, presence_digest
from lanuno.log.format.codec import encode
from lanuno.log.format.entries import Entry
from lanuno.log.round import events
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.ruleset import Ruleset
from lanuno.table import inputs, messages
from lanuno.table.links import DIRECT_TRY_SECONDS
from lanuno.table.messages import AtTable
from lanuno.table.outputs import Output, Send
from lanuno.table.succession.reach_attempts import LONGEST_SECONDS, OWN_WAY_SECONDS
from tests.harness.node_world.watched_world import events_of, finish, in_phase, until
from tests.harness.node_world.world import SimulatedNode, World

RULES = replace(Ruleset(), grace_first_s=20, grace_total_s=60, turn_clock_s=0)
VICTIM = 3

Change = Callable[[AtTable], Iterable[AtTable]]


class Liar:
    """An adversary that changes or withholds some of its messages."""

    def __init__(self, change: Change) -> None:
        self._change = change

    def program_started(self, world: World, node: SimulatedNode) -> None:
        pass

    def outgoing(self, node: SimulatedNode, link: int, message: AtTable) -> Iterable[AtTable]:
        return self._change(message)


def elsewhere(said: AtTable) -> list[AtTable]:
    """Replace every peer address by one where no peer is."""
    if not isinstance(said, messages.PeerAddresses):
        return [said]
    return [
        messages.PeerAddresses(tuple(replace(each, address="10.9.9.9") for each in said.places))
    ]


def nowhere(said: AtTable) -> list[AtTable]:
    return [] if isinstance(said, messages.PeerAddresses) else [said]


def mute(said: AtTable) -> list[AtTable]:
    return [] if isinstance(said, messages.PresenceReply) else [said]


class Table(World):
    """Five players in a round; records when each guest released a share."""

    def __init__(self, **liars: Change) -> None:
        super().__init__(5, 7, ruleset=RULES)
        self.shares: list[tuple[float, int]] = []
        self.on_output = self._note_share
        for name, change in liars.items():
            self.nodes[0 if name == "host" else VICTIM].adversary = Liar(change)
        self.start()
        until(self, in_phase(self.nodes[1], ProtocolPhase.PLAY))
        for node in self.nodes:
            node.idle = True

    def finish(self) -> CloseReason | None:
        """Let the remaining players finish the match, and check that all of it is proven."""
        for node in self.nodes:
            node.idle = False
            self._schedule_act(node)
        return finish(self, 0, 1, 2, 4)

    def _note_share(self, node: SimulatedNode, output: Output) -> None:
        if isinstance(output, Send) and isinstance(output.message, messages.Submit):
            payload = output.message.body.read().payload
            if isinstance(payload, bodies.Share):
                self.shares.append((self.now, node.number))

    @property
    def victim(self) -> SimulatedNode:
        return self.nodes[VICTIM]

    def pass_time(self, seconds: float) -> None:
        end = self.now + seconds
        self.after(seconds, lambda: None)
        until(self, lambda: self.now >= end)

    def drop(self, reason: DropReason = DropReason.LOST) -> float:
        """Let the host report the victim gone without asking it; return the time of the report."""
        host, host_role = self.nodes[0], self.nodes[0].running.host_role
        assert host_role is not None
        host.running.main_session.presence_of = lambda owner, drop: b""
        said = partial(host_role._drop, VICTIM, reason, self.now)
        self.do(
            host,
            host.running._run(lambda: host.running._route_host_role(said())),
        )
        return self.now

    def end_links_of_victim(self) -> None:
        for guest in (1, 2, 4):
            self.cut(self.victim, self.nodes[guest])

    def entry_of_drop(self) -> Entry:
        """Return the newest entry of the host."""
        return self.nodes[0].running.replica.entries[-1]

    def void(self) -> bool:
        current = self.nodes[1].running.replay.round
        return current is not None and current.void is VoidReason.LOST


# ---- a player that is there ---------------------------------------------------------------------


@pytest.mark.parametrize("reason", [DropReason.LOST, DropReason.SILENT, DropReason.ATTACK])
@pytest.mark.parametrize("linked", [True, False])
def test_no_share_of_a_player_that_is_there(reason: DropReason, *, linked: bool) -> None:
    """Peers that have met the player know better than a host that reports false addresses."""
    table = Table()
    table.pass_time(DIRECT_TRY_SECONDS)
    table.nodes[0].adversary = Liar(elsewhere)
    for guest in (1, 2, 4):
        table.nodes[guest].running._links.set_places([messages.PeerAddress(VICTIM, "10.9.9.9", 9)])
        assert VICTIM in table.nodes[guest].running._links.seats
    if not linked:
        table.end_links_of_victim()
    table.drop(reason)
    until(table, table.void)
    assert table.shares == []
    absence = table.nodes[1].running.replay.absence
    until(table, lambda: bool(absence.disputed_drops))
    assert (absence.voided_rounds, absence.disputed_drops) == ({}, {(VICTIM, 0): 1})


@pytest.mark.parametrize("places", [elsewhere, nowhere])
def test_owners_wait_the_full_time_if_only_the_host_knows_an_address(
    places: Change,
) -> None:
    table = Table(host=places)
    table.pass_time(DIRECT_TRY_SECONDS)
    assert VICTIM not in table.nodes[1].running._links.seats
    when = table.drop()
    until(table, lambda: len(table.shares) == 3)
    assert min(moment for moment, _ in table.shares) >= when + LONGEST_SECONDS
    assert table.finish() is CloseReason.STOPPED


def test_a_player_that_comes_by_itself_meanwhile_is_there() -> None:
    table = Table(host=elsewhere)
    table.drop()
    table.pass_time(LONGEST_SECONDS - 5)
    table._connect(table.victim, table.nodes[1])
    until(table, table.void)
    assert table.shares == []


# ---- a player that is gone ----------------------------------------------------------------------


def test_the_round_goes_on_soon_without_a_player_that_is_gone() -> None:
    table = Table()
    table.pass_time(DIRECT_TRY_SECONDS)
    table.crash(table.victim, power=True)
    until(table, lambda: bool(events_of(table, events.SeatDropped, 1)))
    dropped = table.now
    assert table.shares == []
    until(table, lambda: bool(events_of(table, events.SeatRecovered, 1)))
    assert table.now < dropped + 8
    assert table.finish() is CloseReason.STOPPED
    assert not table.void()


def test_a_player_that_the_others_have_never_met_is_gone_after_its_grace_time() -> None:
    table = Table(host=nowhere)
    table.crash(table.victim, power=True)
    until(table, lambda: bool(events_of(table, events.SeatRecovered, 1)))
    assert table.now < RULES.grace_first_s + LONGEST_SECONDS + 15
    assert table.finish() is CloseReason.STOPPED


def test_shares_need_several_attempts_over_some_time() -> None:
    """This also holds for an absent player whom the host drops immediately."""
    table = Table()
    table.pass_time(DIRECT_TRY_SECONDS)
    table.crash(table.victim, power=True)
    when = table.drop(DropReason.ATTACK)
    until(table, lambda: len(table.shares) == 3)
    assert min(moment for moment, _ in table.shares) >= when + OWN_WAY_SECONDS
    assert table.finish() is CloseReason.STOPPED


def test_a_connected_owner_who_does_not_answer_delays_recovery_only_briefly() -> None:
    table = Table(victim=mute)
    table.pass_time(DIRECT_TRY_SECONDS)
    when = table.drop(DropReason.SILENT)
    until(table, lambda: len(table.shares) == 3)
    assert when + LONGEST_SECONDS <= table.now < when + LONGEST_SECONDS + 3
    until(table, lambda: bool(events_of(table, events.SeatRecovered, 1)))
    assert not table.void()


def test_a_restarted_program_tries_to_reach_a_lost_player() -> None:
    table = Table()
    table.pass_time(DIRECT_TRY_SECONDS)
    table.crash(table.victim, power=True)
    table.drop()
    table.pass_time(1)
    table.crash(table.nodes[1])
    table.restart(table.nodes[1])
    until(table, lambda: bool(events_of(table, events.SeatRecovered, 2)))
    assert table.finish() is CloseReason.STOPPED


# ---- what is signed -----------------------------------------------------------------------------


def answers(table: Table, seat: int, drop: Entry) -> list[messages.PresenceReply]:
    """Return a node's replies to a peer that shows it an entry."""
    link = next(iter(table.nodes[seat].links))
    out = table.nodes[seat].running.step(
        inputs.MessageReceived(link, messages.RequestPresence(drop)), table.now
    )
    said = [each.message for each in out if isinstance(each, Send)]
    return [each for each in said if isinstance(each, messages.PresenceReply)]


def test_a_player_signs_only_that_it_is_there_and_for_its_own_drop() -> None:
    table, other = Table(), Table(host=nowhere)
    table.drop()
    drop = table.entry_of_drop()
    [said] = answers(table, VICTIM, drop)
    digest = presence_digest(table.genesis.table_id, VICTIM, drop.hash)
    assert said == messages.PresenceReply(drop.hash, table.victim.config.identities[0].sign(digest))
    first = table.nodes[0].running.replica.entries[0]
    assert answers(table, 2, drop) == [], "it drops somebody else"
    assert answers(table, VICTIM, first) == [], "it drops nobody"
    assert answers(table, VICTIM, Entry(b"none", bytes(64))) == []
    core = drop.read()
    elsewhere = Entry(encode(replace(core, table=bytes(32))), bytes(64))
    assert answers(table, VICTIM, elsewhere) == [], "another table's"
    body = core.signed_body.read()
    left = encode(replace(body, payload=bodies.Drop(VICTIM, DropReason.LEFT)))
    assert answers(table, VICTIM, Entry(encode(replace(core, body=left)), bytes(64))) == []
    table.victim.running.step(inputs.LeaveRequested(), table.now)
    assert answers(table, VICTIM, drop) == [], "it leaves"
    assert answers(other, VICTIM, drop) != [], "the same genesis, and any end of its log"


def test_only_the_players_own_word_for_this_drop_counts() -> None:
    table = Table(victim=mute)
    table.pass_time(DIRECT_TRY_SECONDS)
    table.drop()
    drop, guest = table.entry_of_drop(), table.nodes[1]
    until(table, lambda: VICTIM in guest.running._links.searches.unanswered)
    links = {other.number: link for link, (other, _) in guest.links.items()}
    right = table.victim.config.identities[0].sign(
        presence_digest(table.genesis.table_id, VICTIM, drop.hash)
    )
    false = messages.PresenceReply(drop.hash, bytes(64))
    for seat, said in (
        (VICTIM, false),
        (VICTIM, messages.PresenceReply(bytes(32), right)),
        (0, messages.PresenceReply(drop.hash, right)),
    ):
        guest.running.step(inputs.MessageReceived(links[seat], said), table.now)
        assert VICTIM in guest.running._links.searches.unanswered
    table.do(
        guest,
        guest.running.step(
            inputs.MessageReceived(links[VICTIM], messages.PresenceReply(drop.hash, right)),
            table.now,
        ),
    )
    assert VICTIM not in guest.running._links.searches.unanswered
    until(table, table.void)
    assert table.shares == []


def test_a_request_about_a_player_starts_an_attempt_to_reach_it() -> None:
    """A restarted program has not received the report that would start it."""
    table = Table()
    guest = table.nodes[1].running
    assert guest._presence_of(VICTIM, bytes(32)) is None
    assert len(guest._queue) == 1
    guest._run(list)
    assert VICTIM not in guest._links.searches
