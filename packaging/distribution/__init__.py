"""Builds the packages: wheel, portable archive and .deb. Start reading in `__main__`.

What runs inside the finished packages is `frozen.py` and nothing else here. `packaging/build`
prepares the environment in which this runs.
"""
