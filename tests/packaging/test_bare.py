"""Tests of packaging/bare and .ci/run on a fake system: what they make, run and return.

Only a real folder shows that it is bare and that the commands work in it: see .ci/run.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.harness.processes.packaging_programs import PACKAGING, ROOT

DEBOOTSTRAP = """#!/bin/bash
echo "debootstrap $*" >>"$CALLS"
[ -z "${DEBOOTSTRAP_FAILS:-}" ] || { echo "E: no such release"; exit 1; }
for folder; do case $folder in */new) break ;; esac; done
mkdir -p "$folder"/etc/apt/{sources.list.d,apt.conf.d} "$folder"/{root,players/one,run}
echo "deb from debootstrap" >"$folder/etc/apt/sources.list"
"""
# Records what would run in the folder, with its environment, which is a fresh one.
UNSHARE = """#!/bin/bash
CALLS=FOLDER/calls
case "$*" in *" debootstrap "*) while [ "$1" != debootstrap ]; do shift; done; exec "$@" ;; esac
while [ "${1##*/}" != box ]; do shift; done
box=$1
shift
case "$*" in
true) exit "$(cat FOLDER/namespaces)" ;;
*"install -y"*sudo*) echo "sudo is installed" >>"$CALLS" ;;
*)
    rm -rf FOLDER/seen
    cp -r "$box" FOLDER/seen
    env >FOLDER/env
    . FOLDER/while
    echo "inside: $*" | tail -n 1 >>"$CALLS"
    exit "$(cat FOLDER/status)" ;;
esac
"""
CHROOT = """#!/bin/bash
shift
case "$*" in
"getent passwd root") echo root:x:0:0:root:/root:/bin/bash ;;
"getent passwd player") echo player:x:1000:1000::/players/one:/bin/bash ;;
*) echo "chroot $*" >>"$CALLS" ;;
esac
"""
GIT = """#!/bin/bash
[ -z "${GIT_FAILS:-}" ] || exit 128
for folder; do :; done
echo "git clone" >>"$CALLS"
mkdir -p "$folder"
"""
APT = """#!/bin/bash
echo "apt-get $*" >>"$CALLS"
exit 100
"""
SOURCES = """Types: deb
URIs: http://mirror.example/debian/
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.pgp
"""


class Machine:
    """A fake Debian 12 on which the user is root."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.system = folder / "bin"
        self.etc = folder / "etc"
        self.cache = folder / "cache"
        self.calls = folder / "calls"
        self.calls.touch()
        (folder / "status").write_text("0")
        (folder / "namespaces").write_text("0")
        (folder / "while").touch()
        for made in (self.system, self.etc / "apt" / "sources.list.d", self.etc / "ssl" / "certs"):
            made.mkdir(parents=True)
        (self.etc / "apt" / "apt.conf.d").mkdir()
        (self.etc / "os-release").write_text("VERSION_CODENAME=bookworm\n")
        self.source("debian.sources", SOURCES)
        shutil.copytree(PACKAGING, folder / "checkout" / "packaging")
        programs = {
            "id": "#!/bin/bash\necho 0\n",
            "debootstrap": DEBOOTSTRAP,
            "unshare": UNSHARE.replace("FOLDER", str(folder)),
            "chroot": CHROOT,
            "git": GIT,
            "apt-get": APT,
        }
        for name, text in programs.items():
            self.program(name, text)

    def program(self, name: str, text: str) -> None:
        path = self.system / name
        path.write_text(text)
        path.chmod(0o755)

    def source(self, name: str, text: str) -> None:
        (self.etc / "apt" / "sources.list.d" / name).write_text(text)

    def run(self, *arguments: str | Path, code: int = 0, **more: str) -> tuple[list[str], str]:
        """Run the script; return its own calls, and its output."""
        before = len(self.calls.read_text().splitlines())
        with self.start(*arguments, quiet=False, **more) as process:
            _, said = process.communicate()
        assert process.returncode == code, said
        return self.calls.read_text().splitlines()[before:], said

    def start(
        self, *arguments: str | Path, quiet: bool = False, **more: str
    ) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [self.folder / "checkout" / "packaging" / "bare", *arguments],
            env={
                # Without the real debootstrap, which this machine may have.
                "PATH": f"{self.system}:/usr/bin:/bin",
                "BARE_CACHE": str(self.cache),
                "BARE_ETC": str(self.etc),
                "CALLS": str(self.calls),
                **more,
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL if quiet else subprocess.PIPE,
            text=True,
        )

    @property
    def pristine(self) -> Path:
        return self.cache / "lanuno-bare-bookworm-python" / "pristine"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_the_two_commands_run_in_a_clone(machine: Machine) -> None:
    calls, _ = machine.run()
    assert calls[0].startswith("debootstrap --variant=minbase --include=python3,python3-venv,git")
    assert calls[0].endswith("http://mirror.example/debian")
    assert calls[1:3] == ["git clone", "chroot chown -R root: /root"]
    assert calls[3].endswith("/lanuno /root sh -c ./packaging/run && ./packaging/test")
    assert not (machine.pristine.parent / "box").exists()


