"""Bots at tables: worker processes, and the sessions that keep a bot's state through a game."""
