"""Programs of Linux and of Windows at one table: two computers, a cable, and Wine on one of them.

`packaging/wine test` runs these tests, after those that Windows' own Python runs.
"""
