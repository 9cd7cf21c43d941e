"""The player at this computer: a display name, and the key that signs.

The key is made here once, from the operating system's randomness, and is on disk before anybody
sees its public half. It is never replaced: a damaged key file is an error, and the file is kept.
"""

from __future__ import annotations

import getpass
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from lanuno.dealing.identity import SEED_BYTES, Identity
from lanuno.log.format.genesis import clean_name
from lanuno.store.durable import read_bounded, write_private
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home

_HEADER = b"lanuno identity 1\n"
_LARGEST_PROFILE = 64 * 1024
FALLBACK_NAME = "LanUNO"


class _ProfileFile(msgspec.Struct, frozen=True):
    """What profile.json holds. Unknown keys are ignored: a newer version may have written them."""

    name: str


# Made on import: threads that make it together crash (see `prepare` in lanuno/log/format/codec.py).
_decoder = msgspec.json.Decoder(_ProfileFile)


@dataclass(frozen=True)
class Profile:
    """A person at this computer. The identity shows only its public half when printed."""

    name: str
    identity: Identity


def load_profile(home: Home, randomness: Callable[[int], bytes] = os.urandom) -> Profile:
    """The profile of these folders; made, and safely on disk, if there is none yet.

    Raises `StoreError`: NOT_PRIVATE or NOT_OURS if others could have read the key, DAMAGED,
    NOT_READABLE, NOT_WRITABLE.
    """
    home.create()
    return Profile(_name(home), _identity(home.identity, randomness))


def rename(home: Home, name: str) -> str:
    """Save another display name. Returns it as it will be shown.

    Raises `StoreError` BAD_NAME if it may not be shown to others (the limits are those of a seat
    in the log).
    """
    shown = clean_name(name)
    if shown is None:
        raise StoreError(FileProblem.BAD_NAME, home.profile)
    write_private(home.profile, msgspec.json.encode(_ProfileFile(shown)) + b"\n")
    return shown


def _name(home: Home) -> str:
    data = read_bounded(home.profile, _LARGEST_PROFILE)
    if data is None:
        return rename(home, _suggestion())
    try:
        name = clean_name(_decoder.decode(data).name)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise StoreError(FileProblem.DAMAGED, home.profile, str(error)) from error
    if name is None:
        raise StoreError(FileProblem.DAMAGED, home.profile, "the name may not be shown")
    return name


def _suggestion() -> str:
    """The login name where it may be shown, so that a newcomer is not asked anything."""
    try:
        login = getpass.getuser()
    except (OSError, KeyError):
        return FALLBACK_NAME
    return clean_name(login.title()) or FALLBACK_NAME


def _identity(path: Path, randomness: Callable[[int], bytes]) -> Identity:
    seed = _read_seed(path)
    if seed is None:
        try:
            write_private(
                path, _HEADER + randomness(SEED_BYTES).hex().encode() + b"\n", replace=False
            )
        except StoreError as error:
            # Another program was first: both must use the same key.
            if error.problem is not FileProblem.ALREADY_THERE:
                raise
        seed = _read_seed(path)
    if seed is None:
        raise StoreError(FileProblem.NOT_READABLE, path, "it vanished")
    return Identity.from_seed(seed)


def _read_seed(path: Path) -> bytes | None:
    data = read_bounded(path, 256, private=True)
    if data is None:
        return None
    if not data.startswith(_HEADER):
        raise StoreError(FileProblem.FOREIGN, path)
    digits = data.removeprefix(_HEADER).removesuffix(b"\n")
    try:
        seed = bytes.fromhex(digits.decode("ascii"))
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES or digits != seed.hex().encode():
        # Without a quote, and without the cause: the content is secret.
        raise StoreError(FileProblem.DAMAGED, path) from None
    return seed
