"""Tests of what stands in packaging/: the two commands of README, the bare folder, the packages."""
