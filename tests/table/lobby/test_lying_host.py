"""A host that has the keys of all others shows rooms, begins and breaks off as it likes.

It replays every signature and nonce that the victim has ever sent. The victim's player is ready at
random moments for the room on the screen, or has said "play again" for a match. Whatever the host
does, a nonce is published once, and only for the room on the screen, for which the player is ready.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from msgspec.structs import replace

from lanuno.log.format.genesis import (
    NO_NONCE,
    Genesis,
    Roster,
    nonce_commitment,
    read_roster,
    sign_roster,
)
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages
from lanuno.table.lobby.readiness import MatchTerms, match_terms, room_roster, terms
from lanuno.table.messages import LobbyPhase, LobbySeat, LobbyState
from lanuno.table.outputs import Happened, Output, TableBegan
from tests.harness.host_and_seats.seat_outputs import sent_to_host
from tests.harness.host_and_seats.simulated_lobby import (
    HOST,
    ME,
    SimulatedLobbyPeer,
    identity,
    nonce,
    public,
    seat,
    state,
    turned_away_why,
)

SEEDS_EACH = 250
STEPS = 40
KEYS = {public(number): number for number in (HOST, 2, 3, 66)}
"""The keys that the host has."""


class LyingHost:
    """One victim, all that it has sent, and what its player has agreed to."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.me = SimulatedLobbyPeer(ME, auto_ready=False)
        self.me.join()
        self.expected: MatchTerms | None = None
        """The match for which the player has said "play again"."""
        if self.chance.random() < 0.5:
            self.expected = match_terms(self.room())
            self.me = SimulatedLobbyPeer(ME, auto_ready=False, expected=self.expected)
            self.me.join()
        self.rooms = [self.room() for _ in range(3)]
        self.signatures: dict[bytes, bytes] = {}
        """The victim's signatures, by roster."""
        self.commitments = [self.me.seat().nonce]
        self.nonces: dict[bytes, bytes] = {}
        """The victim's published nonces, by commitment."""
        self.shown: LobbyState | None = None
        """What the victim's window shows."""
        self.agreed = self.withdrawn = False
        """Whether its player has been ready for this since it last changed, and is no longer."""
        self.room_begun = b""
        """The roster for which the victim has published its newest nonce."""
        self.started = b""
        """The roster with which the host has last started."""
        self.began = 0

    def room(self) -> LobbyState:
        """Return one of a few rooms."""
        chance = self.chance
        bot = seat(3, name="player2", bot=True, owner=public(HOST))
        third = chance.choice((seat(2), seat(2), bot, seat(66, name="player2")))
        seats: tuple[LobbySeat, ...] = (seat(HOST), self.me.seat(), third)
        if chance.random() < 0.2:
            seats = chance.choice((seats[:2], (seats[0], seats[2], seats[1])))
        rules = Ruleset(hand_size=chance.choice((7, 7, 5)))
        return state(seats=seats, ruleset=rules, rounds=chance.choice((None, None, 1)))

    # ---- the victim ---------------------------------------------------------------------------

    def tell(self, said: messages.AtTable) -> None:
        out = self.me.receive(said)
        if isinstance(said, LobbyState) and turned_away_why(out) is None:
            self.see(said)
        self.take(out)

    def see(self, room: LobbyState) -> None:
        """Note what the window shows, and what its player has agreed to."""
        if self.shown is None or terms(room) != terms(self.shown):
            self.agreed = self.withdrawn = False
            if self.expected == match_terms(room):
                self.agreed, self.expected = True, None
        seats = () if self.shown is None else self.shown.seats
        was, now = (
            any(each.ready for each in seats_then if each.identity == public(ME))
            for seats_then in (seats, room.seats)
        )
        # Until it has shown the player as ready, it may not have heard of the signature.
        if self.withdrawn and room.phase is LobbyPhase.OPEN and was and not now:
            self.agreed = False
        self.shown = room

    def take(self, out: Sequence[Output]) -> None:
        """Check what the victim does, and keep what it sends."""
        for each in out:
            assert isinstance(each, TableBegan) <= (self.room_begun != b"")
            if isinstance(each, TableBegan):
                self.began += 1
                assert each.genesis.roster == self.room_begun
        assert self.shown is not None or not any(isinstance(each, Happened) for each in out)
        for message in sent_to_host(out):
            match message:
                case messages.Join():
                    self.me.joined = message
                    self.commitments.append(message.nonce)
                    self.agreed, self.room_begun = False, b""
                case messages.Ready(bytes() as signature):
                    self.signatures[self.present()] = signature
                    assert self.agreed, "signed without the player"
                case messages.RevealNonce():
                    commitment = nonce_commitment(public(ME), message.nonce)
                    assert commitment not in self.nonces, "published twice"
                    self.nonces[commitment] = message.nonce
                    assert self.agreed, "begun without the player"
                    self.room_begun = self.started
                    begun, shown = read_roster(self.started), read_roster(self.present())
                    assert without_nonces(begun) == without_nonces(shown), "begun with another room"
                    assert commitment in {each.nonce for each in begun.seats}
                case _:
                    pass

    def present(self) -> bytes:
        """Return the roster of the room on the screen."""
        assert self.shown is not None
        return room_roster(self.shown, public(HOST), None)

    # ---- what the host and the player do ------------------------------------------------------

    def show(self) -> None:
        """Show a room, mostly with the right commitment of the victim."""
        room = self.chance.choice(self.rooms)
        if self.chance.random() < 0.3 and self.shown is not None:
            room = self.shown
        mine = self.chance.choice((*self.commitments[-1:] * 6, *self.commitments, NO_NONCE))
        seats = tuple(
            replace(each, nonce=mine, ready=self.chance.random() < 0.5)
            if each.identity == public(ME)
            else each
            for each in room.seats
        )
        phase = self.chance.choice((LobbyPhase.OPEN, LobbyPhase.STARTING))
        self.tell(replace(room, seats=seats, phase=phase))

    def click(self) -> None:
        """Let the player be ready for what the window shows, or take that back."""
        if self.shown is None:
            return
        ready = self.chance.random() < 0.8
        if ready:
            self.agreed, self.withdrawn = True, False
        else:
            self.withdrawn, self.expected = True, None
        self.take(self.me.peer.ready(ready, self.shown))

    def start(self) -> None:
        """Start with a room that the victim has ever signed, mostly the newest."""
        if self.signatures:
            self.started = self.roster()
            self.tell(messages.NoncesWanted(self.all_signatures(self.started)))

    def begin(self) -> None:
        """Begin with such a room, and with the nonce that the victim has published for it."""
        if self.signatures:
            roster = self.roster()
            nonces = tuple(
                self.nonces.get(each.nonce, bytes(32))
                if each.identity == public(ME)
                else nonce(KEYS[each.identity])
                for each in read_roster(roster).seats
            )
            self.tell(messages.Began(Genesis(roster, self.all_signatures(roster), nonces)))

    def roster(self) -> bytes:
        rosters = list(self.signatures)
        return self.chance.choice((*rosters[-1:] * 3, *rosters))

    def all_signatures(self, roster: bytes) -> tuple[bytes, ...]:
        return tuple(
            self.signatures[roster]
            if each.identity == public(ME)
            else sign_roster(roster, identity(KEYS[each.identity]))
            for each in read_roster(roster).seats
        )


def without_nonces(roster: Roster) -> Roster:
    seats = tuple(replace(each, nonce=NO_NONCE) for each in roster.seats)
    return replace(roster, seats=seats)


@pytest.mark.parametrize("first", range(0, 4 * SEEDS_EACH, SEEDS_EACH))
def test_no_host_begins_with_anything_but_what_the_player_saw_and_agreed_to(first: int) -> None:
    signed = published = began = 0
    for seed in range(first, first + SEEDS_EACH):
        at = LyingHost(seed)
        acts = (at.show, at.show, at.click, at.start, at.start, at.begin)
        for _ in range(STEPS):
            # A victim that leaves a lying host would be lost here: it stays, to lie to it again.
            at.chance.choice(acts)()
        signed += len(at.signatures)
        published += len(at.nonces)
        began += at.began
    assert signed > SEEDS_EACH, "or this test shows nothing"
    assert published > SEEDS_EACH // 4
    assert began > SEEDS_EACH // 10
