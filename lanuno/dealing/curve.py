"""The loops over libsecp256k1: multiply points, compute public keys, test encodings.

Rule: only this module imports coincurve. It works on bytes and knows nothing of cards. coincurve's
own classes create several objects and check every scalar again for each point, which costs a tenth
of a deal. This module therefore calls coincurve's library binding directly, on buffers allocated
once for each list. The binding is private, hence the bounds on coincurve's version. Every call is
checked for success, and lengths are checked before C receives a pointer.
tests/dealing/test_group.py compares the results with those of coincurve's classes.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from coincurve.context import GLOBAL_CONTEXT

from lanuno.dealing.errors import PointError, ScalarError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

POINT_BYTES: Final = 33
SCALAR_BYTES: Final = 32

_COMPRESSED: Final = 258
"""SECP256K1_EC_COMPRESSED of secp256k1.h."""


class _Library(Protocol):
    """The functions of secp256k1.h used here; each returns 1 on success."""

    secp256k1_ec_pubkey_parse: Callable[[Any, Any, bytes, int], int]
    secp256k1_ec_pubkey_tweak_mul: Callable[[Any, Any, bytes], int]
    secp256k1_ec_pubkey_create: Callable[[Any, Any, bytes], int]
    secp256k1_ec_pubkey_serialize: Callable[[Any, Any, Any, Any, int], int]


class _CffiLibrary(Protocol):
    """The part of a cffi `FFI` used here."""

    new: Callable[..., Any]
    buffer: Callable[[Any], Any]


_binding: Final = import_module("coincurve._libsecp256k1")
_lib: Final = cast("_Library", _binding.lib)
_ffi: Final = cast("_CffiLibrary", _binding.ffi)
_context: Final = GLOBAL_CONTEXT.ctx


def multiply_pairs(pairs: Iterable[tuple[bytes, bytes]]) -> tuple[bytes, ...]:
    """Multiply each point by its scalar (32 bytes, big-endian).

    Raises `PointError` for an encoding that is not a point, and `ScalarError` for a scalar outside
    [1, n-1].
    """
    key = _ffi.new("secp256k1_pubkey *")
    text = _ffi.new("unsigned char[33]")
    length = _ffi.new("size_t *", POINT_BYTES)
    view = _ffi.buffer(text)
    parse = _lib.secp256k1_ec_pubkey_parse
    multiply = _lib.secp256k1_ec_pubkey_tweak_mul
    serialize = _lib.secp256k1_ec_pubkey_serialize
    results = []
    for point, scalar in pairs:
        if len(point) != POINT_BYTES or not parse(_context, key, point, POINT_BYTES):
            raise PointError("not a point of the curve")
        if len(scalar) != SCALAR_BYTES or not multiply(_context, key, scalar):
            raise ScalarError("not a scalar")
        serialize(_context, text, length, key, _COMPRESSED)
        results.append(view[:])
    return tuple(results)


def multiply_generator(scalars: Iterable[bytes]) -> tuple[bytes, ...]:
    """Multiply the generator by each scalar; `ScalarError` for a scalar outside [1, n-1]."""
    key = _ffi.new("secp256k1_pubkey *")
    text = _ffi.new("unsigned char[33]")
    length = _ffi.new("size_t *", POINT_BYTES)
    view = _ffi.buffer(text)
    create = _lib.secp256k1_ec_pubkey_create
    serialize = _lib.secp256k1_ec_pubkey_serialize
    results = []
    for scalar in scalars:
        if len(scalar) != SCALAR_BYTES or not create(_context, key, scalar):
            raise ScalarError("not a scalar")
        serialize(_context, text, length, key, _COMPRESSED)
        results.append(view[:])
    return tuple(results)


def is_point(data: bytes) -> bool:
    """Whether the bytes are the compressed encoding of a point."""
    key = _ffi.new("secp256k1_pubkey *")
    parse = _lib.secp256k1_ec_pubkey_parse
    return len(data) == POINT_BYTES and bool(parse(_context, key, data, POINT_BYTES))
