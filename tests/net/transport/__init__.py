"""Tests of lanuno.net.transport."""
