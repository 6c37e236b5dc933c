"""A complete player of tradeCraft for Socket.IO: it logs in, enters the first hall, is ready, and plays one game.

It asks for the missing ingredients of its target, and crafts it when it can; it only looks at recipes of the target
itself. Run `pip install python-socketio aiohttp`, and then, in two terminals:

    parlour host tradecraft random --port 4020 --web-port 4021
    python3 examples/tradecraft_socketio.py 4021 ada
"""

import asyncio
import sys
from collections import Counter
from fractions import Fraction
from math import ceil

import socketio


def read(items):
    return Counter({item: Fraction(amount["n"], amount["d"]) for item, amount in items.items()})


def written(items):
    return {item: {"n": amount.numerator, "d": amount.denominator} for item, amount in items.items()}


def filled(recipe, target, hand):
    """The items of a hand that the recipe needs for the target; None if there are not enough."""
    batches, left, used = target / read(dict(recipe["parents"])).total(), Counter(hand), Counter()
    for slot, count in read(dict(recipe["children"])).items():
        needed = batches * count  # for a tag or fuel, a list of items and the amount of each that counts as one
        for kind, each in read(recipe["extra_tags"].get(slot, {slot: {"n": 1, "d": 1}})).items():
            part = min(needed, left[kind] / each)
            needed, left[kind], used[kind] = needed - part, left[kind] - part * each, used[kind] + part * each
        if needed:
            return None
    return +used


class Player:
    """Knows names, hands, its own target and the recipes for it, and acts in each phase."""

    def __init__(self, say):
        self.say, self.facts, self.traded = say, asyncio.get_running_loop().create_future(), False

    async def ways(self, *hands):
        recipes, [amount] = (await self.facts)["node"]["children"], self.target.values()
        found = [filled(recipe, amount, sum(hands, Counter())) for recipe in recipes]
        return [used for used in found if used is not None]

    async def propose(self):
        """Ask the last player who has what is lacking; an empty proposal is a way to pass."""
        mine, others = self.hands[self.me], [seat for seat in range(len(self.hands)) if seat != self.me]
        partner, offer, request = others[0], {}, {}
        for seat in others:
            for used in await self.ways(mine, self.hands[seat]):
                lacks = used - mine
                partner, request = seat, Counter({item: Fraction(ceil(lacks[item])) for item in lacks})
                offer = Counter({item: min(mine[item], request.total()) for item in mine if item not in used})
        trade = {"partner": self.names[partner], "offer": written(offer), "request": written(request)}
        await self.say("submit_proposal", proposal={"self": self.names[self.me], **trade}, message="Is that fair?")

    async def decide(self, proposal):
        """Accept any trade that brings items, unless the target can be made now."""
        good = proposal["offer"] and not await self.ways(self.hands[self.me])
        await self.say("approval_or_reject", decision="accept" if good else "reject", message="")

    async def craft(self):
        if found := await self.ways(self.hands[self.me]):
            recipe = {"input": written(found[0]), "output": written(self.target)}
            await self.say("craft_recipe_check", recipe=recipe)
        else:
            await self.say("craft_done")

    async def hear(self, event, body):
        match event:
            case "game_start":
                self.names = body["player_list"]
            case "private_start_info":
                self.me, self.target = body["index"], read(body["target"])
                await self.say("item_info", node_name=next(iter(self.target)))
            case "update_all_hands":
                self.hands = [read(hand) for hand in body["hands"]]
                if self.traded:
                    self.traded = False
                    await self.craft()
            case "start_proposal" if body["proposer"] == self.names[self.me]:
                await self.propose()
            case "proposal":
                await self.decide(body["proposal"])
            case "proposal_accepted":
                self.traded = True  # the next message has the new hands
            case "proposal_rejected":
                await self.craft()
            case "craft_recipe_validity":
                if body["result"]:
                    await self.say("craft_recipe_apply")
                await self.say("craft_done")


async def main(port, name):
    io, heard = socketio.AsyncClient(reconnection=False), asyncio.Queue()

    async def say(event, **body):
        await io.emit(f"player__{event}", {"token": token, "gamename": hall, **body})

    player = Player(say)
    io.on("server__item_info", player.facts.set_result)
    io.on("*", lambda event, body=None: heard.put_nowait((event.removeprefix("server__"), body)))
    io.on("disconnect", lambda *_: heard.put_nowait(("error", {"message": "the connection is lost"})))
    await io.connect(f"http://127.0.0.1:{port}")
    await io.emit("login", {"username": name})
    while True:
        event, body = await heard.get()
        match event:
            case "login_success":
                token = body["token"]
                await io.emit("get_entry_info", {"_token": token})
            case "entry_info":
                hall = body["halls"][0][0]
                await io.emit("enter_hall", {"_token": token, "_hallname": hall})
            case "player_enter_room" if body["playername"] == name:
                await say("ready_to_start")
            case "game_over":
                print(body["reason"], body["scores"], flush=True)
                return await io.disconnect()
            case "username_conflict" | "error":
                await io.disconnect()
                sys.exit(body["message"])
            case _:
                await player.hear(event, body)


asyncio.run(main(*sys.argv[1:]))
