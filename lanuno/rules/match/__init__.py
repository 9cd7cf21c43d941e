"""Consecutive rounds: formats, scores, the next dealer, winners, and the tournament schedule.

Start with `match.py`. What happens inside a round belongs to `lanuno.rules.engine`.
"""
