"""Secrets are left out of a log line, in every form in which a program may quote them."""

from __future__ import annotations

import base64
from collections.abc import Callable
from random import Random

import pytest

from lanuno.dealing.identity import fingerprint
from lanuno.store.log_text import (
    LEFT_OUT,
    LONGEST_LINE,
    MOST_LINES,
    indented,
    one_line,
    without_secrets,
)

FORMS: dict[str, Callable[[bytes], str]] = {
    "repr": repr,
    "bytearray": lambda secret: repr(bytearray(secret)),
    "hex": bytes.hex,
    "capitals": lambda secret: secret.hex().upper(),
    "base64": lambda secret: base64.b64encode(secret).decode(),
    "base64 in addresses": lambda secret: base64.urlsafe_b64encode(secret).decode().rstrip("="),
    "number": lambda secret: str(int.from_bytes(secret, "big")),
    "numbers": lambda secret: repr(list(secret)),
    "tuple": lambda secret: repr(tuple(secret)),
    "mapping": lambda secret: repr(dict(enumerate(secret))),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("size", [16, 32])
def test_no_form_of_a_secret_stays(form: str, size: int) -> None:
    chance = Random(7)
    for _ in range(300):
        secret = FORMS[form](chance.randbytes(size))
        for text in (secret, f"seed={secret}, seat=1", f"KeyError: {secret}", f"x({secret})"):
            left = without_secrets(text)
            assert LEFT_OUT in left
            assert not any(secret[at : at + 12] in left for at in range(0, len(secret) - 12, 4))


def test_a_hand_does_not_stay() -> None:
    for hand in ("[17, 4]", "(3, 108, 55)", "{1: 17, 2: 99}", "{5, 7}", "cards=[1,2,3"):
        assert not any(figure in without_secrets(hand) for figure in "0123456789")


def test_bytes_that_are_cut_off_do_not_stay() -> None:
    assert without_secrets(r"head b'\x00secret\'and") == f"head {LEFT_OUT}"
    assert without_secrets("b\"two\" and b'three'") == f"{LEFT_OUT} and {LEFT_OUT}"


@pytest.mark.parametrize(
    "text",
    [
        "connection 3: in from seat 1 (Bea) at fe80::1%eth0 (ayhrvpol4yrw)",
        '  File "/usr/lib/python3.11/site-packages/lanuno/net/member_driver.py", line 120, in _do',
        "FileNotFoundError: [Errno 2] No such file or directory: '/home2/Bea/.local/state/lanuno'",
        f"/data/games/{'0f' * 32}.lanuno cannot be read",
        "round 12 is closed and counts; seats 1, 2, 3; 192.168.1.17 (2 of 5)",
        "lanuno.app.controllers.session_controller: a_very_long_name_of_a_function_in_a_traceback",
        "tests/net/test_tables.py::test_five_wrong_pins_lock_an_address",
    ],
)
def test_a_harmless_line_stays_unchanged(text: str) -> None:
    assert one_line(text) == text


def test_fingerprints_are_public_and_short_ones_stay() -> None:
    assert one_line(fingerprint(bytes(32))[:12]) == fingerprint(bytes(32))[:12]


def test_lines_and_tracebacks_have_an_end() -> None:
    assert len(one_line("x y " * 10_000)) == LONGEST_LINE + 3
    lines = indented("\n".join(f"line {number}" for number in range(10_000))).split("\n")
    assert len(lines) == MOST_LINES + 1
    assert lines[0] == "    line 0"
    assert lines[-1] == "    line 9999"


def test_hostile_text_takes_no_time() -> None:
    """Each of these texts would take minutes if the regular expressions backtracked."""
    for text in ("b'" * 500, "b'" + "\\" * 998, "[" + "1," * 499, "a1B" * 333, "{1:" * 333):
        for _ in range(200):
            one_line(text)
