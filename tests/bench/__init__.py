"""Measurements, as ratios within one run. None is asserted in a test."""
