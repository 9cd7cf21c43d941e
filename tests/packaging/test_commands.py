"""Tests of packaging/run and packaging/test with a pretended Python: what they install and start.

Nothing is installed here. That they work on a fresh system is seen by running them on one.
"""

from __future__ import annotations

import shutil
import stat
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Writes down how it was called. What the scripts ask a Python directly is answered.
PRETENDED = """#!/bin/bash
case "$*" in
*sys.version_info*) exit 0 ;;
*sys.version*) echo 3.11 ;;
*PySide6.__path__*) echo /nowhere/PySide6 ;;
*ensurepip*) [ ! -e "${0%/*}/no-venv" ] ;;
*"import pip"*) [ -e "${0%/*}/../pip" ] ;;
*) echo "${0##*/} $*" >>"$CALLS" ;;
esac
"""
FAKE_VENV = """#!/bin/bash
case "$*" in
"-m venv "*)
    echo "python3 -m venv" >>"$CALLS"
    mkdir -p "$3/bin"
    touch "$3/pip"
    cp "${0%/*}/inside" "$3/bin/python"
    cp "${0%/*}/inside" "$3/bin/lanuno"
    exit ;;
esac
. "${0%/*}/inside"
"""


class Checkout:
    """A copy of the scripts beside a pretended system."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "checkout"
        self.system = folder / "bin"
        self.calls = folder / "calls"
        self.system.mkdir()
        shutil.copytree(ROOT / "packaging", self.folder / "packaging")
        (self.folder / "pyproject.toml").write_text("[project]\n")
        self.program("inside", PRETENDED)
        self.program("python3", FAKE_VENV)
        tools = "bash cat cp cut dirname env id grep mkdir mktemp printf rm sha256sum touch uname"
        for tool in tools.split():
            found = shutil.which(tool)
            assert found is not None
            (self.system / tool).symlink_to(found)

    def program(self, name: str, text: str) -> None:
        path = self.system / name
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def run(
        self, script: str, *arguments: str, code: int = 0, display: str = ""
    ) -> tuple[list[str], str]:
        """The calls of Python and `lanuno` that the script made, and what it said."""
        self.calls.write_text("")
        done = subprocess.run(
            [self.folder / "packaging" / script, *arguments],
            env={"PATH": str(self.system), "CALLS": str(self.calls), "DISPLAY": display},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stderr
        return self.calls.read_text().splitlines(), done.stderr


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


def test_without_arguments_and_display_the_demo_is_run(checkout: Checkout) -> None:
    assert checkout.run("run")[0][-1] == "lanuno demo"


def test_with_a_display_the_window_is_opened(checkout: Checkout) -> None:
    calls, said = checkout.run("run", display=":5")
    assert calls[-1] == "lanuno "
    assert "libxcb" not in said


@pytest.mark.parametrize("script", ["run", "test"])
def test_what_a_window_needs_is_asked_for_if_the_loader_misses_it(
    checkout: Checkout, script: str
) -> None:
    checkout.program("ldd", '#!/bin/bash\necho "libxcb-icccm.so.4 => not found"\n')
    calls, said = checkout.run(script, display=":5")
    assert "please install: libegl1" in said
    assert "libxcb-icccm4" in said
    assert len(calls) > 2


def test_a_command_needs_no_window(checkout: Checkout) -> None:
    checkout.program("ldd", '#!/bin/bash\necho "libxcb-icccm.so.4 => not found"\n')
    assert "libxcb" not in checkout.run("run", "find", display=":5")[1]


def test_another_pyproject_installs_again(checkout: Checkout) -> None:
    checkout.run("run")
    (checkout.folder / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    calls, _ = checkout.run("run")
    assert [call.split()[:4] for call in calls[:-1]] == [["python", "-m", "pip", "install"]]


def test_a_broken_environment_is_made_again(checkout: Checkout) -> None:
    checkout.run("run")
    (checkout.folder / ".venv" / "pip").unlink()
    assert checkout.run("run")[0][0] == "python3 -m venv"


def test_testing_installs_more_and_checks_everything(checkout: Checkout) -> None:
    checkout.run("run")
    calls, _ = checkout.run("test")
    assert calls[0].endswith(f"-e {checkout.folder}[test]")
    names = [call.split()[2] for call in calls[1:]]
    assert names == ["ruff", "ruff", "mypy", "pytest", "pytest"]
    measured, others = (call.split() for call in calls[-2:])
    assert "--cov-fail-under=100" in measured
    folders = [word for word in measured if word.startswith("tests/")]
    assert folders == ["tests/rules", "tests/dealing", "tests/log"]
    # What the first run leaves out is all that the second one runs.
    assert [word for word in others if "tests/" in word] == [f"--ignore={each}" for each in folders]
    assert "pip" not in " ".join(checkout.run("test")[0])


def test_a_part_of_the_tests_can_be_run(checkout: Checkout) -> None:
    checkout.run("test")
    calls, _ = checkout.run("test", "tests/store", "-k", "a or b")
    assert calls == ["python -m pytest tests/store -k a or b"]


def test_a_missing_package_is_named(checkout: Checkout) -> None:
    (checkout.system / "no-venv").touch()
    calls, said = checkout.run("run", code=1)
    assert calls == []
    assert "apt-get install python3-venv" in said


def test_a_missing_python_is_named(checkout: Checkout) -> None:
    (checkout.system / "python3").unlink()
    calls, said = checkout.run("run", code=1)
    assert calls == []
    assert "Python 3.11" in said


def test_a_failing_step_fails_the_whole(checkout: Checkout) -> None:
    checkout.run("test")
    python = checkout.folder / ".venv" / "bin" / "python"
    python.write_text(PRETENDED.replace("\n*) echo", "\n*mypy*) exit 3 ;;\n*) echo"))
    calls, _ = checkout.run("test", code=3)
    assert [call.split()[2] for call in calls] == ["ruff", "ruff"]


def test_missing_system_packages_do_not_stop_the_tests(checkout: Checkout) -> None:
    checkout.program("dpkg-query", "#!/bin/bash\nexit 1\n")
    calls, said = checkout.run("test", "tests/net")
    assert calls[-1] == "python -m pytest tests/net"
    assert "please install: avahi-daemon avahi-utils iproute2 nftables dbus xvfb xdotool" in said
    assert "going on without" in said


@pytest.mark.parametrize("path", ["packaging/run", "packaging/test", ".ci/run"])
def test_the_scripts_can_be_run(path: str) -> None:
    assert (ROOT / path).stat().st_mode & 0o111 == 0o111
    assert "set -euo pipefail" in (ROOT / path).read_text(encoding="utf-8")
