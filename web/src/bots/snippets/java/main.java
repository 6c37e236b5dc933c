// A bot that reads and writes lines. It finds what it needs in the JSON by itself; a larger bot uses a library.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

public class Bot {
    /** Where the JSON value that begins at `at` ends. */
    static int endOf(String json, int at) {
        int depth = 0;
        boolean quoted = false;
        for (; at < json.length(); at++) {
            char c = json.charAt(at);
            if (quoted && c == '\\') at++;
            else if (c == '"') quoted = !quoted;
            else if (quoted) continue;
            else if (c == '[' || c == '{') depth++;
            else if (depth == 0 && (c == ']' || c == '}' || c == ',')) return at;
            else if (c == ']' || c == '}') depth--;
        }
        return at;
    }

    /** The first field with this name, as JSON. */
    static String field(String json, String name) {
        String key = "\"" + name + "\":";
        int at = json.indexOf(key);
        return at < 0 ? "null" : json.substring(at + key.length(), endOf(json, at + key.length()));
    }

    /** The values of a list, as JSON. */
    static List<String> items(String list) {
        List<String> found = new ArrayList<>();
        for (int at = 1, end; at + 1 < list.length(); at = end + 1) {
            end = endOf(list, at);
            found.add(list.substring(at, end));
        }
        return found;
    }

    // decide

    public static void main(String[] args) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = lines.readLine()) != null; ) {
            String type = field(line, "type");
            if (type.equals("\"hello\"")) {
                System.out.println("{\"type\":\"hello\",\"name\":\"Java bot\"}");
            } else if (type.equals("\"ask\"")) {
                String action = decide(field(line, "ask"), field(line, "view"));
                System.err.println("my answer: " + action); // you see this on the page of your bot
                System.out.println("{\"type\":\"answer\",\"id\":" + field(line, "id") + ",\"action\":" + action + "}");
            }
        }
    }
}