def test_a_command_and_its_status(machine: Machine) -> None:
    (machine.folder / "status").write_text("7")
    calls, _ = machine.run("trixie", "make", "all", code=7)
    assert calls[0].split()[3] == "trixie"
    assert calls[-1].endswith("/lanuno /root make all")


def test_the_folder_is_cached(machine: Machine) -> None:
    machine.run()
    (machine.pristine / "kept").touch()
    calls, _ = machine.run()
    assert "debootstrap" not in " ".join(calls)
    assert (machine.pristine / "kept").exists()


@pytest.mark.parametrize("why", ["asked for", "old", "another recipe", "half made"])
def test_the_folder_is_made_again(machine: Machine, why: str) -> None:
    machine.run()
    (machine.pristine / "stale").touch()
    recipe = machine.pristine.parent / "recipe"
    if why == "old":
        long_ago = time.time() - 9 * 86400
        os.utime(recipe, (long_ago, long_ago))
    elif why == "another recipe":
        recipe.write_text("other\n")
    elif why == "half made":
        recipe.unlink()
    machine.run(*(["--fresh"] if why == "asked for" else []))
    assert not (machine.pristine / "stale").exists()


def test_registries_are_those_of_this_machine(machine: Machine) -> None:
    machine.source("other.sources", "URIs: https://other.example/apt\nSuites: bookworm\n")
    machine.source("debian.sources.disabled", SOURCES)
    machine.source("third.sources", SOURCES + "Signed-By: /etc/apt/keyrings/third.asc\n")
    machine.source(
        "third.list", "deb [signed-by=/x.asc] http://third.example/linux/debian x main\n"
    )
    machine.source("deep.list", "deb http://deep.example/debian/12/prod bookworm main\n")
    machine.source("more.list", "deb http://more.example/debian bookworm-backports main\n")
    (machine.etc / "apt" / "apt.conf.d" / "99proxy").write_text('Acquire::http::Proxy "x";\n')
    (machine.etc / "apt" / "apt.conf.d" / "50other").write_text("Unattended-Upgrade {};\n")
    packaged = machine.etc / "apt" / "apt.conf.d" / "20packaged"
    packaged.write_text("Acquire::Languages none;\n")
    machine.program("dpkg-query", f'#!/bin/bash\n[ "$2" = {packaged} ]\n')
    (machine.etc / "pip.conf").write_text("[global]\n")
    (machine.etc / "ssl" / "certs" / "own.pem").write_text("own")
    calls, _ = machine.run("trixie", "true", PIP_INDEX_URL="https://index.example")
    assert "http://m" in calls[0]
    etc = machine.folder / "seen" / "etc"
    found = sorted(path.name for path in (etc / "apt" / "sources.list.d").iterdir())
    assert found == ["debian.sources", "more.list"]
    source = (etc / "apt" / "sources.list.d" / "debian.sources").read_text()
    assert "Suites: trixie trixie-updates" in source
    assert "/debian-archive-keyring.gpg" in source
    assert (etc / "apt" / "sources.list").read_text() == ""
    assert [path.name for path in (etc / "apt" / "apt.conf.d").iterdir()] == ["99proxy"]
    assert (etc / "pip.conf").exists()
    assert (etc / "ssl" / "certs" / "own.pem").exists()
    inside = (machine.folder / "env").read_text().splitlines()
    assert "PIP_INDEX_URL=https://index.example" in inside
    assert not any(line.startswith("BARE_") for line in inside)


def test_a_machine_that_is_no_debian_leaves_the_mirror_to_debootstrap(machine: Machine) -> None:
    (machine.etc / "apt" / "sources.list.d" / "debian.sources").unlink()
    assert machine.run()[0][0].endswith("/new")
    assert (machine.folder / "seen" / "etc" / "apt" / "sources.list").read_text() != ""


def test_changed_settings_reach_a_cached_folder(machine: Machine) -> None:
    machine.run()
    (machine.etc / "pip.conf").write_text("[global]\n")
    assert "debootstrap" not in " ".join(machine.run()[0])
    assert (machine.folder / "seen" / "etc" / "pip.conf").exists()


@pytest.mark.parametrize("option", ["--user", "--sudo"])
def test_an_ordinary_user(machine: Machine, option: str) -> None:
    calls, _ = machine.run(option, "bookworm", "true")
    assert "chroot useradd --create-home --shell /bin/bash player" in calls
    assert ("sudo is installed" in calls) is (option == "--sudo")
    assert "/players/one/lanuno /players/one setpriv" in calls[-1]
    assert calls[-1].endswith("setpriv --reuid=player --regid=player --init-groups true")


def test_files_can_be_given(machine: Machine, tmp_path: Path) -> None:
    file = tmp_path / "a file"
    file.write_text("x")
    machine.run("--with", file, "bookworm", "true")
    assert (tmp_path / "seen" / "root" / "given" / "a file").read_text() == "x"


