"""How a route can be paid for, as a reader is told."""

from __future__ import annotations

from msgspec import Raw

from branchline.core.catalogue import rule_text, say
from branchline.rules.claims.ways import Way, ways_to_pay
from branchline.service.broadcast.readers import Reader, offers_of
from branchline.service.messages import Missing, WayInfo, Ways


def ways_told(reader: Reader, id: str, route: int) -> Ways:
    """The answer to a question of the reader's about a route."""
    state, words = reader.table.state, reader.words
    if state is None or reader.seat < 0:
        return Ways(id, route, text=say("table.not_playing", reader.lang))
    if route >= len(reader.table.game.board.routes):
        return Ways(id, route, text=say("table.no_such_route", reader.lang))
    found = ways_to_pay(state, reader.seat, route)
    if found.refusal is None:
        return Ways(id, route, [way_told(reader, way) for way in found.ways])
    rule = rule_text(found.refusal.rule, reader.lang, words.vocabulary.of_rules())
    missing = Missing(found.missing, found.kinds) if found.missing else None
    text = words.refusal(found.refusal)
    return Ways(id, route, [], text, rule.id, rule.title, missing)


def way_told(reader: Reader, way: Way) -> WayInfo:
    """One way, with the decision that follows it."""
    offers = offers_of(reader.table.game, reader.lang, reader.cities)
    after = way.then.view(reader.seat) if way.then is not None else None
    return WayInfo(
        actions=way.actions,
        card=way.card,
        cards=way.cards,
        text=reader.words.action(way.paying.view(reader.seat), way.pay),
        sets=way.sets,
        set_size=way.set_size,
        extra=way.extra,
        room=way.room,
        substitutes=way.substitutes,
        reveals=way.reveals,
        phase=after.phase if after is not None else "",
        question=reader.words.question(after) if after is not None else "",
        offers=[Raw(offer) for offer in offers.of(after)] if after is not None else [],
    )
