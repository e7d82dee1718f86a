"""The laboratory: many games on all cores, tournaments with honest intervals, studies of boards.

Its modules need more packages than playing does; `pip install branchline[lab]` brings them. Playing
and summing up (`simulate` without `--out`) work without.
"""
