"""A bot that joins the cities of its tickets by the fewest spaces."""

import heapq


class TicketBot:
    def start(self, game, seat, seed):
        self.board = game.board
        self.seat = seat

    def decide(self, view, seconds):
        wanted = self.wanted_routes(view)
        return max(view.actions, key=lambda number: self.worth(view.action(number), wanted, view))

    def finish(self, view):
        pass

    def worth(self, action, wanted, view):
        if action.kind == "claim":
            return 100 + action.points if action.route in wanted else 10 + action.points
        if action.kind == "take":
            colours = {self.board.routes[route].colour for route in wanted}
            return 20 if action.card in colours else 0
        if action.kind == "draw":
            return 15
        return 0

    def wanted_routes(self, view):
        """The routes that are missing between the cities of the tickets."""
        wanted = set()
        for ticket in view.tickets:
            a, b = self.board.tickets[ticket].a, self.board.tickets[ticket].b
            wanted.update(self.way(view, a, b) or ())
        return wanted

    def way(self, view, start, goal):
        """The routes to claim for the shortest way between two cities; None if there is none."""
        queue, seen = [(0, start, ())], set()
        while queue:
            spaces, city, routes = heapq.heappop(queue)
            if city == goal:
                return routes
            if city in seen:
                continue
            seen.add(city)
            for route in self.board.routes:
                if city in (route.a, route.b):
                    other = route.a + route.b - city
                    owner = view.owner(route.index)
                    if owner == self.seat:
                        heapq.heappush(queue, (spaces, other, routes))
                    elif owner is None and not view.closed(route.index):
                        more = (spaces + route.length, other, (*routes, route.index))
                        heapq.heappush(queue, more)
        return None
