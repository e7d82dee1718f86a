"""The pictures of the boards: made from geography, stored as data, tuned by hand.

`drawing_for(board)` in `store` gives the picture of any board; `draw_svg` in `svg` shows it. The
numbers are all in the board's own units, in which a car is always equally long.
"""
