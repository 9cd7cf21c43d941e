"""Tests of lanuno.log.format."""
