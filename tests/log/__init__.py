"""Tests of lanuno.log."""
