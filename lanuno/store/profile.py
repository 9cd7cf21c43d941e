"""The player at this computer: a display name and a signing key.

The key is created here once, from the operating system's randomness, and is on disk before its
public half is visible to anybody. It is never replaced: a damaged key file is an error, and the
file is kept.
"""

from __future__ import annotations

import getpass
import os
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from lanuno.dealing.identity import SEED_BYTES, Identity
from lanuno.log.format.names import clean_name
from lanuno.store.durable import read_bounded, read_text, write_private
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home

_HEADER = b"lanuno identity 1\n"
_LARGEST_PROFILE = 64 * 1024
FALLBACK_NAME = "LanUNO"


class _ProfileFile(msgspec.Struct, frozen=True):
    """The content of profile.json. Unknown keys, perhaps of a newer version, are ignored."""

    name: str


# Created on import: concurrent creation crashes (see `prepare` in lanuno/log/format/codec.py).
_decoder = msgspec.json.Decoder(_ProfileFile)


class Profile(Struct, frozen=True):
    """A person on this computer. Printing the identity shows only its public half."""

    name: str
    identity: Identity


def load_profile(home: Home, randomness: Callable[[int], bytes] = os.urandom) -> Profile:
    """Return the profile in these folders. If there is none, create it and store it on disk.

    Raise `StoreError`: NOT_PRIVATE or NOT_OURS if others could have read the key, DAMAGED, FOREIGN,
    TOO_LARGE, NOT_READABLE, NOT_WRITABLE, DISK_FULL, READ_ONLY.
    """
    home.create()
    return Profile(_name(home), _identity(home.identity, randomness))


def rename(home: Home, name: str) -> str:
    """Save another display name, and return it as it will be shown.

    Raise `StoreError` BAD_NAME if it may not be shown to others (the limits are those of a seat in
    the log).
    """
    shown = clean_name(name)
    if shown is None:
        raise StoreError(FileProblem.BAD_NAME, home.profile)
    write_private(home.profile, msgspec.json.encode(_ProfileFile(shown)) + b"\n")
    return shown


def _name(home: Home) -> str:
    data = read_text(home.profile, _LARGEST_PROFILE)
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
    """Return the login name if it may be shown, so that a new user is not asked for a name."""
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
            # Another program created the file first: both must use the same key.
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
        # Neither quote the content nor chain the cause: the content is secret.
        raise StoreError(FileProblem.DAMAGED, path) from None
    return seed
