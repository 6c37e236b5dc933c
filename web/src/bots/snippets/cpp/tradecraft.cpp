// Propose nothing, take gifts, craft nothing: a safe start. field(view, "target") is what wins.
string decide(const string& ask, const string& view) {
    string type = field(ask, "type");
    if (type == "\"MakeProposal\"") {
        string partner = field(view, "seat") == "0" ? "1" : "0";
        return R"({"type":"Propose","partner":)" + partner + "}";
    }
    if (type == "\"DecideProposal\"") {
        bool is_gift = field(field(view, "proposal"), "request") == "{}";
        return is_gift ? R"({"type":"Decide","decision":"accept"})" : R"({"type":"Decide","decision":"reject"})";
    }
    return R"({"type":"Done"})";
}
