def decide(ask, view):
    """Attack the cheapest neighbouring cells while the energy lasts."""
    owner, cost, width, me = view["owner"], view["attack_cost"], view["width"], ask["uid"]
    mine = {(cell % width, cell // width) for cell, uid in enumerate(owner) if uid == me}
    energy, orders = view["users"][me - 1]["energy"], []
    for cell in sorted(range(len(owner)), key=lambda cell: cost[cell]):
        x, y = cell % width, cell // width
        is_beside = mine & {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)}
        if is_beside and owner[cell] != me and cost[cell] <= energy:
            energy -= cost[cell]
            orders.append(f"a {x} {y} {cost[cell]}")
    return {"type": "Command", "orders": orders[:1000]}
