"""The pure game: cards, rulesets, actions, events, state, engine, views, scores, match formats.

No cryptography, no input or output, no clock and no randomness: what the engine needs is asked for
and handed in.
"""
