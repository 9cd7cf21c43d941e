"""Tests of packaging/run and packaging/test on a fake system: what they install and start.

Nothing is installed here. `packaging/bare` shows that they work on a minimal system.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.packaging.pretended_system import APT, INSIDE, LDD, Checkout


def assert_installs(checkout: Checkout, extra: str, calls: list[str]) -> None:
    """Assert that the calls install the locked versions, and then the checkout alone."""
    locked, itself = calls
    file = checkout.folder / "packaging" / "locked" / f"{extra}.txt"
    assert locked.startswith("python -m pip install ")
    assert locked.endswith(f"--require-hashes -r {file}")
    assert itself.endswith(f"--no-deps --no-build-isolation -e {checkout.folder}")


def test_the_first_run_installs_and_the_second_does_not(checkout: Checkout) -> None:
    calls, said = checkout.run("run", "find", "--seconds", "1 2")
    assert calls[0] == "python3 -m venv"
    assert_installs(checkout, "checkout", calls[1:3])
    assert calls[3:] == ["lanuno find --seconds 1 2"]
    assert "installing" in said
    assert checkout.run("run", "find") == (["lanuno find"], "")


@pytest.mark.parametrize("folder", ["check out", "elsewhere"])
def test_it_is_found_from_anywhere(checkout: Checkout, tmp_path: Path, folder: str) -> None:
    """The script works through a link, and by a relative path despite a misleading CDPATH."""
    link = tmp_path / "elsewhere" / "packaging" / "run"
    link.parent.mkdir(parents=True)
    link.symlink_to(checkout.folder / "packaging" / "run")
    done = subprocess.run(
        ["packaging/run", "find"],
        cwd=tmp_path / folder,
        env={
            **checkout.environment,
            "CDPATH": str(tmp_path),
        },
        check=False,
    )
    assert done.returncode == 0
    calls = checkout.calls.read_text().splitlines()
    assert_installs(checkout, "checkout", calls[1:3])
    assert calls[3] == "lanuno find"


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


# The libraries of the window.


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


def test_libraries_count_and_not_what_apt_says(checkout: Checkout) -> None:
    checkout.program("ldd", LDD)
    checkout.program("apt-get", APT.replace('no-venv" ;;', 'no-venv"; exit 100 ;;'))
    _, said = checkout.run("run", display=True)
    assert "are missing" not in said
    assert "may not open" not in said


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
    checkout.lacks("pulseaudio")
    calls, said = checkout.run("test", code=6)
    for call in calls[-2:]:
        left = ("app", "cli/test_start.py", "window", "reader")
        assert " ".join(f"--ignore=tests/{each}" for each in left) in call
        assert "-p no:pytest-qt" in call
    assert "--ignore=tests/lan" not in calls[-1]
    assert (
        "NOT COMPLETE: left out tests/app tests/cli/test_start.py tests/window tests/reader;"
        in said
    )
    (checkout.folder / "tests" / "net").mkdir(parents=True)
    call = checkout.run("test", "tests/net")[0][-1]
    assert call.startswith("python -m pytest tests/net -p no:pytest-qt")


# The tests.


def test_testing_installs_more_and_checks_everything(checkout: Checkout) -> None:
    checkout.run("run")
    calls, said = checkout.run("test")
    assert_installs(checkout, "test", calls[:2])
    names = [call.split()[2] for call in calls[2:]]
    assert names == ["ruff", "ruff", "mypy", "mypy", "mypy", "pytest", "pytest"]
    measured, others = (call.split() for call in calls[-2:])
    assert "--cov-fail-under=100" in measured
    folders = [word for word in measured if word.startswith("tests/")]
    assert folders == ["tests/rules", "tests/dealing", "tests/log"]
    # The second run covers exactly what the first one leaves out.
    assert [word for word in others if "tests/" in word] == [f"--ignore={each}" for each in folders]
    assert "COMPLETE" not in said
    assert "pip" not in " ".join(checkout.run("test")[0])


def test_the_newest_versions_can_be_tried(checkout: Checkout) -> None:
    """They get an environment of their own, and what they deprecate fails the tests."""
    checkout.run("test")
    calls, said = checkout.run("test", "--newest", "tests")
    assert calls[0] == "python3 -m venv"
    installs = [call for call in calls if " pip install " in call]
    assert "--require-hashes" not in " ".join(installs)
    assert installs[-1].endswith(f" -e {checkout.folder}[test]")
    assert (checkout.folder / "build" / "newest" / "bin" / "python").exists()
    assert "-W error::DeprecationWarning" in calls[-1]
    assert calls[-1].endswith(" tests")
    assert "other than in packaging/locked" in said
    assert "pip" not in " ".join(checkout.run("test", "tests")[0])


def test_a_part_of_the_tests_can_be_run(checkout: Checkout) -> None:
    checkout.run("test")
    for folder in ("lanuno/store", "lanuno/net/transport", "tests/store", "tests/net"):
        (checkout.folder / folder).mkdir(parents=True)
    calls, _ = checkout.run("test", "tests/store", "-k", "a or b")
    assert calls == [
        "python -m ruff check",
        "python -m ruff format --check",
        "python -m mypy lanuno/store tests/store",
        "python -m pytest tests/store -k a or b",
    ]
    # A folder of the program stands for its tests, or else for those of its package.
    for asked, typed, tests in (
        ("lanuno/store", "lanuno/store", "tests/store"),
        ("lanuno/net/transport", "lanuno/net/transport", "tests/net"),
        ("-x", "", "-x"),
    ):
        calls, _ = checkout.run("test", asked)
        assert calls[2:] == [f"python -m mypy {typed}".strip(), f"python -m pytest {tests}"]


def test_a_module_stands_for_its_tests(checkout: Checkout) -> None:
    checkout.run("test")
    modules = ("lanuno/net/transport/tls.py", "lanuno/net/errors.py")
    for path in (*modules, "tests/net/transport/test_tls.py"):
        file = checkout.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    calls, _ = checkout.run("test", *modules)
    assert calls[2:] == [
        "python -m mypy lanuno/net/errors.py lanuno/net/transport/tls.py",
        "python -m pytest tests/net/transport/test_tls.py tests/net",
    ]


def test_two_tests_of_a_package_have_its_types_checked_once(checkout: Checkout) -> None:
    checkout.run("test")
    (checkout.folder / "lanuno/log").mkdir(parents=True)
    paths = [f"tests/log/test_{name}.py" for name in ("a", "b")]
    for path in paths:
        file = checkout.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    calls, _ = checkout.run("test", *paths)
    assert calls[2] == "python -m mypy lanuno/log tests/log/test_a.py tests/log/test_b.py"


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
        ("pulseaudio-utils", "tests/app/test_sound_device.py"),
        ("xauth", "tests/cli/test_start.py"),
        ("xdotool", "tests/window"),
        ("python3-pyatspi", "tests/reader"),
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
    # Paths above and inside the left-out tests.
    for asked in ("tests", "tests/", f"{folder}/test_y.py::test_z", "-x"):
        (checkout.folder / folder).mkdir(parents=True, exist_ok=True)
        (checkout.folder / folder / "test_y.py").touch()
        calls, _ = checkout.run("test", asked, code=6)
        assert calls[-1] == f"python -m pytest --ignore={folder} {asked}"
    # Paths beside them: tests that were not requested are not reported as missing.
    for asked in ("tests/net", "tests/net/test_x.py::test_z"):
        calls, said = checkout.run("test", asked)
        assert calls[-1] == f"python -m pytest {asked}"
        assert "left out" not in said


def test_missing_packages_are_installed(checkout: Checkout) -> None:
    checkout.lacks("xdotool")
    checkout.program("apt-get", APT)
    calls, said = checkout.run("test")
    assert [call for call in calls if "apt-get" in call][1].endswith("-recommends xdotool")
    assert "--ignore=tests/window" not in calls[-1]
    assert "COMPLETE" not in said
