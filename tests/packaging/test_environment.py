"""Tests of packaging/environment.sh on a fake system: Python, .venv, and who may install."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.harness.processes.packaging_programs import ROOT
from tests.packaging.pretended_system import APT, INSIDE, OTHER, SUDO, Checkout


@pytest.mark.parametrize(
    "what", ["pyproject.toml", "packaging/build_hook.py", "packaging/locked/checkout.txt"]
)
def test_what_decides_the_installation_is_looked_at(checkout: Checkout, what: str) -> None:
    checkout.run("run")
    (checkout.folder / what).write_text("[project]\nname = 'x'\n")
    calls, _ = checkout.run("run")
    assert [call.split()[:4] for call in calls[:-1]] == [["python", "-m", "pip", "install"]] * 2


def test_two_first_runs_at_once_install_once(checkout: Checkout) -> None:
    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(checkout.run, "run", "find", PIP_SECONDS="0.5") for _ in range(2)]
        for each in runs:
            each.result()
    calls = checkout.calls.read_text().splitlines()
    assert sorted(call.split()[0] for call in calls) == [
        "lanuno",
        "lanuno",
        "python",
        "python",
        "python3",
    ]


def test_another_python_makes_a_new_environment(checkout: Checkout) -> None:
    checkout.run("run")
    (checkout.system / "version").write_text("3.13\n")
    (checkout.folder / ".venv" / "pip").unlink()
    assert checkout.run("run")[0][0] == "python3 -m venv"


def test_half_a_pip_makes_a_new_environment(checkout: Checkout) -> None:
    """An interrupted installation left a pip that can be imported but does not run."""
    checkout.run("run")
    (checkout.folder / ".venv" / "pip").unlink()
    (checkout.folder / ".venv" / ".lanuno-checkout").unlink()
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
    (inside / ".lanuno-checkout").unlink()
    path = f"{inside / 'bin'}:{checkout.system}"
    assert checkout.run("run", "find", PATH=path)[0][0] == "python3 -m venv"


def test_one_installation_is_not_taken_for_another(checkout: Checkout) -> None:
    """`run` and `test` share the environment, and a branch may need other libraries."""
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


def test_compiled_modules_are_kept(checkout: Checkout) -> None:
    """Without them, each program compiles all of its modules when it starts."""
    told = 'echo "keeps: ${PYTHONDONTWRITEBYTECODE:-}" >"$SYSTEM/told"; '
    checkout.program("inside", INSIDE.replace("*cli.main*) ", f"*cli.main*) {told}"))
    checkout.run("run", "find", PYTHONDONTWRITEBYTECODE="1")
    assert (checkout.system / "told").read_text().strip() == "keeps:"


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
    assert checkout.run("run")[0][1].endswith(f"-e {checkout.folder}")


def test_an_interrupted_installation_is_finished(checkout: Checkout) -> None:
    inside = INSIDE.replace('*"pip install"*)', '*"pip install"*) exit 1')
    checkout.program("inside", inside)
    calls, said = checkout.run("run", code=6)
    assert calls == ["python3 -m venv"]
    assert "pip could not install it" in said
    (checkout.folder / ".venv" / "bin" / "python").write_text(INSIDE)
    calls, _ = checkout.run("run")
    assert [call.split()[0] for call in calls] == ["python", "python", "lanuno"]


def test_languages_that_cannot_be_compiled_stop_everything(checkout: Checkout) -> None:
    checkout.program("inside", INSIDE.replace("languages.py) ;;", "languages.py) exit 1 ;;"))
    assert "languages could not be compiled" in checkout.run("run", code=6)[1]


@pytest.fixture
def elsewhere() -> Iterator[Checkout]:
    """A checkout in a folder that any user can reach; pytest's folders are closed to others."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        checkout = Checkout(folder)
        checkout.calls.chmod(0o666)
        if OTHER is not None:
            # The Python that runs this test may be in one of root's folders.
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
    # The suggested command works.
    command = said.splitlines()[-1].replace("packaging/run", "packaging/run find")
    home = elsewhere.calls.parent / "home"
    home.mkdir()
    home.chmod(0o777)
    done = subprocess.run(
        ["/bin/bash", "-c", command],
        env={
            **elsewhere.environment,
            "PATH": f"{elsewhere.system}:/bin",
            "HOME": str(home),
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


# Python.


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


def test_a_python_that_does_not_suit_is_refused(checkout: Checkout) -> None:
    (checkout.system / "python-does-not-suit").touch()
    checkout.program("apt-get", APT)
    said = checkout.run("run", code=6)[1]
    assert "needs Python 3.11, 3.12 or 3.13; this system has none" in said


def test_the_pythons_that_suit_are_those_of_pyproject() -> None:
    text = (ROOT / "packaging" / "environment.sh").read_text()
    found = re.search(r"not \(3, (\d+)\) <= sys.version_info < \(3, (\d+)\)", text)
    assert found is not None
    with (ROOT / "pyproject.toml").open("rb") as file:
        wanted = tomllib.load(file)["project"]["requires-python"]
    assert wanted == f">=3.{found[1]},<3.{found[2]}"


def test_an_environment_with_a_python_that_does_not_suit_is_made_again(checkout: Checkout) -> None:
    checkout.run("run")
    (checkout.folder / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    python = checkout.folder / ".venv" / "bin" / "python"
    python.write_text(INSIDE.replace('[ ! -e "$SYSTEM/python-does-not-suit" ]', "exit 1"))
    assert checkout.run("run")[0][0] == "python3 -m venv"


def test_a_python_can_be_chosen(checkout: Checkout) -> None:
    chosen = checkout.system / "my python"
    (checkout.system / "python3").rename(chosen)
    assert checkout.run("run", PYTHON=str(chosen))[0][0] == "python3 -m venv"


def test_a_chosen_python_that_is_none(checkout: Checkout) -> None:
    calls, said = checkout.run("run", PYTHON="python3.99", code=6)
    assert calls == []
    assert "PYTHON=python3.99 is no Python 3.11, 3.12 or 3.13" in said


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
            env=checkout.environment,
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
