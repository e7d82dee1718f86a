"""Express cards: each strengthens one action, once per game."""

from __future__ import annotations

from branchline.rules.express_cards.params import ExpressCardsParams
from branchline.rules.express_cards.rule import ExpressCards
from branchline.rules.registration import add_rule

add_rule(ExpressCardsParams, "KR-2", lambda c, v, b: ExpressCards(c, v.values))
