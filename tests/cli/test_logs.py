"""The logs that programs leave after a real match, which must not contain any player's secret.

The test gathers every key and seed from the files of all programs, the PIN, the chat and every hand
ever held. It searches for each of them in every form in which a program may write it.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import re
import socket
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import pytest

from lanuno.cli import rules
from lanuno.cli.hand_notes import read_notes
from lanuno.cli.main import main
from lanuno.dealing.identity import Identity
from lanuno.log.format.genesis import VERSION
from lanuno.net.runtime.admission import PIN_TRIES
from lanuno.net.runtime.prove_pin import prove_pin
from lanuno.net.transport.connect import connect
from lanuno.store.logfile import USUAL_LEVEL
from lanuno.table.messages import Say, Watch, to_bytes
from tests.cli.matches import link_of
from tests.harness.processes.programs import WorkingFolder, secrets_of

PIN = "q7xpin4711"
CHAT = "nobody else may read this"
COLOURS = ("red", "yellow", "green", "blue", "wild")


def forms(secret: bytes) -> dict[str, str]:
    """Return the forms in which a program may write bytes."""
    return {
        "hex": secret.hex(),
        "base64": base64.b64encode(secret).decode().rstrip("="),
        "base64 in addresses": base64.urlsafe_b64encode(secret).decode().rstrip("="),
        "base32": base64.b32encode(secret).decode().rstrip("="),
        "repr": repr(secret)[2:-1],
        "raw": secret.decode("latin-1"),
        "number": str(int.from_bytes(secret, "big")),
        "little number": str(int.from_bytes(secret, "little")),
        "numbers": ", ".join(map(str, secret)),
    }


def leaks(
    log: bytes, secrets: Iterable[bytes], words: Iterable[str], hands: Iterable[tuple[int, ...]]
) -> list[str]:
    """Return the kinds of secret that a log contains."""
    text = log.decode("latin-1").lower()
    found = [
        kind
        for secret in secrets
        for kind, form in forms(secret).items()
        if form.lower() in text or form[: len(form) // 2].lower() in text
    ]
    found += ["word" for word in words if word.lower() in text]
    rows = [between.join(map(str, hand)) for hand in hands for between in (", ", ",", " ", "; ")]
    found += ["hand" for row in rows if row in text]
    return found + [f"colour {each}" for each in COLOURS if f" {each} " in text]


async def look_on(address: str, port: int) -> None:
    """Guess the PIN too often from one address; watch and chat from another."""

    async def watch(pin: str, chat: str) -> bool:
        me = Identity.from_seed(bytes([len(pin)]) * 32)
        async with await connect([address], port, me) as channel:
            if await prove_pin(channel, me.public, pin) is not None:
                return False
            channel.send(to_bytes(Watch(VERSION, "Wanda")))
            channel.send(to_bytes(Say(chat)))
            await channel.receive()
            return True

    assert await watch(PIN, CHAT)
    for number in range(PIN_TRIES + 1):
        assert not await watch(f"guess{number}", CHAT)


def connect_once(address: str, port: int) -> None:
    """Send something other than TLS, and wait until the host closes the connection."""
    with socket.create_connection((address, port)) as stranger:
        stranger.sendall(b"GET / HTTP/1.0\r\n\r\n")
        with suppress(ConnectionResetError):  # the host need not have read all of it
            while stranger.recv(1000):
                pass


@pytest.mark.parametrize("level", [USUAL_LEVEL, "debug"])
def test_a_match_leaves_logs_that_tell_it_and_no_secret(level: str, table: WorkingFolder) -> None:
    def notes(name: str) -> tuple[str, ...]:
        home = table.folder / name
        return ("--note-hand", str(home / "private" / "hands"), "--pin", PIN, "--log", level)

    host = table.host("--seats", "4", "--bots", "1", "--rounds", "2", "--json", *notes("Ana"))
    link = link_of(host.heard("link: "))
    port = int(link.partition("/")[2].partition(":")[2].partition("/")[0])
    connect_once("127.0.0.1", port)
    asyncio.run(look_on("127.0.0.1", port))
    guests = [
        table.bot("--json", link.replace("127.0.0.1", "[::1]"), *notes(name), name=name)
        for name in ("Beto", "Carla")
    ]
    for each in (host, *guests):
        assert each.end(0).json["verdict"] == "verified"
    homes = [table.folder / name for name in ("Ana", "Beto", "Carla")]
    logs = {home.name: (home / "lanuno.log").read_bytes() for home in homes}
    secrets = [secret for home in homes for secret in secrets_of(home)]
    assert len(secrets) >= 4 + 3 * 4 * 2  # keys; rounds and the choice of the dealer; two seeds
    hands = hands_of(homes)
    assert len(hands) > 20
    for log in logs.values():
        assert leaks(log, secrets, (PIN, CHAT, "guess"), hands) == []
    tells_the_match(logs)
    every_planted_leak_is_found(logs["Ana"], secrets, hands)


def hands_of(homes: list[Path]) -> set[tuple[int, ...]]:
    """Return every hand of three or more cards ever held, as noted and sorted."""
    found = set[tuple[int, ...]]()
    for home in homes:
        for note in read_notes(home / "private" / "hands"):
            cards = tuple(card for _, card in note.cards)
            if len(cards) > 2:
                found |= {cards, tuple(sorted(cards))}
    return found


def tells_the_match(logs: dict[str, bytes]) -> None:
    """Assert that each log records the match, and the host's log the connections too."""
    for name, log in logs.items():
        text = log.decode()
        assert re.search(rf"own seat [0-3] \({name}\)", text)
        for words in (
            *("this is LanUNO", "4 seats, host seat 0 (Ana), classic rules", "with a PIN"),
            *("round 1 begins", "round 2 is closed and counts", "the log is closed: STOPPED"),
            *("it is over for this computer: closed", "verified"),
        ):
            assert words in text, (words, text)
        assert "WARNING" not in text
    host = logs["Ana"].decode()
    for words in (
        "127.0.0.1 did not get in: it speaks no TLS",
        *(f"127.0.0.1 gave a wrong PIN ({number} of 5)" for number in range(1, PIN_TRIES + 1)),
        *("127.0.0.1 is locked out", "refused (WRONG_PIN): 127.0.0.1 ("),
        *("in from ::1 (", "connection 0: in from seat", "this computer is the host now"),
    ):
        assert words in host, (words, host)


