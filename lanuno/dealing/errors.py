"""The errors of this package, and nothing else.

Rule: one base class. `InvalidInput` is caused by bytes of other nodes, `Misuse` only by a mistake
in our own code. No message ever contains a secret, a key or a ciphertext.
"""

from __future__ import annotations


class DealingError(Exception):
    """Base of every error raised by `lanuno.dealing`."""


class Misuse(DealingError):
    """The caller broke a precondition; no remote bytes can lead here."""


class InvalidInput(DealingError):
    """Bytes of another node are invalid."""


class PointError(InvalidInput):
    """A point that is badly encoded, off the curve, or a list of points of the wrong length."""


class ScalarError(InvalidInput):
    """A scalar that is not 32 bytes big-endian in [1, n-1]."""


class SealError(InvalidInput):
    """A sealed box, or a key to seal to, that is malformed, altered or made for another seat."""


class ShareError(InvalidInput):
    """Shares of an escrowed seed that are missing or have the wrong length."""
