"""The commands as processes, run as users run them, and their output.

`programs.py` starts `lanuno` and checks its output, its log and its exit code.
`packaging_programs.py` says where the programs of `packaging/` are.
"""
