"""A table opened on this computer: ends, failures and limits, over real sockets."""

from __future__ import annotations

import asyncio
import dataclasses
import os
from collections.abc import Awaitable, Callable

import pytest
from msgspec.structs import replace

from lanuno.log.faults import AuditVerdict
from lanuno.log.format.genesis import VERSION, sign_roster
from lanuno.net.discovery.advert import TableAdvert, TableState
from lanuno.net.discovery.announcer import Announcer
from lanuno.net.discovery.network_context import NetworkContext
from lanuno.net.errors import Goodbye
from lanuno.net.runtime import admission
from lanuno.net.runtime.config import OwnSeat
from lanuno.net.runtime.endings import TableEnding
from lanuno.net.runtime.prove_pin import prove_pin
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.listener import Listener
from lanuno.rules.presets import TOURNAMENT
from lanuno.table import messages, outputs
from lanuno.table.lobby import host as lobby
from lanuno.table.lobby.pin_proof import GuestPinProof, HostPin
from lanuno.table.lobby.readiness import RulesRefusal, room_roster
from lanuno.table.messages import LobbyRefusal, from_host
from tests.harness.sockets.running import run, until
from tests.harness.sockets.tables import (
    LOBBY,
    SHORT,
    DiskFull,
    Memory,
    Table,
    failing,
    hear,
    identity,
    player,
    say,
    table,
    until_end,
)
from tests.net.loopback_network import Here, Network, Slow


def join(name: str = "guest", key: bytes = bytes(32)) -> messages.Join:
    return messages.Join(VERSION, name, bytes(32), key, False, False)


class Alone(NetworkContext, frozen=True):
    """A network on which announcements reach nobody."""

    async def announce(self, advert: TableAdvert) -> Announcer:
        return Announcer(advert, None, None)


def test_a_whole_game_leaves_nothing_behind() -> None:
    async def story() -> None:
        async with table(4, bots=1) as at:
            assert await at.play(1, 2) == [TableEnding.CLOSED, TableEnding.CLOSED]
            assert at.host_records.report.verdict is AuditVerdict.VERIFIED
            for records in at.records:
                assert records.report.verdict is AuditVerdict.VERIFIED
                assert records.closed == 1
            assert at.host.ending is TableEnding.CLOSED
            assert any(isinstance(event, outputs.TableBegan) for event in at.events)
        assert at.host_records.closed

    run(story())


# Failures


@pytest.mark.parametrize("number", [0, 7, 21])
def test_an_entry_that_the_host_cannot_store_is_sent_to_nobody(number: int) -> None:
    async def story() -> None:
        records = Memory(failing("entry", number))
        async with table(2, host_records=records) as at:
            peer = asyncio.create_task((await at.peer(1)).run())
            with pytest.raises(DiskFull):
                await at.host.wait()
            await at.host.close()
            assert await peer is TableEnding.LOST
            assert len(at.host_records.entries) == number
            assert len(at.records[0].entries) <= number
            assert at.records[0].report.blame == ()

    run(story())


@pytest.mark.parametrize("kind", ["secret", "body"])
def test_a_table_ends_if_the_hosts_seat_cannot_store_its_secrets(kind: str) -> None:
    async def story() -> None:
        async with table(2, host_records=Memory(failing(kind, 2))) as at:
            peer = asyncio.create_task((await at.peer(1)).run())
            with pytest.raises(DiskFull, match=kind):
                await at.host.wait()
            await at.host.close()
            assert await peer is TableEnding.LOST

    run(story())


class Mistake(Exception):
    """A simulated bug."""


def test_an_error_of_the_observer_is_raised() -> None:
    def observe(event: object) -> None:
        if isinstance(event, outputs.TableBegan):
            raise Mistake

    async def story() -> None:
        async with table(2, observe=observe) as at:
            peer = asyncio.create_task((await at.peer(1)).run())
            with pytest.raises(Mistake):
                await at.host.wait()
            await at.host.close()
            assert await peer is TableEnding.LOST

    run(story())


# Ends


