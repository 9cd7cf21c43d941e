"""Roles that whole tables hardly ever enter: waiting for an owner, reading, pledged and stopped.

Each test puts one input into one computer of a simulated table; nothing else of that table moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from lanuno.dealing.identity import Identity
from lanuno.log import events
from lanuno.log.bodies import Body, Drop, Leave, Listen, Return, sign_body
from lanuno.log.codec import encode
from lanuno.log.entries import Entry, sign_entry
from lanuno.log.round_record import Phase
from lanuno.rules.actions import Draw
from lanuno.table import messages, outputs, pages
from lanuno.table.claims import SHOW_SECONDS, STAND_SECONDS
from lanuno.table.errors import TableError
from lanuno.table.member import COPY_SECONDS, Member
from lanuno.table.messages import AtTable
from lanuno.table.outputs import Output
from tests.golden.roles import Role, role_of
from tests.harness.adversaries.false_claims import voted_for
from tests.harness.node_world.watched_world import begun, finish, in_phase, until
from tests.harness.node_world.world import Computer, World


@dataclass
class Alone:
    """One computer of a table that stands still, and a link of it to another one."""

    world: World
    computer: Computer
    other: Computer
    link: int

    @property
    def member(self) -> Member:
        return self.computer.up

    @property
    def now(self) -> float:
        return self.world.now

    def role(self) -> Role:
        return role_of(self.member)

    def hears(self, message: AtTable) -> list[Output]:
        """The other one says something."""
        return self.member.heard(self.link, message, self.now)

    def later(self, seconds: float) -> list[Output]:
        """Time passes."""
        self.world.now += seconds
        return self.member.tick(self.now)

    def shows_its_votes(self, asked: list[Output]) -> list[Output]:
        """The other one shows the pages that are asked for, up to its election."""
        entries = self.other.up.first.entries
        end = self.other.up.replay.terms[-1].first + 1
        while wanted := requests(asked, self.link):
            first = wanted[0].first
            asked = self.hears(messages.Copy(first, tuple(entries[first:end])))
        return asked

    def links_again(self, link: int = 99) -> list[Output]:
        """There is a new connection to the other one, which this computer made."""
        self.link = link
        number = self.other.number
        return self.member.linked(link, number, self.now, address="10.0.0.9", dialled=True)


def sent(out: list[Output], link: int) -> list[AtTable]:
    """What is said over a link."""
    return [each.message for each in out if isinstance(each, outputs.ToLink) and each.link == link]


def requests(out: list[Output], link: int) -> list[messages.WantCopy]:
    """The pages that are asked for over a link."""
    return [each for each in sent(out, link) if isinstance(each, messages.WantCopy)]


def kinds(out: list[Output], link: int) -> list[type]:
    """What kinds of messages are said over a link."""
    return [type(message) for message in sent(out, link)]


def kept(out: list[Output]) -> list[Entry]:
    """What goes into the journal."""
    return [each.entry for each in out if isinstance(each, outputs.KeepEntry)]


def resume_of(computer: Computer) -> messages.Resume:
    """What a computer says of the end of its log."""
    return computer.up._resume()


# ---- waiting for the only other owner -----------------------------------------------------------


def awaiting(lost: int = 0) -> Alone:
    """The host of two, started again. `lost`: how many of its last entries it has lost."""
    world = begun(2)
    host, guest = world.computers
    until(world, in_phase(guest, Phase.PLAY))
    world.crash(host)
    if lost:
        del host.disk.entries[-lost:]
        host.disk.durable = min(host.disk.durable, len(host.disk.entries))
        host.disk.released = None
    host.member = Member(world.genesis, host.stay, host.disk.recall(world.genesis))
    alone = Alone(world, host, guest, 99)
    assert outputs.Hosting(True) not in host.up.begin(world.now)
    assert kinds(alone.links_again(), 99) == [messages.Resume]
    assert alone.role() is Role.AWAITING_PEER
    return alone


def held_by(computer: Computer, first: int) -> tuple[Entry, ...]:
    """What a computer holds from an entry on."""
    return tuple(computer.up.first.entries[first:])


def test_a_restarted_host_of_two_looks_for_the_other_one_before_it_hosts() -> None:
    world = begun(2)
    host, guest = world.computers
    until(world, in_phase(guest, Phase.PLAY))
    world.crash(host)
    host.member = Member(world.genesis, host.stay, host.disk.recall(world.genesis))
    out = host.up.begin(world.now)
    assert [each.seat for each in out if isinstance(each, outputs.Dial)] == [guest.number]
    assert role_of(host.up) is Role.AWAITING_PEER
    assert not host.up.in_contact


def test_while_waiting_it_says_that_the_table_stands_still_and_dials_again() -> None:
    alone = awaiting()
    assert outputs.TableFrozen(1, 2) in alone.later(1.0)
    assert not [each for each in alone.later(1.0) if isinstance(each, outputs.TableFrozen)]
    assert alone.member.unlinked(alone.link, alone.now) == []
    assert alone.role() is Role.AWAITING_PEER
    assert alone.member.unreachable(alone.other.number, alone.now) == []
    dialled = [each for each in alone.later(30.0) if isinstance(each, outputs.Dial)]
    assert [each.seat for each in dialled] == [alone.other.number]
    assert alone.role() is Role.AWAITING_PEER


def test_it_hosts_again_once_the_other_one_holds_no_more() -> None:
    alone = awaiting()
    alone.later(1.0)
    out = alone.hears(resume_of(alone.other))
    assert alone.role() is Role.HOSTING
    assert out[0] == outputs.Hosting(True)
    assert outputs.TableFrozen(2, 2) in out
    assert messages.HostIs in kinds(out, alone.link)


def test_it_asks_the_other_one_for_what_it_lost_and_takes_it() -> None:
    alone = awaiting(lost=3)
    seq = alone.member.replay.seq
    assert sent(alone.hears(resume_of(alone.other)), alone.link) == [messages.WantCopy(seq)]
    out = alone.hears(messages.Copy(seq, held_by(alone.other, seq)))
    assert kept(out) == list(held_by(alone.other, seq))
    assert alone.role() is Role.AWAITING_PEER
    alone.hears(resume_of(alone.other))
    assert alone.role() is Role.HOSTING
    theirs = held_by(alone.other, 0)
    assert held_by(alone.computer, 0)[: len(theirs)] == theirs


def test_it_asks_for_that_again_only_after_a_while() -> None:
    alone = awaiting(lost=3)
    seq, ahead = alone.member.replay.seq, resume_of(alone.other)
    assert alone.hears(ahead)
    assert alone.hears(ahead) == []
    alone.world.now += COPY_SECONDS
    assert sent(alone.hears(ahead), alone.link) == [messages.WantCopy(seq)]


def test_nothing_is_taken_that_it_has_not_signed_itself() -> None:
    alone = awaiting(lost=3)
    seq = alone.member.replay.seq
    stranger = Identity.from_seed(b"s" * 32)
    [first, *_] = held_by(alone.other, seq)
    forged = sign_entry(first.read(), stranger)
    for said in (
        messages.Copy(seq, (forged,)),
        messages.Copy(seq, ()),
        messages.Copy(seq + 1, held_by(alone.other, seq + 1)),
        messages.Copy(seq, held_by(alone.other, 0)[:2]),
    ):
        assert kept(alone.hears(said)) == []
        assert alone.role() is Role.AWAITING_PEER


def test_what_only_a_host_says_or_hears_means_nothing_while_waiting() -> None:
    alone = awaiting()
    end = alone.member.replay.end
    for said in (
        messages.Entries(end.count, ()),
        messages.Firm(end.count),
        messages.Ack(end.count),
        messages.Fetch(0),
        messages.Say("hola"),
        messages.Abdicate(end.term + 1, alone.other.number),
        messages.GiveVote(True, end.term + 1, True, None, 0),
        messages.HostIs(end.term, alone.computer.number),
        messages.HostIs(end.term, alone.other.number),
        messages.HostIs(end.term + 1, alone.computer.number),
        messages.WantCopy(end.count),
    ):
        out = alone.hears(said)
        assert not kept(out)
        assert alone.role() is Role.AWAITING_PEER
    ask = messages.AskVote(False, end.term + 1, end.term, end.count + 5, end.head)
    [answer] = sent(alone.hears(ask), alone.link)
    assert isinstance(answer, messages.GiveVote)
    assert not answer.granted
    assert alone.role() is Role.AWAITING_PEER


def test_what_its_people_do_waits_with_it() -> None:
    alone = awaiting()
    member = alone.member
    assert member.stop(alone.now) == []
    assert member.claim(alone.now) == []
    assert member.paused(60.0, alone.now) == []
    assert member.send_away(None, messages.LobbyRefusal.FULL, alone.now) == []
    assert member.say("hola", alone.now) == []
    assert member.react(messages.Reaction.WOW, alone.now) == []
    assert member.synced(outputs.Sync(0, 0), alone.now) == []
    assert member.computed(1, None, alone.now) == []
    assert alone.role() is Role.AWAITING_PEER


def test_a_host_that_is_left_while_it_waits_is_left_once_it_hosts() -> None:
    alone = awaiting()
    assert alone.member.leave(alone.now) == []
    assert alone.role() is Role.AWAITING_PEER
    alone.world.do(alone.computer, alone.hears(resume_of(alone.other)))
    replay = alone.member.replay
    assert alone.computer.number in {*replay.leaving, *replay.dropped}


def later_term(alone: Alone) -> messages.HostIs:
    """The other one says that it was elected meanwhile."""
    return messages.HostIs(alone.member.replay.term + 1, alone.other.number)


def test_another_host_of_a_later_term_ends_the_waiting() -> None:
    """The log here is old: a third owner came back meanwhile, and two of them elected a host."""
    alone = replaced()
    word = messages.HostIs(alone.other.up.replay.term, alone.other.number)
    out = alone.hears(word)
    assert kinds(out, alone.link) == [messages.WantCopy]
    assert alone.role() is Role.AWAITING_PEER, "it has not shown its votes"
    out = alone.shows_its_votes(out)
    assert kinds(out, alone.link) == [messages.Resume, messages.Fetch]
    assert alone.role() is Role.FOLLOWING
    assert alone.hears(resume_of(alone.other))
    assert alone.role() is not Role.HOSTING, "the host of a later term is there"


def test_it_waits_on_if_that_host_has_nothing_to_show() -> None:
    alone = awaiting()
    for _ in range(3):
        alone.hears(later_term(alone))
        out = alone.hears(messages.Copy(0, held_by(alone.other, 0)))
        assert alone.role() is Role.AWAITING_PEER
        out += alone.later(SHOW_SECONDS)
        assert alone.role() is Role.AWAITING_PEER
        assert not [each for each in out if isinstance(each, outputs.TableWaits)], "for itself"
    alone.hears(resume_of(alone.other))
    assert alone.role() is Role.HOSTING


def test_it_waits_no_more_once_it_has_seen_the_votes() -> None:
    alone = replaced()
    word = messages.HostIs(alone.other.up.replay.term, alone.other.number)
    alone.shows_its_votes(alone.hears(word))
    assert alone.role() is Role.FOLLOWING
    alone.member.unlinked(alone.link, alone.now)
    assert alone.role() is Role.SEARCHING
    assert kinds(alone.links_again(101), 101) == [messages.Resume]
    alone.hears(word)
    assert alone.role() is Role.FOLLOWING


def test_a_log_of_a_later_term_is_asked_for_and_not_taken_for_less() -> None:
    """The other one has just heard of that term and holds fewer entries."""
    alone = awaiting()
    end = alone.member.replay.end
    said = replace(resume_of(alone.other), term=end.term + 1, count=end.count - 1)
    assert set(kinds(alone.hears(said), alone.link)) == {messages.WantCopy}
    assert alone.role() is Role.AWAITING_PEER


def test_its_own_election_is_given_back() -> None:
    """It was elected again by both, and lost the end of its journal with that election."""
    world = begun(2)
    host, guest = world.computers
    until(world, in_phase(host, Phase.PLAY))
    guest.disk.votes[1] = encode(voted_for(guest, guest, 1))
    world.crash(guest)
    world.restart(guest)
    until(world, lambda: guest.up.replay.term == 2 and host.up.replay.term == 2)
    until(world, lambda: guest.disk.durable == guest.up.replay.seq)
    first = host.up.replay.terms[-1].first
    world.crash(host)
    del host.disk.entries[first:]
    host.disk.durable = first
    host.disk.released = None
    world.restart(host)
    until(world, lambda: host.up.hosts)
    finish(world)


def split() -> World:
    """A host of three whose last entry drops the third, on its own disk alone, is off.

    The others have elected somebody in a log without that drop.
    """
    world = begun(3, rounds=6)
    world.found_by_name = True
    host, other, third = world.computers
    until(world, in_phase(third, Phase.PLAY))
    world.crash(third)
    look = world.on_step
    assert look is not None

    def part(computer: Computer, output: outputs.Output) -> None:
        look(computer, output)
        if computer is host and isinstance(output, outputs.KeepEntry):
            payload = output.entry.read().signed_body.read().payload
            if isinstance(payload, Drop) and payload.seat == third.number:
                world.wall(host, other)

    world.on_step = part
    until(world, lambda: third.number in host.up.replay.dropped)
    until(world, lambda: host.disk.durable == host.up.replay.seq)
    world.on_step = look
    world.crash(host)
    assert third.number in other.up.replay.owners
    world.open_walls()
    world.restart(third)
    until(world, lambda: other.up.hosts or third.up.hosts)
    until(world, lambda: other.disk.durable == other.up.replay.seq == third.up.replay.seq)
    return world


def replaced() -> Alone:
    """The host of two by its own log, started again, and the host of a later term."""
    world = split()
    host, other, third = world.computers
    new = other if other.up.hosts else third
    host.member = Member(world.genesis, host.stay, host.disk.recall(world.genesis))
    alone = Alone(world, host, new, 99)
    host.up.begin(world.now)
    alone.links_again()
    assert alone.role() is Role.AWAITING_PEER
    return alone


def test_a_host_that_dropped_a_third_owner_follows_whom_the_others_elected() -> None:
    """The drop is on its own disk alone: by the others' logs there are still three owners."""
    world = split()
    host, other, third = world.computers
    world.restart(host)
    assert role_of(host.up) is Role.AWAITING_PEER
    until(world, lambda: host.up.replay.term == other.up.replay.term == third.up.replay.term)
    assert role_of(host.up) is Role.FOLLOWING
    finish(world)


