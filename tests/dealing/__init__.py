"""Tests of lanuno.dealing."""
