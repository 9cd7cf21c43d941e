"""Tests of lanuno.net."""
