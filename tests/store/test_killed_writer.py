"""A real program is killed while writing, or its files may not grow."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.sidecar import Sidecar
from tests.harness.systems import not_on_windows

_WRITER = """
import sys
from pathlib import Path
from lanuno.store.errors import StoreError
from lanuno.store.sidecar import Sidecar
if int(sys.argv[2]):
    import resource, signal
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
sidecar = Sidecar(Path(sys.argv[1]))
try:
    for counter in range(10**9):
        sidecar.put_signed(0, counter, b"x" * 700)
        print(counter, flush=True)
except StoreError as error:
    print(error.problem.name, flush=True)
"""


def _writer(path: Path, largest: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", _WRITER, str(path), str(largest)]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


@pytest.mark.parametrize("told", [1, 50, 300])
def test_everything_that_a_killed_writer_confirmed_is_kept(told: int, tmp_path: Path) -> None:
    with _writer(tmp_path / "s", 0) as writer:
        assert writer.stdout is not None
        for _ in range(told):
            writer.stdout.readline()
        writer.kill()
        last = told - 1
        for line in writer.stdout.read().split(b"\n")[:-1]:
            last = int(line)
    with Sidecar(tmp_path / "s") as sidecar:
        kept = sidecar.signed()[0]
        assert set(kept) >= set(range(last + 1))
        assert max(kept) < sidecar.next_counter(0)


@not_on_windows("a test cannot limit the size of a file")
def test_a_file_that_may_not_grow_stays_whole(tmp_path: Path) -> None:
    with _writer(tmp_path / "s", 20_000) as writer:
        assert writer.stdout is not None
        lines = writer.stdout.read().split()
    assert lines[-1] == FileProblem.NOT_WRITABLE.name.encode()
    with Sidecar(tmp_path / "s") as sidecar:
        assert sidecar.torn is None
        assert list(sidecar.signed()[0]) == [int(line) for line in lines[:-1]]


def test_a_folder_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    with pytest.raises(StoreError) as caught:
        Sidecar(tmp_path / "s")
    assert caught.value.problem is FileProblem.NOT_WRITABLE
