"""Tests of the desktop app, without a display."""