def test_a_host_that_was_not_elected_yet_is_followed_once_it_is() -> None:
    """Started again itself, the other one says what its log says, before anybody elects it."""
    world = split()
    host, other, third = world.computers
    world.crash(third)
    world.crash(other)
    world.restart(host)
    world.run(lambda: False, most=world.now + 3)
    world.restart(other)
    world.run(lambda: False, most=world.now + 30)
    world.restart(third)
    until(world, lambda: host.up.replay.term == other.up.replay.term == third.up.replay.term > 1)
    finish(world)


@pytest.mark.parametrize("how", ["later terms", "old entries"])
def test_a_dropped_owner_does_not_keep_the_host_from_the_other_one(how: str) -> None:
    alone, third = beside_a_dropped_owner()
    member, term = alone.member, alone.member.replay.term
    for number in range(5):
        if how == "later terms" or not number:
            term += 1
            member.heard(77, messages.HostIs(term, third.number), alone.now)
        if how == "old entries":
            member.heard(77, messages.Entries(0, held_by(alone.computer, 0)[:1]), alone.now)
        alone.later(3.0)
        assert alone.role() is Role.AWAITING_PEER
    alone.hears(resume_of(alone.other))
    assert alone.role() is Role.HOSTING


def beside_a_dropped_owner() -> tuple[Alone, Computer]:
    """The host of two, started again, and a third who was dropped and has a connection to it."""
    world = begun(3, rounds=6)
    world.found_by_name = True
    host, other, third = world.computers
    until(world, in_phase(third, Phase.PLAY))
    world.crash(third)
    until(world, lambda: third.number in host.up.replay.dropped)
    until(world, lambda: other.up.replay.seq == host.up.replay.seq)
    world.run(lambda: False, most=world.now + 1)
    world.crash(host)
    host.member = Member(world.genesis, host.stay, host.disk.recall(world.genesis))
    alone = Alone(world, host, other, 99)
    host.up.begin(world.now)
    host.up.linked(77, third.number, world.now, address="10.0.0.8")
    alone.links_again()
    return alone, third


