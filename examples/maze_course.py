"""A whole player of the course's protocol for Maze, with nothing but the standard library.

It slides row 0 to the left, or up column 0 where that would undo the last slide, and walks to its goal or else to the
first tile that it can reach. Put your strategy where it says so. Over TCP, or started by the referee:

    parlour host maze euclid --port 4004 --course-port 4005 --wait 5 --once & python3 examples/maze_course.py 4005 ada
    parlour match maze "exec+maze/course:python3 examples/maze_course.py - ada" euclid
"""

import codecs
import json
import socket
import sys

OPEN = {"│": "NS", "─": "EW", "┐": "SW", "└": "NE", "┌": "ES", "┘": "NW"}
OPEN |= {"┬": "ESW", "├": "NES", "┴": "NEW", "┤": "NSW", "┼": "NESW"}
STEPS = {"N": (-1, 0, "S"), "E": (0, 1, "W"), "S": (1, 0, "N"), "W": (0, -1, "E")}


def calls(stream):
    """[name, arguments], one after the other; a call may come in pieces, even cut within a character."""
    text, decoder, utf8 = "", json.JSONDecoder(), codecs.getincrementaldecoder("utf-8")()
    while data := stream.read1(65536):
        text += utf8.decode(data)
        try:
            call, end = decoder.raw_decode(text)
        except ValueError:  # the rest of it is still to come
            continue
        text = text[end:].lstrip()
        yield call


def reachable(connectors, start):
    """Where one can walk from there; board and place are what they will be after the slide."""
    found, ahead = {start}, [start]
    while ahead:
        row, column = ahead.pop()
        for side in OPEN[connectors[row][column]]:
            down, right, back = STEPS[side]
            y, x = place = row + down, column + right
            on_board = 0 <= y < len(connectors) and 0 <= x < len(connectors[0])
            if on_board and back in OPEN[connectors[y][x]] and place not in found:
                found.add(place)
                ahead.append(place)
    return found - {start}


def take_turn(state, goal):
    """Here goes your strategy: [index, direction, degrees, {"row#": y, "column#": x}], or "PASS"."""
    connectors, spare = state["board"]["connectors"], state["spare"]["tilekey"]
    here = state["plmt"][0]["current"]  # whoever is called is the first
    row, column = here["row#"], here["column#"]
    if state["last"] == [0, "RIGHT"]:
        direction, below = "UP", [*connectors[1:], [spare]]
        connectors = [[below[y][0], *line[1:]] for y, line in enumerate(connectors)]
        row = (row - 1) % len(connectors) if column == 0 else row
    else:
        direction = "LEFT"
        connectors = [[*connectors[0][1:], spare], *connectors[1:]]
        column = (column - 1) % len(connectors[0]) if row == 0 else column
    places = sorted(reachable(connectors, (row, column)), key=lambda place: (place != goal, place))
    return [0, direction, 0, {"row#": places[0][0], "column#": places[0][1]}] if places else "PASS"


port, name = sys.argv[1:]
if port == "-":
    reads, writes = sys.stdin.buffer, sys.stdout.buffer
else:
    reads = writes = socket.create_connection(("127.0.0.1", int(port))).makefile("rwb")
writes.write(json.dumps(name).encode())
writes.flush()
for call, arguments in calls(reads):
    if call == "setup":
        goal = arguments[1]["row#"], arguments[1]["column#"]
    answer = take_turn(arguments[0], goal) if call == "take-turn" else "void"
    writes.write(json.dumps(answer).encode())
    writes.flush()
    if call == "win":
        print("won" if arguments[0] else "not won", file=sys.stderr, flush=True)
