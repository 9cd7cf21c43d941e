"""Puts the compiled translations into what is built. Called by hatchling alone."""

from __future__ import annotations

import importlib.util
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class TranslationsHook(BuildHookInterface[Any]):
    """The .qm files are no part of the sources, but of every installation."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile them: for a wheel in a folder of its own, so that the sources may be read-only.

        An editable installation runs from the checkout, and so they go there.
        """
        compiler = self._compiler()
        if version == "editable":
            compiler.compile_all()
            return
        self._folder = tempfile.TemporaryDirectory(prefix="lanuno-i18n-")
        build_data["force_include"].update(
            {
                str(path): f"lanuno/_resources/i18n/{path.name}"
                for path in compiler.compile_all(target=Path(self._folder.name))
            }
        )

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """The files are packed."""
        if version != "editable":
            self._folder.cleanup()

    def _compiler(self) -> ModuleType:
        path = Path(self.root) / "packaging" / "compile_languages.py"
        spec = importlib.util.spec_from_file_location("compile_languages", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