def test_a_chat_line_makes_a_host_that_leaves_sign_nothing() -> None:
    """While owners change that is refused: no reason to say it again at every word."""
    world = split()
    host, other, third = world.computers
    world.crash(third)
    world.crash(other)
    first = next(term.first for term in recalled(world, other).replay.terms if term.number)
    del other.disk.entries[first:]
    other.disk.durable = min(other.disk.durable, first)
    other.disk.votes.clear()
    other.member, host.member = recalled(world, other), recalled(world, host)
    alone = Alone(world, host, other, 99)
    host.up.begin(world.now)
    alone.links_again()
    host.up.leave(world.now)
    alone.hears(resume_of(other))
    assert alone.role() is Role.HOSTING
    assert host.number not in host.up.replay.leaving
    out = [each for _ in range(20) for each in alone.member.say("x", alone.now)]
    assert not [each for each in out if isinstance(each, outputs.KeepBody)]


def recalled(world: World, computer: Computer) -> Member:
    """The program of a computer, started again."""
    return Member(world.genesis, computer.stay, computer.disk.recall(world.genesis))


def test_a_page_that_nobody_asked_for_breaks_nothing() -> None:
    world = split()
    host, other, third = world.computers
    new = other if other.up.hosts else third
    elected = new.up.first.entries[new.up.replay.terms[-1].first]
    del host.disk.entries[5:]
    host.disk.durable, host.disk.released = 5, None
    host.member = recalled(world, host)
    host.up.begin(world.now)
    host.up.linked(99, new.number, world.now)
    assert role_of(host.up) is Role.SEARCHING
    beyond = host.up.replay.seq + 1000
    assert host.up.heard(99, messages.Copy(beyond, (elected,)), world.now) == []
    assert role_of(host.up) is Role.SEARCHING


