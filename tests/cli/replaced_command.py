"""`lanuno find` replaced by a function, in this process or in a program of its own."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import CommandOutput

ROOT = Path(__file__).resolve().parents[2]

Run = Callable[[argparse.Namespace, CommandOutput], ExitCode]
"""The function of a command."""

FAKE = """
import sys, types
fake = types.ModuleType("lanuno.cli.find")
def run(args, out):
    BODY
vars(fake).update(add=lambda parser, text: None, run=run)
sys.modules["lanuno.cli.find"] = fake
from lanuno.cli.main import main
sys.exit(main(["find", *sys.argv[1:]]))
"""
"""A program whose `lanuno find` runs BODY."""
