"""The exceptions of `lanuno.dealing`.

Rule: all have one base class. Bytes from other nodes cause `InvalidInput`; only a mistake in our
own code causes `Misuse`. No message ever contains a secret, a key or a ciphertext.
"""

from __future__ import annotations


class DealingError(Exception):
    """Base of every error raised by `lanuno.dealing`."""


class Misuse(DealingError):
    """The caller broke a precondition. Bytes from other nodes never cause this error."""


class InvalidInput(DealingError):
    """Bytes from another node are invalid."""


class PointError(InvalidInput):
    """A point that is badly encoded or off the curve, or a list of points of the wrong length."""


class ScalarError(InvalidInput):
    """Bytes that are not a scalar: 32 bytes, big-endian, in [1, n-1]."""


class SealError(InvalidInput):
    """A box, or a key to seal to, that is malformed, altered or meant for another seat."""


class ShareError(InvalidInput):
    """Shares of a round seed that are missing or have the wrong length."""
