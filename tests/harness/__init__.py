"""What the tests of two or more folders share: tables, nodes, adversaries, sockets, processes.

Each package says in its docstring what belongs there. Support code of one folder stays in that
folder. There are no tests here, and nothing here imports a module of a test folder.
"""
