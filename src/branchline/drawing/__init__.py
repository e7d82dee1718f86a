"""The pictures of the boards: made from geography, stored as data, tuned by hand.

`drawing_for(board)` in `drawings` returns the drawing of any board; `draw_svg` in `svg` shows it.
All lengths are in units of the picture, in which a car has the same length on every board.
"""
