"""Tests of lanuno.bots."""
