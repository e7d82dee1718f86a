"""Tuning: the planner's weights for a board and a number of seats, found by play.

`tuning` is the search from its beginning to a confirmed result, with `evolution` (the optimiser),
`trial` (games between candidates and opponents), `ranges` and `weights_file`.
"""