def test_a_host_with_an_invalid_name_has_no_table() -> None:
    async def story() -> None:
        async with table(2, name="\u202eevil") as at:
            await at.host.wait()
            assert at.host.refusal is LobbyRefusal.BAD_NAME
            assert at.host_records.genesis is None

    run(story())


def test_a_host_that_stops_in_the_lobby_tells_its_guests() -> None:
    async def story() -> None:
        async with table(3) as at:
            peer = await at.peer(1)
            running = asyncio.create_task(peer.run())
            await until(lambda: at.host.lobby.taken == 2)
            at.host.stop()
            await at.host.wait()
            await at.host.close()
            assert await running is TableEnding.TURNED_AWAY
            assert peer.refusal is LobbyRefusal.HOST_LEFT
            assert at.host.refusal is LobbyRefusal.HOST_LEFT

    run(story())


def test_the_listener_is_closed_even_if_the_announcement_cannot_be_withdrawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closed: list[Listener] = []

    async def close(server: Listener) -> None:
        await asyncio.sleep(0.05)
        await really_close(server)
        closed.append(server)

    async def fail() -> None:
        raise OSError("no network")

    really_close = Listener.close
    monkeypatch.setattr(Listener, "close", close)

    async def story() -> None:
        async with table(2, network=Alone()) as at:
            await at.host.announce(Alone())
            announcer, server = at.host.advert, at.host.listener
            assert announcer is not None
            with monkeypatch.context() as broken:
                broken.setattr(announcer, "withdraw", fail)
                with pytest.raises(OSError, match="no network"):
                    await at.host.close()
            assert closed == [server]

    run(story())


def test_a_cancelled_host_neither_waits_for_a_guest_nor_drops_it() -> None:
    async def story() -> None:
        async with table(2) as at:
            peer = asyncio.create_task((await at.peer(1)).run())
            await until(lambda: len(at.host_records.entries) > 3)
            waiting = asyncio.create_task(at.host.wait())
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            await at.host.close()
            assert await peer is TableEnding.LOST
        assert at.host_records.closed
        assert at.host.runtime is not None
        assert at.host.runtime.node.replay.dropped == {}, "it has cut them off itself"

    run(story())


# Limits


async def is_refused(at: Table, number: int, pin: str) -> bool:
    """Prove a PIN and watch. Return whether the host refused."""
    async with await at.channel(number) as channel:
        why = await prove_pin(channel, identity(number).public, pin)
        assert why in (None, LobbyRefusal.WRONG_PIN)
        await say(channel, messages.Watch(VERSION, f"w{number}"))
        answer = from_host(await channel.receive())
        assert (why is None) is isinstance(answer, messages.LobbyState)
        return isinstance(answer, messages.Refused)


def test_five_wrong_pins_lock_an_address() -> None:
    async def story() -> None:
        async with table(2, pin="q7") as at:
            for number in range(1, 7):
                # The sixth attempt is refused even with the right PIN.
                assert await is_refused(at, number, "q7" if number == 6 else "q8")
            assert at.host.lobby.taken == 1

    run(story())


def test_a_guest_with_the_right_pin_is_not_locked_out_by_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(admission, "PIN_GUESTS", 1)

    async def story() -> None:
        async with table(2, pin="q7") as at:
            assert not await is_refused(at, 1, "q7")
            assert not await is_refused(at, 2, "q7")
            for _ in range(admission.PIN_TRIES):
                assert await is_refused(at, 50, "q8")
            assert not await is_refused(at, 2, "q7")
            assert await is_refused(at, 50, "q7")
            # Only `PIN_GUESTS` identities are remembered, so the first one was forgotten.
            assert await is_refused(at, 1, "q7")
            # A wrong PIN ends the exemption.
            assert await is_refused(at, 2, "q8")
            assert await is_refused(at, 2, "q7")

    run(story())


def test_wrong_pins_are_not_remembered_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        monkeypatch.setattr(admission, "PIN_LOCK_SECONDS", 0.0)
        async with table(2, pin="q7") as at:
            for number in range(1, 8):
                assert await is_refused(at, number, "q7" if number == 7 else "q8") is (number < 7)

    run(story())


