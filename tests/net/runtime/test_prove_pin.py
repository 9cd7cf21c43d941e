"""Proving a PIN over real connections: to a trap, through a relay, and with a wrong word."""

from __future__ import annotations

import asyncio
import os

import pytest

from lanuno.log.format.genesis import VERSION
from lanuno.net.errors import NetError, NetFault
from lanuno.net.runtime import prove_pin as proving
from lanuno.net.runtime.prove_pin import prove_pin
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.connect import connect
from lanuno.net.transport.listener import Serve, listen
from lanuno.table import messages
from lanuno.table.lobby.pin_proof import HostPin, HostPinProof
from lanuno.table.messages import AtTable, LobbyRefusal, from_host, from_peer, to_bytes
from tests.harness.sockets.running import run, until
from tests.harness.sockets.tables import LOBBY, hear, identity, say, table

TRAP = identity(66)
GUEST = identity(1)


async def visit(serve: Serve, pin: str = "mango") -> LobbyRefusal | None:
    """Prove the PIN to a host that serves in this way."""
    server = await listen(TRAP, LOBBY, serve, hosts=("127.0.0.1",), port=0)
    async with server, await connect(["127.0.0.1"], server.port, GUEST) as channel:
        return await prove_pin(channel, GUEST.public, pin)


def test_the_right_word_opens_the_table_and_a_wrong_one_does_not() -> None:
    async def story() -> None:
        async with table(2, pin="mango") as at:
            for pin, why in (("mangos", LobbyRefusal.WRONG_PIN), ("mango", None)):
                async with await at.channel(1) as channel:
                    assert await prove_pin(channel, GUEST.public, pin) is why

    run(story())


def test_a_table_without_a_pin_says_so_and_is_told_nothing() -> None:
    async def story() -> None:
        async with table(2) as at, await at.channel(1) as channel:
            assert await prove_pin(channel, GUEST.public, "mango") is LobbyRefusal.NO_PIN

    run(story())


class Trap:
    """A host that guesses a PIN, and says that all is right."""

    def __init__(self, guess: str, last: AtTable | None = None) -> None:
        """`last`: what it says to a confirmation; None for its own."""
        self._pin = HostPin(guess, TRAP.public, os.urandom)
        self._last = last
        self.heard: list[AtTable] = []
        self.tested: list[bool] = []

    async def serve(self, channel: Channel) -> None:
        proof: HostPinProof | None = None
        async for data in channel:
            self.heard.append(message := from_peer(data))
            if isinstance(message, messages.BeginPinProof):
                element = message.element
                proof = self._pin.answer(element, guest=channel.identity, table=LOBBY)
                assert proof is not None
                channel.send(to_bytes(messages.PinProofAnswer(proof.element)))
            elif isinstance(message, messages.ConfirmPin) and proof is not None:
                self.tested.append(proof.is_confirmed_by(message.confirmation))
                own = messages.PinConfirmed(proof.confirmation)
                channel.send(to_bytes(self._last or own))


@pytest.mark.parametrize(("guess", "right"), [("4711", False), ("mango", True)])
def test_a_trap_tests_one_pin_a_try(guess: str, right: bool) -> None:
    """It says that all is right, but a guest believes only a host that knows the PIN."""

    async def story() -> None:
        trap = Trap(guess)
        assert await visit(trap.serve) is (None if right else LobbyRefusal.WRONG_PIN)
        assert trap.tested == [right]
        heard = [type(each) for each in trap.heard]
        assert heard == [messages.BeginPinProof, messages.ConfirmPin]
        assert not any(b"mango" in to_bytes(each) for each in trap.heard)

    run(story())


@pytest.mark.parametrize("last", [messages.PinConfirmed(bytes(32)), messages.NoncesWanted(())])
def test_no_other_answer_replaces_the_hosts_confirmation(last: AtTable) -> None:
    async def story() -> None:
        assert await visit(Trap("4711", last).serve) is LobbyRefusal.WRONG_PIN

    run(story())


@pytest.mark.parametrize(
    ("answers", "fault"),
    [
        ([messages.PinConfirmed(bytes(32))], NetFault.PROTOCOL),
        ([messages.NoncesWanted(())], NetFault.PROTOCOL),
        ([messages.PinProofAnswer(b"B" + bytes(32))], NetFault.PROTOCOL),
        ([messages.PinProofAnswer(b"A" + bytes(32))], NetFault.PROTOCOL),
        ([], NetFault.TIMEOUT),
    ],
)
def test_a_host_that_does_not_prove_anything_ends_the_visit(
    answers: list[AtTable], fault: NetFault, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fault is NetFault.TIMEOUT:
        monkeypatch.setattr(proving, "PIN_PROOF_SECONDS", 0.05)

    async def trap(channel: Channel) -> None:
        for answer in answers:
            channel.send(to_bytes(answer))
        async for _ in channel:
            pass

    async def story() -> None:
        with pytest.raises(NetError) as caught:
            await visit(trap)
        assert caught.value.fault is fault
        assert "mango" not in str(caught.value)

    run(story())


def test_a_relay_in_the_middle_convinces_neither_side() -> None:
    """It passes on every message between a guest who knows the PIN and the host of the table."""
    passed: list[str] = []

    async def story() -> None:
        async with table(2, pin="mango") as at:

            async def relay(victim: Channel) -> None:
                async with await at.channel(66) as real:
                    async for data in victim:
                        passed.append(type(from_peer(data)).__name__)
                        real.send(data)
                        answer = await real.receive()
                        passed.append(type(from_host(answer)).__name__)
                        victim.send(answer)

            assert await visit(relay) is LobbyRefusal.WRONG_PIN
            assert passed == ["BeginPinProof", "PinProofAnswer", "ConfirmPin", "Refused"]
            assert at.host.lobby.taken == 1
            # The try is counted against the relay.
            assert at.host.admission._wrong_pins

    run(story())


def test_a_trap_guest_is_told_nothing_before_it_has_confirmed() -> None:
    """The answer to its element is the same distribution for every PIN; no confirmation follows."""

    async def story() -> None:
        async with table(2, pin="mango") as at, await at.channel(2) as channel:
            await say(channel, messages.ConfirmPin(bytes(32)))
            await hear(channel, messages.Refused)
            await say(channel, messages.Watch(VERSION, "eve"))
            await hear(channel, messages.Refused)
            element = HostPin("mango", TRAP.public, os.urandom)
            assert element.answer(b"A" + bytes(32), guest=GUEST.public, table=LOBBY) is None
            await say(channel, messages.BeginPinProof(b"A" + bytes(32)))
            await hear(channel, messages.Refused)
            assert [tries for tries, _ in at.host.admission._wrong_pins.values()] == [1]

    run(story())


def test_spectators_of_a_table_in_progress_prove_the_pin() -> None:
    async def story() -> None:
        async with table(2, pin="mango") as at:
            async with await at.channel(1) as early:
                assert await prove_pin(early, GUEST.public, "mango") is None
            guest = await at.peer(1)
            playing = asyncio.create_task(guest.run())
            await until(lambda: at.host.runtime is not None)
            for number, pin in ((5, "4711"), (6, "mango")):
                async with await at.channel(number) as channel:
                    why = await prove_pin(channel, identity(number).public, pin)
                    assert (why is None) is (pin == "mango")
                    await say(channel, messages.Watch(VERSION, f"eve {number}"))
                    answer = await hear(
                        channel, messages.Began if why is None else messages.Refused
                    )
                    assert isinstance(answer, messages.Refused) is (why is not None)
            await at.host.wait()
            await at.host.close()
            await playing

    run(story())