def with_a_third_owner_lost() -> tuple[Alone, int]:
    """A host of three that lost its entries from the return of the third on; their first number."""
    world = begun(3, rounds=6)
    world.found_by_name = True
    host, other, third = world.computers
    until(world, in_phase(third, Phase.PLAY))
    world.crash(third)
    until(world, lambda: third.number in host.up.replay.dropped)
    before = host.up.replay.seq
    world.restart(third)
    until(world, lambda: third.number in host.up.replay.owners)
    until(world, lambda: host.up.replay.seq == other.up.replay.seq)
    world.crash(host)
    del host.disk.entries[before:]
    host.disk.released = None
    host.member = recalled(world, host)
    alone = Alone(world, host, other, 99)
    host.up.begin(world.now)
    alone.links_again()
    assert alone.role() is Role.AWAITING_PEER
    return alone, before


def test_a_host_that_finds_a_third_owner_in_what_it_lost_is_elected_again() -> None:
    """The third may hold more of this term than the other one shows: nothing is signed in it."""
    alone, before = with_a_third_owner_lost()
    other = alone.other
    assert messages.WantCopy in kinds(alone.hears(resume_of(other)), alone.link)
    alone.hears(messages.Copy(before, held_by(other, before)))
    assert alone.member.replay.seq == other.up.replay.seq
    assert alone.role() is Role.AWAITING_PEER, "more may follow"
    out = alone.hears(resume_of(other))
    assert alone.role() is Role.SEARCHING
    assert messages.AskVote in kinds(out, alone.link)
    alone.hears(resume_of(other))
    assert alone.role() is Role.SEARCHING