def test_wrong_pins_of_many_addresses_take_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        monkeypatch.setattr(admission, "PIN_ADDRESSES", 3)
        async with table(2, pin="q7") as at:
            at.host.admission._wrong_pins = {f"10.0.0.{number}": (1, 0.0) for number in range(3)}
            assert await is_refused(at, 1, "q8")
            assert list(at.host.admission._wrong_pins) == ["10.0.0.1", "10.0.0.2", "127.0.0.1"]

    run(story())


def test_nobody_sits_or_watches_without_a_proof_of_the_pin() -> None:
    """Not even with the key of a bot's owner, nor as a bot."""

    async def story() -> None:
        async with table(3, pin="q7", bots=1) as at:
            owner, me = identity(0).public, identity(4).public
            asked: list[messages.AtTable] = [
                join(key=me),
                messages.Join(VERSION, "bot", bytes(32), owner, True, False),
                messages.Watch(VERSION, "eve"),
            ]
            for each in asked:
                async with await at.channel(4) as channel:
                    await say(channel, each)
                    refused = await hear(channel, messages.Refused)
                    assert refused == messages.Refused(LobbyRefusal.WRONG_PIN)
            assert at.host.lobby.taken == 2
            async with await at.channel(5) as channel:
                assert await prove_pin(channel, identity(5).public, "q7") is None
                await say(channel, join(key=identity(5).public))
                await hear(channel, messages.LobbyState)

    run(story())


def test_a_seated_guest_is_asked_for_no_other_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """A friend brings many keys, so that the host forgets who has proved the PIN."""
    monkeypatch.setattr(admission, "PIN_GUESTS", 1)

    async def story() -> None:
        async with table(3, pin="q7") as at, await at.channel(1) as seated:
            assert await prove_pin(seated, identity(1).public, "q7") is None
            await say(seated, join(key=identity(1).public))
            await hear(seated, messages.LobbyState)
            assert not await is_refused(at, 2, "q7")
            # As after a start that was broken off.
            await say(seated, join(key=identity(1).public))
            await say(seated, messages.Say("still here"))
            said = [from_host(await seated.receive())]
            while not isinstance(said[-1], messages.Said):
                said.append(from_host(await seated.receive()))
            assert not any(isinstance(each, messages.Refused) for each in said)

    run(story())


def test_a_proof_that_is_given_up_counts_as_a_wrong_pin() -> None:
    async def story() -> None:
        async with table(2, pin="q7") as at:
            for number in range(1, admission.PIN_TRIES + 1):
                async with await at.channel(number) as channel:
                    await say(channel, messages.BeginPinProof(guest_proof(number).element))
                    await hear(channel, messages.PinProofAnswer)
                await until(lambda: not at.host._guests)
            assert await is_refused(at, 9, "q7")

    run(story())


