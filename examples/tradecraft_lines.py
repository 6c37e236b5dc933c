"""A complete player of tradeCraft's own protocol, with only the standard library.

It looks up how its target is made, asks for what it lacks, gives what it can spare, and crafts. The referee starts it,
or it connects over TCP:

    parlour match tradecraft "exec+tradecraft:python3 examples/tradecraft_lines.py" random
    parlour host tradecraft random --port 4020 --once & python3 examples/tradecraft_lines.py 4020 ada
"""

import json
import socket
import sys
from collections import Counter, deque
from fractions import Fraction
from math import ceil

facts, later, steps, traded = {}, deque(), [], False


def say(kind, **body):
    print(json.dumps({"type": kind, **body}), file=writes, flush=True)


def about(item):
    """Look up an item, or a tag such as #planks. Other messages are kept for later."""
    if item not in facts and len(facts) < 300:
        say("query", what="item_info", item=item)
        while json.loads(line := reads.readline())["type"] != "item_info":
            later.append(line)
        facts[item] = json.loads(line)["node"]
    return facts.get(item, {"made_by": [], "stands_for": [], "burn_ticks": 0})


def plan(hand):
    """The crafting steps to the target, and the hand after them."""
    left, found = Counter(hand), []
    there_is_a_way = all(get([item], amount, left, Counter(), found) for item, amount in target.items())
    return (found, left) if there_is_a_way else ([], hand)


def get(kinds, amount, hand, used, found, depth=5):
    """Use an amount of any of these kinds, and craft what the hand lacks; returns whether it is possible."""
    lacks = take(dict.fromkeys(kinds, 1), amount, hand, used)
    ways = ((kind, recipe) for kind in kinds if lacks and depth for recipe in about(kind)["made_by"])
    return not lacks or any(make(kind, lacks, recipe, hand, used, found, depth) for kind, recipe in ways)


def make(item, amount, recipe, hand, used, found, depth):
    batches, left, parts, before = Fraction(amount, recipe["output"][item]), Counter(hand), Counter(), []
    for slot, count in recipe["input"].items():
        kinds = about(slot)["stands_for"] if slot[0] == "#" else slot.split("|")
        if not get(kinds, batches * count, left, parts, before, depth - 1):
            return False
    fuels = {kind: about(kind)["burn_ticks"] for kind in left if recipe["fuel_ticks"]}
    if take(fuels, batches * recipe["fuel_ticks"], left, parts):
        return False
    hand.clear()
    hand.update(left)
    used[item] += amount
    found += [*before, (parts, {item: amount})]
    return True


def take(worth, needed, left, used):
    """Take as much of these as needed and available; returns how much is still lacking."""
    for kind, each in worth.items():
        part = min(left[kind], needed / each) if each else 0
        left[kind], used[kind], needed = left[kind] - part, used[kind] + part, needed - part * each
    return needed


def needs():
    """What the target needs, if all players gave everything."""
    there = sum(hands, Counter())
    return Counter({item: ceil(amount) for item, amount in (there - plan(there)[1]).items()})


def propose():
    """Ask the player who has most of what is lacking, for an equal amount of spare items."""
    needed = needs()
    wants = {seat: (needed - hands[me]) & hand for seat, hand in enumerate(hands) if seat != me}
    partner = max(wants, key=lambda seat: wants[seat].total())
    price = wants[partner].total()
    spare = {item: min(amount, price) for item, amount in hands[me].items() if price and item not in needed}
    offer, request = dict([*spare.items()][:2]), dict(wants[partner])
    say("propose", partner=names[partner], offer=offer, request=request, message="Is that fair?")


def decide(offer, request):
    spared = Counter(request) <= hands[me] - needs()
    decision = "accept" if offer and spared else "reject"
    say("decide", decision=decision, message="Gladly." if spared else "I need that myself.")


def craft():
    """Check the next step, or be done."""
    if steps:
        parts, made = [{item: str(amount) for item, amount in side.items() if amount} for side in steps.pop(0)]
        say("check", input=parts, output=made)
    else:
        say("done_crafting")


if len(sys.argv) > 1:
    reads = writes = socket.create_connection(("127.0.0.1", int(sys.argv[1]))).makefile("rw", encoding="utf-8")
    say("login", username=sys.argv[2])
else:
    reads, writes = sys.stdin, sys.stdout
while line := later.popleft() if later else reads.readline():
    match json.loads(line):
        case {"type": "game_start", "player_list": names}:
            pass
        case {"type": "private_start_info", "index": me, "target": target}:
            pass
        case {"type": "update_all_hands", "hands": shown}:
            hands = [Counter(hand) for hand in shown]
            if traded:
                traded, steps = False, plan(hands[me])[0]
                craft()
        case {"type": "start_proposal", "proposer": proposer} if proposer == names[me]:
            propose()
        case {"type": "proposal", "proposal": {"offer": offer, "request": request}}:
            decide(offer, request)
        case {"type": "proposal_accepted"}:
            traded = True  # the next message has the new hands
        case {"type": "proposal_rejected"}:
            steps = plan(hands[me])[0]
            craft()
        case {"type": "craft_recipe_validity", "result": good}:
            if good:
                say("apply")
            craft()
        case {"type": "game_over", "reason": reason, "scores": scores}:
            print(reason, scores, file=sys.stderr, flush=True)
