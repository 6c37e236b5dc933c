def decide(ask, view):
    """Propose nothing, take gifts, craft nothing: a safe start. view["target"] is what wins."""
    if ask["type"] == "MakeProposal":
        others = [seat for seat in view["order"] if seat != view["seat"] and seat not in view["gone"]]
        return {"type": "Propose", "partner": others[0]}
    if ask["type"] == "DecideProposal":
        return {"type": "Decide", "decision": "reject" if view["proposal"]["request"] else "accept"}
    return {"type": "Done"}
