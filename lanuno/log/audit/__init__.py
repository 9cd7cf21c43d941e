"""What a finished transcript proves: the verdict, who is to blame, forks, and the story for people.

Start with `audit.py`. The checks of one round are in `lanuno.log.round.round_audit`, because a
replay needs them as well.
"""
