WORTH = {"copper": 1, "silver": 2, "gold": 3}
PRICES = {"province": 8, "gold": 6, "silver": 3}


def decide(ask, view):
    """Buy the best of provinces, gold and silver."""
    if ask["type"] == "AnswerAttack":
        return {"type": "Discard", "cards": view["hand"][: ask["discard"]]}
    if not ask["buys"]:
        return {"type": "CleanUp"}
    money = view["money"] + sum(WORTH.get(card, 0) for card in view["hand"])
    affordable = [card for card, price in PRICES.items() if price <= money and view["supply"][card]]
    return {"type": "Buy", "cards": affordable[:1]}
