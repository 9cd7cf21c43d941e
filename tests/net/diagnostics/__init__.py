"""Tests of lanuno.net.diagnostics."""
