"""The tests. They mirror the packages of `lanuno`, plus bench (ratios) and whole-table runs."""
