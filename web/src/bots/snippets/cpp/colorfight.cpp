// Attack neighbouring cells while the energy lasts.
string decide(const string& ask, const string& view) {
    int width = std::stoi(field(view, "width")), height = std::stoi(field(view, "height"));
    string me = field(ask, "uid"), orders;
    std::vector<string> owner = items(field(view, "owner")), cost = items(field(view, "attack_cost"));
    int energy = std::stoi(field(items(field(view, "users"))[std::stoi(me) - 1], "energy"));
    auto is_mine = [&](int x, int y) {
        return x >= 0 && x < width && y >= 0 && y < height && owner[y * width + x] == me;
    };
    for (int cell = 0, count = 0; cell < width * height && count < 1000; cell++) {
        int x = cell % width, y = cell / width, price = std::stoi(cost[cell]);
        bool is_beside = is_mine(x - 1, y) || is_mine(x + 1, y) || is_mine(x, y - 1) || is_mine(x, y + 1);
        if (is_mine(x, y) || !is_beside || price > energy) continue;
        energy -= price;
        orders += (count++ > 0 ? ",\"a " : "\"a ") + std::to_string(x) + " " + std::to_string(y) + " " + cost[cell] + "\"";
    }
    return R"({"type":"Command","orders":[)" + orders + "]}";
}
