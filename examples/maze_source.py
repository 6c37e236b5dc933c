"""A whole player of Maze's own protocol, with nothing but the standard library.

It never turns the spare. Of all slides it takes the one after which it can walk nearest to its goal. Over TCP, or
started by the referee:

    parlour host maze euclid --port 4004 --wait 5 --once & python3 examples/maze_source.py 4004
    parlour match maze "exec+maze:python3 examples/maze_source.py" euclid
"""

import codecs
import json
import socket
import sys

OPEN = {"│": "NS", "─": "EW", "┐": "SW", "└": "NE", "┌": "ES", "┘": "NW"}
OPEN |= {"┬": "ESW", "├": "NES", "┴": "NEW", "┤": "NSW", "┼": "NESW"}
STEPS = {"N": (-1, 0, "S"), "E": (0, 1, "W"), "S": (1, 0, "N"), "W": (0, -1, "E")}
UNDOES = {"LEFT": "RIGHT", "RIGHT": "LEFT", "UP": "DOWN", "DOWN": "UP"}


def messages(stream):
    """JSON objects, with nothing between them, that come in any pieces."""
    text, decoder, utf8 = "", json.JSONDecoder(), codecs.getincrementaldecoder("utf-8")()
    while data := stream.read1(65536):
        text += utf8.decode(data)
        while text:
            try:
                message, end = decoder.raw_decode(text)
            except ValueError:  # the rest of it is still to come
                break
            text = text[end:].lstrip()
            yield message


def pushed(tiles, spare, at, direction, index):
    """The board after a slide, as a map from places to connectors, and where the slide has carried us."""
    rows, columns = len(tiles), len(tiles[0])
    board = {(y, x): tiles[y][x]["connector"] for y in range(rows) for x in range(columns)}
    across = direction in ("LEFT", "RIGHT")
    line = [(index, x) for x in range(columns)] if across else [(y, index) for y in range(rows)]
    step = -1 if direction in ("LEFT", "UP") else 1
    moved = {line[(n + step) % len(line)]: board[place] for n, place in enumerate(line)}
    moved[line[-1 if step < 0 else 0]] = spare["connector"]
    return board | moved, line[(line.index(at) + step) % len(line)] if at in line else at


def reachable(board, start):
    found, ahead = {start}, [start]
    while ahead:
        row, column = ahead.pop()
        for side in OPEN[board[row, column]]:
            down, right, back = STEPS[side]
            place = row + down, column + right
            if place in board and back in OPEN[board[place]] and place not in found:
                found.add(place)
                ahead.append(place)
    return found - {start}


def move(me, turn, state):
    board, last, here = state["board"], state["lastSlide"], state["playerInfo"][me]["position"]
    goal, best = turn["goal"], None
    lines = [(index, to) for index in range(0, board["rows"], 2) for to in ("LEFT", "RIGHT")]
    lines += [(index, to) for index in range(0, board["columns"], 2) for to in ("UP", "DOWN")]
    for index, direction in lines:
        if last == {"index": index, "direction": UNDOES[direction]}:
            continue
        after, at = pushed(board["tiles"], board["spareTile"], (here["row"], here["column"]), direction, index)
        for row, column in reachable(after, at):
            away = (row - goal["row"]) ** 2 + (column - goal["column"]) ** 2
            if best is None or away < best[0]:
                slide = {"direction": direction, "index": index, "rotations": 0}
                best = away, {"type": "MOVE", "slideAction": slide, "moveTo": {"row": row, "column": column}}
    return best[1] if best else {"type": "PASS"}


if len(sys.argv) > 1:
    stream = socket.create_connection(("127.0.0.1", int(sys.argv[1]))).makefile("rwb")
    reads, writes = stream, stream
else:
    reads, writes = sys.stdin.buffer, sys.stdout.buffer
for message in messages(reads):
    body = message["body"]
    if body["type"] == "Registration":
        me = body["playerId"]
        print("signed up as", me, "to look for", *body["treasure"], file=sys.stderr, flush=True)
    elif body["type"] == "RequestAction":
        reply = {"type": "ResponseAction", "move": move(me, body["turnInfo"], body["stateInfo"])}
        writes.write(json.dumps({"type": "RESPONSE", "id": message["id"], "body": reply}).encode())
        writes.flush()
    elif body["type"] == "GameOver":
        print("won" if me in body["winners"] else "not won", file=sys.stderr, flush=True)
