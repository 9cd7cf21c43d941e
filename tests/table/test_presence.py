"""A host says that a player is gone: what the others find out by themselves before they believe it.

Whole computers at a simulated table. What must not leave an honest one while the player is there is
its share of that player's seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import pytest
from msgspec.structs import replace

from lanuno.log import bodies, events
from lanuno.log.bodies import CloseReason, DropReason, presence_digest
from lanuno.log.codec import encode
from lanuno.log.entries import Entry
from lanuno.log.faults import VoidReason
from lanuno.log.round_record import Phase
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages
from lanuno.table.contacts import MEET_SECONDS
from lanuno.table.messages import AtTable
from lanuno.table.outputs import Output, ToLink
from lanuno.table.searches import LONGEST_SECONDS, OWN_WAY_SECONDS
from tests.harness.node_world.watched_world import finish, heard, in_phase, until
from tests.harness.node_world.world import Computer, World

RULES = replace(Ruleset(), grace_first_s=20, grace_total_s=60, turn_clock_s=0)
VICTIM = 3

Change = Callable[[AtTable], Iterable[AtTable]]


class Liar:
    """Some of what it says is changed, or not said at all."""

    def __init__(self, change: Change) -> None:
        self._change = change

    def sit(self, world: World, computer: Computer) -> None:
        pass

    def says(self, computer: Computer, link: int, message: AtTable) -> Iterable[AtTable]:
        return self._change(message)


def elsewhere(said: AtTable) -> list[AtTable]:
    """Everybody is where nobody is."""
    if not isinstance(said, messages.Whereabouts):
        return [said]
    return [messages.Whereabouts(tuple(replace(each, address="10.9.9.9") for each in said.places))]


def nowhere(said: AtTable) -> list[AtTable]:
    return [] if isinstance(said, messages.Whereabouts) else [said]


def mute(said: AtTable) -> list[AtTable]:
    return [] if isinstance(said, messages.GivePresence) else [said]


class Table(World):
    """Five people in a round; when which guest gave a share is noted."""

    def __init__(self, **liars: Change) -> None:
        super().__init__(5, 7, ruleset=RULES)
        self.shares: list[tuple[float, int]] = []
        self.on_step = self._note_share
        for name, change in liars.items():
            self.computers[0 if name == "host" else VICTIM].crook = Liar(change)
        self.start()
        until(self, in_phase(self.computers[1], Phase.PLAY))
        for computer in self.computers:
            computer.idle = True

    def finish(self) -> CloseReason | None:
        """Those who are left play on to the end; all of it is proven."""
        for computer in self.computers:
            computer.idle = False
            self._wake(computer)
        return finish(self, 0, 1, 2, 4)

    def _note_share(self, computer: Computer, output: Output) -> None:
        if isinstance(output, ToLink) and isinstance(output.message, messages.Submit):
            payload = output.message.body.read().payload
            if isinstance(payload, bodies.Share):
                self.shares.append((self.now, computer.number))

    @property
    def victim(self) -> Computer:
        return self.computers[VICTIM]

    def pass_time(self, seconds: float) -> None:
        end = self.now + seconds
        self.after(seconds, lambda: None)
        until(self, lambda: self.now >= end)

    def drop(self, reason: DropReason = DropReason.LOST) -> float:
        """The host says all at once that the victim is gone, and asks it nothing; when that was."""
        host, office = self.computers[0], self.computers[0].up.sequencer
        assert office is not None
        host.up.first.presence = lambda owner, drop: b""
        said = partial(office._drop, VICTIM, reason, self.now)
        self.do(host, host.up._run(lambda: host.up._from_office(said())))
        return self.now

    def end_links_of_victim(self) -> None:
        for guest in (1, 2, 4):
            self.cut(self.victim, self.computers[guest])

    def entry_of_drop(self) -> Entry:
        """The newest entry of the host."""
        return self.computers[0].up.first.entries[-1]

    def void(self) -> bool:
        current = self.computers[1].up.replay.round
        return current is not None and current.void is VoidReason.LOST


# ---- a player that is there ---------------------------------------------------------------------


@pytest.mark.parametrize("reason", [DropReason.LOST, DropReason.SILENT, DropReason.ATTACK])
@pytest.mark.parametrize("linked", [True, False])
def test_no_share_of_a_player_that_is_there(reason: DropReason, *, linked: bool) -> None:
    """Though the host says now that everybody is elsewhere: who has met the player knows better."""
    table = Table()
    table.pass_time(MEET_SECONDS)
    table.computers[0].crook = Liar(elsewhere)
    for guest in (1, 2, 4):
        table.computers[guest].up._contacts.told([messages.Place(VICTIM, "10.9.9.9", 9)])
        assert VICTIM in table.computers[guest].up._contacts.seats
    if not linked:
        table.end_links_of_victim()
    table.drop(reason)
    until(table, table.void)
    assert table.shares == []
    absence = table.computers[1].up.replay.absence
    until(table, lambda: bool(absence.denied))
    assert (absence.voided, absence.denied) == ({}, {(VICTIM, 0): 1})


@pytest.mark.parametrize("places", [elsewhere, nowhere])
def test_where_only_the_host_says_where_somebody_is_all_the_time_is_waited_for(
    places: Change,
) -> None:
    table = Table(host=places)
    table.pass_time(MEET_SECONDS)
    assert VICTIM not in table.computers[1].up._contacts.seats
    when = table.drop()
    until(table, lambda: len(table.shares) == 3)
    assert min(moment for moment, _ in table.shares) >= when + LONGEST_SECONDS
    assert table.finish() is CloseReason.STOPPED


def test_a_player_that_comes_by_itself_meanwhile_is_there() -> None:
    table = Table(host=elsewhere)
    table.drop()
    table.pass_time(LONGEST_SECONDS - 5)
    table._connect(table.victim, table.computers[1])
    until(table, table.void)
    assert table.shares == []


# ---- a player that is gone ----------------------------------------------------------------------


def test_the_round_goes_on_soon_without_a_player_that_is_gone() -> None:
    table = Table()
    table.pass_time(MEET_SECONDS)
    table.crash(table.victim, power=True)
    until(table, lambda: bool(heard(table, events.SeatDropped, 1)))
    dropped = table.now
    assert table.shares == []
    until(table, lambda: bool(heard(table, events.SeatRecovered, 1)))
    assert table.now < dropped + 8
    assert table.finish() is CloseReason.STOPPED
    assert not table.void()


def test_a_player_that_the_others_have_never_met_is_gone_after_its_grace_time() -> None:
    table = Table(host=nowhere)
    table.crash(table.victim, power=True)
    until(table, lambda: bool(heard(table, events.SeatRecovered, 1)))
    assert table.now < RULES.grace_first_s + LONGEST_SECONDS + 15
    assert table.finish() is CloseReason.STOPPED


def test_shares_need_several_attempts_over_some_time() -> None:
    """Also of somebody whom the host drops at once, and who is not there."""
    table = Table()
    table.pass_time(MEET_SECONDS)
    table.crash(table.victim, power=True)
    when = table.drop(DropReason.ATTACK)
    until(table, lambda: len(table.shares) == 3)
    assert min(moment for moment, _ in table.shares) >= when + OWN_WAY_SECONDS
    assert table.finish() is CloseReason.STOPPED


def test_who_is_connected_and_does_not_answer_holds_up_nobody_for_long() -> None:
    table = Table(victim=mute)
    table.pass_time(MEET_SECONDS)
    when = table.drop(DropReason.SILENT)
    until(table, lambda: len(table.shares) == 3)
    assert when + LONGEST_SECONDS <= table.now < when + LONGEST_SECONDS + 3
    until(table, lambda: bool(heard(table, events.SeatRecovered, 1)))
    assert not table.void()


def test_a_program_that_starts_again_looks_for_whoever_is_lost() -> None:
    table = Table()
    table.pass_time(MEET_SECONDS)
    table.crash(table.victim, power=True)
    table.drop()
    table.pass_time(1)
    table.crash(table.computers[1])
    table.restart(table.computers[1])
    until(table, lambda: bool(heard(table, events.SeatRecovered, 2)))
    assert table.finish() is CloseReason.STOPPED


# ---- what is signed -----------------------------------------------------------------------------


def answers(table: Table, seat: int, drop: Entry) -> list[messages.GivePresence]:
    """What a computer says to somebody who shows it an entry."""
    link = next(iter(table.computers[seat].links))
    out = table.computers[seat].up.heard(link, messages.AskPresence(drop), table.now)
    said = [each.message for each in out if isinstance(each, ToLink)]
    return [each for each in said if isinstance(each, messages.GivePresence)]


def test_a_player_signs_only_that_it_is_there_and_for_its_own_drop() -> None:
    table, other = Table(), Table(host=nowhere)
    table.drop()
    drop = table.entry_of_drop()
    [said] = answers(table, VICTIM, drop)
    digest = presence_digest(table.genesis.table_id, VICTIM, drop.hash)
    assert said == messages.GivePresence(drop.hash, table.victim.stay.identities[0].sign(digest))
    first = table.computers[0].up.first.entries[0]
    assert answers(table, 2, drop) == [], "it drops somebody else"
    assert answers(table, VICTIM, first) == [], "it drops nobody"
    assert answers(table, VICTIM, Entry(b"none", bytes(64))) == []
    core = drop.read()
    elsewhere = Entry(encode(replace(core, table=bytes(32))), bytes(64))
    assert answers(table, VICTIM, elsewhere) == [], "another table's"
    body = core.signed_body.read()
    left = encode(replace(body, payload=bodies.Drop(VICTIM, DropReason.LEFT)))
    assert answers(table, VICTIM, Entry(encode(replace(core, body=left)), bytes(64))) == []
    table.victim.up.leave(table.now)
    assert answers(table, VICTIM, drop) == [], "it leaves"
    assert answers(other, VICTIM, drop) != [], "the same genesis, and any end of its log"


def test_only_the_players_own_word_for_this_drop_counts() -> None:
    table = Table(victim=mute)
    table.pass_time(MEET_SECONDS)
    table.drop()
    drop, guest = table.entry_of_drop(), table.computers[1]
    until(table, lambda: VICTIM in guest.up._contacts.searches.unanswered)
    links = {other.number: link for link, (other, _) in guest.links.items()}
    right = table.victim.stay.identities[0].sign(
        presence_digest(table.genesis.table_id, VICTIM, drop.hash)
    )
    false = messages.GivePresence(drop.hash, bytes(64))
    for seat, said in (
        (VICTIM, false),
        (VICTIM, messages.GivePresence(bytes(32), right)),
        (0, messages.GivePresence(drop.hash, right)),
    ):
        guest.up.heard(links[seat], said, table.now)
        assert VICTIM in guest.up._contacts.searches.unanswered
    table.do(
        guest, guest.up.heard(links[VICTIM], messages.GivePresence(drop.hash, right), table.now)
    )
    assert VICTIM not in guest.up._contacts.searches.unanswered
    until(table, table.void)
    assert table.shares == []


def test_whoever_is_asked_about_without_having_been_looked_for_is_looked_for() -> None:
    """What a program that starts again has not been told of."""
    table = Table()
    guest = table.computers[1].up
    assert guest._presence(VICTIM, bytes(32)) is None
    assert len(guest._to_do) == 1
    guest._run(list)
    assert VICTIM not in guest._contacts.searches
