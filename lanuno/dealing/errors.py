"""The errors of this package, and nothing else.

Law: one base class. What another person's bytes can cause is `ForeignFault`; what only a mistake in
our own code can cause is `Misuse`. No message ever contains a secret, a key or a ciphertext.
"""

from __future__ import annotations


class DealingError(Exception):
    """Base of every error raised by `lanuno.dealing`."""


class Misuse(DealingError):
    """The caller broke a precondition; no remote bytes can lead here."""


class ForeignFault(DealingError):
    """Bytes made by somebody else are not what they have to be."""


class PointError(ForeignFault):
    """A point that is badly encoded, off the curve, or a list of points of the wrong length."""


class ScalarError(ForeignFault):
    """A scalar that is not 32 bytes big-endian in [1, n-1]."""


class SealError(ForeignFault):
    """A sealed box, or a key to seal to, that is malformed, altered or meant for somebody else."""


class ShareError(ForeignFault):
    """Shares of an escrowed seed that are missing or have the wrong length."""