@pytest.mark.parametrize("page", [48 * 1024, 8_000, 1_500])
def test_a_third_owner_may_be_back_by_one_page_and_dropped_by_the_next(
    page: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "PAGE_BYTES", page)
    world = begun(3, rounds=9)
    world.found_by_name = True
    host, other, third = world.computers
    until(world, in_phase(third, Phase.PLAY))
    world.crash(third)
    until(world, lambda: third.number in host.up.replay.dropped)
    before = host.up.replay.seq
    world.restart(third)
    until(world, lambda: third.number in host.up.replay.owners)
    world.crash(third)
    until(world, lambda: third.number in host.up.replay.dropped)
    world.run(lambda: False, most=world.now + 1)
    until(world, lambda: host.up.replay.seq == other.up.replay.seq)
    world.crash(host)
    del host.disk.entries[before:]
    host.disk.durable, host.disk.released = before, None
    world.restart(host)
    assert world.run(lambda: host.up.hosts, most=world.now + 60)


def test_if_the_other_one_goes_before_it_has_shown_all_others_are_asked() -> None:
    alone, before = with_a_third_owner_lost()
    alone.hears(messages.Copy(before, held_by(alone.other, before)))
    assert alone.role() is Role.AWAITING_PEER
    alone.member.unlinked(alone.link, alone.now)
    assert alone.role() is Role.SEARCHING
    alone.later(1.0)
    assert alone.member.election is not None
    assert alone.member.election.running


