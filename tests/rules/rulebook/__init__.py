"""Tests of lanuno.rules.rulebook."""
