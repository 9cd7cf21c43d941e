"""The tests mirror the packages of `lanuno`; others measure ratios (bench) or run whole tables."""