def test_the_log_of_a_guest_is_not_read_without_end() -> None:
    """Whom the others elected has gone; the guest that is left shows the votes, and no more."""
    world = split()
    host, other, third = world.computers
    new, guest = (other, third) if other.up.hosts else (third, other)
    until(world, lambda: guest.disk.durable == guest.up.replay.seq)
    world.crash(new)
    said: list[AtTable] = []
    send = world.send

    def listen(computer: Computer, link: int, message: AtTable) -> None:
        said.append(message)
        send(computer, link, message)

    with patch.object(world, "send", listen):
        world.restart(host)
        world.run(lambda: False, most=world.now + 60)
    assert role_of(host.up) is Role.SEARCHING
    assert len(said) < 200


# ---- reading ------------------------------------------------------------------------------------


def reading() -> Alone:
    """A guest that has promised a later term in vain, and whose host goes on without it."""
    world = begun(4, rounds=2)
    host, guest = world.computers[:2]

    def hands_over_to_the_guest_alone() -> None:
        until(world, in_phase(guest, Phase.PLAY))
        [link] = [link for link, (there, _) in host.links.items() if there is guest]
        world.send(host, link, messages.Abdicate(host.up.replay.term + 1, guest.number))

    hands_over_to_the_guest_alone()
    until(world, lambda: guest.up.replay.term > 0)
    hands_over_to_the_guest_alone()
    until(world, lambda: guest.up._reads)
    [new] = [each for each in world.running if each.up.hosts]
    assert guest.up.home is not None
    alone = Alone(world, guest, new, guest.up.home)
    assert alone.role() is Role.READING
    return alone


class MissesEntries:
    """A program to which no entries come."""

    def sit(self, world: World, computer: Computer) -> None:
        pass

    def says(self, computer: Computer, link: int, message: AtTable) -> Iterable[AtTable]:
        return [message]

    def hears(self, computer: Computer, link: int, message: AtTable) -> bool:
        return isinstance(message, messages.Entries)


def more(alone: Alone) -> messages.Entries:
    """What the host appends next."""
    alone.computer.crook = MissesEntries()
    first = alone.member.replay.seq
    until(alone.world, lambda: alone.other.up.replay.seq > first)
    return messages.Entries(first, held_by(alone.other, first))


def test_a_reader_takes_entries_and_acknowledges_nothing() -> None:
    alone = reading()
    said = more(alone)
    assert alone.role() is Role.READING
    out = alone.hears(said)
    assert kept(out) == list(said.entries)
    assert alone.role() is Role.READING
    asked = [each for each in out if isinstance(each, outputs.Sync)]
    assert asked
    done = alone.member.synced(asked[-1], alone.now)
    assert not {messages.Ack, messages.Submit} & set(kinds(out + done, alone.link))


def test_nothing_becomes_firm_for_a_reader() -> None:
    alone = reading()
    firm = alone.member.first.firm
    alone.hears(messages.Firm(alone.member.replay.seq))
    assert alone.member.first.firm == firm
    assert alone.role() is Role.READING


