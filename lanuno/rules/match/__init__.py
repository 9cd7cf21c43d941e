"""Rounds in a row: formats, scores, who deals next, who wins, and the schedule of a tournament.

Start with `match.py`. What happens inside a round belongs to `lanuno.rules.engine`.
"""
