"""Tests of the single window for each folder: a second start hands over its command and ends."""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from lanuno.app.controllers.application import Application
from lanuno.app.instance import Instance, Reply, read_command
from lanuno.app.main import main
from lanuno.store.paths import Home
from lanuno.store.socket_places import socket_places
from tests.app.waiting import settle, until

LINK = "lanuno://192.0.2.7:47474/00112233445566778899aabbccddeeff#" + "a" * 32


def start(home: Home, *command: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "lanuno.app.main"),
            *("--home", str(home.data), "--lang", "en", *command),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def place_of(home: Home) -> Path:
    places, _ = socket_places(home)
    return places[0]


def test_a_second_start_hands_its_command_over(
    app: Application, home: Home, tmp_path: Path
) -> None:
    home.create()
    instance = Instance(home)
    assert instance.claim()
    taken: list[list[str]] = []
    instance.commanded.connect(taken.append)
    instance.commanded.connect(app.run_command)
    instance.answer()
    raised: list[bool] = []
    app.raised.connect(lambda: raised.append(True))
    game = tmp_path / "no such game.lanuno"
    others = [start(home, "join", LINK), start(home, "open", str(game))]
    try:
        until(lambda: all(other.poll() is not None for other in others), 60)
        for other in others:
            out, err = other.communicate()
            assert (other.returncode, out, err) == (0, "", "")
        until(lambda: len(taken) == 2)
        assert sorted(taken) == [["join", LINK], ["open", str(game)]]
        assert len(raised) == 2
        # Every page asks before the link is followed.
        assert "192.0.2.7" in app.invitation_controller.property("address")
        assert app.property("page") == "verifier"
        assert app.verifier_controller._path == game
    finally:
        for other in others:
            other.kill()
            other.communicate()
        instance.close()


def test_a_command_that_arrives_before_the_window_is_carried_out_later(home: Home) -> None:
    """A command that arrives before the first window is shown is carried out afterwards."""
    home.create()
    first = Instance(home)
    assert first.claim()
    other = start(home, "join", LINK)
    taken: list[list[str]] = []
    try:
        until(first._server.hasPendingConnections, 60)
        settle()
        first.commanded.connect(taken.append)
        first.answer()
        until(lambda: other.poll() is not None, 60)
        assert (other.returncode, *other.communicate()) == (0, "", "")
        until(lambda: taken)
        assert taken == [["join", LINK]]
    finally:
        other.kill()
        other.communicate()
        first.close()


def test_a_command_is_sent_once_however_long_the_answer_takes(home: Home) -> None:
    home.create()
    first, second = Instance(home), Instance(home)
    assert first.claim()
    # Longer than the time limit of a connection.
    assert second.hand_over(["join", LINK], answer_seconds=1.2) is Reply.SILENT
    taken: list[list[str]] = []
    first.commanded.connect(taken.append)
    first.answer()
    until(lambda: taken)
    settle()
    assert taken == [["join", LINK]]
    first.close()


def test_one_instance_can_claim_and_a_killed_one_does_not_block(home: Home) -> None:
    home.create()
    first, second = Instance(home), Instance(home)
    assert first.claim()
    assert not second.claim()
    first.close()
    assert second.claim()
    second.close()
    place_of(home).touch()
    third = Instance(home)
    assert third.claim()
    assert third.place == place_of(home)
    third.close()


def test_a_window_that_does_not_answer(home: Home) -> None:
    home.create()
    first, second = Instance(home), Instance(home)
    assert first.claim()
    first._server.close()
    assert second.hand_over(["join", LINK], answer_seconds=0.0) is Reply.SILENT
    first.close()


@pytest.mark.parametrize(
    "data", [b"", b"{}", b'"join"', b"[1]", b'["a", "b", "c"]', b"[" * 9999, b"\xff"]
)
def test_nonsense_is_not_a_command(data: bytes) -> None:
    assert read_command(data) is None


@pytest.mark.parametrize("command", [["join"], ["go", "there"], ["open", "a", "b"]])
def test_a_wrong_command_is_told(
    home: Home, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--home", str(home.data), *command])
    assert ended.value.code == 2
    assert "join LINK" in capsys.readouterr().err


def test_the_program_ends_cleanly_when_it_is_told_to(home: Home) -> None:
    with start(home) as program:
        try:
            until(lambda: home.log.exists() and "the window is open" in home.log.read_text(), 60)
            assert place_of(home).exists()
            program.send_signal(signal.SIGTERM)
            out, err = program.communicate(timeout=60)
        finally:
            program.kill()
    assert (program.returncode, out, err) == (0, "", "")
    assert "Traceback" not in home.log.read_text(encoding="utf-8")
    assert not place_of(home).exists()


def test_a_program_that_is_started_by_a_link_asks_before_it_dials(home: Home) -> None:
    dials: list[bool] = []
    with socket.create_server(("127.44.0.11", 0)) as server:
        server.setblocking(False)
        link = LINK.replace("192.0.2.7:47474", f"127.44.0.11:{server.getsockname()[1]}")

        def asks() -> bool:
            with contextlib.suppress(BlockingIOError):
                server.accept()[0].close()
                dials.append(True)
            return home.log.exists() and "a link from outside is asked about" in log(home)

        with start(home, "join", link) as program:
            try:
                until(asks, 60)
                program.send_signal(signal.SIGTERM)
                out, err = program.communicate(timeout=60)
            finally:
                program.kill()
        # Connections from before the end of the program are still in the queue.
        asks()
    assert (program.returncode, out, err, dials) == (0, "", "", [])
    # For privacy, the log does not show where a link leads.
    assert "127.44.0.11" not in log(home)


def log(home: Home) -> str:
    return home.log.read_text(encoding="utf-8")
