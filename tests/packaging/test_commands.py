"""Tests of packaging/run and packaging/test on a pretended system: what they install and start.

Nothing is installed here. `packaging/bare` shows that they work on a system without anything.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.packaging.loading import PACKAGING, ROOT

# The Python of the environment. It writes down how it is called, and answers what the scripts ask.
INSIDE = """#!/bin/bash
case "$*" in
*"< (3, 11)"*) [ ! -e "$SYSTEM/python-is-old" ] ;;
*hashlib*) cat "$SYSTEM/version"; exec "$REAL" "$@" ;;
*has_display*) PYTHONPATH=$SOURCES exec "$REAL" "$@" ;;
*PySide6*) echo /nowhere/PySide6 ;;
*"pip --version") [ -e "${0%/*}/../pip" ] ;;
*compile_translations.py) ;;
*cli.main*) shift 2; echo "lanuno $*" >>"$CALLS" ;;
*"pip install"*) sleep "${PIP_SECONDS:-0}"; echo "${0##*/} $*" >>"$CALLS" ;;
*) echo "${0##*/} $*${PYTEST_ADDOPTS:+ $PYTEST_ADDOPTS}" >>"$CALLS" ;;
esac
"""
# The system's Python, which makes the environment.
PYTHON = """#!/bin/bash
case "$*" in
*"%d.%d-venv"*) echo python3.11-venv ;;
*ensurepip*) [ ! -e "$SYSTEM/no-venv" ] ;;
"-m venv "*)
    echo "python3 -m venv" >>"$CALLS"
    mkdir -p "$3/bin"
    touch "$3/pip"
    cp "$SYSTEM/inside" "$3/bin/python"
    cp "$SYSTEM/inside" "$3/bin/python3" ;;
