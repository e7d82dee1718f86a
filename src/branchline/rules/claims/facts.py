"""The facts of claims, payments and substitutes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from branchline.core.machine import i64
from branchline.engine.facts import WITHOUT_COLOUR, Action, Values
from branchline.engine.view import View
from branchline.rules.claims.registers import COLOUR, LEFT, ROUTE

if TYPE_CHECKING:
    from branchline.rules.claims.claim_routes import ClaimRoutes


def claim_facts(claims: ClaimRoutes, action: i64) -> Action:
    route = int(claims.route_of[action - claims.claim])
    card = int(claims.colour_of[action - claims.claim])
    values: Values = {"route": route, "card": card, "points": claims.points_of(route)}
    sentence = "claim"
    if card == claims.colours:
        no_colour = claims.route_facts(route)["no_colour"]
        assert isinstance(no_colour, int)
        sentence = f"claim_{WITHOUT_COLOUR[no_colour]}"
    return Action(action, "claim", claims.write(action), values, sentence, "claim_routes", True)


def substitute_facts(claims: ClaimRoutes, action: i64, view: View | None) -> Action:
    values: Values = {"card": int(action - claims.sub), "left": 0}
    if view is not None and view.one("phase") == claims.sub_phase:
        values["left"] = view["registers"][LEFT] - 1
    return Action(action, "substitute", claims.write(action), values)


def payment_facts(claims: ClaimRoutes, action: i64, view: View | None) -> Action:
    code = action - claims.pay
    extra, sets = int(code % claims.extras), int(code // claims.extras % claims.sets)
    locos = int(code // (claims.extras * claims.sets))
    values: Values = {"locomotives": locos, "sets": sets, "extra": extra}
    if view is None or view.one("phase") != claims.pay_phase:
        return Action(action, "pay", claims.write(action), values, "pay_plain")
    registers = view["registers"]
    need = view.game.board.routes[registers[ROUTE]].length + extra - sets
    values["cards"] = view.game.cards_of(registers[COLOUR], need - locos, locos)
    values["size"] = int(claims.set_size[registers[ROUTE]])
    return Action(action, "pay", claims.write(action), values, "pay_more" if extra else "pay")
