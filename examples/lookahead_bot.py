"""A bot that plays its own next turns on decks that might be the true one."""

import random

from ticket_bot import TicketBot

from branchline.core.board import GRAY

POINTS = [0, 1, 2, 4, 7, 10, 15, 18, 21, 27]


class LookaheadBot(TicketBot):
    def __init__(self, decks=5, turns=8):
        self.decks, self.turns = decks, turns

    def start(self, game, seat, seed):
        super().start(game, seat, seed)
        self.rng = random.Random(f"{seed}/{seat}")
        deck = next(rule.params for rule in game.board.rules if rule.name == "deck")
        self.all_cards = [deck["per_colour"]] * len(game.board.colours) + [deck["locomotives"]]

    def decide(self, view, seconds):
        if view.phase != "turn":
            return super().decide(view, seconds)
        wanted = self.wanted_routes(view) or self.open_routes(view)
        decks = [self.possible_deck(view) for _ in range(self.decks)]
        best, best_value = view.actions[0], float("-inf")
        for number in view.actions:
            action = view.action(number)
            if action.kind in ("draw", "take") or action.route in wanted:
                value = sum(self.points_ahead(view, action, wanted, deck) for deck in decks)
                if value > best_value:
                    best, best_value = number, value
        return best

    def open_routes(self, view):
        return {
            route.index
            for route in self.board.routes
            if view.owner(route.index) is None and not view.closed(route.index)
        }

    def possible_deck(self, view):
        """Cards that this seat has not seen, in an order that is as likely as any other."""
        unseen = list(self.all_cards)
        others = [seat for seat in range(view.game.seats) if seat != self.seat]
        for kind in range(len(unseen)):
            unseen[kind] -= view.hand[kind] + view["discard"][kind] + view.display.count(kind)
            unseen[kind] -= sum(view.of_seat("known", seat)[kind] for seat in others)
        cards = [kind for kind, count in enumerate(unseen) for _ in range(count)]
        self.rng.shuffle(cards)
        return cards[: view.deck_size]

    def points_ahead(self, view, action, wanted, deck):
        """What this seat makes of its next turns on this deck, if nobody gets in its way."""
        hand, deck, left = list(view.hand), list(deck), set(wanted)
        trains, points = view.trains(self.seat), 0.0
        for turn in range(self.turns):
            if turn == 0:
                route, card = (action.route, action.card) if action.kind == "claim" else (None, 0)
            else:
                route, card = self.best_claim(hand, trains, left)
            if route is not None:
                length = self.board.routes[route].length
                own = min(hand[card], length)
                hand[card] -= own
                hand[-1] -= length - own
                trains -= length
                left.discard(route)
                points += (POINTS[length] + 2 * length) * 0.9**turn
                continue
            cards = 2
            if turn == 0 and action.kind == "take":
                hand[action.card] += 1
                cards = 0 if action.card == len(hand) - 1 else 1
            for _ in range(min(cards, len(deck))):
                hand[deck.pop()] += 1
        return points

    def best_claim(self, hand, trains, routes):
        """The longest of these routes that can be paid for, and its colour."""
        best, best_card, best_length = None, 0, 0
        for index in sorted(routes):
            route = self.board.routes[index]
            if best_length < route.length <= trains:
                card = hand.index(max(hand[:-1])) if route.colour == GRAY else route.colour
                if hand[card] + hand[-1] >= route.length:
                    best, best_card, best_length = index, card, route.length
        return best, best_card
