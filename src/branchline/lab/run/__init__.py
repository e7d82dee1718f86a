"""How games are played: the line-up of a game, its runner, and the workers that share the games.

`line_up` says who plays on which board, `game_runner` plays one game, `worker_pool` spreads many
over the processes of this machine and `ray_pool` over a cluster; `progress` shows how far they are.
"""
