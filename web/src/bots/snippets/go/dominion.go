// Buy the best of provinces, gold and silver.
func decide(ask, view Object) any {
	hand := view["hand"].([]any)
	if ask["type"] == "AnswerAttack" {
		return Object{"type": "Discard", "cards": hand[:int(ask["discard"].(float64))]}
	}
	if ask["buys"] == 0.0 {
		return Object{"type": "CleanUp"}
	}
	money := int(view["money"].(float64))
	for _, card := range hand {
		money += map[any]int{"copper": 1, "silver": 2, "gold": 3}[card]
	}
	cards := []string{}
	if money >= 8 {
		cards = append(cards, "province")
	} else if money >= 6 {
		cards = append(cards, "gold")
	} else if money >= 3 {
		cards = append(cards, "silver")
	}
	return Object{"type": "Buy", "cards": cards}
}
