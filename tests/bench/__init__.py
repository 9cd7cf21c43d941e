"""Measurements, as ratios within one run. No test asserts them."""
