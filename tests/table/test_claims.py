"""Who says that somebody else rules is believed when it can show it, and never before."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

import pytest
from msgspec.structs import replace

from lanuno.dealing.identity import Identity
from lanuno.log import bodies, events
from lanuno.log.bodies import CloseReason, sign_body
from lanuno.log.entries import Entry, sign_entry
from lanuno.log.round_record import Phase
from lanuno.log.votes import SignedVote, sign_vote
from lanuno.table import budget, messages, seeker
from lanuno.table.claims import LOOK_SECONDS, MOST_PAGES, Claims
from lanuno.table.contacts import MOST_STRANGERS
from lanuno.table.messages import PAGE_BYTES, AtTable, Copy
from lanuno.table.other_ends import LookAt, Newer, OwnEnd, _Branch
from lanuno.table.outputs import HangUp, ToLink
from lanuno.table.pages import size_of
from tests.harness.adversaries.false_claims import (
    Liar,
    Lie,
    Pretender,
    goes_on_lying,
    meet_everybody,
    resumed,
    voted_for,
)
from tests.harness.log_table.following import followed
from tests.harness.node_world.watched_world import begun, finish, heard, in_phase, rulers, until
from tests.harness.node_world.world import Computer, World


def _anothers(world: World, liar: Computer) -> AtTable:
    vote = voted_for(world.computers[1], liar, 9)
    return resumed(world, liar, promised=9, vote=vote)


def _of_another_table(world: World, liar: Computer) -> AtTable:
    vote = replace(voted_for(liar, liar, 9).read(), table=bytes(32))
    return resumed(world, liar, promised=9, vote=sign_vote(vote, liar.stay.identities[0]))


LIES: dict[str, Lie] = {
    "a later log": lambda world, liar: resumed(world, liar, term=3),
    "a promise without a vote": lambda world, liar: resumed(world, liar, promised=9),
    "a vote that somebody else signed": _anothers,
    "a vote at another table": _of_another_table,
    "no vote at all": lambda world, liar: resumed(
        world, liar, promised=9, vote=SignedVote(b"?", bytes(64))
    ),
    "an old vote": lambda world, liar: resumed(
        world, liar, promised=9, vote=voted_for(liar, liar, 0)
    ),
    "a vote of a term far away": lambda world, liar: resumed(
        world, liar, promised=5000, vote=voted_for(liar, liar, 5000)
    ),
    "itself the host": lambda world, liar: messages.HostIs(4, liar.number),
    "somebody else the host": lambda world, liar: messages.HostIs(4, 1),
}


def test_nobody_calls_entries_final_that_has_not_shown_its_votes() -> None:
    """Whoever hears no host follows the first who says that it was elected, but not blindly."""
    world = begun(3)
    guest = world.computers[1]
    until(world, in_phase(guest, Phase.PLAY))
    member, log = guest.up, guest.up.replay
    assert member.home is not None
    member.unlinked(member.home, world.now)
    member.linked(99, 2, world.now)
    member.heard(99, messages.HostIs(log.term + 1, 2), world.now)
    assert member.home == 99
    firm = member.first.firm
    member.heard(99, messages.Entries(log.seq, ()), world.now)
    member.heard(99, messages.Firm(log.seq), world.now)
    member.heard(99, messages.Waiting((-100, 77), 5), world.now)
    assert not member.first.caught_up
    assert member.first.firm == firm


@pytest.mark.parametrize("name", LIES)
def test_words_alone_move_nobody(name: str) -> None:
    world = begun(4)
    world.trace = []
    liar = world.computers[3]
    liar.crook = Liar()
    until(world, in_phase(liar, Phase.PLAY))
    meet_everybody(world, liar)
    world.trace.clear()
    goes_on_lying(world, liar, LIES[name])
    # The liar itself may fall behind: whoever says hello again asks for what it missed.
    assert finish(world, 0, 1, 2, behind=(3,)) is CloseReason.STOPPED
    assert rulers(world) == [0]
    assert not heard(world, events.HostElected, 1)
    assert not [line for line in world.trace if "Hosting" in line], "the host has stepped down"
    given_up = [line for line in world.trace if "TableWaits(seats=(0,)" in line]
    assert given_up == [], "somebody has left the host"


def _cut_short(copy: Copy) -> Copy:
    return replace(copy, entries=copy.entries[:-1])


def _signed_by_nobody(copy: Copy) -> Copy:
    return replace(copy, entries=tuple(replace(each, signature=bytes(64)) for each in copy.entries))


def _from_the_start(copy: Copy) -> Copy:
    return replace(copy, first=0)


@pytest.mark.parametrize("shows", [_cut_short, _signed_by_nobody, _from_the_start])
def test_a_log_that_shows_no_later_term_moves_nobody(shows: Callable[[Copy], Copy]) -> None:
    world = begun(4)
    liar = world.computers[3]
    liar.crook = crook = Liar(shows)
    until(world, in_phase(liar, Phase.PLAY))
    goes_on_lying(world, liar, LIES["itself the host"])
    assert finish(world, 0, 1, 2) is CloseReason.STOPPED
    assert crook.shown
    assert rulers(world) == [0]


def test_a_true_promise_brings_about_one_election_and_not_one_after_the_other() -> None:
    world = begun(4)
    liar = world.computers[3]
    until(world, in_phase(liar, Phase.PLAY))

    def promised(world: World, liar: Computer) -> AtTable:
        term = liar.up.replay.term + 1
        return resumed(world, liar, promised=term, vote=voted_for(liar, liar, term))

    goes_on_lying(world, liar, promised, every=0.3)
    before = world.now
    until(world, lambda: world.now > before + 15)
    assert len(heard(world, events.HostElected, 1)) == 1
    finish(world, 0, 1, 2)  # the liar itself may fall behind


def test_an_old_host_believes_a_guest_who_shows_that_another_was_elected_and_is_gone() -> None:
    world = begun(3)
    old = world.computers[0]
    until(world, in_phase(old, Phase.PLAY))
    for other in world.computers[1:]:
        world.wall(old, other)
    until(world, lambda: any(number > 0 for number in rulers(world)))
    elected = next(number for number in rulers(world) if number > 0)
    left = 3 - elected
    until(world, lambda: world.computers[left].up.replay.term == 1)
    world.crash(world.computers[elected])
    assert old.up.hosts
    world.open_walls()
    finish(world, 0, left)
    assert old.up.replay.term >= 2


def test_a_guest_of_an_old_host_follows_the_new_one_when_it_can_show_its_votes() -> None:
    world = begun(5)
    old, behind = world.computers[:2]
    until(world, in_phase(old, Phase.PLAY))
    for one in (old, behind):
        for other in world.computers[2:]:
            world.wall(one, other)
    until(world, lambda: any(number > 1 for number in rulers(world)))
    new = world.computers[next(number for number in rulers(world) if number > 1)]
    assert behind.up.in_contact
    # Only between these two: nobody who knows better can tell the old host.
    world.walls.discard(frozenset((behind.number, new.number)))
    world._connect(new, behind)
    until(world, lambda: behind.up.replay.term == 1)
    assert old.up.hosts
    world.open_walls()
    finish(world)
    assert rulers(world) == [new.number]


@pytest.mark.parametrize("copies", [False, True])
def test_nobody_waits_long_for_somebody_who_only_says_that_it_was_elected(copies: bool) -> None:
    world = begun(5)
    liar = world.computers[4]
    liar.crook = crook = Pretender(world)
    until(world, in_phase(liar, Phase.PLAY))
    meet_everybody(world, liar)
    crook.on = True
    world.crash(world.computers[0])

    def lie(world: World, liar: Computer) -> AtTable:
        if copies and liar.up.replay.seq % 2:
            return messages.Copy(0, tuple(liar.up.first.entries))
        return messages.HostIs(liar.up.replay.term + 1, liar.number)

    goes_on_lying(world, liar, lie, every=0.5)
    before = world.now
    until(world, lambda: any(number in (1, 2, 3) for number in rulers(world)))
    assert world.now < before + 25
    finish(world, 1, 2, 3)


def test_nobody_is_sent_to_a_host_that_cannot_be_or_by_somebody_who_watches() -> None:
    world = begun(3, bots=1)
    guest, watching = world.computers[1], 99
    until(world, in_phase(guest, Phase.PLAY))
    for other in (world.computers[0], world.computers[2]):
        world.wall(guest, other)
    until(world, lambda: not guest.up.in_contact)
    member, now = guest.up, world.now
    member.linked(77, 2, now)
    member.linked(watching, None, now)
    for link, host in ((77, 3), (77, 4), (77, 9), (watching, 2), (watching, 0)):
        assert member.heard(link, messages.HostIs(3, host), now) == []
    assert not member.in_contact
    out = member.heard(77, messages.HostIs(3, 2), now)
    assert [each for each in out if isinstance(each, ToLink)]


def _old_ones(copy: Copy) -> Copy:
    """Signed by the host indeed, but what stood elsewhere."""
    return replace(copy, entries=(*copy.entries[3:], *copy.entries[:3]))


def _with_an_old_one(copy: Copy) -> Copy:
    return replace(copy, entries=(*copy.entries[:2], copy.entries[0]))


@pytest.mark.parametrize("shows", [_signed_by_nobody, _from_the_start, _old_ones, _with_an_old_one])
def test_a_host_of_two_is_not_stopped_by_what_it_never_signed(
    shows: Callable[[Copy], Copy],
) -> None:
    world = begun(2)
    host, liar = world.computers
    until(world, in_phase(host, Phase.PLAY))
    crook = Liar(lambda copy: shows(copy) if crook.shown < 4 else copy)
    liar.crook = crook
    world.crash(host)
    del host.disk.entries[-6:]
    world.restart(host)
    assert finish(world) is CloseReason.STOPPED
    assert crook.shown >= 2
    assert host.stopped is None


@pytest.mark.parametrize("seed", range(4))
def test_of_two_nobody_proves_of_an_honest_host_what_it_never_did(seed: int) -> None:
    """It loses power in the middle, and the other one says that it holds less than it does."""
    world = begun(2, seed)
    host, liar = world.computers
    world.chance.seed(seed)
    until(world, lambda: len(host.disk.entries) > 20 + 3 * seed)
    told = list(liar.disk.entries)
    world.crash(host, power=True)
    assert told == host.disk.entries[: len(told)], "it was told of something that can be lost"
    held = len(host.disk.entries)

    class Poor(Liar):
        def says(self, computer: Computer, link: int, message: AtTable) -> Iterable[AtTable]:
            if isinstance(message, messages.Resume) and message.count > held - 5:
                entry = computer.up.replay.hashes[held - 6]
                return [replace(message, count=held - 5, head=entry)]
            return [message]

    liar.crook = Poor()
    world.restart(host)
    finish(world)
    signed: dict[tuple[int, int], bytes] = {}
    for entry in (*told, *host.disk.entries, *liar.disk.entries):
        core = entry.read()
        assert signed.setdefault((core.term, core.seq), entry.hash) == entry.hash


def test_links_that_nobody_uses_end_and_those_of_the_players_stay() -> None:
    world = begun(3)
    host, guest = world.computers[:2]
    until(world, in_phase(guest, Phase.PLAY))
    now = world.now
    for member, most in ((host.up, MOST_STRANGERS), (guest.up, MOST_STRANGERS)):
        outs = [member.linked(1000 + each, None, now) for each in range(MOST_STRANGERS + 4)]
        assert [HangUp(1000 + each) in outs[most + each] for each in range(4)] == [True] * 4
        assert not any(outs[:most])
    outs = [host.up.linked(2000 + each, 1, now) for each in range(5)]
    ended_now = {each.link for out in outs for each in out if isinstance(each, HangUp)}
    assert ended_now == {2000, 2001, 2002}
    watch = messages.Watch(1, "somebody", "")
    host.up.heard(1009, watch, now)
    for each in range(20):
        assert HangUp(1009) not in host.up.linked(3000 + each, None, now)


def test_no_owner_is_shown_the_log_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever asks for it: WantCopy, or Resume at a computer that is not the host."""
    most = 64 * 1024
    monkeypatch.setattr(seeker, "OWNER_LOG_BURST", most)
    world = begun(3)
    host, guest = world.computers[:2]
    until(world, in_phase(guest, Phase.PLAY))
    now = world.now
    guest.up.linked(2000, 2, now)
    guest.up.linked(2001, 0, now)

    def shown(link: int) -> int:
        out = guest.up.heard(link, messages.WantCopy(0), now)
        pages = [each.message for each in out if isinstance(each, ToLink) and each.link == link]
        return sum(size_of(page.entries) for page in pages if isinstance(page, Copy))

    total = sum(shown(2001) for _ in range(1000))
    assert 0 < total < most + PAGE_BYTES
    assert shown(2001) == 0
    now += most / budget.LOG_RATE + 1
    assert shown(2001) > 0
    assert sum(shown(2000) for _ in range(100)) < most + PAGE_BYTES
    # Nobody but the host knows who watches.
    assert guest.up.send_away(None, messages.LobbyRefusal.KICKED, now) == []
    host.up.linked(3000, None, now, identity=b"e" * 32)
    host.up.heard(3000, messages.Watch(1, "eve"), now)
    out = host.up.send_away(b"e" * 32, messages.LobbyRefusal.KICKED, now)
    assert HangUp(3000) in out