*) . "$SYSTEM/inside" ;;
esac
"""
APT = """#!/bin/bash
echo "${ROOT_BY:+$ROOT_BY }apt-get $*" >>"$CALLS"
[ -z "${APT_FAILS:-}" ] || { echo "E: no such package" >&2; exit 100; }
case "$*" in
*update*) exit 100 ;;
*install*) touch "$SYSTEM/apt-installed"; rm -f "$SYSTEM/no-venv" ;;
esac
"""
SUDO = """#!/bin/bash
[ "$1" = -n ] || { echo "sudo asks for a password" >>"$CALLS"; ROOT_BY=sudo exec "$@"; }
shift
[ ! -e "$SYSTEM/sudo-asks" ] || exit 1
ROOT_BY=sudo exec "$@"
"""
# Qt lacks one library until apt has installed something. The output is longer than a pipe holds.
LDD = """#!/bin/bash
[ -e "$SYSTEM/apt-installed" ] || echo "	libxcb-icccm.so.4 => not found"
for n in {1..5000}; do echo "	libc.so.6 => /lib/libc.so.6 (0x00007f5c1e400000)"; done
[ -z "${LDD_STILL:-}" ] || echo "	libEGL.so.1 => not found"
exit 1
"""
TOOLS = """bash cat cp cut dirname env flock mkdir mktemp realpath rm sed sleep sort touch
true"""
NOBODY = 65534
# Root may write everywhere; then somebody else tries it.
OTHER = NOBODY if os.getuid() == 0 else None


class Checkout:
    """A copy of the scripts beside a pretended system, in which the user is root without apt."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "check out"
        self.system = folder / "bin"
        self.calls = folder / "calls"
        self.calls.touch()
        self.python = {"REAL": sys.executable, "SOURCES": str(ROOT)}
        """What answers for the environment's Python where the answer is not pretended."""
        self.system.mkdir()
        shutil.copytree(PACKAGING, self.folder / "packaging")
        (self.folder / "pyproject.toml").write_text("[project]\n")
        (self.system / "version").write_text("3.11\n")
        self.program("inside", INSIDE)
        self.program("python3", PYTHON)
        self.program("id", "#!/bin/bash\necho 0\n")
        for tool in TOOLS.split():
            found = shutil.which(tool)
            assert found is not None
            (self.system / tool).symlink_to(found)

    def program(self, name: str, text: str) -> None:
        path = self.system / name
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)

    def ordinary_user(self) -> None:
        self.program("id", "#!/bin/bash\necho 1000\n")

    def lacks(self, package: str) -> None:
        """Of the Debian packages, only this one is not installed."""
        script = f'[ "${{@: -1}}" = {package} ] && exit 1; echo "install ok installed"'
        self.program("dpkg-query", f"#!/bin/bash\n{script}\n")

    def run(
        self,
        script: str,
        *arguments: str,
        code: int = 0,
        user: int | None = None,
        display: bool = False,
        **more: str,
    ) -> tuple[list[str], str]:
        """The calls that the script made, without those before, and what it said.

        `more` are variables of the environment; with `display` one that stands for a display.
        """
        if display:
            more["QT_QPA_PLATFORM"] = "offscreen"
        before = len(self.calls.read_text().splitlines())
        done = subprocess.run(
            [self.folder / "packaging" / script, *arguments],
            env={
                "PATH": str(self.system),
                "CALLS": str(self.calls),
                "SYSTEM": str(self.system),
                **self.python,
                **more,
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            user=user,
        )
        assert done.returncode == code, done.stderr
        return self.calls.read_text().splitlines()[before:], done.stderr


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_the_first_run_installs_and_the_second_does_not(checkout: Checkout) -> None:
    calls, said = checkout.run("run", "find", "--seconds", "1 2")
    assert calls[0] == "python3 -m venv"
    assert calls[1].startswith("python -m pip install ")
    assert calls[1].endswith(f"-e {checkout.folder}")
    assert calls[2:] == ["lanuno find --seconds 1 2"]
    assert "installing" in said
    assert checkout.run("run", "find") == (["lanuno find"], "")


@pytest.mark.parametrize("folder", ["check out", "elsewhere"])
def test_it_is_found_from_anywhere(checkout: Checkout, tmp_path: Path, folder: str) -> None:
    """By a link, and by a relative path although `cd` would look in other folders."""
    link = tmp_path / "elsewhere" / "packaging" / "run"
    link.parent.mkdir(parents=True)
    link.symlink_to(checkout.folder / "packaging" / "run")
    done = subprocess.run(
        ["packaging/run", "find"],
        cwd=tmp_path / folder,
        env={
            "PATH": str(checkout.system),
            "CALLS": str(checkout.calls),
            "SYSTEM": str(checkout.system),
            "CDPATH": str(tmp_path),
            **checkout.python,
        },
        check=False,
    )
    assert done.returncode == 0
    calls = checkout.calls.read_text().splitlines()
    assert calls[1].endswith(f"-e {checkout.folder}")
    assert calls[2] == "lanuno find"


def test_two_first_runs_at_once_install_once(checkout: Checkout) -> None:
    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(checkout.run, "run", "find", PIP_SECONDS="0.5") for _ in range(2)]
        for each in runs:
            each.result()
    calls = checkout.calls.read_text().splitlines()
    assert sorted(call.split()[0] for call in calls) == ["lanuno", "lanuno", "python", "python3"]


def test_without_arguments_and_display_the_demo_is_run(checkout: Checkout) -> None:
    assert checkout.run("run")[0][-1] == "lanuno demo"


def test_with_a_display_the_window_is_opened(checkout: Checkout) -> None:
    calls, said = checkout.run("run", display=True)
    assert calls[-1] == "lanuno "
    assert "libxcb" not in said


def test_a_display_that_does_not_answer_is_none(checkout: Checkout) -> None:
    assert checkout.run("run", DISPLAY=":9999")[0][-1] == "lanuno demo"


@pytest.mark.parametrize(
    ("option", "call"),
    [("--install-desktop", "install --program"), ("--remove-desktop", "remove")],
)
def test_the_menu_entry(checkout: Checkout, option: str, call: str) -> None:
    assert f"lanuno.app.desktop {call}" in checkout.run("run", option)[0][-1]


# Libraries of the window.


@pytest.mark.parametrize("script", ["run", "test"])
def test_missing_libraries_are_installed(checkout: Checkout, script: str) -> None:
    checkout.program("ldd", LDD)
    checkout.program("apt-get", APT)
    calls, said = checkout.run(script, display=True)
    update, install = (call for call in calls if call.startswith("apt-get"))
    assert update == "apt-get -qq update"
    assert " libegl1 " in install
    assert " libxcb-icccm4 " in install
    assert "are missing" not in said
    assert "apt-get" not in " ".join(checkout.run(script, display=True)[0])


