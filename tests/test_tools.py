"""The tools of developers: each `python -m tests.…` of the documents has a `--help`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "resources").rglob("*.md")]
NAMED = {
    name
    for each in DOCUMENTS
    for name in re.findall(r"python -m (tests[.\w]+)", each.read_text(encoding="utf-8"))
}
WITH_MAIN = {
    ".".join(each.parent.relative_to(ROOT).parts) for each in (ROOT / "tests").rglob("__main__.py")
}


@pytest.mark.parametrize("name", sorted(NAMED | WITH_MAIN))
def test_a_tool_explains_itself(name: str) -> None:
    """With what `packaging/test` installs: the libraries of the other extras may be missing."""
    done = subprocess.run(
        [sys.executable, "-m", name, "--help"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: python -m {name} ")


def test_git_ignores_an_environment_that_is_a_link(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / ".gitignore").write_bytes((ROOT / ".gitignore").read_bytes())
    (tmp_path / ".venv").symlink_to(tmp_path)
    done = subprocess.run(["git", "check-ignore", "-q", ".venv"], cwd=tmp_path, check=False)
    assert done.returncode == 0