# ---- looking at a log ---------------------------------------------------------------------------


def _two_logs() -> tuple[OwnEnd, Computer]:
    """An old host's end, and a computer whose log has the term of the next."""
    world = begun(3)
    old = world.computers[0]
    until(world, in_phase(old, Phase.PLAY))
    for other in world.computers[1:]:
        world.wall(old, other)
    until(world, lambda: world.computers[1].up.replay.term > 0)
    first = old.up.first
    own = OwnEnd(first.replay, first.entries, first.firm, True, first.starts)
    return own, world.computers[1]


def _look(claims: Claims, own: OwnEnd, theirs: Computer, most: int) -> tuple[object, int]:
    """Look through a log in pages of so many entries; what it shows, and how many it took."""
    asked = claims.look_at(5, 1, own, 100.0)
    assert asked is not None
    for pages in range(1, 100):
        entries = tuple(theirs.up.first.entries[asked : asked + most])
        found = claims.weigh(5, 1, own, Copy(asked, entries))
        if not isinstance(found, LookAt):
            return found, pages
        asked = found.first
    raise AssertionError("there is no end to it")


@pytest.mark.parametrize("most", [1, 7, 1000])
@pytest.mark.parametrize("lacking", [0, 1, 10])
def test_a_later_term_is_seen_whatever_is_missing_here(most: int, lacking: int) -> None:
    own, theirs = _two_logs()
    if lacking:
        held = list(own.entries)[:-lacking]
        own = OwnEnd(followed(own.replay.genesis, held), held, 0, True, own.starts)
    found, _ = _look(Claims(), own, theirs, most)
    assert isinstance(found, Newer)
    assert (found.term, found.host) == (theirs.up.replay.term, theirs.up.replay.host)