def test_a_system_without_python_has_no_clone(machine: Machine) -> None:
    calls, _ = machine.run("--without-python", "bookworm", "true")
    assert "--include=ca-certificates " in calls[0]
    assert "git clone" not in calls
    assert calls[-1].endswith("/root /root true")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [(["--with", "nothing"], "there is no file nothing"), (["--wrong"], "no option --wrong")],
)
def test_wrong_options_are_named(machine: Machine, arguments: list[str], why: str) -> None:
    calls, said = machine.run(*arguments, code=125)
    assert calls == []
    assert why in said


def test_only_root_can_make_it(machine: Machine) -> None:
    machine.program("id", "#!/bin/bash\necho 1000\n")
    calls, said = machine.run(code=125)
    assert calls == []
    assert "only root" in said


def test_a_release_that_cannot_be_made(machine: Machine) -> None:
    _, said = machine.run("bookworm", "true", DEBOOTSTRAP_FAILS="1", code=125)
    assert "E: no such release" in said
    assert "debootstrap could not make bookworm" in said
    assert not machine.pristine.exists()


def test_a_machine_without_namespaces(machine: Machine) -> None:
    (machine.folder / "namespaces").write_text("1")
    calls, said = machine.run(code=125)
    assert "git clone" not in calls
    assert "namespaces" in said


def test_a_machine_that_does_not_say_what_it_is(machine: Machine) -> None:
    (machine.etc / "os-release").unlink()
    machine.run(code=125)


def test_a_checkout_that_cannot_be_cloned_is_a_failure_of_its_own(machine: Machine) -> None:
    """On this machine instead, the tests might pass and hide the failure."""
    machine.run(GIT_FAILS="1", code=128)


def test_a_command_cannot_claim_that_there_was_no_folder(machine: Machine) -> None:
    (machine.folder / "status").write_text("125")
    machine.run(code=1)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a checkout to somebody else")
def test_the_clone_shares_nothing_with_the_checkout_of_somebody_else(machine: Machine) -> None:
    (machine.system / "git").unlink()
    checkout = machine.folder / "checkout"
    for command in (
        ["git", "init", "-q"],
        ["git", "add", "."],
        ["git", "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "x"],
        ["chown", "-R", "1234:1234", "."],
    ):
        subprocess.run(command, cwd=checkout, check=True)
    machine.run("bookworm", "true")
    assert (machine.folder / "seen" / "root" / "lanuno" / "packaging" / "bare").exists()
    objects = [path for path in (checkout / ".git" / "objects").rglob("*") if path.is_file()]
    assert objects
    for path in objects:
        assert (path.stat().st_uid, path.stat().st_nlink) == (1234, 1)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_ends_what_runs_inside(
    machine: Machine, number: signal.Signals, code: int
) -> None:
    """It ends even if it ignores the signal itself, and leaves neither folder nor lock."""
    inside = machine.folder / "inside"
    (machine.folder / "while").write_text(f"trap '' INT TERM; echo $$ >{inside}; exec sleep 60")
    with machine.start("bookworm", "true", quiet=True) as process:
        deadline = time.monotonic() + 30
        while not (inside.exists() and inside.read_text()):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        process.send_signal(number)
        assert process.wait(30) == code
    assert not Path(f"/proc/{inside.read_text().strip()}").exists()
    assert not (machine.pristine.parent / "box").exists()
    (machine.folder / "while").write_text("")
    assert "waiting" not in machine.run("bookworm", "true")[1]


def test_a_second_run_waits_for_the_first(machine: Machine) -> None:
    machine.run("bookworm", "true")
    with (machine.pristine.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with machine.start("bookworm", "true") as process:
            assert process.stderr is not None
            assert "waiting for another run" in process.stderr.readline()
            fcntl.flock(lock, fcntl.LOCK_UN)
            assert process.wait(30) == 0


# How .ci/run uses it.


@pytest.mark.parametrize(
    ("bare", "wine", "test", "code", "runs"),
    [
        (0, 0, 0, 0, ["bare", "bare trixie"]),
        (0, 3, 0, 3, ["bare", "bare trixie"]),
        (0, 125, 0, 0, ["bare", "bare trixie"]),
        (3, 0, 0, 3, ["bare"]),
        (125, 0, 0, 0, ["bare", "test"]),
        (125, 0, 1, 1, ["bare", "test"]),
        (125, 0, 125, 125, ["bare", "test"]),
    ],
)
def test_the_tests_inside_decide(
    tmp_path: Path, bare: int, wine: int, test: int, code: int, runs: list[str]
) -> None:
    texts = {
        "bare": f'echo "bare${{1:+ $1}}"; [ -z "${{1:-}}" ] || exit {wine}; exit {bare}',
        "test": f"echo test; exit {test}",
    }
    for name, text in texts.items():
        program = tmp_path / "packaging" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/bash\n{text}\n")
        program.chmod(0o755)
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")
    done = subprocess.run(
        ["bash", ".ci/run"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == code
    lines = done.stdout.splitlines()
    assert lines[: len(runs)] == runs
    assert ("NOT ON A BARE MACHINE" in done.stdout) is (bare == 125)
    assert ("NOT UNDER WINE" in lines[-1]) is (wine == 125)
