"""A whole bot that speaks Dominion's own protocol over stdin and stdout, with nothing but the standard library.

It buys provinces, money, and one Smithy, which it plays whenever it has it. Try it:

    parlour match dominion "exec+dominion:python3 examples/dominion_starter.py" money
"""

import json
import sys

PRICES = {"province": 8, "gold": 6, "smithy": 4, "silver": 3}  # in the order in which it wants them
WORTH = {"copper": 1, "silver": 2, "gold": 3}
KEEP = {"gold": 4, "smithy": 3, "silver": 2, "copper": 1}  # under attack, all else goes first

supply = {}
bought = []


def play(turn):
    """It is asked again after every reply, until it cleans up."""
    if turn["actions"] and "smithy" in turn["hand"]:
        return {"type": "play-reply", "phase": "action", "card": "smithy", "additional_parameters": {}}
    if turn["buys"]:
        treasures = [card for card in turn["hand"] if card in WORTH]
        cards = shop(turn["extra_money"] + sum(WORTH[card] for card in treasures))
        return {"type": "play-reply", "phase": "buy", "played_treasures": treasures, "cards_to_buy": cards}
    return {"type": "play-reply", "phase": "cleanup"}


def shop(money):
    for card, price in PRICES.items():
        if price <= money and supply[card] and not (card == "smithy" and "smithy" in bought):
            bought.append(card)
            return [card]
    return []


def bear(attack):
    if "moat" in attack["options"]:
        return {"type": "attack-reply-reaction", "reaction": "moat"}
    worst_first = sorted(attack["options"], key=lambda card: KEEP.get(card, 0))
    return {"type": "attack-reply", "discard": worst_first[: attack["discard"]]}


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "player-name-request":
        you = message["player_number"]
        reply = {"type": "player-name-reply", "player_number": you, "name": "Python starter", "version": 1}
    elif message["type"] == "play-turn":
        reply = play(message)
    elif message["type"] == "attack-request":
        reply = bear(message)
    else:  # whatever else comes wants no reply
        if message["type"] == "supply-info":
            cards = message["cards"]  # a map; in the shape `text` a list
            supply = cards if isinstance(cards, dict) else {pile["card"]: pile["count"] for pile in cards}
        continue
    print(json.dumps(reply), flush=True)