def test_a_later_term_that_passes_over_what_is_firm_shows_nothing() -> None:
    own, theirs = _two_logs()
    firm = OwnEnd(own.replay, own.entries, own.replay.seq, True, own.starts)
    found, _ = _look(Claims(), firm, theirs, 1000)
    assert found is None


def test_what_was_not_asked_for_is_not_looked_at() -> None:
    own, theirs = _two_logs()
    claims = Claims()
    asked = claims.look_at(5, 1, own, 100.0)
    assert asked is not None
    right = Copy(asked, tuple(theirs.up.first.entries[asked:]))
    assert claims.weigh(6, 1, own, right) is None, "over another link"
    assert claims.weigh(5, 2, own, right) is None, "by somebody else"
    assert claims.weigh(5, 1, own, replace(right, first=asked + 1)) is None, "another part"
    assert isinstance(claims.weigh(5, 1, own, right), Newer)
    assert claims.weigh(5, 1, own, right) is None, "once more"


def _without_votes(entry: Entry) -> Entry:
    body = entry.read().signed_body.read()
    assert isinstance(body.payload, bodies.Elect)
    votes = (body.payload.votes[0],) * len(body.payload.votes)
    told = sign_body(replace(body, payload=bodies.Elect(votes)), Identity.from_seed(bytes(32)))
    core = replace(entry.read(), body=told.body, body_signature=told.signature)
    return sign_entry(core, Identity.from_seed(bytes(32)))