def test_a_reader_says_nothing_to_its_host_that_counts_but_that_it_is_back() -> None:
    alone = reading()
    member, seat = alone.member, alone.computer.number
    assert kinds(member.say("hola", alone.now), alone.link) == [messages.Say]
    assert kinds(member.react(messages.Reaction.WOW, alone.now), alone.link) == [messages.React]
    table = member.replay.table_id
    identity = alone.computer.stay.identities[0]
    for payload, said in ((Leave(), []), (Listen(4711), []), (Return(), [messages.Submit])):
        signed = sign_body(Body(table, 1, seat, 99, member.replay.head, payload), identity)
        out = member._to_host(member.first, messages.Submit(signed))
        assert kinds(out, alone.link) == said
    assert member._to_host(member.first, messages.Ack(1)) == []
    assert kinds(member._to_host(member.first, messages.Fetch(1)), alone.link) == [messages.Fetch]
    assert alone.role() is Role.READING


def test_a_reader_that_loses_its_host_looks_for_one() -> None:
    alone = reading()
    out = alone.member.unlinked(alone.link, alone.now)
    assert alone.role() is Role.SEARCHING
    assert [each for each in out if isinstance(each, outputs.TableWaits)]
    others = [each.link for each in out if isinstance(each, outputs.ToLink)]
    assert others
    assert alone.link not in others


def test_a_reader_whose_host_starts_again_looks_for_one() -> None:
    alone = reading()
    alone.hears(resume_of(alone.other))
    assert alone.role() is Role.SEARCHING


def test_a_host_of_the_promised_term_is_followed() -> None:
    alone = reading()
    election = alone.member.election
    assert election is not None
    out = alone.hears(messages.HostIs(election.promised, alone.other.number))
    assert kinds(out, alone.link)[:2] == [messages.Resume, messages.Fetch]
    assert alone.role() is Role.FOLLOWING


def test_the_same_host_is_read_on() -> None:
    alone = reading()
    said = messages.HostIs(alone.other.up.replay.term, alone.other.number)
    assert alone.hears(said) == []
    assert alone.role() is Role.READING


def test_a_reader_shows_its_promise_again_and_again() -> None:
    alone = reading()
    for _ in range(2):
        reminded = kinds(alone.later(STAND_SECONDS), alone.link)
        assert reminded[:2] == [messages.Resume, messages.Fetch]
        assert alone.role() is Role.READING


def test_a_reader_leaves_without_a_word() -> None:
    """The host counts an owner that leaves as holding everything: no vote may stand against it."""
    alone = reading()
    assert not [
        each
        for each in alone.member.leave(alone.now)
        if isinstance(each, outputs.KeepBody | outputs.ToLink)
    ]
    assert alone.role() is Role.READING


def test_a_reader_that_has_its_seat_again_shows_what_it_holds() -> None:
    """Then it counts again, and so does its promise."""
    alone = reading()
    seat = alone.computer.number
    out = alone.member._run(lambda: alone.member._noticed(events.SeatReturned(seat)))
    assert kinds(out, alone.link)[:2] == [messages.Resume, messages.Fetch]
    assert alone.role() is Role.READING


@pytest.mark.parametrize("link", ["other", "new"])
def test_links_of_others_leave_a_reader_as_it_is(link: str) -> None:
    alone = reading()
    others = {each for each, _ in alone.computer.links.items()} - {alone.link}
    if link == "other":
        alone.member.unlinked(min(others), alone.now)
    else:
        assert kinds(alone.member.linked(99, 3, alone.now, dialled=True), 99) == []
    alone.member.unreachable(3, alone.now)
    alone.later(0.01)
    assert alone.role() is Role.READING


def test_a_reader_that_is_shown_a_vote_of_a_later_term_may_vote() -> None:
    """It follows this host no more, and may therefore vote for whom it likes."""
    alone = reading()
    election, end = alone.member.election, alone.member.replay.end
    assert election is not None
    link, (there, _) = next(
        (link, ends) for link, ends in alone.computer.links.items() if link != alone.link
    )
    ask = messages.AskVote(False, election.promised + 1, end.term, end.count, end.head)
    out = alone.member.heard(link, ask, alone.now)
    assert [each for each in out if isinstance(each, outputs.KeepVote)]
    [answer] = sent(out, link)
    assert isinstance(answer, messages.GiveVote)
    assert answer.granted
    assert answer.promised == election.promised
    assert alone.role() is Role.READING
    assert there.number != alone.other.number


