"""Tests of lanuno.app and of its QML."""
