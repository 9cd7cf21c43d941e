"""Tests of packaging/: the two commands of README, the bare folder, and the packages."""
