"""Tests of lanuno.rules.engine."""
