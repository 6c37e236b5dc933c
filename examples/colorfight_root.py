"""A complete player of ColorfightII as in its source text: one socket shows the game, the other takes orders.

It builds wells, later mines, and takes the cells with the best output for their cost. Run `pip install websockets`, and
then, in two terminals:

    parlour host colorfight greedy --port 4010 --set round_time=0.2
    python3 examples/colorfight_root.py 4010 ada secret
"""

import json
import sys

from websockets.sync.client import connect


def orders(frame, uid):
    """Put your strategy here: it returns a list of texts such as "a 2 3 100", "b 3 5 g" and "u 3 5"."""
    rows, me = frame["game_map"], frame["users"][str(uid)]
    energy, gold, chosen, border = me["energy"], me["gold"], [], {}
    for x, y in me["cells"]:
        if rows[y][x]["building"]["name"] == "empty" and gold >= 100:
            gold -= 100
            chosen.append(f"b {x} {y} {'e' if me['energy_source'] < 300 else 'g'}")
        for a, b in ((x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)):
            if 0 <= b < len(rows) and 0 <= a < len(rows[b]) and rows[b][a]["owner"] != uid:
                border[a, b] = rows[b][a]
    for (x, y), cell in sorted(border.items(), key=lambda item: -worth(item[1])):
        if cell["attack_cost"] <= energy:
            energy -= cell["attack_cost"]
            chosen.append(f"a {x} {y} {cell['attack_cost']}")
    return chosen[:1000]


def worth(cell):
    return (cell["natural_gold"] + cell["natural_energy"]) / cell["attack_cost"]


def ask(channel, **message):
    """Every message gets one reply."""
    channel.send(json.dumps(message))
    return json.loads(channel.recv())


port, name, password = sys.argv[1:]
server, turn = f"ws://127.0.0.1:{port}", 0
with connect(f"{server}/game_channel", max_size=None) as shows, connect(f"{server}/action_channel") as takes:
    reply = ask(takes, action="register", username=name, password=password)
    if not reply["success"]:
        sys.exit(reply["err_msg"])
    uid = reply["uid"]
    for text in shows:  # the first frame comes after the first round
        frame = json.loads(text)
        if frame["turn"] < turn:
            sys.exit("this is another game")
        turn, me = frame["turn"], frame["users"].get(str(uid))
        if me is None:  # a frame from before we joined
            continue
        print("turn", turn, "cells", len(me["cells"]), "gold", me["gold"], *frame["error"][str(uid)], flush=True)
        if me["dead"] or turn == frame["info"]["max_turn"]:
            break
        ask(takes, action="command", cmd_list=orders(frame, uid))
users = sorted(frame["users"].values(), key=lambda user: -user["gold"])
print(", ".join(f"{user['username']} {user['gold']}" for user in users))
