"""The results of auditing a finished transcript: verdict, blame, forks, and the story for review.

Start with `audit.py`. The checks of one round are in `lanuno.log.round.round_audit`, because a
replay needs them as well.
"""
