"""Tests of lanuno.cli."""
