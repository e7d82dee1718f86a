"""A table as data: the entries of its log, and what follows from them. Nothing here waits."""
