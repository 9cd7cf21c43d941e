"""Tests of lanuno.rules.engine.house_rules."""
