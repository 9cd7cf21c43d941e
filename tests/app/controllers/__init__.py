"""Tests of the controllers, one file for each, without a display."""