def test_many_at_one_address_prove_the_pin_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are not counted as wrong before they confirm, but there is a limit of them."""
    monkeypatch.setattr(admission, "PIN_PROOFS_AT_ONCE", 8)

    async def story() -> None:
        async with table(2, pin="q7") as at:
            channels = [await at.channel(number) for number in range(1, 10)]
            proofs = [guest_proof(number) for number in range(1, 10)]
            for channel, proof in zip(channels, proofs, strict=True):
                await say(channel, messages.BeginPinProof(proof.element))
            answers = [from_host(await channel.receive()) for channel in channels]
            # Systems report simultaneous arrivals in different orders.
            refused = answers.index(messages.Refused(LobbyRefusal.WRONG_PIN))
            for place, (channel, proof, answer) in enumerate(
                zip(channels, proofs, answers, strict=True)
            ):
                if place == refused:
                    continue
                assert isinstance(answer, messages.PinProofAnswer)
                confirmation = proof.confirm(answer.element)
                assert confirmation is not None
                await say(channel, messages.ConfirmPin(confirmation))
                confirmed = await hear(channel, messages.PinConfirmed)
                assert isinstance(confirmed, messages.PinConfirmed)
                assert proof.is_confirmed_by(confirmed.confirmation)
                # A proof tests one confirmation.
                await say(channel, messages.ConfirmPin(confirmation))
                await hear(channel, messages.Refused)
            for channel in channels:
                await channel.close()

    run(story())


def test_wrong_pins_count_while_other_proofs_are_under_way() -> None:
    """An attacker begins many proofs, and confirms them only when all have begun."""

    async def story() -> None:
        async with table(2, pin="q7") as at:
            channels = [await at.channel(number) for number in range(1, 8)]
            confirmations = []
            for number, channel in enumerate(channels, 1):
                proof = guest_proof(number, "q7" if number == 7 else "q8")
                await say(channel, messages.BeginPinProof(proof.element))
                answer = await hear(channel, messages.PinProofAnswer)
                assert isinstance(answer, messages.PinProofAnswer)
                confirmations.append(proof.confirm(answer.element) or b"")
            for channel, confirmation in zip(channels, confirmations, strict=True):
                await say(channel, messages.ConfirmPin(confirmation))
                await hear(channel, messages.Refused)
            for channel in channels:
                await channel.close()

    run(story())


def test_a_locked_address_costs_the_host_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with table(2, pin="q7") as at:
            for number in range(1, 6):
                assert await is_refused(at, number, "q8")
            monkeypatch.setattr(HostPin, "answer", None)
            assert await is_refused(at, 6, "q7")

    run(story())


def guest_proof(number: int, pin: str = "q7") -> GuestPinProof:
    mine, host = identity(number).public, identity(0).public
    return GuestPinProof(pin, guest=mine, host=host, table=LOBBY, entropy=os.urandom)


def test_a_flood_ends_the_connection() -> None:
    async def story() -> None:
        async with table(3) as at:
            channel = await at.channel(1)
            # Far more than the bucket regains meanwhile on a slow machine.
            for _ in range(channel.limits.burst + 500):
                await say(channel, messages.Say("hello"))
            await until_end(channel)
            assert channel.end is Goodbye.FLOOD
            await channel.close()

    run(story())


def test_catching_up_does_not_count_as_a_flood() -> None:
    async def story() -> None:
        async with table(3) as at:
            channel = await at.channel(1)
            for _ in range(3 * channel.limits.burst):
                await say(channel, messages.Fetch(0))
            await say(channel, join())
            await hear(channel, messages.Refused)
            assert channel.open
            await channel.close()

    run(story())


@pytest.mark.parametrize("data", [b"\xc1", b"\x90", b"not a message", b"\x91\x63"])
def test_an_unreadable_message_ends_the_connection(data: bytes) -> None:
    async def story() -> None:
        async with table(3) as at:
            channel = await at.channel(1)
            channel.send(data)
            await until_end(channel)
            assert channel.end is Goodbye.PROTOCOL
            await channel.close()

    run(story())


# Starts that are broken off


async def _nonce(channel: Channel) -> None:
    await say(channel, messages.RevealNonce(bytes(32)))


async def _goodbye(channel: Channel) -> None:
    await channel.close()


async def _silence(channel: Channel) -> None:
    await hear(channel, messages.Refused)


async def _break_off(
    at: Table, number: int, answer: Callable[[Channel], Awaitable[None]]
) -> LobbyRefusal | None:
    """Sit down as a stranger, be ready, and answer the start wrongly. Return a refusal to sit."""
    channel = await at.channel(number)
    me = identity(number)
    try:
        await say(channel, messages.Join(VERSION, "mallory", b"n" * 32, me.public, False, False))
        async for data in channel:
            message = from_host(data)
            match message:
                case messages.Refused():
                    return message.why
                case messages.LobbyState() if not any(
                    each.ready for each in message.seats if each.identity == me.public
                ):
                    signed = sign_roster(room_roster(message, channel.identity, None), me)
                    await say(channel, messages.Ready(signed, message.revision))
                case messages.NoncesWanted():
                    await answer(channel)
                    return None
                case _:
                    pass
        raise AssertionError(channel.end)
    finally:
        await channel.close()


@pytest.mark.parametrize("answer", [_nonce, _goodbye, _silence])
def test_a_stranger_that_breaks_off_the_start_costs_only_itself(
    answer: Callable[[Channel], Awaitable[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attack: sit down, sign, and do not do the last step, with a new key each time."""
    monkeypatch.setattr(lobby, "START_STEP_SECONDS", 0.3)

    async def story() -> None:
        async with table(3) as at:
            guest = await at.peer(1)
            [running] = await at.sit_down(guest)
            assert await _break_off(at, 66, answer) is None
            await until(lambda: at.host.lobby.taken == 2)
            for number in range(67, 67 + 40):
                assert await _break_off(at, number, answer) is LobbyRefusal.BROKE_START
            assert not running.done()
            assert at.host.ending is None
            monkeypatch.setattr(admission, "BROKEN_START_SECONDS", 0.0)
            [other] = await at.sit_down(await at.peer(2))
            await at.host.wait()
            await at.host.close()
            assert [await running, await other] == [TableEnding.CLOSED] * 2

    run(story())


