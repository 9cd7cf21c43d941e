"""The resources are found in a checkout, an installed wheel, and a frozen bundle."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from lanuno.store import resources as module
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.resources import resource, resources
from tests.harness.systems import not_on_windows

ROOT = Path(__file__).resolve().parents[2]
PIECE = ("qml", "Main.qml")
ASK = f"from lanuno.store.resources import resource; print(resource(*{PIECE}))"


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    """Clear the cached location, which is looked up once per program, for every test."""
    resources.cache_clear()
    yield
    resources.cache_clear()


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


def test_a_checkout_has_them_at_its_top() -> None:
    assert resource(*PIECE) == ROOT / "resources" / "qml" / "Main.qml"


@not_on_windows("wheels are built elsewhere")
def test_a_wheel_brings_them(tmp_path: Path) -> None:
    # Use a copy, because the build may leave files beside its sources.
    source = tmp_path / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"):
        shutil.copy(ROOT / name, source)
    ignored = shutil.ignore_patterns("__pycache__", "*.mo", "*.qm")
    for name in ("lanuno", "packaging", "resources"):
        shutil.copytree(ROOT / name, source / name, ignore=ignored)
    # A checkout may hold an older compiled catalogue.
    (source / "resources" / "languages" / "old.qm").write_bytes(b"?")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "-q")
    offline = ("--no-deps", "--no-index", "--no-cache-dir")
    wheels = tmp_path / "wheels"
    run(*pip, "wheel", *offline, "--no-build-isolation", "-w", wheels, source, cwd=tmp_path)
    (wheel,) = wheels.iterdir()
    with zipfile.ZipFile(wheel) as opened:
        names = set(opened.namelist())
    assert {"lanuno/py.typed", "lanuno/_resources/qml/Main.qml"} <= names
    languages = [path.stem for path in (ROOT / "resources" / "languages").glob("*.po")]
    assert {"en", "es"} <= {*languages}
    # Compiled catalogues only, without their sources.
    assert {name for name in names if "/languages/" in name} == {
        f"lanuno/_resources/languages/{language}.{kind}"
        for language in languages
        for kind in ("mo", "qm")
    }
    assert not [name for name in names if name.startswith(("tests/", "packaging/", "resources/"))]

    # The libraries come from this environment; the product comes from the wheel alone.
    import venv

    place = tmp_path / "venv"
    venv.create(place, system_site_packages=False, with_pip=False, symlinks=True)
    python = place / "bin" / "python"
    site = Path(run(python, "-c", "import site; print(site.getsitepackages()[0])", cwd=tmp_path))
    install = ("install", *offline, "--target", site, wheel)
    run(*pip, *install, cwd=tmp_path)
    found = Path(run(python, "-I", "-c", ASK, cwd=tmp_path))
    assert found == site.joinpath("lanuno", "_resources", *PIECE)
    assert found.read_bytes() == resource(*PIECE).read_bytes()


def test_a_frozen_bundle_brings_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = tmp_path / "lanuno" / "_resources"
    inside.mkdir(parents=True)
    (inside / "x").write_bytes(b"")
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert resource("x") == inside / "x"


def test_an_installation_without_them_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = tmp_path / "lanuno" / "store" / "resources.py"
    monkeypatch.setattr(module, "__file__", str(alone))
    with pytest.raises(StoreError) as caught:
        resources()
    assert caught.value.problem is FileProblem.MISSING_RESOURCES


def test_a_folder_called_resources_next_to_the_package_is_not_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "resources").mkdir()
    monkeypatch.setattr(module, "__file__", str(tmp_path / "lanuno" / "store" / "resources.py"))
    with pytest.raises(StoreError):
        resources()


def test_a_missing_resource_is_named() -> None:
    with pytest.raises(StoreError) as caught:
        resource("languages", "xx.mo")
    assert caught.value.problem is FileProblem.MISSING_RESOURCES
    assert caught.value.path.name == "xx.mo"
