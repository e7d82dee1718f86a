"""Ticket drafts: at the start, and once more when a card in the deck comes up."""

from __future__ import annotations

from branchline.core.board import Board
from branchline.engine.rule import Rule
from branchline.rules.drafts.draft import Draft
from branchline.rules.drafts.params import DraftParams, SecondDraftParams, check_drafts
from branchline.rules.drafts.second_draft import SecondDraft
from branchline.rules.registration import add_check, add_rule


def _second_draft(cite: str, v: SecondDraftParams, board: Board) -> Rule:
    shares = [v.depth.get(str(n), "0/1").split("/") for n in range(board.seats_max + 1)]
    above, of = [int(a) for a, _ in shares], [int(b) for _, b in shares]
    return SecondDraft(cite, v.deal, v.keep, v.direction == "left", above, of)


add_rule(DraftParams, "IB-2", lambda c, v, b: Draft(c, v.deal, v.keep, v.direction == "left"))
add_rule(SecondDraftParams, "IB-4", _second_draft)
add_check(check_drafts)
