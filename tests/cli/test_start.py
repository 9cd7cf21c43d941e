"""The program starts or says why: real displays, locks, users, folders and closed streams."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lanuno.cli.exits import ExitCode
from tests.cli.replaced_command import ROOT
from tests.harness.systems import skip_module_on_windows

skip_module_on_windows("these are displays, users and shells of Linux")

LANUNO = (sys.executable, "-m", "lanuno.cli.main")
OTHER_USER = 23456
START_SECONDS = 60.0
XVFB = ("Xvfb", "-displayfd", "1", "-screen", "0", "1280x900x24", "-noreset")


def environment(home: Path, **more: str) -> dict[str, str]:
    """The environment without any display, of a user whose home this is."""
    unset = ("QT_", "QSG_", "XDG_", "WAYLAND", "DISPLAY", "LC_", "LANG", "XAUTHORITY")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(unset)}
    paths = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    return {**kept, "HOME": str(home), "LANUNO_SILENT": "1", "PYTHONPATH": paths, **more}


def lanuno(*words: str, env: dict[str, str], cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*LANUNO, *words],
        env=env,
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
        check=False,
    )


@contextmanager
def display(*options: str) -> Iterator[str]:
    """An X server; the context returns its name."""
    with subprocess.Popen(
        [*XVFB, *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        try:
            yield f":{server.stdout.readline().strip()}"
        finally:
            server.terminate()


def opens(home: Path, env: dict[str, str]) -> None:
    """Start the window, wait until its log says that it is open, and end it."""
    with subprocess.Popen(
        [*LANUNO, "--home", str(home), "--debug"],
        env=env,
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stderr is not None
        said = []
        for line in program.stderr:
            said.append(line)
            if "the window is open" in line:
                program.terminate()
        assert program.wait() == ExitCode.OK, "".join(said)
    assert any("the window is open" in line for line in said), "".join(said)


def test_without_opengl_the_window_is_drawn_by_software(tmp_path: Path) -> None:
    with display("-extension", "GLX") as name:
        env = environment(
            tmp_path, DISPLAY=name, __EGL_VENDOR_LIBRARY_FILENAMES=str(tmp_path / "none")
        )
        opens(tmp_path / "home", env)
        # Variant: Qt's own choice of an OpenGL backend is respected, and its failure is no abort.
        chosen = lanuno("--home", str(tmp_path / "h"), env={**env, "QSG_RHI_BACKEND": "opengl"})
        assert chosen.returncode == ExitCode.NO_WINDOW
        assert "QT_QUICK_BACKEND=software" in chosen.stderr


def test_a_display_that_refuses_is_named(tmp_path: Path) -> None:
    cookies = tmp_path / "cookies"
    cookie = "0123456789abcdef" * 2
    subprocess.run(["xauth", "-q", "-f", cookies, "add", ":0", ".", cookie], check=True)
    with display("-auth", str(cookies)) as name:
        env = environment(tmp_path, DISPLAY=name)
        refused = lanuno(env=env)
        assert refused.returncode == ExitCode.NO_WINDOW
        assert name in refused.stderr
        assert "xhost" in refused.stderr
        spanish = lanuno("--lang", "es", env=env)
        assert "rechaza a este usuario" in spanish.stderr


@pytest.mark.parametrize("name", [":4242", "192.0.2.1:0", "no.such.host.invalid:0"])
def test_a_display_that_does_not_exist_is_named(tmp_path: Path, name: str) -> None:
    found = lanuno("--json", env=environment(tmp_path, DISPLAY=name))
    assert found.returncode == ExitCode.NO_WINDOW
    assert json.loads(found.stdout)["error"]["id"] == "error.display_silent"
    assert name in found.stderr


def test_a_display_that_hangs_is_given_up(tmp_path: Path) -> None:
    """A socket that accepts and never answers: Qt would wait for ever."""
    with socket.socket() as server:
        port = next(port for port in range(6100, 6999) if _bound(server, port))
        server.listen()
        env = environment(tmp_path, DISPLAY=f"127.0.0.1:{port - 6000}")
        assert lanuno(env=env).returncode == ExitCode.NO_WINDOW


def _bound(server: socket.socket, port: int) -> bool:
    try:
        server.bind(("127.0.0.1", port))
    except OSError:
        return False
    return True


def test_a_stale_wayland_display_does_not_matter_while_x_works(tmp_path: Path) -> None:
    with display() as name:
        env = environment(
            tmp_path,
            DISPLAY=name,
            WAYLAND_DISPLAY="wayland-9",
            XDG_SESSION_TYPE="wayland",
            XDG_RUNTIME_DIR=str(tmp_path),
            QT_QUICK_BACKEND="software",
        )
        opens(tmp_path / "home", env)


@pytest.mark.parametrize("left", [b"", b"1\nlanuno\nanother-host\n", b"\xff" * 5000])
def test_a_leftover_lock_does_not_shut_the_window_out(tmp_path: Path, left: bytes) -> None:
    home = tmp_path / "home"
    (home / "private").mkdir(parents=True, mode=0o700)
    for name in ("window.lock", "lock", "window"):
        (home / "private" / name).write_bytes(left)
    opens(home, environment(tmp_path, QT_QPA_PLATFORM="offscreen"))


def test_a_folder_instead_of_the_lock_is_named(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "private" / "window.lock").mkdir(parents=True, mode=0o700)
    (home / "private").chmod(0o700)
    found = lanuno("--home", str(home), env=environment(tmp_path, QT_QPA_PLATFORM="offscreen"))
    assert found.returncode == ExitCode.FILES
    assert "window.lock" in found.stderr
    # As Windows starts a program without a console.
    closed = subprocess.run(
        ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "-", *LANUNO, "--home", str(home)],
        env=environment(tmp_path, QT_QPA_PLATFORM="offscreen"),
        cwd=ROOT,
        timeout=START_SECONDS,
        check=False,
    )
    assert closed.returncode == ExitCode.FILES


# ---- users and folders ------------------------------------------------------------------------


def as_user(*words: str, env: dict[str, str], cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run LanUNO as a user who is not root, who may be this one.

    If this is root, that user may read everything: the checkout may be in one of root's folders.
    """
    drop = ("setpriv", f"--reuid={OTHER_USER}", f"--regid={OTHER_USER}", "--clear-groups")
    # Qt asks with access(), which drops capabilities without the last option.
    keep = (
        "--inh-caps=-all,+dac_read_search",
        "--ambient-caps=-all,+dac_read_search",
        "--securebits=+no_setuid_fixup",
    )
    return subprocess.run(
        [*((*drop, *keep) if os.geteuid() == 0 else ()), *LANUNO, *words],
        env=env,
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
        check=False,
    )


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that every user can enter; pytest closes its own ones to other users."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def game(shared: Path, good: Path) -> Path:
    """A whole game, which every user may read."""
    file = shared / good.name
    file.write_bytes(good.read_bytes())
    file.chmod(0o644)
    return file