# Seats and rules


def bot(number: int) -> OwnSeat:
    return OwnSeat(identity(200 + number), f"bot {number}", player(number), bot=True)


def test_bots_are_seated_while_there_is_room() -> None:
    async def story() -> None:
        async with table(4) as at:
            assert [at.host.seat_bot(bot(number)) for number in (1, 2)] == [True, True]
            seats = [(each.name, each.bot, each.ready) for each in at.host.lobby.state().seats]
            assert seats == [("host", False, True), ("bot 1", True, True), ("bot 2", True, True)]
            assert at.host.send_away(bot(1).identity.public)
            assert [each.name for each in at.host.lobby.state().seats] == ["host", "bot 2"]
            assert at.host.change_rules(SHORT, 3) is None
            await until(lambda: all(each.ready for each in at.host.lobby.state().seats))
            # Programs are ready for any room, so a full table would begin.
            offer = at.host.lobby.offer
            at.host.lobby.offer = dataclasses.replace(offer, start_when_full=False)
            assert at.host.seat_bot(bot(3))
            assert not at.host.seat_bot(bot(4)), "full"
            tournament = dataclasses.replace(offer, capacity=8, ruleset=TOURNAMENT)
            at.host.lobby.offer = tournament
            assert not at.host.seat_bot(bot(4)), "eight people play a tournament"
            assert bot(4).identity.public not in at.host.lobby.offer.bots
            assert at.host.runtime is None
            assert at.host.lobby.taken == 3

    run(story())


def test_a_guest_whose_seat_is_freed_is_told_why() -> None:
    async def story() -> None:
        async with table(3) as at:
            guest = await at.peer(1)
            [running] = await at.sit_down(guest)
            assert not at.host.send_away(identity(0).public), "the host itself"
            assert at.host.send_away(identity(1).public)
            assert await running is TableEnding.TURNED_AWAY
            assert guest.refusal is LobbyRefusal.KICKED
            assert at.host.lobby.taken == 1

    run(story())


def test_sending_away_is_about_the_person_and_lasts() -> None:
    """Seats may have changed since the host pressed the button."""

    async def story() -> None:
        async with table(3) as at:
            ana, eve = identity(1).public, identity(2).public
            spare = await at.channel(2)
            async with await at.channel(1) as channel, await at.channel(2) as other:
                await say(other, join("eve", key=eve))
                await hear(other, messages.LobbyState)
                await say(channel, join("ana", key=ana))
                await hear(channel, messages.LobbyState)
                at.host.move_up(ana)
                assert [each.name for each in at.host.lobby.state().seats] == ["host", "ana", "eve"]
                assert at.host.send_away(eve)
                await until_end(other)
                assert channel.open
            async with spare:  # which she opened before
                await say(spare, join("mallory", key=eve))
                assert await hear(spare, messages.Refused) == messages.Refused(LobbyRefusal.KICKED)
            await until(lambda: at.host.lobby.taken == 1)
            # Sent away while not even here, as if she had just left.
            assert at.host.send_away(ana)
            for number, key in ((1, ana), (2, eve)):
                for request in (join("again", key=key), messages.Watch(VERSION, "again")):
                    async with await at.channel(number) as channel:
                        await say(channel, request)
                        refused = messages.Refused(LobbyRefusal.KICKED)
                        assert await hear(channel, messages.Refused) == refused
            at.host.let_in(eve)
            async with await at.channel(2) as channel:
                await say(channel, join("eve", key=eve))
                await hear(channel, messages.LobbyState)
            assert ana in at.host.admission._banned

    run(story())


