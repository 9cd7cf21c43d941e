"""`H`, the one hash of the protocol; every digest that is signed, chained or committed to uses it.

Rule: only `H` and its unambiguous framing are here. No other module calls SHA-256 on its own.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final

DIGEST_BYTES: Final = 32
"""Length in bytes of what `H` returns."""


def frame(*parts: bytes) -> bytes:
    """Join parts so that no two different lists join to the same bytes (u32 big-endian lengths)."""
    return b"".join([len(part).to_bytes(4, "big") + part for part in parts])


def u32(value: int) -> bytes:
    """Encode a seat, deal or index number as it appears inside hashes: four bytes, big-endian."""
    return value.to_bytes(4, "big")


def H(kind: str, *parts: bytes) -> bytes:  # noqa: N802 - the specification calls it H
    """Hash parts under a type: SHA-256("lanuno/1/" + kind + NUL + framed parts), 32 bytes.

    `kind` names the one use of the digest and is ASCII without NUL, so that digests made for one
    purpose can never be taken for another.
    """
    return sha256(b"lanuno/1/" + kind.encode("ascii") + b"\x00" + frame(*parts)).digest()