def test_libraries_that_cannot_be_installed_are_named(checkout: Checkout) -> None:
    checkout.program("ldd", LDD)
    calls, said = checkout.run("run", display=True)
    assert "please install what Debian calls: libegl1 " in said
    assert "these libraries are missing: libxcb-icccm.so.4\n" in said
    assert calls[-1] == "lanuno "


def test_libraries_that_are_still_missing_are_named(checkout: Checkout) -> None:
    checkout.program("ldd", LDD)
    checkout.program("apt-get", APT)
    _, said = checkout.run("run", display=True, LDD_STILL="1")
    assert "these libraries are missing: libEGL.so.1\n" in said


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ("", True),
        ("--lang es", True),
        ("join lanuno://x", True),
        ("--home x open game.lanuno", True),
        ("find", False),
        ("--lang es verify game.lanuno", False),
        ("--version", False),
        ("join --help", False),
    ],
)
def test_libraries_are_installed_for_the_window_alone(
    checkout: Checkout, arguments: str, wanted: bool
) -> None:
    checkout.program("ldd", LDD)
    checkout.program("apt-get", APT)
    words = arguments.split()
    assert "apt-get" not in " ".join(checkout.run("run", *words)[0])
    calls, _ = checkout.run("run", *words, display=True)
    assert ("apt-get" in " ".join(calls)) is wanted
    assert calls[-1] == f"lanuno {arguments}"


def test_the_tests_go_on_without_the_window(checkout: Checkout) -> None:
    checkout.program("ldd", LDD)
    calls, said = checkout.run("test", code=6)
    for call in calls[-2:]:
        assert "--ignore=tests/app --ignore=tests/window" in call
        assert "-p no:pytest-qt" in call
    assert "--ignore=tests/lan" not in calls[-1]
    assert "NOT COMPLETE: left out tests/app tests/window;" in said
    (checkout.folder / "tests" / "net").mkdir(parents=True)
    (call,) = checkout.run("test", "tests/net")[0]
    assert call.startswith("python -m pytest tests/net -p no:pytest-qt")


# The environment.


@pytest.mark.parametrize("what", ["pyproject.toml", "packaging/build_hook.py"])
def test_what_decides_the_installation_is_looked_at(checkout: Checkout, what: str) -> None:
    checkout.run("run")
    (checkout.folder / what).write_text("[project]\nname = 'x'\n")
    calls, _ = checkout.run("run")
    assert [call.split()[:4] for call in calls[:-1]] == [["python", "-m", "pip", "install"]]


def test_another_python_makes_a_new_environment(checkout: Checkout) -> None:
    checkout.run("run")
    (checkout.system / "version").write_text("3.13\n")
    (checkout.folder / ".venv" / "pip").unlink()
    assert checkout.run("run")[0][0] == "python3 -m venv"


def test_half_a_pip_makes_a_new_environment(checkout: Checkout) -> None:
    """Interrupted while it was made: pip can be imported, but does not run."""
    checkout.run("run")
    (checkout.folder / ".venv" / "pip").unlink()
    (checkout.folder / ".venv" / ".lanuno-run").unlink()
    assert checkout.run("run")[0][0] == "python3 -m venv"


def test_an_environment_of_another_tool_is_kept(checkout: Checkout) -> None:
    (checkout.folder / ".venv" / "bin").mkdir(parents=True)
    kept = checkout.folder / ".venv" / "kept"
    kept.touch()
    calls, said = checkout.run("run", code=6)
    assert calls == []
    assert ".venv has no pip, and LanUNO did not make it" in said
    assert kept.exists()


def test_an_active_environment_does_not_make_itself(checkout: Checkout) -> None:
    checkout.run("run")
    inside = checkout.folder / ".venv"
    (inside / "pip").unlink()
    (inside / ".lanuno-run").unlink()
    path = f"{inside / 'bin'}:{checkout.system}"
    assert checkout.run("run", "find", PATH=path)[0][0] == "python3 -m venv"


