"""Visitors: their past games, their ratings, the name they want to be known by, forgetting them."""
