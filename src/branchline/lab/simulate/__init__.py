"""Many games between fixed line-ups, with their results.

`simulation` is what to play, `play` plays it on all cores, `store` keeps the results in a folder
from which an interrupted simulation continues, `parquet` has the columns of the finished files, and
`summary` adds the results up.
"""
