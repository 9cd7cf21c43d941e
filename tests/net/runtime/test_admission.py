"""Admission to a table, without sockets."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, cast

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
from lanuno.net.transport.channel import Channel
from lanuno.table.lobby.pin_proof import GuestPinProof
from lanuno.table.messages import (
    MAX_SPECTATORS,
    BeginPinProof,
    ConfirmPin,
    Join,
    LobbyRefusal,
    PinConfirmed,
    PinProofAnswer,
    Watch,
)
from lanuno.table.metadata import TableMetadata
from lanuno.table.outputs import Spectator

ADA, BEA = Spectator("Ada", b"a" * 32), Spectator("Bea", b"b" * 32)
EVE = b"e" * 32


HOST = b"h" * 32


@dataclass(frozen=True)
class FakeChannel:
    """What admission knows of a connection."""

    identity: bytes
    context: bytes
    address: str


def admitting(**metadata: Any) -> Admission:
    return Admission(TableMetadata(**metadata), HOST, os.urandom)


def watch(name: str) -> Watch:
    return Watch(VERSION, name)


def join(name: str) -> Join:
    return Join(VERSION, name, bytes(32), EVE, False, False)


def crowd(size: int) -> list[Spectator]:
    return [Spectator(f"eve {number}", number.to_bytes(32, "big")) for number in range(size)]


def test_names_and_places_of_awaited_spectators_are_reserved() -> None:
    admission = admitting()
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
    admission = admitting()
    admission.let_wait(EVE, "2001:db8::1", 100.0)
    late = 100.0 + BROKEN_START_SECONDS
    for key, address in ((EVE, "10.0.0.9"), (BEA.identity, "2001:db8::2")):
        refusal = admission.refusal(key, address, join("eve"), [], late - 0.1)
        assert refusal is LobbyRefusal.BROKE_START
        assert admission.refusal(key, address, watch("eve"), [], late - 0.1) is None
        assert admission.refusal(key, address, join("eve"), [], late) is None
    assert admission.refusal(BEA.identity, "10.0.0.9", join("Bea"), [], 100.0) is None


def test_a_key_is_banned_for_good_and_an_address_for_a_while() -> None:
    admission = admitting()
    admission.reserve((ADA,))
    admission.ban(EVE, ["10.0.0.1"], 100.0)
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


def test_letting_in_lifts_what_was_banned_for_that_person_and_nothing_else() -> None:
    admission, mallory = admitting(), b"m" * 32
    admission.ban(EVE, ["fe80::1", "10.0.0.1"], 0.0)
    admission.ban(mallory, ["10.0.0.1"], 0.0)
    admission.let_in(EVE)
    assert admission.refusal(EVE, "fe80::1", watch("eve"), [], 1.0) is None
    assert admission.refusal(EVE, "10.0.0.1", watch("eve"), [], 1.0) is LobbyRefusal.KICKED
    assert admission.refusal(mallory, "10.0.0.3", join("m"), [], 1.0) is LobbyRefusal.KICKED
    admission.let_in(mallory)
    assert admission.refusal(EVE, "10.0.0.1", watch("eve"), [], 1.0) is None


def test_the_number_of_bans_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission_module, "MOST_BANNED", 3)
    admission = admitting()
    for number in range(9):
        admission.ban(bytes([number]) * 32, [f"10.0.0.{number}"], float(number))
    assert len(admission._banned) == len(admission._banned_addresses) == 3


def test_no_spectator_is_admitted_where_none_is_allowed() -> None:
    admission = admitting(spectators=False)
    asked = watch("eve")
    assert admission.spectator_refusal(EVE, "x", asked, [], 0.0) is LobbyRefusal.NO_SPECTATORS
    admission.allow_spectators(True)
    assert admission.spectator_refusal(EVE, "x", asked, [], 0.0) is None


def test_many_addresses_of_one_computer_share_the_limit_of_pin_guesses() -> None:
    """An attacker tries 20 new keys and addresses of its /64 per second, for a minute."""
    admission = admitting(pin="1199")

    def proves(address: str, now: float, key: bytes = EVE, pin: str = "1199") -> bool | None:
        """Return whether the PIN was accepted; None if it was not even tried."""
        guest = FakeChannel(key, bytes(16), address)
        proof = GuestPinProof(pin, guest=key, host=HOST, table=bytes(16), entropy=os.urandom)
        there = cast("Channel", guest)
        answer = admission.prove(there, BeginPinProof(proof.element), now)
        if not isinstance(answer, PinProofAnswer):
            return None
        said = admission.prove(there, ConfirmPin(proof.confirm(answer.element) or b""), now)
        return isinstance(said, PinConfirmed)

    known, newcomer = b"k" * 32, b"n" * 32
    assert proves("fe80::1%2", 0.0, known)
    tried = 0
    for number in range(1200):
        for _ in range(PIN_TRIES):
            made = proves(f"fe80::bad:{number:x}%2", number / 20, pin=f"w{tried:04}")
            tried += made is False
            if made is None:
                break
    assert tried == PIN_TRIES_TOGETHER
    # Other people share the /64. The lock does not affect an identity that has proved the PIN
    # before, nor anybody in another network. A newcomer in the same /64 has to wait.
    assert proves("fe80::1%2", 60.0, known)
    assert proves("10.0.0.1", 60.0, newcomer)
    assert proves("fe80::3%2", 3.0, b"o" * 32) is None
    assert proves("fe80::3%2", 60.0 + PIN_LOCK_SECONDS, b"o" * 32)
