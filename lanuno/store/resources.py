"""Finding the texts, pictures and rules that come with the program, however it was installed.

There are three possible places: inside a frozen bundle, beside this package in an installed wheel,
and the folder `resources` of a source checkout.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from lanuno.store.errors import FileProblem, StoreError

_INSTALLED = Path("lanuno", "_resources")
"""Where the build puts the folder (pyproject.toml), and where a frozen bundle must put it."""


@cache
def resources() -> Path:
    """Return the folder of the resources. Raise `StoreError` MISSING_RESOURCES without one."""
    package = Path(__file__).resolve().parent.parent
    places = []
    bundle: str | None = getattr(sys, "_MEIPASS", None)
    if bundle is not None:
        places.append(Path(bundle) / _INSTALLED)
    places.append(package.parent / _INSTALLED)
    if (package.parent / "pyproject.toml").is_file():
        places.append(package.parent / "resources")
    for place in places:
        if place.is_dir():
            return place
    raise StoreError(FileProblem.MISSING_RESOURCES, places[0])


def resource(*parts: str) -> Path:
    """Return the path of one resource: `resource("languages", "es.mo")`.

    Raise `StoreError` MISSING_RESOURCES if it does not exist.
    """
    path = resources().joinpath(*parts)
    if not path.exists():
        raise StoreError(FileProblem.MISSING_RESOURCES, path)
    return path
