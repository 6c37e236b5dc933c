"""A bot is a function of what you see, what you are asked, and dice. Try it:

parlour match forsale examples/ten_lines.py minimum random
"""


def bot(view, ask, dice):
    """Raise by one while the best estate is worth it; sell the best estate for the best cheques."""
    if view.part == 1:
        bids = [choice for choice in ask.choices if getattr(choice, "amount", 99) <= view.market[-1] // 4]
        return bids[0] if bids else ask.choices[0]
    return ask.choices[-1] if max(view.market) > 10 else ask.choices[0]
