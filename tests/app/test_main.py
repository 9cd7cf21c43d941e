"""Tests of the entry point of the app."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def test_no_source_of_a_loaded_module_is_kept_in_memory() -> None:
    code = "import json, linecache, lanuno.app.main, lanuno.app.running as r; print("
    code += "json.dumps([r.__file__, *linecache.cache]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    module, *cached = json.loads(done.stdout)
    # A checkout may have any name and contain the libraries, so the folder is compared.
    package = Path(module).parents[1]
    assert package.name == "lanuno"
    assert [each for each in cached if Path(each).is_relative_to(package)] == []


def test_modules_of_the_app_are_loaded_with_the_plain_import() -> None:
    """PySide replaces `__import__` by one that reads the source of every module."""
    code = "import builtins; plain = builtins.__import__; import lanuno.app.main as main;"
    code += "from lanuno.app import program; import PySide6.QtCore;"
    code += "assert builtins.__import__ is plain; assert main.main is program.run"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
