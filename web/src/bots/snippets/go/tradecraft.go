// Propose nothing, take gifts, craft nothing: a safe start. view["target"] is what wins.
func decide(ask, view Object) any {
	switch ask["type"] {
	case "MakeProposal":
		partner := 0
		if view["seat"] == 0.0 {
			partner = 1
		}
		return Object{"type": "Propose", "partner": partner}
	case "DecideProposal":
		decision := "reject"
		if len(view["proposal"].(Object)["request"].(Object)) == 0 {
			decision = "accept"
		}
		return Object{"type": "Decide", "decision": decision}
	}
	return Object{"type": "Done"}
}