def every_planted_leak_is_found(
    log: bytes, secrets: list[bytes], hands: set[tuple[int, ...]]
) -> None:
    """Assert that the search would find each kind of secret if it were in the log."""
    for secret in secrets[:3]:
        for kind, form in forms(secret).items():
            assert kind in leaks(log + form.encode("latin-1"), secrets, (), ())
    for hand in hands:
        assert leaks(log + str(list(hand)).encode(), (), (), {hand}) == ["hand"]
    assert leaks(log + b"pin=" + PIN.encode(), (), (PIN, CHAT), ()) == ["word"]
    assert leaks(log + CHAT.encode(), (), (PIN, CHAT), ()) == ["word"]
    assert leaks(log + b"a red 7", (), (), ()) == ["colour red"]


@pytest.mark.parametrize(
    ("settings", "option", "told"),
    [
        ("{}", (), ["info"]),
        ('{"log": "off"}', (), []),
        ('{"log": "off"}', ("--log", "debug"), ["debug", "info"]),
        ('{"log": "debug"}', (), ["debug", "info"]),
        ('{"log": "debug"}', ("--log", "warning"), []),
        ('{"log": "loud"}', (), ["info"]),
    ],
)
def test_the_settings_say_how_much_and_the_command_line_has_the_last_word(
    settings: str, option: tuple[str, ...], told: list[str], tmp_path: Path
) -> None:
    (tmp_path / "settings.json").write_text(settings)

    def run(_args: object, _out: object) -> int:
        for level in ("debug", "info"):
            getattr(logging.getLogger("lanuno.x"), level)(level)
        return 0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules, "run", run)
        assert main(["rules", "--home", str(tmp_path), *option]) == 0
    log = tmp_path / "lanuno.log"
    lines = log.read_text(encoding="utf-8").splitlines()[1:] if log.exists() else []
    assert [line.rpartition(": ")[2] for line in lines] == told
