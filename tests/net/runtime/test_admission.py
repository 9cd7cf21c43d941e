"""Admission to a table, without sockets."""

from __future__ import annotations

import pytest

from lanuno.log.format.genesis import VERSION
from lanuno.net.runtime import admission as admission_module
from lanuno.net.runtime.admission import (
    BAN_SECONDS,
    BROKEN_START_SECONDS,
    PIN_LOCK_SECONDS,
    PIN_TRIES,
    PIN_TRIES_TOGETHER,
    Admission,
)
from lanuno.table.lobby.host import MAX_SPECTATORS
from lanuno.table.messages import Join, LobbyRefusal, Watch
from lanuno.table.metadata import TableMetadata
from lanuno.table.outputs import Spectator

ADA, BEA = Spectator("Ada", b"a" * 32), Spectator("Bea", b"b" * 32)
EVE = b"e" * 32


def watch(name: str) -> Watch:
    return Watch(VERSION, name)


def join(name: str) -> Join:
    return Join(VERSION, name, bytes(32), EVE, False, False)


def crowd(size: int) -> list[Spectator]:
    return [Spectator(f"eve {number}", number.to_bytes(32, "big")) for number in range(size)]


def test_names_and_places_of_awaited_spectators_are_reserved() -> None:
    admission = Admission(TableMetadata())
    admission.reserve((ADA, BEA))
    for name in ("Ada", "ADA", "\u0410da"):
        asked = watch(name)
        assert admission.spectator_refusal(EVE, "x", asked, [], 0.0) is LobbyRefusal.NAME_TAKEN
    assert admission.spectator_refusal(ADA.identity, "x", watch("Ada"), [], 0.0) is None
    room = MAX_SPECTATORS - 2
    assert admission.spectator_refusal(EVE, "x", watch("eve"), [*crowd(room - 1), ADA], 0.0) is None
    full = crowd(room)
    assert (
        admission.spectator_refusal(EVE, "x", watch("eve"), full, 0.0) is LobbyRefusal.NO_SPECTATORS
    )
    assert admission.spectator_refusal(BEA.identity, "x", watch("Bea"), full, 0.0) is None
    again = full[0]
    assert admission.spectator_refusal(again.identity, "x", watch(again.name), full, 0.0) is None


def test_who_breaks_off_a_start_waits_for_a_seat_and_so_does_the_address() -> None:
    admission = Admission(TableMetadata())
    admission.let_wait(EVE, "2001:db8::1", 100.0)
    late = 100.0 + BROKEN_START_SECONDS
    for key, address in ((EVE, "10.0.0.9"), (BEA.identity, "2001:db8::2")):
        refusal = admission.refusal(key, address, join("eve"), [], late - 0.1)
        assert refusal is LobbyRefusal.BROKE_START
        assert admission.refusal(key, address, watch("eve"), [], late - 0.1) is None
        assert admission.refusal(key, address, join("eve"), [], late) is None
    assert admission.refusal(BEA.identity, "10.0.0.9", join("Bea"), [], 100.0) is None


def test_a_key_is_banned_for_good_and_an_address_for_a_while() -> None:
    admission = Admission(TableMetadata())
    admission.reserve((ADA,))
    admission.ban(EVE, "10.0.0.1", 100.0)
    for now in (100.0, 100.0 + 10 * BAN_SECONDS):
        for asked in (watch("eve"), join("eve")):
            assert admission.refusal(EVE, "10.0.0.2", asked, [], now) is LobbyRefusal.KICKED
    other, late = b"o" * 32, 100.0 + BAN_SECONDS
    assert admission.refusal(other, "10.0.0.1", watch("eve"), [], late - 1) is LobbyRefusal.KICKED
    assert admission.refusal(other, "10.0.0.1", watch("eve"), [], late) is None
    assert admission.refusal(other, "10.0.0.1", join("eve"), [], 100.0) is None, (
        "it may take a seat"
    )
    assert admission.refusal(ADA.identity, "10.0.0.1", watch("Ada"), [], 100.0) is None


def test_the_number_of_bans_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission_module, "MOST_BANNED", 3)
    admission = Admission(TableMetadata())
    for number in range(9):
        admission.ban(bytes([number]) * 32, f"10.0.0.{number}", float(number))
    assert len(admission._banned) == len(admission._banned_addresses) == 3


def test_no_spectator_is_admitted_where_none_is_allowed() -> None:
    admission = Admission(TableMetadata(spectators=False))
    asked = watch("eve")
    assert admission.spectator_refusal(EVE, "x", asked, [], 0.0) is LobbyRefusal.NO_SPECTATORS
    admission.allow_spectators(True)
    assert admission.spectator_refusal(EVE, "x", asked, [], 0.0) is None


def test_many_addresses_of_one_computer_share_the_limit_of_pin_guesses() -> None:
    """An attacker tries 20 new keys and addresses of its /64 per second, for a minute."""
    admission = Admission(TableMetadata(pin="1199"))
    known, newcomer = b"k" * 32, b"n" * 32
    right = Watch(VERSION, "ada", "1199")
    assert admission.spectator_refusal(known, "fe80::1%2", right, [], 0.0) is None
    tried = 0
    for number in range(1200):
        for _ in range(PIN_TRIES):
            tried += not admission.is_locked_out(
                EVE, f"fe80::bad:{number:x}%2", f"{tried:04}", number / 20
            )
    assert tried == PIN_TRIES_TOGETHER
    # Other people share the /64. The lock does not affect an identity that entered the right PIN
    # before, nor anybody in another network. A newcomer in the same /64 has to wait.
    assert admission.spectator_refusal(known, "fe80::1%2", right, [], 60.0) is None
    assert admission.spectator_refusal(newcomer, "10.0.0.1", right, [], 60.0) is None
    assert (
        admission.spectator_refusal(b"o" * 32, "fe80::3%2", right, [], 3.0)
        is LobbyRefusal.WRONG_PIN
    )
    assert (
        admission.spectator_refusal(b"o" * 32, "fe80::3%2", right, [], 60.0 + PIN_LOCK_SECONDS)
        is None
    )