def test_one_installation_is_not_taken_for_another(checkout: Checkout) -> None:
    """`run` and `test` share the environment; a branch may want other libraries."""
    pyproject = checkout.folder / "pyproject.toml"
    checkout.run("run")
    pyproject.write_text("[project]\nname = 'x'\n")
    checkout.run("test", "tests/net")
    assert checkout.run("run", "find")[0] == ["lanuno find"]
    pyproject.write_text("[project]\n")
    assert "pip install" in checkout.run("run", "find")[0][0]


def test_settings_of_pip_and_python_decide_nothing(checkout: Checkout) -> None:
    told = 'echo "${PIP_USER:-} ${PIP_TARGET:-} ${PYTHONPATH:-} ${PYTHONHOME:-}" >"$SYSTEM/told"; '
    checkout.program("inside", INSIDE.replace('*"pip install"*) ', f'*"pip install"*) {told}'))
    checkout.run("run", PIP_USER="1", PIP_TARGET="/x", PYTHONPATH="/x", PYTHONHOME="/x")
    assert (checkout.system / "told").read_text().split() == ["0"]


@pytest.mark.parametrize(("charset", "told"), [("ANSI_X3.4-1968", "1"), ("UTF-8", "")])
def test_paths_are_read_in_an_ascii_locale_too(checkout: Checkout, charset: str, told: str) -> None:
    checkout.program("locale", f"#!/bin/bash\necho {charset}\n")
    tell = 'echo "${PYTHONUTF8:-}" >"$SYSTEM/told"; '
    checkout.program("inside", INSIDE.replace("*cli.main*) ", f"*cli.main*) {tell}"))
    checkout.run("run", "find")
    assert (checkout.system / "told").read_text().strip() == told


def test_a_file_system_without_locks(checkout: Checkout) -> None:
    (checkout.system / "flock").unlink()
    checkout.program("flock", "#!/bin/bash\nexit 65\n")
    calls, said = checkout.run("run", "find")
    assert calls[-1] == "lanuno find"
    assert "without a lock" in said


def test_an_environment_that_was_moved_is_installed_again(checkout: Checkout) -> None:
    checkout.run("run")
    checkout.folder = checkout.folder.rename(checkout.folder.with_name("moved"))
    assert checkout.run("run")[0][0].endswith(f"-e {checkout.folder}")


def test_an_interrupted_installation_is_finished(checkout: Checkout) -> None:
    inside = INSIDE.replace('*"pip install"*)', '*"pip install"*) exit 1')
    checkout.program("inside", inside)
    calls, said = checkout.run("run", code=6)
    assert calls == ["python3 -m venv"]
    assert "pip could not install it" in said
    (checkout.folder / ".venv" / "bin" / "python").write_text(INSIDE)
    calls, _ = checkout.run("run")
    assert [call.split()[0] for call in calls] == ["python", "lanuno"]


def test_translations_that_cannot_be_compiled_stop_everything(checkout: Checkout) -> None:
    checkout.program("inside", INSIDE.replace("translations.py) ;;", "translations.py) exit 1 ;;"))
    assert "translations" in checkout.run("run", code=6)[1]


