"""ColorfightII without a server: `parse_action` and `get_game_info`, the two calls of its source text.

Ada and Bob play on a map of 5 by 4. There is no clock: the program ends each round itself. Try it:

    python3 examples/colorfight_calls.py
"""

import json

from parlour.games.colorfight.values import Options
from parlour.venues.colorfight.calls import ColorfightII

ROUNDS = [
    {"ada": ["a 4 1 51", "a 3 2 49"], "bob": ["a 3 2 60", "b 2 1 e"]},
    {"ada": ["a 3 2 14"], "bob": ["a 4 2 51"]},
    *[{} for _ in range(6)],  # both save
    {"ada": ["b 4 1 e", "u 4 1"]},
]


def show(info):
    """The map with the attack costs, and what each player has."""
    print("turn", info["turn"])
    print("  ", "".join(f"{x:<8}" for x in range(info["info"]["width"])).rstrip())
    for y, row in enumerate(info["game_map"]):
        print(y, "", "".join(f"{owner(cell)}{cell['attack_cost']:<7}" for cell in row).rstrip())
    for uid, user in info["users"].items():
        energy, gold = (f"{user[what]} (+{user[f'{what}_source']}) {what}" for what in ("energy", "gold"))
        print(f"{user['username']}: {energy}, {gold}")
        print("".join(f"     {words}\n" for words in info["error"].get(uid, [])), end="")


def owner(cell):
    """The owner's letter, in upper case if there is a building."""
    letter = ".ab"[cell["owner"]]
    return letter if cell["building"]["name"] == "empty" else letter.upper()


game = ColorfightII(Options(width=5, height=4, max_turn=len(ROUNDS)), seed=b"2854")
uids = {}
for name in ("ada", "bob"):
    said = {"action": "register", "username": name, "password": "secret"}
    uids[name] = game.parse_action(None, json.dumps(said))["uid"]
show(game.get_game_info())
for lists in ROUNDS:
    for name, orders in lists.items():
        reply = game.parse_action(uids[name], json.dumps({"action": "command", "cmd_list": orders}))
        print(name, "sends", orders, "and hears", reply)
    game.update()
    if lists:
        show(game.get_game_info())
