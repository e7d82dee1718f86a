"""Players that see a view and answer a decision."""

from branchline.bots.bot import Bot
from branchline.bots.fault import BotFault
from branchline.bots.registry import BotError, bot_names, make_bot
from branchline.bots.seated import NamedBot, seat_bot

__all__ = ["Bot", "BotError", "BotFault", "NamedBot", "bot_names", "make_bot", "seat_bot"]
