"""Bots: players that see a view and answer a decision.

`bot` is the contract, `registry` makes bots by name, `session` plays them through a game and
`conformance` checks them. The planner is `planner`, with `observation`, `plan`, `steiner`,
`card_value`, `ticket_value`, `bonuses` and `rivals`.
"""

from branchline.bots.bot import Bot
from branchline.bots.checked_bot import CheckedBot, seat_bot
from branchline.bots.fault import BotFault
from branchline.bots.registry import BotError, bot_names, make_bot

__all__ = ["Bot", "BotError", "BotFault", "CheckedBot", "bot_names", "make_bot", "seat_bot"]
