// The first legal choice: pass, or sell the cheapest estate.
string decide(const string& ask, const string& view) {
    return items(field(ask, "choices"))[0];
}
