"""The guest's part of a proof of the PIN, over a channel, before it asks for anything else."""

from __future__ import annotations

import asyncio
import os
from typing import Final

from lanuno.log.faults import Unreadable
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.channel import Channel
from lanuno.table.lobby.pin_proof import GuestPinProof
from lanuno.table.messages import (
    BeginPinProof,
    ConfirmPin,
    FromHost,
    FromPeer,
    LobbyRefusal,
    PinConfirmed,
    PinProofAnswer,
    Refused,
    from_host,
    to_bytes,
)

PIN_PROOF_SECONDS: Final = 5.0
"""Time limit of a host for the whole proof."""


async def prove_pin(channel: Channel, guest: bytes, pin: str) -> LobbyRefusal | None:
    """Prove the PIN to a host, and let the host prove it. Return why that failed, or None.

    `guest` is the key that this side proved in the handshake. The host learns whether one PIN of
    its choice is this one, and nothing else; not even that if it refuses for any other reason than
    `WRONG_PIN`. Raises `NetError`.
    """
    proof = GuestPinProof(
        pin, guest=guest, host=channel.identity, table=channel.context, entropy=os.urandom
    )
    try:
        async with asyncio.timeout(PIN_PROOF_SECONDS):
            answer = await _ask(channel, BeginPinProof(proof.element))
            if isinstance(answer, Refused):
                return answer.why
            element = answer.element if isinstance(answer, PinProofAnswer) else b""
            confirmation = proof.confirm(element)
            if confirmation is None:
                raise NetError(NetFault.PROTOCOL, "the host's proof of the PIN is none")
            answer = await _ask(channel, ConfirmPin(confirmation))
    except TimeoutError:
        raise NetError(NetFault.TIMEOUT, "no proof of the PIN in time") from None
    # Whatever else it answers, it has tested a PIN now.
    confirmed = isinstance(answer, PinConfirmed) and proof.is_confirmed_by(answer.confirmation)
    return None if confirmed else LobbyRefusal.WRONG_PIN


async def _ask(channel: Channel, message: FromPeer) -> FromHost:
    channel.send(to_bytes(message))
    try:
        return from_host(await channel.receive())
    except Unreadable as error:
        raise NetError(NetFault.PROTOCOL, str(error)) from None
