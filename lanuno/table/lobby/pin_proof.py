"""The proof of guest and host to each other that they know the PIN, which is not sent. Sans I/O.

    guest -> host   BeginPinProof    element
    host -> guest   PinProofAnswer   element
    guest -> host   ConfirmPin       confirmation
    host -> guest   PinConfirmed     confirmation

SPAKE2 over Ed25519, by the library `spake2`, with the keys of both sides and the table's id as
identities. Keys, id and TLS certificate are bound to each other by the handshake, so a relay in the
middle computes with other identities and fails. One proof tests one PIN, and nothing in it can be
compared with other PINs later.

The guest confirms first: a guest that gives up before learns nothing, and the host confirms only to
a guest that knows the PIN.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hmac import compare_digest
from typing import TYPE_CHECKING

from lanuno.dealing.hashing import H, frame
from lanuno.table.lobby.peer import Entropy

if TYPE_CHECKING:
    from spake2 import SPAKE2_A, SPAKE2_B
    from spake2.ed25519_basic import Element


class GuestPinProof:
    """The guest's side of one proof. It is used once."""

    __slots__ = ("_key", "_side", "element")

    def __init__(
        self, pin: str, *, guest: bytes, host: bytes, table: bytes, entropy: Entropy
    ) -> None:
        """`pin` is clean; `guest` and `host` are the keys, `table` is the id that both signed."""
        # Imported late: the import computes points of the curve, for 50 ms.
        from spake2 import SPAKE2_A

        self._side = SPAKE2_A(
            _password(pin), frame(guest, table), frame(host, table), entropy_f=entropy
        )
        self._key: bytes | None = None
        self.element: bytes = self._side.start()
        """The first message."""

    def confirm(self, element: bytes) -> bytes | None:
        """Return the confirmation for the host's element; None if that is no element."""
        self._key = _finished(self._side, element)
        return None if self._key is None else H("pin-guest", self._key)

    def is_confirmed_by(self, confirmation: bytes) -> bool:
        """Whether the host knows the PIN, too. Compared in constant time."""
        return self._key is not None and compare_digest(H("pin-host", self._key), confirmation)


@dataclass(frozen=True, slots=True)
class HostPinProof:
    """The host's side of one proof, once it has computed everything."""

    element: bytes
    """The answer to the guest's element."""
    expected: bytes = field(repr=False)
    """The confirmation of a guest that knows the PIN."""
    confirmation: bytes = field(repr=False)
    """For that guest only."""

    def is_confirmed_by(self, confirmation: bytes) -> bool:
        """Whether the guest knows the PIN. Compared in constant time."""
        return compare_digest(self.expected, confirmation)


class HostPin:
    """The PIN of a table, as its host uses it in all proofs."""

    __slots__ = ("_blinding", "_entropy", "_host", "_pin", "_unblinding")

    def __init__(self, pin: str, host: bytes, entropy: Entropy) -> None:
        """`pin` is clean; `host` is the host's key."""
        from spake2 import SPAKE2_B

        self._pin, self._host, self._entropy = _password(pin), host, entropy
        side = SPAKE2_B(self._pin)
        # The library would compute these in each proof, in a time that depends on the PIN.
        self._blinding = _Product(side.my_blinding().scalarmult(side.pw_scalar))
        self._unblinding = _Product(side.my_unblinding().scalarmult(-side.pw_scalar))

    def answer(self, element: bytes, *, guest: bytes, table: bytes) -> HostPinProof | None:
        """Compute a proof from a guest's element; None if that is no element."""
        from spake2 import SPAKE2_B

        side = SPAKE2_B(
            self._pin, frame(guest, table), frame(self._host, table), entropy_f=self._entropy
        )
        side.my_blinding, side.my_unblinding = lambda: self._blinding, lambda: self._unblinding
        answer = side.start()
        key = _finished(side, element)
        if key is None:
            return None
        return HostPinProof(answer, H("pin-guest", key), H("pin-host", key))


@dataclass(frozen=True, slots=True)
class _Product:
    """An element multiplied by the scalar of the PIN."""

    product: Element = field(repr=False)

    def scalarmult(self, _scalar: int) -> Element:
        """Return the product with the only scalar that is used."""
        return self.product


def _password(pin: str) -> bytes:
    # An unpaired surrogate, which an input method may produce, cannot be encoded.
    return pin.encode(errors="replace")


def _finished(side: SPAKE2_A | SPAKE2_B, element: bytes) -> bytes | None:
    """Return the shared key; None if the other side's element is not one."""
    from spake2 import SPAKEError
    from spake2.ed25519_basic import NotOnCurve

    try:
        key: bytes = side.finish(element)
    except (SPAKEError, NotOnCurve, ValueError):
        return None
    return key
