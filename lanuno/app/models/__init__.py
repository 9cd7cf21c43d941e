"""List models for the views of QML.

Start with `rows.py`, the one model; each of the other modules defines the rows of some screens.
Rows hold plain values. Computing them belongs to `lanuno.app.controllers`.
"""