def test_a_log_is_followed_only_where_more_than_one_owner_speaks_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own, theirs = _two_logs()
    begun_again: list[int] = []

    def branch(own: OwnEnd, first: int, *, to_close: bool) -> _Branch:
        begun_again.append(first)
        return _Branch(own, first, to_close=to_close)

    monkeypatch.setattr("lanuno.table.other_ends._Branch", branch)
    entries = list(theirs.up.first.entries)
    fork = next(number for number, each in enumerate(entries) if each.read().term)
    for lie in (
        Entry(b"?", bytes(64)),
        Entry(entries[fork].core, bytes(64)),
        _without_votes(entries[fork]),
        sign_entry(replace(own.entries[-1].read(), ms=10**6), Identity.from_seed(bytes(32))),
    ):
        claims = Claims()
        asked = claims.look_at(5, 1, own, 100.0)
        assert asked is not None
        assert claims.weigh(5, 1, own, Copy(asked, (*entries[asked:fork], lie))) is None
    assert len(begun_again) <= 1, "the votes themselves are true in one of these"
    _look(Claims(), own, theirs, 1000)
    assert begun_again


def test_no_look_is_without_end() -> None:
    """An old end, signed by its host, that parts further back than where it is shown."""
    world = begun(3)
    until(world, in_phase(world.computers[1], Phase.PLAY))
    world.crash(world.computers[0])
    guest = world.computers[1]
    until(world, lambda: guest.up.replay.term > 0 and guest.up.replay.seq > 0)
    first = guest.up.first
    own = OwnEnd(first.replay, first.entries, 0, True, first.starts)
    lie = replace(own.entries[-1].read(), term=0, prev=bytes(32))
    old = sign_entry(lie, world.computers[0].stay.identities[0])
    claims, pages = Claims(), 0
    asked = claims.look_at(5, 2, own, 100.0)
    while asked is not None:
        found = claims.weigh(5, 2, own, Copy(asked, (*own.entries[asked:], old)))
        asked = found.first if isinstance(found, LookAt) else None
        pages += 1
    assert pages == MOST_PAGES


