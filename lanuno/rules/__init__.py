"""The pure game of LanUNO: cards, rulesets, actions, events, engine, views, scores and formats.

What lives in this package knows no sockets, files, clocks, threads or randomness: shuffles and
opened cards come from outside. This file holds the package's description and no code; import the
classes from the module that defines them.
"""
