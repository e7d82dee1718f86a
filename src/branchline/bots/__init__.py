"""Players that see a view and answer a decision."""

from branchline.bots.bot import Bot
from branchline.bots.registry import BotError, bot_names, make_bot, seat_bot

__all__ = ["Bot", "BotError", "bot_names", "make_bot", "seat_bot"]
