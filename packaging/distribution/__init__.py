"""Builds the packages: wheel, portable archive and .deb. Start reading in `__main__`.

Only `frozen.py` runs inside the finished packages. `packaging/build` prepares the environment that
this code runs in.
"""
