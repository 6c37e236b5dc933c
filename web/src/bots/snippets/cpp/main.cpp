// A bot that reads and writes lines. It finds what it needs in the JSON by itself; a larger bot uses a library.
#include <iostream>
#include <string>
#include <vector>

using std::string;

// Where the JSON value that begins at `at` ends.
size_t end_of(const string& json, size_t at) {
    int depth = 0;
    bool quoted = false;
    for (; at < json.size(); at++) {
        char c = json[at];
        if (quoted && c == '\\') at++;
        else if (c == '"') quoted = !quoted;
        else if (quoted) continue;
        else if (c == '[' || c == '{') depth++;
        else if (depth == 0 && (c == ']' || c == '}' || c == ',')) return at;
        else if (c == ']' || c == '}') depth--;
    }
    return at;
}

// The first field with this name, as JSON.
string field(const string& json, const string& name) {
    size_t at = json.find("\"" + name + "\":");
    if (at == string::npos) return "null";
    at += name.size() + 3;
    return json.substr(at, end_of(json, at) - at);
}

// The values of a list, as JSON.
std::vector<string> items(const string& list) {
    std::vector<string> found;
    for (size_t at = 1, end; at + 1 < list.size(); at = end + 1) {
        end = end_of(list, at);
        found.push_back(list.substr(at, end - at));
    }
    return found;
}

// decide

int main() {
    for (string line; std::getline(std::cin, line);) {
        string type = field(line, "type");
        if (type == "\"hello\"") {
            std::cout << R"({"type":"hello","name":"C++ bot"})" << std::endl;
        } else if (type == "\"ask\"") {
            string action = decide(field(line, "ask"), field(line, "view"));
            std::cerr << "my answer: " << action << std::endl;  // you see this on the page of your bot
            std::cout << R"({"type":"answer","id":)" << field(line, "id") << R"(,"action":)" << action << "}" << std::endl;
        }
    }
}