# ---- pledged ------------------------------------------------------------------------------------


def following() -> Alone:
    """A guest and its host, in the middle of a round."""
    world = begun(4)
    host, guest = world.computers[:2]
    until(world, in_phase(guest, Phase.PLAY))
    assert guest.up.home is not None
    return Alone(world, guest, host, guest.up.home)


def pledged() -> Alone:
    """A guest that was told to stand for the next term, and has voted for itself."""
    alone = following()
    alone.hears(messages.Abdicate(alone.member.replay.term + 1, alone.computer.number))
    assert alone.role() is Role.PLEDGED
    return alone


def test_a_pledged_owner_takes_nothing_of_its_host_and_acknowledges_nothing() -> None:
    alone = pledged()
    firm = alone.member.first.firm
    assert not kept(alone.hears(more(alone)))
    assert alone.hears(messages.Firm(alone.member.replay.seq)) == []
    assert alone.member.first.firm == firm
    assert alone.member._to_host(alone.member.first, messages.Ack(1)) == []
    assert alone.role() is Role.PLEDGED


def test_a_pledged_owner_reads_on_when_its_host_says_that_it_stays() -> None:
    alone = pledged()
    out = alone.hears(messages.HostIs(alone.member.replay.term, alone.other.number))
    assert kinds(out, alone.link)[:2] == [messages.Resume, messages.Fetch]
    assert alone.role() is Role.READING


def test_a_pledged_owner_that_loses_its_host_looks_for_one() -> None:
    alone = pledged()
    alone.member.unlinked(alone.link, alone.now)
    assert alone.role() is Role.SEARCHING


def test_a_pledged_owner_looks_for_a_host_once_nobody_has_won() -> None:
    alone = pledged()
    deadline = alone.member.deadline
    assert deadline is not None
    for _ in range(20):
        if alone.role() is Role.PLEDGED:
            alone.later(1.0)
    assert alone.role() is Role.SEARCHING


# ---- stopped ------------------------------------------------------------------------------------


def impossible(alone: Alone) -> messages.Entries:
    """What the host appends next, signed by it with a state that cannot be."""
    said = more(alone)
    core = replace(said.entries[0].read(), state=bytes(32))
    host = alone.other.stay.identities[0]
    return messages.Entries(said.first, (sign_entry(core, host),))


@pytest.mark.parametrize("begin", [following, reading])
def test_an_entry_that_cannot_be_stops_a_computer(begin: Callable[[], Alone]) -> None:
    alone = begin()
    links = {each for each, _ in alone.computer.links.items()}
    out = alone.hears(impossible(alone))
    assert alone.role() is Role.STOPPED
    assert [each.blame.seat for each in out if isinstance(each, outputs.Stopped)]
    assert {each.link for each in out if isinstance(each, outputs.HangUp)} == links
    assert alone.member.over
    assert alone.member.deadline is None


def test_a_stopped_computer_says_and_hears_nothing_any_more() -> None:
    alone = following()
    alone.hears(impossible(alone))
    member, now, end = alone.member, alone.now, alone.member.replay.end
    assert member.linked(77, alone.other.number, now) == []
    alone.link = 77
    for said in (
        messages.Entries(end.count, held_by(alone.other, end.count)),
        messages.Firm(end.count),
        messages.HostIs(end.term, alone.other.number),
        messages.HostIs(end.term + 1, alone.other.number),
        resume_of(alone.other),
        messages.Copy(end.count, held_by(alone.other, end.count)),
        messages.WantCopy(0),
        messages.AskVote(False, end.term + 1, end.term, end.count, end.head),
        messages.Abdicate(end.term + 1, alone.computer.number),
    ):
        assert alone.hears(said) == []
    assert member.unlinked(77, now) == []
    assert member.tick(now + 600) == []
    assert member.synced(outputs.Sync(end.count, 0), now) == []
    assert member.computed(1, None, now) == []
    assert member.say("hola", now) == []
    assert member.leave(now) == []
    assert member.stop(now) == []
    with pytest.raises(TableError):
        member.act(member.first, Draw(), now)
    assert alone.role() is Role.STOPPED
