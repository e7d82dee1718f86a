"""Makes a table on a server, plays it against two bots over the protocol, and tells the game.

`python examples/play_at_a_table.py [ADDRESS]`; needs a running `branchline serve`, and
`pip install httpx websockets`. docs/protocol.md explains every message.
"""

import asyncio
import json
import sys

import httpx
import websockets


async def play(server: str) -> list[int]:
    """Play a game to its end, and return the scores."""
    async with httpx.AsyncClient(base_url=server) as http:
        form = {"board": "new_york", "seats": 3, "name": "Program", "bots": ["easy", "easy"]}
        made = (await http.post("/api/tables", json=form)).raise_for_status().json()
        cookie = f"branchline={http.cookies['branchline']}"
    address = f"{server.replace('http', 'ws', 1)}/api/tables/{made['table']}/socket?since=0&lang=en"
    answered = 0
    async with websockets.connect(
        address, subprotocols=["branchline.1"], additional_headers={"Cookie": cookie}
    ) as socket:
        async for message in socket:
            news = json.loads(message)
            if (news.get("table") or {}).get("status") == "over":
                return list(news["table"]["result"]["scores"])
            decision = news.get("decision")
            if decision and decision["number"] != answered:
                answered = decision["number"]
                offer = best(decision["offers"])
                print(offer["text"])
                move = {"decision": answered, "action": offer["action"]}
                await socket.send(json.dumps({"type": "act", "id": str(answered), **move}))
    raise ConnectionError("the server has closed the connection")


def best(offers: list[dict]) -> dict:
    """The claim with the most points; without a claim, the first of the offers."""
    claims = [offer for offer in offers if offer["do"] == "claim"]
    return max(claims, key=lambda offer: offer["points"], default=offers[0])


if __name__ == "__main__":
    address = sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8000"
    print(asyncio.run(play(address.rstrip("/"))))
