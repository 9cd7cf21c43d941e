"""Tests of the entry point of the app."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def test_nothing_keeps_the_source_of_what_is_loaded() -> None:
    code = "import json, linecache, lanuno.app.main, lanuno.app.running as r; print("
    code += "json.dumps([r.__file__, *linecache.cache]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    module, *cached = json.loads(done.stdout)
    # A checkout may have any name and contain the libraries, so the folder is compared.
    package = Path(module).parents[1]
    assert package.name == "lanuno"
    assert [each for each in cached if Path(each).is_relative_to(package)] == []
