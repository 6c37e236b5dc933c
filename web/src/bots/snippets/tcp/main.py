"""A bot that speaks protocol 1 over TCP, with the standard library only: python3 bot.py"""

import json
import os
import socket
import ssl

HOST, PORT, TLS, GAME = "127.0.0.1", 8001, False, "GAME"


# decide


link = socket.create_connection((HOST, PORT))
link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # short lines go at once
if TLS:
    link = ssl.create_default_context().wrap_socket(link, server_hostname=HOST)
lines = link.makefile("rw", encoding="utf-8", newline="\n")


def say(**message):
    print(json.dumps(message), file=lines, flush=True)


say(type="enter", game=GAME, token=os.environ.get("PARLOUR_TOKEN"))
for line in lines:
    message = json.loads(line)
    if message["type"] == "hello":
        say(type="hello", name="tcp bot", again=True)
    elif message["type"] in ("ask", "again"):  # again: you ask it on the page, about a match that is over
        action = decide(message["ask"], message["view"])
        say(type="answer" if message["type"] == "ask" else "again", id=message["id"], action=action)
    elif message["type"] == "fault":
        print(message["words"])
    elif message["type"] in ("over", "error"):
        print(message)
        break