@pytest.fixture
def elsewhere() -> Iterator[Checkout]:
    """A checkout in a folder that any user can reach; those of pytest are closed to others."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        checkout = Checkout(folder)
        checkout.calls.chmod(0o666)
        if OTHER is not None:
            # The one that runs this may be in a folder of root's.
            python = shutil.which("python3", path="/usr/bin:/usr/local/bin")
            assert python is not None
            checkout.python["REAL"] = python
        yield checkout
        checkout.folder.chmod(0o755)


def test_a_checkout_that_cannot_be_written_to_says_what_to_do(elsewhere: Checkout) -> None:
    elsewhere.folder.chmod(0o555)
    calls, said = elsewhere.run("run", code=6, user=OTHER)
    assert calls == []
    assert f"{elsewhere.folder} cannot be written to" in said
    # What it says can be done.
    command = said.splitlines()[-1].replace("packaging/run", "packaging/run find")
    home = elsewhere.calls.parent / "home"
    home.mkdir()
    home.chmod(0o777)
    done = subprocess.run(
        ["/bin/bash", "-c", command],
        env={
            "PATH": f"{elsewhere.system}:/bin",
            "HOME": str(home),
            "CALLS": str(elsewhere.calls),
            "SYSTEM": str(elsewhere.system),
            **elsewhere.python,
        },
        check=False,
        user=OTHER,
    )
    assert done.returncode == 0
    assert elsewhere.calls.read_text().splitlines()[-1] == "lanuno find"


def test_an_installed_checkout_may_be_read_only(elsewhere: Checkout) -> None:
    elsewhere.run("run")
    elsewhere.folder.chmod(0o555)
    assert elsewhere.run("run", "find", user=OTHER) == (["lanuno find"], "")


@pytest.mark.skipif(OTHER is None, reason="only root can give a folder to somebody else")
def test_an_environment_of_somebody_else_is_named(elsewhere: Checkout) -> None:
    elsewhere.run("run")
    elsewhere.folder.chmod(0o777)
    (elsewhere.folder / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    calls, said = elsewhere.run("run", code=6, user=OTHER)
    assert calls == []
    assert "belongs to somebody else" in said


# Python itself.


def test_python_is_installed_if_there_is_none(checkout: Checkout) -> None:
    python = checkout.system / "python3"
    hidden = python.rename(python.with_name("hidden"))
    checkout.program("apt-get", APT + f'cp "{hidden}" "{python}"\n')
    calls, _ = checkout.run("run")
    assert calls[1].endswith("install -y --no-install-recommends python3 python3-venv")
    assert calls[2] == "python3 -m venv"


def test_a_missing_python_is_named(checkout: Checkout) -> None:
    (checkout.system / "python3").unlink()
    calls, said = checkout.run("run", code=6)
    assert calls == []
    assert "please install what Debian calls: python3 python3-venv" in said
    assert "Python 3.11" in said


def test_an_old_python_is_refused(checkout: Checkout) -> None:
    (checkout.system / "python-is-old").touch()
    checkout.program("apt-get", APT)
    assert "needs Python 3.11 or newer; this system has none" in checkout.run("run", code=6)[1]


def test_a_python_can_be_chosen(checkout: Checkout) -> None:
    chosen = checkout.system / "my python"
    (checkout.system / "python3").rename(chosen)
    assert checkout.run("run", PYTHON=str(chosen))[0][0] == "python3 -m venv"


def test_a_chosen_python_that_is_none(checkout: Checkout) -> None:
    calls, said = checkout.run("run", PYTHON="python3.99", code=6)
    assert calls == []
    assert "PYTHON=python3.99 is no Python 3.11 or newer" in said


def test_a_missing_venv_is_installed(checkout: Checkout) -> None:
    (checkout.system / "no-venv").touch()
    checkout.program("apt-get", APT)
    calls, _ = checkout.run("run")
    assert calls[1].endswith(" python3.11-venv")
    assert calls[2] == "python3 -m venv"


def test_a_missing_venv_is_named(checkout: Checkout) -> None:
    (checkout.system / "no-venv").touch()
    calls, said = checkout.run("run", code=6)
    assert calls == []
    assert "please install what Debian calls: python3.11-venv" in said


# Who may install packages.


@pytest.mark.parametrize(
    ("sudo", "asks", "by"),
    [(False, False, None), (True, False, "sudo"), (True, True, None)],
    ids=["no sudo", "sudo", "sudo that asks where nobody can answer"],
)
def test_an_ordinary_user_installs_with_sudo(
    checkout: Checkout, sudo: bool, asks: bool, by: str | None
) -> None:
    checkout.ordinary_user()
    checkout.program("apt-get", APT)
    (checkout.system / "no-venv").touch()
    if sudo:
        checkout.program("sudo", SUDO)
    if asks:
        (checkout.system / "sudo-asks").touch()
    calls, said = checkout.run("run", code=0 if by else 6)
    assert (f"{by} apt-get -qq update" in calls) is (by is not None)
    assert ("apt-get" in " ".join(calls)) is (by is not None)
    assert ("please run as root: apt-get install python3.11-venv" in said) is (by is None)


def test_sudo_may_ask_at_a_terminal(checkout: Checkout) -> None:
    checkout.ordinary_user()
    checkout.program("apt-get", APT)
    checkout.program("sudo", SUDO)
    (checkout.system / "sudo-asks").touch()
    (checkout.system / "no-venv").touch()
    ours, theirs = os.openpty()
    try:
        done = subprocess.run(
            [checkout.folder / "packaging" / "run", "find"],
            env={
                "PATH": str(checkout.system),
                "CALLS": str(checkout.calls),
                "SYSTEM": str(checkout.system),
                **checkout.python,
            },
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            check=False,
        )
    finally:
        os.close(theirs)
        os.close(ours)
    assert done.returncode == 0
    calls = checkout.calls.read_text().splitlines()
    assert calls[0] == "sudo asks for a password"
    assert "sudo apt-get -qq update" in calls


def test_what_apt_says_when_it_fails_is_shown(checkout: Checkout) -> None:
    (checkout.system / "no-venv").touch()
    checkout.program("apt-get", APT)
    calls, said = checkout.run("run", code=6, APT_FAILS="1")
    assert [call.split()[-1] for call in calls] == ["update", "python3.11-venv"]
    assert "E: no such package" in said
    assert "please run as root: apt-get install python3.11-venv" in said


# The tests.


def test_testing_installs_more_and_checks_everything(checkout: Checkout) -> None:
    checkout.run("run")
    calls, said = checkout.run("test")
    assert calls[0].endswith(f"-e {checkout.folder}[test]")
    names = [call.split()[2] for call in calls[1:]]
    assert names == ["ruff", "ruff", "mypy", "pytest", "pytest"]
    measured, others = (call.split() for call in calls[-2:])
    assert "--cov-fail-under=100" in measured
    folders = [word for word in measured if word.startswith("tests/")]
    assert folders == ["tests/rules", "tests/dealing", "tests/log"]
    # What the first run leaves out is all that the second one runs.
    assert [word for word in others if "tests/" in word] == [f"--ignore={each}" for each in folders]
    assert "COMPLETE" not in said
    assert "pip" not in " ".join(checkout.run("test")[0])


def test_a_part_of_the_tests_can_be_run(checkout: Checkout) -> None:
    checkout.run("test")
    calls, _ = checkout.run("test", "tests/store", "-k", "a or b")
    assert calls == ["python -m pytest tests/store -k a or b"]


def test_a_failing_step_fails_the_whole(checkout: Checkout) -> None:
    checkout.run("test")
    python = checkout.folder / ".venv" / "bin" / "python"
    python.write_text(INSIDE.replace("\n*) echo", "\n*mypy*) exit 3 ;;\n*) echo"))
    calls, _ = checkout.run("test", code=3)
    assert [call.split()[2] for call in calls] == ["ruff", "ruff"]


@pytest.mark.parametrize(
    ("package", "folder"),
    [
        ("nftables", "tests/lan"),
        ("xdotool", "tests/window"),
        ("shared-mime-info", "tests/packaging/test_desktop_files.py"),
        ("zsh", "tests/packaging/test_help_files.py"),
        ("shellcheck", "tests/packaging/test_scripts.py"),
    ],
)
def test_tests_without_their_packages_are_left_out_and_named(
    checkout: Checkout, package: str, folder: str
) -> None:
    checkout.lacks(package)
    test = checkout.folder / "tests" / "net" / "test_x.py"
    test.parent.mkdir(parents=True)
    test.touch()
    calls, said = checkout.run("test", code=6)
    assert f"--ignore={folder}" in calls[-1]
    assert f"please install what Debian calls: {package}\n" in said
    assert f"left out {folder};" in said
    # Above them, and inside them.
    for asked in ("tests", "tests/", f"{folder}/test_y.py::test_z", "-x"):
        (checkout.folder / folder).mkdir(parents=True, exist_ok=True)
        (checkout.folder / folder / "test_y.py").touch()
        calls, _ = checkout.run("test", asked, code=6)
        assert calls == [f"python -m pytest --ignore={folder} {asked}"]
    # Beside them: nobody misses what was not asked for.
    for asked in ("tests/net", "tests/net/test_x.py::test_z"):
        calls, said = checkout.run("test", asked)
        assert (calls, said) == ([f"python -m pytest {asked}"], "")


def test_missing_packages_are_installed(checkout: Checkout) -> None:
    checkout.lacks("xdotool")
    checkout.program("apt-get", APT)
    calls, said = checkout.run("test")
    assert [call for call in calls if "apt-get" in call][1].endswith("-recommends xdotool")
    assert "--ignore=tests/window" not in calls[-1]
    assert "COMPLETE" not in said
