"""Tests of lanuno.net.runtime."""
