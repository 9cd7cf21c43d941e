"""Adds the compiled languages to a build. Called only by hatchling."""

from __future__ import annotations

import importlib
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class LanguagesHook(BuildHookInterface[Any]):
    """Adds the .mo and .qm files, which are not in the sources but in every installation."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the languages.

        A wheel gets them from a temporary folder, so the sources may be read-only. An editable
        installation runs from the checkout, so they are written there.
        """
        compiler = self._compiler()
        folder = Path(self.root) / "resources" / "languages"
        if version == "editable":
            compiler.compile_all(folder)
            return
        self._folder = tempfile.TemporaryDirectory(prefix="lanuno-languages-")
        build_data["force_include"].update(
            {
                str(path): f"lanuno/_resources/languages/{path.name}"
                for path in compiler.compile_all(folder, Path(self._folder.name))
            }
        )

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove the temporary folder, once the files are packed."""
        if version != "editable":
            self._folder.cleanup()

    def _compiler(self) -> ModuleType:
        """Import the compiler beside this file, which hatchling loads by path."""
        sys.path.insert(0, str(Path(self.root) / "packaging"))
        try:
            return importlib.import_module("compile_languages")
        finally:
            del sys.path[0]