def test_impossible_rules_change_nothing() -> None:
    async def story() -> None:
        async with table(3) as at:
            [running] = await at.sit_down(await at.peer(1))
            before = at.host.lobby.offer
            assert at.host.change_rules(SHORT, 1) is not None
            assert at.host.lobby.offer == before
            assert at.host.change_rules(replace(SHORT, hand_size=3), 3) is None
            assert at.host.lobby.offer.ruleset.hand_size == 3
            await at.host.close()
            await running

    run(story())


def test_once_the_log_begins_the_lobby_cannot_be_changed() -> None:
    async def story() -> None:
        async with table(2) as at:
            [running] = await at.sit_down(await at.peer(1))
            await until(lambda: at.host.runtime is not None)
            seats = at.host.lobby.state().seats
            assert not at.host.seat_bot(bot(1))
            assert not at.host.send_away(identity(1).public)
            assert at.host.change_rules(SHORT, 3) is RulesRefusal.STARTED
            at.host.move_up(identity(1).public)
            assert at.host.lobby.state().seats == seats
            await at.host.wait()
            await at.host.close()
            assert await running is TableEnding.CLOSED

    run(story())


# What others see


def test_the_advert_follows_the_table_from_the_lobby_to_the_end() -> None:
    network = Network()
    around = Here(network=network)

    def announced() -> list[tuple[TableState, int, int]]:
        tables = [note.table for note in network.board]
        return [(each.state, each.taken, each.seats) for each in tables]

    async def story() -> None:
        async with table(3, bots=1, network=around) as at:
            first = await at.host.announce(around)
            assert (first.name, first.host, first.port) == ("table", "host", at.port)
            assert announced() == [(TableState.OPEN, 2, 3)]
            assert at.host.change_rules(SHORT, 4) is None
            assert announced() == [(TableState.OPEN, 2, 4)]
            running = await at.sit_down(await at.peer(1))
            assert announced() == [(TableState.OPEN, 3, 4)]
            running.append(asyncio.create_task((await at.peer(2)).run()))
            await until(lambda: announced() == [(TableState.PLAYING, 4, 4)])
            await at.host.wait()
            assert announced() == [(TableState.OVER, 4, 4)]
            await at.host.close()
            assert announced() == []
            await asyncio.gather(*running)

    run(story())


def test_a_match_that_ends_before_it_was_announced_is_announced_as_over() -> None:
    """Players of a tournament's other table look for it then."""
    slow = Slow()

    async def story() -> None:
        async with table(2) as at:
            announcing = asyncio.create_task(at.host.announce(slow))
            running = await at.sit_down(await at.peer(1))
            await at.host.wait()
            slow.go_on.set()
            await announcing

            def announced() -> list[TableState]:
                return [each.table.state for each in slow.said if not each.withdrawn]

            await until(lambda: announced() == [TableState.OVER])
            await at.host.close()
            assert announced() == []
            await asyncio.gather(*running)

    run(story())


def test_players_can_be_dismissed_while_spectators_stay() -> None:
    async def story() -> None:
        async with table(3) as at:
            spectator = await at.channel(9)
            await say(spectator, messages.Watch(VERSION, "watcher"))
            await hear(spectator, messages.LobbyState)
            guest = await at.peer(1)
            [running] = await at.sit_down(guest)
            at.host.dismiss_players()
            assert await running is TableEnding.LOST
            await until(lambda: at.host.lobby.taken == 1)
            assert spectator.open
            spectator.abort()
            await spectator.close()

    run(story())
