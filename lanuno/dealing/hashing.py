"""`H`, the hash of the protocol. Every digest that is signed, chained or committed to uses it.

Rule: this module contains only `H` and its unambiguous framing. No other module of the dealing or
of the log calls SHA-256 directly.
"""

from __future__ import annotations

from hashlib import sha256


def frame(*parts: bytes) -> bytes:
    """Join parts with u32 big-endian lengths, so that different lists never give the same bytes."""
    return b"".join([len(part).to_bytes(4, "big") + part for part in parts])


def u32(value: int) -> bytes:
    """Encode a seat, deal or index number for use in hashes: four bytes, big-endian."""
    return value.to_bytes(4, "big")


def H(kind: str, *parts: bytes) -> bytes:  # noqa: N802 - the specification calls it H
    """Hash parts under a type: SHA-256("lanuno/1/" + kind + NUL + framed parts), 32 bytes.

    `kind` is ASCII without NUL and names the one use of the digest, so that a digest made for one
    purpose never passes for another.
    """
    return sha256(b"lanuno/1/" + kind.encode("ascii") + b"\x00" + frame(*parts)).digest()
