"""What games between bots show about a board.

`survey` plays the games and keeps who claimed and held what; `analysis` derives from them how the
board's tickets, routes and seats fare.
"""
