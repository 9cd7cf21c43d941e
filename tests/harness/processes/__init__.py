"""Commands run as programs of their own, as people run them, and what comes out of them.

`programs.py` starts `lanuno` and looks at its output, its log and its exit.
`packaging_programs.py` loads the programs of `packaging/`.
"""
