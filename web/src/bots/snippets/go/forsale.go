// The first legal choice: pass, or sell the cheapest estate.
func decide(ask, view Object) any {
	return ask["choices"].([]any)[0]
}
