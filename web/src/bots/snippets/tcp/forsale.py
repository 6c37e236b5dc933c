def decide(ask, view):
    """Raise by one while the best estate is worth it; sell the best estate for the best cheques."""
    choices = ask["choices"]
    if view["part"] == 1:
        bids = [choice for choice in choices if choice.get("amount", 99) <= view["market"][-1] // 4]
        return bids[0] if bids else choices[0]
    return choices[-1] if max(view["market"]) > 10 else choices[0]
