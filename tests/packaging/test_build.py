"""Tests of packaging/build and packaging/smoke on a fake system: what they require and start.

The packages themselves take minutes: `packaging/build` makes them, `packaging/smoke` tests them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from distribution.__main__ import main

from tests.harness.processes.packaging_programs import PACKAGING, ROOT

VERSION = "1.2.3"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the scripts, beside a `bare` that prints how it was called."""
    folder = tmp_path / "checkout"
    (folder / "packaging").mkdir(parents=True)
    (folder / "lanuno").mkdir()
    (folder / "dist").mkdir()
    (folder / "lanuno" / "__init__.py").write_text(f'__version__ = "{VERSION}"\n')
    for name in ("build", "smoke", "smoke_inside", "environment.sh"):
        shutil.copy(PACKAGING / name, folder / "packaging" / name)
    bare = folder / "packaging" / "bare"
    bare.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    bare.chmod(0o755)
    return folder


def run(
    checkout: Path, script: str, *arguments: str, path: Path | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [checkout / "packaging" / script, *arguments],
        env={"PATH": str(path) if path else os.environ["PATH"], "HOME": str(checkout)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("script", ["build", "smoke"])
@pytest.mark.parametrize("arguments", [[], ["nothing"], ["--help"]])
def test_wrong_words_are_answered_with_the_usage(
    checkout: Path, script: str, arguments: list[str]
) -> None:
    done = run(checkout, script, *arguments)
    assert done.returncode == 2
    assert f"packaging/{script} wheel" in done.stderr
    assert "/usr/bin/env" not in done.stderr


@pytest.mark.parametrize(
    ("kind", "package", "more", "options"),
    [
        ("wheel", f"lanuno-{VERSION}-py3-none-any.whl", (), []),
        ("uv", f"lanuno-{VERSION}-py3-none-any.whl", (), []),
        ("sdist", f"lanuno-{VERSION}.tar.gz", (), []),
        ("portable", f"lanuno-{VERSION}-linux-x86_64.tar.xz", (), ["--without-python"]),
        ("deb", f"lanuno_{VERSION}-1_amd64.deb", (), ["--without-python"]),
        (
            "windows",
            f"lanuno-{VERSION}-windows-x86_64.zip",
            (f"lanuno-{VERSION}-windows-x86_64-setup.exe",),
            ["--without-python"],
        ),
    ],
)
def test_the_package_of_this_version_is_tried(
    checkout: Path, kind: str, package: str, more: tuple[str, ...], options: list[str]
) -> None:
    missing = run(checkout, "smoke", kind)
    assert missing.returncode == 2
    assert "packaging/build" in missing.stderr
    for version in (VERSION, "1.2.2", "1.2.30"):
        for name in (package, *more):
            (checkout / "dist" / name.replace(VERSION, version)).write_text("")
    words = run(checkout, "smoke", kind, "trixie").stdout.splitlines()
    assert [word for word in words if word == "--without-python"] == options
    given = [words[number + 1] for number, word in enumerate(words) if word == "--with"]
    assert [Path(each).name for each in given if "icuuc" not in each] == [
        *("smoke_inside", package, *more)
    ]
    assert "trixie" in words
    assert words[-3:] == [kind, package, VERSION]


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder with the tools that the scripts themselves use, and nothing else."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("bash", "env", "cat", "dirname", "realpath", "id", "mkdir", "mktemp", "rm", "sed"):
        found = shutil.which(name)
        assert found is not None
        (folder / name).symlink_to(found)
    return folder


def pretend(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!/bin/bash\n{script}\n")
    (folder / name).chmod(0o755)


def test_without_a_python_that_is_named(checkout: Path, tools: Path) -> None:
    done = run(checkout, "build", "wheel", path=tools)
    assert done.returncode != 0
    assert "Python 3.11" in done.stderr


def test_a_static_python_is_refused(checkout: Path, tools: Path) -> None:
    pretend(tools, "python3", 'case "$*" in -) echo static >&2; exit 1 ;; esac')
    done = run(checkout, "build", "portable", path=tools)
    assert done.returncode != 0
    assert "linked statically" in done.stderr
    assert "PYTHON=" in done.stderr


def test_missing_tools_are_named(checkout: Path, tools: Path) -> None:
    if not Path("/usr/share/common-licenses").is_dir():
        pytest.skip("only on Debian")
    pretend(tools, "dpkg-deb", "")
    pretend(tools, "python3", 'case "$*" in -) echo libpython3.11 ;; *ensurepip*) exit 1 ;; esac')
    done = run(checkout, "build", "deb", path=tools)
    assert done.returncode != 0
    for package in ("libpython3.11", "binutils", "lintian", "python3-venv"):
        assert package in done.stderr
    wheel = run(checkout, "build", "wheel", path=tools)
    assert "python3-venv" in wheel.stderr
    assert "binutils" not in wheel.stderr


def test_a_deb_is_built_where_there_is_dpkg(checkout: Path, tools: Path) -> None:
    if not Path("/usr/share/common-licenses").is_dir():
        pytest.skip("only on Debian")
    pretend(tools, "python3", "")
    done = run(checkout, "build", "deb", path=tools)
    assert done.returncode != 0
    assert "dpkg-deb" in done.stderr


def test_a_build_that_fails_says_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    from distribution import wheel
    from distribution.project import BuildError

    def build() -> Path:
        raise BuildError("no room")

    monkeypatch.setattr("distribution.__main__.WORK", tmp_path / "build")
    monkeypatch.setattr(wheel, "build", build)
    assert main(["wheel"]) == 1
    assert "packaging/build: no room" in capsys.readouterr().err


def test_what_is_built_is_ignored_by_git() -> None:
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    assert {"build/", "dist/"} <= set(ignored)
    assert sys.version_info >= (3, 11)
