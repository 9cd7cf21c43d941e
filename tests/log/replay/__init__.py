"""Tests of lanuno.log.replay."""