def test_files_of_another_user_are_named_with_the_way_back(shared: Path) -> None:
    """As after a start with sudo. Nobody but root can make such files: others meet the system's."""
    home = shared / "home"
    home.mkdir()
    if os.geteuid() != 0:
        found = as_user("--home", "/lanuno", env=environment(home), cwd=shared)
        assert found.returncode == ExitCode.FILES
        assert "/ belongs to root" in found.stderr
        return
    os.chown(home, OTHER_USER, OTHER_USER)
    (home / "Games of mine" / "private").mkdir(parents=True, mode=0o700)
    (home / "Games of mine").chmod(0o700)
    env = environment(home, QT_QPA_PLATFORM="offscreen")
    for words in ((), ("host", "--table", "T")):
        found = as_user("--home", "Games of mine", *words, env=env, cwd=home)
        assert found.returncode == ExitCode.FILES, found.stderr
        command = f"sudo chown -R {OTHER_USER}:{OTHER_USER} '{home / 'Games of mine'}'"
        assert command in found.stderr
    # What it says is what helps.
    subprocess.run(
        ["chown", "-R", f"{OTHER_USER}:{OTHER_USER}", home / "Games of mine"], check=True
    )
    assert as_user("rules", "--home", "Games of mine", env=env, cwd=home).returncode == 0


def test_without_a_home_folder(shared: Path, game: Path) -> None:
    """Verifying needs none; whatever does says so. Only root can become a user without one."""
    env = environment(shared)
    env["HOME"] = "/nonexistent"
    if os.geteuid() == 0:
        del env["HOME"]
    assert as_user("verify", str(game), env=env, cwd=shared).returncode == ExitCode.OK
    found = as_user("host", "--table", "T", "--json", env=env, cwd=shared)
    assert found.returncode == ExitCode.FILES
    error = json.loads(found.stdout)["error"]
    assert error["id"] == "store.no_home"
    window = as_user(env={**env, "QT_QPA_PLATFORM": "offscreen"}, cwd=shared)
    assert window.returncode == ExitCode.FILES
    assert "--home" in window.stderr


@pytest.mark.parametrize(
    "start",
    [
        "mkdir gone; cd gone; rmdir ../gone; exec",
        "exec <&-; exec",
        "exec 2>&-; exec",
        "exec <&- 2>&-; exec",
        "echo 'raise SystemExit(1)' | tee random.py struct.py pickle.py; exec",
        "export TMPDIR=/nonexistent; exec",
    ],
)
def test_surroundings_change_no_verdict(game: Path, start: str) -> None:
    # As pip installs the command: Python then does not look in the current folder.
    folder = game.parent / "bin"
    folder.mkdir()
    command = folder / "lanuno"
    command.write_text(
        "import sys\nfrom lanuno.cli.main import main\n"
        "if __name__ == '__main__':\n    sys.exit(main())\n"
    )
    done = subprocess.run(
        ["sh", "-c", f'{start} "$@"', "-", sys.executable, str(command), "verify", str(game)],
        env=environment(game.parent),
        cwd=game.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == ExitCode.OK, done.stderr
    assert "13 checks passed" in done.stdout


def test_a_relative_file_in_a_deleted_folder(tmp_path: Path) -> None:
    command = 'mkdir d; cd d; rmdir ../d; exec "$@"'
    done = subprocess.run(
        ["sh", "-c", command, "-", *LANUNO, "verify", "g.lanuno"],
        env=environment(tmp_path),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == ExitCode.USAGE
    assert "the current folder is deleted" in done.stderr


@pytest.mark.parametrize("megabytes", [40, 60, 90, 150, 400])
def test_too_little_memory_accuses_nobody(game: Path, megabytes: int) -> None:
    """Whatever fails, in Python's imports or in the check, never ends with 1."""
    limit = f'ulimit -v {megabytes * 1024}; exec "$@"'
    done = subprocess.run(
        ["sh", "-c", limit, "-", *LANUNO, "verify", str(game)],
        env=environment(game.parent),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != ExitCode.CHEATING, done.stderr
    assert "Traceback" not in done.stderr
