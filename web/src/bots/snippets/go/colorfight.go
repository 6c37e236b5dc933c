// Attack neighbouring cells while the energy lasts.
func decide(ask, view Object) any {
	owner, cost, me := view["owner"].([]any), view["attack_cost"].([]any), ask["uid"].(float64)
	width, height := int(view["width"].(float64)), int(view["height"].(float64))
	energy := view["users"].([]any)[int(me)-1].(Object)["energy"].(float64)
	isMine := func(x, y int) bool {
		return x >= 0 && x < width && y >= 0 && y < height && owner[y*width+x] == me
	}
	orders := []string{}
	for cell := 0; cell < len(owner) && len(orders) < 1000; cell++ {
		x, y, price := cell%width, cell/width, cost[cell].(float64)
		isBeside := isMine(x-1, y) || isMine(x+1, y) || isMine(x, y-1) || isMine(x, y+1)
		if !isMine(x, y) && isBeside && price <= energy {
			energy -= price
			orders = append(orders, fmt.Sprintf("a %d %d %.0f", x, y, price))
		}
	}
	return Object{"type": "Command", "orders": orders}
}
