#!/usr/bin/env python3
"""A bot that is a program of its own: JSON lines on standard input and output, no Branchline.

It claims the most valuable route that it can pay for, and otherwise draws cards. Any language will
do; this one is Python without a single import from the package.

    branchline bots check "program:python examples/program_bot.py"
    branchline arena "program:python examples/program_bot.py" greedy --map usa --blocks 20
"""

import json
import random
import sys


class Player:
    def start(self, message):
        """A game begins: keep what does not change. All chance comes from the seed."""
        self.routes = message["board"]["routes"]
        self.random = random.Random(f"{message['seed']} {message['seat']}")

    def decide(self, message):
        """The number of one of the actions."""
        actions = message["actions"]
        claims = [a for a in actions if a["kind"] == "claim"]
        if claims:
            best = max(self.routes[a["route"]]["points"] for a in claims)
            return self.random.choice(
                [a["number"] for a in claims if self.routes[a["route"]]["points"] == best]
            )
        draws = [a for a in actions if a["kind"] in ("draw", "take")]
        return self.random.choice(draws or actions)["number"]


def main():
    player = Player()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            player.start(message)
            answer = {"id": message["id"]}
        elif message["type"] == "decide":
            answer = {"id": message["id"], "action": player.decide(message)}
        else:  # finish, or something of a later version: nothing to answer
            continue
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
