"""Many games between fixed line-ups, with their results.

`simulation` is what to play, `play` plays it on all cores, `results_folder` keeps the results so
that an interrupted simulation can continue, `tables` has the columns of the finished files, and
`summary` adds the results up.
"""