def test_who_is_gone_is_not_looked_at() -> None:
    own, theirs = _two_logs()
    claims = Claims()
    asked = claims.look_at(5, 1, own, 100.0)
    assert asked is not None
    claims.forget(5)
    assert claims.weigh(5, 1, own, Copy(asked, tuple(theirs.up.first.entries[asked:]))) is None


def test_votes_of_two_terms_are_not_given_to_one_owner_within_a_second() -> None:
    claims = Claims()
    assert claims.may_ask(1, 7, 10.0)
    claims.voted(1, 7, 10.0)
    assert claims.may_ask(1, 7, 10.1), "the same again"
    assert not claims.may_ask(1, 8, 10.9)
    assert claims.may_ask(2, 8, 10.9)
    assert claims.may_ask(1, 8, 11.2)
    claims.voted(1, 8, 11.2)
    assert not claims.may_ask(1, 7, 11.3)


def test_the_pause_grows_up_to_a_bound_and_ends_with_an_election() -> None:
    """However often it asks: a false candidate raises the terms only so often."""
    claims, now = Claims(), 0.0
    given: list[float] = []
    while now < 100:
        term = 1 + len(given)
        if claims.may_ask(1, term, now):
            claims.voted(1, term, now)
            given.append(now)
        now += 0.5
    assert [after - before for before, after in pairwise(given)] == [1, 2, 4, 8, 16, 16, 16, 16, 16]
    claims.elected()
    assert claims.may_ask(1, 99, given[-1])


def test_whoever_shows_nothing_is_looked_at_less_and_less() -> None:
    own, _ = _two_logs()
    claims, now, looks = Claims(), 0.0, []
    while now < 1000:
        if claims.look_at(5, 1, own, now) is not None:
            looks.append(now)
        now += LOOK_SECONDS / 5
    between = [after - before for before, after in pairwise(looks)]
    assert between[:5] == [5, 10, 20, 40, 80]
    assert max(between) == 80
    claims.shown(1)
    assert claims.look_at(5, 1, own, looks[-1] + 0.1) is not None
    assert claims.look_at(5, 2, own, 0.0) is not None, "others are not held up by it"
