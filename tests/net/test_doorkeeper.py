"""Who may come in: without sockets."""

from __future__ import annotations

import pytest

from lanuno.log.genesis import VERSION
from lanuno.net import doorkeeper as doorkeeper_module
from lanuno.net.doorkeeper import (
    PIN_LOCK_SECONDS,
    PIN_TRIES,
    PIN_TRIES_TOGETHER,
    SENT_AWAY_SECONDS,
    Doorkeeper,
)
from lanuno.table.arrangements import Arrangements
from lanuno.table.lobby import MAX_SPECTATORS
from lanuno.table.messages import Join, LobbyRefusal, Watch
from lanuno.table.outputs import Spectator

ADA, BEA = Spectator("Ada", b"a" * 32), Spectator("Bea", b"b" * 32)
EVE = b"e" * 32


def watch(name: str) -> Watch:
    return Watch(VERSION, name)


def join(name: str) -> Join:
    return Join(VERSION, name, bytes(32), EVE, False, False)


def crowd(size: int) -> list[Spectator]:
    return [Spectator(f"eve {number}", number.to_bytes(32, "big")) for number in range(size)]


def test_names_and_places_are_kept_for_who_is_awaited() -> None:
    door = Doorkeeper(Arrangements())
    door.reserve((ADA, BEA))
    for name in ("Ada", "ADA", "\u0410da"):
        asked = watch(name)
        assert door.why_not_watch(EVE, "x", asked, [], 0.0) is LobbyRefusal.NAME_TAKEN
    assert door.why_not_watch(ADA.identity, "x", watch("Ada"), [], 0.0) is None
    room = MAX_SPECTATORS - 2
    assert door.why_not_watch(EVE, "x", watch("eve"), [*crowd(room - 1), ADA], 0.0) is None
    full = crowd(room)
    assert door.why_not_watch(EVE, "x", watch("eve"), full, 0.0) is LobbyRefusal.NO_SPECTATORS
    assert door.why_not_watch(BEA.identity, "x", watch("Bea"), full, 0.0) is None
    again = full[0]
    assert door.why_not_watch(again.identity, "x", watch(again.name), full, 0.0) is None


def test_a_key_stays_away_and_an_address_for_a_while() -> None:
    door = Doorkeeper(Arrangements())
    door.reserve((ADA,))
    door.send_away(EVE, "10.0.0.1", 100.0)
    for now in (100.0, 100.0 + 10 * SENT_AWAY_SECONDS):
        for asked in (watch("eve"), join("eve")):
            assert door.turns_away(EVE, "10.0.0.2", asked, [], now) is LobbyRefusal.KICKED
    other, late = b"o" * 32, 100.0 + SENT_AWAY_SECONDS
    assert door.turns_away(other, "10.0.0.1", watch("eve"), [], late - 1) is LobbyRefusal.KICKED
    assert door.turns_away(other, "10.0.0.1", watch("eve"), [], late) is None
    assert door.turns_away(other, "10.0.0.1", join("eve"), [], 100.0) is None, "it may sit"
    assert door.turns_away(ADA.identity, "10.0.0.1", watch("Ada"), [], 100.0) is None


def test_sending_many_away_takes_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doorkeeper_module, "SENT_AWAY", 3)
    door = Doorkeeper(Arrangements())
    for number in range(9):
        door.send_away(bytes([number]) * 32, f"10.0.0.{number}", float(number))
    assert len(door._sent_away) == len(door._sent_away_from) == 3


def test_nobody_watches_where_nobody_may() -> None:
    door = Doorkeeper(Arrangements(spectators=False))
    asked = watch("eve")
    assert door.why_not_watch(EVE, "x", asked, [], 0.0) is LobbyRefusal.NO_SPECTATORS
    door.allow_spectators(True)
    assert door.why_not_watch(EVE, "x", asked, [], 0.0) is None


def test_one_computer_with_many_addresses_guesses_no_pin() -> None:
    """It makes up 20 keys and addresses of its /64 a second, for a minute."""
    door = Doorkeeper(Arrangements(pin="1199"))
    known, newcomer = b"k" * 32, b"n" * 32
    right = Watch(VERSION, "ada", "1199")
    assert door.why_not_watch(known, "fe80::1%2", right, [], 0.0) is None
    tried = 0
    for number in range(1200):
        for _ in range(PIN_TRIES):
            tried += not door.locked(EVE, f"fe80::bad:{number:x}%2", f"{tried:04}", number / 20)
    assert tried == PIN_TRIES_TOGETHER
    # It is the living room of others too: who gave the right PIN before is not kept out, nor is
    # anybody in another network; a newcomer in this one has to wait.
    assert door.why_not_watch(known, "fe80::1%2", right, [], 60.0) is None
    assert door.why_not_watch(newcomer, "10.0.0.1", right, [], 60.0) is None
    assert door.why_not_watch(b"o" * 32, "fe80::3%2", right, [], 3.0) is LobbyRefusal.WRONG_PIN
    assert door.why_not_watch(b"o" * 32, "fe80::3%2", right, [], 60.0 + PIN_LOCK_SECONDS) is None
