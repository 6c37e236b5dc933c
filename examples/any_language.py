"""A whole bot that speaks protocol 1 over stdin and stdout, with nothing but the standard library.

Any language can do the same: read a JSON object a line, answer every "ask". This one takes any of the choices that an
ask lists, as those of For Sale do. Try it:

    parlour match forsale "exec:python3 examples/any_language.py" minimum random
"""

import json
import random
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        reply = {"type": "hello", "name": "any language", "salt": str(random.random())}
    elif message["type"] == "ask":
        reply = {"type": "answer", "id": message["id"], "action": random.choice(message["ask"]["choices"])}
    else:  # seat, event, fault and over want no answer
        continue
    print(json.dumps(reply), flush=True)
