"""The laboratory: many games on all cores, tournaments with intervals, studies of boards.

- `commands` adds the commands `simulate`, `arena` and `study`; `requests` turns what a person asks
  for into work.
- `run` plays games, one or many. `simulate`, `arena` and `study` say which games, and what to make
  of them. `report` shows the results.
- `records` reads and writes many games in one file.
- `results`, `stats`, `numbers`, `parquet` and `errors` are shared by all of them.

The laboratory needs more packages than playing does; `pip install branchline[lab]` installs them.
Playing and adding up (`simulate` without `--out`) work without them.
"""
