"""A complete player of ColorfightII in a room, like today's clients: it reads compact frames until another game begins.

It builds wells, later mines, upgrades its home, and takes the cells with the best output for their cost. Run `pip
install websockets`, and then, in two terminals:

    parlour host colorfight greedy --port 4010 --set round_time=0.2
    python3 examples/colorfight_room.py 4010 public ada secret
"""

import json
import sys

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect


def cells_of(frame):
    """Cells by position. A cell is a list of values, and `headers` names them."""
    headers = frame["game_map"]["headers"]
    cells = [dict(zip(headers, values, strict=True)) for row in frame["game_map"]["data"] for values in row]
    return {tuple(cell["position"]): cell for cell in cells}


def orders(frame, uid):
    """Put your strategy here: it returns a list of texts such as "a 2 3 100", "b 3 5 g" and "u 3 5"."""
    cells, me = cells_of(frame), frame["users"][str(uid)]
    energy, gold, chosen, border = me["energy"], me["gold"], [], {}
    for x, y in me["cells"]:
        letter, level = cells[x, y]["building"]
        price = 500 * 2**level  # of a better home, in gold and energy
        if letter == "h" and level < 4 and gold >= price and energy >= price:
            gold, energy = gold - price, energy - price
            chosen.append(f"u {x} {y}")
        elif letter == " " and gold >= 100:
            gold -= 100
            chosen.append(f"b {x} {y} {'e' if me['energy_source'] < 300 else 'g'}")
        for place in ((x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)):
            if place in cells and cells[place]["owner"] != uid:
                border[place] = cells[place]
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


def newest(channel):
    """The newest frame received, or the next one. A player that thinks for too long skips frames."""
    text = channel.recv()
    while True:
        try:
            text = channel.recv(timeout=0)
        except TimeoutError:
            return json.loads(text)


port, room, name, password = sys.argv[1:]
address = f"ws://127.0.0.1:{port}/gameroom/{room}"
with connect(f"{address}/game_channel", max_size=None) as shows, connect(f"{address}/action_channel") as takes:
    try:
        reply = ask(takes, action="register", username=name, password=password, join_key="")
    except ConnectionClosed:
        sys.exit("there is no such room")
    if not reply["success"]:
        sys.exit(reply["err_msg"])
    uid, turn, last = reply["uid"], 0, newest(shows)  # the first frame comes at once
    while (frame := newest(shows))["info"]["game_id"] == last["info"]["game_id"]:
        last, me = frame, frame["users"].get(str(uid))
        if me is None or frame["turn"] == turn:  # a player has joined, or the count-down goes on
            continue
        turn = frame["turn"]
        print("turn", turn, "cells", me["cell_number"], "gold", me["gold"], *frame["error"][str(uid)], flush=True)
        if not me["dead"] and turn < frame["info"]["max_turn"]:
            ask(takes, action="command", cmd_list=orders(frame, uid))
users = sorted(last["users"].values(), key=lambda user: -user["gold"])
print(", ".join(f"{user['username']} {user['gold']}" for user in users))
