"""Bots against each other: contests in blocks of games, leagues of many contests, and ratings.

`contest` plays the blocks of a line-up and `league` one bot against many on several boards.
`standings` puts the results of a contest together, `ratings` fits the strengths of the bots, and
`sprt` is the sequential test that ends a contest as soon as it is decided.
"""
